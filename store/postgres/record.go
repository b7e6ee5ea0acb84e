package postgres

import (
	"context"
	"errors"

	"github.com/limn-ui/limn/store"
)

// Record implements store.Store.
func (s *Store) Record(ctx context.Context, id string, r store.Record) (*store.Record, error) {
	var prior *store.Record
	err := r.Validate()
	if err == nil {
		prior, err = s.record(ctx, id, r)
	}
	if err == nil && prior != nil && prior.Hash != r.Hash {
		err = store.ErrKeyReused
	}
	return prior, s.act(ctx, err, "record event %q", r.Event)
}

func (s *Store) record(ctx context.Context, id string, r store.Record) (*store.Record, error) {
	for {
		var there, added bool
		_, err := s.write(ctx, id, `WITH c AS (SELECT id FROM conv WHERE id = $1), added AS (
				INSERT INTO record (conv, event, key, hash, at, body, node, token, until)
				SELECT id, $2, $3, $4, $5, $6, $7, ($7 <> '')::int,
					CASE WHEN $7 <> '' THEN clock_timestamp() + $8 END
				FROM c ON CONFLICT DO NOTHING RETURNING 1)
			SELECT EXISTS (SELECT FROM c), EXISTS (SELECT FROM added)`,
			[]any{text(id), text(r.Event), text(r.Key), text(r.Hash), r.At.UnixMicro(), full(r.Body), text(r.Node), r.TTL},
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
		if !errors.Is(err, store.ErrNotFound) {
			return prior, err
		} // forgotten just now: then it is new
	}
}

// known finds the record with r's key, else with r's event id.
func (s *Store) known(ctx context.Context, id string, r store.Record) (*store.Record, error) {
	var p maybeRecord
	err := s.row(ctx, `SELECT `+recordColumns+` FROM record
		WHERE conv = $1 AND (event = $2 OR (key = $3 AND key <> ''))
		ORDER BY key = $3 AND key <> '' DESC LIMIT 1`,
		[]any{text(id), text(r.Event), text(r.Key)}, p.dest()...)
	if err != nil {
		return nil, err
	}
	prior := p.record()
	return &prior, nil
}

const recordColumns = `event, key, hash, at, starts, seq, body, answer`

// maybeRecord scans recordColumns; all may be NULL,
// and at tells.
type maybeRecord struct {
	r      store.Record
	at     *int64
	starts *int64
	seq    *uint64
}

func (p *maybeRecord) dest() []any {
	return []any{name{&p.r.Event}, name{&p.r.Key}, name{&p.r.Hash}, &p.at, &p.starts, &p.seq, &p.r.Body, &p.r.Answer}
}

func (p *maybeRecord) record() store.Record {
	r := p.r
	r.At, r.Starts, r.Seq, r.Done = instant(*p.at), int(*p.starts), *p.seq, *p.seq > 0
	return r
}
