package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	renderer "github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// The faults that were reported of other systems, each from the user's click to
// the server's log, over HTTP.

// click is what a v0.9 renderer posts for a button.
func click(sf *ui.Surface, button string, context map[string]any) string {
	at := ui.KeyPath("main/buttons/" + button)
	a, _ := sf.ActionAt(at)
	return press(sf, at, a.Name, context)
}

// press is the JSON of a click on the button at a place.
func press(sf *ui.Surface, at ui.KeyPath, action string, context map[string]any) string {
	all := map[string]any{"limn_nonce": sf.Nonce, "limn_rev": sf.Rev}
	maps.Copy(all, context)
	b, err := json.Marshal(map[string]any{"version": "v0.9",
		"action": map[string]any{"name": action, "surfaceId": sf.WireID(),
			"sourceComponentId": at.ComponentID("Button"), "timestamp": "2026-11-20T09:00:00Z", "context": all}})
	if err != nil {
		panic(err) // strings and numbers
	}
	return string(b)
}

// commits counts, in the log, what was committed as company.
func (c *client) commits(company string) (n int) {
	c.t.Helper()
	var log struct{ Frames []*ui.Frame }
	c.do("GET", "/v1/-/frames", "").into(c.t, &log)
	for _, f := range log.Frames {
		for _, op := range f.Ops {
			if op, ok := op.(*ui.Commit); ok {
				if v, _ := op.Values.Get("company"); v.Text() == company {
					n++
				}
			}
		}
	}
	return n
}

// drawn is a renderer that has drawn what is there.
func (c *client) drawn() *renderer.Client {
	c.t.Helper()
	r := renderer.New(a2ui.V09, renderer.Strict)
	for line := range strings.Lines(string(c.do("GET", "/v1/-/a2ui?version=v0.9", "").body)) {
		if err := r.Feed([]byte(line)); err != nil {
			c.t.Fatal(err)
		}
	}
	return r
}

// TestFaultOneClickDispatchedFiveTimes: a renderer that sends one click five
// times, at once and without a key, submits once and is answered five times.
func TestFaultOneClickDispatchedFiveTimes(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.say("add a customer")
	body := click(c.state().Surface("form:customer"), "submit", map[string]any{"company": "Acme"})
	answers := make([]string, 5)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			a := c.do("POST", "/v1/-/events", body)
			answers[i] = fmt.Sprint(a.StatusCode, " ", string(a.body))
		})
	}
	wg.Wait()
	for _, a := range answers {
		if a != answers[0] || !strings.HasPrefix(a, "200 ") {
			t.Errorf("answered %s and %s", answers[0], a)
		}
	}
	if n := c.commits("Acme"); n != 1 {
		t.Errorf("committed %d times", n)
	}
}

// TestFaultReclickOnAnAnsweredForm: a form that was submitted is drawn with no other button
// than the one that edits its record; who clicks all the same, on a drawing that is old,
// gets the first answer, and with other values a refusal.
func TestFaultReclickOnAnAnsweredForm(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.say("add a customer")
	sf := c.state().Surface("form:customer")
	first := c.do("POST", "/v1/-/events", click(sf, "submit", map[string]any{"company": "Acme"}))
	if again := c.do("POST", "/v1/-/events", click(sf, "submit", map[string]any{"company": "Acme"})); string(again.body) != string(first.body) {
		t.Errorf("answered %s, then %s", first.body, again.body)
	}
	other := c.do("POST", "/v1/-/events", click(sf, "submit", map[string]any{"company": "Globex"}))
	if e := other.problem(t); other.StatusCode != http.StatusConflict || e.Code != "A2UI_C2S_SURFACE_SUBMITTED" {
		t.Errorf("%d %s", other.StatusCode, other.body)
	}
	if c.commits("Acme") != 1 || c.commits("Globex") != 0 {
		t.Error("the form was submitted again")
	}
	view, err := c.drawn().Surface(sf.WireID())
	if err != nil {
		t.Fatal(err)
	}
	for s := range view.Root.All() {
		if s.Role == "button" && !slices.Equal(s.Actions, []string{builtin.ActionRecordEdit}) || s.Role == "textbox" {
			t.Errorf("the answered form is drawn with a %s", s.Role)
		}
	}
}

// TestFaultUpdateOfAnExistingSurfaceIgnored: for a client that ignores updates of
// a surface it has, updates=rebuild deletes and creates; it is never stale.
func TestFaultUpdateOfAnExistingSurfaceIgnored(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.say("add a customer")
	stream := c.open("/v1/-/stream?format=a2ui&version=v0.9&updates=rebuild")
	shows := renderer.New(a2ui.V09, renderer.Strict)
	known := map[string]bool{} // the client's fault: what it has, it does not change
	take := func() {
		for _, datum := range stream.must().data {
			_, m, err := a2ui.DecodeMessage([]byte(datum))
			if err != nil {
				t.Fatal(err)
			}
			switch m := m.(type) {
			case *a2ui.DeleteSurface:
				delete(known, m.SurfaceID)
			case *a2ui.UpdateComponents:
				if known[m.SurfaceID] {
					continue
				}
				known[m.SurfaceID] = true
			}
			if err := shows.Apply(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	take()
	sf := c.state().Surface("form:customer")
	c.do("POST", "/v1/-/events", click(sf, "submit", map[string]any{"company": ""})) // errors appear
	take()
	// it is locked
	c.do("POST", "/v1/-/events", click(c.state().Surface("form:customer"), "submit", map[string]any{"company": "Acme"}))
	take()
	want := c.drawn()
	if got, want := shows.ShownHash(sf.WireID()), want.ShownHash(sf.WireID()); got != want || got == "" {
		t.Errorf("the client is stale:\n%s", shows.Dump(sf.WireID()))
	}
}

// TestFaultActionAfterServerRestart: a form that was drawn before a restart can be
// sent after it, and what was sent before it is not sent twice.
func TestFaultActionAfterServerRestart(t *testing.T) {
	t.Parallel()
	st := memory.New() // what stays; that a file stays is shown where servers are killed
	kept := func(cfg *limn.Config) { cfg.Store = st }
	c := start(t, kept).program()
	c.say("add a customer")
	before := c.state().Surface("form:customer")
	after := start(t, kept).as(c)
	body := click(before, "submit", map[string]any{"company": "Acme"})
	first := after.do("POST", "/v1/-/events", body)
	if first.StatusCode != http.StatusOK || after.commits("Acme") != 1 {
		t.Fatalf("%d %s", first.StatusCode, first.body)
	}
	third := start(t, kept).as(c)
	if again := third.do("POST", "/v1/-/events", body); string(again.body) != string(first.body) ||
		third.commits("Acme") != 1 {
		t.Errorf("answered %s, after another restart %s", first.body, again.body)
	}
}

// TestFaultOpenForANameOwnedByAnother: neither another principal nor another
// template gets at a form by its name.
func TestFaultOpenForANameOwnedByAnother(t *testing.T) {
	t.Parallel()
	says := &teller{}
	site := start(t, func(cfg *limn.Config) { cfg.Model = says })
	mine, theirs := site.program(), site.program()
	says.text = `{"assistant_text":"Here.","directives":[{"type":"ui.show_form","payload":{"name":"customer"}}]}`
	mine.say("please")
	theirs.say("please")
	sf := mine.state().Surface("form:customer")
	body := click(sf, "submit", map[string]any{"company": "Mallory"})
	thief := site.as(theirs)
	thief.ID = mine.ID
	if a := thief.do("POST", "/v1/-/events", body); a.StatusCode != http.StatusNotFound {
		t.Errorf("another's conversation: %d %s", a.StatusCode, a.body)
	}
	if a := theirs.do("POST", "/v1/-/events", body); a.StatusCode != http.StatusForbidden ||
		a.problem(t).Code != "A2UI_C2S_ACTION_FORBIDDEN" {
		t.Errorf("another's form of the same name: %d %s", a.StatusCode, a.body)
	}
	says.text = `{"assistant_text":"Now another.","directives":[{"type":"ui.show_form","payload":{"name":"customer","template":"lead"}},
		{"type":"ui.show_form","payload":{"name":"form:customer"}}]}`
	mine.say("please")
	now := mine.state().Surface("form:customer")
	if now == nil || now.Nonce != sf.Nonce || now.Origin.Template != "customer" {
		t.Errorf("the open form was replaced: %+v", now)
	}
	if mine.commits("Mallory")+theirs.commits("Mallory") != 0 {
		t.Error("a stolen click was committed")
	}
}

// teller is a model that says what it is told to.
type teller struct{ text string }

func (m *teller) Ask(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{Text: m.text, Finish: llm.FinishStop}, nil
}

// TestFaultClientMessageHiddenInAServerBatch: what a client sends counts only
// alone: neither beside a server's message nor in a list, and a model's answer
// that holds a client's message is words at most.
func TestFaultClientMessageHiddenInAServerBatch(t *testing.T) {
	t.Parallel()
	says := &teller{}
	c := start(t, func(cfg *limn.Config) { cfg.Model = says }).program()
	says.text = `{"assistant_text":"Here.","directives":[{"type":"ui.show_form","payload":{"name":"customer"}}]}`
	c.say("please")
	sf := c.state().Surface("form:customer")
	action := strings.TrimPrefix(strings.TrimSuffix(click(sf, "submit", map[string]any{"company": "Acme"}), "}"), "{")
	for _, body := range []string{
		`{` + action + `,"deleteSurface":{"surfaceId":"x"}}`,
		`{` + action + `,"error":{"code":"X","surfaceId":"x","message":"m"}}`,
		`{` + action + `,"userAction":{}}`,
		`[{"version":"v0.9","deleteSurface":{"surfaceId":"x"}},{` + action + `}]`,
		`{"version":"v0.9","deleteSurface":{"surfaceId":"` + sf.WireID() + `"}}`,
	} {
		if a := c.do("POST", "/v1/-/events", body); a.StatusCode != http.StatusBadRequest ||
			a.problem(t).Code != "A2UI_C2S_ENVELOPE_INVALID" {
			t.Errorf("%s: %d %s", body, a.StatusCode, a.body)
		}
	}
	says.text = `{"assistant_text":"Done.","directives":[{` + action + `},{"type":"action","payload":{` + action +
		`}}]}`
	c.say("please")
	if sf := c.state().Surface("form:customer"); c.commits("Acme") != 0 || sf == nil || sf.Status != ui.StatusOpen {
		t.Error("a hidden action was carried out")
	}
}

// TestFaultJavascriptURLThroughDataBinding: an address that is no address of the
// web never reaches a place where it would be followed, however it comes in.
func TestFaultJavascriptURLThroughDataBinding(t *testing.T) {
	t.Parallel()
	says := &teller{}
	c := start(t, func(cfg *limn.Config) { cfg.Model = says }).program()
	const evil = "javascript:alert(1)"
	says.text = `{"assistant_text":"[x](` + evil +
		`)","directives":[{"type":"ui.show_form","payload":{"name":"customer","values":{"site":"` + evil + `"}}}]}`
	c.say("please")
	for _, a := range []string{evil, "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)",
		"data:text/html,x", "//evil.example/x\\@y"} {
		sf := c.state().Surface("form:customer")
		out := c.do("POST", "/v1/-/events", click(sf, "submit", map[string]any{"company": "Acme", "site": a}))
		if out.StatusCode == http.StatusOK {
			var rec struct{ Outcome ui.Outcome }
			if out.into(t, &rec); rec.Outcome.Kind != ui.OutcomeAsked {
				t.Errorf("%q: %s", a, out.body)
			}
		}
	}
	if c.commits("Acme") != 0 {
		t.Error("such an address was committed")
	}
	r := c.drawn()
	for _, id := range r.Surfaces() {
		view, err := r.Surface(id)
		if err != nil {
			t.Fatal(err)
		}
		for s := range view.Root.All() {
			for _, d := range s.Details {
				if strings.Contains(strings.ToLower(d.Value), "script:") {
					t.Errorf("%s is drawn with the %s %s", s.Role, d.Name, d.Value)
				}
			}
		}
	}
	page := c.do("GET", "/c/-?draw=html", "", "Accept", "text/html")
	if low := strings.ToLower(string(page.body)); strings.Contains(low, `href="javascript`) ||
		strings.Contains(low, `src="javascript`) {
		t.Error("the page links to a script")
	}
}

// TestFaultReloadInMidStream: a client that is cut off between two messages of a
// frame gets the rest of it, each message once; one that reloads gets the same
// picture, and goes on without a gap.
func TestFaultReloadInMidStream(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	const address = "/v1/-/stream?format=a2ui&version=v0.9&framing=message"
	empty := c.open(address).must()
	c.say("add a customer")
	c.say("hello")
	whole := c.open(address, "Last-Event-ID", empty.id)
	var all []sseEvent
	for len(all) == 0 || !strings.Contains(all[len(all)-1].id, ".2.") {
		all = append(all, whole.must())
	}
	if len(all) < 3 {
		t.Fatalf("only %d events: nothing to cut", len(all))
	}
	for cut := range len(all) - 1 {
		rest := c.open(address, "Last-Event-ID", all[cut].id)
		for _, want := range all[cut+1:] {
			if got := rest.must(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("after %s came %v, want %v", all[cut].id, got, want)
			}
		}
	}
	load := c.do("GET", "/v1/-/a2ui?version=v0.9", "")
	reloaded := renderer.New(a2ui.V09, renderer.Strict)
	for line := range strings.Lines(string(load.body)) {
		if err := reloaded.Feed([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	on := c.open("/v1/-/stream?format=a2ui&version=v0.9&after=" + load.Header.Get("Limn-Cursor"))
	sf := c.state().Surface("form:customer")
	c.do("POST", "/v1/-/events", click(sf, "submit", map[string]any{"company": ""}))
	for _, datum := range on.must().data {
		if err := reloaded.Feed([]byte(datum)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := reloaded.ShownHash(sf.WireID()), c.drawn().ShownHash(sf.WireID()); got != want {
		t.Errorf("after the reload the client is stale:\n%s", reloaded.Dump(sf.WireID()))
	}
}
