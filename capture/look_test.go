package capture

import (
	"testing"

	"github.com/limn-ui/limn/ui"
)

// TestTableWithGuesses: what the user mapped is no guess, and no cell carries
// another column's.
func TestTableWithGuesses(t *testing.T) {
	t.Parallel()
	columns := []ui.Field{{Name: "name", Type: ui.TypeText}, {Name: "role", Type: ui.TypeText}}
	got := TableWith("Name\tRole\tPhone\nAnn\tCFO\t1\n", columns, []string{"name", "role", ""}).Value().Records()
	if len(got) != 1 {
		t.Fatalf("%d rows", len(got))
	}
	name, _ := got[0].Cells.Get("name")
	role, _ := got[0].Cells.Get("role")
	if name.Text() != "Ann" || role.Text() != "CFO" {
		t.Errorf("name %q, role %q", name.Text(), role.Text())
	}
}
