package client

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonptr"
	"pgregory.net/rapid"
)

func TestDataModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		d    a2ui.Dialect
		mode Mode
		ms   []a2ui.Message
		want string
	}{
		{"whole", a2ui.V09, Strict, []a2ui.Message{data("s", "/", `{"a":1}`)}, `{"a":1}`},
		{"whole, empty path", a2ui.V09, Strict, []a2ui.Message{data("s", "", `{"a":1}`)}, `{"a":1}`},
		{"containers are made", a2ui.V09, Strict, []a2ui.Message{data("s", "/a/b/c", `1`)}, `{"a":{"b":{"c":1}}}`},
		{"a number makes a list", a2ui.V09, Strict, []a2ui.Message{data("s", "/a/0/b", `1`)}, `{"a":[{"b":1}]}`},
		{"a leading zero makes a key", a2ui.V09, Strict, []a2ui.Message{data("s", "/a/00", `1`)}, `{"a":{"00":1}}`},
		{"a number at the root is a key", a2ui.V09, Strict, []a2ui.Message{data("s", "/0", `1`)}, `{"0":1}`},
		{"a number makes no list on v0.8", a2ui.V08, Strict, []a2ui.Message{data("s", "/a/0", `{"v":1}`)}, `{"a":{"0":{"v":1}}}`},
		{"null is filled", a2ui.V09, Strict, []a2ui.Message{data("s", "/a", `null`), data("s", "/a/b", `1`)}, `{"a":{"b":1}}`},
		{"null is a value", a2ui.V09, Strict, []a2ui.Message{data("s", "/a", `null`)}, `{"a":null}`},
		{"order is kept", a2ui.V09, Strict, []a2ui.Message{data("s", "/", `{"b":1,"a":2}`), data("s", "/b", `3`)}, `{"b":3,"a":2}`},
		{"escapes", a2ui.V09, Strict, []a2ui.Message{data("s", "/a~1b/c~0d", `1`)}, `{"a/b":{"c~d":1}}`},
		{"append by index", a2ui.V09, Strict, []a2ui.Message{data("s", "/a", `[1]`), data("s", "/a/1", `2`)}, `{"a":[1,2]}`},
		{"holes", a2ui.V09, Strict, []a2ui.Message{data("s", "/a", `[1]`), data("s", "/a/3", `2`)}, `{"a":[1,null,null,2]}`},
		{"delete a key", a2ui.V09, Strict, []a2ui.Message{data("s", "/a", `{"b":1,"c":2}`), drop("s", "/a/b")}, `{"a":{"c":2}}`},
		{"delete an item leaves a hole", a2ui.V10, Strict, []a2ui.Message{data("s", "/a", `[1,2]`), drop("s", "/a/0")}, `{"a":[null,2]}`},
		{"delete what is not there", a2ui.V09, Strict, []a2ui.Message{data("s", "/a", `1`), drop("s", "/b/c")}, `{"a":1}`},
		{"delete all", a2ui.V09, Strict, []a2ui.Message{data("s", "/a", `1`), drop("s", "/")}, `null`},
		{"after delete all", a2ui.V09, Strict, []a2ui.Message{drop("s", "/"), data("s", "/a", `1`)}, `{"a":1}`},
		{"empty segments", a2ui.V09, Strict, []a2ui.Message{data("s", "/a//b", `1`)}, `{"a":{"":{"b":1}}}`},
		{"empty segments, web", a2ui.V09, LikeWebCore, []a2ui.Message{data("s", "/a//b/", `1`)}, `{"a":{"b":1}}`},
		{"v0.8 replaces the container", a2ui.V08, LikeWebCore, []a2ui.Message{data("s", "/u", `{"a":1,"b":2}`), data("s", "/u", `{"a":3}`)}, `{"u":{"a":3}}`},
		{"v0.8 leaves are maps of one", a2ui.V08, LikeWebCore, []a2ui.Message{data("s", "/draft", `{"a":{"v":1},"b":{"v":2}}`), data("s", "/draft/a", `{"v":3}`)}, `{"draft":{"a":{"v":3},"b":{"v":2}}}`},
		{"v0.8 parses text", a2ui.V08, LikeWebCore, []a2ui.Message{data("s", "/u", `{"v":" [1,{\"a\":2}] ","w":"[x]"}`)}, `{"u":{"v":[1,{"a":2}],"w":"[x]"}}`},
		{"v0.8 does not parse guarded text", a2ui.V08, LikeWebCore, []a2ui.Message{data("s", "/u", `{"v":"[1]\u200b"}`)}, `{"u":{"v":"[1]` + "\u200b" + `"}}`},
		{"the specification does not parse text", a2ui.V08, Strict, []a2ui.Message{data("s", "/u", `{"v":"[1]"}`)}, `{"u":{"v":"[1]"}}`},
		{"v0.9 does not parse text", a2ui.V09, LikeWebCore, []a2ui.Message{data("s", "/u", `"[1]"`)}, `{"u":"[1]"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := start(t, c.d, c.mode, append([]a2ui.Message{create("s")}, c.ms...)...)
			got, _ := r.Data("s")
			if diff := cmp.Diff(c.want, asJSON(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestWritesShareNothing: what a message brought stays as it was when the model
// changes below it.
func TestWritesShareNothing(t *testing.T) {
	t.Parallel()
	m := data("s", "/a", `{"b":[1,{"c":2}]}`)
	before := asJSON(m.(*a2ui.UpdateData).Value)
	r := start(t, a2ui.V09, Strict, create("s"), m, data("s", "/a/b/1/c", `3`), data("s", "/a/b/0", `4`),
		drop("s", "/a/b/1"))
	if got := asJSON(m.(*a2ui.UpdateData).Value); got != before {
		t.Errorf("the message became %s", got)
	}
	if got, _ := r.Data("s"); asJSON(got) != `{"a":{"b":[4,null]}}` {
		t.Errorf("model %s", asJSON(got))
	}
}

// naive is the data model as a beginner would write it, over encoding/json.
type naive struct{ root any }

func (n *naive) set(segs []string, v any, del bool) bool {
	if len(segs) == 0 {
		n.root = v
		return true
	}
	if n.root == nil {
		if del {
			return true
		}
		n.root = map[string]any{}
	}
	next, ok := setNaive(n.root, segs, v, del)
	if ok {
		n.root = next
	}
	return ok
}

func setNaive(at any, segs []string, v any, del bool) (any, bool) {
	seg, rest := segs[0], segs[1:]
	i, err := strconv.Atoi(seg)
	isIndex := err == nil && strconv.Itoa(i) == seg && i >= 0
	blank := func() any {
		if j, err := strconv.Atoi(rest[0]); err == nil && strconv.Itoa(j) == rest[0] {
			return []any{}
		}
		return map[string]any{}
	}
	switch at := at.(type) {
	case map[string]any:
		if len(rest) == 0 {
			if delete(at, seg); !del {
				at[seg] = v
			}
			return at, true
		}
		child := at[seg]
		if child == nil {
			if del {
				return at, true
			}
			child = blank()
		}
		next, ok := setNaive(child, rest, v, del)
		if ok {
			at[seg] = next
		}
		return at, ok
	case []any:
		if !isIndex {
			return at, del
		}
		if del && i >= len(at) {
			return at, true
		}
		for len(at) <= i {
			at = append(at, nil)
		}
		if len(rest) == 0 {
			at[i] = v
			return at, true
		}
		child := at[i]
		if child == nil {
			if del {
				return at, true
			}
			child = blank()
		}
		next, ok := setNaive(child, rest, v, del)
		if ok {
			at[i] = next
		}
		return at, ok
	}
	return at, del
}

func TestDataModelMatchesNaive(t *testing.T) {
	t.Parallel()
	values := []string{`1`, `"x"`, `null`, `{}`, `[]`, `{"a":{"b":1}}`, `[1,[2],{"a":3}]`, `true`}
	rapid.Check(t, func(t *rapid.T) {
		r := New(a2ui.V09, Strict)
		if err := r.Apply(create("s")); err != nil {
			t.Fatal(err)
		}
		want := &naive{root: map[string]any{}}
		for range rapid.IntRange(1, 30).Draw(t, "writes") {
			segs := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "a", "b", "0", "0", "3", "-", "~/", "01"}), 0,
				3).Draw(t, "path")
			del := rapid.Bool().Draw(t, "delete")
			m := &a2ui.UpdateData{SurfaceID: "s", Path: jsonptr.Join(segs...), Delete: del}
			var v any
			if !del {
				text := rapid.SampledFrom(values).Draw(t, "value")
				m.Value = parse(text)
				if err := json.Unmarshal([]byte(text), &v); err != nil {
					t.Fatal(err)
				}
			}
			err := r.Apply(m)
			before, _ := json.Marshal(want.root)
			ok := want.set(segs, v, del)
			if !ok { // a beginner leaves half a write behind
				want = &naive{}
				if err := json.Unmarshal(before, &want.root); err != nil {
					t.Fatal(err)
				}
			}
			if ok != (err == nil) {
				t.Fatalf("write %q: %v, naive says %v", m.Path, err, ok)
			}
			got, _ := r.Data("s")
			var plain any
			if err := json.Unmarshal([]byte(asJSON(got)), &plain); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.root, plain); diff != "" {
				t.Fatalf("after %q (-naive +client)\n%s", m.Path, diff)
			}
		}
	})
}

// TestHoles: the holes that writes leave in arrays are bounded over a whole model; items without holes are not.
func TestHoles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		paths []string
		last  bool // the last one applies; all before it do
	}{
		{"one array", []string{"/a/10000"}, true},
		{"an index", []string{"/a/10001"}, false},
		{"two levels", []string{"/a/10000/10000"}, true},
		{"three levels", []string{"/a/10000/10000/1"}, false},
		{"many levels", []string{"/a" + strings.Repeat("/10000", 15)}, false},
		{"many arrays", []string{"/a/10000", "/b/10000", "/c/1"}, false},
		{"an item", []string{"/a/10000", "/b/10000", "/c/0", "/c/1/0", "/a/5"}, true},
		{"holes that are gone", []string{"/a/10000", "/b/10000", "/b", "/c/10000"}, true},
	} {
		m := NewModel(a2ui.V09, Strict, a2ui.Data{})
		for i, path := range c.paths {
			if err := m.Set(path, numberData(1)); (err == nil) != (c.last || i < len(c.paths)-1) {
				t.Errorf("%s: %.40s: %v", c.name, path, err)
			}
		}
		if v, _, _ := m.Get(""); holes(&v) > maxHoles {
			t.Errorf("%s: %d holes", c.name, holes(&v))
		}
	}
}

func TestManyItems(t *testing.T) {
	t.Parallel()
	r := start(t, a2ui.V09, Strict, create("s"))
	for i := range 300 {
		apply(t, r, data("s", fmt.Sprint("/rows/", i, "/name"), strconv.Quote(fmt.Sprint(i))))
	}
	if d, _ := r.Data("s"); len(d.At("rows").Items) != 300 {
		t.Errorf("%d rows", len(d.At("rows").Items))
	}
}

// TestWideObjects: the index of wide objects changes nothing but the time.
func TestWideObjects(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m, r := NewModel(a2ui.V09, Strict, a2ui.Data{}), rulesFor(a2ui.V09, Strict)
		plain := a2ui.Data{Kind: object}
		var k keeper
		key := rapid.Custom(func(rt *rapid.T) string { return fmt.Sprint("k", rapid.IntRange(0, 50).Draw(rt, "key")) })
		for range rapid.IntRange(1, 300).Draw(rt, "writes") {
			segs := rapid.SliceOfN(key, 1, 2).Draw(rt, "path")
			v, drop := numberData(float64(rapid.IntRange(0, 9).Draw(rt, "value"))), false
			switch rapid.IntRange(0, 9).Draw(rt, "what") {
			case 0:
				drop = true
			case 1: // a wide object comes whole
				v = a2ui.Data{Kind: object}
				for i := range rapid.IntRange(0, 50).Draw(rt, "width") {
					v.Members = append(v.Members, a2ui.Member{Key: fmt.Sprint("k", 2*i), Value: numberData(float64(i))})
				}
			case 2:
				segs = nil
				v = k.data(plain)
			}
			put := func() error {
				if drop {
					return m.Delete(jsonptr.Join(segs...))
				}
				return m.Set(jsonptr.Join(segs...), v)
			}
			if got, want := put(), r.put(&plain, nil, segs, k.data(v), drop); (got == nil) != (want == nil) {
				rt.Fatalf("%v %v: %v, without the index %v", segs, drop, got, want)
			}
			got, _, _ := m.Get("")
			if diff := cmp.Diff(asJSON(plain), asJSON(got)); diff != "" {
				rt.Fatalf("after %v (-want +got)\n%s", segs, diff)
			}
		}
	})
}
