package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/limn-ui/limn/store"
)

func (s *driver) Snapshot(ctx context.Context, id string, at uint64) (seq uint64, body []byte, err error) {
	err = s.in(ctx, id, func(c *conversation) error {
		for _, sn := range slices.Backward(c.snaps) {
			if sn.seq <= at {
				seq, body = sn.seq, slices.Clone(sn.body)
				return nil
			}
		}
		return store.ErrNotFound
	})
	return seq, body, act(err, "read snapshot of %q at %d", id, at)
}

func (s *driver) Owned(ctx context.Context, owner string, archived bool, after store.Conversation,
	limit int) (list []store.Conversation, err error) {
	after.Created = store.Time(after.Created)
	err = s.do(ctx, func() error {
		for _, c := range s.convs {
			if c.Owner == owner && c.Archived == archived && (after.ID == "" || newest(after, c.Conversation) < 0) {
				list = append(list, c.Conversation)
			}
		}
		slices.SortFunc(list, newest)
		list = list[:min(len(list), store.Limit(limit))]
		return nil
	})
	return list, act(err, "list conversations")
}

func (s *driver) All(ctx context.Context, archived bool, after string, limit int) (list []store.Conversation,
	err error) {
	err = s.do(ctx, func() error {
		for _, c := range s.convs {
			if c.Archived == archived && (after == "" || c.ID < after) {
				list = append(list, c.Conversation)
			}
		}
		slices.SortFunc(list, func(a, b store.Conversation) int { return cmp.Compare(b.ID, a.ID) })
		list = list[:min(len(list), store.Limit(limit))]
		return nil
	})
	return list, act(err, "list all conversations")
}

func (s *driver) Label(ctx context.Context, id string, l store.Label) error {
	err := l.Validate()
	if err == nil {
		err = s.in(ctx, id, func(c *conversation) error {
			if l.Title != nil {
				c.Title = *l.Title
			}
			if l.Archived != nil {
				c.Archived = *l.Archived
			}
			return nil
		})
	}
	return act(err, "label conversation %q", id)
}

// newest orders conversations for a list.
func newest(a, b store.Conversation) int {
	return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.ID, a.ID))
}

func (s *driver) Forget(ctx context.Context, before time.Time, limit int) (n int, err error) {
	if limit < 1 || limit > store.ForgetMax {
		limit = store.ForgetMax
	}
	before = store.Time(before)
	err = s.do(ctx, func() error {
		for _, c := range s.convs {
			c.events = slices.DeleteFunc(c.events, func(r *received) bool {
				if n == limit || !r.Done || !r.At.Before(before) {
					return false
				}
				n++
				delete(c.byEvent, r.ID)
				if r.Key != "" {
					delete(c.byKey, r.Key)
				}
				return true
			})
		}
		return nil
	})
	return n, act(err, "forget events")
}

func (s *driver) Trim(ctx context.Context, id string, upTo uint64) (floor uint64, err error) {
	err = s.in(ctx, id, func(c *conversation) error {
		newest := uint64(0)
		if n := len(c.snaps); n > 0 {
			newest = c.snaps[n-1].seq
		}
		to := min(upTo, newest, c.floor+store.Page)
		if to > c.floor {
			// Clone, so that the trimmed frames can be collected.
			c.frames = slices.Clone(c.frames[to-c.floor:])
			c.traces = slices.Clone(c.traces[to-c.floor:])
			c.said = slices.Clone(c.said[to-c.floor:])
			c.floor = to
			c.snaps = slices.DeleteFunc(c.snaps, func(sn snapshot) bool { return sn.seq < to })
		}
		floor = c.floor
		return nil
	})
	return floor, act(err, "trim %q up to %d", id, upTo)
}

func (s *driver) Usage(ctx context.Context, owner string) (u store.Usage, err error) {
	err = s.do(ctx, func() error {
		for _, c := range s.convs {
			if c.Owner != owner {
				continue
			}
			u.Conversations++
			for _, b := range c.blobs {
				u.Bytes += int64(len(b.Body))
			}
		}
		return nil
	})
	return u, act(err, "sum up usage")
}
