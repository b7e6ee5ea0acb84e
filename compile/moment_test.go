package compile

import (
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/draft"
	"github.com/limn-ui/limn/ui"
)

// TestMomentsRoundTrip: dates and times travel as moments where a client needs it, and
// FromMoment takes every text back.
func TestMomentsRoundTrip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typ        ui.FieldType
		text, want string
	}{
		{ui.TypeDate, "2026-11-20", "2026-11-20T00:00"}, {ui.TypeDate, "", ""}, {ui.TypeDate, "tomorrow", "tomorrow"}, {ui.TypeDate, "2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z"},
		{ui.TypeTime, "09:30", "1970-01-01T09:30"}, {ui.TypeTime, "09:30:15", "1970-01-01T09:30:15"}, {ui.TypeTime, "", ""}, {ui.TypeTime, "noon", "noon"},
		{ui.TypeDateTime, "2026-11-20T09:30", "2026-11-20T09:30"}, {ui.TypeText, "2026-11-20", "2026-11-20"},
	} {
		for d, want := range map[a2ui.Dialect]string{a2ui.V08: c.want, a2ui.V09: c.text} {
			w := newWorld(t, target(d))
			n := field(ui.Field{Type: c.typ})
			w.apply(&ui.Open{Surface: "s", Nonce: "n", Root: ui.Nodes{n},
				Draft: ui.BlankDraft(n, ui.Map(ui.Pair{Key: "x", Value: ui.String(c.text)}))})
			data, _ := w.client.Data("s#e=1")
			got := data.At("draft").At("x")
			if d == a2ui.V08 {
				got = got.At("v")
			}
			if got.Str != want || draft.FromMoment(c.typ, got.Str) != c.text {
				t.Errorf("%s %q on %s: %q, want %q; back %q", c.typ, c.text, d, got.Str, want,
					draft.FromMoment(c.typ, got.Str))
			}
		}
	}
}
