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
	return `Writes all conversations, as of one moment, to a file that 'limn restore' reads into any kind of
store. The server may go on working meanwhile. FILE appears when it is complete: a stop half-way
leaves nothing.

Examples:
  limn backup monday.backup
  limn backup --store sqlite:/var/lib/limn/limn.db "$(date +%F).backup"`
}

// Run writes the file beside its place and moves it there.
func (c backupCommand) Run(ctx context.Context, t term.Terminal) (err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
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
	_, err = fmt.Fprintf(t.Out, "%s: %d conversations with %d frames, %.1f MB\n", c.File, n.Conversations, n.Frames,
		float64(info.Size())/1e6)
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
Each conversation is restored whole or not at all. Clients that were connected start again from a
snapshot, for a restored log has a new identity.

Should it stop half-way, run it again with --add: it goes on where it stopped.

Examples:
  limn restore monday.backup --store sqlite:limn.db`
}

// Run checks the file, then the store, then restores.
func (c restoreCommand) Run(ctx context.Context, t term.Terminal) (err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	total, err := c.read(ctx, t, f, func(store.Dump) error { return nil })
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
	_, err = c.read(ctx, t, f, in.take)
	if err = errors.Join(err, in.flush()); err != nil {
		return fmt.Errorf("restore: %w; %d of %d conversations are restored, run it again with --add for the rest", err,
			in.done.Load(), total.Conversations)
	}
	fmt.Fprintf(t.Out, "%s: %d of %d conversations restored to %s, as of %s\n", c.File, in.done.Load(),
		total.Conversations, redacted(c.Store), total.At.Format(time.RFC3339))
	if n := in.kept.Load(); n > 0 {
		fmt.Fprintf(t.Out, "%d were there already and stayed as they are\n", n)
	}
	return nil
}

// read reads the file and shows how far it is.
func (c restoreCommand) read(ctx context.Context, t term.Terminal, f *os.File,
	each func(store.Dump) error) (backup.Count, error) {
	info, err := f.Stat()
	if err != nil {
		return backup.Count{}, err
	}
	progress := term.NewProgress(t, info.Size())
	progress.Unit = "conversations"
	defer progress.Clear()
	return backup.Read(progress.Reader(f), func(w store.Dump) error {
		progress.Line()
		return cmp.Or(context.Cause(ctx), each(w))
	})
}

// isEmpty refuses a store that has conversations.
func isEmpty(ctx context.Context, a store.Archive, name string) error {
	some := errors.New("some")
	err := a.Export(ctx, func(store.Dump) error { return some })
	if errors.Is(err, some) {
		return fmt.Errorf("%s has conversations already; name an empty store, or restore beside them with --add", name)
	}
	return err
}

// importer puts conversations into a store, several at once: a store makes many
// durable in the time of one.
type importer struct {
	ctx     context.Context
	to      store.Archive
	add     bool
	waiting []store.Dump
	size    int // of their bodies, in bytes

	done, kept atomic.Int64
}

// Conversations imported at once: so many, or fewer that are large together.
const (
	importMany = 64
	importSize = 16 << 20
)

func (i *importer) take(w store.Dump) error {
	log := make([]byte, 8)
	rand.Read(log) // never fails
	w.Log = hex.EncodeToString(log)
	i.waiting = append(i.waiting, w)
	i.size += size(w)
	if len(i.waiting) < importMany && i.size < importSize {
		return nil
	}
	return i.flush()
}

func (i *importer) flush() error {
	errs := make([]error, len(i.waiting))
	var wg sync.WaitGroup
	for n, w := range i.waiting {
		wg.Go(func() { errs[n] = i.put(w) }) // Wait below
	}
	wg.Wait()
	i.waiting, i.size = i.waiting[:0], 0
	return cmp.Or(errs...) // the others most likely say the same
}

func (i *importer) put(w store.Dump) error {
	err := i.to.Import(i.ctx, w)
	switch {
	case err == nil:
		i.done.Add(1)
	case i.add && errors.Is(err, store.ErrExists):
		i.kept.Add(1)
		return nil
	}
	return err
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
func openArchive(dsn string, fill bool) (store.Archive, func() error, error) {
	if dsn == "memory" {
		return nil, nil, errors.New("--store memory: nothing is kept there; name sqlite:FILE or another store")
	}
	if path, ok := strings.CutPrefix(dsn, "sqlite:"); ok && !fill {
		// To open it would make it.
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("--store %s: %s is not there", dsn, path)
		}
	}
	return openStore(dsn)
}
