package directory_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/directory"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// A search looks at a bounded number of conversations, and the next page goes on where
// it stopped.
func TestFindIsBounded(t *testing.T) {
	t.Parallel()
	st := memory.New()
	d := directory.Directory{Store: st, Now: time.Now,
		State: func(_ context.Context, id string) (*ui.State, error) { return ui.NewState(id), nil }}
	begin := time.Now().Add(-time.Hour)
	for i := range 10_500 {
		if err := st.Create(context.Background(), store.Conversation{ID: fmt.Sprintf("c%05d", i),
			Log: "0123456789abcdef", Owner: conversation.Owner("p"), Created: begin.Add(time.Duration(i) * time.Millisecond),
			First: fmt.Sprintf("Größe %d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	find := func(words, after string) (titles []string, next string) {
		t.Helper()
		list, next, err := d.Find(t.Context(), "p", conversation.Listing{Words: words, After: after, Limit: 2})
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
	if want := []string{"Größe 10497", "Größe 10487"}; !slices.Equal(titles, want) {
		t.Errorf("the newest: found %q, want %q", titles, want)
	}
	titles, _ = find("größe 7", next)
	if want := []string{"Größe 10479", "Größe 10478"}; !slices.Equal(titles, want) {
		t.Errorf("after them: found %q, want %q", titles, want)
	}
	titles, next = find("größe 123 12", "")
	if want := []string{"Größe 10123"}; !slices.Equal(titles, want) {
		t.Errorf("all words: found %q, want %q", titles, want)
	}
	titles, _ = find("größe 123 12", next)
	if want := []string{"Größe 9123"}; !slices.Equal(titles, want) {
		t.Errorf("all words of the next page: found %q, want %q", titles, want)
	}
	pages := 1
	for titles, next = find("größe 99999", ""); next != ""; titles, next = find("größe 99999", next) {
		pages++
	}
	if len(titles) > 0 || pages != 11 {
		t.Errorf("found %q in %d pages", titles, pages)
	}
}
