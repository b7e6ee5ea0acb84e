package limntest

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"time"
)

// silence is how long a stream may say nothing: then the test fails.
const silence = 20 * time.Second

// Event is a Server-Sent Event as a browser sees it.
type Event struct {
	ID, Name string
	Data     []string // one a line
}

// Stream is an open stream.
type Stream struct {
	*Client
	In   *bufio.Reader
	stop func() // ends its request
}

// Open opens a stream; it ends with the test.
func (c *Client) Open(path string, headers ...string) *Stream {
	c.Helper()
	r := c.Request(http.MethodGet, path, nil, headers...)
	ctx, stop := context.WithCancel(r.Context())
	c.Cleanup(stop)
	late := time.AfterFunc(silence, stop)
	defer late.Stop()
	resp, err := c.HTTP.Do(r.WithContext(ctx))
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" ||
		!strings.HasPrefix(resp.Header.Get("Cache-Control"), "no-store") ||
		resp.Header.Get("X-Accel-Buffering") != "no" {
		c.Fatalf("%s: %s %v", path, resp.Status, resp.Header)
	}
	return &Stream{c, bufio.NewReader(resp.Body), stop}
}

// Next reads one event that is not a delta, which may come or be lost; at the end
// of the stream the second result is false.
func (s *Stream) Next() (e Event, ok bool) {
	s.Helper()
	for e, ok = s.Event(); ok && e.Name == "delta"; e, ok = s.Event() {
	}
	return e, ok
}

// Event reads one event of any kind.
func (s *Stream) Event() (e Event, ok bool) {
	s.Helper()
	late := time.AfterFunc(silence, s.stop)
	defer late.Stop()
	for seen := false; ; {
		line, err := s.In.ReadString('\n')
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return e, false
		}
		if err != nil {
			s.Fatal(err)
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "":
			if line != "\n" { // a comment
				continue
			}
			if seen {
				return e, true
			}
			continue
		case "id":
			e.ID = value
		case "event":
			e.Name = value
		case "data":
			e.Data = append(e.Data, value)
		case "retry":
			continue
		default:
			s.Fatalf("line %q", line)
		}
		seen = true
	}
}

// Must is Next that fails the test at the end of the stream.
func (s *Stream) Must() Event {
	s.Helper()
	e, ok := s.Next()
	if !ok {
		s.Fatal("the stream ended")
	}
	return e
}
