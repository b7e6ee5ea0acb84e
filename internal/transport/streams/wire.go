package streams

import (
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Offsets that are words.
const (
	fromStart = "-1"
	fromTail  = "now"
)

// How a request waits for what comes.
const (
	longPoll = "long-poll"
	overSSE  = "sse"
)

// maxOffset bounds the bytes of an offset.
const maxOffset = 64

// query holds the parameters of a request.
type query struct {
	offset string // fromStart without one
	live   string
	cursor uint64 // the last that the client was given
}

// parse reads the query of a request. Errors are ingress.CodeEnvelope.
func parse(values url.Values) (q query, err error) {
	wrong := func(path, message, hint string) (query, error) {
		return q, &ui.Error{Code: ingress.CodeEnvelope, Path: path, Message: message, Hint: hint}
	}
	q.offset, q.live = fromStart, values.Get("live")
	sent, ok := values["offset"]
	switch {
	case len(sent) > 1:
		return wrong("offset", "more than one offset", "send one")
	case ok && !legal(sent[0]):
		return wrong("offset", "no offset has that form", "send -1, now, or what Stream-Next-Offset said")
	case ok:
		q.offset = sent[0]
	case q.live != "":
		return wrong("offset", "an offset is missing", "a request that waits says from where on: -1 is the beginning")
	}
	if q.live != "" && q.live != longPoll && q.live != overSSE {
		return wrong("live", "there is no such way to wait", "want long-poll or sse")
	}
	q.cursor, _ = strconv.ParseUint(values.Get("cursor"), 10, 63) // any other counts as none
	return q, nil
}

// legal reports what may be an offset.
func legal(offset string) bool {
	if offset == fromStart || offset == fromTail {
		return true
	}
	return offset != "" && len(offset) <= maxOffset && strings.Trim(offset, "0123456789abcdef_") == ""
}

// page is a part of a stream.
type page struct {
	items  [][]byte
	next   string // the offset after it
	tail   bool   // nothing comes after it yet
	closed bool   // nor ever
}

// kind is the media type of a stream.
type kind string

const jsonKind kind = "application/json"

// body joins items: JSON is a list.
func (k kind) body(items [][]byte) []byte {
	if k != jsonKind {
		return join(items, "")
	}
	return append(append([]byte{'['}, join(items, ",")...), ']')
}

func join(items [][]byte, between string) (out []byte) {
	for i, item := range items {
		if i > 0 {
			out = append(out, between...)
		}
		out = append(out, item...)
	}
	return out
}

// Cursors are numbers of intervals, so that shared caches keep no answer for longer.
const interval = 20 * time.Second

var began = time.Date(2024, 10, 9, 0, 0, 0, 0, time.UTC)

// cursorAfter is the cursor for a client that was given one before. It always goes on.
func cursorAfter(last uint64, now time.Time) string {
	n := uint64(now.Sub(began) / interval)
	if last >= n {
		n = last + 1 + rand.Uint64N(180)
	}
	return strconv.FormatUint(n, 10)
}

// answer writes one page.
func answer(w http.ResponseWriter, r *http.Request, k kind, q query, p page) {
	h := w.Header()
	mark(h, p)
	h.Set("Content-Type", string(k))
	h.Set("Cache-Control", "no-store")
	if q.live == longPoll {
		h.Set("Stream-Cursor", cursorAfter(q.cursor, time.Now()))
		if len(p.items) == 0 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	if r.Method != http.MethodHead {
		tag := `"` + q.offset + ":" + p.next
		if p.closed {
			tag += ":c"
		}
		tag += `"`
		h.Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(k.body(p.items)) // a client that is gone reads nothing
	}
}

// mark says in the head of an answer where its stream goes on.
func mark(h http.Header, p page) {
	h.Set("Stream-Next-Offset", p.next)
	if p.tail {
		h.Set("Stream-Up-To-Date", "true")
	}
	if p.closed {
		h.Set("Stream-Closed", "true")
	}
}

// appendPage writes one page as events: its data, and where the stream goes on.
func appendPage(dst []byte, k kind, p page, cursor string) []byte {
	if len(p.items) > 0 {
		dst = append(dst, "event: data\n"...)
		text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(k.body(p.items)))
		for line := range strings.SplitSeq(text, "\n") {
			dst = append(append(append(dst, "data:"...), line...), '\n')
		}
		dst = append(dst, '\n')
	}
	dst = jsonx.AppendString(append(dst, "event: control\ndata:{\"streamNextOffset\":"...), p.next)
	switch {
	case p.closed:
		dst = append(dst, `,"streamClosed":true,"upToDate":true`...)
	default:
		dst = jsonx.AppendString(append(dst, `,"streamCursor":`...), cursor)
		if p.tail {
			dst = append(dst, `,"upToDate":true`...)
		}
	}
	return append(dst, "}\n\n"...)
}
