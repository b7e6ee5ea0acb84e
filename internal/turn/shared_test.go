package turn_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// TestActorsKeepTheirNames: however many actors somebody makes up, the name of one whose
// words stand stays its principal's.
func TestActorsKeepTheirNames(t *testing.T) {
	t.Parallel()
	env := env(t)
	a, err := app.New(app.Config{Name: "t", Extensions: []string{app.DataSync}, Forms: []app.Form{{Name: "guest",
		Phrases: []string{"a guest"}, Fields: []ui.Field{{Name: "name", Type: ui.TypeText}, {Name: "town", Type: ui.TypeText}}}}})
	if err != nil {
		t.Fatal(err)
	}
	env.App = a
	s := step(t, env, a.NewState("c"), turn.Received{Event: message(1, "a guest")}).After
	write := func(n int, principal, actor, path, value string) turn.Step {
		at := noon.Add(time.Duration(n) * time.Millisecond)
		e := &ui.Event{V: ui.Version, ID: ui.EventID(fmt.Sprint("w", n)), Kind: ui.EventShared, At: at, Principal: principal,
			Shared: &ui.SharedEvent{Surface: "form:guest#e=1", Actor: actor, Writes: []ui.SharedWrite{{Path: ui.Path(path),
				Value: jsonx.Of(value), Stamp: datasync.Stamp{Time: at.UnixMilli(), Actor: actor}.String()}}}}
		next := step(t, env, s, turn.Received{Event: e})
		s = next.After
		return next
	}
	write(1, "ann", "r-ann", "/draft/name", "Ann's")
	for n := range 200 {
		if got := write(n+2, "eve", fmt.Sprint("r-", n), "/draft/town", fmt.Sprint(n)); got.Frame.Outcome.Kind != ui.OutcomeDone {
			t.Fatalf("%+v", got.Frame.Outcome)
		}
	}
	if got := write(300, "eve", "r-ann", "/draft/town", "as Ann"); got.Frame.Outcome.Code != datasync.CodeActor {
		t.Errorf("another may write as Ann: %+v", got.Frame.Outcome)
	}
	if got := write(301, "ann", "r-ann", "/draft/name", "Ann's own"); got.Frame.Outcome.Kind != ui.OutcomeDone {
		t.Errorf("Ann may not go on: %+v", got.Frame.Outcome)
	}
	if v, _ := s.Surface("form:guest").Get("/draft/name"); v.Text() != "Ann's own" {
		t.Errorf("the name is %q", v.Text())
	}
}

// stamping is an application that keeps when its drafts were written, and a state with the guest's form open.
func stamping(tb testing.TB) (turn.Env, *ui.State) {
	tb.Helper()
	e := env(tb, withGuest, func(c *app.Config) { c.SendDataModel = true })
	return e, after(tb, e, "add a guest")
}

// shows is what the client of somebody shows of the guest's form, drawn at a revision.
func shows(sf *ui.Surface, who string, rev uint64, inputs ...jsonx.Member) *ui.Event {
	model := jsonx.OfObject(jsonx.Member{Key: ui.DraftRoot, Value: jsonx.OfObject(inputs...)},
		jsonx.Member{Key: ui.UIStateRoot, Value: jsonx.OfObject(input("rev", fmt.Sprint(rev)))})
	return &ui.Event{V: ui.Version, ID: "m", Kind: ui.EventDraft, At: noon, Principal: who,
		Model: jsonx.OfObject(jsonx.Member{Key: sf.WireID(), Value: model})}
}

// TestDrafts: what a client shows is kept, unless it shows less than it can have seen of what another person typed.
func TestDrafts(t *testing.T) {
	t.Parallel()
	e, s := stamping(t)
	s = step(t, e, s, turn.Received{Event: shows(s.Surface(guest), "ann", 1, input("name", "Ann"))}).After
	equal(t, "typed", "Ann", draft(s, guest, "/draft/name"))
	sf := s.Surface(guest)
	gone := *sf
	gone.Epoch = 9
	for name, c := range map[string]struct {
		event    *ui.Event
		want     string
		ops      int
		warnings int
	}{
		"the same":               {shows(sf, "ann", sf.Rev, input("name", "Ann")), "Ann", 0, 0},
		"more":                   {shows(sf, "ann", sf.Rev, input("name", "Anna")), "Anna", 1, 0},
		"her own blank":          {shows(sf, "ann", 1, input("name", "")), "", 1, 0},
		"her own, of before":     {shows(sf, "ann", 1, input("name", "Anna")), "Anna", 1, 0},
		"another's blank":        {shows(sf, "bob", sf.Rev, input("name", "")), "Ann", 0, 0},
		"another's, of before":   {shows(sf, "bob", sf.Rev-1, input("name", "Bob")), "Ann", 0, 0},
		"another's, having seen": {shows(sf, "bob", sf.Rev, input("name", "Bob")), "Bob", 1, 0},
		"another field":          {shows(sf, "bob", 1, input("town", "Oslo")), "Ann", 1, 0},
		"no surface":             {shows(&gone, "ann", 1, input("name", "Eve")), "Ann", 0, 1},
	} {
		p := turn.Decide(e, s, turn.Received{Event: c.event})
		ends(t, name, p.Outcome, ui.OutcomeDone, "")
		equal(t, name+": ops", c.ops, len(p.Ops))
		equal(t, name+": a frame", c.ops > 0, !p.Nothing(c.event))
		equal(t, name+": warnings", c.warnings, len(p.Warnings))
		got := step(t, e, s, turn.Received{Event: c.event})
		equal(t, name, c.want, draft(got.After, guest, "/draft/name"))
	}
	town := step(t, e, s, turn.Received{Event: shows(sf, "bob", 1, input("town", "Oslo"))}).After.Surface(guest)
	for path, who := range map[ui.Path]string{"/draft/name": "ann", "/draft/town": "bob"} {
		equal(t, string(path)+" was written by", who, town.Actors[town.Stamps[path].Actor()].By)
	}
}

// TestModelSparesWhatIsNew: a model changes what it has seen, but not what a person wrote after that; the user reads
// what was left.
func TestModelSparesWhatIsNew(t *testing.T) {
	t.Parallel()
	e, s := stamping(t)
	saw := s
	s = step(t, e, s, turn.Received{Event: shows(s.Surface(guest), "ann", 1, input("name", "Ann"))}).After
	in := replies("Fill it in.", "Done.", directed("ui.patch", `{"surface":"form:guest","ops":[`+
		`{"op":"set","path":"/draft/name","value":"Eve"},{"op":"set","path":"/draft/town","value":"Rome"}]}`))
	in.Saw = saw
	got := step(t, e, s, in)
	equal(t, "the name", "Ann", draft(got.After, guest, "/draft/name"))
	equal(t, "the town", "Rome", draft(got.After, guest, "/draft/town"))
	equal(t, "the user reads", "Done.\n\nSomebody has changed this in the meantime, so it was left as it is (name).",
		got.Frame.Text)
	sf := got.After.Surface(guest)
	equal(t, "the town was written by", "limn.agent", sf.Stamps["/draft/town"].Actor())
	in.Saw = s
	equal(t, "having seen it", "Eve", draft(step(t, e, s, in).After, guest, "/draft/name"))
}

// TestModelSawNothing: the answer to the first message of a conversation does not change a form that opened meanwhile.
func TestModelSawNothing(t *testing.T) {
	t.Parallel()
	e := env(t, withGuest)
	s := typed(t, e, after(t, e, "add a guest"))
	in := replies("a guest, Bo", "Done.", directed("ui.show_form", `{"name":"guest","values":{"name":"Bo"}}`),
		directed("ui.patch", `{"surface":"form:guest","ops":[{"op":"set","path":"/draft/name","value":"Bo"}]}`))
	in.Saw = e.App.NewState("c")
	got := step(t, e, s, in)
	equal(t, "the name", "Ann", draft(got.After, guest, "/draft/name"))
	equal(t, "warnings", 2, len(got.Frame.Warnings))
}

// TestCellsAreStamped: what is typed into a row has a stamp of whoever typed it.
func TestCellsAreStamped(t *testing.T) {
	t.Parallel()
	e := tooled(t, func(c *app.Config) { c.SendDataModel = true })
	s := after(t, e, "We have 3 risks.")
	click := press(t, s.Surface(risks), "Check", titles("Fire", "?"))
	click.Principal = "ann"
	sf := step(t, e, s, turn.Received{Event: click}).After.Surface(risks)
	for path, who := range map[ui.Path]string{"/draft/risks/r1/title": "ann", "/draft/risks/r2/count": "ann",
		"/draft/risks/r2/title": "", "/draft/risks/r3/title": ""} {
		equal(t, string(path), who, sf.Actors[sf.Stamps[path].Actor()].By)
	}
}

// TestRowsAreStamped: the cells of a new row have no stamps, those of a row that is put back do.
func TestRowsAreStamped(t *testing.T) {
	t.Parallel()
	e := tooled(t, func(c *app.Config) { c.SendDataModel = true })
	s := after(t, e, "We have 3 risks.")
	s = step(t, e, s, turn.Received{Event: press(t, s.Surface(risks), "Check", titles("Fire", "Flood", "Theft"))}).After
	at := func(key ui.KeyPath) turn.Received { // a click on a button of the rows
		click := press(t, s.Surface(risks), "Check")
		a, ok := s.Surface(risks).ActionAt(key)
		if !ok {
			t.Fatalf("no button %s", key)
		}
		click.Action.Component, click.Action.Name = key.ComponentID("Button"), a.Name
		return turn.Received{Event: click}
	}
	more := step(t, e, s, at("main/rows/!add")).After
	v, _ := more.Surface(risks).Get("/draft/risks")
	equal(t, "rows", 4, len(v.Records()))
	equal(t, "stamps of a new row", len(s.Surface(risks).Stamps), len(more.Surface(risks).Stamps))

	gone := step(t, e, s, at("main/rows/r3/!remove")).After
	equal(t, "the row that was removed", "", draft(gone, risks, "/draft/risks/r3/title"))
	back := then(t, e, gone, "undo")
	equal(t, "the row", "Theft", draft(back, risks, "/draft/risks/r3/title"))
	was, is := s.Surface(risks).Stamps["/draft/risks/r3/title"], back.Surface(risks).Stamps["/draft/risks/r3/title"]
	if is.At == "" || is.At == was.At {
		t.Errorf("the row that is put back has the stamp %+v, before %+v", is, was)
	}
}

// TestSharedIsOffered: writes are merged only where the application shares drafts; the refusal says what it offers.
func TestSharedIsOffered(t *testing.T) {
	t.Parallel()
	e := env(t)
	s := after(t, e, "add a customer")
	writes := &ui.Event{V: ui.Version, ID: "w", Kind: ui.EventShared, At: noon, Principal: "ann",
		Shared: &ui.SharedEvent{Surface: s.Surface(customer).WireID(), Actor: "r-ann"}}
	p := turn.Decide(e, s, turn.Received{Event: writes})
	ends(t, "not offered", p.Outcome, ui.OutcomeRefused, "A2UI_C2S_EXTENSION_UNKNOWN")
	d := desk(t, twoAgents)
	d.App = env(t, func(c *app.Config) { c.Extensions = []string{app.DataSync} }).App
	of := step(t, d, d.App.NewState("c"), turn.Replied{Event: message(1, "sun?"), Run: "agent:weather",
		Reply: &agent.Reply{Agents: []agent.Said{sunny("")}}}).After
	writes.Shared.Surface = of.Surface("weather:main").WireID()
	p = turn.Decide(d, of, turn.Received{Event: writes})
	ends(t, "on the surface of an agent", p.Outcome, ui.OutcomeRefused, "A2UI_C2S_EXTENSION_UNKNOWN")
	if !strings.Contains(p.Outcome.Detail, "agent") {
		t.Errorf("the refusal says %q", p.Outcome.Detail)
	}
	for name, c := range map[string]struct {
		env         turn.Env
		asked, says string
	}{
		"none":      {e, app.DataSync, `there is no extension "` + app.DataSync + `" for this`},
		"another":   {d, "x", `there is no extension "x" for this, but ` + app.DataSync},
		"not there": {d, app.DataSync, app.DataSync + " is not offered for this drawing"},
	} {
		err := turn.NoExtension(c.env.App, "/x", c.asked)
		equal(t, name, c.says, err.Message)
		if err.Path != "/x" || !strings.Contains(err.Hint, app.DataSync) {
			t.Errorf("%s: %+v", name, err)
		}
	}
}

// TestSharedMerges: the latest write counts, in whatever order they come; the same write again makes no frame.
func TestSharedMerges(t *testing.T) {
	t.Parallel()
	e := env(t, withGuest, func(c *app.Config) { c.Extensions = []string{app.DataSync} })
	s := after(t, e, "add a guest")
	write := func(n int, actor, value string) *ui.Event {
		at := noon.Add(time.Duration(n) * time.Second)
		return &ui.Event{V: ui.Version, ID: "w", Kind: ui.EventShared, At: noon.Add(time.Minute), Principal: actor,
			Shared: &ui.SharedEvent{Surface: "form:guest#e=1", Actor: actor, Writes: []ui.SharedWrite{{Path: "/draft/name",
				Value: jsonx.Of(value), Stamp: datasync.Stamp{Time: at.UnixMilli(), Actor: actor}.String()}}}}
	}
	s = step(t, e, s, turn.Received{Event: write(5, "r-ann", "Ann")}).After
	for name, c := range map[string]struct {
		event *ui.Event
		want  string
		frame bool
	}{
		"earlier": {write(4, "r-bob", "Bob"), "Ann", true},
		"later":   {write(6, "r-bob", "Bob"), "Bob", true},
		"again":   {write(5, "r-ann", "Ann"), "Ann", false},
	} {
		p := turn.Decide(e, s, turn.Received{Event: c.event})
		equal(t, name+": a frame", c.frame, !p.Nothing(c.event))
		got := step(t, e, s, turn.Received{Event: c.event})
		ends(t, name, got.Frame.Outcome, ui.OutcomeDone, "")
		equal(t, name, c.want, draft(got.After, guest, "/draft/name"))
	}
}
