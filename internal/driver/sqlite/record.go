package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) Record(ctx context.Context, id string, r store.Event) (*store.Event, error) {
	var prior *store.Event
	err := r.Validate()
	if err == nil {
		err = s.writer.do(ctx, func(t *txn) error {
			prior = nil
			conv, err := t.conv(id)
			if err != nil {
				return err
			}
			err = t.record(conv.n, r, 0, nil)
			if errors.Is(err, store.ErrExists) {
				prior, err = known(t.row, conv.n, r)
			}
			return err
		})
	}
	if err != nil {
		return nil, s.act(err, "record event %q", r.ID) // prior may not be durable
	}
	prior, err = sqlstore.Reused(prior, r.Hash, nil)
	return prior, s.act(err, "record event %q", r.ID)
}

func (s *driver) Lookup(ctx context.Context, id string, r store.Event) (*store.Event, error) {
	var prior *store.Event
	err := s.readTx(ctx, func(q querier) error {
		conv, _, err := readConv(ctx, q, id)
		if err != nil {
			return err
		}
		prior, err = known(func(query string, args []any, dest ...any) error {
			return q.QueryRowContext(ctx, query, args...).Scan(dest...)
		}, conv, r)
		if errors.Is(err, sql.ErrNoRows) {
			err = nil // the event is new
		}
		return err
	})
	prior, err = sqlstore.Reused(prior, r.Hash, err)
	return prior, s.act(err, "look up event %q", r.ID)
}

// queryRow reads one row; sql.ErrNoRows if no row matches.
type queryRow func(query string, args []any, dest ...any) error

// known finds the record with r's key, else with r's event id.
func known(row queryRow, conv int64, r store.Event) (*store.Event, error) {
	prior, err := row.record(recordColumns+`WHERE conv = ? AND key = ? AND key <> ''`, conv, r.Key)
	if errors.Is(err, sql.ErrNoRows) { // also if r has no key
		prior, err = row.record(recordColumns+`WHERE conv = ? AND event = ?`, conv, r.ID)
	}
	return prior, err
}

func (row queryRow) record(query string, args ...any) (*store.Event, error) {
	r, err := scanRecord(func(dest ...any) error { return row(query, args, dest...) })
	if err != nil {
		return nil, err
	}
	return &r, nil
}

const recordColumns = `SELECT event, key, hash, at, starts, seq, body, answer FROM record `

// scanRecord reads recordColumns.
func scanRecord(scan func(...any) error) (r store.Event, err error) {
	var at int64
	err = scan(&r.ID, &r.Key, &r.Hash, &at, &r.Starts, &r.Seq, &r.Body, &r.Answer)
	r.At, r.Done = sqlstore.Instant(at), r.Seq > 0
	return r, err
}

// record adds r, answered by frame seq, or pending if seq is 0. ErrExists if its
// key or event id is known: the unique indexes look while they insert, which saves
// the common case two searches.
func (t *txn) record(conv int64, r store.Event, seq int64, answer []byte) error {
	var until, token int64
	if r.Node != "" {
		until, token = time.Now().Add(r.TTL).UnixMicro(), 1
	}
	return t.insert(`INSERT INTO record (conv, event, key, hash, at, seq, body, answer, node, until, token)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		conv, r.ID, r.Key, r.Hash, r.At.UnixMicro(), seq, sqlstore.NotNull(r.Body), sqlstore.NotNull(answer), r.Node,
		until, token)
}
