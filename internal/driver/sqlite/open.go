package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

const (
	readers     = 4               // read connections; each keeps its own page cache
	busyTimeout = 5 * time.Second // how long to wait for another process's lock
)

// driver is a store in one SQLite file.
type driver struct {
	path   string
	reads  *sql.DB
	writes *sql.DB // one connection, owned by the writer
	writer *writer
	bounds sqlstore.Bounds // tests change them

	closing sync.Once
	closed  error // result of the first Close
}

// Open opens or creates the database at path, for its owner only (0600), brings its tables
// up to date and starts the writer. It refuses a file that is newer than the program, or not
// ours. The folder must exist and be writable. Errors name the file and say what to do.
// Several processes may open one file, but they wait for each other: busyTimeout, then an
// error.
func Open(path string) (store.Store, error) {
	s, err := open(path, busyTimeout)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// OpenCurrent is Open for a program that only looks: it refuses a file whose tables are not
// up to date, which a running server of an older version may have open.
func OpenCurrent(path string) (store.Store, error) {
	if err := checkCurrent(path); err != nil {
		return nil, explain("open database", path, err)
	}
	return Open(path)
}

func checkCurrent(path string) (err error) {
	if _, err := os.Stat(path); err != nil {
		return nil // Open says why, or makes it
	}
	db, err := sql.Open("sqlite", dsn(path, busyTimeout, "", true))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(context.Background())
	if err != nil {
		return err
	}
	steps := len(migrations())
	version, err := checkOurs(context.Background(), conn, steps)
	if err == nil {
		err = sqlstore.CheckCurrent(version, steps)
	}
	return errors.Join(err, conn.Close())
}

func open(path string, busy time.Duration) (*driver, error) { return openVFS(path, busy, "") }

// openVFS opens a file through a file system of SQLite's: "" the usual one.
func openVFS(path string, busy time.Duration, vfs string) (_ *driver, err error) {
	if path == "" || strings.HasPrefix(path, ":memory:") || strings.ContainsRune(path, 0) {
		return nil, fmt.Errorf("open database: %q is not a file path (for a store in memory use store/memory)", path)
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	if err := touch(path); err != nil {
		return nil, fmt.Errorf("open database: %w", err) // names the path itself
	}
	s := &driver{path: path, bounds: sqlstore.Usual()}
	defer func() {
		if err != nil {
			err = errors.Join(explain("open database", path, err), s.closeDBs())
		}
	}()
	if s.writes, err = sql.Open("sqlite", dsn(path, busy, vfs, false)); err != nil {
		return nil, err
	}
	s.writes.SetMaxOpenConns(1)
	conn, err := s.writes.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	// Of several programs that change the mode of a new file, SQLite lets some fail at once.
	start := time.Now()
	err = prepare(conn, migrations())
	for wait := time.Millisecond; locked(err) && time.Since(start) < busy; wait *= 2 {
		time.Sleep(wait)
		err = prepare(conn, migrations())
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	if s.reads, err = sql.Open("sqlite", dsn(path, busy, vfs, true)); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	s.reads.SetMaxOpenConns(readers)
	s.reads.SetMaxIdleConns(readers)
	if err := openAll(s.reads, readers); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	s.writer = startWriter(path, conn)
	return s, nil
}

// openAll opens n connections of a pool, which keeps them: later, file descriptors
// may have run out, and what cannot be read is a stream that stalls.
func openAll(db *sql.DB, n int) (err error) {
	conns := make([]*sql.Conn, 0, n)
	defer func() {
		for _, c := range conns {
			err = errors.Join(err, c.Close())
		}
	}()
	for range n {
		c, err := db.Conn(context.Background())
		if err != nil {
			return err
		}
		conns = append(conns, c)
	}
	return nil
}

// touch creates the file for its owner only, and gives the operating system's own
// clear errors (no such folder, permission denied) instead of SQLite's.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// dsn writes the data source name: a file: URI in which every byte of the path
// that means something in a URI is escaped, and the settings of each connection.
func dsn(path string, busy time.Duration, vfs string, readOnly bool) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/x → /C:/x
	}
	q := url.Values{}
	pragma := func(p string) { q.Add("_pragma", p) }
	pragma(fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds())) // first: the others may meet a lock
	if readOnly {
		pragma("query_only(1)")
	} else {
		pragma("synchronous(FULL)")
		pragma("cache_size(-16384)")           // 16 MiB: the index pages of the conversations now active
		pragma("temp_store(MEMORY)")           // savepoints need no temporary files
		pragma("journal_size_limit(67108864)") // a burst's WAL shrinks back to 64 MiB
	}
	if vfs != "" {
		q.Set("vfs", vfs)
	}
	q.Set("_dqs", "0")      // "x" is a column, never a string
	q.Set("_error_rc", "1") // no stale texts in errors
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: q.Encode()}).String()
}

// Close finishes the queued requests, writes the WAL back into the file and closes it.
// Later calls of any method return store.ErrClosed; Close itself may be repeated.
func (s *driver) Close() error {
	s.closing.Do(func() {
		s.writer.Stop()
		err := errors.Join(s.reads.Close(), s.writer.close(), s.writes.Close())
		if err != nil {
			s.closed = explain("close database", s.path, err)
		}
	})
	return s.closed
}

func (s *driver) closeDBs() (err error) {
	for _, db := range []*sql.DB{s.reads, s.writes} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return err
}
