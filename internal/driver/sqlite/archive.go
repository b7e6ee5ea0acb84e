package sqlite

import (
	"context"
	"database/sql"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) Traces(ctx context.Context, id string, after uint64, limit int) ([]store.Frame, error) {
	var list []store.Frame
	err := s.readTx(ctx, func(q querier) error {
		conv, _, err := readConv(ctx, q, id)
		if err != nil {
			return err
		}
		list, err = collect(ctx, q, scanFrame, `SELECT seq, trace FROM frame
			WHERE conv = ? AND seq > ? AND trace IS NOT NULL ORDER BY seq LIMIT ?`,
			conv, sqlstore.Integer(after), store.Limit(limit))
		return err
	})
	return list, s.act(err, "read traces of %q after %d", id, after)
}

// Export implements store.Store. It is one read transaction: while it lasts the
// log beside the file cannot shrink, and every write makes it grow.
func (s *driver) Export(ctx context.Context, each func(store.Dump) error) error {
	err := s.readTx(ctx, func(q querier) error {
		for last := ""; ; {
			// no id is empty
			ids, err := collect(ctx, q, scanID, `SELECT id FROM conv WHERE id > ? ORDER BY id LIMIT ?`,
				last, store.Page)
			if err != nil || len(ids) == 0 {
				return err
			}
			for _, id := range ids {
				w, err := readDump(ctx, q, id)
				if err != nil {
					return err
				}
				if err := each(w); err != nil {
					return err
				}
			}
			last = ids[len(ids)-1]
		}
	})
	return s.act(err, "export")
}

func readDump(ctx context.Context, q querier, id string) (w store.Dump, err error) {
	conv, h, err := readConv(ctx, q, id)
	if err != nil {
		return w, err
	}
	w = store.Dump{Conversation: h.Conversation, Seq: h.Seq, Floor: h.Floor, Notes: map[string][][]byte{}}
	for _, part := range []func(context.Context, querier, int64, *store.Dump) error{readLog, readRecords, readNotes,
		readJobs, readBlobs} {
		if err := part(ctx, q, conv, &w); err != nil {
			return w, err
		}
	}
	return w, nil
}

func readLog(ctx context.Context, q querier, conv int64, w *store.Dump) error {
	err := each(ctx, q, `SELECT seq, body, trace, said FROM frame WHERE conv = ? ORDER BY seq`, []any{conv},
		func(rows *sql.Rows) error {
			var f, t, said store.Frame
			err := rows.Scan(&f.Seq, &f.Body, &t.Body, &said.Body)
			w.Frames = append(w.Frames, f)
			if t.Seq = f.Seq; t.Body != nil {
				w.Traces = append(w.Traces, t)
			}
			if said.Seq = f.Seq; said.Body != nil {
				w.Said = append(w.Said, said)
			}
			return err
		})
	if err != nil {
		return err
	}
	w.Snapshots, err = collect(ctx, q, scanFrame, `SELECT seq, body FROM snapshot WHERE conv = ? ORDER BY seq`, conv)
	return err
}

// recordsOf lists the records of a conversation by the two indexes that have them.
const recordsOf = `(SELECT n FROM record WHERE conv = ?1 AND key <> ''
	UNION ALL SELECT n FROM record WHERE conv = ?1 AND key = '')`

func readRecords(ctx context.Context, q querier, conv int64, w *store.Dump) (err error) {
	w.Events, err = collect(ctx, q, scanRecord, recordColumns+`WHERE n IN `+recordsOf+` ORDER BY n`, conv)
	return err
}

func readNotes(ctx context.Context, q querier, conv int64, w *store.Dump) error {
	return each(ctx, q, `SELECT r.event, note.body FROM record r JOIN note ON note.record = r.n
		WHERE r.n IN `+recordsOf+` ORDER BY r.n, note.step`, []any{conv}, func(rows *sql.Rows) error {
		var event string
		var body []byte
		err := rows.Scan(&event, &body)
		w.Notes[event] = append(w.Notes[event], body)
		return err
	})
}

func readJobs(ctx context.Context, q querier, conv int64, w *store.Dump) (err error) {
	w.Jobs, err = collect(ctx, q, scanJob, jobColumns+`WHERE j.conv = ? ORDER BY j.id`, conv)
	return err
}

func readBlobs(ctx context.Context, q querier, conv int64, w *store.Dump) (err error) {
	w.Blobs, err = collect(ctx, q, func(scan func(...any) error) (b store.Blob, err error) {
		var at int64
		err = scan(&b.ID, &b.Name, &b.Type, &at, &b.Body)
		b.At = sqlstore.Instant(at)
		return b, err
	}, `SELECT id, name, type, at, body FROM blob WHERE conv = ? ORDER BY id`, conv)
	return err
}

func (s *driver) Import(ctx context.Context, w store.Dump) error {
	err := w.Validate()
	if err == nil {
		err = s.writer.do(ctx, func(t *txn) error { return t.add(w) })
	}
	return s.act(err, "import %q", w.ID)
}

func (t *txn) add(w store.Dump) error {
	if err := t.create(w.Conversation); err != nil {
		return err
	}
	conv, err := t.conv(w.ID)
	if err != nil {
		return err
	}
	err = t.exec(`UPDATE conv SET seq = ?, floor = ? WHERE n = ?`, int64(w.Seq), int64(w.Floor), conv.n)
	if err != nil {
		return err
	}
	for _, part := range []func(int64, store.Dump) error{t.addLog, t.addRecords, t.addJobs, t.addBlobs} {
		if err := part(conv.n, w); err != nil {
			return err
		}
	}
	return nil
}

func (t *txn) addLog(conv int64, w store.Dump) error {
	traces, said := sqlstore.BySeq(w.Traces), sqlstore.BySeq(w.Said)
	for _, f := range w.Frames {
		err := t.exec(insertFrame, conv, int64(f.Seq), f.Body, sqlstore.OrNull(traces[f.Seq]),
			sqlstore.OrNull(said[f.Seq]))
		if err != nil {
			return err
		}
	}
	for _, s := range w.Snapshots {
		if err := t.exec(insertSnapshot, conv, int64(s.Seq), s.Body); err != nil {
			return err
		}
	}
	return nil
}

func (t *txn) addRecords(conv int64, w store.Dump) error {
	for _, r := range w.Events {
		r.Node = ""
		if err := t.record(conv, r, int64(r.Seq), r.Answer); err != nil {
			return err
		}
		notes := w.Notes[r.ID]
		if r.Starts == 0 && len(notes) == 0 {
			continue
		}
		var n int64
		err := t.returning(`UPDATE record SET starts = ? WHERE conv = ? AND event = ? RETURNING n`,
			[]any{r.Starts, conv, r.ID}, &n)
		if err != nil {
			return err
		}
		for step, body := range notes {
			if err := t.exec(insertNote, n, step, sqlstore.NotNull(body)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *txn) addJobs(conv int64, w store.Dump) error {
	for _, j := range w.Jobs {
		if err := t.enqueue(conv, j); err != nil {
			return err
		}
		if err := t.exec(`UPDATE job SET tries = ? WHERE conv = ? AND id = ?`, j.Tries, conv, j.ID); err != nil {
			return err
		}
		if j.Why == "" {
			continue
		}
		if _, err := t.changed(kill, j.Why, w.ID, j.ID); err != nil {
			return err
		}
	}
	return nil
}

func (t *txn) addBlobs(conv int64, w store.Dump) error {
	for _, b := range w.Blobs {
		if err := t.blob(conv, b); err != nil {
			return err
		}
	}
	return nil
}
