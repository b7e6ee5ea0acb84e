// Package sse writes chunks as Server-Sent Events.
//
// In: a deliver.Chunk. Out: its text/event-stream bytes. It knows no protocol
// version, and no open connection: package transport carries the bytes.
//
// Callers: the packages of protocols, in internal/transport.
package sse

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"github.com/limn-ui/limn/internal/deliver"
)

// Framing is Server-Sent Events.
func Framing() deliver.Framing { return deliver.Framing{Name: "sse", Append: Append} }

// Headers sets the headers of a stream.
func Headers(h http.Header) {
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
}

// Answer writes events that are all of a stream.
func Answer(w http.ResponseWriter, events []byte) error {
	Headers(w.Header())
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(events) // a client that is gone reads nothing
	return nil
}

// Hello is how a stream begins: with the reconnect hint for the client.
func Hello(retry time.Duration) string { return fmt.Sprintf("retry: %d\n\n", retry.Milliseconds()) }

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
