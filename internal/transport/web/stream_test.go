package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	renderer "github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// sseEvent is one event as a browser would see it.
type sseEvent struct {
	id, name string
	data     []string
}

// body is a datum of the format limn, held against its schema.
func (e sseEvent) body(t *testing.T) (b struct {
	Kind       string
	Seq        uint64
	Text       string
	Transcript []*ui.Entry
	Messages   []json.RawMessage
	Outcome    *ui.Outcome
}) {
	t.Helper()
	datum := []byte(strings.Join(e.data, "\n"))
	s, err := loadSpec()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.validate("/components/schemas/Body", datum); err != nil {
		t.Errorf("%v\n%s", err, datum)
	}
	if err := json.Unmarshal(datum, &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// subscription is an open stream.
type subscription struct{ *limntest.Stream }

func (c *client) open(path string, headers ...string) subscription {
	c.Helper()
	return subscription{c.Open(path, headers...)}
}

func (s subscription) next() (sseEvent, bool) {
	s.Helper()
	e, ok := s.Next()
	return sseEvent{e.ID, e.Name, e.Data}, ok
}

func (s subscription) must() sseEvent {
	s.Helper()
	e := s.Must()
	return sseEvent{e.ID, e.Name, e.Data}
}

// TestStream: a snapshot for an empty client, then each frame once, in order.
func TestStream(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.say("add a customer")
	s := c.open("/v1/-/stream")
	first := s.must()
	if b := first.body(t); b.Kind != "snapshot" || b.Seq != 1 || len(b.Messages) == 0 || len(b.Transcript) != 2 ||
		first.id == "" || len(first.id) > 64 {
		t.Errorf("first %+v", first)
	}
	for i := range 5 {
		c.say("hello")
		if b := s.must().body(t); b.Kind != "frame" || b.Seq != uint64(i)+2 || b.Text == "" || b.Outcome == nil ||
			b.Outcome.Kind != ui.OutcomeDone {
			t.Errorf("frame %+v", b)
		}
	}
}

// TestStreamResumes: what was loaded and what follows leave no gap and no
// double; Last-Event-ID wins over after.
func TestStreamResumes(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.say("add a customer")
	cursor := c.do("GET", "/v1/-/state", "").Header.Get("Limn-Cursor")
	if a2 := c.do("GET", "/v1/-/a2ui", "").Header.Get("Limn-Cursor"); a2 != cursor || cursor == "" {
		t.Fatalf("cursors %q of the state and %q of the drawing differ", cursor, a2)
	}
	var accepted struct{ Cursor string }
	c.do("POST", messages, `{"text":"hello"}`).into(t, &accepted)
	if accepted.Cursor == "" { // the model was faster than the answer
		accepted.Cursor = cursor
	}
	c.say("hello")
	for _, s := range []subscription{
		c.open("/v1/-/stream?after=" + cursor),
		c.open("/v1/-/stream?after="+cursor+"&format=a2ui", "Last-Event-ID", cursor),
		c.open("/v1/-/stream?after=nonsense", "Last-Event-ID", cursor),
		c.open("/v1/-/stream", "Last-Event-ID", accepted.Cursor), // the model answers after the cursor was told
	} {
		for want := range 2 {
			e := s.must()
			if e.name != "" || !strings.Contains(e.id, "."+utoa(uint64(want)+2)+".") {
				t.Errorf("event %d: %+v", want, e)
			}
		}
	}
	if e := c.open("/v1/-/stream?after="+cursor, "Last-Event-ID", "nonsense").must(); e.name != "reset" {
		t.Errorf("a malformed Last-Event-ID beside a good after: %+v", e)
	}
}

// late is an answer that is written when something has happened.
type late struct {
	*httptest.ResponseRecorder
	happens func()
}

func (w late) SetWriteDeadline(time.Time) error { w.happens(); return nil }

// TestAcceptedCursor: a stream after the cursor of a 202 has the answer, however
// soon it came.
func TestAcceptedCursor(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.say("add a ticket")
	name := t.Name()
	g, seq := newGate(t, name), c.state().Seq
	st := c.open("/v1/-/stream?after=" + c.do("GET", "/v1/-/state", "").Header.Get("Limn-Cursor"))
	submit := action(t, c, "form:ticket", map[string]string{"name": name}, builtin.ActionSubmit)
	w := late{httptest.NewRecorder(), func() {
		<-g.entered
		close(g.leave)
		st.must() // its frame
	}}
	c.site.srv.Handler().ServeHTTP(w, c.Request("POST", events, strings.NewReader(submit), "Prefer", "wait=0"))
	var got struct{ Cursor string }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 202 ||
		!strings.Contains(got.Cursor, "."+utoa(seq)+".") {
		t.Errorf("after frame %d: %d %s", seq, w.Code, w.Body)
	}
}

// TestStreamResets: a cursor that does not fit is told why, and the client gets
// everything anew.
func TestStreamResets(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.program(), s.program()
	c.say("add a customer")
	other.say("add a customer")
	cursor := c.do("GET", "/v1/-/state", "").Header.Get("Limn-Cursor")
	parts := strings.Split(cursor, ".")
	for reason, after := range map[string]string{
		"log":       other.do("GET", "/v1/-/state", "").Header.Get("Limn-Cursor"),
		"target":    c.do("GET", "/v1/-/state?version=v0.8", "").Header.Get("Limn-Cursor"),
		"ahead":     parts[0] + ".99." + parts[2],
		"malformed": strings.Repeat("x", 5000),
	} {
		st := c.open("/v1/-/stream?after=" + after)
		if e := st.must(); e.name != "reset" || e.id != "" ||
			!slices.Equal(e.data, []string{`{"reason":"` + reason + `"}`}) {
			t.Errorf("%s: %+v", reason, e)
		}
		if e := st.must(); e.body(t).Kind != "snapshot" || e.id != cursor {
			t.Errorf("%s: after the reset %+v", reason, e)
		}
	}
}

// TestStreamA2UI: bare messages, in either framing, make the screen that a
// fresh snapshot makes, also for a client cut off after each single message.
func TestStreamA2UI(t *testing.T) {
	t.Parallel()
	for version, d := range map[string]a2ui.Dialect{"v0.8": a2ui.V08, "v0.9": a2ui.V09} {
		for _, framing := range []string{"", "batch", "message"} {
			t.Run(version+" "+framing, func(t *testing.T) {
				t.Parallel()
				c := start(t).program()
				url := "/v1/-/stream?format=a2ui&version=" + version + "&framing=" + framing
				st := c.open(url)
				first := st.must() // an empty conversation: only a cursor
				if len(first.data) != 0 || first.id == "" {
					t.Errorf("first %+v", first)
				}
				c.say("add a customer")
				// typed text would not be echoed to an open stream
				c.do("POST", events, action(t, c, "form:customer", nil, builtin.ActionSubmit))
				head := c.do("GET", "/v1/-/a2ui?version="+version, "")
				end := head.Header.Get("Limn-Cursor")
				fresh := feed(t, d, strings.Split(strings.TrimSpace(string(head.body)), "\n"))
				var ids []string
				live := renderer.New(d, renderer.LikeWebCore)
				at := first.id
				for at != end {
					e := c.open(url, "Last-Event-ID", at).must() // a new connection each time
					if framing == "message" && len(e.data) > 1 {
						t.Errorf("%d messages in one event", len(e.data))
					}
					for _, m := range e.data {
						if err := live.Feed([]byte(m)); err != nil {
							t.Fatal(err)
						}
					}
					if slices.Contains(ids, e.id) {
						t.Fatalf("id %s twice", e.id)
					}
					at, ids = e.id, append(ids, e.id)
				}
				if framing != "message" && len(ids) != 2 {
					t.Errorf("%d events for two frames", len(ids))
				}
				if framing == "message" && len(ids) < 4 {
					t.Errorf("only %d messages", len(ids))
				}
				for _, id := range fresh.Surfaces() {
					if fresh.DetailedHash(id) != live.DetailedHash(id) {
						t.Errorf("%s differs:\n%s\n%s", id, fresh.Dump(id), live.Dump(id))
					}
				}
			})
		}
	}
}

func feed(t *testing.T, d a2ui.Dialect, lines []string) *renderer.Client {
	t.Helper()
	r := renderer.New(d, renderer.LikeWebCore)
	for _, line := range lines {
		if err := r.Feed([]byte(line)); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
	}
	return r
}

// TestStreamEnds: a server that stops ends its streams cleanly; the client
// knows when to come back.
func TestStreamEnds(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	s := c.open("/v1/-/stream")
	if line, err := s.In.ReadString('\n'); err != nil || !strings.HasPrefix(line, "retry: 1") {
		t.Errorf("first line %q, %v", line, err)
	}
	s.must()
	if err := c.srv.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if e, ok := s.next(); ok {
		t.Errorf("after the end %+v", e)
	}
}

// TestStreamOutlivesBodyTimeout: the server's deadline for reading a request
// ends neither a stream nor a post that waits.
func TestStreamOutlivesBodyTimeout(t *testing.T) {
	t.Parallel()
	const bodyTimeout = 500 * time.Millisecond
	srv := limntest.Must(limn.New(limn.Config{App: desk(t)}))
	h := httptest.NewUnstartedServer(srv.Handler())
	h.Config.ReadTimeout, h.Config.WriteTimeout = bodyTimeout, bodyTimeout
	h.Start()
	t.Cleanup(func() { srv.Close(context.WithoutCancel(t.Context())); h.Close() })
	c := (&site{t, srv, h.URL}).program()
	name := t.Name()
	g := newGate(t, name)
	c.say("add a ticket")
	s := c.open("/v1/-/stream")
	s.must()
	submit := action(t, c, "form:ticket", map[string]string{"name": name}, builtin.ActionSubmit)
	waiting := make(chan answer, 1)
	go func() { waiting <- c.do("POST", events, submit, "Prefer", "wait=30") }()
	<-g.entered
	<-time.After(3 * bodyTimeout) // what is tested is that nothing happens in this time
	close(g.leave)
	if a := <-waiting; a.StatusCode != 200 {
		t.Errorf("the waiting post: %d %s", a.StatusCode, a.body)
	}
	if e := s.must(); e.body(t).Seq != 2 {
		t.Errorf("%+v", e)
	}
}

// TestStreamWithoutItsLog: a stream whose place in the log cannot be read is
// refused like any other request, over every transport, before it has begun.
func TestStreamWithoutItsLog(t *testing.T) {
	t.Parallel()
	var gone atomic.Bool
	st := limntest.Store{Store: memory.New(), Around: func(op string, run func() error) error {
		if op == "frames" && gone.Load() {
			return errors.New("bad sector")
		}
		return run()
	}}
	c := start(t, func(c *limn.Config) { c.Store = st }).program()
	cursor := c.do("GET", "/v1/-/state", "").Header.Get("Limn-Cursor")
	for range 40 { // more than are kept in memory
		c.do("PUT", optOut, `{}`)
	}
	gone.Store(true)
	for _, path := range []string{"/v1/-/stream?after=" + cursor, "/v1/-/stream?transport=jsonl&after=" + cursor} {
		a := c.do("GET", path, "")
		if p := a.problem(t); p.Status != 503 || p.Code != "STORE_FAILED" || a.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", path, p.Status, a.body)
		}
	}
	if _, resp, err := c.dial("/v1/-/ws?after=" + cursor); err == nil || resp == nil || resp.StatusCode != 503 {
		t.Errorf("a socket: %v %v", resp, err)
	}
	gone.Store(false)
	if e, ok := c.open("/v1/-/stream?after=" + cursor).next(); !ok || e.body(t).Seq != 1 {
		t.Errorf("when it is back: %v %+v", ok, e)
	}
}
