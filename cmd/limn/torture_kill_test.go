package main

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limn-ui/limn/ui"
)

// cutOff is for servers that are killed: a call that was put off and then cut off
// is made again after twice this time.
const cutOff = "--webhook-time=5s"

// TestTortureKillSQLite kills one server on a SQLite file again and again.
func TestTortureKillSQLite(t *testing.T) {
	t.Parallel()
	tr := newTorture(t, 1, "--store", "sqlite:"+filepath.Join(t.TempDir(), "kill.db"), cutOff)
	tr.killing(scaled(3, 5, 300), scaled(8, 20, 50))
}

// scaled is how much a test does: before a commit, in CI, and in make torture.
func scaled(short, ci, torture int) int {
	switch {
	case long():
		return torture
	case testing.Short():
		return short
	}
	return ci
}

// killing lets clients work while nodes are killed at random moments.
func (tr *torture) killing(kills, clients int) {
	tr.under(clients, func(ctx context.Context) {
		for i := range kills {
			rest(ctx, 600*time.Millisecond) // the moment of the crash is the random part
			these := tr.some()
			for _, n := range these {
				n.kill()
			}
			for _, n := range these {
				if rand.IntN(10) == 0 { // and once more while it starts
					if _, err := n.start(); err != nil {
						tr.t.Fatal(err)
					}
					rest(ctx, 200*time.Millisecond)
					n.kill()
				}
				n.mustStart(tr.t)
			}
			if i%10 == 9 {
				tr.audited()
			}
			if tr.t.Failed() {
				break
			}
		}
		tr.t.Logf("%d kills", kills)
	})
}

// under lets clients work while something happens to what they work with, then
// holds what clients were told against what is kept, was called and was shown:
// every acknowledged event once, no effect twice, no frame lost or doubled.
// disturb leaves everything as it was.
func (tr *torture) under(clients int, disturb func(context.Context)) {
	t := tr.t
	for _, n := range tr.nodes {
		n.mustStart(t)
	}
	began := time.Now()
	working, stop := context.WithCancel(context.Background())
	listening, stopListening := context.WithCancel(context.Background())
	defer stopListening()
	defer stop()
	var workers, listeners sync.WaitGroup
	var followers []*follower
	for i := range clients {
		var tk *talk
		if i%5 == 4 {
			tk = tr.talks[len(tr.talks)-1] // two tabs on one conversation
		} else if tk = tr.begin(); tk == nil {
			return
		}
		workers.Go(func() { tr.work(working, tk) })
		f := tr.newFollower(tk, i)
		followers = append(followers, f)
		listeners.Go(func() { f.follow(listening) })
	}
	disturb(working)
	select {
	case <-tr.worked:
	case <-time.After(tryTime): // said below
	}
	stop()
	workers.Wait()
	tr.audited()
	var all sums
	for _, tk := range tr.talks {
		all.add(tk.audit.end())
	}
	cuts, frames := tr.caughtUp(followers, stopListening, &listeners)
	tr.cuts = cuts - len(followers)
	t.Logf("%d clients, %d nodes, %v: %+v; refusals %v; %d questions to the model; streams: %d connections, %d frames; %s", clients, len(tr.nodes),
		time.Since(began).Round(time.Second), all, tr.refusals, tr.outside.asked, cuts, frames, &tr.tap)
	if all.done == 0 || all.acked == 0 {
		t.Error("nothing was done: the test shows nothing")
	}
}

// caughtUp waits until every stream has reached the end of its log, and compares
// what it led to with what a client that comes new is shown.
func (tr *torture) caughtUp(followers []*follower, stopListening func(), listeners *sync.WaitGroup) (cuts, frames int) {
	ctx, cancel := context.WithTimeout(context.Background(), tryTime)
	defer cancel()
	for _, tk := range tr.talks { // one more frame: streams stop at its words
		w := &wish{kind: "say", ref: "last-" + tk.id, key: "last", path: "/v1/conversations/" + tk.id + "/messages",
			body: text("good bye last-" + tk.id)}
		tr.fulfil(tk, w, 1)
	}
	for _, f := range followers {
		head, err := tr.state(ctx, f.tk)
		if err != nil {
			tr.fault("%v", err)
			continue
		}
		select {
		case <-f.until(head.Seq):
		case <-ctx.Done():
			tr.fault("the stream of %s (%s) did not reach %d", f.tk.id, f.query, head.Seq)
		}
	}
	stopListening()
	listeners.Wait()
	for _, f := range followers {
		if err := f.compare(context.Background()); err != nil {
			tr.fault("%v", err)
		}
		cuts, frames = cuts+f.cuts, frames+f.frames
	}
	return cuts, frames
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

func encode(t testing.TB, v any) string {
	t.Helper()
	b, err := ui.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
