package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) Create(ctx context.Context, c store.Conversation) error {
	err := c.Validate()
	if err == nil {
		var made bool
		made, err = s.write(ctx, c.ID, `INSERT INTO conv (id, log, owner, created, title, first, archived)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING seq`,
			[]any{text(c.ID), c.Log, text(c.Owner), c.Created.UnixMicro(), text(c.Title), text(c.First), c.Archived},
			new(int64))
		if err == nil && !made {
			err = store.ErrExists
		}
	}
	return s.act(ctx, err, "create conversation %q", c.ID)
}

func (s *driver) Label(ctx context.Context, id string, l store.Label) error {
	err := l.Validate()
	if err == nil {
		var title *string
		if l.Title != nil {
			kept := text(*l.Title)
			title = &kept
		}
		var found bool
		found, err = s.write(ctx, id, `UPDATE conv SET title = coalesce($2::text, title),
			archived = coalesce($3::boolean, archived) WHERE id = $1 RETURNING 1`,
			[]any{text(id), title, l.Archived}, new(int))
		if err == nil && !found {
			err = store.ErrNotFound
		}
	}
	return s.act(ctx, err, "label conversation %q", id)
}

func (s *driver) Open(ctx context.Context, id string) (store.Head, error) {
	h := store.Head{Conversation: store.Conversation{ID: id}}
	found := false
	// One statement, hence one moment. The snapshot comes with the first row only.
	err := s.each(ctx, `SELECT c.log, c.owner, c.created, c.title, c.first, c.archived, c.seq, c.floor,
			coalesce(s.seq, 0),
			CASE WHEN row_number() OVER (ORDER BY r.n) = 1 THEN s.body END,
			r.event, r.key, r.hash, r.at, r.starts, r.seq, r.body, r.answer
		FROM conv c
		LEFT JOIN LATERAL (SELECT seq, body FROM snapshot WHERE conv = c.id ORDER BY seq DESC LIMIT 1) s ON true
		LEFT JOIN record r ON r.conv = c.id AND r.seq = 0
		WHERE c.id = $1 ORDER BY r.n`, []any{text(id)},
		func(rows pgx.Rows) error {
			var created int64
			var body []byte
			var p maybeRecord
			err := rows.Scan(append([]any{&h.Log, name{&h.Owner}, &created, name{&h.Title}, name{&h.First},
				&h.Archived, &h.Seq, &h.Floor, &h.SnapshotSeq, &body}, p.dest()...)...)
			if err != nil {
				return err
			}
			h.Created = sqlstore.Instant(created)
			if !found {
				found, h.Snapshot = true, body
			}
			if p.at != nil {
				h.Pending = append(h.Pending, p.record())
			}
			return nil
		})
	if err == nil && !found {
		err = store.ErrNotFound
	}
	if err != nil {
		return store.Head{}, s.act(ctx, err, "open conversation %q", id)
	}
	return h, nil
}

func (s *driver) Frames(ctx context.Context, id string, after uint64, limit int) ([]store.Frame, error) {
	frames, err := s.list(ctx, "body", id, after, limit, true)
	return frames, s.act(ctx, err, "read frames of %q after %d", id, after)
}

func (s *driver) Traces(ctx context.Context, id string, after uint64, limit int) ([]store.Frame, error) {
	frames, err := s.list(ctx, "trace", id, after, limit, false)
	return frames, s.act(ctx, err, "read traces of %q after %d", id, after)
}

// list reads a column of frames, in one statement: a trim cannot slip in between.
func (s *driver) list(ctx context.Context, column, id string, after uint64, limit int, dense bool) (list []store.Frame,
	err error) {
	found, err := s.look(ctx, `SELECT c.floor, f.seq, f.body FROM conv c
		LEFT JOIN LATERAL (SELECT seq, `+column+` AS body FROM frame
			WHERE conv = c.id AND seq > $2 AND `+column+` IS NOT NULL ORDER BY seq LIMIT $3) f ON true
		WHERE c.id = $1 ORDER BY f.seq`,
		[]any{text(id), sqlstore.Integer(after), store.Limit(limit)},
		func(rows pgx.Rows) error {
			var floor uint64
			var seq *uint64
			var body []byte
			if err := rows.Scan(&floor, &seq, &body); err != nil {
				return err
			}
			if dense && after < floor {
				return store.ErrTrimmed
			}
			if seq != nil {
				list = append(list, store.Frame{Seq: *seq, Body: body})
			}
			return nil
		})
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return list, err
}

// Ping implements store.Store. A connection that does not answer in time is given up.
func (s *driver) Ping(ctx context.Context) error {
	if s.closed() {
		return s.act(ctx, store.ErrClosed, "ask")
	}
	err := s.pool.Ping(ctx)
	if err != nil && s.closed() {
		err = store.ErrClosed
	} else if err != nil && ctx.Err() != nil {
		err = errGaveUp
	}
	return s.act(ctx, err, "ask")
}

func (s *driver) Heads(ctx context.Context, ids []string) (map[string]uint64, error) {
	if err := store.CheckHeads(ids); err != nil {
		return nil, s.act(ctx, err, "read heads")
	}
	heads := make(map[string]uint64, len(ids))
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = text(id)
	}
	err := s.each(ctx, `SELECT id, seq FROM conv WHERE id = ANY ($1)`, []any{list}, func(rows pgx.Rows) error {
		var id string
		var seq uint64
		err := rows.Scan(name{&id}, &seq)
		heads[id] = seq
		return err
	})
	return heads, s.act(ctx, err, "read heads")
}

func (s *driver) Said(ctx context.Context, ids, words []string) (map[string]bool, error) {
	if err := store.CheckHeads(ids); err != nil {
		return nil, s.act(ctx, err, "search conversations")
	}
	list, wanted := make([]string, len(ids)), make([][]byte, len(words))
	for i, id := range ids {
		list[i] = text(id)
	}
	for i, w := range words {
		wanted[i] = []byte(w)
	}
	found := map[string]bool{}
	err := s.each(ctx, `SELECT c.id FROM conv c WHERE c.id = ANY ($1) AND EXISTS (
			SELECT FROM frame f WHERE f.conv = c.id AND f.seq > c.seq - $3 AND f.said IS NOT NULL
			AND NOT EXISTS (SELECT FROM unnest($2::bytea[]) w WHERE position(w IN f.said) = 0))`,
		[]any{list, wanted, store.SaidKept}, func(rows pgx.Rows) error {
			var id string
			err := rows.Scan(name{&id})
			found[id] = true
			return err
		})
	return found, s.act(ctx, err, "search conversations")
}
