package datatree

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
	"pgregory.net/rapid"
)

func parse(t testing.TB, s string) jsonx.Value {
	t.Helper()
	v, err := jsonx.Parse([]byte(s), jsonx.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestPutHasDelete(t *testing.T) {
	t.Parallel()
	tree := Tree{}.Fork(1)
	for _, step := range []struct{ path, value string }{
		{"", `{"draft":{"name":"","tags":["a","b"]},"a/b":1}`},
		{"/draft/age", `1`}, {"/new/deep/leaf", `true`}, {"/draft/tags/2", `"c"`},
	} {
		if err := tree.Put(step.path, parse(t, step.value)); err != nil {
			t.Fatalf("Put(%q): %v", step.path, err)
		}
	}
	for _, p := range []string{"", "/", "/draft", "/draft/name", "/draft/tags/2", "/a~1b", "/new/deep/leaf"} {
		if !tree.Has(p) {
			t.Errorf("Has(%q) = false", p)
		}
	}
	for _, p := range []string{"/x", "/draft/tags/3", "/draft/tags/x", "/draft/tags/01", "/draft/name/v", "/a"} {
		if tree.Has(p) {
			t.Errorf("Has(%q) = true", p)
		}
	}
	if got := tree.Size(); got != 11 {
		t.Errorf("Size = %d, want 11", got)
	}
	if err := tree.Put("/draft/name/v", parse(t, `1`)); !errors.Is(err, ErrThrough) {
		t.Errorf("through a scalar: %v", err)
	}
	if err := tree.Put("/draft/tags/9", parse(t, `1`)); !errors.Is(err, ErrIndex) {
		t.Errorf("past the end: %v", err)
	}
	if !tree.Delete("/draft") || tree.Has("/draft/name") || tree.Delete("/draft") {
		t.Error("Delete(/draft) left something, or found it twice")
	}
}

// TestForkLeavesTheBase writes to forks and checks the base and a plain model.
func TestForkLeavesTheBase(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom(strings.Split("abcdefghijklmnopqrst", ""))
		model := map[string]bool{}
		tree := Tree{}
		for step := range rapid.IntRange(1, 60).Draw(t, "steps") {
			base, before := tree, snapshot(tree)
			next := tree.Fork(uint64(step + 1))
			p := jsonptr.Join(key.Draw(t, "k1"), key.Draw(t, "k2"))
			if rapid.Bool().Draw(t, "delete") {
				next.Delete(p)
				delete(model, p)
			} else if err := next.Put(p, jsonx.Of("x")); err != nil {
				t.Fatal(err)
			} else {
				model[p] = true
			}
			if after := snapshot(base); after != before {
				t.Fatalf("the base changed from %s to %s", before, after)
			}
			for p := range model {
				if !next.Has(p) {
					t.Fatalf("%s is lost", p)
				}
			}
			leaves, tops := 0, 0
			if next.root == nil {
				continue
			}
			for _, e := range next.root.entries {
				tops++
				leaves += len(e.sub.entries)
			}
			if leaves != len(model) || next.Size() != leaves+tops {
				t.Fatalf("size %d, leaves %d, want %d", next.Size(), leaves, len(model))
			}
			tree = next
		}
	})
}

func snapshot(t Tree) string { return fmt.Sprint(t.Size(), keys(t.root)) }

func keys(n *node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	for i, e := range n.entries {
		if n.wide != nil && n.wide[e.key] != i {
			b.WriteString("!")
		}
		fmt.Fprintf(&b, "%s(%s)", e.key, keys(e.sub))
	}
	return b.String()
}

// TestClasses: what a validator has to know of a value, where it is and where
// lists are drawn item by item.
func TestClasses(t *testing.T) {
	t.Parallel()
	tree := Tree{}.Fork(1)
	in := `{"a":"https://x.y","b":"HTTP://x","c":"mailto:x@y","d":"javascript:x","e":"","f":5,"g":null,
		"l":[{"u":"http://x","l":["data:x"]},{"u":"x"}],"m":{"0":1,"1":2},"n":{"1":1},"o":{"00":1}}`
	if err := tree.Put("", parse(t, in)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]Class{
		"/a": Address, "/b": Address, "/c": Mail, "/d": Other, "/e": Address, "/f": Scalar, "/g": Null, "/l": List, "/m": Map,
		"": Map, "/l/0/u": Address, "/l/1/u": Other, "/x": Missing, "/a/b": Missing,
	} {
		if got := tree.Look(path).Class; got != want {
			t.Errorf("Look(%q) = %d, want %d", path, got, want)
		}
	}
	for path, want := range map[string]bool{"/m": true, "/n": false, "/o": false, "/l": true, "/f": true} {
		if got := tree.Look(path).Indexed(); got != want {
			t.Errorf("Indexed(%q) = %v", path, got)
		}
	}
	budget := 100
	each := func(lists []string, path string) (out []Class) {
		tree.Each(lists, path, &budget, func(e Entry) bool { out = append(out, e.Class); return true })
		return out
	}
	if got := fmt.Sprint(each([]string{"/l"}, "u"), each([]string{"/l", "l"}, ""), each([]string{"/x"}, "u")); got != "[3 5] [5] []" {
		t.Errorf("Each: %s", got)
	}
	budget = 1
	each([]string{"/l"}, "u")
	if budget >= 0 {
		t.Error("the budget does not end")
	}
	if err := tree.Put("/a", parse(t, `7`)); err != nil || tree.Look("/a").Class != Scalar {
		t.Error("a value keeps its old class")
	}
}
