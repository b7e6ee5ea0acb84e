package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) PutRecord(ctx context.Context, r store.Record) error {
	err := r.Validate()
	if err == nil {
		err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error { return save(ctx, tx, r) })
	}
	return s.act(ctx, err, "put record %q", r.ID)
}

// inTx runs f in a new transaction.
func (s *driver) inTx(ctx context.Context, f func(context.Context, pgx.Tx) error) error {
	return s.inTxFor(ctx, s.call, f)
}

// inTxFor is inTx, for so long at most.
func (s *driver) inTxFor(ctx context.Context, most time.Duration, f func(context.Context, pgx.Tx) error) error {
	return s.runFor(ctx, most, func(ctx context.Context, conn *pgx.Conn) error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return f(ctx, tx) })
	})
}

// appendWith is append for a commit with records: the same statement, then the records,
// in one transaction.
func (s *driver) appendWith(ctx context.Context, id string, c store.Commit) error {
	p := partsOf(c)
	refused := false
	err := s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var seq int64
		err := tx.QueryRow(ctx, appends[p], p.args(id, c)...).Scan(&seq)
		var e *pgconn.PgError
		if errors.Is(err, pgx.ErrNoRows) || errors.As(err, &e) && e.Code == "23505" { // as a lane takes it
			refused = true
		}
		if err != nil {
			return err
		}
		for _, r := range sqlstore.NextLocks(c.Records) {
			if err := save(ctx, tx, r); err != nil {
				return err
			}
		}
		return nil
	})
	if refused {
		return s.refusal(ctx, id, c)
	}
	return err
}

// save adds a version. It waits for another transaction that has the record in hand.
func save(ctx context.Context, tx pgx.Tx, r store.Record) error {
	var n int64
	var version uint64
	var owner string
	err := tx.QueryRow(ctx, `SELECT n, version, owner FROM app_record WHERE name = $1 AND id = $2 FOR UPDATE`,
		text(r.Name), text(r.ID)).Scan(&n, &version, name{&owner})
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	newest := func(string, string) (uint64, string, error) { return version, owner, nil }
	if err := store.CheckNext([]store.Record{r}, newest); err != nil {
		return err
	}
	if version == 0 {
		err := insertRecord(ctx, tx, r)
		if errors.Is(err, pgx.ErrNoRows) { // another was faster
			err = fmt.Errorf("record %q: %w", r.ID, store.ErrVersion)
		}
		return err
	}
	terms := sqlstore.TermsOf(r)
	var b pgx.Batch
	b.Queue(`INSERT INTO app_record_old (record, version, author, conv, event, at, body)
		SELECT n, version, author, conv, event, at, body FROM app_record WHERE n = $1`, n)
	b.Queue(`UPDATE app_record SET version = $2, author = $3, conv = $4, event = $5, at = $6, fields = $7, body = $8
		WHERE n = $1`, n, sqlstore.Integer(r.Version), text(r.Author), text(r.Conversation), text(r.Event),
		r.At.UnixMicro(), terms.Names, r.Body)
	b.Queue(`DELETE FROM app_term WHERE n = $1`, n)
	b.Queue(`INSERT INTO app_term (field, text, at, n) SELECT t.*, $3, $4 FROM unnest($1::bigint[], $2::text[]) t`,
		terms.Fields, terms.Texts, r.At.UnixMicro(), n)
	return tx.SendBatch(ctx, &b).Close()
}

// insertRecord adds a record with its first version; pgx.ErrNoRows if the name is taken.
func insertRecord(ctx context.Context, tx pgx.Tx, r store.Record) error {
	terms := sqlstore.TermsOf(r)
	return tx.QueryRow(ctx, `WITH made AS (
			INSERT INTO app_record (name, id, version, owner, created, author, conv, event, at, fields, body)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING RETURNING n, at),
		terms AS (
			INSERT INTO app_term (field, text, at, n)
			SELECT t.*, made.at, made.n FROM made, unnest($12::bigint[], $13::text[]) t)
		SELECT n FROM made`,
		text(r.Name), text(r.ID), sqlstore.Integer(r.Version), text(r.Owner), r.Created.UnixMicro(), text(r.Author),
		text(r.Conversation), text(r.Event), r.At.UnixMicro(), terms.Names, r.Body, terms.Fields, terms.Texts).
		Scan(new(int64))
}

func (s *driver) DropRecord(ctx context.Context, name, id string, version uint64) error {
	err := s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var n int64
		var newest uint64
		err := tx.QueryRow(ctx, `SELECT n, version FROM app_record WHERE name = $1 AND id = $2 FOR UPDATE`,
			text(name), text(id)).Scan(&n, &newest) // without a row: run says ErrNotFound
		if err != nil {
			return err
		}
		if version != 0 && version != newest {
			return store.ErrVersion
		}
		_, err = tx.Exec(ctx, `WITH old AS (DELETE FROM app_record_old WHERE record = $1),
			terms AS (DELETE FROM app_term WHERE n = $1) DELETE FROM app_record WHERE n = $1`, n)
		return err
	})
	return s.act(ctx, err, "drop record %q", id)
}

func (s *driver) ImportRecord(ctx context.Context, versions []store.Record) error {
	err := store.CheckVersions(versions)
	if err == nil {
		err = s.inTxFor(ctx, dumpTime, func(ctx context.Context, tx pgx.Tx) error {
			return importRecord(ctx, tx, versions)
		})
	}
	return s.act(ctx, err, "import a record")
}

// importRecord adds the newest version, then those before it.
func importRecord(ctx context.Context, tx pgx.Tx, versions []store.Record) error {
	newest := versions[len(versions)-1]
	newest.Created = versions[0].Created
	err := insertRecord(ctx, tx, newest)
	if errors.Is(err, pgx.ErrNoRows) {
		return store.ErrExists
	}
	if err != nil || len(versions) == 1 {
		return err
	}
	var b pgx.Batch
	for _, v := range versions[:len(versions)-1] {
		b.Queue(`INSERT INTO app_record_old (record, version, author, conv, event, at, body)
			SELECT n, $3, $4, $5, $6, $7, $8 FROM app_record WHERE name = $1 AND id = $2`, text(v.Name), text(v.ID),
			sqlstore.Integer(v.Version), text(v.Author), text(v.Conversation), text(v.Event), v.At.UnixMicro(), v.Body)
	}
	return tx.SendBatch(ctx, &b).Close()
}

// nested makes the planner go from record to record by an index. Its estimates of terms,
// of which all fields are in one table, are no better than that. Compiling a statement
// takes longer than running it.
const nested = `BEGIN READ ONLY; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
	SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL jit = off;
	SET LOCAL max_parallel_workers_per_gather = 0`

// database is q as sqlstore reads records from it. Arguments are made by text.
func (s *driver) database(ctx context.Context, q querier) sqlstore.Database {
	return sqlstore.Database{
		Query: func(sql string, args []any, row func(func(...any) error) error) error {
			return scanAll(ctx, q, sqlstore.Numbered(sql), args, func(rows pgx.Rows) error { return row(rows.Scan) })
		},
		Walk:   func() error { return scanAll(ctx, q, `SET LOCAL enable_sort = off`, nil, nil) },
		Text:   func(s string) any { return text(s) },
		Name:   func(to *string) any { return name{to} },
		Bounds: s.bounds,
	}
}

func (s *driver) ReadRecord(ctx context.Context, name, id string, version uint64) (r store.Record, err error) {
	err = s.run(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		r, err = s.database(ctx, conn).Read(name, id, version)
		return err
	})
	return r, s.act(ctx, err, "read record %q", id)
}

func (s *driver) RecordVersions(ctx context.Context, name, id string, before uint64,
	limit int) (list []store.Record, err error) {
	err = s.run(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		list, err = s.database(ctx, conn).Versions(name, id, before, limit)
		return err
	})
	return list, s.act(ctx, err, "list versions of record %q", id)
}

func (s *driver) FindRecords(ctx context.Context, q store.Query) (list []store.Record, next string, err error) {
	err = s.run(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		return pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{BeginQuery: nested}, func(tx pgx.Tx) error {
			list, next, err = s.database(ctx, tx).Find(q)
			return err
		})
	})
	return list, next, s.act(ctx, err, "find records of %q", q.Name)
}

// ExportRecords implements store.Store. One transaction sees one moment, as in Export.
func (s *driver) ExportRecords(ctx context.Context, each func([]store.Record) error) error {
	if s.closed() {
		return s.act(ctx, store.ErrClosed, "export records")
	}
	var own error // of each, or of what ctx said
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: oneMoment})
	if err == nil {
		defer tx.Rollback(context.WithoutCancel(ctx)) // there is nothing to undo
		d := s.database(ctx, tx)
		d.Query = func(sql string, args []any, row func(func(...any) error) error) error {
			bounded, cancel := context.WithTimeout(ctx, dumpTime)
			defer cancel()
			return scanAll(bounded, tx, sqlstore.Numbered(sql), args,
				func(rows pgx.Rows) error { return row(rows.Scan) })
		}
		err = d.Export(func(versions []store.Record) error {
			own = each(versions)
			return own
		})
	}
	switch {
	case own != nil:
		return fmt.Errorf("export records: %w", own)
	case err != nil && ctx.Err() != nil:
		return s.act(ctx, errGaveUp, "export records")
	}
	return s.act(ctx, err, "export records")
}
