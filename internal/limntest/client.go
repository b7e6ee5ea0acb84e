package limntest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/limn-ui/limn/ui"
)

// Client is a program or a browser at a server.
//
//	srv := limntest.Must(limn.New(limn.Config{App: a, Model: limntest.Says("Hello.")}))
//	c := limntest.Serve(t, srv).Create()
//	c.Say("hello")
//	if e := c.Open("/v1/-/stream").Must(); e.ID == "" {
//		t.Error("no cursor")
//	}
type Client struct {
	testing.TB
	HTTP      *http.Client
	URL       string // of the server
	ID, Token string // of the conversation; the token is sent as bearer
}

// Server is what Serve needs of a limn.Server.
type Server interface {
	Handler() http.Handler
	Close(context.Context) error
}

// NewClient returns a browser without a conversation: it keeps cookies and follows
// redirects.
func NewClient(tb testing.TB, url string) *Client {
	transport := &http.Transport{}
	tb.Cleanup(transport.CloseIdleConnections)
	return &Client{TB: tb, HTTP: &http.Client{Transport: transport, Jar: Must(cookiejar.New(nil))}, URL: url}
}

// Serve serves on loopback until the test ends, and returns a client of that.
func Serve(tb testing.TB, srv Server) *Client {
	tb.Helper()
	s := httptest.NewServer(srv.Handler())
	tb.Cleanup(func() {
		// streams end first, so that the listener can
		if err := srv.Close(context.Background()); err != nil {
			tb.Error(err)
		}
		s.Close()
	})
	return NewClient(tb, s.URL)
}

// Create begins a conversation as a program does, with a token and no cookie.
func (c *Client) Create(headers ...string) *Client {
	c.Helper()
	c.HTTP.Jar = nil
	var made struct{ ID, Token string }
	a := c.Do(http.MethodPost, "/v1/conversations", "", headers...)
	if a.Into(c, &made); a.StatusCode != http.StatusCreated {
		c.Fatalf("create: %s %s", a.Status, a.Text)
	}
	c.ID, c.Token = made.ID, made.Token
	return c
}

// Request makes a request. A path that begins with "/v1/-" or "/c/-" has the
// client's conversation for the dash. Headers are pairs; "-" removes one.
func (c *Client) Request(method, path string, body io.Reader, headers ...string) *http.Request {
	path = strings.Replace(path, "/v1/-", "/v1/conversations/"+c.ID, 1)
	path = strings.Replace(path, "/c/-", "/c/"+c.ID, 1)
	r := Must(http.NewRequestWithContext(c.Context(), method, c.URL+path, body))
	if c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	if (method == http.MethodPost || method == http.MethodPut) && strings.HasPrefix(path, "/v1/") {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] == "-" {
			r.Header.Del(headers[i])
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	return r
}

// Answer is a whole response; its Body has been read.
type Answer struct {
	*http.Response
	Text string
}

// Into decodes the JSON of an answer.
func (a Answer) Into(tb TB, v any) {
	tb.Helper()
	if err := json.Unmarshal([]byte(a.Text), v); err != nil {
		tb.Fatalf("%s %.300s: %v", a.Status, a.Text, err)
	}
}

// Try sends a request, from any goroutine, and reads its answer; see Request.
func (c *Client) Try(method, path, body string, headers ...string) (Answer, error) {
	return c.Send(c.Request(method, path, strings.NewReader(body), headers...))
}

// Send sends a request and reads its answer.
func (c *Client) Send(r *http.Request) (Answer, error) {
	resp, err := c.HTTP.Do(r)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return Answer{resp, string(b)}, err
}

// Do is Try that fails the test if there is no answer.
func (c *Client) Do(method, path, body string, headers ...string) Answer {
	c.Helper()
	a, err := c.Try(method, path, body, headers...)
	if err != nil {
		c.Fatal(err)
	}
	return a
}

// Post sends JSON, waits for the turn and must succeed.
func (c *Client) Post(path, body string, headers ...string) Answer {
	c.Helper()
	a := c.Do(http.MethodPost, path, body, append([]string{"Prefer", "wait=10"}, headers...)...)
	if a.StatusCode >= 300 {
		c.Fatalf("%s: %s %s", path, a.Status, a.Text)
	}
	return a
}

// Say sends a message and waits until it is answered.
func (c *Client) Say(text string, headers ...string) Answer {
	c.Helper()
	a := c.Post("/v1/-/messages", fmt.Sprintf(`{"text":%s}`, Must(json.Marshal(text))), headers...)
	if a.StatusCode != http.StatusOK {
		c.Fatalf("message %q: %s %s", text, a.Status, a.Text)
	}
	return a
}

// State reads the newest state of the conversation.
func (c *Client) State() *ui.State {
	c.Helper()
	a, s := c.Do(http.MethodGet, "/v1/-/state", ""), &ui.State{}
	if a.StatusCode != http.StatusOK {
		c.Fatalf("state: %s %s", a.Status, a.Text)
	}
	a.Into(c, s)
	return s
}

// Stall posts a body for a stream and stops reading after its first event. rest reads all
// that follows, until the stream ends.
func (c *Client) Stall(path, body string) (rest func() string) {
	c.Helper()
	r := c.Request(http.MethodPost, path, strings.NewReader(body), "Content-Type", "application/json")
	conn := Must(net.Dial("tcp", r.URL.Host))
	c.Cleanup(func() { conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		c.Fatal(err)
	}
	if err := r.Write(conn); err != nil {
		c.Fatal(err)
	}
	in := bufio.NewReaderSize(conn, 16)
	for line := ""; !strings.HasPrefix(line, "data: "); {
		line = Must(in.ReadString('\n'))
	}
	return func() string { return string(Must(io.ReadAll(in))) }
}
