package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/sqlite"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "limn")
	must(err)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "limn.db")
	ctx := context.Background()

	s, err := sqlite.Open(path)
	must(err)
	must(s.Create(ctx, store.Conversation{ID: "c1", Log: "0123456789abcdef", Owner: "ada"}))
	must(s.Append(ctx, "c1", store.Commit{Expect: 0, Frame: []byte(`{"seq":1}`)}))
	must(s.Close())

	s, err = sqlite.Open(path)
	must(err)
	defer s.Close()
	frames, err := s.Frames(ctx, "c1", 0, 10)
	must(err)
	fmt.Printf("%d %s\n", frames[0].Seq, frames[0].Body)
	// Output: 1 {"seq":1}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
