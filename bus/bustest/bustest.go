package bustest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/limn-ui/limn/bus"
)

// deliveryTime is how long a bus may take to deliver one of many notifications.
const deliveryTime = 10 * time.Second

// Run checks that buses keep the contract of the port. open is called once per
// subtest and cleans up after itself with t.Cleanup. It returns the buses of two nodes:
// the first notifies, the second has the subscribers. They may be one.
func Run(t *testing.T, open func(t *testing.T) (from, to bus.Bus)) {
	checks := []struct {
		name string
		run  func(t *testing.T, n nodes)
	}{
		{"wakes every subscriber", wakesAll},
		{"wakes before and after reading", wakesAgain},
		{"never blocks", neverBlocks},
		{"keeps conversations apart", apart},
		{"cancel", cancels},
		{"watch", watches},
		{"wake", wakesHere},
		{"numbers", numbers},
		{"last number", lastNumber},
		{"many at once", manyAtOnce},
	}
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			from, to := open(t)
			c.run(t, nodes{to, from})
		})
	}
}

// nodes are a bus that subscribers of one node have, and one that notifies.
type nodes struct {
	bus.Bus
	from bus.Bus
}

// awaken notifies until the wake-up arrives.
func awaken(t *testing.T, b nodes, conversation string, wake <-chan struct{}) {
	t.Helper()
	deadline := time.After(deliveryTime)
	for {
		b.from.Notify(conversation, 1)
		select {
		case <-wake:
			return
		case <-deadline:
			t.Fatalf("no wake-up for %q within %v", conversation, deliveryTime)
		case <-time.After(10 * time.Millisecond): // lost, perhaps: again
		}
	}
}

func wakesAll(t *testing.T, b nodes) {
	b.from.Notify("c", 1) // without a subscriber nothing happens
	var wakes []<-chan struct{}
	for range 5 {
		wake, cancel := b.Subscribe("c")
		defer cancel()
		wakes = append(wakes, wake)
	}
	for _, wake := range wakes {
		awaken(t, b, "c", wake)
	}
}

// A notification that comes while a reader reads must wake it once more: the
// reader may have looked just before the commit.
func wakesAgain(t *testing.T, b nodes) {
	wake, cancel := b.Subscribe("c")
	defer cancel()
	for range 10 {
		awaken(t, b, "c", wake)
	}
}

func neverBlocks(t *testing.T, b nodes) {
	wake, cancel := b.Subscribe("c")
	defer cancel()
	if cap(wake) != 1 {
		t.Errorf("wake has room for %d, want 1", cap(wake))
	}
	done := make(chan struct{})
	go func() { // waited for below
		defer close(done)
		for seq := range uint64(10_000) {
			b.from.Notify("c", seq)
		}
	}()
	select {
	case <-done:
	case <-time.After(deliveryTime):
		t.Fatal("Notify waits for a subscriber that does not read")
	}
	awaken(t, b, "c", wake)
}

func apart(t *testing.T, b nodes) {
	mine, cancel := b.Subscribe("c1")
	defer cancel()
	other, cancelOther := b.Subscribe("c2")
	defer cancelOther()
	for range 10 {
		awaken(t, b, "c2", other)
	}
	select {
	case <-mine:
		t.Error("woken by another conversation")
	default:
	}
	awaken(t, b, "c1", mine)
}

func cancels(t *testing.T, b nodes) {
	gone, cancel := b.Subscribe("c")
	stays, cancelStays := b.Subscribe("c")
	defer cancelStays()
	awaken(t, b, "c", stays)
	cancel()
	cancel() // twice is fine
	select {
	case <-gone: // hints already on their way
	default:
	}
	for range 3 {
		awaken(t, b, "c", stays)
	}
	select {
	case _, open := <-gone:
		t.Errorf("after cancel: woken, or closed (open %t)", open)
	default:
	}

	// Nothing remains of the last subscriber, and the next one is heard.
	cancelStays()
	again, cancelAgain := b.Subscribe("c")
	defer cancelAgain()
	cancel() // still nothing
	awaken(t, b, "c", again)
}

// signal returns a channel with room for one, and a function that fills it.
func signal() (wake chan struct{}, fill func()) {
	wake = make(chan struct{}, 1)
	return wake, func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

func watches(t *testing.T, b nodes) {
	gone, fill := signal()
	cancel := b.Watch("c", fill)
	stays, cancelStays := b.Subscribe("c")
	defer cancelStays()
	awaken(t, b, "c", gone)
	awaken(t, b, "c", gone)
	cancel()
	cancel() // twice is fine
	awaken(t, b, "c", stays)
	select {
	case <-gone: // hints already on their way
	default:
	}
	for range 3 {
		awaken(t, b, "c", stays)
	}
	if len(gone) > 0 {
		t.Error("woken after cancel")
	}
}

func wakesHere(t *testing.T, b nodes) {
	wake, cancel := b.Subscribe("c")
	defer cancel()
	watched, fill := signal()
	defer b.Watch("c", fill)()
	b.Wake("c")
	if len(wake) == 0 || len(watched) == 0 {
		t.Error("Wake wakes no subscriber of its node")
	}
}

func numbers(t *testing.T, b nodes) {
	seqs := make(chan uint64, 10_000)
	cancel := b.Numbers("topic", func(seq uint64) { seqs <- seq })
	defer b.from.Numbers("topic", func(uint64) {})() // it hears of the topic, too
	stays, cancelStays := b.Subscribe("topic")
	defer cancelStays()
	deadline := time.After(deliveryTime)
	for want, got := uint64(7), uint64(0); got != want; {
		b.from.Notify("topic", want)
		select {
		case got = <-seqs:
		case <-deadline:
			t.Fatalf("no number within %v", deliveryTime)
		case <-time.After(10 * time.Millisecond): // lost, perhaps: again
		}
	}
	cancel()
	cancel()
	awaken(t, b, "topic", stays)
	for len(seqs) > 0 { // on their way
		<-seqs
	}
	for range 3 {
		awaken(t, b, "topic", stays)
	}
	if len(seqs) > 0 {
		t.Error("numbers are heard after cancel")
	}
}

// A node that no longer hears a topic may have sent a number just before: that it leaves.
func lastNumber(t *testing.T, b nodes) {
	seqs := make(chan uint64, 10_000)
	defer b.Numbers("topic", func(seq uint64) { seqs <- seq })()
	deadline := time.After(deliveryTime)
	for want, got := uint64(7), uint64(0); got != want; {
		cancel := b.from.Numbers("topic", func(uint64) {})
		b.from.Notify("topic", want)
		cancel()
		select {
		case got = <-seqs:
		case <-deadline:
			t.Fatalf("no number within %v", deliveryTime)
		case <-time.After(100 * time.Millisecond): // lost, perhaps: again
		}
	}
}

// manyAtOnce is for the race detector.
func manyAtOnce(t *testing.T, b nodes) {
	var wg sync.WaitGroup
	for i := range 16 {
		conversation := fmt.Sprint("c", i%4)
		wg.Go(func() { // Wait below
			for seq := range uint64(100) {
				wake, cancel := b.Subscribe(conversation)
				b.from.Notify(conversation, seq)
				select {
				case <-wake:
				default: // late or lost
				}
				cancel()
			}
		})
	}
	wg.Wait()
}
