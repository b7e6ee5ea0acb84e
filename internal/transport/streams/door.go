package streams

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/internal/transport/sse"
	"github.com/limn-ui/limn/ui"
)

// waitMost is how long a long poll waits.
const waitMost = 20 * time.Second

// maxCatchUp bounds the bytes that a stream over Server-Sent Events begins with; its client
// comes back for the rest.
const maxCatchUp = 4 << 20

// reader is the door.
type reader struct{ door.Host }

// New is the door.
func New() door.Door {
	return func(h door.Host) door.Routes {
		return door.Routes{"GET /v1/streams/{id}": (&reader{h}).get}
	}
}

// stream is one stream that is read.
type stream struct {
	*reader
	head   conversation.Head
	id     string
	who    string
	target deliver.Target
	print  string // its fingerprint
}

// get answers a request for a stream, or for its head.
func (d *reader) get(w http.ResponseWriter, r *http.Request) error {
	q, err := parse(r.URL.Query())
	if err != nil {
		return err
	}
	s := &stream{reader: d, id: r.PathValue("id")}
	if s.who, err = d.Sender(r); err != nil {
		return err
	}
	if s.target, err = d.Target(r); err != nil {
		return err
	}
	if s.head, err = d.Service().Head(r.Context(), s.id, s.who); err != nil {
		return err
	}
	s.print = d.Deliver().Fingerprint(s.target)
	if r.Method == http.MethodHead {
		p := s.tail()
		p.tail = false
		answer(w, r, jsonKind, query{}, p)
		return nil
	}
	p, err := s.read(r.Context(), q.offset)
	if err != nil {
		return err
	}
	switch {
	case q.live == overSSE:
		return s.follow(w, r, q, p)
	case q.live == longPoll && len(p.items) == 0 && !p.closed:
		if p, err = s.wait(r, p); err != nil {
			return err
		}
	}
	answer(w, r, jsonKind, q, p)
	return nil
}

// offset is the offset after a frame. Those of one stream are in the order of its frames.
func offset(c deliver.Cursor) string {
	return fmt.Sprintf("%s_%016d_%s", c.Log, c.Seq, c.Fingerprint)
}

var offsetForm = regexp.MustCompile(`^([0-9a-f]{16})_(\d{16})_([0-9a-f]{8})$`)

func cursorOf(offset string) (c deliver.Cursor, ok bool) {
	m := offsetForm.FindStringSubmatch(offset)
	if m == nil {
		return c, false
	}
	seq, err := strconv.ParseUint(m[2], 10, 63)
	return deliver.Cursor{Log: m[1], Seq: seq, Part: -1, Fingerprint: m[3]}, err == nil
}

// at is the cursor after a frame of the stream.
func (s *stream) at(seq uint64) deliver.Cursor {
	return deliver.Cursor{Log: s.head.Log, Seq: seq, Part: -1, Fingerprint: s.print}
}

// tail is the page after all that is there.
func (s *stream) tail() page {
	return page{next: offset(s.at(s.head.State.Seq)), tail: true, closed: s.head.State.Ended}
}

func gone(message string) error {
	return &ui.Error{Code: recovery.CodeGone, Path: "offset", Message: message,
		Hint: "read from offset=-1, and forget what was read before"}
}

// read is the page after an offset. Errors are ui.Errors, and those of the log.
func (s *stream) read(ctx context.Context, from string) (page, error) {
	if from == fromTail {
		return s.tail(), nil
	}
	var after uint64
	if from != fromStart {
		c, ok := cursorOf(from)
		switch {
		case !ok:
			return page{}, wrongOffset()
		case c.Log != s.head.Log:
			return page{}, gone("the offset is of another stream, or of this one before it was restored")
		case c.Seq > s.head.State.Seq:
			return page{}, gone("the offset is after the end of the stream")
		case c.Seq < s.head.Floor:
			return page{}, gone("what comes after the offset is not kept any more")
		}
		if c.Fingerprint != s.print {
			return s.restart(s.head.State)
		}
		after = c.Seq
	} else if s.head.Floor > 0 {
		return s.restart(s.head.State)
	}
	read, err := s.Deliver().Read(ctx, s.request(), s.head.Log, after)
	if err != nil {
		return page{}, err
	}
	return page{items: read.Items, next: offset(s.at(read.Seq)), tail: read.Seq >= s.head.State.Seq || read.Closed,
		closed: read.Closed}, nil
}

func wrongOffset() error {
	_, err := parse(map[string][]string{"offset": {""}})
	return err
}

// restart is the page where the frames since the offset cannot be sent: it begins again, with the
// whole of a state.
func (s *stream) restart(state *ui.State) (page, error) {
	item, err := s.Deliver().Snap(s.request(), s.head.Log, state)
	p := s.tail()
	p.items = [][]byte{item}
	return p, err
}

// request is for items: the data of a chunk as they are.
func (s *stream) request() deliver.Request {
	return deliver.Request{Conversation: s.id, Principal: s.who, Target: s.target, Framing: deliver.Framing{
		Name: "streams-items", Transport: "streams", Append: func(dst []byte, c deliver.Chunk) []byte {
			if c.ID == "" {
				return dst
			}
			return append(dst, c.Data[0]...)
		}}}
}

// wait is the page for a long poll: the frames committed next, or after a while an empty page.
func (s *stream) wait(r *http.Request, empty page) (page, error) {
	ctx, cancel := context.WithTimeout(r.Context(), waitMost)
	defer cancel()
	c, _ := cursorOf(empty.next)
	req := s.request()
	req.After = c.String()
	err := s.Stream(&waker{header: http.Header{}}, unframed(ctx, r), req, "")
	if _, refused := errors.AsType[*ui.Error](err); refused && ctx.Err() == nil {
		return empty, err
	} // else it was woken or cut: Head says whether it may still be read
	if r.Context().Err() != nil {
		return empty, nil
	}
	if s.head, err = s.Service().Head(r.Context(), s.id, s.who); err != nil {
		return empty, err
	}
	return s.read(r.Context(), empty.next)
}

// unframed is a request whose connection is left alone.
func unframed(ctx context.Context, r *http.Request) *http.Request {
	r = r.WithContext(ctx)
	r.ProtoMajor = 2
	return r
}

var errWoken = errors.New("a frame came")

// waker is a stream that ends with its first byte.
type waker struct{ header http.Header }

func (w *waker) Header() http.Header { return w.header }

func (*waker) WriteHeader(int) {}

func (*waker) Write(b []byte) (int, error) {
	if len(b) > 0 {
		return 0, errWoken
	}
	return 0, nil
}

func (*waker) SetReadDeadline(time.Time) error { return nil }

func (*waker) SetWriteDeadline(time.Time) error { return nil }

func (*waker) FlushError() error { return nil }

// follow answers with a stream of events: the frames so far, then each new one when it is committed.
func (s *stream) follow(w http.ResponseWriter, r *http.Request, q query, p page) error {
	var hello []byte
	for {
		cursor := cursorAfter(q.cursor, time.Now())
		hello = appendPage(hello, jsonKind, p, cursor)
		if p.tail || p.closed || len(hello) > maxCatchUp {
			break
		}
		var err error
		if p, err = s.read(r.Context(), p.next); err != nil {
			return err
		}
	}
	sse.Headers(w.Header())
	w.Header().Set("Cache-Control", "no-store, no-cache")
	c, ok := cursorOf(p.next)
	if p.closed || !p.tail || !ok {
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write(hello) // a client that is gone reads nothing
		return nil
	}
	err := s.Stream(w, r, deliver.Request{Conversation: s.id, Principal: s.who, Target: s.target, After: c.String(),
		Framing: deliver.Framing{Name: "streams", Append: appendChunk}}, string(hello))
	if errors.Is(err, deliver.ErrEnded) { // between the two
		p.closed = true
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write(appendPage(hello, jsonKind, page{next: p.next, tail: true, closed: true}, ""))
		return nil
	}
	return err
}

// appendChunk writes a chunk of a conversation as events.
func appendChunk(dst []byte, c deliver.Chunk) []byte {
	at, ok := deliver.ParseCursor(c.ID)
	switch {
	case c.Beat:
		return append(dst, ":\n\n"...)
	case !ok || c.Event != "": // a snapshot says the same as a reset, and text comes with its frame
		return dst
	}
	p := page{items: c.Data, next: offset(at), tail: true, closed: c.Ended}
	return appendPage(dst, jsonKind, p, cursorAfter(0, time.Now()))
}
