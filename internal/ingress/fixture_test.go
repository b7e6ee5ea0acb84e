package ingress

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

const (
	nonce   = "00ff00ff"
	surface = ui.Name("form:all")
)

var options = []ui.Option{{Value: "red"}, {Value: "deep blue"}, {Value: "v"}}

func field(name string, t ui.FieldType) ui.Field {
	f := ui.Field{Name: name, Type: t}
	switch t {
	case ui.TypeChoice, ui.TypeChoices:
		f.Options = options
	case ui.TypeSlider:
		f.Min, f.Max = "1", "9"
	}
	return f
}

// tree holds an input of every type, a table, a process, and a button of each
// kind.
func tree() ui.Node {
	main := &ui.Column{Key: "main"}
	for _, t := range ui.FieldTypes() {
		main.Children = append(main.Children, ui.InputFor(ui.PathOf(ui.DraftRoot, string(t)), field(string(t), t)))
	}
	main.Children = append(main.Children,
		&ui.Table{Rowset: ui.Rowset{Key: "items", Path: "/draft/items",
			Columns: []ui.Field{field("title", ui.TypeText), field("color", ui.TypeChoice),
				field("done", ui.TypeBoolean)}}},
		&ui.Steps{Rowset: ui.Rowset{Key: "steps", Path: "/draft/steps",
			Columns: []ui.Field{field("name", ui.TypeText)}}, Edges: "/draft/edges"},
		&ui.Text{Key: "hint", Path: "/ui_state/hint"})
	main.Children = append(main.Children,
		&ui.Button{Key: "submit", Action: ui.Action{Name: builtin.ActionSubmit, Context: ui.SubmitContext(main)}},
		&ui.Button{Key: "send", Action: ui.Action{Name: "send",
			Context: []ui.Context{{Key: "who", Path: "/draft/text"}, {Key: "kind", Value: ui.String("urgent")},
				{Key: "hint", Path: "/ui_state/hint"}}}},
		&ui.Button{Key: "more", Action: ui.Action{Name: "more", Repeat: true}},
		&ui.Button{Key: "secret", Action: ui.Action{Name: "secret"}})
	return main
}

// state has the surface at epoch 2, rev 5, guard 4.
func state(t testing.TB) *ui.State {
	s := ui.NewState("c")
	apply := func(ops ...ui.Op) {
		next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, Ops: ops}, ui.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	root := tree()
	open := &ui.Open{Surface: surface, Nonce: nonce, Root: ui.Nodes{root}, Draft: ui.BlankDraft(root, ui.Value{}),
		UIState: ui.Map(ui.Pair{Key: "hint", Value: ui.String("server")})}
	apply(open)
	apply(open)
	for range 2 {
		apply(&ui.Draft{Surface: surface})
	}
	apply(&ui.Patch{Surface: surface, Changes: []ui.PatchOne{
		{Do: ui.PatchSet, Path: "/draft/longtext", Value: ui.String("from the server")}}})
	apply(&ui.Draft{Surface: surface})
	sf := s.Surface(surface)
	if sf.Epoch != 2 || sf.Rev != 5 || sf.Guard != 4 {
		t.Fatalf("surface %v guard %d", sf, sf.Guard)
	}
	return s
}

// click is a press of the button at key, with JSON members as its context.
func click(t testing.TB, key, context string) *ui.ActionEvent {
	v, err := jsonx.Parse([]byte("{"+context+"}"), jsonx.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	action, _ := state(t).Surface(surface).ActionAt(ui.KeyPath("main/" + key))
	return &ui.ActionEvent{Surface: "form:all#e=2", Name: action.Name, Component: "c#main/" + key + ":Button",
		Nonce: nonce, Rev: 5, Context: v, Timestamp: "2026-11-20T12:00:00Z"}
}

var allowed = Policy{Allowed: func(name string) bool { return name != "secret" },
	Context: func(action string) []ui.Field {
		if action != "send" {
			return nil
		}
		return []ui.Field{{Name: "count", Type: ui.TypeNumber}, {Name: "tags", Type: ui.TypeChoices}, {Name: "who", Type: ui.TypeNumber}}
	}}

// values is the admitted draft as path → JSON.
func values(a *Admitted) map[ui.Path]string {
	out := map[ui.Path]string{}
	if a != nil {
		for _, l := range a.Values {
			out[l.Path] = string(l.Value.AppendJSON(nil))
		}
	}
	return out
}

func envelope(context string) []byte {
	return fmt.Appendf(nil,
		`{"userAction":{"name":"limn.submit","surfaceId":"form:all#e=2","sourceComponentId":"c#main/submit:Button","timestamp":"2026-11-20T12:00:00Z","context":{%s}}}`, context)
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
