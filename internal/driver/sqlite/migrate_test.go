package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func version(t *testing.T, conn *sql.Conn) (v int) {
	t.Helper()
	if err := conn.QueryRowContext(context.Background(), "PRAGMA user_version").Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestMigrate(t *testing.T) {
	steps := []string{
		`CREATE TABLE a (x); INSERT INTO a VALUES (1)`,
		`ALTER TABLE a ADD COLUMN y DEFAULT 2`,
		`CREATE TABLE b AS SELECT x + y AS z FROM a; DROP TABLE nowhere`,
	}
	conn := raw(t, file(t))

	// A step that fails half-way leaves the version before it, whole.
	if err := prepare(conn, steps); err == nil || !strings.Contains(err.Error(), "migrate to version 3") {
		t.Fatalf("prepare = %v, want the failing step", err)
	}
	if v := version(t, conn); v != 2 {
		t.Fatalf("version %d after a failed step 3", v)
	}
	var tables int
	err := conn.QueryRowContext(t.Context(), `SELECT count(*) FROM sqlite_schema WHERE name = 'b'`).Scan(&tables)
	if err != nil || tables != 0 {
		t.Fatalf("the failed step left %d tables, %v", tables, err)
	}

	// A later program has a step that works.
	steps[2] = `CREATE TABLE b AS SELECT x + y AS z FROM a`
	for range 2 { // the second time there is nothing to do
		if err := prepare(conn, steps); err != nil {
			t.Fatal(err)
		}
	}
	var z int
	if err := conn.QueryRowContext(t.Context(), `SELECT z FROM b`).Scan(&z); err != nil || z != 3 {
		t.Fatalf("z = %d, %v; want 3", z, err)
	}

	// An older program refuses it.
	if err := prepare(conn, steps[:2]); !errors.Is(err, errNewer) {
		t.Fatalf("older program: %v, want errNewer", err)
	}
}

// A command beside an older server leaves its tables alone.
func TestOpenCurrent(t *testing.T) {
	path := file(t)
	if s, err := OpenCurrent(path); err != nil { // there are no tables yet
		t.Fatal(err)
	} else if err := s.(*driver).Close(); err != nil {
		t.Fatal(err)
	}
	conn := raw(t, path)
	run(t, conn, "PRAGMA user_version = 1")
	if _, err := OpenCurrent(path); !errors.Is(err, sqlstore.ErrOlder) || !strings.Contains(err.Error(), "limn serve") {
		t.Errorf("OpenCurrent = %v", err)
	}
	if v := version(t, conn); v != 1 {
		t.Errorf("the file has version %d now", v)
	}
}

func TestNewerDatabase(t *testing.T) {
	path := file(t)
	openTest(t, path).Close()
	run(t, raw(t, path), "PRAGMA user_version = 999")
	_, err := Open(path)
	says(t, err, path, "run the newer program")
}

// Programs that start together on a new file apply each step once.
func TestOpenTogether(t *testing.T) {
	path := file(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { // Wait below
			s, err := Open(path)
			if err != nil {
				t.Error(err)
				return
			}
			s.Close()
		})
	}
	wg.Wait()
	if v := version(t, raw(t, path)); v != len(migrations()) {
		t.Errorf("version %d, want %d", v, len(migrations()))
	}
}

// A file of the first release, with something in every table, is brought up to
// date and goes on.
func TestUpgrade(t *testing.T) {
	path := file(t)
	conn := raw(t, path)
	if err := prepare(conn, migrations()[:1]); err != nil {
		t.Fatal(err)
	}
	run(t, conn,
		`INSERT INTO conv (id, log, owner, created, seq) VALUES ('c', '0123456789abcdef', 'ada', 7, 1)`,
		`INSERT INTO frame (conv, seq, body) VALUES (1, 1, x'31')`,
		`INSERT INTO snapshot (conv, seq, body) VALUES (1, 1, x'32')`,
		`INSERT INTO record (conv, event, key, hash, at, seq, body) VALUES (1, 'e1', 'k1', 'h', 7, 1, x'33'), (1, 'e2', '', 'h', 8, 0, x'34')`,
		`INSERT INTO note (record, step, body) VALUES (2, 0, x'35')`,
		`INSERT INTO blob (conv, id, name, type, at, body) VALUES (1, 'b', 'n', 't', 7, x'36')`,
		`INSERT INTO job (conv, id, event, kind, due, body) VALUES (1, 'e1/0', 'e1', 'hook', 9, x'37')`)
	s := openTest(t, path)
	at := func(micros int64) time.Time { return sqlstore.Instant(micros) }
	want := store.Dump{
		Conversation: store.Conversation{ID: "c", Log: "0123456789abcdef", Owner: "ada", Created: at(7)},
		Seq:          1, Frames: []store.Frame{{Seq: 1, Body: []byte("1")}}, Snapshots: []store.Frame{{Seq: 1, Body: []byte("2")}},
		Events: []store.Event{
			{ID: "e1", Key: "k1", Hash: "h", Body: []byte("3"), At: at(7), Done: true, Seq: 1},
			{ID: "e2", Hash: "h", Body: []byte("4"), At: at(8)},
		},
		Notes: map[string][][]byte{"e2": {[]byte("5")}},
		Jobs:  []store.Job{{Conversation: "c", ID: "e1/0", Event: "e1", Kind: "hook", Body: []byte("7"), Due: at(9)}},
		Blobs: []store.Blob{{ID: "b", Name: "n", Type: "t", Body: []byte("6"), At: at(7)}},
	}
	err := s.Export(t.Context(), func(got store.Dump) error {
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if ids, err := s.Orphans(t.Context(), 0); err != nil || len(ids) != 1 {
		t.Errorf("orphans %q, %v", ids, err)
	}
	l, err := s.Acquire(t.Context(), "c", "", "a", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	c := store.Commit{Expect: 1, Frame: []byte("f"), Event: "e2", Trace: []byte("t"), Node: "a", Token: l.Token}
	if err := s.Append(t.Context(), "c", c); err != nil {
		t.Fatal(err)
	}
	if jobs, err := s.Take(t.Context(), at(9), at(10), 0); err != nil || len(jobs) != 1 {
		t.Errorf("jobs %v, %v", jobs, err)
	}
}
