package gateway

import (
	"strings"

	"github.com/limn-ui/limn/ui"
)

// Route returns the agents that get a message, in order, and the text that they get. Without
// names, the message is for no agent.
func (c *Config) Route(s *ui.State, text string) (names []string, prompt string) {
	for i := range c.Routes {
		r := &c.Routes[i]
		if rest, ok := cutPrefix(text, r.Prefix); ok {
			return r.To, rest
		}
		if r.pattern != nil && r.pattern.MatchString(text) {
			return r.To, text
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
