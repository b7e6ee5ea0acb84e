package memory_test

import (
	"context"
	"fmt"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
)

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
