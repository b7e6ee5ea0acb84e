package archtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTree holds this very module to the rules.
func TestTree(t *testing.T) {
	t.Parallel()
	tree, err := Load(os.DirFS(moduleRoot(t)))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Packages) < 2 {
		t.Fatalf("only %d packages found: the walk does not reach the tree", len(tree.Packages))
	}
	for _, finding := range Check(tree) {
		t.Error(finding)
	}
	for _, dir := range slices.Concat(rungs...) {
		below := func(p *Package) bool { return p.Dir == dir || strings.HasPrefix(p.Dir, dir+"/") }
		if dir != "" && !slices.ContainsFunc(tree.Packages, below) {
			t.Errorf("rungs list %q, where no package is", dir)
		}
	}
}

// moduleRoot is the nearest folder above with the module's go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module "+Module+"\n") {
			return dir
		}
		if filepath.Dir(dir) == dir {
			t.Fatalf("no go.mod of %s above the test", Module)
		}
		dir = filepath.Dir(dir)
	}
}

// TestTables checks the tables against each other: a name in one that the tree
// does not know would switch a rule off without a word.
func TestTables(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, rung := range rungs {
		for _, dir := range rung {
			if seen[dir] {
				t.Errorf("rungs list %q twice", dir)
			}
			seen[dir] = true
		}
	}
	known := func(table string, dirs ...string) {
		for _, dir := range dirs {
			if _, ok := place(dir); !ok {
				t.Errorf("%s names %q, which is not in the tree", table, dir)
			}
		}
	}
	known("pure", pure...)
	known("kits", kits...)
	known("kitUsers", kitUsers...)
	known("rootAdapters", rootAdapters...)
	known("ports", ports...)
	for owner, allowed := range narrow {
		known("narrow", append(slices.Clone(allowed), owner)...)
	}
	for dir := range versionExceptions {
		known("versionExceptions", dir)
	}
	for i, m := range modules {
		if !strings.HasPrefix(m.leaf, "(") {
			known("modules", m.leaf)
		}
		if slices.ContainsFunc(modules[:i], func(other module) bool { return other.path == m.path }) {
			t.Errorf("modules list %s twice", m.path)
		}
	}
}
