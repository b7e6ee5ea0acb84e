package main

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/mcp"
	"github.com/limn-ui/limn/ui"
)

type mcpFlags struct {
	MCP []string `name:"mcp" sep:"none" placeholder:"NAME=URL" help:"${mcp_mcp}"`
}

// mcpServers is a client of the servers that --mcp names, for the tools that the
// app declares, or nil. A server that it names and no flag gives is an error.
func (f mcpFlags) mcpServers(a *app.App, env func(string) string, log *slog.Logger) (*mcp.Client, error) {
	wanted := map[string][]string{}
	for _, t := range a.Config().ModelTools {
		if t.MCP != nil {
			wanted[t.MCP.Server] = append(wanted[t.MCP.Server], t.MCP.Tool)
		}
	}
	var servers []mcp.Server
	given := map[string]bool{}
	for _, s := range f.MCP {
		name, where, ok := strings.Cut(s, "=")
		if where = strings.TrimSpace(where); !ok || where == "" {
			return nil, &ui.Error{Code: mcp.CodeConfig, Path: "--mcp",
				Message: fmt.Sprintf("%.60q: want NAME=URL or NAME=COMMAND", s),
				Hint:    "such as --mcp crm=https://crm.example/mcp"}
		}
		if wanted[name] == nil {
			return nil, &ui.Error{Code: mcp.CodeConfig, Path: "--mcp",
				Message: fmt.Sprintf("%.60q: the app has no model tool of that server", name),
				Hint:    "declare one in model_tools, or leave the server out"}
		}
		given[name] = true
		one := mcp.Server{Name: name, Allow: wanted[name]}
		if strings.HasPrefix(where, "http://") || strings.HasPrefix(where, "https://") {
			one.URL, one.Token = where, env("LIMN_MCP_TOKEN_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_")))
		} else {
			one.Command = strings.Fields(where)
		}
		servers = append(servers, one)
	}
	for _, t := range a.Config().ModelTools {
		if t.MCP != nil && !given[t.MCP.Server] {
			return nil, &ui.Error{Code: mcp.CodeConfig, Path: "--mcp",
				Message: fmt.Sprintf(
					"the app's model tool %s is of the MCP server %s, of which nobody says where it is", t.Name,
					t.MCP.Server),
				Hint: fmt.Sprintf("say where that is with --mcp %s=URL", t.MCP.Server)}
		}
	}
	if len(servers) == 0 {
		return nil, nil
	}
	return mcp.New(mcp.Config{Servers: servers, Log: log})
}
