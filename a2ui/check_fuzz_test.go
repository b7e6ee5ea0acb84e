package a2ui_test

import (
	"fmt"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

func ExampleValidator_Reset() {
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09})
	create := []a2ui.Message{&a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V09), Root: "root"}}
	fmt.Println(len(v.Check(create)), len(v.Check(create)))
	v.Reset()
	fmt.Println(len(v.Check(create)))
	// Output:
	// 0 1
	// 0
}

func ExampleAliases() {
	id := a2ui.Aliases()["https://a2ui.org/specification/v0_9/basic_catalog.json"]
	fmt.Println(id == a2ui.CatalogID(a2ui.V09))
	// Output: true
}

// FuzzValidate judges any messages of any version in both profiles. What Safe
// lets through Spec does, what Spec lets through can be written, and a validator
// that is used again says the same as a new one.
func FuzzValidate(f *testing.F) {
	for _, c := range cases10 {
		f.Add([]byte(c.line))
	}
	for _, c := range faults[:20] {
		f.Add([]byte(c.lines[len(c.lines)-1]))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		d, msgs, err := a2ui.DecodeMessages(in)
		if err != nil {
			return
		}
		rules := a2ui.Rules{Dialect: d, Partial: true}
		if d.Features().OwnCatalogs {
			rules.Catalogs = []*a2ui.Catalog{charts()}
		}
		spec := a2ui.NewValidator(rules)
		first := spec.Check(msgs)
		rules.Profile = a2ui.Safe
		if safe := a2ui.Validate(rules, msgs); len(safe) == 0 && len(first) > 0 {
			t.Fatalf("Safe takes what Spec refuses:%s", list(first))
		}
		spec.Reset()
		if again := spec.Check(msgs); fmt.Sprint(again) != fmt.Sprint(first) {
			t.Fatalf("first %s, again %s", list(first), list(again))
		}
		if len(first) > 0 {
			return
		}
		for _, m := range msgs {
			if _, err := a2ui.AppendMessage(nil, d, m); err != nil {
				t.Fatalf("Spec lets through what cannot be written: %v", err)
			}
		}
	})
}
