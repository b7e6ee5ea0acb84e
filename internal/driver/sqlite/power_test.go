package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/limn-ui/limn/store"
)

// acked is the mark of an append that was acknowledged.
type acked struct {
	id  string
	seq uint64
}

// turn records an event and answers it, with all that a turn can leave.
func turn(s store.Store, id string, seq uint64) error {
	event := fmt.Sprint("e", seq)
	if _, err := s.Record(context.Background(), id, store.Event{ID: event, Key: event}); err != nil {
		return err
	}
	return s.Append(context.Background(), id, store.Commit{
		Expect: seq - 1, Frame: []byte(event), Event: event, Answer: []byte(event),
		Snapshot: []byte(event), Outbox: []store.Job{{ID: event}},
	})
}

// The power goes at any moment, and the disk has written what was synced and
// whatever it liked of the rest, in any order, pages cut in the middle: every
// acknowledged append is there, whole, and the file is sound. That an append is
// acknowledged only after the sync is what this shows, from the writes and syncs
// that SQLite really made; that the disk keeps what it says it synced, nothing
// here can show.
func TestPowerCut(t *testing.T) {
	s, d := openOn(t)
	pragma(t, s, "wal_autocheckpoint = 30") // so that many fall into the test
	const writers = 3
	turns := uint64(40)
	if testing.Short() {
		turns = 12
	}
	var wg sync.WaitGroup
	for i := range writers {
		id := fmt.Sprint("c", i)
		create(t, s, id)
		d.mark(acked{id, 0})
		wg.Go(func() { // Wait below
			for seq := uint64(1); seq <= turns; seq++ {
				if err := turn(s, id, seq); err != nil {
					t.Error(err)
					return
				}
				d.mark(acked{id, seq})
			}
		})
	}
	wg.Wait()

	r := rand.New(rand.NewPCG(1, 2))
	cuts, checkpoints := 0, 0
	for _, a := range d.log {
		if a.kind == "sync" && a.file == "" {
			checkpoints++
		}
	}
	d.images(func(marks []any, cut func(*rand.Rand) image) {
		if r.IntN(16) > 0 { // one in so many moments
			return
		}
		least := map[string]uint64{}
		for _, m := range marks {
			least[m.(acked).id] = m.(acked).seq
		}
		cuts++
		survives(t, cut(r), least)
	})
	t.Logf("%d actions on the disk, %d checkpoints, %d power cuts", len(d.log), checkpoints, cuts)
	if checkpoints < 3 || cuts < 20 { // some 50 in short form, fewer the more commits share a write
		t.Errorf("%d checkpoints and %d cuts prove little", checkpoints, cuts)
	}
}

// survives opens what a power cut left and looks for what was acknowledged. It
// returns where the conversations stand.
func survives(t *testing.T, img image, least map[string]uint64) (heads map[string]uint64) {
	t.Helper()
	path := file(t)
	for name, b := range img {
		if err := os.WriteFile(path+name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := open(path, busyTimeout)
	if err != nil {
		t.Fatal(err)
	}
	heads = verify(t, s, least)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	return heads
}
