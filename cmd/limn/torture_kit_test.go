package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
)

// long reports whether the tests shall run as "make torture" runs them.
func long() bool { return os.Getenv("LIMN_TORTURE") != "" }

// tortureApp has one form for each way a submit can go: only to the log, to a
// webhook that may be called again, to one that may not, and to one that is called
// after the commit, as often as it takes.
const tortureApp = `
name: torture
title: Torture
forms:
  - {name: plain, title: Plain, fields: [{name: ref, label: Ref, required: true}, {name: note, label: Note}]}
  - {name: hooked, title: Hooked, on_submit: again, fields: [{name: ref, label: Ref, required: true}, {name: note, label: Note}]}
  - {name: once, title: Once, on_submit: once, fields: [{name: ref, label: Ref, required: true}, {name: note, label: Note}]}
  - {name: later, title: Later, on_submit: later, fields: [{name: ref, label: Ref, required: true}, {name: note, label: Note}]}
actions:
  - {name: later, webhook: {url: "URL/later", secret: "whsec_c2VjcmV0", later: true}}
  - {name: again, idempotent: true, webhook: {url: "URL/again", secret: "whsec_c2VjcmV0"}}
  - {name: once, webhook: {url: "URL/once", secret: "whsec_c2VjcmV0"}}
views:
  - {name: board, title: Board, topics: [news], nodes: [{stat: {label: News, path: /committed/news/word}}]}
`

// outside is what the server calls: the app's webhooks and the model. It stays
// up while servers are killed, and remembers every call.
type outside struct {
	*httptest.Server
	slow time.Duration // at most, for an answer

	mu    sync.Mutex                // guards what follows
	calls map[string]map[string]int // what a submit is about → webhook-id → calls
	asked int                       // of the model
}

func newOutside(t *testing.T) *outside {
	o := &outside{slow: 40 * time.Millisecond, calls: map[string]map[string]int{}}
	o.Server = httptest.NewServer(o)
	t.Cleanup(o.Close)
	return o
}

func (o *outside) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the caller was killed
	}
	if strings.HasPrefix(r.URL.Path, "/v1/") {
		o.model(w, body)
		return
	}
	var call struct{ Values struct{ Ref string } }
	if err := json.Unmarshal(body, &call); err != nil || call.Values.Ref == "" {
		http.Error(w, "a call that is none", http.StatusTeapot)
		return
	}
	o.mu.Lock()
	if o.calls[call.Values.Ref] == nil {
		o.calls[call.Values.Ref] = map[string]int{}
	}
	o.calls[call.Values.Ref][r.Header.Get("Webhook-Id")]++
	first := o.calls[call.Values.Ref][r.Header.Get("Webhook-Id")] == 1
	o.mu.Unlock()
	o.dawdle()
	// the work is done, and who called is told it is not; once, as pauses grow sixfold
	if r.URL.Path == "/later" && first && rand.IntN(3) == 0 {
		http.Error(w, "not now", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintf(w, `{"text":"Done %s."}`, call.Values.Ref)
}

// model answers the message "open NAME …" with that form, "show NAME …" with that view,
// and others with words.
func (o *outside) model(w http.ResponseWriter, body []byte) {
	var q struct{ Messages []struct{ Content string } }
	if err := json.Unmarshal(body, &q); err != nil || len(q.Messages) == 0 {
		http.Error(w, "no question", http.StatusBadRequest)
		return
	}
	o.mu.Lock()
	o.asked++
	o.mu.Unlock()
	o.dawdle()
	said := q.Messages[len(q.Messages)-1].Content
	answer := `{"assistant_text":"I see.","directives":[]}`
	for word, directive := range map[string]string{"open ": "ui.show_form", "show ": "ui.show_view"} {
		if _, name, ok := strings.Cut(said, word); ok {
			name, _, _ = strings.Cut(name, " ")
			answer = fmt.Sprintf(`{"assistant_text":"Here.","directives":[{"type":%q,"payload":{"name":%q}}]}`,
				directive, name)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"id": "x", "object": "chat.completion", "model": "m",
		"choices": []any{ //nolint:errcheck // the caller may be dead
			map[string]any{"index": 0, "finish_reason": "stop",
				"message": map[string]any{"role": "assistant", "content": answer}}}})
}

// dawdle takes the time in which the moment of a crash is interesting.
func (o *outside) dawdle() { time.Sleep(rand.N(o.slow + 1)) }

// node is one process of limn serve, at one address for all its lives.
type node struct {
	bin  string
	args []string
	env  []string
	log  io.Writer

	mu   sync.Mutex // guards what follows
	addr string
	cmd  *exec.Cmd
	done chan struct{} // closed when the process is gone

	up atomic.Bool // it has said its address and nobody has ended it
}

func (n *node) base() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return "http://" + n.addr
}

// start runs the process; the channel tells once whether it listens.
func (n *node) start() (<-chan error, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	// All clients of a test share an address: what one address may send is not its matter.
	cmd := exec.Command(n.bin, append([]string{"serve", "--addr", n.addr, "--rate", "0"}, n.args...)...)
	cmd.Env = append(os.Environ(), n.env...)
	cmd.Stderr = n.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	n.cmd, n.done = cmd, done
	ready := make(chan error, 1)
	go func() { // ends with the process, which the test ends
		defer close(done)
		in := bufio.NewReader(out)
		line, err := in.ReadString('\n')
		if strings.Contains(line, " is at ") {
			n.up.Store(true)
			ready <- nil
			io.Copy(io.Discard, in) //nolint:errcheck // the process was killed
		} else {
			ready <- fmt.Errorf("limn serve said %q, %v", line, err)
		}
		cmd.Wait() //nolint:errcheck // it was killed
		n.up.Store(false)
	}()
	return ready, nil
}

// mustStart runs the process and waits until it listens.
func (n *node) mustStart(t *testing.T) {
	t.Helper()
	ready, err := n.start()
	if err != nil {
		t.Fatal(err)
	}
	if err := <-ready; err != nil {
		t.Fatal(err)
	}
}

// kill ends the process as kill -9 does, and waits until it is gone.
func (n *node) kill() {
	n.mu.Lock()
	cmd, done := n.cmd, n.done
	n.mu.Unlock()
	if cmd == nil {
		return
	}
	n.up.Store(false)
	cmd.Process.Kill() //nolint:errcheck // it may be gone
	<-done
}

// cluster is some nodes on one store.
type cluster struct {
	t     *testing.T
	nodes []*node
	app   *app.App
	log   *lines
}

// newCluster makes ready n nodes with these flags; none is started.
func newCluster(t *testing.T, n int, out *outside, flags ...string) *cluster {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "torture.yaml")
	text := strings.ReplaceAll(tortureApp, "URL", out.URL)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, log: &lines{}}
	if c.app, err = app.Load(file, []byte(text)); err != nil {
		t.Fatal(err)
	}
	for range n {
		c.nodes = append(c.nodes, &node{bin: bin, addr: freeAddr(t), args: append([]string{file, "--log", "error",
			"--base", "http://limn.test", "--webhook-allow", "127.0.0.1", "--retry", "100ms", "--tries", "1000"}, flags...), log: c.log,
			env: []string{"LIMN_MODEL_URL=" + out.URL + "/v1", "LIMN_MODEL=m", "LIMN_MODEL_KEY="}})
	}
	t.Cleanup(func() {
		for _, n := range c.nodes {
			n.kill()
		}
		if c.log.raced {
			t.Error("a server has a data race")
		}
		if t.Failed() {
			t.Logf("the servers' last words:\n%s", c.log)
		}
	})
	return c
}

func freeAddr(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// base is the address of a node that is up, or "" if none is.
func (c *cluster) base() string {
	for _, i := range rand.Perm(len(c.nodes)) {
		if c.nodes[i].up.Load() {
			return c.nodes[i].base()
		}
	}
	return ""
}

// lines keeps the end of what servers log.
type lines struct {
	mu    sync.Mutex // guards what follows
	text  []byte
	raced bool // the race detector of a server found something
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, b...)
	if l.raced = l.raced || bytes.Contains(l.text, []byte("WARNING: DATA RACE")); l.raced {
		return len(b), nil // its report comes first, and is kept
	}
	if over := len(l.text) - 8<<10; over > 0 {
		l.text = l.text[over:]
	}
	return len(b), nil
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

// pause waits: the fault lasts that long, whatever else happens.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
