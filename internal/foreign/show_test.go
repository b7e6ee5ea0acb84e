package foreign_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/official"
	"github.com/limn-ui/limn/ui"
)

// dialects are the versions that agents and clients speak.
var dialects = []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V091, a2ui.V10RC, a2ui.V10}

// examples are the messages of the published examples of a version.
func examples(t testing.TB, d a2ui.Dialect) map[string][]a2ui.Message {
	t.Helper()
	out := map[string][]a2ui.Message{}
	pattern := map[a2ui.Dialect]string{a2ui.V08: "v0_8/json/catalogs/basic/examples/*.json",
		a2ui.V09: "v0_9/catalogs/basic/examples/*.json", a2ui.V091: "v0_9_1/catalogs/basic/examples/*.json",
		a2ui.V10RC: "v1_0/catalogs/basic/examples/*.json", a2ui.V10: "v1_0/catalogs/basic/examples/*.json"}[d]
	for _, file := range official.Files(pattern) {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var body struct{ Messages []json.RawMessage }
		if json.Unmarshal(b, &body) != nil {
			_ = json.Unmarshal(b, &body.Messages)
		}
		read := d
		if d == a2ui.V10 {
			read = a2ui.V10RC // published with the keys of the release candidate
		}
		for _, raw := range body.Messages {
			m, err := a2ui.DecodeMessageAs(read, raw)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			out[filepath.Base(file)] = append(out[filepath.Base(file)], m)
		}
	}
	if len(out) == 0 {
		t.Logf("the published examples of %s are missing (set A2UI_SPEC_DIR)", d)
	}
	return out
}

// folded is the surface that messages of an agent lead to, nil for one that is not whole.
func folded(t testing.TB, d a2ui.Dialect, msgs []a2ui.Message) *foreign.Surface {
	t.Helper()
	said := gateway.Said{Agent: "a", Version: d.String()}
	for _, m := range msgs {
		raw, err := a2ui.AppendMessage(nil, d, m)
		if err != nil {
			t.Fatal(err)
		}
		said.Messages = append(said.Messages, raw)
	}
	ops, _ := gateway.Ops(ui.NewState("c"), said, func() string { return "00ff" })
	for _, op := range ops {
		open, ok := op.(*ui.Open)
		if !ok {
			continue
		}
		s, err := foreign.Read(open.Root[0].(*ui.Foreign))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	return nil
}

func as(to a2ui.Dialect, rev uint64) foreign.As {
	return foreign.As{ID: "weather:main#e=1", Nonce: "00ff", Rev: rev, To: to}
}

// TestPublishedExamplesAreShown: each published example is kept, read back, and shown to clients
// of every version by messages that pass the rules for what Limn sends.
func TestPublishedExamplesAreShown(t *testing.T) {
	t.Parallel()
	for _, from := range dialects {
		list := examples(t, from)
		for _, to := range dialects {
			bad := 0
			for name, msgs := range list {
				msgs, _ := folded(t, from, msgs).Create(as(to, 1))
				problems := a2ui.NewValidator(a2ui.Rules{Dialect: to, Profile: a2ui.Safe}).Check(msgs)
				if len(problems) > 0 {
					t.Logf("%s → %s: %s: %v", from, to, name, &problems[0])
					bad++
					continue
				}
				if failed := client.New(to, client.LikeWebCore).ApplyAll(msgs); len(failed) > 0 {
					t.Errorf("%s → %s: %s: %v", from, to, name, failed[0])
				}
			}
			if bad > 1 { // one binds a place of a list, one has a list as text, on v0.8
				t.Errorf("%s → %s: %d of %d are not valid", from, to, bad, len(list))
			}
		}
	}
}

// TestUpdatesLeadToTheSameScreen: whatever a surface was after some of its messages, its update to
// all of them shows what a client sees that starts now, and is valid.
func TestUpdatesLeadToTheSameScreen(t *testing.T) {
	t.Parallel()
	updates := 0
	for _, from := range dialects {
		for name, msgs := range examples(t, from) {
			now := folded(t, from, msgs)
			for n := 1; n < len(msgs); n++ {
				was := folded(t, from, msgs[:n])
				if was == nil {
					continue
				}
				for _, to := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
					made, _ := was.Create(as(to, 1))
					rules := a2ui.NewValidator(a2ui.Rules{Dialect: to, Profile: a2ui.Safe})
					whole, _ := now.Create(as(to, 2))
					safe := a2ui.Rules{Dialect: to, Profile: a2ui.Safe}
					if len(rules.Check(made)) > 0 || len(a2ui.Validate(safe, whole)) > 0 {
						continue // it was not complete, or v0.8 cannot show it
					}
					updates++
					more, _ := now.Since(was, as(to, 1), as(to, 2))
					if problems := rules.Check(more); len(problems) > 0 {
						t.Errorf("%s → %s: %s after %d: %v", from, to, name, n, &problems[0])
						continue
					}
					followed, started := client.New(to, client.LikeWebCore), client.New(to, client.LikeWebCore)
					followed.ApplyAll(made)
					followed.ApplyAll(more)
					started.ApplyAll(whole)
					if id := as(to, 1).ID; followed.ShownHash(id) != started.ShownHash(id) {
						t.Errorf("%s → %s: %s after %d shows\n%s\nwant\n%s", from, to, name, n, followed.Dump(id), started.Dump(id))
					}
				}
			}
		}
	}
	t.Log(updates, "updates")
}

// TestWholeModel: a v0.8 agent that replaces all of its data, and leaves out some that its components show, clears
// these for clients of every version.
func TestWholeModel(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ component, data string }{
		"text":   {`{"Text":{"text":{"path":"/a/b"}}}`, `"path":"/a","contents":[{"key":"b","valueString":"Old"}]`},
		"row":    {`{"Row":{"children":{"template":{"dataBinding":"/l","componentId":"i"}}}}`, `"path":"/l","contents":[{"key":"0","valueMap":[{"key":"n","valueString":"Old"}]}]`},
		"choice": {`{"MultipleChoice":{"options":[{"label":{"literalString":"A"},"value":"Old"}],"selections":{"path":"/m"}}}`, `"path":"/m","contents":[{"key":"0","valueString":"Old"}]`},
		"box":    {`{"CheckBox":{"label":{"literalString":"K"},"value":{"path":"/k"}}}`, `"path":"/k","contents":[]`},
	} {
		for update, more := range map[string]string{
			"some": `"contents":[{"key":"keep","valueString":"New"}]`,
			"none": `"path":"/","contents":[]`,
			"rows": `"path":"/l","contents":[{"key":"0","valueMap":[{"key":"other","valueString":"New"}]}]`,
		} {
			var msgs []a2ui.Message
			for _, raw := range []string{
				`{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"root","component":{"Column":{"children":{"explicitList":["x","k"]}}}},` +
					`{"id":"k","component":{"Text":{"text":{"path":"/keep"}}}},{"id":"i","component":{"Text":{"text":{"path":"n"}}}},` +
					`{"id":"x","component":` + c.component + `}]}}`,
				`{"dataModelUpdate":{"surfaceId":"main","contents":[{"key":"keep","valueString":"K"}]}}`,
				`{"dataModelUpdate":{"surfaceId":"main",` + c.data + `}}`,
				`{"beginRendering":{"surfaceId":"main","root":"root"}}`,
				`{"dataModelUpdate":{"surfaceId":"main",` + more + `}}`,
			} {
				m, err := a2ui.DecodeMessageAs(a2ui.V08, []byte(raw))
				if err != nil {
					t.Fatal(err)
				}
				msgs = append(msgs, m)
			}
			was, now := folded(t, a2ui.V08, msgs[:4]), folded(t, a2ui.V08, msgs)
			for _, to := range dialects {
				id, rules := as(to, 1).ID, a2ui.Rules{Dialect: to, Profile: a2ui.Safe}
				whole, _ := now.Create(as(to, 2))
				follows := a2ui.NewValidator(rules)
				before, _ := was.Create(as(to, 1))
				since, _ := now.Since(was, as(to, 1), as(to, 2))
				problems := slices.Concat(a2ui.Validate(rules, whole), follows.Check(before), follows.Check(since))
				if len(problems) > 0 {
					t.Errorf("%s, %s → %s: %v", name, update, to, &problems[0])
				}
				followed, started := client.New(to, client.LikeWebCore), client.New(to, client.LikeWebCore)
				followed.ApplyAll(append(before, since...))
				started.ApplyAll(whole)
				if got, want := followed.ShownHash(id), started.ShownHash(id); got != want {
					t.Errorf("%s, %s → %s: shows\n%s\nwant\n%s", name, update, to, followed.Dump(id), started.Dump(id))
				}
			}
		}
	}
}

// TestHealingCopiesOnce: the data of a surface are copied once, however much of them is missing or has no name. The test
// is not parallel, so that it counts its own bytes.
func TestHealingCopiesOnce(t *testing.T) {
	const n = 4000
	var context []a2ui.Prop
	for i := range n {
		context = append(context, a2ui.Prop{Name: fmt.Sprint("k", i), Value: a2ui.Path(fmt.Sprint("/in/k", i))})
	}
	for name, c := range map[string]struct {
		context []a2ui.Prop
		data    string
		want    int // members of /in
	}{
		"missing":  {context, `{"in":{"kept":1},"l":[]}`, n + 1},
		"nameless": {nil, `{"in":{"kept":1},"l":[` + strings.Repeat(`{"":1},`, n) + `{}]}`, 1},
	} {
		s := folded(t, a2ui.V09, []a2ui.Message{&a2ui.CreateSurface{SurfaceID: "main", CatalogID: a2ui.CatalogID(a2ui.V09)},
			&a2ui.UpdateComponents{SurfaceID: "main", Components: []a2ui.Component{
				{ID: "root", Type: "Button", Props: []a2ui.Prop{{Name: "child", Value: a2ui.Ref("t")},
					{Name: "action", Value: a2ui.Event{Name: "go", Context: c.context}}}},
				{ID: "t", Type: "Text", Props: []a2ui.Prop{{Name: "text", Value: a2ui.String("Go")}}}}}})
		var err error
		if s.Data, err = a2ui.ParseData([]byte(c.data)); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		msgs, _ := s.Create(as(a2ui.V09, 1))
		runtime.ReadMemStats(&after)
		if size := after.TotalAlloc - before.TotalAlloc; size > 64<<20 {
			t.Errorf("%s: %d bytes", name, size)
		}
		for _, m := range msgs {
			if u, ok := m.(*a2ui.UpdateData); ok && len(u.Value.At("in").Members) != c.want {
				t.Errorf("%s: %d members", name, len(u.Value.At("in").Members))
			}
		}
		if string(jsonx.Append(nil, s.Data)) != c.data {
			t.Errorf("%s: the agent's data became %.200s", name, jsonx.Append(nil, s.Data))
		}
	}
}

// TestTypedStays: an update sends what the agent wrote, and nothing that the user may have typed.
func TestTypedStays(t *testing.T) {
	t.Parallel()
	text := func(path, value string) a2ui.Message {
		return &a2ui.UpdateData{SurfaceID: "main", Path: path, Value: a2ui.TextData(value)}
	}
	field := a2ui.Component{ID: "root", Type: "TextField", Props: []a2ui.Prop{{Name: "label", Value: a2ui.String("City")},
		{Name: "value", Value: a2ui.Path("/city")}}}
	was := folded(t, a2ui.V09, []a2ui.Message{&a2ui.CreateSurface{SurfaceID: "main", CatalogID: a2ui.CatalogID(a2ui.V09)},
		&a2ui.UpdateComponents{SurfaceID: "main", Components: []a2ui.Component{field}}, text("/city", "Rome")})
	node, err := was.Node("")
	if err != nil {
		t.Fatal(err)
	}
	now, err := foreign.Read(node)
	if err != nil {
		t.Fatal(err)
	}
	shown, _ := a2ui.ParseData([]byte(`{"city":"Oslo"}`))
	now.ClientData = shown
	if msgs, _ := now.Since(was, as(a2ui.V09, 1), as(a2ui.V09, 2)); len(msgs) > 0 {
		t.Errorf("sent %d messages: what the user typed comes back", len(msgs))
	}
	c := client.New(a2ui.V09, client.Strict)
	msgs, _ := now.Create(as(a2ui.V09, 2))
	c.ApplyAll(msgs)
	if data, _ := c.Data(as(a2ui.V09, 2).ID); data.At("city").Text() != "Oslo" {
		t.Errorf("a client that comes back shows %q", data.At("city").Text())
	}
}

// TestTyped: what a user typed stays on the screens of clients of every version until the agent writes there, also
// what it had written before; and a component may be one of another type in the version of a client.
func TestTyped(t *testing.T) {
	t.Parallel()
	at := func(text string, data, shown string) *foreign.Surface {
		var msgs []a2ui.Message
		for _, raw := range []string{
			`{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":"` + a2ui.CatalogID(a2ui.V09) + `"}}`,
			`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/","value":` + data + `}}`,
			`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
				`{"id":"root","component":"Column","children":["in","out"]},{"id":"out","component":"Text","text":` + text + `},` +
				`{"id":"in","component":"TextField","label":"S","value":{"path":"/s"}}]}}`,
		} {
			m, err := a2ui.DecodeMessageAs(a2ui.V09, []byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			msgs = append(msgs, m)
		}
		s := folded(t, a2ui.V09, msgs)
		if shown != "" {
			var err error
			if s.ClientData, err = a2ui.ParseData([]byte(shown)); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	const path, call = `{"path":"/n"}`, `{"call":"formatString","args":{"value":"is ${/s}"}}`
	for name, c := range map[string]struct {
		was, now *foreign.Surface
		nothing  bool
		wrote    string
	}{
		"cleared": {at(path, `{"s":"","n":"1"}`, `{"s":"Rome","n":"1"}`), at(path, `{"s":"","n":"1"}`, `{"s":"","n":"1"}`), false, "/s"},
		"below": {at(path, `{"s":"","n":"1","o":{"x":"","y":""}}`, `{"s":"Rome","n":"1","o":{"x":"a","y":""}}`),
			at(path, `{"s":"","n":"1","o":{"x":"","y":""}}`, `{"s":"Rome","n":"1","o":{"x":"","y":""}}`), false, "/o"},
		"beside":     {at(path, `{"s":"","n":"1"}`, `{"s":"Rome","n":"1"}`), at(path, `{"s":"","n":"2"}`, `{"s":"Rome","n":"2"}`), false, "/n"},
		"typed":      {at(path, `{"s":"","n":"1"}`, `{"s":"Rome","n":"1"}`), at(path, `{"s":"","n":"1"}`, `{"s":"Oslo","n":"1"}`), true, ""},
		"first":      {at(path, `{"s":"","n":"1"}`, ""), at(path, `{"s":"","n":"1"}`, `{"s":"Oslo","n":"1"}`), true, ""},
		"null":       {at(path, `{"s":"a","n":"1"}`, ""), at(path, `{"s":null,"n":null}`, ""), false, "/"},
		"other type": {at(path, `{"s":"","n":"1"}`, ""), at(call, `{"s":"","n":"1"}`, ""), false, ""},
	} {
		if c.wrote != "" {
			c.now.Write(c.wrote)
		}
		for _, to := range dialects {
			before, _ := c.was.Create(as(to, 1))
			since, _ := c.now.Since(c.was, as(to, 1), as(to, 1))
			if c.nothing {
				if len(since) > 0 {
					t.Errorf("%s → %s: %d messages", name, to, len(since))
				}
				continue
			}
			whole, _ := c.now.Create(as(to, 1))
			follows := a2ui.NewValidator(a2ui.Rules{Dialect: to, Profile: a2ui.Safe})
			if problems := append(follows.Check(before), follows.Check(since)...); len(problems) > 0 {
				t.Errorf("%s → %s: %v", name, to, &problems[0])
			}
			id := as(to, 1).ID
			followed, started := client.New(to, client.LikeWebCore), client.New(to, client.LikeWebCore)
			followed.ApplyAll(append(before, since...))
			started.ApplyAll(whole)
			if followed.ShownHash(id) != started.ShownHash(id) {
				t.Errorf("%s → %s: shows\n%s\nwant\n%s", name, to, followed.Dump(id), started.Dump(id))
			}
		}
	}
}

// TestNullsInRows: a null that an agent writes into a row, or as a row, is on the screen of a client that follows as it is
// on that of one that comes later.
func TestNullsInRows(t *testing.T) {
	t.Parallel()
	var msgs []a2ui.Message
	for _, raw := range []string{
		`{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":"` + a2ui.CatalogID(a2ui.V09) + `"}}`,
		`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
			`{"id":"root","component":"List","children":{"path":"/rows","componentId":"row"}},` +
			`{"id":"row","component":"Row","children":["note","in"]},` +
			`{"id":"note","component":"Text","text":{"path":"note"}},` +
			`{"id":"in","component":"TextField","label":"S","value":{"path":"s"}}]}}`,
	} {
		msgs = append(msgs, limntest.Must(a2ui.DecodeMessageAs(a2ui.V09, []byte(raw))))
	}
	base := folded(t, a2ui.V09, msgs)
	for _, c := range [][2]string{
		{`{"rows":[{"note":"x","s":"a"}]}`, `{"rows":[{"note":null,"s":"a"}]}`},
		{`{"rows":[{"note":"x","s":"a"}]}`, `{"rows":[{"note":"x","s":null}]}`},
		{`{"rows":[{"note":null,"s":"a"}]}`, `{"rows":[{"note":null,"s":"a"}]}`},
		{`{"rows":[{"note":"x","s":"a"}]}`, `{"rows":[{"note":"x","s":"a"},null]}`},
		{`{"rows":[{"note":"x","s":"a"},{"note":"y","s":"b"}]}`, `{"rows":[null,{"note":"y","s":"b"}]}`},
		{`{"rows":[null,{"note":"y","s":"b"}]}`, `{"rows":[{"note":"x","s":"a"},{"note":"y","s":"b"}]}`},
		{`{"rows":[null,null]}`, `{"rows":[null,null,null]}`},
	} {
		for _, from := range []a2ui.Dialect{a2ui.V09, a2ui.V10} {
			was, now := folded(t, from, base.In(from)), folded(t, from, base.In(from))
			was.Data, now.Data = limntest.Must(a2ui.ParseData([]byte(c[0]))), limntest.Must(a2ui.ParseData([]byte(c[1])))
			was.ClientData = limntest.Must(a2ui.ParseData([]byte(strings.ReplaceAll(c[0], `"a"`, `"typed"`))))
			now.Write("/rows")
			for _, to := range dialects {
				before, _ := was.Create(as(to, 1))
				since, _ := now.Since(was, as(to, 1), as(to, 1))
				whole, _ := now.Create(as(to, 1))
				id := as(to, 1).ID
				followed, started := client.New(to, client.LikeWebCore), client.New(to, client.LikeWebCore)
				followed.ApplyAll(append(before, since...))
				started.ApplyAll(whole)
				if followed.ShownHash(id) != started.ShownHash(id) {
					t.Errorf("%s to %s, from %s to %s: shows\n%s\nwant\n%s", c[0], c[1], from, to, followed.Dump(id), started.Dump(id))
				}
			}
		}
	}
}

// TestWrites: the writes of a path are those of what is around it, too. Of more paths than are counted apart each counts
// as written.
func TestWrites(t *testing.T) {
	t.Parallel()
	s := foreign.Open(a2ui.V09, &a2ui.CreateSurface{SurfaceID: "main"})
	written := func() (n [3]uint64) {
		for i, path := range []string{"/o", "/o/x", "/ox"} {
			n[i] = s.Written(path)
		}
		return n
	}
	for _, c := range []struct {
		path string
		want [3]uint64
	}{{"/o", [3]uint64{1, 1, 0}}, {"o/x", [3]uint64{1, 2, 0}}, {"/", [3]uint64{2, 3, 1}}, {"", [3]uint64{3, 4, 2}}} {
		if s.Write(c.path); written() != c.want {
			t.Errorf("after a write to %q: %v, want %v", c.path, written(), c.want)
		}
	}
	for i := range 1000 {
		was, before := len(s.Writes), written()
		if s.Write(fmt.Sprintf("/list/%d", i)); len(s.Writes) >= was {
			continue
		}
		for k, n := range written() {
			if n <= before[k] {
				t.Errorf("%d writes after %d", n, before[k])
			}
		}
		return
	}
	t.Error("the paths are not bounded")
}

// TestTextThatIsAnID: clients of v0.8 draw a component in place of a text that is its id, so it is kept from being one.
func TestTextThatIsAnID(t *testing.T) {
	t.Parallel()
	var msgs []a2ui.Message
	for _, raw := range []string{
		`{"surfaceUpdate":{"surfaceId":"main","components":[` +
			`{"id":"root","component":{"Column":{"children":{"explicitList":["name","field"]}}}},` +
			`{"id":"name","component":{"Text":{"text":{"literalString":"field"}}}},` +
			`{"id":"field","component":{"TextField":{"label":{"literalString":"name"},"text":{"path":"/v"}}}}]}}`,
		`{"dataModelUpdate":{"surfaceId":"main","contents":[{"key":"v","valueString":"Oslo"}]}}`,
		`{"beginRendering":{"surfaceId":"main","root":"root"}}`,
	} {
		m, err := a2ui.DecodeMessageAs(a2ui.V08, []byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		msgs = append(msgs, m)
	}
	s := folded(t, a2ui.V08, msgs)
	for _, to := range dialects {
		made, _ := s.Create(as(to, 1))
		if problems := a2ui.NewValidator(a2ui.Rules{Dialect: to, Profile: a2ui.Safe}).Check(made); len(problems) > 0 {
			t.Errorf("%s: %v", to, &problems[0])
		}
		screen := client.New(to, client.LikeWebCore)
		screen.ApplyAll(made)
		shown := strings.ReplaceAll(screen.Dump(as(to, 1).ID), `\u200b`, "")
		if !strings.Contains(shown, `text "field"`) || !strings.Contains(shown, `textbox "name" = "Oslo"`) {
			t.Errorf("%s shows\n%s", to, shown)
		}
	}
}

// TestHiddenType: a component that changes its type while it is not drawn is taken by clients that had drawn it.
func TestHiddenType(t *testing.T) {
	t.Parallel()
	var msgs []a2ui.Message
	states := []*foreign.Surface{}
	for _, raw := range []string{
		`"createSurface":{"surfaceId":"main","catalogId":"` + a2ui.CatalogID(a2ui.V09) + `"}`,
		`"updateComponents":{"surfaceId":"main","components":[{"id":"root","component":"Column","children":["x","t"]},` +
			`{"id":"t","component":"Text","text":"T"},{"id":"x","component":"Column","children":["u"]},` +
			`{"id":"u","component":"Text","text":"U"}]}`,
		`"updateComponents":{"surfaceId":"main","components":[{"id":"root","component":"Column","children":["t"]}]}`,
		`"updateComponents":{"surfaceId":"main","components":[{"id":"x","component":"Row","children":["u"]}]}`,
		`"updateComponents":{"surfaceId":"main","components":[{"id":"root","component":"Column","children":["x","t"]}]}`,
	} {
		m, err := a2ui.DecodeMessageAs(a2ui.V09, []byte(`{"version":"v0.9",`+raw+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if msgs = append(msgs, m); len(msgs) > 1 {
			states = append(states, folded(t, a2ui.V09, msgs))
		}
	}
	for _, to := range dialects {
		follows := a2ui.NewValidator(a2ui.Rules{Dialect: to, Profile: a2ui.Safe})
		sent, _ := states[0].Create(as(to, 1))
		problems := follows.Check(sent)
		for i, now := range states[1:] {
			since, _ := now.Since(states[i], as(to, 1), as(to, 1))
			sent, problems = append(sent, since...), append(problems, follows.Check(since)...)
		}
		if len(problems) > 0 {
			t.Errorf("%s: %v", to, &problems[0])
		}
		whole, _ := states[3].Create(as(to, 1))
		id := as(to, 1).ID
		followed, started := client.New(to, client.LikeWebCore), client.New(to, client.LikeWebCore)
		followed.ApplyAll(sent)
		started.ApplyAll(whole)
		if followed.ShownHash(id) != started.ShownHash(id) {
			t.Errorf("%s: shows\n%s\nwant\n%s", to, followed.Dump(id), started.Dump(id))
		}
	}
}

// written is the surface of a v0.9 agent with some data and components.
func written(t testing.TB, data, components string) *foreign.Surface {
	t.Helper()
	var msgs []a2ui.Message
	for _, raw := range []string{
		`{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":"` + a2ui.CatalogID(a2ui.V09) + `"}}`,
		`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/","value":` + data + `}}`,
		`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` + components + `]}}`,
	} {
		m, err := a2ui.DecodeMessageAs(a2ui.V09, []byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		msgs = append(msgs, m)
	}
	return folded(t, a2ui.V09, msgs)
}

// TestFailedCalls: a call without a result shows nothing on clients without functions, and the others stay.
func TestFailedCalls(t *testing.T) {
	t.Parallel()
	for name, component := range map[string]string{
		"date":     `"component":"Text","text":{"call":"formatDate","args":{"value":{"path":"/when"},"format":"YYYY-MM-DD"}}`,
		"currency": `"component":"Text","text":{"call":"formatCurrency","args":{"value":1,"currency":""}}`,
		"number":   `"component":"Text","text":{"call":"formatNumber","args":{"value":"n/a"}}`,
		"nothing":  `"component":"Text","text":{"call":"formatString","args":{"value":"${/gone}"}}`,
		"image":    `"component":"Image","url":{"call":"formatNumber","args":{"value":"n/a"}}`,
		"box":      `"component":"CheckBox","label":"A","value":{"call":"and","args":{"values":[]}}`,
		"slider":   `"component":"Slider","label":"A","max":9,"value":{"call":"formatNumber","args":{"value":"n/a"}}`,
	} {
		s := written(t, `{"when":"2026-01-02"}`, `{"id":"root","component":"Column","children":["ok","x"]},`+
			`{"id":"ok","component":"Text","text":{"call":"formatNumber","args":{"value":2}}},{"id":"x",`+component+`}`)
		msgs, _ := s.Create(as(a2ui.V08, 1))
		if problems := a2ui.Validate(a2ui.Rules{Dialect: a2ui.V08, Profile: a2ui.Safe}, msgs); len(problems) > 0 {
			t.Errorf("%s: %v", name, &problems[0])
		}
		c := client.New(a2ui.V08, client.Strict)
		if failed := c.ApplyAll(msgs); len(failed) > 0 {
			t.Errorf("%s: %v", name, failed[0])
		}
		shown := client.New(a2ui.V09, client.Strict)
		whole, _ := s.Create(as(a2ui.V09, 1))
		shown.ApplyAll(whole)
		if id := as(a2ui.V08, 1).ID; name != "slider" && c.ShownHash(id) != shown.ShownHash(id) {
			t.Errorf("%s: shows\n%s\nwant\n%s", name, c.Dump(id), shown.Dump(id))
		}
	}
}

// TestChoicesInRows: a ChoicePicker of an item of a list is shown to clients of v0.8.
func TestChoicesInRows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ data, path, items, tags string }{
		"item":    {`{"items":[{"tags":["a"]},{"tags":[]}]}`, `"/items"`, "", `"tags"`},
		"deep":    {`{"items":[{"my":{"tags":["a"]}}]}`, `"/items"`, "", `"my/tags"`},
		"in item": {`{"items":[{"sub":[{"tags":["a"]}]}]}`, `"/items"`, `"sub"`, `"tags"`},
	} {
		row := `{"id":"row","component":"ChoicePicker","options":[{"label":"A","value":"a"}],"value":{"path":` + c.tags + `}}`
		if c.items != "" {
			row = `{"id":"row","component":"List","children":{"componentId":"in","path":` + c.items + `}},` +
				strings.Replace(row, `"row"`, `"in"`, 1)
		}
		msgs, _ := written(t, c.data, `{"id":"root","component":"List","children":{"componentId":"row","path":`+c.path+`}},`+
			row).Create(as(a2ui.V08, 1))
		if problems := a2ui.Validate(a2ui.Rules{Dialect: a2ui.V08, Profile: a2ui.Safe}, msgs); len(problems) > 0 {
			t.Errorf("%s: %v", name, &problems[0])
		}
	}
}

// TestWideData: an update of one of many values, and one that takes all away, do not compare each key with each other:
// this would take minutes.
func TestWideData(t *testing.T) {
	t.Parallel()
	const n = 100_000
	at := func(value string, keys int) *foreign.Surface {
		s := written(t, `{}`, `{"id":"root","component":"Text","text":{"path":"/o/last"}}`)
		members := make([]a2ui.Member, 0, keys+1)
		for i := range keys {
			members = append(members, a2ui.Member{Key: fmt.Sprintf("a key as long as the others%020d", i), Value: jsonx.OfInt(1)})
		}
		members = append(members, a2ui.Member{Key: "last", Value: jsonx.Of(value)})
		s.Data = jsonx.OfObject(a2ui.Member{Key: "o", Value: jsonx.OfObject(members...)})
		return s
	}
	was, now, few := at("a", n), at("b", n), at("b", 0)
	now.Write("/o")
	if msgs, _ := now.Since(was, as(a2ui.V09, 1), as(a2ui.V09, 2)); len(msgs) != n+1 {
		t.Errorf("one of %d values: %d messages", n, len(msgs))
	}
	if msgs, _ := few.Since(was, as(a2ui.V09, 1), as(a2ui.V09, 2)); len(msgs) != n+1 {
		t.Errorf("all but one of %d values: %d messages", n, len(msgs))
	}
}

// TestNamedItems: a list of v0.8 whose items have names, and lists in its items, are shown to clients of each version in
// their order, also after a change. Other maps keep their keys.
func TestNamedItems(t *testing.T) {
	t.Parallel()
	at := func(data string) *foreign.Surface {
		var msgs []a2ui.Message
		for _, raw := range []string{
			`{"surfaceUpdate":{"surfaceId":"main","components":[` +
				`{"id":"root","component":{"Column":{"children":{"explicitList":["list","city"]}}}},` +
				`{"id":"list","component":{"List":{"children":{"template":{"componentId":"row","dataBinding":"/my/items"}}}}},` +
				`{"id":"row","component":{"Column":{"children":{"explicitList":["name","tags"]}}}},` +
				`{"id":"name","component":{"Text":{"text":{"path":"name"}}}},` +
				`{"id":"tags","component":{"List":{"children":{"template":{"componentId":"tag","dataBinding":"more/tags"}}}}},` +
				`{"id":"tag","component":{"Text":{"text":{"path":"t"}}}},` +
				`{"id":"city","component":{"Text":{"text":{"path":"/my/city/name"}}}}]}}`,
			`{"beginRendering":{"surfaceId":"main","root":"root"}}`,
		} {
			m, err := a2ui.DecodeMessageAs(a2ui.V08, []byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			msgs = append(msgs, m)
		}
		s := folded(t, a2ui.V08, msgs)
		var err error
		if s.Data, err = a2ui.ParseData([]byte(data)); err != nil {
			t.Fatal(err)
		}
		return s
	}
	const item = `{"name":"%s","more":{"tags":{"x":{"t":"%[1]s1"},"y":{"t":"%[1]s2"}}}}`
	first := `{"my":{"city":{"name":"Oslo"},"items":{"item2":` + fmt.Sprintf(item, "Sun") + `,"item1":` + fmt.Sprintf(item, "Ice") + `}}}`
	was, now := at(first), at(strings.TrimSuffix(first, `}}}`)+`,"item3":`+fmt.Sprintf(item, "Bar")+`}}}`)
	now.Write("/my")
	less := at(first)
	less.Write("/my")
	for _, to := range dialects {
		made, _ := was.Create(as(to, 1))
		next, _ := now.Since(was, as(to, 1), as(to, 2))
		last, _ := less.Since(now, as(to, 2), as(to, 3))
		screen := client.New(to, client.LikeWebCore)
		v := a2ui.NewValidator(a2ui.Rules{Dialect: to, Profile: a2ui.Safe})
		for i, want := range []string{"Sun Sun1 Sun2 Ice Ice1 Ice2 Oslo", "Sun Sun1 Sun2 Ice Ice1 Ice2 Bar Bar1 Bar2 Oslo",
			"Sun Sun1 Sun2 Ice Ice1 Ice2 Oslo"} {
			msgs := [][]a2ui.Message{made, next, last}[i]
			if problems := v.Check(msgs); len(problems) > 0 {
				t.Errorf("%s, %d: %v", to, i, &problems[0])
			}
			screen.ApplyAll(msgs)
			view, err := screen.Surface(as(to, 1).ID)
			var words []string
			for n := range view.Root.All() {
				if n.Text != "" {
					words = append(words, n.Text)
				}
			}
			if got := strings.Join(words, " "); err != nil || got != want {
				t.Errorf("%s, %d: %v %q", to, i, err, got)
			}
		}
	}
	if got := string(a2ui.AppendData(nil, was.Data)); got != first {
		t.Errorf("the data are changed: %s", got)
	}
}

// TestKeysOfItems: a list of v0.8 keeps its keys for clients of v0.8 if they are numbers, and if a component names an item
// of it, so that it shows that one.
func TestKeysOfItems(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ bound, data, want string }{
		"no item is named":      {"/n", `{"n":"N","l":{"x":{"t":"X"},"y":{"t":"Y"}}}`, `{"n":"N","l":{"0":{"t":"X"},"1":{"t":"Y"}}}`},
		"one is named":          {"/l/y/t", `{"l":{"x":{"t":"X"},"y":{"t":"Y"}}}`, `{"l":{"x":{"t":"X"},"y":{"t":"Y"}}}`},
		"numbers":               {"/l/0/t", `{"l":{"1":{"t":"X"},"0":{"t":"Y"}}}`, `{"l":{"1":{"t":"X"},"0":{"t":"Y"}}}`},
		"numbers, none named":   {"/n", `{"n":"N","l":{"1":{"t":"X"},"0":{"t":"Y"}}}`, `{"n":"N","l":{"1":{"t":"X"},"0":{"t":"Y"}}}`},
		"numbers with a gap":    {"/n", `{"n":"N","l":{"0":{"t":"X"},"2":{"t":"Y"}}}`, `{"n":"N","l":{"0":{"t":"X"},"1":{"t":"Y"}}}`},
		"the same number twice": {"/n", `{"n":"N","l":{"0":{"t":"X"},"00":{"t":"Y"}}}`, `{"n":"N","l":{"0":{"t":"X"},"1":{"t":"Y"}}}`},
	} {
		list := `{"List":{"children":{"template":{"componentId":"row","dataBinding":"/l"}}}}`
		var msgs []a2ui.Message
		for _, raw := range []string{`{"surfaceUpdate":{"surfaceId":"main","components":[` +
			`{"id":"root","component":{"Column":{"children":{"explicitList":["a","b","one"]}}}},` +
			`{"id":"a","component":` + list + `},{"id":"b","component":` + list + `},` +
			`{"id":"row","component":{"Text":{"text":{"path":"t"}}}},` +
			`{"id":"one","component":{"Text":{"text":{"path":"` + c.bound + `"}}}}]}}`,
			`{"beginRendering":{"surfaceId":"main","root":"root"}}`} {
			m, err := a2ui.DecodeMessageAs(a2ui.V08, []byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			msgs = append(msgs, m)
		}
		s := folded(t, a2ui.V08, msgs)
		var err error
		if s.Data, err = a2ui.ParseData([]byte(c.data)); err != nil {
			t.Fatal(err)
		}
		made, _ := s.Create(as(a2ui.V08, 1))
		screen := client.New(a2ui.V08, client.LikeWebCore)
		screen.ApplyAll(made)
		data, _ := screen.Data(as(a2ui.V08, 1).ID)
		want, _ := a2ui.ParseData([]byte(c.want))
		if !jsonx.Equal(data, want) {
			t.Errorf("%s: %s, want %s", name, a2ui.AppendData(nil, data), c.want)
		}
	}
}
