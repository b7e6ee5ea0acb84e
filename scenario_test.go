package limn_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/examples/desk"
	drawhtml "github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/scenario"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/scripted"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

var update = flag.Bool("update", false, "write what comes out of the scenarios into testdata")

// TestScenarios follows every event of the corpus through every stage.
func TestScenarios(t *testing.T) {
	t.Parallel()
	for _, sc := range corpus(t) {
		t.Run(sc.Name, func(t *testing.T) {
			t.Parallel()
			out := play(t, sc)
			if *update {
				if err := sc.Write(out); err != nil {
					t.Fatal(err)
				}
				return
			}
			compare(t, sc, out)
		})
	}
}

// TestDeterminism plays the corpus against its golden files, and one scenario
// a thousand times: same input, same bytes. make test runs it built for 386
// and with one and eight processors too.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	list := corpus(t)
	times := 1000
	if testing.Short() {
		times = 20
	}
	for _, sc := range list {
		if !*update {
			compare(t, sc, play(t, sc))
		}
	}
	first := play(t, list[0])
	for i := range times {
		for k, f := range play(t, list[0]) {
			if !bytes.Equal(f.Data, first[k].Data) {
				t.Fatalf("run %d: %s differs:\n%s", i, f.Name, cmp.Diff(string(first[k].Data), string(f.Data)))
			}
		}
	}
}

// TestScenarioLines says which line of the corpus is too long to be read.
func TestScenarioLines(t *testing.T) {
	t.Parallel()
	if *update {
		t.Skip("the files are being written")
	}
	for _, sc := range corpus(t) {
		path := "testdata/scenario/" + sc.Name + ".txtar"
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if n := utf8.RuneCountInString(line); n > scenario.Width {
				t.Errorf("%s:%d has %d columns, more than %d", path, i+1, n, scenario.Width)
			}
		}
	}
}

func corpus(t *testing.T) []*scenario.Scenario {
	t.Helper()
	list, err := scenario.Load("testdata/scenario")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func compare(t *testing.T, sc *scenario.Scenario, out []txtar.File) {
	t.Helper()
	for _, f := range out {
		want, _ := sc.File(f.Name)
		if diff := cmp.Diff(string(want), string(scenario.Lines(f.Data))); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", sc.Name, f.Name, diff)
		}
	}
}

// counter is a source of "random" bytes that is the same in every run.
type counter struct{ n uint64 }

func (c *counter) Read(p []byte) (int, error) {
	for i := 0; i < len(p); {
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], c.n)
		sum := sha256.Sum256(b[:])
		i += copy(p[i:], sum[:])
		c.n++
	}
	return len(p), nil
}

// answers is a model that says what a scenario tells it to, else what the
// script says.
type answers struct {
	script llm.Model
	next   []byte
}

func (a *answers) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	if a.next != nil {
		return llm.Reply{Text: string(a.next), Finish: llm.FinishStop}, nil
	}
	return a.script.Ask(ctx, r)
}

func play(t *testing.T, sc *scenario.Scenario) []txtar.File {
	t.Helper()
	a, err := desk.App()
	if err != nil {
		t.Fatal(err)
	}
	script, err := scripted.New(a.Script())
	if err != nil {
		t.Fatal(err)
	}
	model := &answers{script: script}
	rules := &compile.Rules{Allowed: a.Allowed, Words: a.Config().Words, Base: "http://limn.test"}
	targets := []compile.Target{{Dialect: a2ui.V09, Rules: rules}, {Dialect: a2ui.V08, Rules: rules},
		{Dialect: a2ui.V10, Rules: rules}}
	var ticks atomic.Int64
	start := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	svc, err := session.New(session.Config{App: a, Store: memory.New(), Bus: localbus.New(), Model: model, Phrases: true,
		Targets: targets,
		Random:  &counter{}, Now: func() time.Time { return start.Add(time.Duration(ticks.Add(1)) * time.Second) }})
	if err != nil {
		t.Fatal(err)
	}
	defer svc.Close(context.Background())
	id, err := svc.Create(t.Context(), "p")
	if err != nil {
		t.Fatal(err)
	}
	var out []txtar.File
	for i, st := range sc.Steps {
		head, err := svc.Head(t.Context(), id, "p")
		if err != nil {
			t.Fatal(err)
		}
		model.next = st.Model
		e := eventOf(t, head.State, st.Event)
		rec, err := svc.Submit(t.Context(), id, "p", e, time.Minute)
		if err != nil {
			t.Fatalf("step %d: %v", i+1, err)
		}
		steps, err := svc.Steps(t.Context(), id, rec.Seq-1, 1)
		if err != nil || len(steps) != 1 {
			t.Fatalf("step %d: %d steps, %v", i+1, len(steps), err)
		}
		if st.Model != nil {
			out = append(out, directives(a, i+1, st.Model))
		}
		out = append(out, drawn(t, i+1, steps[0], targets)...)
	}
	return out
}

// directives writes what was read out of a model's answer.
func directives(a *app.App, n int, answer []byte) txtar.File {
	envelope, err := a.Registry().Read(string(answer))
	data := append(envelope.JSON(), '\n')
	for _, w := range envelope.Warnings {
		data = fmt.Appendf(data, "warning: %v\n", w)
	}
	if err != nil {
		data = fmt.Appendf(data, "error: %v\n", err)
	}
	return txtar.File{Name: fmt.Sprintf("out/%d.directives", n), Data: data}
}

// drawn writes what came of one frame for every reader.
func drawn(t *testing.T, n int, st conversation.Step, targets []compile.Target) []txtar.File {
	t.Helper()
	name := func(s string) string { return fmt.Sprintf("out/%d.%s", n, s) }
	var ops bytes.Buffer
	for _, op := range st.Frame.Ops {
		b, err := ui.Ops{op}.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		ops.Write(append(b[1:len(b)-1], '\n'))
	}
	frame := fmt.Sprintf("outcome: %s %s %s\ntext: %s\n", st.Frame.Outcome.Kind, st.Frame.Outcome.Code,
		st.Frame.Outcome.Path, st.Frame.Text)
	for _, w := range st.Frame.Warnings {
		frame += "warning: " + w + "\n"
	}
	files := []txtar.File{{Name: name("ops.jsonl"), Data: ops.Bytes()}, {Name: name("frame"), Data: []byte(frame)}}
	for _, target := range targets {
		batches, err := compile.Update(target, st.Before, st.After, st.Frame)
		if err != nil {
			t.Fatal(err)
		}
		var lines []byte
		for _, m := range batches.Messages() {
			if lines, err = a2ui.AppendMessage(lines, target.Dialect, m); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, '\n')
		}
		files = append(files, txtar.File{Name: name(target.Dialect.String() + ".jsonl"), Data: lines})
	}
	page := drawhtml.AppendSnapshot(nil, st.After, drawhtml.Options{Action: "/actions", Uploads: "/uploads"})
	return append(files, txtar.File{Name: name("html"), Data: normalised(t, page)})
}

// compact is an event as scenarios write it.
type compact struct {
	Message  string          `json:"message"`
	Envelope json.RawMessage `json:"envelope"` // an A2UI client message as it is
	Click    *struct {
		Surface ui.Name                    `json:"surface"`
		Key     ui.KeyPath                 `json:"key"`
		Name    string                     `json:"name"` // default: of the action that stands there
		Context map[string]json.RawMessage `json:"context"`
		Rev     *uint64                    `json:"rev"`   // default: the newest
		Nonce   string                     `json:"nonce"` // default: the right one
	} `json:"click"`
	Form *struct {
		Surface ui.Name             `json:"surface"`
		Key     ui.KeyPath          `json:"key"`
		Values  map[string][]string `json:"values"`
	} `json:"form"`
}

func eventOf(t *testing.T, s *ui.State, data []byte) *ui.Event {
	t.Helper()
	var c compact
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		t.Fatalf("event %s: %v", data, err)
	}
	var e *ui.Event
	var err error
	switch {
	case c.Click != nil:
		sf := s.Surface(c.Click.Surface)
		action, _ := sf.ActionAt(c.Click.Key)
		rev, nonce := sf.Rev, sf.Nonce
		if c.Click.Rev != nil {
			rev = *c.Click.Rev
		}
		if c.Click.Nonce != "" {
			nonce = c.Click.Nonce
		}
		name := action.Name
		if c.Click.Name != "" {
			name = c.Click.Name
		}
		ctx := map[string]any{"limn_nonce": nonce, "limn_rev": rev}
		for k, v := range c.Click.Context {
			ctx[k] = v
		}
		body, merr := json.Marshal(map[string]any{"version": "v0.9",
			"action": map[string]any{"name": name, "surfaceId": sf.WireID(),
				"sourceComponentId": c.Click.Key.ComponentID("Button"), "timestamp": "2026-11-20T09:00:00Z",
				"context": ctx}})
		if merr != nil {
			t.Fatal(merr)
		}
		e, err = ingress.DecodeEnvelope(body, ingress.Limits{})
	case c.Form != nil:
		sf := s.Surface(c.Form.Surface)
		values := map[string][]string{"limn_surface": {sf.WireID()}, "limn_nonce": {sf.Nonce},
			"limn_rev":       {fmt.Sprint(sf.Rev)},
			"limn_component": {c.Form.Key.ComponentID("Button")}}
		maps.Copy(values, c.Form.Values)
		e, err = ingress.DecodeForm(values, ingress.Limits{})
	case c.Envelope != nil:
		e, err = ingress.DecodeEnvelope(c.Envelope, ingress.Limits{})
	default:
		e, err = ingress.MessageEvent(c.Message, ingress.Limits{})
	}
	if err != nil {
		t.Fatalf("event %s: %v", data, err)
	}
	return e
}

// normalised writes HTML one node a line, indented, attributes sorted.
func normalised(t *testing.T, page []byte) []byte {
	t.Helper()
	nodes, err := html.ParseFragment(bytes.NewReader(page),
		&html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	var walk func(n *html.Node, depth int)
	walk = func(n *html.Node, depth int) {
		indent := strings.Repeat(" ", depth)
		switch n.Type {
		case html.TextNode:
			if text := strings.TrimSpace(n.Data); text != "" {
				fmt.Fprintf(&b, "%s%q\n", indent, text)
			}
		case html.ElementNode:
			slices.SortFunc(n.Attr, func(a, b html.Attribute) int { return strings.Compare(a.Key, b.Key) })
			fmt.Fprintf(&b, "%s<%s", indent, n.Data)
			for _, a := range n.Attr {
				fmt.Fprintf(&b, " %s=%q", a.Key, a.Val)
			}
			b.WriteString(">\n")
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, depth+1)
		}
	}
	for _, n := range nodes {
		walk(n, 0)
	}
	return b.Bytes()
}
