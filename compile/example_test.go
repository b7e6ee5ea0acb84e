package compile_test

import (
	"fmt"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/ui"
)

func ExampleSnapshot() {
	name := ui.InputFor("/draft/name", ui.Field{Name: "name", Label: "Name", Type: ui.TypeText})
	state := &ui.State{ID: "c1", Surfaces: []*ui.Surface{{
		Name: "form:hello", Epoch: 1, Rev: 1, Nonce: "n", Status: ui.StatusOpen, Title: "Hello",
		Root: ui.Nodes{name}, Draft: ui.BlankDraft(name, ui.Value{}),
	}}}
	batches, err := compile.Snapshot(compile.Target{Dialect: a2ui.V09}, state)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range batches.Messages() {
		b, err := a2ui.AppendMessage(nil, a2ui.V09, m)
		fmt.Println(string(b), err)
	}
	// Output:
	// {"version":"v0.9","createSurface":{"surfaceId":"form:hello#e=1","catalogId":"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}} <nil>
	// {"version":"v0.9","updateDataModel":{"surfaceId":"form:hello#e=1","path":"/","value":{"ui_state":{"rev":1},"draft":{"name":""}}}} <nil>
	// {"version":"v0.9","updateComponents":{"surfaceId":"form:hello#e=1","components":[{"id":"root","component":"Column","children":["c#!title:Text","c#name:TextField"],"justify":"start","align":"stretch"},{"id":"c#!title:Text","component":"Text","text":"Hello","variant":"h2"},{"id":"c#name:TextField","component":"TextField","label":"Name","value":{"path":"/draft/name"},"variant":"shortText","checks":[]}]}} <nil>
}

func ExampleUpdate() {
	name := ui.InputFor("/draft/name", ui.Field{Name: "name", Label: "Name", Type: ui.TypeText})
	open := &ui.Open{Surface: "form:hello", Nonce: "n", Root: ui.Nodes{name}, Draft: ui.BlankDraft(name, ui.Value{})}
	before, _, _ := ui.Apply(ui.NewState("c1"), &ui.Frame{Seq: 1, Ops: ui.Ops{open}}, ui.Limits{})

	frame := &ui.Frame{Seq: 2, Ops: ui.Ops{&ui.Patch{Surface: "form:hello",
		Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: "/draft/name", Value: ui.String("Ada")}}}}}
	after, changes, _ := ui.Apply(before, frame, ui.Limits{})
	frame.Changes = changes

	batches, err := compile.Update(compile.Target{Dialect: a2ui.V09}, before, after, frame)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range batches.Messages() {
		b, err := a2ui.AppendMessage(nil, a2ui.V09, m)
		fmt.Println(string(b), err)
	}
	// Output:
	// {"version":"v0.9","updateDataModel":{"surfaceId":"form:hello#e=1","path":"/draft/name","value":"Ada"}} <nil>
	// {"version":"v0.9","updateDataModel":{"surfaceId":"form:hello#e=1","path":"/ui_state/rev","value":2}} <nil>
}
