package a2ui_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/official"
	"pgregory.net/rapid"
)

// beyondSchema are the codes of rules that no schema states: topology, ids,
// paths, limits, and what only the prose says.
var beyondSchema = map[a2ui.Code]bool{
	wire.ComponentDangling: true, wire.ComponentCycle: true, wire.ComponentDuplicate: true, wire.ComponentBinding: true,
	wire.BeginCatalog: true, wire.ComponentCatalog: true, wire.BeginMissingRoot: true, wire.DataPath: true,
}

// TestVerdictsAgreeWithTheSchema breaks 2,000 messages of each dialect, drawn ones and
// those of the published examples, in one place each and asks the published schema and
// the Spec profile; both must say the same but for what beyondSchema and beyondProse
// list. Four in five keep only the component that was broken.
func TestVerdictsAgreeWithTheSchema(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			published := schema(t, d, false)
			if published == nil {
				t.Skip(official.ErrMissing)
			}
			rejected, differ, wrapped := 0, 0, !d.Features().BareValues
			examples := exampleComponents(t, d)
			n := 2000
			if testing.Short() {
				n = 200
			}
			for i := range n {
				rng := rand.New(rand.NewPCG(7, uint64(i)))
				v := drawn(t, d, i)
				if len(examples) > 0 && i%2 == 1 {
					v = parse(t, examples[rng.IntN(len(examples))])
				}
				body := v.Members[len(v.Members)-1].Value.Members
				list := &body[slices.IndexFunc(body, func(m jsonx.Member) bool { return m.Key == "components" })].Value
				k := rng.IntN(len(list.Items))
				mutate(rng, d, &list.Items[k])
				if i%10 > 1 { // 0 is drawn, 1 an example: those stay whole
					list.Items = list.Items[k : k+1]
				}
				b := jsonx.Append(nil, v)
				want := published.Check(b)
				if wrapped && want == nil && bytes.Contains(b, []byte(`:{}`)) {
					continue // the schema takes {} for a bound value, but no client does
				}
				ours := verdict(d, b)
				if want != nil {
					rejected++
				}
				if (want == nil) != (ours == nil) && !(want == nil && beyondProse(ours)) {
					if differ++; differ < 10 {
						t.Errorf("%s\nschema: %.600v\nours: %v", b, want, ours)
					}
				}
			}
			if rejected < n/4 || rejected > n-n/20 {
				t.Errorf("the schema refuses %d of %d, so this compares little", rejected, n)
			}
			t.Logf("%d messages, %d refused by the schema, %d verdicts differ", n, rejected, differ)
		})
	}
}

// drawn is a message that the dialect's own tables allow.
func drawn(t *testing.T, d a2ui.Dialect, i int) jsonx.Value {
	m := rapid.Custom(func(rt *rapid.T) a2ui.Message { return newGen(rt, d).components("s") }).Example(i)
	b, err := a2ui.AppendMessage(nil, d, m)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(b))
}

// exampleComponents are the messages with components of the published examples.
func exampleComponents(t *testing.T, d a2ui.Dialect) (out []string) {
	for _, set := range published {
		for _, file := range official.Files(set.pattern) {
			for _, item := range exampleMessages(t, file) {
				body := item.Members[len(item.Members)-1].Value
				if set.dialect == d && len(body.At("components").Items) > 0 && !strings.Contains(file, "minimal") {
					out = append(out, string(jsonx.Append(nil, item)))
				}
			}
		}
	}
	return out
}

// beyondProse tells that a problem is one the schema could state but does not:
// v0.8 wrappers of no or two types, empty texts where one is needed.
func beyondProse(err error) bool {
	for _, part := range []string{"exactly one type", "a component needs an id",
		"a check needs a condition and a message", "an action needs a name"} {
		if strings.Contains(err.Error(), part) {
			return true
		}
	}
	return false
}

func verdict(d a2ui.Dialect, b []byte) error {
	m, err := a2ui.DecodeMessageAs(d, b)
	if err != nil {
		return err
	}
	for _, p := range a2ui.Validate(a2ui.Rules{Dialect: d, Partial: true}, []a2ui.Message{m}) {
		if !beyondSchema[p.Code] {
			return &p
		}
	}
	return nil
}

// mutate changes one random place of v: a value replaced, a member removed,
// added or renamed.
func mutate(rng *rand.Rand, d a2ui.Dialect, v *jsonx.Value) bool {
	if rng.IntN(3) > 0 {
		switch {
		case len(v.Members) > 0:
			return mutate(rng, d, &v.Members[rng.IntN(len(v.Members))].Value)
		case len(v.Items) > 0:
			return mutate(rng, d, &v.Items[rng.IntN(len(v.Items))])
		}
	}
	if n := len(v.Members); n > 0 {
		switch rng.IntN(4) {
		case 0:
			i := rng.IntN(n)
			v.Members = append(v.Members[:i:i], v.Members[i+1:]...)
			return true
		case 1:
			if _, dup := v.Get("extra"); !dup {
				v.Members = append(v.Members, jsonx.Member{Key: "extra", Value: jsonx.Of("x")})
				return true
			}
		}
	}
	pool := []string{`null`, `true`, `1`, `-1.5`, `"x"`, `"h1"`, `""`, `[]`, `{}`, `["x"]`, `[1]`, `{"path":"/a"}`,
		`{"path":1}`,
		`{"call":"required","args":{"value":1}}`, `{"call":"required","args":{"value":1},"returnType":"string"}`, `{"call":"nope","args":{}}`,
		`{"literalString":"x"}`, `{"literalNumber":1}`, `{"literalBoolean":true}`, `{"literalArray":["x"]}`, `{"path":"/a","literalString":"x"}`,
		`{"explicitList":["x"]}`, `{"componentId":"x","path":"/a"}`, `{"event":{"name":"x"}}`, `{"name":"x"}`, `{"svgPath":"M0"}`,
		`[{"condition":true,"message":"m"}]`, `[{"title":"x","child":"y"}]`, `"2026-11-20"`}
	if !d.Features().BareValues { // a context with a path and a literal is refused by all but the schema
		pool = slices.DeleteFunc(pool, func(s string) bool { return strings.HasPrefix(s, `{"path":"/a","l`) })
	}
	text := pool[rng.IntN(len(pool))]
	if (d == a2ui.V10 || d == a2ui.V10Oct) && rng.IntN(3) > 0 {
		text = strings.NewReplacer(`{"path"`, `{"@path"`, `"call"`, `"@call"`).Replace(text)
	}
	w, err := jsonx.Parse([]byte(text), jsonx.Limits{})
	if err == nil {
		*v = w
	}
	return err == nil
}
