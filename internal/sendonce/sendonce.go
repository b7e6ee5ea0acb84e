// Package sendonce is an HTTP transport that does not repeat requests by itself.
//
// In: requests that have an effect where they arrive: calls of webhooks, tools
// and models. Out: the response, or an error that says whether the request can
// have arrived. Package net/http sends a request again when a connection that was
// used before breaks and the request has a header Idempotency-Key, and on HTTP/2
// after some resets (RFC 9113, section 8.7, and PROTOCOL_ERROR). Here nothing is
// sent again once a byte of the request may be on its way: whether that is right
// is for the caller's journal to decide.
//
// Callers: internal/transport/webhook, mcp and internal/endpoint.
package sendonce

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// Transport sends each request at most once over Base. Requests by GET, HEAD,
// OPTIONS and TRACE, which change nothing, go through as they are.
// Safe for concurrent use.
type Transport struct {
	Base http.RoundTripper // required
}

// errRepeat stops net/http from repeating a request.
var errRepeat = errors.New("the server gave the request back; it is not sent again")

// RoundTrip implements http.RoundTripper.
func (t Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	switch req.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return t.Base.RoundTrip(req)
	}
	s := &sending{}
	out := req.Clone(httptrace.WithClientTrace(req.Context(), s.trace()))
	// net/http looks for these names in their usual spelling. On the wire the
	// case of a name has no meaning.
	for usual, other := range map[string]string{"Idempotency-Key": "idempotency-key",
		"X-Idempotency-Key": "x-idempotency-key"} {
		if v := out.Header[usual]; v != nil {
			delete(out.Header, usual)
			out.Header[other] = v
		}
	}
	body := req.GetBody
	if out.Body == nil || out.Body == http.NoBody { // net/http repeats these without asking for the body
		body = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(nil)), nil }
		out.Body, _ = body()
	}
	if out.GetBody = nil; body != nil {
		out.GetBody = func() (io.ReadCloser, error) {
			if s.http2.Load() && s.written.Load() {
				return nil, errRepeat
			}
			s.written.Store(false) // on HTTP/1 net/http asks only if it has written nothing
			return body()
		}
	}
	resp, err := t.Base.RoundTrip(out)
	if err != nil && s.unsent(err) {
		return nil, unsentError{err}
	}
	return resp, err
}

// sending is the state of a request on its way.
type sending struct {
	asked   atomic.Bool // for a connection: Base reports its writes
	written atomic.Bool // a part of the request, if perhaps only into a buffer
	http2   atomic.Bool
}

func (s *sending) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) { s.asked.Store(true) },
		GotConn: func(info httptrace.GotConnInfo) {
			c, ok := info.Conn.(interface{ ConnectionState() tls.ConnectionState })
			s.http2.Store(ok && c.ConnectionState().NegotiatedProtocol == "h2")
		},
		WroteHeaderField: func(string, []string) { s.written.Store(true) },
	}
}

// unsent reports that no part of the request was sent. What is not known counts
// as sent.
func (s *sending) unsent(err error) bool {
	var op *net.OpError
	return !s.written.Load() && (s.asked.Load() || errors.As(err, &op) && op.Op == "dial")
}

// unsentError is an error of a request that was not sent.
type unsentError struct{ error }

func (e unsentError) Unwrap() error { return e.error }

// Quiet is the wrapped error's text for logs.
func (e unsentError) Quiet() string { return "" }

// Unsent reports that err is of a request of which no byte was sent, so that
// it cannot have had an effect.
func Unsent(err error) bool {
	var u unsentError
	return errors.As(err, &u)
}
