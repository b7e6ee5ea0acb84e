// Package jsonl writes chunks as JSON lines, for programs that read line by
// line, and for the messages of package ws.
//
// In: a deliver.Chunk. Out: one line of JSON, or an empty one for a heartbeat.
// It knows no protocol version, and no connection.
//
// Caller: internal/transport/web.
package jsonl

import (
	"net/http"

	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Framing is JSON lines.
func Framing() deliver.Framing { return deliver.Framing{Name: "jsonl", Append: Append} }

// Messages is the framing of the messages of package ws: each line is one.
func Messages() deliver.Framing {
	f := Framing()
	f.Transport = "ws"
	return f
}

// Headers sets the headers of a stream.
func Headers(h http.Header) {
	h.Set("Content-Type", "application/jsonl")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
}

// Append writes one chunk as {"id":"…","event":"…","data":[…]}; id and event
// are left out where there are none. The data are JSON already, each on one line.
func Append(dst []byte, c deliver.Chunk) []byte {
	if c.Beat {
		return append(dst, '\n')
	}
	dst = append(dst, '{')
	if c.ID != "" {
		dst = append(jsonx.AppendString(append(dst, `"id":`...), c.ID), ',')
	}
	if c.Event != "" {
		dst = append(jsonx.AppendString(append(dst, `"event":`...), c.Event), ',')
	}
	dst = append(dst, `"data":[`...)
	for i, datum := range c.Data {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, datum...)
	}
	return append(dst, "]}\n"...)
}
