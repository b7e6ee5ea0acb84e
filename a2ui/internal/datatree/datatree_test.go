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
	tree := Tree{}.Fork()
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
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			base, before := tree, snapshot(tree)
			next := tree.Fork()
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
