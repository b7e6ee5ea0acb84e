package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html/atom"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

const (
	prefs = "/v1/-/preferences"
	rules = "/v1/-/guardrails"
)

// json sends JSON and wants a status.
func (c *client) json(method, path, body string, want int, headers ...string) answer {
	c.t.Helper()
	a := c.do(method, path, body, append([]string{"Content-Type", "application/json"}, headers...)...)
	if a.StatusCode != want {
		c.t.Fatalf("%s %s %s: %d, want %d: %s", method, path, body, a.StatusCode, want, a.body)
	}
	return a
}

// stated is a message that opens a table, unless something forbids it.
const stated = "We have 20 stakeholders across finance, ops, and IT."

// opens says something and reports whether a surface came of it.
func (c *client) opens(text string) bool {
	c.t.Helper()
	count := func() (n int) {
		for _, sf := range c.state().Surfaces {
			if sf.Origin.Kind != "offer" {
				n++
			}
		}
		return n
	}
	before := count()
	c.say(text)
	return count() > before
}

func (c *client) sees(path, want string) {
	c.t.Helper()
	if got := strings.TrimSpace(string(c.json("GET", path, "", 200).body)); got != want {
		c.t.Errorf("%s\n%s, want\n%s", path, got, want)
	}
}

func TestPreferencesAPI(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.sees(prefs, `{"guardrails":[],"max_iterations":{"request_data_table":2,"request_process_map":2},"opt_out":{"all_tools":false,"tools":[],"expires_at":null,"this_turn":[]},"preferred_ui":null}`)
	c.json("PUT", prefs+"/opt_out",
		`{"tools":["request_process_map"],"expires_at":"2099-01-01T01:00:00+01:00","this_turn":["request_data_table"]}`,
		200)
	c.json("PUT", prefs+"/preferred_ui", `{"tool":"request_process_map"}`, 200)
	c.json("PUT", prefs+"/max_iterations", `{"request_data_table":0}`, 200)
	a := c.json("POST", rules, `{"intent_pattern":"risk","action":"suppress_tool","tool":"request_data_table"}`, 201)
	if at := a.Header.Get("Location"); at != "/v1/conversations/"+c.ID+"/guardrails/g1" ||
		!strings.Contains(string(a.body), `"id":"g1"`) {
		t.Errorf("at %q: %s", at, a.body)
	}
	c.json("PUT", rules+"/mine",
		`{"intent_pattern":"x","action":"force_tool","tool":"request_process_map","enabled":false}`, 200)
	made := c.state().Router.Guardrails
	if len(made) != 2 || made[0].Created == "" || made[1].ID != "mine" {
		t.Fatalf("rules %+v", made)
	}
	first := `{"id":"g1","intent_pattern":"risk","action":"suppress_tool","tool":"request_data_table","enabled":true,"created_at":"` + made[0].Created + `"}`
	second := `{"id":"mine","intent_pattern":"x","action":"force_tool","tool":"request_process_map","enabled":false,"created_at":"` + made[1].Created + `"}`
	c.sees(rules, `{"guardrails":[`+first+`,`+second+`]}`)
	c.sees(prefs, `{"guardrails":[`+first+`,`+second+
		`],"max_iterations":{"request_data_table":0,"request_process_map":2},`+
		`"opt_out":{"all_tools":false,"tools":["request_process_map"],"expires_at":"2099-01-01T00:00:00Z","this_turn":["request_data_table"]},"preferred_ui":"request_process_map"}`)
	c.json("DELETE", rules+"/g1", "", 200)
	c.json("PUT", rules+"/mine", `{"enabled":true}`, 200)
	c.sees(rules, `{"guardrails":[`+strings.Replace(second, `"enabled":false`, `"enabled":true`, 1)+`]}`)
	c.json("DELETE", rules+"/mine", "", 200)
	c.json("PUT", prefs+"/opt_out", `{}`, 200)
	c.json("PUT", prefs+"/preferred_ui", `{"tool":null}`, 200)
	c.json("PUT", prefs+"/max_iterations", `{}`, 200)
	c.sees(prefs, `{"guardrails":[],"max_iterations":{"request_data_table":2,"request_process_map":2},"opt_out":{"all_tools":false,"tools":[],"expires_at":null,"this_turn":[]},"preferred_ui":null}`)
	if n := len(c.state().Transcript); n != 0 {
		t.Errorf("%d lines were said about preferences", n)
	}
}

// TestStateShowsRouter: every field of the decision logic under its name,
// before anything happened and with a tool open.
func TestStateShowsRouter(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	var s struct{ Router map[string]any }
	c.do("GET", "/v1/-/state", "").into(t, &s)
	want := map[string]any{"last_tool": nil, "last_tool_status": nil, "ui_checkpoint": nil,
		"clarifying_question_pending": false, "pending": nil, "cancels_in_row": 0.0,
		"user_opt_out": map[string]any{"all_tools": false, "tools": []any{}, "expires_at": nil, "this_turn": []any{}},
		"guardrails":   []any{}, "preferred_ui": nil, "max_iterations": map[string]any{}}
	if diff := cmp.Diff(want, s.Router); diff != "" {
		t.Errorf("at first (-want +got):\n%s", diff)
	}
	c.say("We have some risks.")
	c.do("GET", "/v1/-/state", "").into(t, &s)
	if s.Router["clarifying_question_pending"] != true || s.Router["pending"] == nil {
		t.Errorf("while it asks: %v", s.Router)
	}
	c.say(stated)
	c.do("GET", "/v1/-/state", "").into(t, &s)
	checkpoint, _ := s.Router["ui_checkpoint"].(map[string]any)
	for _, key := range []string{"tool", "surface", "payload", "opened_at", "completion_criteria", "iteration_count",
		"max_iterations"} {
		if _, ok := checkpoint[key]; !ok {
			t.Errorf("the checkpoint has no %s: %v", key, checkpoint)
		}
	}
	if s.Router["last_tool"] != ui.ToolTable || s.Router["last_tool_status"] != ui.StatusToolOpen ||
		s.Router["clarifying_question_pending"] != false {
		t.Errorf("while it is open: %v", s.Router)
	}
}

// TestPreferenceKeys: the same key changes once and has the first answer.
func TestPreferenceKeys(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	const rule = `{"intent_pattern":"risk","action":"suppress_tool","tool":"request_data_table"}`
	first := c.json("POST", rules, rule, 201, "Idempotency-Key", "k1")
	if again := c.json("POST", rules, rule, 201, "Idempotency-Key", "k1"); string(again.body) != string(first.body) {
		t.Errorf("%s, then %s", first.body, again.body)
	}
	if p := c.json("POST", rules, strings.Replace(rule, "risk", "issue", 1), 422, "Idempotency-Key", "k1").problem(t); p.Code != "HTTP_KEY_REUSED" {
		t.Errorf("another rule under the key: %s", p.Code)
	}
	c.json("POST", rules, rule, 201)
	if n := len(c.state().Router.Guardrails); n != 2 {
		t.Errorf("%d rules, want 2", n)
	}
	c.json("DELETE", rules+"/g1", "", 200, "Idempotency-Key", "k2")
	c.json("DELETE", rules+"/g1", "", 200, "Idempotency-Key", "k2")
	if p := c.json("DELETE", rules+"/g1", "", 404).problem(t); p.Code != "ROUTE_GUARDRAIL_UNKNOWN" {
		t.Errorf("deleted twice: %s", p.Code)
	}
}

// TestPreferencesCount: opt-outs and rules decide, and are the same after a restart.
func TestPreferencesCount(t *testing.T) {
	t.Parallel()
	st := memory.New()
	on := func(c *limn.Config) { c.Store = st }
	c := start(t, on).program()
	c.json("POST", rules, `{"intent_pattern":"stakeholders?","action":"suppress_tool","tool":"request_data_table"}`,
		201)
	if c.opens(stated) {
		t.Error("a table against the rule")
	}
	c = start(t, on).as(c) // the same store, as after a restart
	if c.opens(stated) {
		t.Error("a table against the rule, after a restart")
	}
	c.json("PUT", rules+"/g1", `{"enabled":false}`, 200)
	c.json("PUT", prefs+"/opt_out", `{"all_tools":true}`, 200)
	if c.opens(stated) {
		t.Error("a table against the opt-out")
	}
	c.json("PUT", prefs+"/opt_out", `{"this_turn":["request_data_table"]}`, 200)
	if c.opens(stated) {
		t.Error("a table though not for this message")
	}
	if !c.opens(stated) {
		t.Error("no table for the message after it")
	}
}

// TestPreferencesAreTheOwners: nobody else sets or reads them.
func TestPreferencesAreTheOwners(t *testing.T) {
	t.Parallel()
	s := start(t)
	owner, other, nobody := s.program(), s.program(), s.visitor()
	other.ID, nobody.ID = owner.ID, owner.ID
	for path, body := range map[string]string{prefs + "/opt_out": `{"all_tools":true}`,
		rules + "/g1": `{"intent_pattern":"x","action":"force_tool","tool":"request_data_table"}`} {
		other.json("PUT", path, body, 404)
		nobody.json("PUT", path, body, 401)
	}
	other.json("DELETE", rules+"/g1", "", 404)
	nobody.json("DELETE", rules+"/g1", "", 401)
	if a := nobody.post("/c/-/preferences", url.Values{"limn_set": {"preferred_ui"}}); a.StatusCode != 401 {
		t.Errorf("a form of nobody: %d", a.StatusCode)
	}
	if n := owner.state().Seq; n != 0 {
		t.Errorf("%d frames", n)
	}
}

// TestRuleLimitHTTP: the 51st rule is refused.
func TestRuleLimitHTTP(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	for i := range 51 {
		a := c.do("PUT", fmt.Sprint(rules, "/r", i),
			`{"intent_pattern":"x","action":"force_tool","tool":"request_data_table"}`, "Content-Type",
			"application/json")
		if i < 50 && a.StatusCode != 200 {
			t.Fatalf("rule %d: %d %s", i, a.StatusCode, a.body)
		}
		if i == 50 && (a.StatusCode != 400 ||
			!strings.Contains(string(a.body), `"detail":"there are 50 rules already"`)) {
			t.Errorf("rule %d: %d %s", i, a.StatusCode, a.body)
		}
	}
}

// TestStreamTellsPreferences: a frame that changes them says so, others do not.
func TestStreamTellsPreferences(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	s := c.open("/v1/-/stream")
	s.must()
	told := func() bool {
		t.Helper()
		e := s.must()
		return strings.Contains(strings.Join(e.data, ""), `"preferences":true`)
	}
	c.say("hello")
	if told() {
		t.Error("a greeting changed preferences")
	}
	c.json("PUT", prefs+"/preferred_ui", `{"tool":"request_data_table"}`, 200)
	if !told() {
		t.Error("nothing was told")
	}
	c.json("PUT", prefs+"/preferred_ui", `{"tool":"request_data_table"}`, 200)
	if told() {
		t.Error("the same preference again is told")
	}
	c.say("Never open a table again.")
	if !told() {
		t.Errorf("an opt-out in words is not told: %+v", c.state().Router)
	}
}

// fill presses a button of a form of the panel, as a browser without script does.
func (c *client) fill(p page, form, button string, values ...string) page {
	c.t.Helper()
	f := p.one(atom.Form, "id", form)
	v := p.values(f)
	for i := 0; i < len(values); i += 2 {
		v.Set(values[i], values[i+1])
	}
	next, at := c.browse(c.post(attr(f, "action"), p.press(f, button, v)))
	if at != "limn-preferences" || !has(next.one(atom.Details, "id", "limn-preferences"), "open") {
		c.t.Errorf("%s leads to #%s", form, at)
	}
	return next
}

// TestPanel goes through the panel without script.
func TestPanel(t *testing.T) {
	t.Parallel()
	c := start(t).visitor()
	p, _ := c.browse(c.post("/c", nil))
	note := func() string { return textOf(p.one(atom.Span, "id", "limn-preferences-note")) }
	if note() != "" || has(p.one(atom.Details, "id", "limn-preferences"), "open") {
		t.Errorf("at first %q", note())
	}
	p = c.fill(p, "limn-opt-out", "Save", ui.ToolTable, "never", ui.ToolMap, "once")
	if o := c.state().Router.OptOut; note() != "no tables" ||
		!o.Equal(ui.OptOut{Tools: []string{ui.ToolTable}, Once: []string{ui.ToolMap}}) {
		t.Errorf("%q %+v", note(), o)
	}
	v := p.values(p.one(atom.Form, "id", "limn-opt-out"))
	if v.Get(ui.ToolTable) != "never" || v.Get(ui.ToolMap) != "once" || v.Get("all_tools") != "" {
		t.Errorf("the page shows %v", v)
	}
	p = c.fill(p, "limn-opt-out", "Save", ui.ToolTable, "", ui.ToolMap, "", "all_tools", "never")
	if note() != "nothing opens by itself" || !c.state().Router.OptOut.All {
		t.Errorf("%q %+v", note(), c.state().Router.OptOut)
	}
	p = c.fill(p, "limn-opt-out", "Save", "all_tools", "")
	p = c.fill(p, "limn-preferred", "Save", "tool", ui.ToolMap)
	if r := c.state().Router; !r.OptOut.Equal(ui.OptOut{}) || r.Preferred != ui.ToolMap {
		t.Errorf("%+v", r)
	}
	p = c.fill(p, "limn-rule-new", "Add rule", "action", "suppress_tool", "tool", ui.ToolTable, "words",
		`stakeholders <b>"x"`)
	p = c.fill(p, "limn-rule-new", "Add rule", "action", "force_tool", "tool", ui.ToolMap, "words", `<i>|sign[- ]?off`,
		"regexp", "on")
	if note() != "2 rules" {
		t.Errorf("%q", note())
	}
	for id, want := range map[string]string{"g1": `Never open a table when a message has “stakeholders <b>"x"”`,
		"g2": `Always open a process map when a message matches <i>|sign[- ]?off`} {
		if got := textOf(p.one(atom.P, "id", "limn-rule-"+id+"-text")); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	p = c.fill(p, "limn-rule-g1", "Switch off")
	if got := textOf(p.one(atom.P, "id", "limn-rule-g1-text")); !strings.HasSuffix(got, "(off)") || note() != "1 rule" {
		t.Errorf("%q %q", got, note())
	}
	p = c.fill(p, "limn-rule-g1", "Switch on")
	p = c.fill(p, "limn-rule-g2", "Delete")
	if r := c.state().Router.Guardrails; len(r) != 1 || !r[0].Enabled || r[0].ID != "g1" {
		t.Errorf("%+v", r)
	}
	part := c.do("GET", "/c/-/preferences", "").page(t)
	part.one(atom.Form, "id", "limn-rule-g1")
}

// TestPanelTwice: a button that is pressed twice on one page counts once, and
// what cannot be kept is a page that says so.
func TestPanelTwice(t *testing.T) {
	t.Parallel()
	c := start(t).visitor()
	p, _ := c.browse(c.post("/c", nil))
	f := p.one(atom.Form, "id", "limn-rule-new")
	v := p.values(f)
	for key, value := range map[string]string{"limn_set": "rule", "action": "force_tool", "tool": ui.ToolTable,
		"words": "risks"} {
		v.Set(key, value)
	}
	for range 2 {
		c.browse(c.post(attr(f, "action"), v))
	}
	if n := len(c.state().Router.Guardrails); n != 1 {
		t.Errorf("%d rules", n)
	}
	v.Set("regexp", "on")
	v.Set("words", "(")
	a := c.post(attr(f, "action"), v)
	if a.StatusCode != 400 || !strings.Contains(string(a.body), "ROUTE_GUARDRAIL_INVALID") ||
		!strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
		t.Errorf("no pattern: %d %s", a.StatusCode, a.body)
	}
	script := c.post(attr(f, "action"), url.Values{"limn_set": {"delete"}, "rule": {"g1"}}, "Accept",
		"application/json")
	if script.StatusCode != http.StatusOK || !strings.Contains(string(script.body), `"kind":"done"`) {
		t.Errorf("from a script: %d %s", script.StatusCode, script.body)
	}
}
