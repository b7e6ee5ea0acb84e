package memory

import (
	"context"
	"errors"
	"slices"

	"github.com/limn-ui/limn/store"
)

func (s *driver) PutBlob(ctx context.Context, id string, b store.Blob) error {
	err := s.in(ctx, id, func(c *conversation) error {
		if err := b.Validate(); err != nil {
			return err
		}
		if _, taken := c.blobs[b.ID]; taken {
			return store.ErrExists
		}
		b.Body, b.At = slices.Clone(b.Body), store.Time(b.At)
		c.blobs[b.ID] = b
		return nil
	})
	return act(err, "put blob %q", b.ID)
}

func (s *driver) Blob(ctx context.Context, id, blob string) (b store.Blob, err error) {
	err = s.in(ctx, id, func(c *conversation) error {
		kept, ok := c.blobs[blob]
		if !ok {
			return store.ErrNotFound
		}
		b = kept
		b.Body = slices.Clone(kept.Body)
		return nil
	})
	return b, act(err, "read blob %q", blob)
}

func (s *driver) DropBlob(ctx context.Context, id, blob string) error {
	err := s.in(ctx, id, func(c *conversation) error {
		delete(c.blobs, blob)
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return act(err, "drop blob %q", blob)
}
