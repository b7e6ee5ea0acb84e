package memory_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return memory.New() })
}

// A bubble ends only when all its goroutines do: the store must not start any.
func TestConcurrentAppendsInSynctest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := memory.New()
		c := store.Conversation{ID: "c", Log: "0123456789abcdef"}
		if err := s.Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			go s.Append(t.Context(), "c", store.Commit{Frame: fmt.Append(nil, i)}) // synctest.Wait
		}
		synctest.Wait()
		if h, err := s.Open(t.Context(), "c"); err != nil || h.Seq != 1 {
			t.Fatalf("Open = seq %d, %v; want 1", h.Seq, err)
		}
	})
}

func Example() {
	ctx := context.Background()
	s := memory.New()
	defer s.Close()

	must(s.Create(ctx, store.Conversation{ID: "c1", Log: "0123456789abcdef", Owner: "ada"}))
	_, err := s.Record(ctx, "c1", store.Event{ID: "e1", Key: "ada/k1", Hash: "h"})
	must(err)
	must(s.Append(ctx, "c1", store.Commit{
		Expect: 0, Frame: []byte(`{"seq":1}`), Event: "e1", Answer: []byte("done"),
	}))

	// The same request again: the first answer.
	prior, err := s.Record(ctx, "c1", store.Event{ID: "e2", Key: "ada/k1", Hash: "h"})
	must(err)
	fmt.Printf("%s by frame %d: %s\n", prior.ID, prior.Seq, prior.Answer)
	// Output: e1 by frame 1: done
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
