package datasync_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/ui"
)

// network has places that write, and messages that are lost, come twice, late or in
// another order, and places that stop and start again.
type network struct {
	source
	places  []*datasync.Replica
	skew    []time.Duration
	wire    []message
	all     []datasync.Update // that were sent
	now     time.Time
	names   int
	lost    bool // a place has forgotten what nobody else had
	mistake mistake
	limits  datasync.Limits
}

type message struct {
	to int
	datasync.Batch
}

// mistake is what a mutant does wrong.
type mistake int

const (
	none mistake = iota
	observeMax
	eagerGC
)

func newNetwork(s source, m mistake) *network {
	n := &network{source: s, now: start, mistake: m}
	if s(2) == 0 {
		n.limits.Updates = 1 + s(4) // answers are cut
	}
	for range 2 + s(4) {
		n.places = append(n.places, n.open("", datasync.Stamp{}, nil))
		n.skew = append(n.skew, time.Duration(s(40)-20)*time.Second)
	}
	return n
}

func (n *network) open(name string, last datasync.Stamp, snapshot []byte) *datasync.Replica {
	if name == "" {
		n.names++
		name = fmt.Sprintf("p%d", n.names)
	}
	r, err := datasync.Open(datasync.Options{Surface: "s", Actor: name, Last: last, Snapshot: snapshot,
		Ahead: time.Hour, Limits: n.limits})
	if err != nil {
		panic(err)
	}
	return r
}

func (n *network) clock(i int) time.Time { return n.now.Add(n.skew[i]) }

// step is one thing that happens.
func (n *network) step() error {
	i := n.source(len(n.places))
	r := n.places[i]
	n.now = n.now.Add(time.Duration(n.source(3)) * time.Millisecond)
	switch n.source(12) {
	default:
		if err := r.Edit(n.write()); err != nil && ui.AsError(err, "", "").Code != datasync.CodeLimit {
			return err
		}
	case 0, 1, 2:
		b, err := r.Flush(n.clock(i), nil)
		if err != nil {
			return err
		}
		n.all = append(n.all, b.Updates...)
		if len(b.Updates) > 0 {
			n.spread(i, b)
		}
	case 3, 4, 5:
		return n.deliver(n.source(3) == 0)
	case 6:
		n.spread(i, r.Hello())
	case 7:
		if n.source(4) == 0 { // stops; what it had not sent is gone
			last, snapshot := r.Last(), r.Doc().Snapshot()
			if n.source(2) == 0 && n.mistake == none { // its connections end, too
				n.wire = slices.DeleteFunc(n.wire, func(m message) bool { return m.to == i || m.Actor == last.Actor })
				n.places[i] = n.open("", datasync.Stamp{}, n.places[(i+1)%len(n.places)].Doc().Snapshot())
				n.lost = true
			} else {
				n.places[i] = n.open(last.Actor, last, snapshot)
			}
		}
	case 8:
		n.collect(i)
	}
	return nil
}

func (n *network) collect(i int) {
	if n.lost {
		return // see GC: the messages here do not all go through one place
	}
	var acked []datasync.Vector
	for _, r := range n.places {
		acked = append(acked, r.Doc().Seen())
	}
	if n.mistake == eagerGC {
		acked = nil
	}
	n.places[i].Collect(acked...)
}

func (n *network) spread(from int, b datasync.Batch) {
	for to := range n.places {
		if to != from && n.source(3) > 0 { // else lost
			n.wire = append(n.wire, message{to, b})
		}
	}
}

// deliver hands over one message; again leaves it on the wire.
func (n *network) deliver(again bool) error {
	if len(n.wire) == 0 {
		return nil
	}
	k := n.source(len(n.wire))
	m := n.wire[k]
	if !again {
		n.wire = slices.Delete(n.wire, k, k+1)
	}
	return n.receive(m, false)
}

func (n *network) receive(m message, sure bool) error {
	r := n.places[m.to]
	got, err := r.Receive(m.Batch, n.clock(m.to))
	if err != nil {
		return fmt.Errorf("%v: %w", m.Batch, err)
	}
	if n.mistake == observeMax {
		r.ObserveMax(m.Batch)
	}
	answer := func(b datasync.Batch) {
		for to := range n.places {
			if to != m.to && (sure || n.source(2) == 0) {
				n.wire = append(n.wire, message{to, b})
			}
		}
	}
	for _, b := range got.Answer {
		answer(b)
	}
	if got.Ask && !sure {
		answer(r.Hello())
	}
	return nil
}

// heal lets every place ask the next one, around a ring, until nobody sends any more.
func (n *network) heal() error {
	for i := range n.places {
		b, err := n.places[i].Flush(n.clock(i), nil)
		if err != nil {
			return err
		}
		n.all = append(n.all, b.Updates...)
	}
	for len(n.wire) > 0 {
		m := n.wire[0]
		n.wire = n.wire[1:]
		if len(m.Updates) == 0 {
			continue
		}
		if err := n.receive(m, true); err != nil {
			return err
		}
	}
	n.wire = nil
	for range 2 * len(n.places) {
		for i, r := range n.places {
			next := (i + 1) % len(n.places)
			got, err := n.places[next].Receive(r.Hello(), n.clock(next))
			if err != nil {
				return err
			}
			for _, b := range got.Answer {
				if err := n.receive(message{i, b}, true); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// check is what must be true at the end.
func (n *network) check() error {
	want := state(n.places[0].Doc())
	for _, r := range n.places[1:] {
		if got := state(r.Doc()); got != want {
			return fmt.Errorf("two places differ:\n%s\n%s", want, got)
		}
	}
	if ref := reference(n.all); !n.lost && ref != want {
		return fmt.Errorf("the places have\n%s\nbut everything together is\n%s", want, ref)
	}
	for i, r := range n.places {
		for j, other := range n.places {
			if i == j || n.lost {
				continue
			}
			if err := n.asked(i, j); err != nil {
				return err
			}
			if got, err := other.Receive(r.Hello(), n.clock(j)); err != nil || got.Answer != nil {
				return fmt.Errorf("still sending: %v %v", got.Answer, err)
			}
		}
	}
	return nil
}

// asked lets two places ask each other until neither does any more.
func (n *network) asked(i, j int) error {
	for range 6 {
		got, err := n.places[j].Receive(n.places[i].Hello(), n.clock(j))
		if err != nil || !got.Ask {
			return err
		}
		i, j = j, i
	}
	return fmt.Errorf("%d and %d ask each other for ever", i, j)
}

func runNetwork(s source, steps int, m mistake) error {
	n := newNetwork(s, m)
	for range steps {
		if err := n.step(); err != nil {
			return err
		}
	}
	if err := n.heal(); err != nil {
		return err
	}
	return n.check()
}

// TestNetwork: after loss, doubles, another order, clocks that differ and places that
// stop, all places are the same.
func TestNetwork(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		if err := runNetwork(drawn(t), 60, none); err != nil {
			t.Fatal(err)
		}
	})
}

// TestNetworkMutants: the mistakes that the proposal makes, and that are easily made, do
// not pass TestNetwork.
func TestNetworkMutants(t *testing.T) {
	t.Parallel()
	for m, name := range map[mistake]string{observeMax: "the latest stamp seen", eagerGC: "deletions forgotten at once"} {
		random := rand.New(rand.NewPCG(uint64(m), 7))
		found := false
		for i := 0; i < 500 && !found; i++ {
			found = runNetwork(random.IntN, 60, m) != nil
		}
		if !found {
			t.Errorf("%s: nothing differs in 500 runs", name)
		}
	}
}

// TestTortureHistories runs a thousand networks, in the long form a million.
func TestTortureHistories(t *testing.T) {
	t.Parallel()
	runs := 1000
	if os.Getenv("LIMN_TORTURE") != "" {
		runs = 1_000_000
	}
	var group sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := worker; i < runs && !t.Failed(); i += runtime.GOMAXPROCS(0) {
				if err := runNetwork(rand.New(rand.NewPCG(uint64(i), 0)).IntN, 20+i%100, none); err != nil {
					t.Errorf("run %d: %v", i, err)
				}
			}
		})
	}
	group.Wait()
	t.Logf("%d histories, all places the same", runs)
}
