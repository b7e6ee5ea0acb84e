package a2ui

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"unicode"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Line is one line of a JSONL stream. Bytes are valid until the next line is
// read.
type Line struct {
	Number int // from 1
	Column int // of the first byte, from 1: blanks before it are cut off
	Bytes  []byte
	reader *Decoder
}

// Decode reads the line as a server message; a *Problem has its line number.
func (l Line) Decode() (Dialect, Message, error) {
	d, m, err := l.decoder().Message(l.Bytes)
	return d, m, l.number(err)
}

// DecodeClient reads the line as a client message.
func (l Line) DecodeClient() (Dialect, ClientMessage, error) {
	d, m, err := l.decoder().client(l.Bytes)
	return d, m, l.number(err)
}

func (l Line) decoder() *Decoder {
	if l.reader == nil {
		return new(Decoder)
	}
	return l.reader
}

// number puts a problem into its place in the stream.
func (l Line) number(err error) error {
	var p *Problem
	if errors.As(err, &p) {
		if p.Line = l.Number; p.Column > 0 {
			p.Column += max(l.Column, 1) - 1
		}
	}
	return err
}

// ReadLines yields the lines of r that are not blank, without their line ends.
// It holds one line at a time: a line longer than lim.MessageBytes is skipped to
// its end and yielded as a *Problem with LimitBytes, and reading goes on. An
// error of r ends the stream after it was yielded.
func ReadLines(r io.Reader, lim Limits) iter.Seq2[Line, error] {
	lim = lim.WithDefaults()
	return func(yield func(Line, error) bool) {
		in := bufio.NewReaderSize(r, min(lim.MessageBytes+2, 32<<10))
		buf := make([]byte, 0, 512)
		reader := &Decoder{Limits: lim}
		for n := 1; ; n++ {
			var err error
			var long bool
			buf, long, err = readLine(in, buf[:0], lim.MessageBytes)
			text := bytes.TrimLeftFunc(buf, unicode.IsSpace)
			line := Line{Number: n, Column: 1 + len(buf) - len(text), Bytes: bytes.TrimSpace(text), reader: reader}
			switch {
			case long:
				p := wire.Bad(LimitBytes, "", "the line has more than %d bytes", lim.MessageBytes)
				p.Line = n
				if !yield(Line{Number: n}, p) {
					return
				}
			case len(line.Bytes) > 0 && (err == nil || errors.Is(err, io.EOF)):
				if !yield(line, nil) {
					return
				}
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					yield(Line{Number: n}, err)
				}
				return
			}
		}
	}
}

// readLine appends one line; long reports that it was longer than most and was
// dropped.
func readLine(in *bufio.Reader, buf []byte, most int) (_ []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(buf)+len(part) > most+2 { // two for the line end
			long = true
		}
		if !long {
			buf = append(buf, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return buf, long || len(bytes.TrimSpace(buf)) > most, err
	}
}

// Locate returns the byte column, from 1, at which the value is in a line
// that p complains of: that of its path, or where that is missing the object it
// is missing in, or the id of its component. It is 0 if the line does not show it.
func Locate(line []byte, p Problem) int {
	doc, err := jsonx.Scan(line, jsonx.Limits{Bytes: len(line) + 1, String: len(line) + 1, Entries: len(line) + 1,
		Depth: 256})
	if err != nil {
		return p.Column
	}
	root := doc.Root()
	key, body := bodyOf(root)
	at, found := lookup(body, p.Path)
	switch {
	case p.Path == "/version" || p.Path == "/"+key || body.Kind() != jsonx.Object:
		at, _ = lookup(root, p.Path)
	case !found && at == body || p.Path == "":
		for e := body.At("components").Entries(); e.OK() && p.Component != ""; e = e.Next() {
			if id := e.Value().At("id"); id.Text() == p.Component {
				return id.Off() + 1
			}
		}
		if p.Path == "" && p.Component != "" {
			return 0
		}
	}
	return at.Off() + 1
}

// bodyOf returns the first member of an envelope that is not its version.
func bodyOf(root jsonx.Node) (key string, body jsonx.Node) {
	for e := root.Entries(); e.OK(); e = e.Next() {
		if key = e.Key(); key != "version" {
			return key, e.Value()
		}
	}
	return "", root
}

// lookup follows a pointer from v as far as it leads; found is false if that is
// not to its end.
func lookup(v jsonx.Node, path string) (_ jsonx.Node, found bool) {
	steps, err := jsonptr.Split(path)
	if err != nil {
		return v, false
	}
	for _, step := range steps {
		next, ok := v.Get(step)
		if index, isIndex := jsonptr.Index(step); isIndex && v.Kind() == jsonx.Array {
			next, ok = v.Item(index)
		}
		if !ok {
			return v, false
		}
		v = next
	}
	return v, true
}
