package execute

import (
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/ui"
)

// TestDecidedByOthers: a field under decide is an input of those who decide. Others do not
// see it while it is empty, read it when it has a value, and save it as it was.
func TestDecidedByOthers(t *testing.T) {
	t.Parallel()
	e := env(t)
	var err error
	if e.App, err = app.Load("ask.yaml", []byte(`name: ask
forms:
  - name: ask
    title: Ask
    fields: [{name: what}, {name: stage, label: Stage, type: choice, options: [Open, Done], default: Open}]
records: [{name: ask, decide: {fields: [stage], roles: [boss]}}]
`)); err != nil {
		t.Fatal(err)
	}
	const n ui.Name = "form:ask"
	at := func(stage string) ui.Value {
		return ui.Map(ui.Pair{Key: "what", Value: ui.String("A desk")}, ui.Pair{Key: "stage", Value: ui.String(stage)})
	}
	for _, c := range []struct {
		decides bool
		was     ui.Value
		input   bool
		text    string
		want    string
	}{
		{true, ui.Value{}, true, "", "Open"},
		{false, ui.Value{}, false, "", "Open"},
		{false, at("Open"), false, "Stage: Open", "Open"},
		{false, at("Done"), false, "Stage: Done", ""}, // it is no longer theirs
		{true, at("Done"), true, "", "Done"},
	} {
		e.Decides = func(app.RecordSpec, string) bool { return c.decides }
		s, _, _ := run(t, e, &ui.State{ID: "c"}, directive.TypeShowForm, `{"name":"ask","values":{"what":"A desk"}}`)
		if !c.was.IsNull() {
			f, _ := e.App.Form("ask")
			o := e.App.OpenForm(f, c.was)
			o.Origin.Record, o.Origin.Params = ui.RecordRef{ID: "r", Version: 1, Owner: "ann"}, c.was
			s = apply(t, e, &ui.State{ID: "c"}, e.readOnly(o).Op("n"))
		}
		sf, text := s.Surface(n), ""
		for node := range ui.All(sf.Tree()) {
			if x, ok := node.(*ui.Text); ok {
				text += x.Text
			}
		}
		if hasInput(sf, "stage") != c.input || text != c.text {
			t.Errorf("%+v: input %t, text %q", c, hasInput(sf, "stage"), text)
		}
		_, s = press(t, e, s, n, ui.Action{Name: builtin.ActionRegenerate})
		if again := s.Surface(n); again.Origin.Record != sf.Origin.Record || hasInput(again, "stage") != c.input {
			t.Errorf("%+v: drawn anew it is of %+v, input %t", c, again.Origin.Record, hasInput(again, "stage"))
		}
		sf = s.Surface(n)
		step := Step{}.submit(e, s, sf, Click{Surface: sf, Action: ui.Action{Name: builtin.ActionSubmit}})
		got := apply(t, e, s, step.Ops...)
		if v, _ := got.Committed.Get("ask", "stage"); v.Text() != c.want {
			t.Errorf("%+v: saved %q, want %q", c, v.Text(), c.want)
		}
	}
}
