package web

import (
	"io/fs"
	"testing"
)

// TestAssets checks both states: without a build the file system is there and
// says so; with one, every bundle can be read.
func TestAssets(t *testing.T) {
	files, built := Assets()
	if files == nil {
		t.Fatal("Assets() returned no file system")
	}
	if _, err := fs.Stat(files, ".keep"); err != nil {
		t.Errorf("dist/.keep: %v", err)
	}
	missing := 0
	for _, name := range bundles {
		if _, err := fs.Stat(files, name); err != nil {
			missing++
		}
	}
	if want := missing == 0; built != want {
		t.Errorf("Assets() says built = %v, want %v: %d of %d bundles missing", built, want, missing, len(bundles))
	}
}
