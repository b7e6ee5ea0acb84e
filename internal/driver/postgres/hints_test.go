package postgres

import (
	"testing"
	"time"

	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/bus/bustest"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/pgtest"
)

// node is one store and its hints.
func node(t *testing.T, dsn string) *Hints {
	t.Helper()
	h, err := (&Store{driver: openTest(t, dsn)}).Listen(t.Context(), localbus.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

func TestHints(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	bustest.Run(t, func(t *testing.T) (from, to bus.Bus) {
		b := node(t, dsn)
		return b, b
	})
}

func TestHintsBetweenNodes(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	bustest.Run(t, func(t *testing.T) (from, to bus.Bus) { return node(t, dsn), node(t, dsn) })
}

// heard notifies at one node until the other wakes.
func heard(t *testing.T, from bus.Bus, conversation string, wake <-chan struct{}) {
	t.Helper()
	for limit := soon(t); ; {
		from.Notify(conversation, 1)
		select {
		case <-wake:
			return
		case <-limit.Done():
			t.Fatal("no wake-up")
		case <-time.After(20 * time.Millisecond): // lost, perhaps: again
		}
	}
}

// The connections are lost: this node is never without hints, and once they are
// back everybody is woken and hears again.
func TestHintsLost(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	far, w := through(t, dsn)
	a, b := node(t, dsn), node(t, far)
	id := "\x00\n\",ü\xff"
	atB, cancel := b.Subscribe(id)
	defer cancel()
	heard(t, a, id, atB)
	for range 3 {
		for len(atB) > 0 {
			<-atB
		}
		w.cut()
		woken(t, atB) // told to look
		b.Notify(id, 1)
		woken(t, atB) // at once
		heard(t, a, id, atB)
	}
}

// Numbers of topics travel between nodes that hear of them, and with strange names, too.
func TestNumbersBetweenNodes(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	a, b := node(t, dsn), node(t, dsn)
	for _, topic := range []string{"here:c1", "=7=here:\x00\xff"} {
		got := make(chan uint64, 100)
		defer b.Numbers(topic, func(n uint64) { got <- n })()
		defer a.Numbers(topic, func(uint64) {})()
		const want = 1<<63 | 5
		for limit := soon(t); ; {
			a.Notify(topic, want)
			select {
			case n := <-got:
				if n != want {
					t.Fatalf("%q: %d came, want %d", topic, n, uint64(want))
				}
			case <-limit.Done():
				t.Fatalf("%q: nothing came", topic)
			case <-time.After(20 * time.Millisecond): // lost, perhaps: again
				continue
			}
			break
		}
	}
}

func woken(t *testing.T, wake <-chan struct{}) {
	t.Helper()
	select {
	case <-wake:
	case <-soon(t).Done():
		t.Fatal("not woken")
	}
}

// Many changes are one notification, and no notification is too long.
func TestHintsGather(t *testing.T) {
	t.Parallel()
	h := &Hints{node: "n"}
	dirty := map[string]notice{"=1=x": {seq: 1}}
	for i := range 1000 {
		dirty[string(rune('a'+i%26))+time.Duration(i).String()+"-01890a5d-ac96-774b-bcce"] = notice{seq: 1}
	}
	h.dirty = dirty
	seen := map[string]bool{}
	list := h.payloads(h.take())
	for _, p := range list {
		if len(p) >= 8000 {
			t.Errorf("a payload of %d bytes", len(p))
		}
	}
	other := &Hints{node: "m", local: hear{f: func(id string) { seen[id] = true }}}
	for _, p := range list {
		other.forward(p)
		h.forward(p) // its own: without a local bus it would panic
	}
	if len(seen) != len(dirty) || len(list) > 6 {
		t.Errorf("%d of %d heard, in %d notifications", len(seen), len(dirty), len(list))
	}
}

// hear is a bus that takes note.
type hear struct {
	bus.Bus
	f func(id string)
}

func (h hear) Notify(id string, _ uint64) { h.f(id) }

// FuzzHints: whatever others send on the channel, nothing breaks.
func FuzzHints(f *testing.F) {
	f.Add(`["n","c1"]`)
	f.Add(`["m","c1","\u0001ff"]`)
	f.Add(`["m","=z9=here:c1","=","=="]`)
	f.Add(`[`)
	f.Fuzz(func(t *testing.T, payload string) {
		(&Hints{node: "n", local: hear{f: func(string) {}}}).forward(payload)
	})
}
