package gateway

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

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

// Routed is where a message goes.
type Routed struct {
	Agents []string // that get it, in order; none: it is for no agent
	Choose bool     // a model chooses one of them
	Prompt string   // the text that they get
}

// Route returns where a message goes: by the first route that fits.
func (c *Config) Route(s *ui.State, text string) Routed {
	decision := ""
	for i := range c.Routes {
		r := &c.Routes[i]
		if rest, ok := cutPrefix(text, r.Prefix); ok {
			return Routed{Agents: r.To, Prompt: rest}
		}
		if r.pattern != nil && r.pattern.MatchString(text) {
			return Routed{Agents: r.To, Prompt: text}
		}
		if r.Decision != "" && decision == "" {
			decision = decided(text)
		}
		if r.Decision != "" && r.Decision == decision {
			return Routed{Agents: r.To, Prompt: text}
		}
		if r.Choose != nil {
			return Routed{Agents: r.Choose, Choose: true, Prompt: text}
		}
	}
	if c.Sticky && c.Agent(s.Router.Agent) != nil {
		return Routed{Agents: []string{s.Router.Agent}, Prompt: text}
	}
	if c.Fallback == "" {
		return Routed{Prompt: text}
	}
	return Routed{Agents: []string{c.Fallback}, Prompt: text}
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

// cutPrefix takes a prefix off, in any case of letters, that ends where a word ends, with what parts it from the
// rest.
func cutPrefix(text, prefix string) (rest string, ok bool) {
	text, prefix = strings.TrimSpace(text), strings.TrimSpace(prefix)
	if prefix == "" || len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	rest = text[len(prefix):]
	last, _ := utf8.DecodeLastRuneInString(prefix)
	if next, _ := utf8.DecodeRuneInString(rest); rest != "" && ofWord(last) && ofWord(next) {
		return text, false
	}
	parts := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(":;,.", r) }
	return strings.TrimLeftFunc(rest, parts), true
}

// ofWord reports a rune inside a word or a name.
func ofWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.M) || r == '_' || r == '-'
}
