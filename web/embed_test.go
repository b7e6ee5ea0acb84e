package web

import (
	"io/fs"
	"regexp"
	"testing"
)

// TestPage: every module that a page imports is there, without a build.
func TestPage(t *testing.T) {
	t.Parallel()
	files := Page()
	names, err := fs.Glob(files, "*")
	if err != nil || len(names) < 10 {
		t.Fatal(names, err)
	}
	imports := regexp.MustCompile(`(?m)^import .*from '\./([a-z.]+)';`)
	for _, name := range names {
		source, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range imports.FindAllSubmatch(source, -1) {
			if _, err := fs.Stat(files, string(m[1])); err != nil {
				t.Errorf("%s imports %s: %v", name, m[1], err)
			}
		}
	}
	for _, name := range []string{"html.js", "limn.css", "icons.svg"} {
		if _, err := fs.Stat(files, name); err != nil {
			t.Error(err)
		}
	}
}

// TestBundles checks both states: without a build the file system is there and
// says so; with one, every bundle can be read.
func TestBundles(t *testing.T) {
	t.Parallel()
	files, built := Bundles()
	missing := 0
	for _, name := range bundles {
		if _, err := fs.Stat(files, name); err != nil {
			missing++
		}
	}
	if want := missing == 0; built != want {
		t.Errorf("built = %v, want %v: %d of %d bundles are missing", built, want, missing, len(bundles))
	}
}
