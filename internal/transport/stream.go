package transport

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/limn-ui/limn/internal/deliver"
)

// WriteTimeout is how long a write may take that net/http makes for us.
const WriteTimeout = 10 * time.Second

// sendBuffer is how many bytes the kernel may hold for one client, so that clients that
// stopped reading do not hold its memory. Linux doubles it.
const sendBuffer = 64 << 10

// Stream answers a request with a stream: the headers of w, hello, and what sub
// delivers. Over HTTP/1.1 it takes the connection over and returns as soon as
// everything known is written: an idle stream then costs neither a goroutine
// nor a buffer. Else it returns when the stream has ended, and says why. An
// error before the first byte leaves w as it is, but for its headers.
func Stream(w http.ResponseWriter, r *http.Request, sub *deliver.Sub, hello string) (started bool, err error) {
	if r.ProtoMajor == 1 {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			return true, hand(r, w.Header(), conn, sub, hello)
		}
		if !errors.Is(err, http.ErrNotSupported) {
			sub.Close()
			return true, fmt.Errorf("take the connection over: %w", err)
		}
	}
	f := &flusher{w: w, rc: http.NewResponseController(w), hello: hello}
	f.rc.SetReadDeadline(time.Time{}) //nolint:errcheck // it bounds a body; what has none needs none lifted
	err = sub.Serve(r.Context(), f)
	return f.started, err
}

// hand writes the head of the answer and leaves the connection to sub. The body
// ends with the connection, so there is nothing to frame.
func hand(r *http.Request, h http.Header, conn net.Conn, sub *deliver.Sub, hello string) error {
	if err := conn.SetDeadline(time.Time{}); err != nil { // those of net/http
		sub.Close()
		conn.Close() //nolint:errcheck // as good as closed
		return err
	}
	if c, ok := conn.(interface{ SetWriteBuffer(int) error }); ok {
		c.SetWriteBuffer(sendBuffer) //nolint:errcheck // it may be as large as it is
	}
	h.Set("Connection", "close")
	h.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	head := bytes.NewBufferString("HTTP/1.1 200 OK\r\n")
	h.Write(head) //nolint:errcheck // into memory
	head.WriteString("\r\n" + hello)
	return sub.Hand(r.Context(), newConn(conn), head.Bytes())
}

// flusher writes through net/http, each write with a deadline, and flushes it.
type flusher struct {
	w       http.ResponseWriter
	rc      *http.ResponseController
	hello   string
	started bool
}

func (f *flusher) Write(p []byte) (int, error) {
	if err := f.rc.SetWriteDeadline(time.Now().Add(WriteTimeout)); err != nil {
		return 0, err
	}
	if !f.started {
		f.started = true
		f.w.WriteHeader(http.StatusOK)
		p = append([]byte(f.hello), p...)
	}
	if _, err := f.w.Write(p); err != nil {
		return 0, err
	}
	if err := f.rc.Flush(); err != nil {
		return 0, err
	}
	// A deadline that passes between two writes resets a stream of HTTP/2.
	return len(p), f.rc.SetWriteDeadline(time.Time{})
}
