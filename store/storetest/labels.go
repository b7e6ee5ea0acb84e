package storetest

import (
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/store"
)

// labels checks what an owner says about a conversation, and the two lists of them.
func labels(f *fixture) {
	made := map[string]store.Conversation{}
	for i, id := range []string{"c1", "c2", "c3"} {
		c := store.Conversation{ID: id, Log: "0123456789abcdef", Owner: "ada", Created: begin.Add(time.Duration(i))}
		f.ok(f.Create(f.ctx, c))
		c.Created = store.Time(c.Created)
		made[id] = c
	}
	owned := func(archived bool, ids ...string) {
		f.Helper()
		got, err := f.Owned(f.ctx, "ada", archived, store.Conversation{}, 0)
		f.ok(err)
		var want []store.Conversation
		for _, id := range ids {
			want = append(want, made[id])
		}
		f.same(got, want)
	}
	change := func(id string, do func(c *store.Conversation)) {
		f.Helper()
		c := made[id]
		do(&c)
		made[id] = c
		f.same(f.head(id).Conversation, c)
	}
	title, away, back := "Zürich \x00\xff", true, false
	f.ok(f.Label(f.ctx, "c2", store.Label{Title: &title}))
	change("c2", func(c *store.Conversation) { c.Title = title })
	f.ok(f.Label(f.ctx, "c2", store.Label{Archived: &away}))
	change("c2", func(c *store.Conversation) { c.Archived = true })
	owned(false, "c3", "c1")
	owned(true, "c2")
	none := ""
	f.ok(f.Label(f.ctx, "c2", store.Label{Title: &none, Archived: &back}))
	change("c2", func(c *store.Conversation) { c.Title, c.Archived = "", false })
	f.ok(f.Label(f.ctx, "c2", store.Label{}))
	owned(false, "c3", "c2", "c1")

	f.ok(f.Append(f.ctx, "c1", store.Commit{Frame: frameBody(1)}))
	change("c1", func(*store.Conversation) {})
	f.ok(f.Append(f.ctx, "c1", store.Commit{Expect: 1, Frame: frameBody(2), First: "hello \x00"}))
	change("c1", func(c *store.Conversation) { c.First = "hello \x00" })
	f.ok(f.Append(f.ctx, "c1", store.Commit{Expect: 2, Frame: frameBody(3), First: "again"}))
	f.fails(f.Append(f.ctx, "c1", store.Commit{Expect: 1, Frame: frameBody(2), First: "late"}), store.ErrConflict)
	change("c1", func(*store.Conversation) {})
	owned(false, "c3", "c2", "c1")

	long := strings.Repeat("x", builtin.MaxTitle+1)
	f.fails(f.Label(f.ctx, "c1", store.Label{Title: &long}), store.ErrInvalid)
	f.fails(f.Append(f.ctx, "c1", store.Commit{Expect: 3, Frame: frameBody(4), First: long}), store.ErrInvalid)
	f.fails(f.Label(f.ctx, "nowhere", store.Label{Title: &title}), store.ErrNotFound)
	kept := store.Conversation{ID: "c4", Log: "0123456789abcdef", Owner: "eve", Created: begin, Title: "t", First: "f",
		Archived: true}
	f.ok(f.Create(f.ctx, kept))
	kept.Created = store.Time(kept.Created)
	f.same(f.head("c4").Conversation, kept)
}
