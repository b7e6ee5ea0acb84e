package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"testing"
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
