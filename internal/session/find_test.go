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
	titles, next = find("größe 123 12", "")
	equal(t, "all words", []string{"Größe 10123"}, titles)
	titles, _ = find("größe 123 12", next)
	equal(t, "all words of the next page", []string{"Größe 9123"}, titles)
	pages := 1
	for titles, next = find("größe 99999", ""); next != ""; titles, next = find("größe 99999", next) {
		pages++
	}
	if len(titles) > 0 || pages != 11 {
		t.Errorf("found %q in %d pages", titles, pages)
	}
}

// A search finds what one turn said, by the user or in the answer, in the conversations of
// who asks only.
func TestFindSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t), phrases)
	w.submit(say("hello"))
	w.submit(say("add a customer from Zürich"))
	first, err := w.svc.Create(t.Context(), "p")
	if err != nil {
		t.Fatal(err)
	}
	other, err := w.svc.Create(t.Context(), "eve")
	if err != nil {
		t.Fatal(err)
	}
	for id, principal := range map[string]string{first: "p", other: "eve"} {
		if _, err := w.svc.Submit(t.Context(), id, principal, say("blue shoes, from Zürich"), wait); err != nil {
			t.Fatal(err)
		}
	}
	answer := w.state().Transcript[1].Text
	for words, want := range map[string][]string{
		"ZÜRICH": {first, w.id}, "zürich customer": {w.id}, "zürich hello": nil, "hello": {w.id},
		answer: {first, w.id}, "shoes blue": {first}, "red": nil,
	} {
		list, next, err := w.svc.Find(t.Context(), "p", conversation.Listing{Words: words, Limit: 5})
		if err != nil || next != "" {
			t.Fatal(err, next)
		}
		var got []string
		for _, c := range list {
			got = append(got, c.ID)
		}
		equal(t, words, want, got)
	}
}
