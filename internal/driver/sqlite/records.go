package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) PutRecord(ctx context.Context, r store.Record) error {
	err := r.Validate()
	if err == nil {
		err = s.writer.do(ctx, func(t *txn) error {
			if err := store.CheckNext([]store.Record{r}, t.newest); err != nil {
				return err
			}
			return t.save(r)
		})
	}
	return s.act(err, "put record %q", r.ID)
}

// newest returns the newest version of a record and its owner; 0 if it does not exist.
func (t *txn) newest(name, id string) (version uint64, owner string, err error) {
	err = t.row(`SELECT version, owner FROM app_record WHERE name = ? AND id = ?`, []any{name, id}, &version, &owner)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return version, owner, err
}

// save adds a version, which follows.
func (t *txn) save(r store.Record) error {
	var n int64
	var err error
	terms := sqlstore.TermsOf(r)
	at := r.At.UnixMicro()
	if r.Version == 1 {
		err = t.returning(`INSERT INTO app_record
			(name, id, version, owner, created, author, conv, event, at, fields, body)
			VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING n`,
			[]any{r.Name, r.ID, r.Owner, r.Created.UnixMicro(), r.Author, r.Conversation, r.Event, at, terms.Names,
				r.Body}, &n)
	} else {
		n, err = t.saveNext(r, terms.Names)
	}
	if err != nil {
		return err
	}
	for i, field := range terms.Fields {
		err := t.exec(`INSERT INTO app_term (field, text, at, n) VALUES (?, ?, ?, ?)`, field, terms.Texts[i], at, n)
		if err != nil {
			return err
		}
	}
	return nil
}

// saveNext puts a version in the place of the one before, and returns the row.
func (t *txn) saveNext(r store.Record, fields []byte) (n int64, err error) {
	if err := t.row(`SELECT n FROM app_record WHERE name = ? AND id = ?`, []any{r.Name, r.ID}, &n); err != nil {
		return 0, err
	}
	err = t.exec(`INSERT INTO app_record_old (record, version, author, conv, event, at, body)
		SELECT n, version, author, conv, event, at, body FROM app_record WHERE n = ?`, n)
	if err != nil {
		return 0, err
	}
	err = t.exec(`UPDATE app_record SET version = ?, author = ?, conv = ?, event = ?, at = ?, fields = ?, body = ?
		WHERE n = ?`, int64(r.Version), r.Author, r.Conversation, r.Event, r.At.UnixMicro(), fields, r.Body, n)
	if err != nil {
		return 0, err
	}
	return n, t.exec(`DELETE FROM app_term WHERE n = ?`, n)
}

func (s *driver) DropRecord(ctx context.Context, name, id string, version uint64) error {
	err := s.writer.do(ctx, func(t *txn) error {
		newest, _, err := t.newest(name, id)
		switch {
		case err != nil:
			return err
		case newest == 0:
			return store.ErrNotFound
		case version != 0 && version != newest:
			return store.ErrVersion
		}
		var n int64
		err = t.returning(`DELETE FROM app_record WHERE name = ? AND id = ? RETURNING n`, []any{name, id}, &n)
		if err == nil {
			err = t.exec(`DELETE FROM app_record_old WHERE record = ?`, n)
		}
		if err == nil {
			err = t.exec(`DELETE FROM app_term WHERE n = ?`, n)
		}
		return err
	})
	return s.act(err, "drop record %q", id)
}

func (s *driver) ImportRecord(ctx context.Context, versions []store.Record) error {
	err := store.CheckVersions(versions)
	if err == nil {
		err = s.writer.do(ctx, func(t *txn) error {
			version, _, err := t.newest(versions[0].Name, versions[0].ID)
			if err != nil {
				return err
			}
			if version > 0 {
				return store.ErrExists
			}
			for i, v := range versions {
				if i < len(versions)-1 {
					v.Terms = nil
				}
				if err := t.save(v); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return s.act(err, "import a record")
}

// database is q as sqlstore reads records from it.
func (s *driver) database(ctx context.Context, q querier) sqlstore.Database {
	return sqlstore.Database{
		Query: func(query string, args []any, row func(func(...any) error) error) error {
			return each(ctx, q, query, args, func(rows *sql.Rows) error { return row(rows.Scan) })
		},
		Text:   func(text string) any { return text },
		Name:   func(to *string) any { return to },
		Bounds: s.bounds,
	}
}

func (s *driver) ReadRecord(ctx context.Context, name, id string, version uint64) (r store.Record, err error) {
	err = s.readTx(ctx, func(q querier) error {
		r, err = s.database(ctx, q).Read(name, id, version)
		return err
	})
	return r, s.act(err, "read record %q", id)
}

func (s *driver) RecordVersions(ctx context.Context, name, id string, before uint64,
	limit int) (list []store.Record, err error) {
	err = s.read(func(q querier) error {
		list, err = s.database(ctx, q).Versions(name, id, before, limit)
		return err
	})
	return list, s.act(err, "list versions of record %q", id)
}

func (s *driver) FindRecords(ctx context.Context, q store.Query) (list []store.Record, next string, err error) {
	err = s.readTx(ctx, func(db querier) error {
		list, next, err = s.database(ctx, db).Find(q)
		return err
	})
	return list, next, s.act(err, "find records of %q", q.Name)
}

// ExportRecords implements store.Store. It is one read transaction, as Export is.
func (s *driver) ExportRecords(ctx context.Context, each func([]store.Record) error) error {
	err := s.readTx(ctx, func(q querier) error { return s.database(ctx, q).Export(each) })
	return s.act(err, "export records")
}
