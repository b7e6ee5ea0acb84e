package limn_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/store/sqlite"
)

// pipes is a listener in memory.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	a, b := net.Pipe()
	select {
	case p.conns <- b:
		return a, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// visitor is a client of the API.
type visitor struct {
	testing.TB
	http      *http.Client
	base      string
	id, token string
}

func (v *visitor) do(method, path string, body any) (*http.Response, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequest(method, v.base+path, bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Prefer", "wait=10")
	if v.token != "" {
		req.Header.Set("Authorization", "Bearer "+v.token)
	}
	return v.http.Do(req)
}

func (v *visitor) create() {
	v.Helper()
	resp, err := v.do("POST", "/v1/conversations", nil)
	if err != nil {
		v.Fatal(err)
	}
	defer resp.Body.Close()
	var out struct{ ID, Token string }
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil || resp.StatusCode != http.StatusCreated {
		v.Fatal(resp.Status, err)
	}
	v.id, v.token = out.ID, out.Token
}

func (v *visitor) say(text string) error {
	resp, err := v.do("POST", "/v1/conversations/"+v.id+"/messages", map[string]string{"text": text})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%q: %s", text, resp.Status)
	}
	return nil
}

// stream reads the events of a stream, joined data lines each, until it ends.
func (v *visitor) stream(query string) (events <-chan string, stop func()) {
	v.Helper()
	resp, err := v.do("GET", "/v1/conversations/"+v.id+"/stream?"+query, nil)
	if err != nil {
		v.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" {
		v.Fatal(resp.Status)
	}
	ch, done := make(chan string, 64), make(chan struct{})
	go func() { // ends with stop
		defer close(done)
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		data := ""
		for lines.Scan() {
			if d, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				data += d
			} else if lines.Text() == "event: delta" { // may come or be lost
				lines.Scan()
			} else if lines.Text() == "" && data != "" {
				ch <- data
				data = ""
			}
		}
	}()
	return ch, func() { resp.Body.Close(); <-done }
}

// TestPostToStream follows a message from a POST to a stream, over net/http on
// a listener in memory, and the server through its drain.
func TestPostToStream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, err := desk.App()
		if err != nil {
			t.Fatal(err)
		}
		srv, err := limn.New(limn.Config{App: a, Store: memory.New()})
		if err != nil {
			t.Fatal(err)
		}
		l := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
		ctx, cancel := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- srv.Serve(ctx, l) }()
		transport := &http.Transport{DialContext: l.dial}
		v := &visitor{TB: t, http: &http.Client{Transport: transport}, base: "http://limn.test"}
		v.create()
		events, stop := v.stream("format=a2ui&version=v0.9")
		if err := v.say("add a customer"); err != nil {
			t.Fatal(err)
		}
		if e := <-events; !strings.Contains(e, "createSurface") || !strings.Contains(e, "form:customer#e=1") {
			t.Errorf("event %s", e)
		}
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		stop()
		transport.CloseIdleConnections()
	})
}

// BenchmarkLoop is the way of a message from a POST over the disk to a stream,
// on loopback. Its p50-ms is the figure in the documentation.
func BenchmarkLoop(b *testing.B) {
	for _, name := range []string{"memory", "sqlite"} {
		b.Run(name, func(b *testing.B) {
			a, err := desk.App()
			if err != nil {
				b.Fatal(err)
			}
			var st store.Store = memory.New()
			if name == "sqlite" {
				db, err := sqlite.Open(filepath.Join(b.TempDir(), "limn.db"))
				if err != nil {
					b.Fatal(err)
				}
				defer db.Close()
				st = db
			}
			srv, err := limn.New(limn.Config{App: a, Store: st})
			if err != nil {
				b.Fatal(err)
			}
			defer srv.Close(context.Background())
			h := httptest.NewServer(srv.Handler())
			defer h.Close()
			v := &visitor{TB: b, http: h.Client(), base: h.URL}
			v.create()
			if err := v.say("add a customer"); err != nil {
				b.Fatal(err)
			}
			events, stop := v.stream("format=limn&version=v0.9")
			defer stop()
			<-events // the snapshot
			var took []time.Duration
			for b.Loop() {
				began, posted := time.Now(), make(chan error, 1)
				text := fmt.Sprintf("no thanks %d", len(took))
				go func() { posted <- v.say(text) }() // ends below
				<-events
				took = append(took, time.Since(began))
				if err := <-posted; err != nil {
					b.Fatal(err)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}
