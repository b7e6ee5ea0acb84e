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

func TestShow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, kind, body string
		text             string
		image            bool
	}{
		{"card.json", "application/json", `{"name":"Ada"}`, `{"name":"Ada"}`, false},
		{"a.txt", "text/plain", "\xff\xfeA\x00d\x00a\x00", "Ada", false},
		{"a.csv", "text/csv", "name,age\nAda,36\n", "name,age\nAda,36", false},
		{"a.png", "image/png", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0d", "", true},
		{"large.png", "image/png", strings.Repeat("x", 3<<20), "", false},
		{"a.pdf", "application/pdf", "%PDF-1.7\x00\x01", "", false},
		{"broken.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "PK\x03\x04?", "", false},
	} {
		s := newStore(t, store.Blob{ID: id(c.name), Name: c.name, Type: c.kind, Body: []byte(c.body)})
		got, err := files.Show(t.Context(), s, "mine", id(c.name))
		if err != nil || got.Size != len(c.body) || strings.TrimSpace(got.Text) != c.text || (got.Image != nil) != c.image {
			t.Errorf("%s: %.80q, a picture of %d bytes, %v", c.name, got.Text, len(got.Image), err)
		}
	}
	s := newStore(t, store.Blob{ID: id("long"), Name: "long.txt", Type: "text/plain",
		Body: []byte(strings.Repeat("word ", 1<<20))})
	if got, err := files.Show(t.Context(), s, "mine", id("long")); err != nil || len(got.Text) > 65<<10 || len(got.Text) < 60<<10 {
		t.Errorf("of 5 MiB %d bytes are kept, %v", len(got.Text), err)
	}
	s = newStore(t, store.Blob{ID: id("rows"), Name: "rows.csv", Type: "text/csv",
		Body: []byte("name,size\n" + strings.Repeat("Ada,36\n", 50_000))})
	got, err := files.Show(t.Context(), s, "mine", id("rows"))
	if err != nil || !got.Cut || !strings.HasPrefix(got.Text, "name,size\nAda,36\n") {
		t.Errorf("of 50,000 rows: %.80q, cut %v, %v", got.Text, got.Cut, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := files.Show(ended, s, "mine", id("long")); err == nil {
		t.Errorf("after the end: %+v", got)
	}
}
