package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A real file system of 1 MiB, filled by somebody else, emptied, and made
// read-only. Mounting one takes the rights of root.
func TestRealFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("needs the right to mount a file system (%v); run as root to have it", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	path := filepath.Join(dir, "limn.db")
	s := openTest(t, path)
	create(t, s, "c0")
	for seq := uint64(1); seq <= 3; seq++ {
		if err := turn(s, "c0", seq); err != nil {
			t.Fatal(err)
		}
	}
	filler := filepath.Join(dir, "filler")
	f, err := os.Create(filler)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	f.Close()
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	head := uint64(3)
	for range 400 { // the log is a file that is there: some still fit into it
		if err = turn(s, "c0", head+1); err != nil {
			break
		}
		head++
	}
	says(t, err, path, "disk is full")
	if _, err := s.Frames(t.Context(), "c0", 0, 0); err != nil {
		t.Errorf("reading on a full disk: %v", err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if err := turn(s, "c0", head+1); err != nil {
		t.Errorf("with room again: %v", err)
	}
	verify(t, s, map[string]uint64{"c0": head + 1})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	_, err = Open(path)
	says(t, err, path, "read-only file system")
}
