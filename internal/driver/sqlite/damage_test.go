package sqlite

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"testing"

	lib "modernc.org/sqlite/lib"
)

// The end of the log beside the file is cut off or overwritten, at the border of
// each commit and anywhere: what is left is what was committed up to some moment,
// whole, with all that was written before the damage and all that was moved into
// the file. What lay behind the damage is lost, and nothing here can bring it
// back: an acknowledged append is only as safe as what the disk said it synced.
func TestDamagedLog(t *testing.T) {
	path := file(t)
	s := openTest(t, path)
	ids := []string{"c0", "c1", "c2"}
	for _, id := range ids {
		create(t, s, id)
		if err := turn(s, id, 1); err != nil {
			t.Fatal(err)
		}
	}
	pragma(t, s, "wal_autocheckpoint = 0")
	if _, err := raw(t, path).ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	// One writer: turn k is on ids[k%3]; ends[k] is how long the log was after it.
	const turns = 15
	ends := make([]int64, turns+1)
	for k := 1; k <= turns; k++ {
		if err := turn(s, ids[k%3], uint64(2+(k-1)/3)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		ends[k] = info.Size()
	}
	img := image{}
	for _, name := range []string{"", "-wal"} {
		b, err := os.ReadFile(path + name)
		if err != nil {
			t.Fatal(err)
		}
		img[name] = b
	}
	size := int64(len(img["-wal"]))

	r := rand.New(rand.NewPCG(3, 4))
	check := func(what string, at int64, log []byte) {
		t.Helper()
		least := map[string]uint64{"c0": 1, "c1": 1, "c2": 1}
		for k := 1; k <= turns && ends[k] <= at; k++ {
			least[ids[k%3]]++
		}
		t.Run(fmt.Sprint(what, " at ", at), func(t *testing.T) {
			heads := survives(t, image{"": img[""], "-wal": log}, least)
			whole := map[string]uint64{"c0": 1, "c1": 1, "c2": 1}
			for k := 1; k <= turns && !maps.Equal(heads, whole); k++ {
				whole[ids[k%3]]++
			}
			if !maps.Equal(heads, whole) {
				t.Errorf("heads %v were never so at one moment", heads)
			}
		})
	}
	cut := func(at int64) { check("cut", at, img["-wal"][:at]) }
	noise := func(at int64) {
		log := append([]byte(nil), img["-wal"]...)
		for i := at; i < min(at+int64(1+r.IntN(64)), size); i++ {
			log[i] ^= byte(1 + r.IntN(255))
		}
		check("noise", at, log)
	}
	for _, end := range ends {
		for _, at := range []int64{end - 1, end, end + 1} {
			cut(min(max(at, 0), size))
			noise(min(max(at, 0), size-1))
		}
	}
	more := 40
	if testing.Short() {
		more = 8
	}
	for range more {
		cut(r.Int64N(size))
		noise(r.Int64N(size))
	}
}

// A disk that is full, or fails, in the middle of whatever SQLite was doing: the
// append is refused and says why, nothing that was acknowledged is lost, nothing
// of what was refused is there after the next append, and the store goes on when
// the disk does, without being opened again.
func TestFailingDisk(t *testing.T) {
	cases := []struct {
		name, kind string
		code       int32
		want       string
	}{
		{"full", "write", lib.SQLITE_FULL, "disk is full"},
		{"read-only", "write", lib.SQLITE_IOERR_WRITE, "disk failed"},
		{"sync fails", "sync", lib.SQLITE_IOERR_FSYNC, "disk failed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, d := openOn(t)
			pragma(t, s, "wal_autocheckpoint = 20")
			create(t, s, "c0")
			head, refused := uint64(0), 0
			for skip := range 25 { // the how manieth action fails
				left := skip
				d.breakWith(func(kind, _ string, _ int) int32 {
					if left--; left >= 0 || kind != c.kind {
						return lib.SQLITE_OK
					}
					return c.code
				})
				for range 3 {
					err := turn(s, "c0", head+1)
					if err == nil {
						head++
						continue
					}
					says(t, err, d.path, c.want)
					refused++
					break
				}
				d.breakWith(nil)
				h, err := s.Open(t.Context(), "c0")
				if err != nil || h.Seq != head || len(h.Pending) > 1 {
					t.Fatalf("after %d actions: head %d with %d pending, %v; %d were acknowledged", skip, h.Seq,
						len(h.Pending), err, head)
				}
				if err := turn(s, "c0", head+1); err != nil {
					t.Fatalf("the disk works again: %v", err)
				}
				head++
			}
			if refused < 10 {
				t.Errorf("only %d of 25 faults met a turn", refused)
			}
			verify(t, s, map[string]uint64{"c0": head})
			survives(t, d.now(), map[string]uint64{"c0": head})
		})
	}
}

// now is what a power cut now would leave at least.
func (d *disk) now() image {
	var cut func(*rand.Rand) image
	d.images(func(_ []any, c func(*rand.Rand) image) { cut = c })
	return cut(rand.New(rand.NewPCG(5, 6)))
}
