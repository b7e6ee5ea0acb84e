package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/sqlite"
)

// backupCommands are what testdata/script/backup.txtar uses besides limn.
var backupCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"fill": func(ts *testscript.TestScript, _ bool, args []string) { // FILE N
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		s, err := sqlite.Open(ts.MkAbs(args[0]))
		ts.Check(err)
		for i := range n {
			ts.Check(fillStore(s, fmt.Sprint("c", i)))
		}
		ts.Check(s.Close())
	},
	"same": func(ts *testscript.TestScript, _ bool, args []string) { // FILE FILE
		ts.Check(sameStores(ts.MkAbs(args[0]), ts.MkAbs(args[1])))
	},
	"cut": func(ts *testscript.TestScript, _ bool, args []string) { // FILE N → FILE.cut without the last N bytes
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		b, err := os.ReadFile(ts.MkAbs(args[0]))
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(args[0]+".cut"), b[:len(b)-n], 0o600))
	},
	"glob-none": func(ts *testscript.TestScript, _ bool, args []string) { // PATTERN
		found, err := filepath.Glob(ts.MkAbs(args[0]))
		ts.Check(err)
		if len(found) > 0 {
			ts.Fatalf("left behind: %q", found)
		}
	},
}

// fillStore adds a conversation with something of everything.
func fillStore(s store.Store, id string) error {
	ctx := context.Background()
	err := s.Create(ctx, store.Conversation{ID: id, Log: "0123456789abcdef", Owner: "ada", Created: time.UnixMicro(7)})
	if err != nil {
		return err
	}
	for seq := range uint64(4) {
		event := fmt.Sprint("e", seq)
		_, err := s.Record(ctx, id, store.Event{ID: event, Key: event, Hash: "h", Body: []byte("{}")})
		err = errors.Join(err, s.Append(ctx, id, store.Commit{
			Expect: seq, Frame: []byte(`{"a":"<ü>"}`), Event: event, Answer: []byte{0xff}, Snapshot: []byte("s"), Trace: []byte("t"),
			Outbox: []store.Job{{ID: event, Kind: "hook"}},
		}))
		if err != nil {
			return err
		}
	}
	_, err = s.Record(ctx, id, store.Event{ID: "pending", Body: []byte("{}")})
	v := store.Record{Name: "order", ID: id, Version: 1, Owner: "ada", Created: time.UnixMicro(7).UTC(),
		At: time.UnixMicro(8).UTC(), Conversation: id, Event: "e0", Body: []byte{0xff}}
	next := v
	next.Version, next.Terms = 2, []store.Term{{Field: "city", Text: "Zürich"}}
	return errors.Join(err, s.PutRecord(ctx, v), s.PutRecord(ctx, next),
		s.Note(ctx, id, "pending", 0, []byte("ask")),
		s.Kill(ctx, id, "e0", "410 gone"),
		s.PutBlob(ctx, id, store.Blob{ID: "b", Name: "n", Type: "image/png",
			Body: bytes.Repeat([]byte{0, 1, 255}, 1000)}))
}

// all reads the conversations of a store, each of which has a record, and the records.
func all(path string) (list []store.Dump, records [][]store.Record, err error) {
	s, err := sqlite.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	ctx := context.Background()
	err = s.Export(ctx, func(w store.Dump) error { list = append(list, w); return nil })
	return list, records, errors.Join(err, s.ExportRecords(ctx, func(versions []store.Record) error {
		records = append(records, versions)
		return nil
	}))
}

// sameStores compares two stores: everything is equal but the identity of logs,
// all of which differ.
func sameStores(a, b string) error {
	one, records, err := all(a)
	two, records2, err2 := all(b)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	if d := cmp.Diff(records, records2); d != "" || len(records) != len(one) {
		return fmt.Errorf("%d records of %d conversations\n%s", len(records), len(one), d)
	}
	logs := map[string]bool{}
	for _, list := range [][]store.Dump{one[:min(1, len(one))], two} {
		for _, w := range list {
			if logs[w.Log] {
				return fmt.Errorf("log %s is there twice", w.Log)
			}
			logs[w.Log] = true
		}
	}
	if d := cmp.Diff(one, two, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(store.Conversation{}, "Log")); d != "" {
		return errors.New(d)
	}
	return nil
}

// quiet is a terminal nobody sits at.
func quiet(out io.Writer) term.Terminal {
	return term.Terminal{In: strings.NewReader(""), Out: out, Err: out, Env: func(string) string { return "" }}
}

// A backup of a file that others write meanwhile is one moment: every conversation
// in it is whole, and restores.
func TestBackupLive(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := filepath.Join(dir, "live.db")
	live, err := sqlite.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		file, to := filepath.Join(dir, fmt.Sprint(n, ".backup")), filepath.Join(dir, fmt.Sprint(n, ".db"))
		ctx, stop := context.WithCancel(t.Context())
		busy := make(chan struct{}, 1)
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() { // Wait below
				for i := 0; ctx.Err() == nil; i++ {
					if err := fillStore(live, fmt.Sprintf("c%d-%d-%04d", n, w, i)); err != nil {
						t.Error(err)
						return
					}
					select {
					case busy <- struct{}{}:
					default:
					}
				}
			})
		}
		<-busy
		<-busy
		runs(t, "backup", "--store", "sqlite:"+db, file)
		stop()
		wg.Wait()
		runs(t, "restore", file, "--store", "sqlite:"+to)
		list, _, err := all(to)
		if err != nil || len(list) == 0 {
			t.Errorf("backup %d: %d conversations, %v", n, len(list), err)
		}
	}
	if err := live.Close(); err != nil {
		t.Error(err)
	}
}

// runs runs a command, which must succeed.
func runs(t *testing.T, args ...string) {
	t.Helper()
	var out bytes.Buffer
	if code := run(t.Context(), args, quiet(&out)); code != exitOK {
		t.Errorf("%s: exit %d\n%s", args, code, &out)
	}
}

// A command beside a server of an older version does not change its tables.
func TestBackupOfOlder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.db")
	s, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(fillStore(s, "c"), s.Close()); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var known, now int
	_, err = db.Exec(`DROP INDEX frame_said; ALTER TABLE frame DROP COLUMN said`) // the last migration
	if err == nil {
		err = db.QueryRow(`PRAGMA user_version`).Scan(&known)
	}
	if err == nil {
		_, err = db.Exec(fmt.Sprint(`PRAGMA user_version = `, known-1))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"backup", filepath.Join(dir, "a.backup")}, {"outbox", "list"}} {
		var out bytes.Buffer
		code := run(t.Context(), append(command, "--store", "sqlite:"+path), quiet(&out))
		if code != exitProblem || !strings.Contains(out.String(), "start limn serve") {
			t.Errorf("%s: exit %d\n%s", command, code, &out)
		}
	}
	if err := db.QueryRow(`PRAGMA user_version`).Scan(&now); err != nil || now != known-1 {
		t.Errorf("version %d of %d: %v", now, known, err)
	}
}

// A backup that is stopped leaves no file, and what was there before as it was.
func TestBackupStopped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, file := filepath.Join(dir, "a.db"), filepath.Join(dir, "a.backup")
	s, err := sqlite.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(fillStore(s, "c"), s.Close(), os.WriteFile(file, []byte("yesterday's"), 0o600)); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out bytes.Buffer
	if code := run(ctx, []string{"backup", "--force", "--store", "sqlite:" + db, file}, quiet(&out)); code != exitProblem {
		t.Errorf("exit %d\n%s", code, &out)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 2 {
		t.Errorf("left behind: %q, %v", names, err)
	}
	if b, err := os.ReadFile(file); string(b) != "yesterday's" {
		t.Errorf("the old backup is %q, %v", b, err)
	}
}

// Another process, the real server, writes the file while it is backed up; its
// conversations go on where they are restored.
func TestBackupOfServer(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and starts the real program: run without -short")
	}
	dir := t.TempDir()
	db, file, to := filepath.Join(dir, "limn.db"), filepath.Join(dir, "limn.backup"), filepath.Join(dir, "restored.db")
	srv := startServer(t, db)
	t.Cleanup(srv.kill)
	c := &browser{http: &http.Client{Timeout: 10 * time.Second}}
	ctx, stop := context.WithCancel(t.Context())
	said := make(chan struct{}, 1)
	var wg sync.WaitGroup
	_, made, err := c.post(srv.base, "/v1/conversations", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.token, c.id = made["token"].(string), made["id"].(string)
	wg.Go(func() { // Wait below
		for i := 0; ctx.Err() == nil; i++ {
			code, _, err := c.post(srv.base, "/v1/conversations/"+c.id+"/messages", fmt.Sprint("k", i),
				map[string]any{"text": "hello"})
			if err != nil || code/100 != 2 {
				t.Errorf("event: %d, %v", code, err)
				return
			}
			select {
			case said <- struct{}{}:
			default:
			}
		}
	})
	<-said
	bin, err := program()
	if err != nil {
		t.Error(err)
	}
	out, err := exec.Command(bin, "backup", "--store", "sqlite:"+db, file).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	<-said
	stop()
	wg.Wait()
	srv.cmd.Process.Signal(syscall.SIGTERM)
	srv.cmd.Wait()
	if out, err := exec.Command(bin, "restore", file, "--store", "sqlite:"+to).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	again := startServer(t, to)
	t.Cleanup(again.kill)
	code, answer, err := c.post(again.base, "/v1/conversations/"+c.id+"/messages", "new",
		map[string]any{"text": "hello again"})
	if err != nil || code/100 != 2 {
		t.Errorf("after the restore: %d %v, %v", code, answer, err)
	}
}
