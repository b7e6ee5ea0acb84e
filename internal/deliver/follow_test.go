package deliver_test

import (
	"context"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/limntest"
)

// follower is a client of an open stream, in a bubble.
type follower struct {
	limntest.TB
	got    chan deliver.Chunk
	beaten int
	said   map[string]string // by event, see heard
	cancel func()
	ended  chan error
}

func (w *world) follow(req deliver.Request) *follower {
	w.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s, err := w.deliver.Open(ctx, req)
	if err != nil {
		w.Fatal(err)
	}
	f := &follower{TB: w.TB, got: make(chan deliver.Chunk, 10_000), cancel: cancel, ended: make(chan error, 1),
		said: map[string]string{}}
	go func() {
		f.ended <- s.Serve(ctx, writer(func(p []byte) error {
			for _, c := range chunksOf(p) {
				f.got <- c
			}
			return nil
		}))
	}()
	return f
}

// expect takes the next chunk, heartbeats aside, which is a reset with that
// datum, or one whose cursor has that seq; it comes at once, or within a time.
func (f *follower) expect(reset string, seq uint64, within ...time.Duration) deliver.Chunk {
	f.Helper()
	late := time.Now()
	if len(within) > 0 {
		late = late.Add(within[0])
	}
	for {
		synctest.Wait()
		var c deliver.Chunk
		select {
		case c = <-f.got:
		default:
			if !time.Now().Before(late) {
				f.Fatalf("nothing came within %v, want %s %d", within, reset, seq)
			}
			select {
			case c = <-f.got:
			case <-time.After(time.Until(late)):
				continue
			}
		}
		if c.Beat {
			f.beaten++
			continue
		}
		at, _ := deliver.ParseCursor(c.ID)
		if reset != "" && (c.Event != "reset" || string(c.Data[0]) != reset) ||
			reset == "" && (c.Event != "" || at.Seq != seq) {
			f.Fatalf("got %+v, want %s %d", c, reset, seq)
		}
		return c
	}
}

// nothing expects heartbeats at most.
func (f *follower) nothing() {
	f.Helper()
	synctest.Wait()
	for len(f.got) > 0 {
		if c := <-f.got; !c.Beat {
			f.Errorf("got %+v", c)
		}
		f.beaten++
	}
}

func (f *follower) beats() int {
	f.Helper()
	f.nothing()
	return f.beaten
}

// stop ends the stream from the client's side.
func (f *follower) stop() {
	f.Helper()
	f.cancel()
	<-f.ended
}
