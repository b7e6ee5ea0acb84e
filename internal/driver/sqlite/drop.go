package sqlite

import (
	"context"
	"time"

	"github.com/limn-ui/limn/store"
)

// Drop implements store.Store. A later conversation may get the number of this one:
// every write looks the number up by id in its own transaction, and nothing is left
// that has it.
func (s *driver) Drop(ctx context.Context, id string, expect uint64) error {
	err := s.writer.do(ctx, func(t *txn) error {
		conv, err := t.mayDrop(id, expect)
		if err != nil {
			return err
		}
		for _, table := range []string{
			`note WHERE record IN ` + recordsOf, `record WHERE n IN ` + recordsOf, `frame WHERE conv = ?1`,
			`snapshot WHERE conv = ?1`, `blob WHERE conv = ?1`, `job WHERE conv = ?1`, `share WHERE conv = ?1`,
			`conv WHERE n = ?1`,
		} {
			if err := t.exec(`DELETE FROM `+table, conv); err != nil {
				return err
			}
		}
		return nil
	})
	return s.act(err, "drop conversation %q", id)
}

// mayDrop returns the number of a conversation that nothing is under way in.
func (t *txn) mayDrop(id string, expect uint64) (int64, error) {
	conv, err := t.conv(id)
	if err != nil {
		return 0, err
	}
	var leased, queued bool
	err = t.row(`SELECT EXISTS (SELECT 1 FROM record WHERE conv = ?1 AND seq = 0 AND until > ?2),
		EXISTS (SELECT 1 FROM job WHERE conv = ?1 AND grave = 0)`,
		[]any{conv.n, time.Now().UnixMicro()}, &leased, &queued)
	switch {
	case err != nil:
	case conv.head != expect:
		err = store.ErrConflict
	case leased || conv.turn.left() > 0:
		err = store.ErrLeased
	case queued:
		err = store.ErrQueued
	}
	return conv.n, err
}
