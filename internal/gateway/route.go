package gateway

import (
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// Choose begins the names of agents of which a model chooses one.
const Choose = "?"

// NeedModel returns an error if a model chooses agents: for a gateway that has none.
func (c *Config) NeedModel() error {
	for i, r := range c.Routes {
		if r.Choose != nil {
			return c.Fault([]any{"routes", i, "choose"}, "start it with --router-model NAME and --router-url URL",
				"there is no model that could choose")
		}
	}
	return nil
}

// Route returns the agents that get a message, in order, and the text that they get. The first name is [Choose]
// where a model chooses one of the others. Without names, the message is for no agent.
func (c *Config) Route(s *ui.State, text string) (names []string, prompt string) {
	decision := ""
	for i := range c.Routes {
		r := &c.Routes[i]
		if rest, ok := cutPrefix(text, r.Prefix); ok {
			return r.To, rest
		}
		if r.pattern != nil && r.pattern.MatchString(text) {
			return r.To, text
		}
		if r.Decision != "" && decision == "" {
			decision = decided(text)
		}
		if r.Decision != "" && r.Decision == decision {
			return r.To, text
		}
		if r.Choose != nil {
			return append([]string{Choose}, r.Choose...), text
		}
	}
	if c.Sticky && c.Agent(s.Router.Agent) != nil {
		return []string{s.Router.Agent}, text
	}
	if c.Fallback == "" {
		return nil, text
	}
	return []string{c.Fallback}, text
}

// decided is the worksheet that the router opens for a message: table, map or none.
func decided(text string) string {
	switch route.Decide(text, ui.Router{}, route.Prefs{}, time.Time{}).Tool {
	case ui.ToolTable:
		return "table"
	case ui.ToolMap:
		return "map"
	}
	return "none"
}

// cutPrefix takes a prefix off, in any case of letters, that ends where a word ends.
func cutPrefix(text, prefix string) (rest string, ok bool) {
	text = strings.TrimSpace(text)
	if prefix == "" || len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	rest = text[len(prefix):]
	if rest == "" || strings.ContainsAny(rest[:1], " \t\n:,") {
		return strings.TrimLeft(rest, " \t\n:,"), true
	}
	return text, false
}
