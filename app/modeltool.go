package app

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/phrasing"
	"github.com/limn-ui/limn/internal/schema"
	"github.com/limn-ui/limn/ui"
)

// How a model is asked: the values of Action.Run and MessageRoute.Run.
const (
	RunDirectives = "directives" // once, what to say and show
	RunChat       = "chat"       // once, words alone, streamed
	RunTools      = "tools"      // it may call model tools, then answers in words
	RunHybrid     = "hybrid"     // it may call model tools, then says what to say and show
)

// ModelTool is a function that a model may call. Exactly one of Func, Webhook
// and MCP is set. The user's tool menu (Config.Tools) is another matter.
type ModelTool struct {
	Name        string // the name for models, [a-z][a-z0-9_-]{0,63}; default for MCP: server_tool
	Description string // its purpose, for the model; default for MCP: the server's
	Schema      string // JSON Schema of its arguments, an object; default: no arguments, for MCP the server's
	Func        ToolFunc
	Webhook     *Webhook // Later is not for tools: the model waits
	MCP         *MCPTool
	Idempotent  bool // safe to call again with the same key after a crash
	ReadOnly    bool // it changes nothing: it can be called again at any time; a server of MCP can say so, too
	Repeat      bool // the same call twice in one run is two calls; else the first result is given again

	// When the tool is for now, as for an Action. Models are offered it, and it is
	// called, only then.
	After []string
	Until []string
	When  func(*ui.State) bool // in Go; pure
}

// MCPTool is a tool of an MCP server. The operator says how the server is
// reached.
type MCPTool struct {
	Server string
	Tool   string
}

// ToolFunc answers a call of a model with a text, or JSON, that the model is
// given as data. Of an error the model gets the Message of a *ui.Error, of
// any other one only that the tool failed. The same holds for its tries as for a
// Handler. It should return when ctx ends; if it does not, the turn goes on
// without it, and its late result is lost.
type ToolFunc func(ctx context.Context, c ToolCall) (string, error)

// ToolCall is the argument of a ToolFunc.
type ToolCall struct {
	Key          string // event/step: the same for every try of the same call
	Conversation string
	Principal    string // as in Call
	Tool         string
	Arguments    JSON      // an object that fits the schema
	File         ReadFile  // reads an upload that Arguments or State names
	State        *ui.State // read only
}

// MessageRoute says how messages are answered that no rule of the tool menu and
// no form takes. Exactly one of Run and Action is set.
type MessageRoute struct {
	// messages that hold one of these as whole words; without: every message, which only the last
	// route may say
	Phrases []string
	Run     string // RunDirectives, RunChat, RunTools or RunHybrid
	Action  string // an action of the app, which gets the message as its value `text`; passed over while masked
}

var notPlain = regexp.MustCompile(`[^a-z0-9_-]+`)

// toolDefaults returns a copy with names and schemas.
func toolDefaults(list []ModelTool) []ModelTool {
	list = orNil(list)
	for i := range list {
		t := &list[i]
		if t.Name == "" && t.MCP != nil {
			name := notPlain.ReplaceAllString(strings.ToLower(t.MCP.Server+"_"+t.MCP.Tool), "_")
			t.Name = name[:min(len(name), 64)]
		}
		if t.Schema == "" && t.MCP == nil {
			t.Schema = schema.None
		}
		t.After, t.Until = orNil(t.After), orNil(t.Until)
	}
	return list
}

// ModelTools returns those that are for now, in the flow that a state has come to.
func (a *App) ModelTools(s *ui.State) []ModelTool {
	return slices.DeleteFunc(slices.Clone(a.cfg.ModelTools),
		func(t ModelTool) bool { return masked(s, t.After, t.Until, t.When) })
}

// Arguments returns the schema of a model tool's arguments, or nil if its server
// has to be asked.
func (a *App) Arguments(tool string) *Schema { return a.schemas[tool] }

// RouteFor returns the route of a message in a state: that whose phrase is the whole
// message, or the first one that fits; none if the app declares none for it.
func (a *App) RouteFor(s *ui.State, message string) (MessageRoute, bool) {
	words := phrasing.Words(message)
	text := " " + strings.Join(words, " ") + " "
	for _, whole := range []bool{true, false} {
		for _, r := range a.cfg.Messages {
			fits := !whole && len(r.Phrases) == 0 || slices.ContainsFunc(r.Phrases, func(p string) bool {
				if whole {
					return slices.Equal(words, phrasing.Words(p))
				}
				return strings.Contains(text, " "+strings.Join(phrasing.Words(p), " ")+" ")
			})
			if fits && (r.Action == "" || !a.Masked(s, r.Action)) {
				return r, true
			}
		}
	}
	return MessageRoute{}, false
}

func (c checker) modelTools() error {
	seen := map[string]bool{}
	return checkAll(c.cfg.ModelTools, func(i int, t ModelTool) error {
		at := fmt.Sprintf("model_tools[%d]", i)
		if !ui.ValidKey(t.Name) {
			return ui.Errorf(CodeInvalid, at+".name", "name of a model tool %q: %s", clip(t.Name), wantKey)
		}
		if seen[t.Name] {
			return ui.Errorf(CodeDuplicate, at+".name", "two model tools are named %q", t.Name)
		}
		seen[t.Name] = true
		if err := checkModelTool(at, t); err != nil {
			return err
		}
		if t.Schema != "" {
			var e *ui.Error
			s, err := schema.CompileObject([]byte(t.Schema))
			if errors.As(err, &e) {
				return &ui.Error{Code: CodeInvalid, Path: at + ".schema" + e.Path,
					Message: fmt.Sprintf("schema of tool %q: %s", t.Name, e.Message), Hint: e.Hint, Err: e.Err}
			}
			c.schemas[t.Name] = s
		}
		if err := c.submitted(at+".after", t.After); err != nil {
			return err
		}
		if err := c.submitted(at+".until", t.Until); err != nil {
			return err
		}
		return nil
	})
}

// maxDescription bounds the description of one tool, in bytes.
const maxDescription = 4 << 10

func checkModelTool(at string, t ModelTool) error {
	switch {
	case count(t.Func != nil, t.Webhook != nil, t.MCP != nil) != 1:
		return ui.Errorf(CodeInvalid, at, "model tool %q needs exactly one of func (in YAML handler), webhook and mcp",
			t.Name)
	case len(t.Description) > maxDescription:
		return ui.Errorf(CodeInvalid, at+".description", "above %d bytes", maxDescription)
	case t.Description == "" && t.MCP == nil:
		return ui.Errorf(CodeInvalid, at+".description",
			"model tool %q needs a description: it is how a model knows when to call it", t.Name)
	case t.Webhook != nil && t.Webhook.Later:
		return ui.Errorf(CodeInvalid, at+".webhook.later",
			"a model waits for its tools: a call of one cannot be made later")
	case t.MCP != nil && !ui.ValidKey(t.MCP.Server):
		return ui.Errorf(CodeInvalid, at+".mcp.server", "name of an MCP server %q: %s", clip(t.MCP.Server), wantKey)
	case t.MCP != nil && (t.MCP.Tool == "" || len(t.MCP.Tool) > 128):
		return ui.Errorf(CodeInvalid, at+".mcp.tool", "the name of a tool has 1 to 128 bytes")
	}
	return checkWebhook(at, t.Webhook)
}

// run checks how a model is asked; "" is not at all.
func (c checker) run(at, run string) error {
	known := []string{RunDirectives, RunChat, RunTools, RunHybrid}
	switch {
	case run == "":
	case !slices.Contains(known, run):
		return suggest(ui.Errorf(CodeInvalid, at, "run %q: want directives, chat, tools or hybrid", clip(run)), run,
			known)
	case (run == RunTools || run == RunHybrid) && len(c.cfg.ModelTools) == 0:
		return ui.Errorf(CodeDangling, at, "run %s, but the app has no model_tools", run)
	}
	return nil
}

func (c checker) messages() error {
	return checkAll(c.cfg.Messages, func(i int, r MessageRoute) error {
		at := fmt.Sprintf("messages[%d]", i)
		switch {
		case (r.Run == "") == (r.Action == ""):
			return ui.Errorf(CodeInvalid, at, "a message route needs exactly one of run and action")
		case len(r.Phrases) == 0 && i < len(c.cfg.Messages)-1:
			e := ui.Errorf(CodeInvalid, at+".phrases",
				"a route without phrases takes every message: nothing behind it is reached")
			e.Hint = "make it the last one"
			return e
		}
		if err := c.own(at+".phrases", "phrase", 1, r.Phrases, fmt.Sprintf("message route %d", i+1)); err != nil {
			return err
		}
		if err := c.run(at+".run", r.Run); err != nil {
			return err
		}
		if err := c.runs(at+".action", r.Action); err != nil {
			return err
		}
		return nil
	})
}
