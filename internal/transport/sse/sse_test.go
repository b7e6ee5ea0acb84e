package sse_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/transport/sse"
)

func lines(list ...string) [][]byte {
	out := make([][]byte, len(list))
	for i, s := range list {
		out[i] = []byte(s)
	}
	return out
}

func TestAppend(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		chunk deliver.Chunk
		want  string
	}{
		"frame":        {deliver.Chunk{ID: "a.1.b", Data: lines(`{"x":1}`)}, "id: a.1.b\ndata: {\"x\":1}\n\n"},
		"batch":        {deliver.Chunk{ID: "a.1.b", Data: lines("1", "2")}, "id: a.1.b\ndata: 1\ndata: 2\n\n"},
		"cursor only":  {deliver.Chunk{ID: "a.2.b"}, "id: a.2.b\n\n"},
		"named":        {deliver.Chunk{Event: "reset", Data: lines(`{}`)}, "event: reset\ndata: {}\n\n"},
		"both":         {deliver.Chunk{ID: "c", Event: "reset", Data: lines(`{}`)}, "id: c\nevent: reset\ndata: {}\n\n"},
		"beat":         {deliver.Chunk{Beat: true, ID: "never", Data: lines("never")}, ":\n\n"},
		"broken lines": {deliver.Chunk{Data: lines("a\nb\r\nc\rd", "\n", "")}, "data: a\ndata: b\ndata: c\ndata: d\ndata: \ndata: \ndata: \n\n"},
		"colons":       {deliver.Chunk{Data: lines(": id: x")}, "data: : id: x\n\n"},
	} {
		if diff := cmp.Diff("before "+c.want, string(sse.Append([]byte("before "), c.chunk))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// FuzzAppend: whatever a datum holds, a reader of the format gets it back, and
// no part of it is read as a field.
func FuzzAppend(f *testing.F) {
	f.Add("a.1.b", "reset", `{"x":1}`, "\r\nid: evil\n\n")
	f.Add("", "", "", "\r")
	f.Fuzz(func(t *testing.T, id, event, one, two string) {
		if strings.ContainsAny(id+event, "\r\n\x00") { // ours
			return
		}
		out := string(sse.Append(nil, deliver.Chunk{ID: id, Event: event, Data: lines(one, two)}))
		body, ok := strings.CutSuffix(out, "\n\n")
		if !ok || strings.Contains(body, "\n\n") || strings.Contains(out, "\r") {
			t.Fatalf("no single event: %q", out)
		}
		var data []string
		for _, line := range strings.Split(body, "\n") {
			switch field, value, _ := strings.Cut(line, ": "); {
			case field == "data":
				data = append(data, value)
			case field == "id" && value == id && id != "", field == "event" && value == event && event != "":
			default:
				t.Fatalf("line %q", line)
			}
		}
		want := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(one) + "\n" +
			strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(two)
		if got := strings.Join(data, "\n"); got != want {
			t.Errorf("read %q, want %q", got, want)
		}
	})
}
