package conversation

import (
	"testing"
	"time"

	"github.com/limn-ui/limn/store"
)

func TestCursorLeadsBackToItsConversation(t *testing.T) {
	t.Parallel()
	want := store.Conversation{ID: "c 1", Created: time.UnixMicro(1_700_000_000_123_456).UTC()}
	if got, ok := ParseCursor(Cursor(want)); !ok || got != want {
		t.Errorf("%+v, %v, want %+v", got, ok, want)
	}
	if got, ok := ParseCursor(""); !ok || got != (store.Conversation{}) {
		t.Errorf("the beginning: %+v, %v", got, ok)
	}
}

func FuzzParseCursor(f *testing.F) {
	for _, s := range []string{"", "!", "MTIz", Cursor(store.Conversation{ID: "c"})} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, ok := ParseCursor(s)
		if again, same := ParseCursor(Cursor(c)); ok && s != "" && (!same || again != c) {
			t.Errorf("%q: %+v, then %+v", s, c, again)
		}
	})
}
