package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) Record(ctx context.Context, id string, r store.Event) (*store.Event, error) {
	var prior *store.Event
	err := r.Validate()
	if err == nil {
		prior, err = s.record(ctx, id, r)
	}
	prior, err = sqlstore.Reused(prior, r.Hash, err)
	return prior, s.act(ctx, err, "record event %q", r.ID)
}

func (s *driver) record(ctx context.Context, id string, r store.Event) (*store.Event, error) {
	for {
		var there, added bool
		_, err := s.write(ctx, id, `WITH c AS (SELECT id FROM conv WHERE id = $1 FOR KEY SHARE), added AS (
				INSERT INTO record (conv, event, key, hash, at, body, node, token, until)
				SELECT id, $2, $3, $4, $5, $6, $7, ($7 <> '')::int,
					CASE WHEN $7 <> '' THEN clock_timestamp() + $8 END
				FROM c ON CONFLICT DO NOTHING RETURNING 1)
			SELECT EXISTS (SELECT FROM c), EXISTS (SELECT FROM added)`,
			[]any{text(id), text(r.ID), text(r.Key), text(r.Hash), r.At.UnixMicro(), sqlstore.NotNull(r.Body),
				text(r.Node), r.TTL},
			&there, &added)
		switch {
		case err != nil:
			return nil, err
		case !there:
			return nil, store.ErrNotFound
		case added:
			return nil, nil
		}
		prior, err := s.known(ctx, id, r)
		if prior != nil || err != nil {
			return prior, err
		} // it was forgotten just now, so r is new: try again
	}
}

func (s *driver) Lookup(ctx context.Context, id string, r store.Event) (*store.Event, error) {
	prior, err := s.known(ctx, id, r)
	prior, err = sqlstore.Reused(prior, r.Hash, err)
	return prior, s.act(ctx, err, "look up event %q", r.ID)
}

// known finds the record with r's key, else with r's event id; nil if neither is known.
func (s *driver) known(ctx context.Context, id string, r store.Event) (*store.Event, error) {
	var p maybeRecord
	err := s.row(ctx, `SELECT r.* FROM conv LEFT JOIN LATERAL (SELECT `+recordColumns+` FROM record
			WHERE conv = $1 AND (event = $2 OR (key = $3 AND key <> ''))
			ORDER BY key = $3 AND key <> '' DESC LIMIT 1) r ON true
		WHERE conv.id = $1`,
		[]any{text(id), text(r.ID), text(r.Key)}, p.dest()...)
	if err != nil || p.at == nil {
		return nil, err
	}
	prior := p.record()
	return &prior, nil
}

const recordColumns = `event, key, hash, at, starts, seq, body, answer`

// maybeRecord scans recordColumns, all of which are NULL if there is no record: then
// at is nil.
type maybeRecord struct {
	r      store.Event
	at     *int64
	starts *int64
	seq    *uint64
}

func (p *maybeRecord) dest() []any {
	return []any{name{&p.r.ID}, name{&p.r.Key}, name{&p.r.Hash}, &p.at, &p.starts, &p.seq, &p.r.Body, &p.r.Answer}
}

func (p *maybeRecord) record() store.Event {
	r := p.r
	r.At, r.Starts, r.Seq, r.Done = sqlstore.Instant(*p.at), int(*p.starts), *p.seq, *p.seq > 0
	return r
}

func (s *driver) Start(ctx context.Context, id, event string) (starts int, err error) {
	found, err := s.write(ctx, id, `UPDATE record SET starts = starts + 1
		WHERE conv = $1 AND event = $2 AND seq = 0 RETURNING starts`, []any{text(id), text(event)}, &starts)
	if err == nil && !found {
		_, err = s.steps(ctx, id, event)
	}
	return starts, s.act(ctx, err, "start event %q", event)
}

func (s *driver) Note(ctx context.Context, id, event string, step int, body []byte) error {
	// The record is held, so that no answer comes in between.
	found, err := s.write(ctx, id, `WITH r AS (
			SELECT conv, event FROM record WHERE conv = $1 AND event = $2 AND seq = 0 FOR SHARE)
		INSERT INTO note (conv, event, step, body) SELECT conv, event, $3::bigint, $4 FROM r
		WHERE $3::bigint = (SELECT count(*) FROM note WHERE conv = $1 AND event = $2)
		ON CONFLICT DO NOTHING RETURNING step`,
		[]any{text(id), text(event), step, sqlstore.NotNull(body)}, new(int))
	if err == nil && !found {
		var next int
		next, err = s.steps(ctx, id, event)
		switch {
		case err != nil:
		case step < 0 || step > next:
			err = fmt.Errorf("%w: the next step is %d", store.ErrInvalid, next)
		default: // step == next: it, or the step before it, was noted meanwhile
			err = store.ErrExists
		}
	}
	return s.act(ctx, err, "note step %d of event %q", step, event)
}

// steps counts the notes of a pending event. ErrConflict if it is answered.
func (s *driver) steps(ctx context.Context, id, event string) (n int, err error) {
	var answered bool
	err = s.row(ctx, `SELECT seq > 0, (SELECT count(*) FROM note WHERE conv = $1 AND event = $2)
		FROM record WHERE conv = $1 AND event = $2`, []any{text(id), text(event)}, &answered, &n)
	if err == nil && answered {
		err = store.ErrConflict
	}
	return n, err
}

func (s *driver) Notes(ctx context.Context, id, event string) ([][]byte, error) {
	var notes [][]byte
	found := false
	err := s.each(ctx, `SELECT n.step, n.body FROM record r
		LEFT JOIN note n ON n.conv = r.conv AND n.event = r.event
		WHERE r.conv = $1 AND r.event = $2 ORDER BY n.step`, []any{text(id), text(event)},
		func(rows pgx.Rows) error {
			found = true
			var step *int
			var body []byte
			if err := rows.Scan(&step, &body); err != nil || step == nil {
				return err
			}
			notes = append(notes, body)
			return nil
		})
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return notes, s.act(ctx, err, "read notes of event %q", event)
}
