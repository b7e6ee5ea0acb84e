package files_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/files"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

func id(content string) string {
	return files.New(sha256.Sum256([]byte(content)), []byte("12345678"))
}

func TestIDsInValues(t *testing.T) {
	t.Parallel()
	a, b, c := id("a"), id("b"), id("c")
	v := ui.Map(ui.Pair{Key: "card", Value: ui.String(a)},
		ui.Pair{Key: "more", Value: ui.Map(ui.Pair{Key: "shots", Value: ui.Strings(b, "u-1", a)})},
		ui.Pair{Key: "rows", Value: ui.Rows(ui.Record{ID: "r1", Cells: ui.Map(ui.Pair{Key: "file", Value: ui.String(c)})})},
		ui.Pair{Key: "text", Value: ui.String("see " + a)})
	if got := files.In(v); !slices.Equal(got, []string{a, b, c}) {
		t.Errorf("ids %v", got)
	}
	if got := files.InArguments([]byte(`{"of":["` + b + `",{"x":"` + b + `"},7]}`)); !slices.Equal(got, []string{b}) {
		t.Errorf("ids of arguments %v", got)
	}
}

// newStore returns a store with two conversations, one of which has these files.
func newStore(t *testing.T, list ...store.Blob) store.Store {
	t.Helper()
	s := memory.New()
	for _, conversation := range []string{"mine", "other"} {
		if err := s.Create(t.Context(), store.Conversation{ID: conversation, Log: "0123456789abcdef"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, b := range list {
		if err := s.PutBlob(t.Context(), "mine", b); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.PutBlob(t.Context(), "other", store.Blob{ID: id("foreign"), Body: []byte("foreign")}); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReaderKnowsItsConversation(t *testing.T) {
	t.Parallel()
	s := newStore(t, store.Blob{ID: id("a"), Name: "a.txt", Type: "text/plain", Body: []byte("a")})
	if f, err := files.Read(t.Context(), s, "mine", id("a")); err != nil || f.Name != "a.txt" || string(f.Body) != "a" {
		t.Errorf("%v, %v", f, err)
	}
	for _, no := range []string{id("foreign"), id("gone"), "", "../a", strings.Repeat("u", 5000)} {
		if _, err := files.Read(t.Context(), s, "mine", no); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%.40q: %v", no, err)
		}
	}
}

func TestAttachedWithinABound(t *testing.T) {
	t.Parallel()
	large := bytes.Repeat([]byte("x"), files.MaxAttached-1)
	s := newStore(t, store.Blob{ID: id("large"), Body: large}, store.Blob{ID: id("two"), Body: []byte("22")},
		store.Blob{ID: id("one"), Body: []byte("1")})
	list, err := files.Attach(t.Context(), s, "mine", []string{id("large"), id("gone"), id("two"), id("one")})
	if err != nil || len(list) != 3 {
		t.Fatalf("%d files, %v", len(list), err)
	}
	for i, want := range []int{len(large), 0, 1} { // the second has no room any more
		if len(list[i].Data) != want || list[i].Size != []int{len(large), 2, 1}[i] {
			t.Errorf("file %d: %d bytes of %d", i, len(list[i].Data), list[i].Size)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name, kind, body, want string
		ctx                    context.Context
	}{
		{"card.json", "application/json", `{"name":"Ada"}`, `{"name":"Ada"}`, t.Context()},
		{"a.txt", "text/plain", "\xff\xfeA\x00d\x00a\x00", "Ada", t.Context()},
		{"a.csv", "text/csv", "name,age\nAda,36\n", "name,age\nAda,36", t.Context()},
		{"a.png", "image/png", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0d", "", t.Context()},
		{"a.txt", "text/plain", "too late", "", ended},
	} {
		got := files.Text(c.ctx, store.Blob{Name: c.name, Type: c.kind, Body: []byte(c.body)})
		if strings.TrimSpace(got) != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
