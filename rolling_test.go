package limn_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// fleet is three servers on one store, behind addresses that stay.
type fleet struct {
	*testing.T
	cfg    limn.Config
	client *http.Client

	mu    sync.Mutex // guards what follows
	ports []*limntest.Listener
}

func newFleet(t *testing.T, n int, cfg limn.Config) *fleet {
	f := &fleet{T: t, cfg: cfg, ports: make([]*limntest.Listener, n)}
	tr := &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			i, err := strconv.Atoi(strings.TrimSuffix(addr, ":80"))
			if err != nil {
				return nil, err
			}
			f.mu.Lock()
			p := f.ports[i]
			f.mu.Unlock()
			return p.Dial(ctx, network, addr)
		}}
	f.client = &http.Client{Transport: tr}
	return f
}

// run serves at an address until ctx ends.
func (f *fleet) run(ctx context.Context, i int) error {
	cfg := f.cfg
	cfg.Node = limn.NewNode()
	srv, err := limn.New(cfg)
	if err != nil {
		return err
	}
	p := limntest.Listen()
	f.mu.Lock()
	f.ports[i] = p
	f.mu.Unlock()
	return srv.Serve(ctx, p)
}

// do sends a request to one node after the other, as a client or a balancer
// would, until one takes it. When all have refused it waits as long as the last
// one said, on the bubble's clock as all waits here.
func (f *fleet) do(ctx context.Context, at int, method, path, token, body string, headers ...string) (*http.Response,
	error) {
	for try := 0; ; try++ {
		pause := 100 * time.Millisecond // where nobody listens
		r, err := http.NewRequestWithContext(ctx, method, fmt.Sprintf("http://%d%s", (at+try)%len(f.ports), path),
			strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		r.Header.Set("Content-Type", "application/json")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		resp, err := f.client.Do(r)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil && resp.StatusCode < 500:
			return resp, nil
		case err == nil:
			seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
			if err != nil {
				f.Errorf("%s: %d does not say when to come back", path, resp.StatusCode)
			}
			pause = time.Duration(seconds) * time.Second
			resp.Body.Close()
		}
		if try%len(f.ports) == len(f.ports)-1 {
			time.Sleep(pause)
		}
	}
}

// answer is what a post is told.
type answer struct {
	Event   string
	Seq     uint64
	Outcome *ui.Outcome
}

// person talks in a conversation of their own and reads its stream.
type person struct {
	*fleet
	id, token string
	said      int
	frames    []uint64 // that the stream brought, after its snapshot
	reached   chan uint64
	slowest   time.Duration
	retry     time.Duration // the longest hint
}

// talk says something again and again, each until it is answered, and waits for
// its frame.
func (p *person) talk(ctx context.Context, at int, ponder bool) {
	for p.said = 0; ctx.Err() == nil; p.said++ {
		text := fmt.Sprintf("hello %d", p.said)
		if ponder && p.said%8 == 1 {
			text = "ponder this"
		}
		var a answer
		for a.Outcome == nil { // 202: it is recorded, and asked for again
			resp, err := p.do(context.WithoutCancel(ctx), at+p.said, "POST", "/v1/conversations/"+p.id+"/messages",
				p.token, fmt.Sprintf(`{"text":%q}`, text),
				"Idempotency-Key", strconv.Itoa(p.said), "Prefer", "wait=30")
			if err != nil {
				p.Error(err)
				return
			}
			b, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err == nil && json.Unmarshal(b, &a) != nil {
				p.Errorf("%d %s", resp.StatusCode, b)
				return
			}
		}
		answered := time.Now()
		for seq := range p.reached {
			if seq >= a.Seq {
				break
			}
		}
		p.slowest = max(p.slowest, time.Since(answered))
		time.Sleep(300 * time.Millisecond) // they think
	}
}

// follow reads the stream as a browser does: when it ends it comes back after
// the time it was told, with the id it saw last.
func (p *person) follow(ctx context.Context, at int) {
	retry, last := time.Second, ""
	for n := 0; ctx.Err() == nil; n++ {
		resp, err := p.do(ctx, at+n, "GET", "/v1/conversations/"+p.id+"/stream", p.token, "", "Last-Event-ID", last)
		if err != nil {
			return
		}
		in := bufio.NewScanner(resp.Body)
		for in.Scan() {
			name, value, _ := strings.Cut(in.Text(), ":")
			value = strings.TrimSpace(value)
			switch name {
			case "retry":
				ms, _ := strconv.Atoi(value)
				retry = time.Duration(ms) * time.Millisecond
				p.retry = max(p.retry, retry)
			case "id":
				last = value
			case "event":
				p.Errorf("event %s", value)
			case "data":
				p.take(value)
			}
		}
		resp.Body.Close()
		time.Sleep(retry) // what the server said
	}
}

func (p *person) take(data string) {
	var b struct {
		Kind string
		Seq  uint64
	}
	if err := json.Unmarshal([]byte(data), &b); err != nil {
		p.Error(err)
	}
	if b.Kind == "frame" {
		p.frames = append(p.frames, b.Seq)
		p.reached <- b.Seq
	}
}

// TestRollingRestart: three servers under load are replaced one after the other.
// Every event is answered and committed once, models that think longer than a
// server drains are asked by another one, and every stream has every frame once,
// no later than its retry hint and a second. Its two minutes are the bubble's: they
// take a second.
func TestRollingRestart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := memory.New()
		model := &waiting{}
		f := newFleet(t, 3, limn.Config{App: guests(), Store: st, Bus: localbus.New(), Model: model,
			DrainWait: 2 * time.Second})
		var servers sync.WaitGroup
		stops := make([]context.CancelFunc, 3)
		up := func(i int) {
			ctx, stop := context.WithCancel(t.Context())
			stops[i] = stop
			servers.Go(func() {
				if err := f.run(ctx, i); err != nil {
					t.Errorf("server %d: %v", i, err)
				}
			})
			synctest.Wait()
		}
		for i := range 3 {
			up(i)
		}
		ctx, quiet := context.WithCancel(t.Context())
		reading, away := context.WithCancel(t.Context())
		var talking, following sync.WaitGroup
		people := make([]*person, 9)
		for i := range people {
			p := &person{fleet: f, reached: make(chan uint64, 1000)}
			people[i] = p
			resp, err := f.do(ctx, i, "POST", "/v1/conversations", "", "")
			if err != nil {
				t.Fatal(err)
			}
			var made struct{ ID, Token string }
			if err := json.NewDecoder(resp.Body).Decode(&made); err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			p.id, p.token = made.ID, made.Token
			following.Go(func() { p.follow(reading, i) })
			synctest.Wait()
			talking.Go(func() { p.talk(ctx, i, i%4 == 0) })
		}
		for i := range 3 {
			time.Sleep(20 * time.Second)
			stops[i]()
			time.Sleep(15 * time.Second)
			up(i)
		}
		time.Sleep(20 * time.Second)
		quiet()
		talking.Wait()
		away()
		following.Wait()
		for i, p := range people {
			p.judge(st)
			t.Logf("%d: %d events, frames late by %v at most", i, p.said, p.slowest)
		}
		for i := range 3 {
			stops[i]()
		}
		servers.Wait()
		if model.cut.Load() == 0 {
			t.Error("no model was cut off")
		}
	})
}

func (p *person) judge(st store.Store) {
	h, err := st.Open(context.Background(), p.id)
	if err != nil {
		p.Fatal(err)
	}
	if int(h.Seq) != p.said || len(h.Pending) > 0 || p.said < 10 {
		p.Errorf("%d events, %d frames, %d pending", p.said, h.Seq, len(h.Pending))
	}
	for i, seq := range p.frames {
		if seq != p.frames[0]+uint64(i) {
			p.Errorf("the stream brought %v", p.frames)
			break
		}
	}
	if len(p.frames) != p.said {
		p.Errorf("%d events, the stream brought %d", p.said, len(p.frames))
	}
	if p.slowest > p.retry+time.Second {
		p.Errorf("a frame was late by %v, the stream was told to come back after %v", p.slowest, p.retry)
	}
}

// waiting is a model that takes its time, for some messages longer than a server
// drains.
type waiting struct{ cut atomic.Int32 }

func (w *waiting) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	d := 200 * time.Millisecond
	if strings.Contains(r.Messages[len(r.Messages)-1].Text, "ponder") {
		d = 40 * time.Second
	}
	select {
	case <-time.After(d):
		return llm.Reply{Text: "Well.", Finish: llm.FinishStop}, nil
	case <-ctx.Done():
		w.cut.Add(1)
		return llm.Reply{}, ctx.Err()
	}
}
