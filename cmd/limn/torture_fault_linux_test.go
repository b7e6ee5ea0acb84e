package main

import (
	"context"
	crand "crypto/rand"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/natstest"
	"github.com/limn-ui/limn/internal/pgtest"
)

// The faults of a machine, each under clients as in the kill test: what is
// refused is refused with a code, what was acknowledged is kept, nothing is done
// twice, and when the fault is over everything goes on by itself.

// smallDisk mounts a disk of some MiB, or skips.
func smallDisk(t *testing.T, mib string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size="+mib+"m"); err != nil {
		t.Skipf("cannot mount a small disk (%v): run as root on Linux to test a full one", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill takes all room that a disk has left.
func fill(t *testing.T, dir string) (file string) {
	t.Helper()
	file = filepath.Join(dir, "filler")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size >= 1; size /= 16 {
		for block := make([]byte, size); err == nil || errors.Is(err, io.ErrShortWrite); {
			if _, err = f.Write(block); err != nil {
				break
			}
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("filling the disk: %v", err)
		}
		err = nil
	}
	return file
}

// TestTortureDiskFull: while there is no room, events are refused with 503
// STORE_FAILED; with room again they are taken, without a restart.
func TestTortureDiskFull(t *testing.T) {
	t.Parallel()
	notShort(t)
	dir := smallDisk(t, "512") // what the clients write between the outages must fit
	tr := newTorture(t, 1, "--store", "sqlite:"+filepath.Join(dir, "full.db"))
	tr.under(scaled(8, 20, 50), func(ctx context.Context) {
		for range scaled(1, 2, 5) {
			rest(ctx, time.Second)
			before := tr.saw("STORE_FAILED")
			filler := fill(t, dir)
			pause(ctx, outage())
			if err := os.Remove(filler); err != nil {
				t.Error(err)
			}
			if tr.saw("STORE_FAILED") == before {
				t.Error("nothing was refused: the disk was not full")
			}
			pause(ctx, outage()/3) // the server looks every ten seconds whether there is room again
		}
	})
}

// TestTortureDiskFullAndKilled: the server dies on the full disk too.
func TestTortureDiskFullAndKilled(t *testing.T) {
	t.Parallel()
	notShort(t)
	dir := smallDisk(t, "64")
	tr := newTorture(t, 1, "--store", "sqlite:"+filepath.Join(dir, "full.db"), cutOff)
	tr.under(20, func(ctx context.Context) {
		for range scaled(1, 2, 5) {
			rest(ctx, time.Second)
			filler := fill(t, dir)
			rest(ctx, time.Second)
			tr.nodes[0].kill()
			if err := os.Remove(filler); err != nil {
				t.Error(err)
			}
			tr.nodes[0].mustStart(t)
		}
	})
}

// TestTortureReadOnlyDisk: a server does not start on a file it cannot write,
// says which, and leaves it as it is.
func TestTortureReadOnlyDisk(t *testing.T) {
	t.Parallel()
	notShort(t)
	dir := smallDisk(t, "64")
	db := filepath.Join(dir, "limn.db")
	tr := newTorture(t, 1, "--store", "sqlite:"+db)
	tr.under(8, func(ctx context.Context) {
		pause(ctx, time.Second)
		n := tr.nodes[0]
		n.kill()
		if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "size=64m"); err != nil {
			t.Fatal(err)
		}
		ready, err := n.start()
		if err != nil {
			t.Fatal(err)
		}
		if err := <-ready; err == nil {
			t.Error("the server started on a read-only disk")
		}
		n.kill()
		if said := tr.log.String(); !strings.Contains(said, db) {
			t.Errorf("the server does not name %s: %s", db, said)
		}
		if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
			t.Fatal(err)
		}
		n.mustStart(t)
		pause(ctx, time.Second)
	})
}

// TestTortureCorruptTail: what stands behind the last whole transaction of the
// write-ahead log, as a power cut in the middle of a write leaves it, is passed
// over.
func TestTortureCorruptTail(t *testing.T) {
	t.Parallel()
	notShort(t)
	db := filepath.Join(t.TempDir(), "tail.db")
	tr := newTorture(t, 1, "--store", "sqlite:"+db, cutOff)
	tr.under(scaled(8, 20, 50), func(ctx context.Context) {
		for i := range scaled(2, 6, 50) {
			rest(ctx, 600*time.Millisecond)
			tr.nodes[0].kill()
			tear(t, db+"-wal", i)
			tr.nodes[0].mustStart(t)
		}
	})
}

// tear leaves a write behind the end of a file that was not finished: noise, or
// the beginning of a frame that looks like those before it.
func tear(t *testing.T, file string, how int) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tail := make([]byte, 3000+how*517%4000)
	if _, err := crand.Read(tail); err != nil {
		t.Fatal(err)
	}
	if info, err := f.Stat(); err != nil {
		t.Fatal(err)
	} else if how%2 == 0 && info.Size() > 32+24+4096 { // header of the file, then of a frame, then its page
		if _, err := f.ReadAt(tail[:24+1000], 32); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Write(tail); err != nil {
		t.Fatal(err)
	}
}

// TestTorturePaused: a server that stands still for a while goes on.
func TestTorturePaused(t *testing.T) {
	t.Parallel()
	notShort(t)
	tr := newTorture(t, 1, "--store", "sqlite:"+filepath.Join(t.TempDir(), "paused.db"))
	tr.under(scaled(8, 20, 50), func(ctx context.Context) {
		rest(ctx, time.Second)
		tr.nodes[0].signal(t, syscall.SIGSTOP)
		pause(ctx, outage())
		tr.nodes[0].signal(t, syscall.SIGCONT)
		pause(ctx, time.Second)
	})
}

// TestTorturePausedPastItsLease: one of three nodes stands still until the others
// have taken over what it was doing; when it wakes it does nothing twice.
func TestTorturePausedPastItsLease(t *testing.T) {
	t.Parallel()
	notShort(t)
	tr := newTorture(t, 3, "--store", pgtest.DSN(t), "--bus", natstest.Start(t).URL, "--lease-time", "1s")
	tr.under(scaled(8, 20, 50), func(ctx context.Context) {
		for range scaled(1, 2, 3) {
			rest(ctx, time.Second)
			n := tr.nodes[rand.IntN(3)]
			n.signal(t, syscall.SIGSTOP)
			n.up.Store(false) // who comes now goes elsewhere, who is there waits
			pause(ctx, outage()+time.Second)
			n.signal(t, syscall.SIGCONT)
			n.up.Store(true)
			pause(ctx, time.Second)
		}
	})
}

func (n *node) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.cmd.Process.Signal(s); err != nil {
		t.Error(err)
	}
}
