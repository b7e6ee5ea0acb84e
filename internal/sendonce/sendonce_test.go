package sendonce_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"github.com/limn-ui/limn/internal/sendonce"
)

func post(t *testing.T, rt http.RoundTripper, url, body string) (string, error) {
	t.Helper()
	var r io.Reader
	if body != "" {
		r = strings.NewReader(body)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // net/http alone repeats some for ever
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, r)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Idempotency-Key", "k")
	resp, err := rt.RoundTrip(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}

// TestUsedConnectionThatBreaks: the server does the work of the second request on
// a connection and closes it without an answer. net/http alone sends it again.
func TestUsedConnectionThatBreaks(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"{}", ""} {
		var calls atomic.Int32
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got, _ := io.ReadAll(r.Body)
			if string(got) != body || r.Header.Get("Idempotency-Key") != "k" {
				t.Errorf("body %q, header %v", got, r.Header)
			}
			if calls.Add(1) == 2 {
				panic(http.ErrAbortHandler)
			}
		}))
		defer s.Close()
		base := s.Client().Transport.(*http.Transport)
		rt := sendonce.Transport{Base: base}
		if _, err := post(t, rt, s.URL, body); err != nil {
			t.Fatal(err)
		}
		if _, err := post(t, rt, s.URL, body); err == nil || sendonce.Unsent(err) {
			t.Errorf("%v, want an error of a request that may have arrived", err)
		}
		if n := calls.Load(); n != 2 {
			t.Errorf("%d calls, want 2", n)
		}
		calls.Store(0) // what this package is for
		if _, err := post(t, base, s.URL, body); err != nil {
			t.Fatal(err)
		}
		if _, err := post(t, base, s.URL, body); err != nil || calls.Load() != 3 {
			t.Errorf("net/http alone: %d calls, %v; does it not repeat any more?", calls.Load(), err)
		}
	}
}

// TestHTTP2Resets: the server has read a request and resets its stream, or says
// with GOAWAY that it has not seen it.
func TestHTTP2Resets(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*http2.Framer, uint32) error{
		"REFUSED_STREAM": func(f *http2.Framer, id uint32) error { return f.WriteRSTStream(id, http2.ErrCodeRefusedStream) },
		"PROTOCOL_ERROR": func(f *http2.Framer, id uint32) error { return f.WriteRSTStream(id, http2.ErrCodeProtocol) },
		"GOAWAY":         func(f *http2.Framer, _ uint32) error { return f.WriteGoAway(0, http2.ErrCodeNo, nil) },
	} {
		for _, body := range []string{"{}", ""} {
			t.Run(name+body, func(t *testing.T) {
				t.Parallel()
				var calls atomic.Int32
				url, base := resetting(t, &calls, fail)
				if _, err := post(t, sendonce.Transport{Base: base}, url, body); err == nil || sendonce.Unsent(err) {
					t.Errorf("%v, want an error of a request that may have arrived", err)
				}
				if n := calls.Load(); n != 1 {
					t.Errorf("%d calls, want 1", n)
				}
			})
		}
	}
}

// resetting is an HTTP/2 server that reads each request to its end, counts it, and
// then does what fail says.
func resetting(t *testing.T, calls *atomic.Int32, fail func(*http2.Framer, uint32) error) (string, *http.Transport) {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.EnableHTTP2 = true
	s.StartTLS() // for its certificate only
	cert := s.TLS.Certificates[0]
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	s.Close()
	l, err := tls.Listen("tcp", "127.0.0.1:0",
		&tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() { // ends with the listener
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go speak(c, calls, fail) // ends with the connection, which the transport closes
		}
	}()
	base := &http.Transport{ForceAttemptHTTP2: true,
		TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "example.com"}}
	t.Cleanup(base.CloseIdleConnections)
	return "https://" + l.Addr().String(), base
}

func speak(c net.Conn, calls *atomic.Int32, fail func(*http2.Framer, uint32) error) {
	defer c.Close()
	if _, err := io.ReadFull(c, make([]byte, len(http2.ClientPreface))); err != nil {
		return
	}
	f := http2.NewFramer(c, c)
	_ = f.WriteSettings()
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			return
		}
		if h := frame.Header(); (h.Type == http2.FrameHeaders || h.Type == http2.FrameData) &&
			h.Flags.Has(http2.FlagDataEndStream) {
			calls.Add(1)
			_ = fail(f, h.StreamID)
		}
	}
}

// TestUnsent: what was certainly not sent is told apart.
func TestUnsent(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if _, err := post(t, sendonce.Transport{Base: &http.Transport{}}, "http://"+l.Addr().String(), "{}"); !sendonce.Unsent(err) {
		t.Errorf("%v, want an error of a request that was not sent", err)
	}
	broken := roundTripper(func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF })
	if _, err := post(t, sendonce.Transport{Base: broken}, "http://example.com", "{}"); sendonce.Unsent(err) {
		t.Error("a transport that reports nothing may have sent the request")
	}
}

// TestConnectionClosedBeforeUse: a request that meets a connection which cannot be
// written to any more goes out on another one.
func TestConnectionClosedBeforeUse(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	defer s.Close()
	var dials atomic.Int32
	base := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		if dials.Add(1) == 1 {
			return &mute{Conn: c}, err
		}
		return c, err
	}}
	rt := sendonce.Transport{Base: base}
	for range 2 {
		if _, err := post(t, rt, s.URL, "{}"); err != nil {
			t.Fatal(err)
		}
	}
	if calls.Load() != 2 || dials.Load() != 2 {
		t.Errorf("%d calls over %d connections, want 2 over 2", calls.Load(), dials.Load())
	}
}

// mute takes one write; the others fail before anything is sent.
type mute struct {
	net.Conn
	writes atomic.Int32
}

func (m *mute) Write(p []byte) (int, error) {
	if m.writes.Add(1) > 1 {
		return 0, net.ErrClosed
	}
	return m.Conn.Write(p)
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
