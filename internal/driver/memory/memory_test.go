package memory_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/limn-ui/limn/internal/driver/memory"
	"github.com/limn-ui/limn/store"
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
