package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/limn-ui/limn/store"
)

// Create implements store.Store.
func (s *Store) Create(ctx context.Context, c store.Conversation) error {
	err := c.Validate()
	if err == nil {
		err = s.writer.do(ctx, func(t *txn) error {
			return t.create(c)
		})
	}
	return s.act(err, "create conversation %q", c.ID)
}

func (t *txn) create(c store.Conversation) error {
	return t.insert(`INSERT INTO conv (id, log, owner, created) VALUES (?, ?, ?, ?)
		ON CONFLICT DO NOTHING`, c.ID, c.Log, c.Owner, c.Created.UnixMicro())
}

// Open implements store.Store.
func (s *Store) Open(ctx context.Context, id string) (store.Head, error) {
	var h store.Head
	err := s.readTx(ctx, func(q querier) (err error) {
		var conv int64
		if conv, h, err = readHead(ctx, q, id); err != nil {
			return err
		}
		return each(ctx, q, recordColumns+`WHERE conv = ? AND seq = 0 ORDER BY n`, []any{conv},
			func(rows *sql.Rows) error {
				r, err := scanRecord(rows.Scan)
				h.Pending = append(h.Pending, r)
				return err
			})
	})
	if err != nil {
		return store.Head{}, s.act(err, "open conversation %q", id)
	}
	return h, nil
}

// readConv reads the row of a conversation.
func readConv(ctx context.Context, q querier, id string) (conv int64, h store.Head, err error) {
	var created int64
	err = q.QueryRowContext(ctx, `SELECT n, id, log, owner, created, seq, floor FROM conv WHERE id = ?`, id).
		Scan(&conv, &h.ID, &h.Log, &h.Owner, &created, &h.Seq, &h.Floor)
	h.Created = instant(created)
	return conv, h, err
}

// readHead reads that row and the newest snapshot.
func readHead(ctx context.Context, q querier, id string) (conv int64, h store.Head, err error) {
	conv, h, err = readConv(ctx, q, id)
	if err != nil {
		return 0, h, err
	}
	err = q.QueryRowContext(ctx, `SELECT seq, body FROM snapshot WHERE conv = ? ORDER BY seq DESC LIMIT 1`, conv).
		Scan(&h.SnapshotSeq, &h.Snapshot)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil // none yet
	}
	return conv, h, err
}

// instant reads a stored time.
func instant(micros int64) time.Time { return time.UnixMicro(micros).UTC() }
