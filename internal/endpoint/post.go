package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Post sends a request as JSON, waits and tries again as the package comment says.
// What it returns is an answer with status 2xx, a type that can be an answer, and a
// bounded body, which the caller closes; or an *ui.Error.
func (e *Endpoint) Post(ctx context.Context, request any) (*http.Response, error) {
	body, err := written(request)
	if err != nil {
		return nil, &ui.Error{Code: llm.CodeRequestBroken, Message: "the request cannot be written as JSON",
			Hint: "look at its free parameters", Err: err}
	}
	for try := 0; ; try++ {
		res, f := e.once(ctx, body)
		if f == nil {
			return res, nil
		}
		if err := e.wait(ctx, f, try); err != nil {
			return nil, err
		}
	}
}

// written is a request as JSON. Marks such as <user_text> stay as they are: as \u003c they
// cost a model more tokens.
func written(request any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(request)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Answer is Post for an answer in one piece.
func (e *Endpoint) Answer(ctx context.Context, request any) ([]byte, error) {
	res, err := e.Post(ctx, request)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// Stream is Post for an answer in pieces: each gets the data of one event (HTML,
// section 9.2), until it reports false. A server that does not stream answers whole:
// then Stream returns that answer. An error that is not of each is a [Cut].
func (e *Endpoint) Stream(ctx context.Context, request any, each func(data []byte) (bool, error)) ([]byte, error) {
	res, err := e.Post(ctx, request)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if whole(res.Header) {
		return io.ReadAll(res.Body)
	}
	for data, err := range events(res.Body) {
		if err != nil {
			return nil, Cut{err}
		}
		if more, err := each(data); err != nil || !more {
			return nil, err
		}
	}
	return nil, nil
}

// Cut is the error of a stream that did not come to its end. What came before may be all that is needed.
type Cut struct{ error }

// Unwrap returns the reason.
func (c Cut) Unwrap() error { return c.error }

// events yields the data of each event that is not empty. One without the empty line
// at its end is cut, and none. A line may be as long as the answer.
func events(body io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var data []byte
		for lines := bufio.NewReader(LineEnds(body)); ; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				if err != io.EOF {
					yield(nil, err)
				}
				return
			}
			line = bytes.TrimSuffix(line, []byte("\n"))
			field, value, _ := bytes.Cut(line, []byte(":"))
			switch {
			case len(line) > 0 && string(field) == "data":
				data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
			case len(line) == 0 && len(data) > 0:
				if !yield(data, nil) {
					return
				}
				data = nil
			}
		}
	}
}

// LineEnds reads an event stream, whose lines end in CR, LF or both, as one whose lines end in LF.
func LineEnds(stream io.Reader) io.Reader { return &lineEnds{Reader: stream} }

type lineEnds struct {
	io.Reader
	cr bool // the byte before was CR
}

// Read implements io.Reader. It does not wait for the byte after a CR.
func (l *lineEnds) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if !l.cr && bytes.IndexByte(p[:n], '\r') < 0 {
		return n, err
	}
	out := p[:0]
	for _, c := range p[:n] {
		second := l.cr && c == '\n'
		if l.cr = c == '\r'; l.cr {
			c = '\n'
		}
		if !second {
			out = append(out, c)
		}
	}
	return len(out), err
}

// Lenient decodes what fits and forgives members of another type: servers differ in
// the types of their answers, and one odd member spoils nothing but itself.
func Lenient(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	if odd := (*json.UnmarshalTypeError)(nil); errors.As(err, &odd) && odd.Field != "" {
		return nil
	}
	return err
}
