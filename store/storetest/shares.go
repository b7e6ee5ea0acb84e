package storetest

import (
	"strings"
	"time"

	"github.com/limn-ui/limn/store"
)

// shareOf is a share of an hour that began at begin plus d.
func shareOf(id, holder string, d time.Duration) store.Share {
	return store.Share{ID: id, Holder: holder, Access: "read", Created: begin.Add(d), Expires: begin.Add(d + time.Hour)}
}

// shares checks who besides the owner may use a conversation.
func shares(f *fixture) {
	f.fails(f.PutShare(f.ctx, "nowhere", shareOf("s1", "h", 0)), store.ErrNotFound)
	f.fails(f.DropShare(f.ctx, "nowhere", "s1"), store.ErrNotFound)
	f.create("c1")
	f.create("c2")
	has := func(id, holder string, want ...store.Share) {
		f.Helper()
		for i := range want {
			want[i].Created, want[i].Expires = want[i].Created.UTC(), want[i].Expires.UTC()
		}
		got, err := f.Shares(f.ctx, id, holder)
		f.ok(err)
		f.same(got, want)
	}
	link, guest := shareOf("s1", "link \x00\xff", 0), shareOf("s1", "guest", time.Second)
	other := shareOf("s2", "guest", 0)
	other.Access = "write"
	for _, s := range []store.Share{guest, other, link} {
		f.ok(f.PutShare(f.ctx, "c1", s))
	}
	f.ok(f.PutShare(f.ctx, "c2", guest))
	f.fails(f.PutShare(f.ctx, "c1", guest), store.ErrExists)
	has("c1", "", link, other, guest)
	has("c1", "guest", other, guest)
	has("c1", link.Holder, link)
	has("c1", "nobody")
	has("nowhere", "")

	held := func(holder, access string, after time.Duration, want ...string) {
		f.Helper()
		list, err := f.Held(f.ctx, holder, access, begin.Add(after))
		f.ok(err)
		var ids []string
		for _, c := range list {
			f.same(c, f.head(c.ID).Conversation)
			ids = append(ids, c.ID)
		}
		f.same(ids, want)
	}
	f.ok(f.PutShare(f.ctx, "c1", shareOf("s3", "guest", time.Second)))
	held("guest", "read", 0, "c2", "c1")
	held("guest", "write", time.Hour-time.Second, "c1")
	held("guest", "write", time.Hour)
	held("nobody", "read", 0)
	f.ok(f.DropShare(f.ctx, "c1", "s3"))

	f.ok(f.DropShare(f.ctx, "c1", "s1"))
	f.fails(f.DropShare(f.ctx, "c1", "s1"), store.ErrNotFound)
	has("c1", "", other)
	has("c2", "", guest)
	f.same(len(f.exported()), 2) // without shares
	f.ok(f.Drop(f.ctx, "c2", 0))
	f.create("c2")
	has("c2", "")

	brokenShares(f)
}

// brokenShares checks that broken shares are refused.
func brokenShares(f *fixture) {
	for _, broken := range []func(*store.Share){
		func(s *store.Share) { s.ID = "" },
		func(s *store.Share) { s.Holder = strings.Repeat("x", 129) },
		func(s *store.Share) { s.Access = "" },
		func(s *store.Share) { s.Expires = s.Created },
	} {
		s := shareOf("s3", "h", 0)
		broken(&s)
		f.fails(f.PutShare(f.ctx, "c1", s), store.ErrInvalid)
	}
}
