package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/backup"
	"github.com/limn-ui/limn/store"
)

type backupCommand struct {
	Store string `default:"sqlite:limn.db" env:"LIMN_STORE" help:"What to back up, as 'limn serve' names it."`
	Force bool   `help:"Replace FILE if there is one."`
	File  string `arg:"" name:"file" help:"The file to write."`
}

// Help is shown below the options.
func (backupCommand) Help() string {
	return `Writes all conversations, as of one moment, and the records that forms and tables committed, to a
file that 'limn restore' reads into any kind of store. The server may go on working meanwhile. FILE
appears when it is complete: a stop half-way leaves nothing.

Examples:
  limn backup monday.backup
  limn backup --store sqlite:/var/lib/limn/limn.db "$(date +%F).backup"`
}

// Run writes the file beside its place and moves it there.
func (c backupCommand) Run(ctx context.Context, t term.Terminal) (err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	if _, err := os.Lstat(c.File); err == nil && !c.Force {
		return fmt.Errorf("%s is there already; name another file, or replace it with --force", c.File)
	}
	a, closeStore, err := openArchive(c.Store, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeStore()) }()

	f, err := os.CreateTemp(filepath.Dir(c.File), filepath.Base(c.File)+".part-*") // readable by its owner only
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails if all went well: then it has moved
	progress := term.NewProgress(t, 0)
	progress.Unit = "conversations"
	n, err := backup.Write(ctx, progress.Writer(f), a, time.Now(), func(backup.Count) { progress.Line() })
	progress.Clear()
	if err = cmp.Or(err, f.Sync()); err != nil {
		return errors.Join(fmt.Errorf("back up to %s: %w", c.File, err), f.Close())
	}
	info, err := f.Stat()
	if err = cmp.Or(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), c.File); err != nil {
		return err
	}
	if err := syncDir(filepath.Dir(c.File)); err != nil {
		return err
	}
	records := ""
	if n.Records > 0 {
		records = ", " + term.Count(n.Records, "record")
	}
	_, err = fmt.Fprintf(t.Out, "%s: %s with %s%s, %.1f MB\n", c.File, term.Count(n.Conversations, "conversation"),
		term.Count(n.Frames, "frame"), records, float64(info.Size())/1e6)
	return err
}

// syncDir makes a new name in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

type restoreCommand struct {
	Store string `default:"sqlite:limn.db" env:"LIMN_STORE" help:"Where to restore to, as 'limn serve' names it."`
	Add   bool   `help:"Restore into a store that has conversations. Those that are there already stay as they are."`
	File  string `arg:"" name:"file" help:"A file that 'limn backup' wrote."`
}

// Help is shown below the options.
func (restoreCommand) Help() string {
	return `Reads FILE to its end first: one that was cut off or damaged is refused before anything is written.
Each conversation and record is restored whole or not at all. Clients that were connected start again from a
snapshot, for a restored log has a new identity.

Should it stop half-way, run it again with --add: it goes on where it stopped.

Examples:
  limn restore monday.backup --store sqlite:limn.db`
}

// Run checks the file, then the store, then restores.
func (c restoreCommand) Run(ctx context.Context, t term.Terminal) (err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	total, err := c.read(ctx, t, f, backup.Sink{
		Conversation: func(store.Dump) error { return nil },
		Record:       func([]store.Record) error { return nil },
	})
	if err != nil {
		return fmt.Errorf("%s: %w; nothing was restored", c.File, err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	a, closeStore, err := openArchive(c.Store, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeStore()) }()
	if !c.Add {
		if err := isEmpty(ctx, a, redacted(c.Store)); err != nil {
			return err
		}
	}
	in := importer{ctx: ctx, to: a, add: c.Add}
	_, err = c.read(ctx, t, f, backup.Sink{Conversation: in.conversation, Record: in.record})
	err = errors.Join(err, in.flush())
	done := fmt.Sprintf("%d of %d conversations", in.conversations.Load(), total.Conversations)
	if total.Records > 0 {
		done += fmt.Sprintf(" and %d of %d records", in.records.Load(), total.Records)
	}
	if err != nil {
		return fmt.Errorf("restore: %w; %s are restored, run it again with --add for the rest", err, done)
	}
	fmt.Fprintf(t.Out, "%s: %s restored to %s, as of %s\n", c.File, done, redacted(c.Store),
		total.At.Format(time.RFC3339))
	if n := in.kept.Load(); n > 0 {
		fmt.Fprintf(t.Out, "%d were there already and stayed as they are\n", n)
	}
	return nil
}

// read reads the file and shows how far it is.
func (c restoreCommand) read(ctx context.Context, t term.Terminal, f *os.File, to backup.Sink) (backup.Count, error) {
	info, err := f.Stat()
	if err != nil {
		return backup.Count{}, err
	}
	progress := term.NewProgress(t, info.Size())
	progress.Unit = "conversations"
	defer progress.Clear()
	return backup.Read(progress.Reader(f), backup.Sink{
		Conversation: func(w store.Dump) error {
			progress.Line()
			return cmp.Or(context.Cause(ctx), to.Conversation(w))
		},
		Record: func(versions []store.Record) error {
			progress.Line()
			return cmp.Or(context.Cause(ctx), to.Record(versions))
		},
	})
}

// isEmpty refuses a store that has conversations, or records.
func isEmpty(ctx context.Context, a backup.Source, name string) error {
	some := errors.New("some")
	what := "conversations"
	err := a.Export(ctx, func(store.Dump) error { return some })
	if err == nil {
		what = "records"
		err = a.ExportRecords(ctx, func([]store.Record) error { return some })
	}
	if errors.Is(err, some) {
		return fmt.Errorf("%s has %s already; name an empty store, or restore beside them with --add", name, what)
	}
	return err
}

// importer puts conversations and records into a store, several at once: a store makes many
// durable in the time of one.
type importer struct {
	ctx     context.Context
	to      store.Store
	add     bool
	waiting []func() error
	size    int // of their bodies, in bytes

	conversations, records, kept atomic.Int64
}

// Conversations, or records, imported at once: so many, or fewer that are large together.
const (
	importMany = 64
	importSize = 16 << 20
)

func (i *importer) conversation(w store.Dump) error {
	log := make([]byte, 8)
	rand.Read(log) // never fails
	w.Log = hex.EncodeToString(log)
	return i.take(size(w), &i.conversations, func() error { return i.to.Import(i.ctx, w) })
}

func (i *importer) record(versions []store.Record) error {
	size := 0
	for _, v := range versions {
		size += len(v.Body)
	}
	return i.take(size, &i.records, func() error { return i.to.ImportRecord(i.ctx, versions) })
}

// take has put called, together with others.
func (i *importer) take(size int, done *atomic.Int64, put func() error) error {
	i.waiting = append(i.waiting, func() error {
		err := put()
		switch {
		case err == nil:
			done.Add(1)
		case i.add && errors.Is(err, store.ErrExists):
			i.kept.Add(1)
			return nil
		}
		return err
	})
	i.size += size
	if len(i.waiting) < importMany && i.size < importSize {
		return nil
	}
	return i.flush()
}

func (i *importer) flush() error {
	errs := make([]error, len(i.waiting))
	var wg sync.WaitGroup
	for n, put := range i.waiting {
		wg.Go(func() { errs[n] = put() }) // Wait below
	}
	wg.Wait()
	i.waiting, i.size = i.waiting[:0], 0
	return cmp.Or(errs...) // the others most likely say the same
}

// size is about how much memory a conversation takes.
func size(w store.Dump) (n int) {
	for _, list := range [][]store.Frame{w.Frames, w.Traces, w.Snapshots} {
		for _, f := range list {
			n += len(f.Body)
		}
	}
	for _, r := range w.Events {
		n += len(r.Body) + len(r.Answer)
	}
	for _, notes := range w.Notes {
		for _, note := range notes {
			n += len(note)
		}
	}
	for _, b := range w.Blobs {
		n += len(b.Body)
	}
	return n
}

// openArchive opens what --store names, to read all of it, or to fill it.
func openArchive(dsn string, fill bool) (store.Store, func() error, error) {
	if dsn == "memory" {
		return nil, nil, errors.New("--store memory: nothing is kept there; name sqlite:FILE or another store")
	}
	if path, ok := strings.CutPrefix(dsn, "sqlite:"); ok && !fill {
		// To open it would make it.
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("--store %s: %s is not there", dsn, path)
		}
	}
	if fill {
		return openStore(dsn)
	}
	return openCurrent(dsn)
}
