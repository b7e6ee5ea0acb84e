package memory

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/limn-ui/limn/store"
)

func (s *driver) PutShare(ctx context.Context, id string, sh store.Share) error {
	err := s.in(ctx, id, func(c *conversation) error {
		if err := sh.Validate(); err != nil {
			return err
		}
		sh.Created, sh.Expires = store.Time(sh.Created), store.Time(sh.Expires)
		if slices.ContainsFunc(c.shares, func(o store.Share) bool { return o.ID == sh.ID && o.Holder == sh.Holder }) {
			return store.ErrExists
		}
		c.shares = append(c.shares, sh)
		slices.SortFunc(c.shares, func(a, b store.Share) int {
			return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Holder, b.Holder))
		})
		return nil
	})
	return act(err, "put share of %q", id)
}

func (s *driver) Shares(ctx context.Context, id, holder string) (list []store.Share, err error) {
	err = s.in(ctx, id, func(c *conversation) error {
		for _, sh := range c.shares {
			if holder == "" || sh.Holder == holder {
				list = append(list, sh)
			}
		}
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return list, act(err, "list shares of %q", id)
}

func (s *driver) Held(ctx context.Context, holder, access string, now time.Time) (list []store.Conversation,
	err error) {
	err = s.do(ctx, func() error {
		for _, c := range s.convs {
			if slices.ContainsFunc(c.shares, func(sh store.Share) bool {
				return sh.Holder == holder && sh.Access == access && sh.Expires.After(store.Time(now))
			}) {
				list = append(list, c.Conversation)
			}
		}
		slices.SortFunc(list, newest)
		list = list[:min(len(list), store.Page)]
		return nil
	})
	return list, act(err, "list conversations")
}

func (s *driver) DropShare(ctx context.Context, id, share string) error {
	err := s.in(ctx, id, func(c *conversation) error {
		before := len(c.shares)
		c.shares = slices.DeleteFunc(c.shares, func(sh store.Share) bool { return sh.ID == share })
		if len(c.shares) == before {
			return store.ErrNotFound
		}
		return nil
	})
	return act(err, "drop share of %q", id)
}
