package ui_test

import (
	"fmt"

	"github.com/limn-ui/limn/ui"
)

func form() ui.Node {
	return &ui.Column{Key: "main", Children: ui.Nodes{
		ui.InputFor("/draft/name", ui.Field{Name: "name", Label: "Name", Type: ui.TypeText, Required: true}),
		ui.InputFor("/draft/age", ui.Field{Name: "age", Label: "Age", Type: ui.TypeNumber, Max: "120"}),
	}}
}

func ExampleApply() {
	s := ui.NewState("0193")
	open := &ui.Open{Surface: "form:customer", Nonce: "00ff", Title: "Customer", Root: ui.Nodes{form()}}
	s, changes, err := ui.Apply(s, &ui.Frame{Seq: 1, Ops: ui.Ops{open}}, ui.Limits{})
	fmt.Println(s.Surface("form:customer"), changes[0].Kind, err)

	typed := &ui.Draft{Surface: "form:customer", Values: []ui.Leaf{{Path: "/draft/name", Value: ui.String("Ada")}}}
	s, changes, _ = ui.Apply(s, &ui.Frame{Seq: 2, Ops: ui.Ops{typed}}, ui.Limits{})
	fmt.Println(s.Surface("form:customer"), changes[0].Kind, "guard", changes[0].Guard)

	_, _, err = ui.Apply(s, &ui.Frame{Seq: 9}, ui.Limits{})
	fmt.Println(err)
	// Output:
	// form:customer#e=1 rev 1 open opened <nil>
	// form:customer#e=1 rev 2 open data guard 1
	// UI_SEQUENCE at /seq: frame 9 does not follow state 2
}

func ExampleParsePath() {
	p, warning, err := ui.ParsePath("address/city", false)
	fmt.Println(p, warning, err)
	_, _, err = ui.ParsePath("address/city", true)
	fmt.Println(err)
	// Output:
	// /draft/address/city UI_PATH_SEGMENTS at address/city: segment path made absolute <nil>
	// UI_PATH_INVALID at address/city: path must start with '/'
}

func ExampleCheckSurface() {
	s := &ui.Surface{Root: ui.Nodes{form()}, Draft: ui.Map(
		ui.Pair{Key: "name", Value: ui.String("Ada")}, ui.Pair{Key: "age", Value: ui.String("240")})}
	values, errs := ui.CheckSurface(s, nil)
	fmt.Println(string(values.AppendJSON(nil)))
	for _, e := range errs {
		fmt.Println(e.Path, e.Code, e.Text)
	}
	// Output:
	// {"name":"Ada"}
	// /draft/age FIELD_RANGE Age must be at most 120.
}

func ExampleOrderBetween() {
	first := ui.OrderBetween("", "")
	second := ui.OrderBetween(first, "")
	fmt.Println(first, second, ui.OrderBetween(first, second), ui.OrderBetween("", first))
	// Output: n o nn g
}

func ExampleWords_Say() {
	w := ui.Words{"submit.done": "Gespeichert."}
	fmt.Println(w.Say("submit.done"))
	fmt.Println(w.Say("field.max", "label", "Age", "max", "120"))
	// Output:
	// Gespeichert.
	// Age must be at most 120.
}

// Words speak the language of their page.lang.
func ExampleWords() {
	words := ui.Words{"page.lang": "de", "submit.done": "Danke!"}
	fmt.Println(words.Say("submit.done"))
	fmt.Println(words.Say("field.required", "label", "Name"))
	// Output:
	// Danke!
	// Name muss ausgefüllt sein.
}
