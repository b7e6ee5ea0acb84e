package session_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/store"
)

// A search looks at a bounded number of conversations, and the next page goes on where
// it stopped.
func TestFindIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t))
	begin := time.Now().Add(-time.Hour)
	for i := range 10_500 {
		if err := w.store.Create(context.Background(), store.Conversation{ID: fmt.Sprintf("c%05d", i),
			Log: "0123456789abcdef", Owner: conversation.Owner("p"), Created: begin.Add(time.Duration(i) * time.Millisecond),
			First: fmt.Sprintf("Größe %d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	find := func(words, after string) (titles []string, next string) {
		t.Helper()
		list, next, err := w.svc.Find(t.Context(), "p", conversation.Listing{Words: words, After: after, Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			titles = append(titles, c.Title)
		}
		return titles, next
	}
	titles, _ := find("GRÖSSE", "")
	if len(titles) > 0 {
		t.Errorf("found %q", titles)
	}
	titles, next := find("größe 7", "")
	equal(t, "the newest", []string{"Größe 10497", "Größe 10487"}, titles)
	titles, _ = find("größe 7", next)
	equal(t, "after them", []string{"Größe 10479", "Größe 10478"}, titles)
	titles, _ = find("größe 123 12", "")
	equal(t, "all words", []string{"Größe 10123", "Größe 9123"}, titles)
	titles, next = find("größe 499 oße", "")
	if len(titles) > 0 || next == "" {
		t.Fatalf("found %q, and the list goes on at %q", titles, next)
	}
	titles, next = find("größe 499 oße", next)
	if len(titles) > 0 || next != "" {
		t.Errorf("found %q, and the list goes on at %q", titles, next)
	}
}
