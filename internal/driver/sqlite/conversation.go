package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) Create(ctx context.Context, c store.Conversation) error {
	err := c.Validate()
	if err == nil {
		err = s.writer.do(ctx, func(t *txn) error {
			return t.create(c)
		})
	}
	return s.act(err, "create conversation %q", c.ID)
}

func (t *txn) create(c store.Conversation) error {
	return t.insert(`INSERT INTO conv (id, log, owner, created, title, first, archived) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO NOTHING`, c.ID, c.Log, c.Owner, c.Created.UnixMicro(), c.Title, c.First, c.Archived)
}

func (s *driver) Open(ctx context.Context, id string) (store.Head, error) {
	var h store.Head
	err := s.readTx(ctx, func(q querier) (err error) {
		var conv int64
		if conv, h, err = readHead(ctx, q, id); err != nil {
			return err
		}
		h.Pending, err = collect(ctx, q, scanRecord, recordColumns+`WHERE conv = ? AND seq = 0 ORDER BY n`, conv)
		return err
	})
	if err != nil {
		return store.Head{}, s.act(err, "open conversation %q", id)
	}
	return h, nil
}

func (s *driver) Label(ctx context.Context, id string, l store.Label) error {
	err := l.Validate()
	if err == nil {
		err = s.writer.do(ctx, func(t *txn) error {
			n, err := t.changed(`UPDATE conv SET title = coalesce(?, title), archived = coalesce(?, archived)
				WHERE id = ?`, l.Title, l.Archived, id)
			if err == nil && n == 0 {
				return store.ErrNotFound
			}
			return err
		})
	}
	return s.act(err, "label conversation %q", id)
}

// readConv reads the row of a conversation.
func readConv(ctx context.Context, q querier, id string) (conv int64, h store.Head, err error) {
	var created int64
	err = q.QueryRowContext(ctx, `SELECT n, id, log, owner, created, title, first, archived, seq, floor
		FROM conv WHERE id = ?`, id).
		Scan(&conv, &h.ID, &h.Log, &h.Owner, &created, &h.Title, &h.First, &h.Archived, &h.Seq, &h.Floor)
	h.Created = sqlstore.Instant(created)
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

// Ping implements store.Store. It begins a transaction of the connection that
// writes, which wants the file and the right to write to it.
func (s *driver) Ping(ctx context.Context) error {
	err := s.writer.do(ctx, func(t *txn) error {
		return t.row(`SELECT count(*) FROM (SELECT 1 FROM conv LIMIT 1)`, nil, new(int))
	})
	return s.act(err, "ask %s", s.path)
}

func (s *driver) Heads(ctx context.Context, ids []string) (map[string]uint64, error) {
	if err := store.CheckHeads(ids); err != nil {
		return nil, s.act(err, "read heads")
	}
	heads := make(map[string]uint64, len(ids))
	if len(ids) == 0 {
		return heads, nil
	}
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	err := s.read(func(q querier) error {
		return each(ctx, q, `SELECT id, seq FROM conv WHERE id IN (?`+strings.Repeat(",?", len(ids)-1)+`)`, args,
			func(rows *sql.Rows) error {
				var id string
				var seq uint64
				err := rows.Scan(&id, &seq)
				heads[id] = seq
				return err
			})
	})
	return heads, s.act(err, "read heads")
}

func (s *driver) Said(ctx context.Context, ids, words []string) (map[string]bool, error) {
	if err := store.CheckHeads(ids); err != nil {
		return nil, s.act(err, "search conversations")
	}
	found := map[string]bool{}
	if len(ids) == 0 {
		return found, nil
	}
	var args []any
	for _, id := range ids {
		args = append(args, id)
	}
	for _, w := range words {
		args = append(args, []byte(w))
	}
	query := `SELECT c.id FROM conv c WHERE c.id IN (?` + strings.Repeat(",?", len(ids)-1) + `) AND EXISTS (
		SELECT 1 FROM frame f WHERE f.conv = c.n AND f.seq > c.seq - ` + strconv.Itoa(store.SaidKept) + `
		AND f.said IS NOT NULL` + strings.Repeat(` AND instr(f.said, ?) > 0`, len(words)) + `)`
	err := s.read(func(q querier) error {
		return each(ctx, q, query, args, func(rows *sql.Rows) error {
			var id string
			err := rows.Scan(&id)
			found[id] = true
			return err
		})
	})
	return found, s.act(err, "search conversations")
}

func (s *driver) PutBlob(ctx context.Context, id string, b store.Blob) error {
	err := b.Validate()
	if err == nil {
		err = s.writer.do(ctx, func(t *txn) error {
			conv, err := t.conv(id)
			if err != nil {
				return err
			}
			return t.blob(conv.n, b)
		})
	}
	return s.act(err, "put blob %q", b.ID)
}

func (t *txn) blob(conv int64, b store.Blob) error {
	return t.insert(`INSERT INTO blob (conv, id, name, type, at, body) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT DO NOTHING`, conv, b.ID, b.Name, b.Type, b.At.UnixMicro(), sqlstore.NotNull(b.Body))
}

func (s *driver) Blob(ctx context.Context, id, blob string) (store.Blob, error) {
	b := store.Blob{ID: blob}
	err := s.read(func(q querier) error {
		var at int64
		err := q.QueryRowContext(ctx, `SELECT b.name, b.type, b.at, b.body FROM conv c
			JOIN blob b ON b.conv = c.n AND b.id = ? WHERE c.id = ?`, blob, id).
			Scan(&b.Name, &b.Type, &at, &b.Body)
		b.At = sqlstore.Instant(at)
		return err
	})
	if err != nil {
		return store.Blob{}, s.act(err, "read blob %q", blob)
	}
	return b, nil
}

func (s *driver) DropBlob(ctx context.Context, id, blob string) error {
	err := s.writer.do(ctx, func(t *txn) error {
		return t.exec(`DELETE FROM blob WHERE conv = (SELECT n FROM conv WHERE id = ?) AND id = ?`, id, blob)
	})
	return s.act(err, "drop blob %q", blob)
}
