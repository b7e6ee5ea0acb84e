package ingress

import (
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// DecodeOptOut reads {"all_tools", "tools", "expires_at", "this_turn"}; a missing tool
// or turn is not opted out of. The four decoders check shapes; execute.CheckPreference
// checks the values. Errors are CodeEnvelope and CodeTooLarge.
func DecodeOptOut(body []byte, lim Limits) (*ui.Event, error) {
	o := objectOf(body, lim, "all_tools", "tools", "expires_at", "this_turn")
	out := ui.OptOut{All: o.flag("all_tools", false), Tools: o.texts("tools"), Once: o.texts("this_turn")}
	if at := o.text("expires_at"); at != "" {
		if out.Expires = timeOf(at); out.Expires.IsZero() {
			o.wrong("expires_at", "want a time such as 2026-12-01T09:00:00Z")
		}
	}
	return o.event(ui.Preference{OptOut: &out})
}

// timeOf reads an RFC 3339 time as UTC; zero if it cannot be stored.
func timeOf(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if t = t.UTC(); err != nil || t.Year() > 9999 || t.Year() < 1 {
		return time.Time{}
	}
	return t
}

// DecodePreferred reads {"tool"}; null or "" means no preference.
func DecodePreferred(body []byte, lim Limits) (*ui.Event, error) {
	o := objectOf(body, lim, "tool")
	tool := o.text("tool")
	return o.event(ui.Preference{Preferred: &tool})
}

// DecodeIterations reads {tool: rounds}.
func DecodeIterations(body []byte, lim Limits) (*ui.Event, error) {
	o := objectOf(body, lim, ui.ToolTable, ui.ToolMap)
	rounds := map[string]int{}
	for _, m := range o.v.Members {
		n, ok := m.Value.Int()
		if !ok || int64(int(n)) != n {
			o.wrong(m.Key, "want a whole number")
		}
		rounds[m.Key] = int(n)
	}
	return o.event(ui.Preference{Iterations: rounds})
}

// DecodeRule reads {"intent_pattern", "action", "tool", "enabled"} for the rule
// with that id, "" for a new one. For one that is there "enabled" alone will do.
func DecodeRule(id string) func(body []byte, lim Limits) (*ui.Event, error) {
	return func(body []byte, lim Limits) (*ui.Event, error) {
		o := objectOf(body, lim, "intent_pattern", "action", "tool", "enabled")
		g := ui.Guardrail{ID: id, Pattern: o.text("intent_pattern"), Action: o.text("action"), Tool: o.text("tool"),
			Enabled: o.flag("enabled", true)}
		if _, ok := o.v.Get("enabled"); !ok && route.OnlySwitches(g) {
			o.wrong("intent_pattern", "want a rule, or enabled alone")
		}
		return o.event(ui.Preference{SetRule: &g})
	}
}

// DropRule is the event that deletes a rule.
func DropRule(id string) *ui.Event {
	return &ui.Event{V: ui.Version, Kind: ui.EventPreference, Preference: &ui.Preference{DropRule: id}}
}

// object is a JSON object with known keys, and the first fault found in it.
type object struct {
	v   jsonx.Value
	err error
}

func objectOf(body []byte, lim Limits, keys ...string) *object {
	v, err := jsonx.Parse(body, lim.withDefaults().json())
	if err != nil {
		return &object{err: jsonError(err)}
	}
	o := &object{v: v}
	if v.Kind != jsonx.Object {
		o.wrong("", "want an object")
	}
	for _, m := range v.Members {
		if !slices.Contains(keys, m.Key) {
			o.wrong(excerpt.Head(m.Key, 64), "no such key")
		}
	}
	return o
}

func (o *object) wrong(key, message string) {
	if o.err == nil {
		o.err = &ui.Error{Code: CodeEnvelope, Path: "/" + key, Message: message,
			Hint: "send one JSON object as docs/http.md describes"}
	}
}

// text reads a string; null and a missing key are "".
func (o *object) text(key string) string {
	v := o.v.At(key)
	if v.Kind != jsonx.String && v.Kind != jsonx.Null {
		o.wrong(key, "want a text")
	}
	return v.Text()
}

func (o *object) texts(key string) (out []string) {
	v := o.v.At(key)
	if v.Kind != jsonx.Array && v.Kind != jsonx.Null {
		o.wrong(key, "want a list of texts")
	}
	for _, item := range v.Items {
		if item.Kind != jsonx.String {
			o.wrong(key, "want a list of texts")
		}
		out = append(out, item.Text())
	}
	return out
}

func (o *object) flag(key string, missing bool) bool {
	v, ok := o.v.Get(key)
	if !ok {
		return missing
	}
	if v.Kind != jsonx.Bool {
		o.wrong(key, "want true or false")
	}
	return v.Bool
}

func (o *object) event(p ui.Preference) (*ui.Event, error) {
	if o.err != nil {
		return nil, o.err
	}
	return &ui.Event{V: ui.Version, Kind: ui.EventPreference, Preference: &p}, nil
}

// What the forms of the page post as FormSet, and the values of its inputs.
const (
	FormSet       = "limn_set"
	SetOptOut     = "opt_out"
	SetPreferred  = "preferred_ui"
	SetRule       = "rule"
	SetLanguage   = "language"
	SetEnable     = "enable" // and the two below: of the rule whose id is in rule
	SetDisable    = "disable"
	SetDelete     = "delete"
	OptOutNever   = "never" // of a tool, or of all_tools
	OptOutOnce    = "once"
	FormAllTools  = "all_tools"
	FormExpires   = "expires_at"
	FormRule      = "rule"
	FormLanguage  = "language"
	FormAction    = "action"
	FormTool      = "tool"
	FormWords     = "words"  // plain words; with FormRegexp a pattern
	FormRegexp    = "regexp" // a checkbox
	formWordsSize = 1024     // bytes; more is no pattern anyway
)

// DecodePreferenceForm reads a posted form of the page's preferences.
func DecodePreferenceForm(values map[string][]string) (*ui.Event, error) {
	get := func(name string) string {
		if list := values[name]; len(list) > 0 {
			return strings.ToValidUTF8(excerpt.Head(list[len(list)-1], formWordsSize), "\uFFFD")
		}
		return ""
	}
	p := ui.Preference{}
	switch get(FormSet) {
	case SetOptOut:
		p.OptOut = optOutOf(get)
	case SetPreferred:
		tool := get(FormTool)
		p.Preferred = &tool
	case SetLanguage:
		if p.Language = get(FormLanguage); p.Language == "" {
			return nil, &ui.Error{Code: CodeEnvelope, Path: FormLanguage, Message: "the form names no language"}
		}
	case SetRule:
		g := ui.Guardrail{Pattern: get(FormWords), Action: get(FormAction), Tool: get(FormTool), Enabled: true}
		if get(FormRegexp) == "" {
			g.Pattern = route.Pattern(g.Pattern)
		}
		p.SetRule = &g
	case SetEnable, SetDisable:
		p.SetRule = &ui.Guardrail{ID: get(FormRule), Enabled: get(FormSet) == SetEnable}
	case SetDelete:
		p.DropRule = get(FormRule)
	default:
		return nil, &ui.Error{Code: CodeEnvelope, Path: FormSet, Message: "the form names no preference",
			Hint: "reload the page"}
	}
	return &ui.Event{V: ui.Version, Kind: ui.EventPreference, Preference: &p}, nil
}

// optOutOf reads one choice for each tool and one for all.
func optOutOf(get func(string) string) *ui.OptOut {
	// as the page was drawn; none is no end
	o := &ui.OptOut{All: get(FormAllTools) == OptOutNever, Expires: timeOf(get(FormExpires))}
	for _, tool := range []string{ui.ToolTable, ui.ToolMap} {
		if get(tool) == OptOutNever {
			o.Tools = append(o.Tools, tool)
		}
		if get(tool) == OptOutOnce || get(FormAllTools) == OptOutOnce {
			o.Once = append(o.Once, tool)
		}
	}
	return o
}
