package a2ui_test

import (
	"fmt"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

func ExampleMinimal() {
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09} {
		c := a2ui.Minimal(d)
		fmt.Println(d, len(c.Components), len(c.Functions))
	}
	// Output:
	// v0.8 5 0
	// v0.9 5 1
}

// TestBasicCatalogs checks that every dialect has its catalog.
func TestBasicCatalogs(t *testing.T) {
	t.Parallel()
	for d := a2ui.V08; d <= a2ui.V10Oct; d++ {
		c := a2ui.Basic(d)
		if c == nil || len(c.Components) != 18 || a2ui.CatalogID(d) != c.ID {
			t.Errorf("%s: the basic catalog is %+v", d, c)
		}
	}
	if a2ui.Minimal(a2ui.V10) != nil {
		t.Error("v1.0 has no minimal catalog")
	}
}
