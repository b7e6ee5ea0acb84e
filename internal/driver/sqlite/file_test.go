package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/store"
)

func isClosed(err error) bool { return errors.Is(err, store.ErrClosed) }

// says checks that err names the file and contains a text.
func says(t *testing.T, err error, path, text string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %q", text)
	}
	for _, want := range []string{path, text} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q\ndoes not say %q", err, want)
		}
	}
	t.Log(err)
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, body string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := "This is a letter, not a database. " + strings.Repeat("Dear Ada, ", 200)
	cases := []struct{ name, path, want string }{
		{"no folder", filepath.Join(dir, "none", "limn.db"), "no such file or directory"},
		{"a folder", dir, "is a directory"},
		{"a text file", write("letter.db", text), "not a SQLite database"},
		{"in memory", ":memory:", "store/memory"},
		{"empty", "", "not a file path"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Open(c.path)
			says(t, err, c.path, c.want)
		})
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "letter.db")); string(b) != text {
		t.Error("Open changed a file that is not a database")
	}
}

// Needs a user whom permissions bind: root is refused nothing.
func TestReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("runs as root")
	}
	path := file(t)
	s := openTest(t, path)
	s.Close()
	dir := filepath.Dir(path)
	t.Cleanup(func() { os.Chmod(dir, 0o700) })

	os.Chmod(dir, 0o500) // the file is writable, its folder is not
	_, err := Open(path)
	says(t, err, path, "folder must be writable")
	_, err = Open(filepath.Join(dir, "new.db"))
	says(t, err, "new.db", "permission denied")

	os.Chmod(dir, 0o700)
	os.Chmod(path, 0o400)
	_, err = Open(path)
	says(t, err, path, "permission denied")
}

// raw opens the file beside the store.
func raw(t *testing.T, path string) *sql.Conn {
	t.Helper()
	db, err := sql.Open("sqlite", dsn(path, 0, "", false))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(); db.Close() })
	return conn
}

func run(t *testing.T, conn *sql.Conn, queries ...string) {
	t.Helper()
	for _, q := range queries {
		if _, err := conn.ExecContext(context.Background(), q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

func TestForeignDatabase(t *testing.T) {
	path := file(t)
	run(t, raw(t, path), "CREATE TABLE letters (body TEXT)")
	_, err := Open(path)
	says(t, err, path, "another program")
}

func TestLocked(t *testing.T) {
	path := file(t)
	s, err := open(path, 20*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	create(t, s, "c")
	other := raw(t, path)
	run(t, other, "BEGIN IMMEDIATE")
	err = s.Append(t.Context(), "c", store.Commit{Frame: []byte("x")})
	says(t, err, path, "another process")
	if _, err := s.Open(t.Context(), "c"); err != nil {
		t.Errorf("a reader waits for a writer: %v", err)
	}
	reader, err := open(path, 20*time.Millisecond) // a backup of a busy server
	if err != nil {
		t.Fatalf("a file that is up to date is opened with the write lock: %v", err)
	}
	if _, err := reader.Open(t.Context(), "c"); err != nil {
		t.Error(err)
	}
	reader.Close()

	run(t, other, "ROLLBACK")
	if err := s.Append(t.Context(), "c", store.Commit{Frame: []byte("x")}); err != nil {
		t.Errorf("after the lock is gone: %v", err)
	}
}

// Two stores on one file, as in two processes: one of two appends wins.
func TestTwoStoresOneFile(t *testing.T) {
	path := file(t)
	a, b := openTest(t, path), openTest(t, path)
	create(t, a, "c")
	if err := b.Append(t.Context(), "c", store.Commit{Frame: []byte("b")}); err != nil {
		t.Fatal(err)
	}
	if err := a.Append(t.Context(), "c", store.Commit{Frame: []byte("a")}); !errors.Is(err, store.ErrConflict) {
		t.Errorf("second append: %v, want ErrConflict", err)
	}
}

// A page overwritten with noise: reading it is an error that names the file and
// not a wrong answer.
func TestCorrupted(t *testing.T) {
	path := file(t)
	s := openTest(t, path)
	create(t, s, "c")
	for seq := range uint64(200) {
		c := store.Commit{Expect: seq, Frame: make([]byte, 1000)}
		if err := s.Append(t.Context(), "c", c); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	for off := int64(40 * page); off < info.Size(); off += page { // the schema is before
		if _, err := f.WriteAt([]byte("noise, noise, noise"), off); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	s = openTest(t, path)
	_, err = s.Frames(t.Context(), "c", 0, 0)
	says(t, err, path, "damaged")
}

// A full disk fails the append, leaves nothing of it, and the store goes on when
// there is room again.
func TestDiskFull(t *testing.T) {
	path := file(t)
	s := openTest(t, path)
	create(t, s, "c")
	limit := func(pages int) {
		t.Helper()
		err := s.writer.do(t.Context(), func(w *txn) error {
			return w.row(fmt.Sprintf("PRAGMA max_page_count = %d", pages), nil, new(int))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	limit(1) // SQLite makes it the present size
	big := store.Commit{Frame: make([]byte, 1<<20)}
	says(t, s.Append(t.Context(), "c", big), path, "nothing of this was written")
	if h, err := s.Open(t.Context(), "c"); err != nil || h.Seq != 0 {
		t.Errorf("after the failure: head %d, %v; want 0", h.Seq, err)
	}
	limit(1 << 30)
	if err := s.Append(t.Context(), "c", big); err != nil {
		t.Errorf("with room again: %v", err)
	}
}
