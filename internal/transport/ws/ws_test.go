package ws_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/transport/jsonl"
	"github.com/limn-ui/limn/internal/transport/ws"
	"github.com/limn-ui/limn/ui"
)

// quiet is a conversation in which nothing happens.
type quiet struct{}

func (quiet) Head(_ context.Context, id, _ string) (conversation.Head, error) {
	return conversation.Head{Log: "0123456789abcdef", State: ui.NewState(id)}, nil
}
func (quiet) Steps(context.Context, string, uint64, int) ([]conversation.Step, error) {
	return nil, nil
}
func (quiet) Access(context.Context, string, string) (conversation.Access, error) {
	return conversation.Own, nil
}
func (quiet) Look(context.Context, string) error { return nil }
func (quiet) Watch(string, func()) func()        { return func() {} }
func (quiet) Deltas(string) []conversation.Delta { return nil }
func (quiet) OnDelta(string, func()) func()      { return func() {} }

// open serves one conversation and connects to it.
func open(t *testing.T, d *deliver.Deliverer, cfg ws.Config) *websocket.Conn {
	t.Helper()
	cfg.Retry, cfg.MaxMessage = 1500*time.Millisecond, 1024
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sub, err := d.Open(r.Context(), deliver.Request{Conversation: "c", Framing: jsonl.Messages(),
			Target: deliver.Target{Name: "v0.9", A2UI: compile.Target{Dialect: a2ui.V09, Rules: &compile.Rules{}}}})
		if err != nil {
			t.Error(err)
			return
		}
		ws.Serve(w, r, sub, cfg) //nolint:errcheck // the client sees it
	}))
	t.Cleanup(func() { d.Drain(); s.Close() })
	c, _, err := websocket.Dial(t.Context(), strings.Replace(s.URL, "http", "ws", 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.CloseNow() })
	if got := read(t, c); !strings.HasPrefix(got, `{"id":"0123456789abcdef.0.`) {
		t.Fatalf("first %s", got)
	}
	return c
}

func read(t *testing.T, c *websocket.Conn) string {
	t.Helper()
	_, b, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, c *websocket.Conn, text string) {
	t.Helper()
	if err := c.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// TestInFlight: answers come as they are known; beyond eight at once the client
// is told to wait, and pings are read all the time.
func TestInFlight(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan bool), make(chan bool)
	d := deliver.New(deliver.Config{Source: quiet{}, Beat: 10 * time.Millisecond})
	c := open(t, d, ws.Config{
		Take: func(_ context.Context, m []byte, _ func(*deliver.Sub) bool) func() []byte {
			return func() []byte {
				entered <- true
				<-leave
				return append([]byte("answer "), m...)
			}
		},
		Busy: func(m []byte) []byte { return append([]byte("busy "), m...) },
	})
	for range 8 {
		write(t, c, "a")
		<-entered
	}
	write(t, c, "b")
	if got := read(t, c); got != "busy b" {
		t.Errorf("the ninth: %q", got)
	}
	leave <- true
	if got := read(t, c); got != "answer a" {
		t.Errorf("then %q", got)
	}
	write(t, c, "c")
	<-entered
	close(leave)
	for range 8 {
		read(t, c)
	}
}

// TestOrder: messages are taken one after the other as they came, and none waits
// for the answer of another one. What waits for its turn counts as in flight.
func TestOrder(t *testing.T) {
	t.Parallel()
	took, next, leave := make(chan string, 8), make(chan bool), make(chan bool)
	d := deliver.New(deliver.Config{Source: quiet{}})
	c := open(t, d, ws.Config{
		Take: func(_ context.Context, m []byte, _ func(*deliver.Sub) bool) func() []byte {
			<-next
			took <- string(m)
			return func() []byte {
				if string(m) == "1" {
					<-leave
				}
				return m
			}
		},
		Busy: func(m []byte) []byte { return append([]byte("busy "), m...) },
	})
	for _, m := range strings.Fields("1 2 3 4 5 6 7 8 9") {
		write(t, c, m)
	}
	if got := read(t, c); got != "busy 9" {
		t.Errorf("the ninth, while the first is being taken: %q", got)
	}
	answered := map[string]bool{}
	for _, m := range strings.Fields("1 2 3 4 5 6 7 8") {
		next <- true
		if got := <-took; got != m {
			t.Errorf("took %s, want %s", got, m)
		}
		if m != "1" {
			answered[read(t, c)] = true
		}
	}
	close(leave)
	if last := read(t, c); last != "1" || len(answered) != 7 || answered["1"] {
		t.Errorf("answered %v, then %s", answered, last)
	}
}

// TestLastAnswers: what is being answered when the server drains is answered
// before the socket closes, which says when to come back.
func TestLastAnswers(t *testing.T) {
	t.Parallel()
	entered := make(chan bool)
	d := deliver.New(deliver.Config{Source: quiet{}})
	c := open(t, d, ws.Config{Take: func(ctx context.Context, m []byte, _ func(*deliver.Sub) bool) func() []byte {
		return func() []byte {
			close(entered)
			<-ctx.Done()
			return []byte("durable")
		}
	}})
	write(t, c, "a")
	<-entered
	go d.Drain()
	if got := read(t, c); got != "durable" {
		t.Errorf("got %q", got)
	}
	_, _, err := c.Read(t.Context())
	var hint struct{ Retry int }
	if websocket.CloseStatus(err) != websocket.StatusServiceRestart {
		t.Fatal(err)
	}
	var end websocket.CloseError
	if !errors.As(err, &end) || json.Unmarshal([]byte(end.Reason), &hint) != nil || hint.Retry != 1500 {
		t.Errorf("closed with %+v", end)
	}
}

// TestGoneAway: a client that goes away leaves nothing behind.
func TestGoneAway(t *testing.T) {
	t.Parallel()
	d := deliver.New(deliver.Config{Source: quiet{}, Beat: 10 * time.Millisecond})
	c := open(t, d, ws.Config{})
	c.CloseNow()
	for d.Stats().Streams > 0 {
		<-time.After(time.Millisecond)
	}
}

// TestDrainWhileItSpeaks: a message that comes while the socket ends is answered
// before the close, or not taken.
func TestDrainWhileItSpeaks(t *testing.T) {
	t.Parallel()
	for range 50 {
		d := deliver.New(deliver.Config{Source: quiet{}})
		var taken, answered atomic.Int32
		c := open(t, d, ws.Config{Take: func(_ context.Context, m []byte, _ func(*deliver.Sub) bool) func() []byte {
			taken.Add(1)
			return func() []byte { return m }
		}})
		go d.Drain() // ends at once
		for range 4 {
			c.Write(t.Context(), websocket.MessageText, []byte("a")) //nolint:errcheck // it may be closed
		}
		for {
			_, _, err := c.Read(t.Context())
			if err != nil {
				if got := websocket.CloseStatus(err); got != websocket.StatusServiceRestart {
					t.Errorf("closed with %v", err)
				}
				break
			}
			answered.Add(1)
		}
		if taken.Load() != answered.Load() {
			t.Errorf("%d taken, %d answered", taken.Load(), answered.Load())
		}
	}
}
