package html_test

import (
	"fmt"

	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/ui"
)

func ExampleAppendSurface() {
	name := ui.InputFor("/draft/name", ui.Field{Name: "name", Label: "Name", Type: ui.TypeText})
	s := &ui.Surface{Name: "form:customer", Epoch: 1, Rev: 1, Nonce: "5e1f", Status: ui.StatusSubmitted, Title: "Customer",
		Root: ui.Nodes{name}, Draft: ui.Map(ui.Pair{Key: "name", Value: ui.String("Ada & Co")})}
	fmt.Printf("%s\n", html.AppendSurface(nil, nil, s, html.Options{Action: "/c/1/actions"}))
	// Output:
	// <turbo-frame id="form:customer#e=1" target="_top"><section class="limn-surface limn-submitted limn-done" data-seq="0" aria-labelledby="limn-formCcustomerE1T"><h2 class="limn-title" id="limn-formCcustomerE1T">Customer</h2><p class="limn-when"><span class="limn-answered"><span aria-hidden="true">✓ </span>Submitted</span></p><dl class="limn-lines"><div><dt>Name</dt><dd>Ada &amp; Co</dd></div></dl><details class="limn-all" id="limn-formCcustomerE1U"><summary>Show all</summary><dl class="limn-value"><div><dt>Name</dt><dd id="limn-formCcustomerE1ISname">Ada &amp; Co</dd></div></dl></details></section></turbo-frame>
}

func ExampleUpdate() {
	name := ui.InputFor("/draft/name", ui.Field{Name: "name", Label: "Name", Type: ui.TypeText})
	s0 := ui.NewState("c")
	open := &ui.Frame{V: 1, Seq: 1, Ops: ui.Ops{&ui.Open{Surface: "form:customer", Nonce: "5e1f", Title: "Customer", Root: ui.Nodes{name}}}}
	s1, _, _ := ui.Apply(s0, open, ui.Limits{})
	refuse := &ui.Frame{V: 1, Seq: 2, Ops: ui.Ops{&ui.Errors{Surface: "form:customer", Errors: []ui.FieldError{{Path: "/draft/name", Text: "Name is required."}}}}}
	s2, changes, _ := ui.Apply(s1, refuse, ui.Limits{})
	refuse.Changes = changes
	for _, stream := range html.Update(s1, s2, refuse, html.Options{Action: "/c/1/actions"}) {
		fmt.Println(stream)
	}
	fmt.Println(html.Target("/draft/name", s2.Surface("form:customer")))
	// Output:
	// <turbo-stream action="update" target="limn-formCcustomerE1RSname"><template>Name is required.</template></turbo-stream>
	// <turbo-stream action="update" target="limn-formCcustomerE1M"><template><p>Please check:</p><ul><li><a href="#limn-formCcustomerE1ISname">Name is required.</a></li></ul></template></turbo-stream>
	// <turbo-stream action="replace" target="limn-formCcustomerE1V"><template><input type="hidden" autocomplete="off" name="limn_rev" id="limn-formCcustomerE1V" value="2"></template></turbo-stream>
	// limn-formCcustomerE1ISname
}
