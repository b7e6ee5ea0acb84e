package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

// dumpTime bounds the reading or writing of one whole conversation with its files, or of one
// record with its versions.
const dumpTime = 10 * time.Minute

// Export implements store.Store. One transaction sees one moment from start to end. It
// blocks nothing, but the server cannot vacuum rows that are deleted meanwhile.
func (s *driver) Export(ctx context.Context, each func(store.Dump) error) error {
	if s.closed() {
		return s.act(ctx, store.ErrClosed, "export")
	}
	var own error // of each, or of what ctx said
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: oneMoment})
	if err == nil {
		defer tx.Rollback(context.WithoutCancel(ctx)) // there is nothing to undo
		last := ""
		for err == nil && own == nil {
			rows, _ := tx.Query(ctx, `SELECT id FROM conv WHERE id > $1 ORDER BY id LIMIT 1000`, last)
			var page []string
			page, err = pgx.CollectRows(rows, pgx.RowTo[string])
			if len(page) == 0 {
				break
			}
			last = page[len(page)-1]
			err, own = exportThese(ctx, tx, page, each)
		}
	}
	switch {
	case own != nil:
		return fmt.Errorf("export: %w", own)
	case err != nil && ctx.Err() != nil:
		return s.act(ctx, errGaveUp, "export")
	}
	return s.act(ctx, err, "export")
}

// oneMoment begins a transaction that sees one moment, however long its reader takes.
const oneMoment = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL ` + idleTime + ` = 0`

// exportThese hands out the conversations of a page; ids are as text wrote them.
// own is an error of each.
func exportThese(ctx context.Context, tx pgx.Tx, ids []string, each func(store.Dump) error) (err, own error) {
	for _, id := range ids {
		bounded, cancel := context.WithTimeout(ctx, dumpTime)
		w, err := readDump(bounded, tx, id)
		cancel()
		if err != nil {
			return err, nil
		}
		if own := each(w); own != nil {
			return nil, own
		}
		if ctx.Err() != nil {
			return errGaveUp, nil
		}
	}
	return nil, nil
}

// readDump reads all of one conversation, in one round trip.
func readDump(ctx context.Context, tx pgx.Tx, id string) (w store.Dump, err error) {
	w.Notes = map[string][][]byte{}
	var b pgx.Batch
	queue := func(sql string, scan func(pgx.Rows) error) {
		b.Queue(sql, id).Query(func(rows pgx.Rows) error { return drain(rows, scan) })
	}
	queue(`SELECT id, log, owner, created, title, first, archived, seq, floor FROM conv WHERE id = $1`,
		func(rows pgx.Rows) error { return scanDump(rows, &w) })
	queue(`SELECT seq, body, trace, said FROM frame WHERE conv = $1 ORDER BY seq`,
		func(rows pgx.Rows) error { return scanFrame(rows, &w) })
	queue(`SELECT seq, body FROM snapshot WHERE conv = $1 ORDER BY seq`, func(rows pgx.Rows) error {
		var f store.Frame
		err := rows.Scan(&f.Seq, &f.Body)
		w.Snapshots = append(w.Snapshots, f)
		return err
	})
	queue(`SELECT `+recordColumns+` FROM record WHERE conv = $1 ORDER BY n`, func(rows pgx.Rows) error {
		var p maybeRecord
		if err := rows.Scan(p.dest()...); err != nil {
			return err
		}
		w.Events = append(w.Events, p.record())
		return nil
	})
	queue(`SELECT event, body FROM note WHERE conv = $1 ORDER BY event, step`, func(rows pgx.Rows) error {
		var event string
		var body []byte
		err := rows.Scan(name{&event}, &body)
		w.Notes[event] = append(w.Notes[event], body)
		return err
	})
	queue(`SELECT `+jobColumns+` FROM job WHERE conv = $1 ORDER BY id`, func(rows pgx.Rows) error {
		j, err := scanJob(rows)
		w.Jobs = append(w.Jobs, j)
		return err
	})
	queue(`SELECT id, name, type, at, body FROM blob WHERE conv = $1 ORDER BY id`, func(rows pgx.Rows) error {
		var blob store.Blob
		var at int64
		err := rows.Scan(name{&blob.ID}, name{&blob.Name}, name{&blob.Type}, &at, &blob.Body)
		blob.At = sqlstore.Instant(at)
		w.Blobs = append(w.Blobs, blob)
		return err
	})
	return w, tx.SendBatch(ctx, &b).Close()
}

// scanDump reads the conversation of a dump.
func scanDump(rows pgx.Rows, w *store.Dump) error {
	var created int64
	err := rows.Scan(name{&w.ID}, &w.Log, name{&w.Owner}, &created, name{&w.Title}, name{&w.First}, &w.Archived,
		&w.Seq, &w.Floor)
	w.Created = sqlstore.Instant(created)
	return err
}

// scanFrame reads a frame of a dump, with its trace and its text for search.
func scanFrame(rows pgx.Rows, w *store.Dump) error {
	var f store.Frame
	var trace, said []byte
	err := rows.Scan(&f.Seq, &f.Body, &trace, &said)
	w.Frames = append(w.Frames, f)
	if trace != nil {
		w.Traces = append(w.Traces, store.Frame{Seq: f.Seq, Body: trace})
	}
	if said != nil {
		w.Said = append(w.Said, store.Frame{Seq: f.Seq, Body: said})
	}
	return err
}

func (s *driver) Import(ctx context.Context, w store.Dump) error {
	err := w.Validate()
	if err == nil {
		err = s.runFor(ctx, dumpTime, func(ctx context.Context, conn *pgx.Conn) error {
			return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return insertDump(ctx, tx, w) })
		})
	}
	return s.act(ctx, err, "import %q", w.ID)
}

// insertDump adds a conversation, in one round trip after the one that finds its
// id free.
func insertDump(ctx context.Context, tx pgx.Tx, w store.Dump) error {
	id := text(w.ID)
	made, err := tx.Exec(ctx, `INSERT INTO conv (id, log, owner, created, title, first, archived, seq, floor)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`, id, w.Log, text(w.Owner),
		w.Created.UnixMicro(), text(w.Title), text(w.First), w.Archived, sqlstore.Integer(w.Seq),
		sqlstore.Integer(w.Floor))
	if err != nil {
		return err
	}
	if made.RowsAffected() == 0 {
		return store.ErrExists
	}
	traces, said := sqlstore.BySeq(w.Traces), sqlstore.BySeq(w.Said)
	var b pgx.Batch
	for _, f := range w.Frames {
		b.Queue(`INSERT INTO frame (conv, seq, body, trace, said) VALUES ($1, $2, $3, $4, $5)`, id,
			sqlstore.Integer(f.Seq), f.Body, sqlstore.OrNull(traces[f.Seq]), sqlstore.OrNull(said[f.Seq]))
	}
	for _, f := range w.Snapshots {
		b.Queue(`INSERT INTO snapshot (conv, seq, body) VALUES ($1, $2, $3)`, id, sqlstore.Integer(f.Seq), f.Body)
	}
	for _, r := range w.Events { // in this order they arrived
		b.Queue(`INSERT INTO record (conv, event, key, hash, at, starts, seq, body, answer)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			id, text(r.ID), text(r.Key), text(r.Hash), r.At.UnixMicro(), r.Starts, sqlstore.Integer(r.Seq),
			sqlstore.NotNull(r.Body), sqlstore.NotNull(r.Answer))
	}
	for event, notes := range w.Notes {
		for step, body := range notes {
			b.Queue(`INSERT INTO note (conv, event, step, body) VALUES ($1, $2, $3, $4)`, id, text(event), step,
				sqlstore.NotNull(body))
		}
	}
	for _, j := range w.Jobs {
		var buried *time.Time
		if now := time.Now(); j.Why != "" {
			buried = &now
		}
		b.Queue(`INSERT INTO job (conv, id, event, kind, due, tries, buried, why, body)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			id, text(j.ID), text(j.Event), text(j.Kind), j.Due.UnixMicro(), j.Tries, buried, text(j.Why),
			sqlstore.NotNull(j.Body))
	}
	for _, blob := range w.Blobs {
		b.Queue(`INSERT INTO blob (conv, id, name, type, at, body) VALUES ($1, $2, $3, $4, $5, $6)`,
			id, text(blob.ID), text(blob.Name), text(blob.Type), blob.At.UnixMicro(), sqlstore.NotNull(blob.Body))
	}
	return tx.SendBatch(ctx, &b).Close()
}
