package deliver

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// meeting is a form that clients fill in together, some of whose messages are lost.
type meeting struct {
	t       *rapid.T
	env     turn.Env
	state   *ui.State
	clients []*place
	now     time.Time
	depth   int // of questions and answers
}

// place is one client: what it shows, and the state that its stream has reached.
type place struct {
	*datasync.Replica
	at *ui.State
}

const wire = "form:guest#e=1"

func (m *meeting) take(e *ui.Event) (said string) {
	e.V, e.ID, e.At = ui.Version, ui.EventID(fmt.Sprint("e", m.state.Seq)), m.now
	p := turn.Decide(m.env, m.state, turn.Received{Event: e})
	if p.Outcome.Kind == ui.OutcomeRefused {
		m.t.Fatalf("%s is refused: %+v", e.Kind, p.Outcome)
	}
	m.commit(e, p)
	return p.Outcome.Message
}

func (m *meeting) commit(e *ui.Event, p turn.Plan) {
	if p.Nothing(e) {
		return
	}
	step, err := turn.Apply(m.env, m.state, e, p, true)
	if err != nil {
		m.t.Fatal(err)
	}
	m.state = turn.Show(m.env, step, e, p, nil).After
}

// send brings a batch to the server, and what it answers back; said is for the user.
func (m *meeting) send(c *place, b datasync.Batch) (said string) {
	e, err := ingress.DecodeEnvelope([]byte(`{"version":"v0.9","dataModelChanged":`+string(b.AppendJSON(nil))+`}`), ingress.Limits{})
	if err != nil {
		m.t.Fatal(err)
	}
	e.Principal = e.Shared.Actor
	m.t.Logf("%s sends %s", b.Actor, b.AppendJSON(nil))
	said = m.take(e)
	name, _, _ := ui.ParseWireID(e.Shared.Surface)
	messages, err := Missing(m.state, m.state.Surface(name), e.Shared)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, message := range messages {
		m.receive(c, message)
	}
	return said
}

func (m *meeting) receive(c *place, message []byte) {
	v, err := jsonx.Parse(message, jsonx.Limits{})
	if err != nil {
		m.t.Fatal(err)
	}
	b, err := datasync.ParseBatch(jsonx.Append(nil, v.At("updateDataModel")), datasync.Limits{})
	if err != nil {
		m.t.Fatalf("%v: %s", err, message)
	}
	got, err := c.Receive(b, m.now)
	if err != nil {
		m.t.Fatalf("%v: %s", err, message)
	}
	m.t.Logf("receives %s", message)
	if m.depth++; m.depth > 4 {
		m.t.Fatalf("questions without an end; the last: %s, which leads to %+v", message, got)
	}
	defer func() { m.depth-- }()
	for _, answer := range got.Answer {
		m.send(c, answer)
	}
	if got.Answer == nil && got.Ask {
		m.send(c, c.Hello())
	}
}

// stream brings a client all frames since it last heard, as one or one by one.
func (m *meeting) stream(c *place) {
	before := c.at
	c.at = m.state
	messages, err := Target{Syncs: true, A2UI: compile.Target{}}.shared(before, m.state)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, message := range messages {
		m.receive(c, []byte(strings.Replace(string(message), `"version":""`, `"version":"v0.9"`, 1)))
	}
}

func (m *meeting) flush(c *place) datasync.Batch {
	b, err := c.Flush(m.now, nil)
	if err != nil {
		m.t.Fatal(err)
	}
	return b
}

// TestSharedConverges: whatever is lost, and whoever writes, in the end all clients and the
// server hold the same.
func TestSharedConverges(t *testing.T) {
	t.Parallel()
	a, err := app.New(app.Config{Name: "t", Extensions: []string{app.DataSync}, Forms: []app.Form{{Name: "guest", Phrases: []string{"a guest"}, Fields: []ui.Field{
		{Name: "name", Type: ui.TypeText}, {Name: "vip", Type: ui.TypeBoolean},
		{Name: "days", Type: ui.TypeChoices, Options: []ui.Option{{Value: "mon"}, {Value: "tue"}}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]string{"/draft/name": {`"a"`, `"b"`, `""`}, "/draft/vip": {`true`, `false`}, "/draft/days": {`{"@list":["mon"]}`, `{"@list":[]}`, `{"@list":["mon","tue"]}`}}
	paths := []string{"/draft/name", "/draft/vip", "/draft/days"}
	rapid.Check(t, func(t *rapid.T) {
		m := &meeting{t: t, now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), state: ui.NewState("c1"),
			env: turn.Env{App: a, Phrases: true, Recovery: recovery.Default(), Nonce: func() string { return "n" }, Warn: func(string, ...any) {}}}
		m.take(&ui.Event{Kind: ui.EventMessage, Text: "a guest"})
		for i := range 3 {
			r, err := datasync.Open(datasync.Options{Surface: wire, Actor: fmt.Sprint("r-", i), Role: datasync.Renderer})
			if err != nil {
				t.Fatal(err)
			}
			m.clients = append(m.clients, &place{r, m.state})
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			m.now = m.now.Add(time.Duration(rapid.IntRange(-3, 5).Draw(t, "ms")) * time.Millisecond)
			c := m.clients[rapid.IntRange(0, 2).Draw(t, "client")]
			path := rapid.SampledFrom(paths).Draw(t, "path")
			value := rapid.SampledFrom(values[path]).Draw(t, "value")
			switch rapid.IntRange(0, 5).Draw(t, "do") {
			case 0, 1:
				if err := c.Edit(datasync.Update{Path: path, Value: value}); err != nil {
					t.Fatal(err)
				}
			case 2:
				if b := m.flush(c); len(b.Updates) > 0 && rapid.IntRange(0, 2).Draw(t, "lost") > 0 {
					m.send(c, b)
				}
			case 3:
				m.stream(c)
			case 4: // a user without the extension
				m.take(&ui.Event{Kind: ui.EventDraft, Principal: "plain", Model: jsonx.OfObject(jsonx.Member{Key: wire,
					Value: jsonx.OfObject(jsonx.Member{Key: "draft", Value: jsonx.OfObject(jsonx.Member{Key: path[len("/draft/"):],
						Value: parsed(t, value)})}, jsonx.Member{Key: "ui_state", Value: parsed(t, `{"rev":1000}`)})})})
			case 5: // the application
				m.commit(&ui.Event{ID: "e", At: m.now, Kind: ui.EventAction}, turn.Plan{Ops: ui.Ops{&ui.Patch{Surface: "form:guest",
					Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: "/draft/name", Value: ui.String(value)}}}}})
			}
		}
		for range 3 { // kept words are edits again
			for _, c := range m.clients {
				if b := m.flush(c); len(b.Updates) > 0 {
					m.send(c, b)
				}
				m.send(c, c.Hello())
			}
			for _, c := range m.clients {
				m.stream(c)
			}
		}
		for _, c := range m.clients {
			if got, want := string(c.View().JSON()), string(m.clients[0].View().JSON()); got != want {
				t.Fatalf("they show\n%s\n%s", got, want)
			}
		}
		sf := m.state.Surface("form:guest")
		b, err := batch(m.state, sf, &ui.Surface{})
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range b.Updates {
			shown := parsed(t, string(m.clients[0].View().JSON())).At(ui.DraftRoot).At(u.Path[len("/draft/"):])
			if got := string(jsonx.AppendCanonical(nil, shown)); got != u.Value {
				t.Fatalf("%s is %s there and %s here", u.Path, got, u.Value)
			}
		}
	})
}

// TestMissingOfOthers: what a client hands on of others is not in what it is asked for.
func TestMissingOfOthers(t *testing.T) {
	t.Parallel()
	stamp := func(i int, actor string) string {
		return datasync.Stamp{Time: 1_800_000_000_000, Count: i, Actor: actor}.String()
	}
	sf := &ui.Surface{Name: "form:guest", Epoch: 1, Actors: map[string]ui.Actor{"r-a": {Last: stamp(2, "r-b")}, "r-b": {Last: stamp(2, "r-b")}}}
	out, err := Missing(ui.NewState("c1"), sf, &ui.SharedEvent{Surface: wire, Actor: "r-a", Before: map[string]string{"r-a": stamp(3, "r-a")},
		Writes: []ui.SharedWrite{{Path: "/draft/name", Stamp: stamp(4, "r-a")}, {Path: "/draft/name", Stamp: stamp(5, "r-b")}}})
	if err != nil || len(out) != 1 {
		t.Fatal(err, len(out))
	}
	v, err := jsonx.Parse(out[0], jsonx.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := datasync.ParseBatch(jsonx.Append(nil, v.At("updateDataModel")), datasync.Limits{}); err != nil {
		t.Errorf("%v: %s", err, out[0])
	}
}

func parsed(t *rapid.T, text string) jsonx.Value {
	v, err := jsonx.ParseString(text, jsonx.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}
