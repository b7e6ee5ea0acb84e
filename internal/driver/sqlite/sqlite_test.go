package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return openTest(t, file(t)) },
		storetest.Reopen(func(t *testing.T, s store.Store) store.Store {
			path := s.(*driver).path
			if err := s.(*driver).Close(); err != nil {
				t.Fatal(err)
			}
			return openTest(t, path)
		}))
}

// The questions about records once more, with the plans for many of them.
func TestFindAmongMany(t *testing.T) {
	if testing.Short() {
		t.Skip("asks one question after the other; without -short it runs")
	}
	for _, few := range []int{0, 6} {
		storetest.Find(t, func(t *testing.T) store.Store {
			s := openTest(t, file(t))
			s.bounds = sqlstore.Bounds{Few: few, Most: 5}
			return s
		})
	}
}

// An export holds few records at a time.
func TestExportOfLargeRecords(t *testing.T) {
	s := openTest(t, file(t))
	for i := range 100 {
		r := store.Record{Name: "customer", ID: fmt.Sprint(i), Version: 1, Owner: "ann", Author: "ann",
			Created: time.UnixMicro(1), At: time.UnixMicro(1), Body: make([]byte, 1<<20)}
		if err := s.PutRecord(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, most, n := heap(), uint64(0), 0
	err := s.ExportRecords(t.Context(), func([]store.Record) error {
		if n++; n%5 == 1 {
			most = max(most, heap())
		}
		return nil
	})
	if err != nil || n != 100 || most > before+20<<20 {
		t.Errorf("%d records: %v; %d MiB more of heap", n, err, (most-before)>>20)
	}
}

// The same promises, with a reopening that is a power cut: the files are copied as
// they are, in the order main file, log, while the store is open.
func TestStoreAfterCrash(t *testing.T) {
	storetest.RunReopen(t, func(t *testing.T) store.Store { return openTest(t, file(t)) },
		func(t *testing.T, s store.Store) store.Store {
			path := crashCopy(t, s.(*driver).path)
			if err := s.(*driver).Close(); err != nil {
				t.Fatal(err)
			}
			return openTest(t, path)
		})
}

// crashCopy copies what a crash now would leave on the disk. -shm is not copied:
// it does not survive a power cut.
func crashCopy(t *testing.T, path string) string {
	t.Helper()
	to := file(t)
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to+suffix, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// file names a new database in a folder that tests every escape of the DSN.
func file(t testing.TB) string {
	dir := filepath.Join(t.TempDir(), `a b%20?c#d&e='"ü`)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "limn.db")
}

func openTest(t testing.TB, path string) *driver {
	t.Helper()
	s, err := open(path, busyTimeout)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func create(t testing.TB, s *driver, id string) {
	t.Helper()
	err := s.Create(t.Context(), store.Conversation{ID: id, Log: "0123456789abcdef"})
	if err != nil {
		t.Fatal(err)
	}
}

func TestCloseLeavesOneFile(t *testing.T) {
	path := file(t)
	s := openTest(t, path)
	create(t, s, "c")
	if _, err := os.Stat(path + "-wal"); err != nil {
		t.Errorf("while open: %v; want a WAL", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v, %v; want 0600", info.Mode(), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	names, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(names) != 1 {
		t.Errorf("after Close the folder has %v, %v; want limn.db only", names, err)
	}
}

// What makes an ack durable is a setting, and a setting can be lost in a rewrite
// of the DSN without any test of behaviour noticing.
func TestConnectionPragmas(t *testing.T) {
	s := openTest(t, file(t))
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "5000"} {
		var got string
		if err := s.writer.conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("writer: %s = %q, %v; want %s", pragma, got, err, want)
		}
	}
	var readOnly int
	if err := s.reads.QueryRow("PRAGMA query_only").Scan(&readOnly); err != nil || readOnly != 1 {
		t.Errorf("reader: query_only = %d, %v; want 1", readOnly, err)
	}
}

// The writer takes what is queued into one transaction; a failing request does
// not fail the others, and one whose caller has gone is not run.
func TestBatchIsolatesFailures(t *testing.T) {
	s := openTest(t, file(t))
	create(t, s, "c")
	w := s.writer

	entered, release := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { // holds the writer, so that the rest queues up
		w.do(context.Background(), func(*txn) error { close(entered); <-release; return nil })
	})
	<-entered

	errs := make([]error, 4)
	var order atomic.Int32
	for i := range errs {
		wg.Go(func() {
			errs[i] = w.do(context.Background(), func(t *txn) error {
				order.Add(1)
				id := fmt.Sprint("batch", i)
				if err := t.exec(`INSERT INTO conv (id, log, owner, created) VALUES (?, '', '', 0)`, id); err != nil {
					return err
				}
				if i == 2 {
					return store.ErrInvalid // after it wrote
				}
				return nil
			})
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	gone := make(chan error)
	go func() { // received below
		gone <- w.do(ctx, func(*txn) error { t.Error("ran for a caller that has gone"); return nil })
	}()
	for len(w.Requests) < len(errs)+1 {
		time.Sleep(time.Millisecond) // nothing signals that a request is queued
	}
	cancel()
	if err := <-gone; err != context.Canceled {
		t.Errorf("abandoned request: %v, want context.Canceled", err)
	}
	close(release)
	wg.Wait()

	for i, err := range errs {
		_, openErr := s.Open(t.Context(), fmt.Sprint("batch", i))
		if failed := i == 2; (err != nil) != failed || (openErr != nil) != failed {
			t.Errorf("request %d: %v; then Open: %v", i, err, openErr)
		}
	}
	if n := order.Load(); n < 1+4 || n > 4+4 {
		t.Errorf("requests ran %d times; want them up to the one that failed after it wrote, and all 4 again", n)
	}
}

// A request that fails before it writes costs its neighbours nothing.
func TestFailureBeforeWriteKeepsBatch(t *testing.T) {
	s := openTest(t, file(t))
	create(t, s, "c")
	batch := make([]*request, 3)
	runs := 0
	for i := range batch {
		batch[i] = &request{sqlstore.NewTicket(), func(t *txn) error {
			runs++
			return t.append("c", store.Commit{Frame: []byte("x")}) // of which one wins
		}}
	}
	s.writer.Stop() // this test is the writer now
	s.writer.commit(batch)
	if runs != 3 {
		t.Errorf("%d runs of 3 requests", runs)
	}
	for i, r := range batch {
		if (i == 0) != (r.Err == nil) || i > 0 && !errors.Is(r.Err, store.ErrConflict) {
			t.Errorf("request %d: %v", i, r.Err)
		}
	}
}

// A full queue makes callers wait, no longer than their context.
func TestQueueFull(t *testing.T) {
	s := openTest(t, file(t))
	entered, release := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		s.writer.do(context.Background(), func(*txn) error { close(entered); <-release; return nil })
	})
	<-entered
	var ran atomic.Int32
	for range queueSize {
		wg.Go(func() {
			s.writer.do(context.Background(), func(*txn) error { ran.Add(1); return nil })
		})
	}
	for len(s.writer.Requests) < queueSize {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if err := s.writer.do(ctx, func(*txn) error { return nil }); err != context.DeadlineExceeded {
		t.Errorf("full queue: %v, want context.DeadlineExceeded", err)
	}
	close(release)
	wg.Wait()
	if n := ran.Load(); n != queueSize {
		t.Errorf("%d of %d queued requests ran", n, queueSize)
	}
}

// Close while many write: every append that was acknowledged is in the file, and
// every other one says that the store is closed.
func TestCloseUnderLoad(t *testing.T) {
	path := file(t)
	s := openTest(t, path)
	const n = 32
	acked := make([]uint64, n)
	var started, wg sync.WaitGroup
	started.Add(n)
	for i := range n {
		create(t, s, fmt.Sprint(i))
		wg.Go(func() {
			for {
				err := s.Append(context.Background(), fmt.Sprint(i), store.Commit{Expect: acked[i], Frame: []byte("x")})
				if err != nil {
					if !isClosed(err) {
						t.Error(err)
					}
					return
				}
				if acked[i]++; acked[i] == 1 {
					started.Done()
				}
			}
		})
	}
	started.Wait()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	s = openTest(t, path)
	for i := range n {
		h, err := s.Open(t.Context(), fmt.Sprint(i))
		if err != nil || h.Seq != acked[i] {
			t.Errorf("conversation %d: head %d, %v; %d were acknowledged", i, h.Seq, err, acked[i])
		}
	}
}

// A start looks for orphans before it serves: that must not take longer with what
// is stored, only with what pends.
func TestOrphansPlan(t *testing.T) {
	s := openTest(t, file(t))
	var plan []string
	err := each(t.Context(), s.reads, `EXPLAIN QUERY PLAN `+orphans, []any{0, 1}, func(rows *sql.Rows) error {
		var detail string
		err := rows.Scan(new(int), new(int), new(int), &detail)
		plan = append(plan, detail)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(plan, "\n")
	if !strings.Contains(all, "COVERING INDEX record_pending") || strings.Contains(all, "SCAN c") {
		t.Errorf("plan:\n%s", all)
	}
}

// A writer that does not get on is not waited for by who asks whether it is there.
func TestPing(t *testing.T) {
	t.Parallel()
	s := openTest(t, file(t))
	entered, leave, left := make(chan bool), make(chan bool), make(chan error)
	go func() {
		left <- s.writer.do(t.Context(), func(*txn) error { close(entered); <-leave; return nil })
	}()
	<-entered
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := s.Ping(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while it is stuck: %v", err)
	}
	close(leave)
	if err := <-left; err != nil {
		t.Fatal(err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("when it goes on: %v", err)
	}
}
