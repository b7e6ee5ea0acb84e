package session_test

import (
	"testing"

	"github.com/limn-ui/limn/internal/conversation"
)

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
