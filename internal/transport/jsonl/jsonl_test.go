package jsonl_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/transport/jsonl"
)

func TestAppend(t *testing.T) {
	t.Parallel()
	one, two := []byte(`{"x":"a\nb"}`), []byte(`2`)
	for name, c := range map[string]struct {
		chunk deliver.Chunk
		want  string
	}{
		"frame":       {deliver.Chunk{ID: "a.1.b", Data: [][]byte{one}}, `{"id":"a.1.b","data":[{"x":"a\nb"}]}` + "\n"},
		"batch":       {deliver.Chunk{ID: "a.1.b", Data: [][]byte{one, two}}, `{"id":"a.1.b","data":[{"x":"a\nb"},2]}` + "\n"},
		"cursor only": {deliver.Chunk{ID: "a.2.b"}, `{"id":"a.2.b","data":[]}` + "\n"},
		"named":       {deliver.Chunk{Event: "reset", Data: [][]byte{two}}, `{"event":"reset","data":[2]}` + "\n"},
		"beat":        {deliver.Chunk{Beat: true, ID: "never", Data: [][]byte{one}}, "\n"},
	} {
		if diff := cmp.Diff("before "+c.want, string(jsonl.Append([]byte("before "), c.chunk))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
