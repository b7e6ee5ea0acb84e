package official_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/official"
)

// TestTap: each shape is judged once, however its ids and texts differ, and of
// the rest one in a hundred.
func TestTap(t *testing.T) {
	t.Parallel()
	text := func(id, props string) string {
		return `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"` + id + `","component":"Text",` + props + `}]}}`
	}
	var tap official.Tap
	see := func(message string) error { return tap.See("v0.9", []byte(message)) }
	if err := see(text("root", `"text":"a"`)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(tap.String(), "none judged") {
		t.Skip(official.ErrMissing)
	}
	for _, m := range []string{text("x", `"text":"b"`), text("root", `"text":{"path":"/a"}`), text("y", `"text":{"path":"/b"}`)} {
		if err := see(m); err != nil {
			t.Error(err)
		}
	}
	if got, want := tap.String(), "4 messages of 2 shapes, 2 judged by the published schemas"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if see(text("root", `"colour":"red"`)) == nil {
		t.Error("a property that the schema does not know passed")
	}
	bad := text("root", `"text":"a","variant":"huge"`)
	if see(strings.Replace(bad, "huge", "h1", 1)) != nil || see(bad) != nil {
		t.Error("a shape that is known is judged again at once")
	}
	for range 92 {
		if err := see(text("root", `"text":"a"`)); err != nil {
			t.Fatal(err)
		}
	}
	if see(bad) == nil {
		t.Error("the hundredth message was not judged")
	}
	if see(`{"version":`) == nil {
		t.Error("half a message passed")
	}
}
