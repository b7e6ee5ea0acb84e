package web

import (
	"testing"
	"time"

	"github.com/limn-ui/limn/ui"
)

func TestDateHasTheAppsMonths(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 9, 18, 30, 0, 0, time.FixedZone("", 2*3600))
	for name, c := range map[string]struct {
		words ui.Words
		want  string
	}{
		"default": {nil, "9 May 2026, 16:30"},
		"Dutch": {ui.Words{"page.date": "2 Jan 2006 15.04",
			"page.months": "jan feb mrt apr mei jun jul aug sep okt nov dec"}, "9 mei 2026 16.30"},
		"numbers":         {ui.Words{"page.date": "02.01.2006"}, "09.05.2026"},
		"a missing month": {ui.Words{"page.months": "jan feb"}, "9 May 2026, 16:30"},
	} {
		if got := (&site{words: c.words}).date(at); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
