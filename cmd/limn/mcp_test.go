package main

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/mcp"
	"github.com/limn-ui/limn/ui"
)

// What --mcp names and what the app declares fit together, or are refused.
func TestMCPFlags(t *testing.T) {
	t.Parallel()
	a, err := app.New(app.Config{Name: "x", ModelTools: []app.ModelTool{
		{MCP: &app.MCPTool{Server: "crm", Tool: "find"}}}})
	if err != nil {
		t.Fatal(err)
	}
	env := func(name string) string { return map[string]string{"LIMN_MCP_TOKEN_CRM": "word"}[name] }
	for flag, want := range map[string]string{
		"crm=https://crm.example/mcp": "",
		"crm=mcp-crm --quiet":         "",
		"crm=http://crm.example/mcp":  "a token is not sent over http",
		"crm":                         "want NAME=URL or NAME=COMMAND",
		"crm=":                        "want NAME=URL or NAME=COMMAND",
		"cmr=https://crm.example/mcp": "the app has no model tool of that server",
		"":                            "of the MCP server crm, of which nobody says where it is",
	} {
		f := mcpFlags{MCP: []string{flag}}
		if flag == "" {
			f.MCP = nil
		}
		c, err := f.mcpServers(a, env, slog.New(slog.DiscardHandler))
		switch {
		case want == "" && (err != nil || c == nil),
			want != "" && (err == nil || !strings.Contains(err.Error(), want) || ui.CodeOf(err) != mcp.CodeConfig ||
				strings.Contains(err.Error(), "word")):
			t.Errorf("%q: %v, want %q", flag, err, want)
		}
	}
	plain, err := app.New(app.Config{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := (mcpFlags{}).mcpServers(plain, env, nil); c != nil || err != nil {
		t.Errorf("%v %v", c, err)
	}
}
