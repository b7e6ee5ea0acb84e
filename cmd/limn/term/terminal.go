package term

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// MaxInput bounds input that a command reads as a whole, in bytes: envelopes and JSON
// documents. Streams of lines have no bound.
const MaxInput = 64 << 20

// Terminal is where a command reads and writes, and how it asks its environment.
type Terminal struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) string
}

// AskFor says that a command waits for something to be typed, if it is to be.
func (t Terminal) AskFor(what string) {
	if terminal(t.In) && terminal(t.Err) {
		fmt.Fprintf(t.Err, "Type or paste %s; end with Ctrl-D on a line of its own.\n", what)
	}
}

// Show writes v as one line of JSON, or calls words to write it for people.
func (t Terminal) Show(asJSON bool, v any, words func(io.Writer, Style)) error {
	if asJSON {
		return json.NewEncoder(t.Out).Encode(v)
	}
	out := bufio.NewWriter(t.Out)
	words(out, StyleOf(t.Out, t.Env))
	return out.Flush()
}

// Problems is the error of a command that has reported everything itself.
type Problems struct{ N int }

// Error implements error.
func (p Problems) Error() string { return fmt.Sprintf("%d problems", p.N) }

// Open opens FILE or, for "" and "-", standard input, and returns the name to
// call it by.
func Open(file string, t Terminal) (io.ReadCloser, string, error) {
	if file == "" || file == "-" {
		return io.NopCloser(t.In), "<stdin>", nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, file, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, file, fmt.Errorf("%s is a directory; name a file in it", file)
	}
	return f, file, nil
}

// Flushing writes out buffered output before a command waits for more input:
// a person or a program at the other end sees all that is known so far.
type Flushing struct {
	In  io.Reader
	Out func() error
}

// Read implements io.Reader.
func (f Flushing) Read(b []byte) (int, error) {
	if err := f.Out(); err != nil {
		return 0, err
	}
	return f.In.Read(b)
}

// terminal reports whether f is a terminal.
func terminal(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	nobody, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, nobody)
}
