package endpoint

import (
	"errors"
	"io"
	"net"
	"syscall"

	"github.com/limn-ui/limn/ui"
)

// why is the cause of an error. A server's words may quote anyone, so they go
// into no log; the words of this package may.
type why struct {
	said string // fit for one line, without the key; may be ""
	log  string
}

func (w why) Error() string { return w.said }

// Quiet is what package trace logs.
func (w why) Quiet() string { return w.log }

// withCause adds the cause: the server's words, which may be empty, and the error's
// own message for the log.
func withCause(e *ui.Error, said string) *ui.Error {
	e.Err = why{said, e.Message}
	return e
}

// explained reports an error that this package made: it says what to do, and its cause is scrubbed.
func explained(e *ui.Error) bool {
	_, ok := e.Err.(why)
	return ok
}

// reason is the system's reason for a failed connection, or "".
func reason(err error) string {
	var no syscall.Errno
	var dns *net.DNSError
	switch {
	case errors.As(err, &no):
		return ": " + no.Error()
	case errors.As(err, &dns) && dns.IsNotFound:
		return ": no such host"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ": closed without an answer"
	}
	return ""
}
