package gateway_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/foreign/page"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/ui"
)

// TestRewrite: what an agent writes reaches clients that show something typed there, although the value is the one
// that the gateway has. What it does not write stays as typed, where the version of the client can say that.
func TestRewrite(t *testing.T) {
	t.Parallel()
	const basic = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
	begin := []string{
		`{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":"` + basic + `"}}`,
		`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/","value":{"a":"","b":"","o":{"x":"","y":1}}}}`,
		`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
			`{"id":"root","component":"Column","children":["a","b","x"]},` +
			`{"id":"a","component":"TextField","label":"A","value":{"path":"/a"}},` +
			`{"id":"b","component":"TextField","label":"B","value":{"path":"/b"}},` +
			`{"id":"x","component":"TextField","label":"X","value":{"path":"/o/x"}}]}}`}
	write := func(path, value string) string {
		return `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"` + path + `","value":` + value + `}}`
	}
	said := func(s *ui.State, lines ...string) (*ui.State, *ui.Frame) {
		one := gateway.Said{Agent: "weather", Version: "v0.9"}
		for _, l := range lines {
			one.Messages = append(one.Messages, []byte(l))
		}
		ops, warnings := gateway.Ops(s, one, func() string { return "00ff" })
		f := &ui.Frame{V: ui.Version, Seq: s.Seq + 1, At: time.Unix(0, 0), Ops: ops}
		next, changes, err := ui.Apply(s, f, ui.Limits{})
		if err != nil || len(warnings) > 0 {
			t.Fatal(err, warnings)
		}
		f.Changes = changes
		return next, f
	}
	first, _ := said(ui.NewState("c"), begin...)
	const id = "weather:main#e=1"
	for title, c := range map[string]struct {
		write   string
		a, b, x string // what is shown then
	}{
		"one field":        {write("/a", `""`), "", "typed", "typed"},
		"all":              {write("/", `{"a":"","b":"","o":{"x":"","y":1}}`), "", "", ""},
		"beside a change":  {write("/o", `{"x":"","y":2}`), "typed", "typed", ""},
		"another value":    {write("/b", `"new"`), "typed", "new", "typed"},
		"nothing of those": {write("/z", `1`), "typed", "typed", "typed"},
	} {
		second, f := said(first, c.write)
		for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
			target := compile.Target{Dialect: d}
			shown, err := compile.Snapshot(target, first)
			if err != nil {
				t.Fatal(err)
			}
			update, err := compile.Update(target, first, second, f)
			if err != nil {
				t.Fatal(err)
			}
			screen := client.New(d, client.LikeWebCore)
			screen.ApplyAll(shown.Messages())
			for _, path := range []string{"/a", "/b", "/o/x"} {
				if err := screen.Write(id, path, a2ui.TextData("typed")); err != nil {
					t.Fatal(err)
				}
			}
			screen.ApplyAll(update.Messages())
			data, _ := screen.Data(id)
			a, b, x := data.At("a").Text(), data.At("b").Text(), data.At("o").At("x").Text()
			right := func(shown, want string) bool { // a message of v0.8 has what is beside its leaf, too
				return shown == want || d == a2ui.V08 && want == "typed"
			}
			if !right(a, c.a) || !right(b, c.b) || !right(x, c.x) {
				t.Errorf("%s → %s: shows %q, %q, %q, want %q, %q, %q", title, d, a, b, x, c.a, c.b, c.x)
			}
		}
		name := gateway.Name("weather", "main")
		before, after := page.Of(first.Surface(name)), page.Of(second.Surface(name))
		for path, want := range map[ui.Path]string{"/draft/a": c.a, "/draft/b": c.b, "/draft/o/x": c.x} {
			if kept := before.Wrote[path] == after.Wrote[path]; kept != (want == "typed") || before.Wrote[path] == 0 {
				t.Errorf("%s: a page keeps its control for %s: %v, want %q", title, path, kept, want)
			}
		}
		again, next := said(second, `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[`+
			`{"id":"a","component":"TextField","label":"Other","value":{"path":"/a"}}]}}`)
		update, err := compile.Update(compile.Target{Dialect: a2ui.V09}, second, again, next)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range update.Messages() {
			if _, data := m.(*a2ui.UpdateData); data {
				t.Errorf("%s: the write is sent again with the next change", title)
			}
		}
	}
}

// followed is a state after an answer of the agent weather, with the messages to a client that had the one before.
func followed(t testing.TB, c *gateway.Config, target compile.Target, s *ui.State, lines ...string) (*ui.State, []a2ui.Message) {
	t.Helper()
	in := c.Intake(c.Agent("weather"), s)
	for _, line := range lines {
		in.Take([]byte(line), noon)
	}
	said, _ := in.End()
	ops, _ := gateway.Ops(s, said, func() string { return "00ff" })
	f := &ui.Frame{V: ui.Version, Seq: s.Seq + 1, At: noon, Ops: ops}
	next, changes, err := ui.Apply(s, f, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f.Changes = changes
	update, err := compile.Update(target, s, next, f)
	if err != nil {
		t.Fatal(err)
	}
	return next, update.Messages()
}

// TestRowsStay: what is typed in a row of a list stays when the agent writes another one, or adds one.
func TestRowsStay(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	begin := []string{
		`{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":"` + basic + `"}}`,
		`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/","value":{"rows":[{"q":"1","p":"10"},{"q":"1","p":"20"}]}}}`,
		`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
			`{"id":"root","component":"List","children":{"componentId":"row","path":"/rows"}},` +
			`{"id":"row","component":"Row","children":["q","p"]},` +
			`{"id":"q","component":"TextField","label":"Q","value":{"path":"q"}},` +
			`{"id":"p","component":"Text","text":{"path":"p"}}]}}`}
	write := func(path, value string) string {
		return `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"` + path + `","value":` + value + `}}`
	}
	for title, one := range map[string]struct {
		write string
		sent  bool   // what was typed was sent before
		want  string // the rows then
	}{
		"another row":      {write("/rows/1/p", `"25"`), false, `[{"q":"typed","p":"10"},{"q":"1","p":"25"}]`},
		"beside it":        {write("/rows/0/p", `"15"`), false, `[{"q":"typed","p":"15"},{"q":"1","p":"20"}]`},
		"one more":         {write("/rows/2", `{"q":"","p":"30"}`), false, `[{"q":"typed","p":"10"},{"q":"1","p":"20"},{"q":"","p":"30"}]`},
		"all, as they are": {write("/rows", `[{"q":"1","p":"10"},{"q":"1","p":"25"}]`), false, `[{"q":"1","p":"10"},{"q":"1","p":"25"}]`},
		"no value":         {`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/rows/1/p"}}`, false, `[{"q":"typed","p":"10"},{"q":"1"}]`},
		"one less":         {write("/rows", `[{"q":"1","p":"10"}]`), true, `[{"q":"1","p":"10"}]`},
	} {
		first, warnings := take(t, c, ui.NewState("c"), "weather", begin...)
		if len(warnings) > 0 {
			t.Fatal(warnings)
		}
		id, name := "weather:main#e=1", gateway.Name("weather", "main")
		for _, d := range []a2ui.Dialect{a2ui.V09, a2ui.V10} {
			target := compile.Target{Dialect: d}
			shown, err := compile.Snapshot(target, first)
			if err != nil {
				t.Fatal(err)
			}
			screen := client.New(d, client.LikeWebCore)
			screen.ApplyAll(shown.Messages())
			if err := screen.Write(id, "/rows/0/q", a2ui.TextData("typed")); err != nil {
				t.Fatal(err)
			}
			was := first
			if one.sent {
				data, _ := screen.Data(id)
				node := *foreign.Of(first.Surface(name))
				node.Model = data
				f := &ui.Frame{V: ui.Version, Seq: first.Seq + 1, Ops: ui.Ops{&ui.Update{Surface: name, Root: ui.Nodes{&node}, Live: true}}}
				if was, _, err = ui.Apply(first, f, ui.Limits{}); err != nil {
					t.Fatal(err)
				}
			}
			_, update := followed(t, c, target, was, one.write)
			screen.ApplyAll(update)
			data, _ := screen.Data(id)
			if rows := string(jsonx.Append(nil, data.At("rows"))); rows != one.want {
				t.Errorf("%s → %s: shows %s, want %s", title, d, rows, one.want)
			}
		}
	}
}

// TestStepsStay: what was typed in a step of a form is there in a later step that shows it, for a client that followed
// all steps and for one that came between them; nothing is deleted that the agent did not delete.
func TestStepsStay(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	comps := func(list string) string {
		return `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` + list + `]}}`
	}
	const name, age = `{"id":"name","component":"TextField","label":"Name","value":{"path":"/name"}}`, `{"id":"age","component":"TextField","label":"Age","value":{"path":"/age"}}`
	steps := [][]string{
		{`{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":"` + basic + `"}}`,
			comps(`{"id":"root","component":"Column","children":["name"]},` + name)},
		{comps(`{"id":"root","component":"Column","children":["age"]},` + age)},
		{comps(`{"id":"root","component":"Column","children":["name","age"]}`)},
		{`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/name","value":"Bob"}}`},
	}
	const id = "weather:main#e=1"
	for _, d := range []a2ui.Dialect{a2ui.V09, a2ui.V10} {
		target, s := compile.Target{Dialect: d}, ui.NewState("c")
		first, second := client.New(d, client.LikeWebCore), client.New(d, client.LikeWebCore)
		check := a2ui.NewValidator(prove.Rules(target))
		for i, lines := range steps {
			next, update := followed(t, c, target, s, lines...)
			if problems := check.Check(update); len(problems) > 0 {
				t.Errorf("%s, step %d: %v", d, i, &problems[0])
			}
			first.ApplyAll(update)
			if i > 1 {
				second.ApplyAll(update)
			}
			if s = next; i == 0 {
				if err := first.Write(id, "/name", a2ui.TextData("Ada")); err != nil {
					t.Fatal(err)
				}
			}
			if i == 1 {
				shown, err := compile.Snapshot(target, s)
				if err != nil {
					t.Fatal(err)
				}
				second.ApplyAll(shown.Messages())
			}
			data, _ := first.Data(id)
			if want := map[bool]string{true: "Bob", false: "Ada"}[i == 3]; data.At("name").Text() != want {
				t.Errorf("%s, step %d: shows %q, want %q", d, i, data.At("name").Text(), want)
			}
		}
		if data, _ := second.Data(id); data.At("name").Text() != "Bob" {
			t.Errorf("%s: the other shows %q", d, data.At("name").Text())
		}
	}
}

// TestManyWrites: an update of v0.8 has whole levels, so many writes begin the surface anew: its size does not grow with
// their number. What is shown is the same.
func TestManyWrites(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	s, _ := take(t, c, ui.NewState("c"), "weather", surface("main", "Sun", "1")...)
	write := func(n int, value string) (lines []string) {
		for i := range n {
			lines = append(lines, fmt.Sprintf(`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/k%d","value":%q}}`, i, value))
		}
		return lines
	}
	s, _ = take(t, c, s, "weather", write(180, "old")...)
	for n, anew := range map[int]bool{3: false, 180: true} {
		for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09} {
			_, update := followed(t, c, compile.Target{Dialect: d}, s, write(n, "new")...)
			begins := slices.ContainsFunc(update, func(m a2ui.Message) bool { _, ok := m.(*a2ui.CreateSurface); return ok })
			if begins != (anew && d == a2ui.V08) {
				t.Errorf("%d writes → %s: begins anew: %v, %d messages", n, d, begins, len(update))
			}
		}
	}
}
