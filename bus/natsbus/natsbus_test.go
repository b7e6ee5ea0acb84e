package natsbus_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/bus/bustest"
	"github.com/limn-ui/limn/bus/natsbus"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/natstest"
)

func open(t *testing.T, url string) *natsbus.Bus {
	t.Helper()
	b, err := natsbus.Open(natsbus.Config{URL: url, Local: localbus.New()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func TestBus(t *testing.T) {
	s := natstest.Start(t)
	bustest.Run(t, func(t *testing.T) (from, to bus.Bus) {
		b := open(t, s.URL)
		return b, b
	})
}

func TestBusBetweenNodes(t *testing.T) {
	s := natstest.Start(t)
	bustest.Run(t, func(t *testing.T) (from, to bus.Bus) { return open(t, s.URL), open(t, s.URL) })
}

func TestBusWithoutServer(t *testing.T) {
	s := natstest.Start(t)
	s.Stop()
	bustest.Run(t, func(t *testing.T) (from, to bus.Bus) {
		b := open(t, s.URL)
		return b, b
	})
}

// testTime ends a test that waits for what does not come.
const testTime = 30 * time.Second

func woken(t *testing.T, wake <-chan struct{}) {
	t.Helper()
	select {
	case <-wake:
	case <-time.After(testTime):
		t.Fatal("not woken")
	}
}

// heard notifies at one node until the other wakes.
func heard(t *testing.T, from bus.Bus, conversation string, wake <-chan struct{}) {
	t.Helper()
	for late := time.After(testTime); ; {
		from.Notify(conversation, 1)
		select {
		case <-wake:
			return
		case <-late:
			t.Fatal("no wake-up")
		case <-time.After(5 * time.Millisecond): // lost, perhaps: again
		}
	}
}

// Numbers of topics travel between nodes; of who hears first and then tells, at once.
func TestNumbersBetweenNodes(t *testing.T) {
	s := natstest.Start(t)
	a, b := open(t, s.URL), open(t, s.URL)
	atA, atB := make(chan uint64, 100), make(chan uint64, 100)
	defer a.Numbers("here:c1", func(n uint64) { atA <- n })()
	_, cancel := a.Subscribe("here:c1") // waits until the server has it
	defer cancel()
	end := b.Numbers("here:c1", func(n uint64) { atB <- n })
	b.Notify("here:c1", 2)
	next := func(from chan uint64, want uint64) {
		t.Helper()
		for late := time.After(testTime); ; {
			select {
			case n := <-from:
				if n == want {
					return
				}
			case <-late:
				t.Fatalf("%d did not come", want)
			}
		}
	}
	next(atA, 2)
	a.Notify("here:c1", 3) // the answer, which b is there to hear
	next(atB, 3)
	end()
	end()
}

// The server dies and comes back: this node is never without, the others are
// woken, hear again, and what they missed meanwhile is told.
func TestServerDies(t *testing.T) {
	s := natstest.Start(t)
	a, b := open(t, s.URL), open(t, s.URL)
	atA, cancelA := a.Subscribe("c1")
	defer cancelA()
	atB, cancelB := b.Subscribe("c1")
	defer cancelB()
	heard(t, a, "c1", atB)

	s.Stop()
	for len(atA) > 0 {
		<-atA
	}
	a.Notify("c1", 7)
	<-atA                                 // at once
	late, cancelLate := b.Subscribe("c2") // while it is away
	defer cancelLate()
	for len(atB) > 0 {
		<-atB
	}

	s.Restart()
	woken(t, atB) // told to look
	woken(t, late)
	heard(t, a, "c2", late)
	heard(t, b, "c1", atA)
}

// A conversation is subscribed while somebody follows it, once.
func TestSubscribesOncePerConversation(t *testing.T) {
	s := natstest.Start(t)
	b := open(t, s.URL)
	before := s.Subscriptions()
	var cancels []func()
	for i := range 30 {
		_, cancel := b.Subscribe(fmt.Sprint("c", i%10))
		cancels = append(cancels, cancel)
	}
	if n := s.Subscriptions() - before; n != 10 {
		t.Errorf("%d subscriptions for 10 conversations", n)
	}
	for _, cancel := range cancels {
		cancel()
	}
	for late := time.Now().Add(testTime); s.Subscriptions() != before; runtime.Gosched() {
		if time.Now().After(late) {
			t.Fatalf("%d subscriptions are left", s.Subscriptions()-before)
		}
	}
}

// Wake stays on this node; any id is a subject of its own.
func TestWakeAndNames(t *testing.T) {
	s := natstest.Start(t)
	a, b := open(t, s.URL), open(t, s.URL)
	for _, id := range []string{"c1", "a.b", "*", ">", "~", "\x00 ü\xff", strings.Repeat("x", 128)} {
		atA, cancelA := a.Subscribe(id)
		atB, cancelB := b.Subscribe(id)
		a.Wake(id)
		woken(t, atA)
		heard(t, a, id, atB)
		select {
		case <-atA: // its own hints
		default:
		}
		cancelA()
		cancelB()
	}
}

func TestClose(t *testing.T) {
	s := natstest.Start(t)
	a, b := open(t, s.URL), open(t, s.URL)
	atB, cancel := b.Subscribe("c1")
	defer cancel()
	a.Notify("c1", 1)
	for range 2 {
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	woken(t, atB) // what waited was sent
	atA, cancelA := a.Subscribe("c1")
	defer cancelA()
	a.Notify("c1", 2)
	woken(t, atA)
}

func TestOpenErrors(t *testing.T) {
	for _, cfg := range []natsbus.Config{
		{}, {URL: "nats://127.0.0.1:4222"}, {Local: localbus.New()},
		{URL: "nats://u:hunter2@[::1:4222", Local: localbus.New()},
		{URL: "hunter2", Local: localbus.New()},
		{URL: "nats://u:hunter2@h:port", Local: localbus.New()},
	} {
		b, err := natsbus.Open(cfg)
		if err == nil {
			b.Close()
			t.Errorf("%+v: opened", cfg)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error repeats the password: %v", err)
		}
	}
}

// When Subscribe returns, the server has the subscription: one notification of
// another node is enough.
func TestSubscribeTakesEffect(t *testing.T) {
	s := natstest.Start(t)
	a, b := open(t, s.URL), open(t, s.URL)
	for i := range 100 {
		id := fmt.Sprint("c", i)
		wake, cancel := b.Subscribe(id)
		a.Notify(id, 1)
		woken(t, wake)
		cancel()
	}
}
