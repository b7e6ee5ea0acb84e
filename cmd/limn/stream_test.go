package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/ui"
)

// flood is an endless input cut off after some bytes.
type flood struct {
	next       func(*flood) // writes more into buf
	left, turn int
	buf        bytes.Buffer
	most       uint64 // live heap
	seen       int
}

const floodCatalog = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"

func (f *flood) Read(b []byte) (int, error) {
	if f.buf.Len() == 0 {
		if f.left <= 0 {
			return 0, io.EOF
		}
		f.next(f)
		f.left -= f.buf.Len()
	}
	n, _ := f.buf.Read(b)
	if f.seen += n; f.seen > 2<<20 {
		f.seen = 0
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		f.most = max(f.most, m.HeapAlloc)
	}
	return n, nil
}

// conversation writes the messages of one turn: one surface stays and is
// updated, and others come and go.
func conversation(f *flood) {
	line := func(format string, args ...any) { fmt.Fprintf(&f.buf, format+"\n", args...) }
	if f.turn == 0 {
		line(`{"version":"v0.9","createSurface":{"surfaceId":"stays","catalogId":%q}}`, floodCatalog)
		line(`{"version":"v0.9","updateDataModel":{"surfaceId":"stays","path":"/n","value":""}}`)
		line(`{"version":"v0.9","updateComponents":{"surfaceId":"stays","components":[{"id":"root","component":"Text","text":{"path":"/n"}}]}}`)
		line("")
	}
	f.turn++
	id := fmt.Sprintf("s%d", f.turn)
	line(`{"version":"v0.9","createSurface":{"surfaceId":%q,"catalogId":%q}}`, id, floodCatalog)
	var rows, kids []string
	for i := range 40 {
		kids = append(kids, fmt.Sprintf(`"row-%d"`, i))
		rows = append(rows,
			fmt.Sprintf(`{"id":"row-%d","component":"Text","text":"Row %d of turn %d: %s","variant":"body"}`, i, i,
				f.turn, strings.Repeat("words ", 20)))
	}
	line(`{"version":"v0.9","updateComponents":{"surfaceId":%q,"components":[{"id":"root","component":"Column","children":[%s]},%s]}}`,
		id, strings.Join(kids, ","), strings.Join(rows, ","))
	line(`{"version":"v0.9","updateDataModel":{"surfaceId":"stays","path":"/n","value":"turn %d"}}`, f.turn)
	line(`{"version":"v0.9","updateComponents":{"surfaceId":"stays","components":[{"id":"root","component":"Text","text":{"path":"/n"}}]}}`)
	line(`{"version":"v0.9","deleteSurface":{"surfaceId":%q}}`, id)
	line("")
}

// labelled writes a line that is a case of both kinds.
func labelled(f *flood) {
	f.turn++
	words := strings.Repeat("and some more words ", 50)
	fmt.Fprintf(&f.buf,
		`{"id":"r%d","message":"We have %d risks %s","kind":"table","input":"Ann, 3\nBob, x","columns":[{"name":"Name","type":"text"}]}`+"\n", f.turn, f.turn, words)
}

// begin keeps the first bytes that are written.
type begin []byte

func (w *begin) Write(b []byte) (int, error) {
	*w = append(*w, b[:min(len(b), 1000-len(*w))]...)
	return len(b), nil
}

// TestStreamsInBoundedMemory: what a command holds is what the live surfaces
// need, however long the stream is.
func TestStreamsInBoundedMemory(t *testing.T) {
	alone(t)
	size := 50 << 20 // of each command
	if testing.Short() {
		size = 5 << 20
	}
	for command, next := range map[string]func(*flood){
		"replay --hash":                   conversation,
		"validate":                        conversation,
		"validate --profile safe --turns": conversation,
		"translate --to v0.8":             conversation,
		"parse":                           conversation,
		"route --batch -":                 labelled,
		"capture --batch -":               labelled,
	} {
		t.Run(command, func(t *testing.T) {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			f := &flood{next: next, left: size}
			var out, errs begin
			env := func(string) string { return "" }
			if code := run(context.Background(), strings.Fields(command),
				term.Terminal{In: f, Out: &out, Err: &errs, Env: env}); code != exitOK {
				t.Fatalf("exit status %d: %s%s", code, out, errs)
			}
			if most := int64(f.most) - int64(m.HeapAlloc); most > 8<<20 {
				t.Errorf("%d MiB of input took %.1f MiB of memory, want at most 8", size>>20, float64(most)/(1<<20))
			}
		})
	}
}

// endless is an input that never ends: a text, over and over.
type endless string

func (text endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = text[i%len(text)]
	}
	return len(b), nil
}

// TestTooMuchInput: what is read as a whole has a limit, a code and an end.
func TestTooMuchInput(t *testing.T) {
	alone(t)
	t.Parallel()
	for command, want := range map[string]ui.Code{
		"route":                       "CLI_MESSAGE_TOO_LONG",
		"capture --map":               "CLI_INPUT_TOO_LONG",
		"capture --table --columns a": "CLI_INPUT_TOO_LONG",
		"eval capture":                "CLI_INPUT_TOO_LONG",
		"route --state - hello":       "CLI_INPUT_TOO_LONG",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			var out, errs begin
			in := endless("ann, 3\n")
			if strings.HasPrefix(command, "eval") {
				in = "x" // one line is passed over in no time
			}
			terminal := term.Terminal{In: in, Out: &out, Err: &errs, Env: func(string) string { return "" }}
			if code := run(context.Background(), strings.Fields(command), terminal); code != exitProblem ||
				!strings.Contains(string(errs), string(want)) || len(out) > 0 {
				t.Errorf("exit status %d, %q, %q", code, out, errs)
			}
		})
	}
}
