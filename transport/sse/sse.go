// Package sse writes a stream of chunks as Server-Sent Events.
//
// In: an iterator of deliver.Chunk. Out: text/event-stream bytes, flushed per
// chunk, each write with a deadline, so that a client that stops reading is cut
// off and resumes later by its cursor. It knows no protocol version.
//
// Caller: transport/web.
package sse

import (
	"bytes"
	"iter"
	"net/http"
	"strconv"
	"time"

	"github.com/limn-ui/limn/deliver"
)

// WriteTimeout is how long one chunk may take to reach the client's kernel.
const WriteTimeout = 10 * time.Second

// Serve writes chunks until the iterator or the connection ends. retry is the
// reconnect hint for the client. The error that ends a stream is returned; the
// headers are written with the first chunk, so before that the caller may
// still answer otherwise.
func Serve(w http.ResponseWriter, chunks iter.Seq2[deliver.Chunk, error], retry time.Duration) (started bool, err error) {
	rc := http.NewResponseController(w)
	var buf []byte
	for c, err := range chunks {
		if err != nil {
			return started, err
		}
		buf = buf[:0]
		if err := rc.SetWriteDeadline(time.Now().Add(WriteTimeout)); err != nil {
			return started, err
		}
		if !started {
			start(w)
			started = true
			buf = append(buf, "retry: "...)
			buf = append(strconv.AppendInt(buf, retry.Milliseconds(), 10), "\n\n"...)
		}
		buf = Append(buf, c)
		if _, err := w.Write(buf); err != nil {
			return started, err
		}
		if err := rc.Flush(); err != nil {
			return started, err
		}
		// A deadline that passes between two chunks resets a stream of HTTP/2.
		if err := rc.SetWriteDeadline(time.Time{}); err != nil {
			return started, err
		}
	}
	return started, nil
}

func start(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
}

// Append writes one chunk. Line breaks inside a datum become further data
// lines, as the format wants.
func Append(dst []byte, c deliver.Chunk) []byte {
	if c.Beat {
		return append(dst, ":\n\n"...)
	}
	if c.ID != "" {
		dst = append(append(append(dst, "id: "...), c.ID...), '\n')
	}
	if c.Event != "" {
		dst = append(append(append(dst, "event: "...), c.Event...), '\n')
	}
	for _, line := range c.Data {
		for more := true; more; {
			var part []byte
			part, line, more = cutLine(line)
			dst = append(append(append(dst, "data: "...), part...), '\n')
		}
	}
	return append(dst, '\n')
}

// cutLine cuts at the first line break, of the three kinds the format knows.
func cutLine(b []byte) (line, rest []byte, more bool) {
	i := bytes.IndexAny(b, "\r\n")
	if i < 0 {
		return b, nil, false
	}
	line, rest = b[:i], b[i+1:]
	if b[i] == '\r' && len(rest) > 0 && rest[0] == '\n' {
		rest = rest[1:]
	}
	return line, rest, true
}
