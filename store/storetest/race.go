package storetest

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/limn-ui/limn/store"
)

// together runs f(0..n-1) at once and waits for all.
func together(n int, f func(i int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() { <-start; f(i) }) // Wait below
	}
	close(start)
	wg.Wait()
}

func races(f *fixture) {
	sameExpect(f)
	sameKey(f)
	ownLogs(f)
	sameJobs(f)
}

// sameExpect: of n appends on one head exactly one wins, round after round.
func sameExpect(f *fixture) {
	const n = 16
	id := f.create("same expect")
	for round := range uint64(10) {
		errs := make([]error, n)
		together(n, func(i int) {
			errs[i] = f.Append(f.ctx, id, store.Commit{Expect: round, Frame: fmt.Appendf(nil, "by %d", i)})
		})
		winner := -1
		for i, err := range errs {
			switch {
			case err == nil && winner < 0:
				winner = i
			case err == nil:
				f.Fatalf("round %d: %d and %d both won", round, winner, i)
			case !errors.Is(err, store.ErrConflict):
				f.Fatalf("round %d: %v", round, err)
			}
		}
		if winner < 0 {
			f.Fatalf("round %d: nobody won", round)
		}
		got, err := f.Frames(f.ctx, id, round, 1)
		f.ok(err)
		f.same(string(got[0].Body), fmt.Sprint("by ", winner))
	}
}

// sameKey: of n records, and of n record-and-commits, with one key one is new.
func sameKey(f *fixture) {
	const n = 16
	id := f.create("same key")
	priors, errs := make([]*store.Event, n), make([]error, n)
	together(n, func(i int) {
		r := rec(fmt.Sprint("e", i), "k")
		r.Hash = "h"
		priors[i], errs[i] = f.Record(f.ctx, id, r)
	})
	fresh := 0
	for i := range n {
		f.ok(errs[i])
		if priors[i] == nil {
			fresh++
		}
	}
	f.same(fresh, 1)
	f.same(len(f.head(id).Pending), 1)

	together(n, func(i int) {
		r := rec(fmt.Sprint("f", i), "k2")
		errs[i] = f.Append(f.ctx, id, store.Commit{Frame: []byte("x"), Record: &r})
	})
	wins := 0
	for _, err := range errs {
		if err == nil {
			wins++
		} else {
			f.fails(err, store.ErrExists)
		}
	}
	f.same(wins, 1)
}

// ownLogs: conversations do not disturb each other, while readers watch that
// every log is dense at any time.
func ownLogs(f *fixture) {
	const n, frames = 8, 25
	together(2*n, func(i int) {
		id := fmt.Sprint("own ", i/2)
		if i%2 == 0 {
			f.check(f.Create(f.ctx, store.Conversation{ID: id, Log: "0123456789abcdef", Created: begin}))
			for seq := range uint64(frames) {
				f.check(f.Append(f.ctx, id, store.Commit{Expect: seq, Frame: frameBody(seq + 1)}))
			}
			return
		}
		deadline := time.Now().Add(time.Minute)
		for after := uint64(0); after < frames && time.Now().Before(deadline); {
			got, err := f.Frames(f.ctx, id, after, 0)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				f.check(err)
				return
			}
			for _, fr := range got {
				after++
				if fr.Seq != after || string(fr.Body) != string(frameBody(after)) {
					f.Errorf("%s: frame %d where %d was due: %s", id, fr.Seq, after, fr.Body)
					return
				}
			}
		}
	})
	for i := range n {
		f.same(f.head(fmt.Sprint("own ", i)).Seq, uint64(frames))
	}
}

// sameJobs: workers that take at the same time never share a job.
func sameJobs(f *fixture) {
	const n = 30
	id := f.create("same jobs")
	var outbox []store.Job
	for i := range n {
		outbox = append(outbox, store.Job{ID: fmt.Sprint(i), Due: begin})
	}
	f.ok(f.Append(f.ctx, id, store.Commit{Frame: frameBody(1), Outbox: outbox}))
	var mu sync.Mutex
	taken := map[string]int{} // guarded by mu
	together(10, func(int) {
		got, err := f.Take(f.ctx, begin, begin.Add(time.Hour), 4)
		f.check(err)
		mu.Lock()
		defer mu.Unlock()
		for _, job := range got {
			taken[job.ID]++
		}
	})
	f.same(len(taken), n)
	for name, times := range taken {
		if times != 1 {
			f.Errorf("job %s was taken %d times", name, times)
		}
	}
}
