package a2ui_test

import (
	"fmt"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/official"
)

// decodedCorpus are the decoded basic examples of v0.9.
func decodedCorpus(t testing.TB) (out [][]a2ui.Message) {
	for _, file := range official.Files("v0_9/catalogs/basic/examples/*.json") {
		var msgs []a2ui.Message
		for _, item := range exampleMessages(t, file) {
			m, err := a2ui.DecodeMessageAs(a2ui.V09, jsonx.Append(nil, item))
			if err != nil {
				t.Fatal(err)
			}
			msgs = append(msgs, m)
		}
		out = append(out, msgs)
	}
	if len(out) == 0 {
		t.Skip(official.ErrMissing)
	}
	return out
}

func BenchmarkValidateCorpus(b *testing.B) {
	list := decodedCorpus(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, msgs := range list {
			if p := a2ui.Validate(a2ui.Rules{Dialect: a2ui.V09}, msgs); p != nil {
				b.Fatal(&p[0])
			}
		}
	}
}

// BenchmarkValidateCorpusAgain is one Validator for all.
func BenchmarkValidateCorpusAgain(b *testing.B) {
	list := decodedCorpus(b)
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09})
	b.ReportAllocs()
	for b.Loop() {
		for _, msgs := range list {
			v.Reset()
			if p := v.Check(msgs); p != nil {
				b.Fatal(&p[0])
			}
		}
	}
}

// wide400 are messages of 400 components: fine, and hostile ones.
func wide400() map[string][]a2ui.Message {
	out := map[string][]a2ui.Message{}
	for _, name := range []string{"fine", "ring", "fan", "unknown", "faults"} {
		list := []a2ui.Component{{ID: "root", Type: "Column"}}
		kids := a2ui.Refs{}
		for i := range 399 {
			id := fmt.Sprint("c", i)
			kids = append(kids, id)
			c := a2ui.Component{ID: id, Type: "TextField",
				Props: []a2ui.Prop{{Name: "label", Value: a2ui.String("Field")},
					{Name: "value", Value: a2ui.Path("/draft/" + id)}}}
			switch name {
			case "ring":
				c = a2ui.Component{ID: id, Type: "Card",
					Props: []a2ui.Prop{{Name: "child", Value: a2ui.Ref(fmt.Sprint("c", (i+1)%399))}}}
			case "unknown":
				c.Type = "Nope"
			case "faults":
				c.Props = []a2ui.Prop{{Name: "label", Value: a2ui.Bool(true)}, {Name: "nope", Value: a2ui.Ref("gone")}}
			}
			list = append(list, c)
		}
		list[0].Props = []a2ui.Prop{{Name: "children", Value: kids}}
		if name == "fan" {
			for i := range list[1:] {
				list[1+i] = a2ui.Component{ID: kids[i], Type: "Row",
					Props: []a2ui.Prop{{Name: "children", Value: kids[min(i+1, 398):min(i+60, 399)]}}}
			}
		}
		out[name] = surfaceOf(list...)
	}
	return out
}

func BenchmarkValidate400(b *testing.B) {
	for name, msgs := range wide400() {
		for profile, suffix := range map[a2ui.Profile]string{a2ui.Spec: "", a2ui.Safe: "Safe"} {
			b.Run(name+suffix, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					a2ui.Validate(a2ui.Rules{Dialect: a2ui.V09, Profile: profile}, msgs)
				}
			})
		}
	}
}

// TestValidateAllocates bounds what judging the corpus takes: "2,000 allocations"
// for a validator each, next to none for one that is used again.
func TestValidateAllocates(t *testing.T) {
	list := decodedCorpus(t)
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09})
	again := testing.AllocsPerRun(2, func() {
		for _, msgs := range list {
			v.Reset()
			if p := v.Check(msgs); p != nil {
				t.Fatal(&p[0])
			}
		}
	})
	each := testing.AllocsPerRun(2, func() {
		for _, msgs := range list {
			a2ui.Validate(a2ui.Rules{Dialect: a2ui.V09}, msgs)
		}
	})
	if each > 1000 || again > 150 {
		t.Errorf("%v allocations, %v again", each, again)
	}
}
