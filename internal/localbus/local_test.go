package localbus_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/bus/bustest"
	"github.com/limn-ui/limn/internal/localbus"
)

func TestBus(t *testing.T) {
	bustest.Run(t, func(*testing.T) (from, to bus.Bus) {
		b := localbus.New()
		return b, b
	})
}

// The local bus promises more than the port: nothing is lost or repeated. In a
// bubble, where it must not leave a goroutine behind.
func TestEachHintArrivesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := localbus.New()
		wake, cancel := b.Subscribe("c")
		defer cancel()
		woken := 0
		done := make(chan struct{})
		go func() { // ends by done, which the bubble insists on
			for {
				select {
				case <-wake:
					woken++
				case <-done:
					return
				}
			}
		}()
		for seq := range uint64(5) {
			b.Notify("c", seq+1)
			synctest.Wait()
		}
		if woken != 5 {
			t.Errorf("woken %d times by 5 notifications", woken)
		}
		close(done)
	})
}

func Example() {
	b := localbus.New()
	wake, cancel := b.Subscribe("c1") // first subscribe, then read the log
	defer cancel()

	b.Notify("c1", 1)
	b.Notify("c1", 2)
	<-wake
	fmt.Println("look into the store")
	// Output: look into the store
}

func BenchmarkNotify(b *testing.B) {
	bus := localbus.New()
	for range 8 {
		wake, cancel := bus.Subscribe("c")
		defer cancel()
		_ = wake
	}
	for b.Loop() {
		bus.Notify("c", 1)
	}
}
