package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// socket is an open WebSocket.
type socket struct {
	t *testing.T
	*websocket.Conn
	others []message // read, and not asked for yet
}

// message is what comes over a socket: a chunk, or an answer.
type message struct {
	ID, Event, Ref string
	Data           []struct {
		Kind   string
		Seq    uint64
		Reason string
	}
	Receipt *struct {
		Event   string
		Seq     uint64
		Cursor  string
		Outcome *ui.Outcome
	}
	Problem *struct {
		Status int
		Code   ui.Code
		Event  string
	}
}

func (c *client) dial(path string, headers ...string) (*websocket.Conn, *http.Response, error) {
	r := c.Request("GET", path, nil, headers...)
	return websocket.Dial(c.t.Context(), strings.Replace(r.URL.String(), "http", "ws", 1),
		&websocket.DialOptions{HTTPHeader: r.Header})
}

func (c *client) socket(path string, headers ...string) *socket {
	c.t.Helper()
	conn, _, err := c.dial(path, headers...)
	if err != nil {
		c.t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	c.t.Cleanup(func() { conn.CloseNow() })
	return &socket{t: c.t, Conn: conn}
}

func (s *socket) send(text string) {
	s.t.Helper()
	if err := s.Write(s.t.Context(), websocket.MessageText, []byte(text)); err != nil {
		s.t.Fatal(err)
	}
}

// next returns the next chunk, or the next answer: which of the two comes first
// is nobody's promise.
func (s *socket) next(answer bool) message {
	s.t.Helper()
	wanted := func(m message) bool { return (m.Receipt != nil || m.Problem != nil) == answer }
	if i := slices.IndexFunc(s.others, wanted); i >= 0 {
		m := s.others[i]
		s.others = slices.Delete(s.others, i, i+1)
		return m
	}
	for {
		var m message
		kind, b, err := s.Read(s.t.Context())
		if err != nil || kind != websocket.MessageText {
			s.t.Fatalf("%v %v", kind, err)
		}
		if err := json.Unmarshal(b, &m); err != nil {
			s.t.Fatalf("%v: %s", err, b)
		}
		if m.Event == "delta" { // may come or be lost
			continue
		}
		if wanted(m) {
			return m
		}
		s.others = append(s.others, m)
	}
}

// TestSocket: frames come and events go over one connection, with the answers
// that posts get.
func TestSocket(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	s := c.socket("/v1/-/ws")
	first := s.next(false)
	if first.ID == "" || first.Data[0].Kind != "snapshot" {
		t.Errorf("first %+v", first)
	}
	s.send(`{"ref":"a","key":"k1","text":"add a customer"}`)
	a := s.next(true)
	if a.Ref != "a" || a.Receipt == nil || a.Receipt.Event == "" || (a.Receipt.Cursor == "") == (a.Receipt.Seq == 0) {
		t.Errorf("answered %+v", a)
	}
	opened := s.next(false)
	if opened.Data[0].Seq != 1 || opened.Data[0].Kind != "frame" {
		t.Errorf("then %+v", opened)
	}
	s.send(`{"ref":"b","key":"k1","text":"add a customer"}`)
	if b := s.next(true); b.Ref != "b" || b.Receipt == nil || b.Receipt.Event != a.Receipt.Event || b.Receipt.Seq != 1 {
		t.Errorf("the same key: %+v", b)
	}
	s.send(`{"ref":"c","key":"k1","text":"something else"}`)
	if m := s.next(true); m.Problem == nil || m.Problem.Code != "HTTP_KEY_REUSED" || m.Problem.Status != 422 ||
		m.Ref != "c" {
		t.Errorf("the key again: %+v", m)
	}
	submit := action(t, c, "form:customer", map[string]string{"company": "Ada"}, builtin.ActionSubmit)
	s.send(`{"ref":"d","event":` + submit + `}`)
	if m := s.next(true); m.Receipt == nil || m.Receipt.Outcome == nil || m.Receipt.Outcome.Kind != ui.OutcomeDone ||
		m.Receipt.Seq != 2 {
		t.Errorf("submitted: %+v", m)
	}
	s.send(`{"ref":"e","event":` + strings.Replace(submit, "Ada", "Eve", 1) + `}`)
	if m := s.next(true); m.Problem == nil || m.Problem.Event == "" || m.Problem.Status != 409 {
		t.Errorf("submitted twice: %+v", m)
	}
	for _, bad := range []string{`{`, `{"ref":"f"}`, `{"text":"a","key":"é"}`, `{"event":{"x":1}}`} {
		s.send(bad)
		if m := s.next(true); m.Problem == nil || m.Problem.Status != 400 {
			t.Errorf("%s: %+v", bad, m)
		}
	}
	again := c.socket("/v1/-/ws?after=" + opened.ID)
	if m := again.next(false); m.Data[0].Seq != 2 || m.Data[0].Kind != "frame" {
		t.Errorf("resumed with %+v", m)
	}
	if m := c.socket("/v1/-/ws?after=nonsense").next(false); m.Event != "reset" || m.Data[0].Reason != "malformed" {
		t.Errorf("a cursor that is none: %+v", m)
	}
}

// TestSocketVerbal: words submit over a socket as a click does, once for a key.
func TestSocketVerbal(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	s := c.socket("/v1/-/ws")
	s.send(`{"ref":"a","text":"add a customer"}`)
	s.next(true)
	s.send(`{"ref":"b","text":"okay, submit the form"}`)
	m := s.next(true)
	if m.Receipt == nil || m.Receipt.Outcome == nil || m.Receipt.Outcome.Kind != ui.OutcomeAsked ||
		m.Receipt.Outcome.Path != "/draft/company" {
		t.Errorf("a field is missing: %+v", m)
	}
	for range 2 {
		s.send(`{"ref":"c","key":"k","text":"cancel that"}`)
		m = s.next(true)
		if m.Receipt == nil || m.Receipt.Outcome == nil || m.Receipt.Outcome.Kind != ui.OutcomeDone ||
			m.Receipt.Seq != 3 {
			t.Errorf("canceled: %+v", m)
		}
	}
}

// TestSocketCrossOrigin: any page can open a socket, with the cookie of its
// visitor: the rule for posts counts, before anything is answered.
func TestSocketCrossOrigin(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	for _, tt := range []struct {
		headers []string
		want    int
	}{
		{nil, 101}, // not a browser
		{[]string{"Origin", c.URL}, 101},
		{[]string{"Origin", c.URL, "Sec-Fetch-Site", "same-origin"}, 101},
		{[]string{"Origin", "https://evil.example"}, 403},
		{[]string{"Origin", "null"}, 403},
		{[]string{"Sec-Fetch-Site", "cross-site"}, 403},
		{[]string{"Sec-Fetch-Site", "same-site"}, 403},
		{[]string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, 403},
	} {
		conn, resp, err := c.dial("/v1/-/ws", tt.headers...)
		if resp == nil || resp.StatusCode != tt.want || (err == nil) != (tt.want == 101) {
			t.Errorf("%q: %v %v, want %d", tt.headers, resp, err, tt.want)
		}
		if conn != nil {
			conn.CloseNow()
		}
	}
}

// TestSocketRefused: what a stream and a post refuse, a socket does.
func TestSocketRefused(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.program()
	for _, tt := range []struct {
		path    string
		headers []string
		want    int
	}{
		{"/v1/-/ws", []string{"Authorization", "-"}, 401},
		{"/v1/-/ws?version=v7", nil, 406},
		{"/v1/-/ws?client=%20", nil, 400},
		{"/v1/conversations/nobody/ws", nil, 404},
	} {
		if _, resp, err := c.dial(tt.path, tt.headers...); err == nil || resp == nil || resp.StatusCode != tt.want {
			t.Errorf("%s %q: %v %v, want %d", tt.path, tt.headers, resp, err, tt.want)
		}
	}
	if a := c.do("GET", "/v1/-/ws", ""); a.StatusCode != 426 || a.problem(t).Code != "HTTP_UPGRADE_REQUIRED" ||
		a.Header.Get("Upgrade") != "websocket" {
		t.Errorf("without a handshake: %d %v", a.StatusCode, a.Header)
	}
	for name, change := range map[string][]string{"version": {"Sec-WebSocket-Version", "8"},
		"no key": {"Sec-WebSocket-Key", ""}, "a short key": {"Sec-WebSocket-Key", "YQ=="},
		"no key at all": {"Sec-WebSocket-Key", "?"}, "no connection": {"Connection", "keep-alive"},
		"another protocol": {"Upgrade", "h2c"}} {
		headers := append([]string{"Connection", "keep-alive, Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version",
			"13", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}, change...)
		a := c.do("GET", "/v1/-/ws", "", headers...)
		if p := a.problem(t); p.Status != 426 || p.Code != "HTTP_UPGRADE_REQUIRED" ||
			a.Header.Get("Sec-WebSocket-Version") != "13" {
			t.Errorf("%s: %d %v", name, a.StatusCode, a.Header)
		}
	}
}

// TestSocketCloses: every end says what to do next.
func TestSocketCloses(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := srv.program()
	ends := func(s *socket) websocket.CloseError {
		t.Helper()
		for {
			if _, _, err := s.Read(t.Context()); err != nil {
				var end websocket.CloseError
				if websocket.CloseStatus(err) < 0 {
					t.Fatalf("no close: %v", err)
				}
				errors.As(err, &end)
				return end
			}
		}
	}
	binary := c.socket("/v1/-/ws")
	if err := binary.Write(t.Context(), websocket.MessageBinary, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if e := ends(binary); e.Code != websocket.StatusUnsupportedData {
		t.Errorf("a binary message: %+v", e)
	}
	big := c.socket("/v1/-/ws")
	big.send(`{"text":"` + strings.Repeat("x", 2<<20) + `"}`)
	if e := ends(big); e.Code != websocket.StatusMessageTooBig {
		t.Errorf("a message too big: %+v", e)
	}
	stays, ended := c.socket("/v1/-/ws"), srv.program()
	gone := ended.socket("/v1/-/ws")
	if a := ended.do("POST", "/v1/-/end", ""); a.StatusCode != 204 {
		t.Fatalf("ending: %d %s", a.StatusCode, a.body)
	}
	if m := gone.next(false); m.Data[0].Kind != "snapshot" {
		t.Errorf("first %+v", m)
	}
	if m := gone.next(false); m.Data[0].Seq != 1 {
		t.Errorf("the last frame: %+v", m)
	}
	if e := ends(gone); e.Code != websocket.StatusNormalClosure {
		t.Errorf("an ended conversation: %+v", e)
	}
	if _, resp, err := ended.dial("/v1/-/ws"); err == nil || resp.StatusCode != 410 {
		t.Errorf("opened after the end: %v %v", resp, err)
	}
	if a := ended.do("GET", "/v1/-/stream", ""); a.StatusCode != 204 {
		t.Errorf("a stream after the end: %d %s", a.StatusCode, a.body)
	}
	stays.next(false)
	closed := make(chan websocket.CloseError, 1)
	go func() { closed <- ends(stays) }()
	if err := srv.srv.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var hint struct{ Retry int }
	e := <-closed
	if err := json.Unmarshal([]byte(e.Reason), &hint); err != nil || e.Code != websocket.StatusServiceRestart ||
		time.Duration(hint.Retry)*time.Millisecond < time.Second {
		t.Errorf("a server that stops: %+v", e)
	}
}

// TestBrokenFrames: whoever breaks the protocol is told that, and comes to nothing.
func TestBrokenFrames(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := srv.program()
	c.say("hello")
	for name, frames := range map[string]string{
		"no mask":                            "\x81\x02{}",
		"a length below zero":                "\x81\xff\x80\x00\x00\x00\x00\x00\x00\x05mask",
		"a reserved bit":                     "\xc1\x82mask\x16\x1c",
		"a kind nobody knows":                "\x83\x82mask\x16\x1c",
		"a long ping":                        "\x89\xfe\x00\x7emask" + strings.Repeat("x", 126),
		"half a ping":                        "\x09\x80mask",
		"what goes on with nothing":          "\x80\x82mask\x16\x1c",
		"a message in another":               "\x01\x81mask\x16" + "\x81\x81mask\x10",
		"a close whose code nobody may send": "\x88\x82mask\x6e\x8c",
	} {
		t.Run(name, func(t *testing.T) {
			r := c.Request("GET", "/v1/-/ws", nil, "Upgrade", "websocket", "Connection", "Upgrade",
				"Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==")
			conn, err := net.Dial("tcp", r.URL.Host)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if err := r.Write(conn); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(conn, frames); err != nil {
				t.Fatal(err)
			}
			in := bufio.NewReader(conn)
			if resp, err := http.ReadResponse(in, r); err != nil || resp.StatusCode != 101 {
				t.Fatalf("%v %v", resp, err)
			}
			for end, rest := []byte("\x03\xea"), []byte(nil); !bytes.Contains(rest, end); { // 1002
				b, err := in.ReadByte()
				if err != nil {
					t.Fatalf("the end is %q", rest[max(0, len(rest)-20):])
				}
				rest = append(rest, b)
			}
		})
	}
	if seq := c.state().Seq; seq != 1 {
		t.Errorf("the conversation is at %d", seq)
	}
}

// TestSocketError: what one connection could not draw is drawn anew for it, and
// for no other of the same principal.
func TestSocketError(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.say("add a customer")
	mine, other := c.socket("/v1/-/ws"), c.socket("/v1/-/ws")
	mine.next(false)
	other.next(false)
	wire := c.state().Surface("form:customer").WireID()
	mine.send(`{"ref":"x","event":{"version":"v0.9","error":{"code":"RENDER_ERROR","surfaceId":"` + wire +
		`","message":"no"}}}`)
	for _, m := range []message{mine.next(false), mine.next(false)} {
		if m.Event != "" && m.Data[0].Reason != "client" ||
			m.Event == "" && (m.Data[0].Kind != "snapshot" || m.Data[0].Seq != 2) {
			t.Errorf("the one that failed got %+v", m)
		}
	}
	if m := other.next(false); m.Event != "" || m.Data[0].Kind != "frame" || m.Data[0].Seq != 2 {
		t.Errorf("the other got %+v", m)
	}
}

// thinking is a model that does not answer before the test ends.
type thinking struct{}

func (thinking) Ask(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	<-ctx.Done()
	return llm.Reply{}, ctx.Err()
}

// TestSocketOrder: what is sent without waiting is recorded in the order in which it
// was sent.
func TestSocketOrder(t *testing.T) {
	t.Parallel()
	st := memory.New()
	c := start(t, func(c *limn.Config) { c.Store, c.Model, c.Limits.Runs.Principal = st, thinking{}, -1 }).program()
	s := c.socket("/v1/-/ws")
	var want []string
	for i := range 8 {
		text := fmt.Sprintf("hello %d", i)
		want = append(want, text)
		s.send(fmt.Sprintf(`{"ref":"%d","text":%q}`, i, text))
	}
	for range 8 {
		if m := s.next(true); m.Receipt == nil || m.Receipt.Event == "" {
			t.Errorf("answered %+v", m)
		}
	}
	head, err := st.Open(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range head.Pending {
		e, err := ui.DecodeEvent(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("recorded %q, want %q", got, want)
	}
	if a := c.do("POST", "/v1/-/cancel", ""); a.StatusCode != http.StatusNoContent { // the models
		t.Errorf("cancel: %d", a.StatusCode)
	}
}

// faulty panics when it counts one metric.
type faulty struct {
	trace.Meter
	metric trace.Metric
}

func (f faulty) Series(m trace.Metric, labels ...string) trace.Series {
	if m == f.metric {
		panic("no meter")
	}
	return f.Meter.Series(m, labels...)
}

// TestSocketPanics: a panic ends the answer to one message, not the socket and not the
// process.
func TestSocketPanics(t *testing.T) {
	t.Parallel()
	c := start(t, func(c *limn.Config) {
		c.Limits.Stored.Principal, c.Meter = 1, faulty{trace.NoMeter(), metric.StoredRefused}
	}).program()
	s := c.socket("/v1/-/ws")
	s.send(`{"ref":"a","text":"hello"}`)
	if m := s.next(true); m.Ref != "a" || m.Receipt == nil {
		t.Fatalf("answered %+v", m)
	}
	for m := s.next(false); m.Data[0].Kind != "frame"; m = s.next(false) { // then it is stored, and counts
	}
	for _, ref := range []string{"b", "c"} { // above the quota, which is counted
		s.send(`{"ref":"` + ref + `","text":"hello"}`)
		if m := s.next(true); m.Ref != ref || m.Problem == nil || m.Problem.Status != 500 ||
			m.Problem.Code != "TURN_FAILED" {
			t.Errorf("the message that panics: %+v", m)
		}
	}
	s.send(`{`)
	if m := s.next(true); m.Problem == nil || m.Problem.Status != 400 {
		t.Errorf("the message after it: %+v", m)
	}
}
