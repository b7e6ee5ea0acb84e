package records

import (
	"testing"

	"github.com/limn-ui/limn/ui"
)

// TestMoment: dates and times are numbers in a workbook, as a spreadsheet counts them.
func TestMoment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		t    ui.FieldType
		text string
		days float64
		ok   bool
	}{
		{ui.TypeDate, "2026-03-09", 46090, true},
		{ui.TypeDate, "1900-03-01", 61, true},
		{ui.TypeDate, "1900-02-28", 60, false}, // a spreadsheet has a 29th of February then
		{ui.TypeDate, "soon", 0, false},
		{ui.TypeDateTime, "2026-11-20T09:30", 46346.395833333336, true},
		{ui.TypeDateTime, "2026-11-20T18:00:00Z", 46346.75, true},
		{ui.TypeTime, "18:00", 0.75, true},
		{ui.TypeText, "2026-03-09", 0, false},
		{"", "", 0, false},
	} {
		if _, days, ok := moment(c.t, c.text); ok != c.ok || ok && days != c.days {
			t.Errorf("%s %q: %v %t", c.t, c.text, days, ok)
		}
	}
}
