package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/official"
	"github.com/limn-ui/limn/ui"
)

// torture is one run: nodes, what they call, clients, and what they all saw.
type torture struct {
	*cluster
	outside *outside
	http    *http.Client
	tap     official.Tap
	think   time.Duration // at most, between two acts of a client
	worked  chan struct{} // has an element once a click was answered as done

	mu     sync.Mutex // guards what follows
	talks  []*talk
	n      int
	faults int

	refusals map[string]int // code of a 429 or 503 → times
	cuts     int            // of streams, once all is over
}

// fault reports what must not be. One fault has many signs: the first are told.
func (tr *torture) fault(format string, args ...any) {
	tr.t.Helper()
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if tr.faults++; tr.faults <= 20 {
		tr.t.Errorf(format, args...)
	} else {
		tr.t.Fail()
	}
}

func newTorture(t *testing.T, nodes int, flags ...string) *torture {
	t.Helper()
	out := newOutside(t)
	tr := &torture{outside: out, cluster: newCluster(t, nodes, out, flags...), think: 150 * time.Millisecond,
		worked: make(chan struct{}, 1), refusals: map[string]int{}}
	transport := &http.Transport{MaxIdleConnsPerHost: 256}
	t.Cleanup(transport.CloseIdleConnections)
	tr.http = &http.Client{Transport: tr.tap.Listen(transport,
		func(err error) { tr.fault("an outgoing message: %v", err) })}
	return tr
}

// number is a new one for each call.
func (tr *torture) number() int {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.n++
	return tr.n
}

// talk is one conversation and all that was wished in it.
type talk struct {
	id, token string

	mu     sync.Mutex // guards what follows
	wishes []*wish

	audit audit
}

// wish is something a client wants, and will ask for until it has an answer.
type wish struct {
	kind string // say, open, cancel, or the form of a submit
	ref  string // what it is about: no other wish has it
	key  string // "": derived by the server, or for a message none
	path string
	body []byte

	once  bool    // never sent again, as nothing would tell it from another
	acked bool    // a 2xx came
	final *answer // what it came to
}

// answer is what a POST was answered with.
type answer struct {
	status  int
	Event   string
	Seq     uint64
	Code    string
	Outcome ui.Outcome
}

var errDown = errors.New("no node is up")

// do is one request to some node.
func (tr *torture) do(ctx context.Context, method, token, path, key string, body []byte) (int, []byte, error) {
	base := tr.base()
	if base == "" {
		return 0, nil, errDown
	}
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, base+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Prefer", "wait=5")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	resp, err := tr.http.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	return resp.StatusCode, out, err
}

// tryTime is how long a client goes on asking. It is far beyond what any
// recovery takes: to run out of it is a failure.
const tryTime = 2 * time.Minute

// settle asks until there is an answer that is final. Every 2xx is a promise.
func (tr *torture) settle(tk *talk, w *wish) *answer {
	ctx, cancel := context.WithTimeout(context.Background(), tryTime)
	defer cancel()
	last := "nothing"
	for ctx.Err() == nil {
		status, body, err := tr.do(ctx, "POST", tk.token, w.path, w.key, w.body)
		var a answer
		if err == nil && len(body) > 0 {
			err = json.Unmarshal(body, &a)
		}
		a.status = status
		if err == nil {
			last = fmt.Sprintf("%d %.300s", status, body)
			if status/100 == 2 {
				tk.mu.Lock()
				w.acked = true
				tk.mu.Unlock()
			}
		}
		switch {
		case err != nil:
			if w.once {
				return nil
			}
		case status == 429, status == 503:
			tr.refused(a.Code)
			if w.once {
				return nil
			}
			rest(ctx, 300*time.Millisecond)
		case status == 202:
			if w.once {
				return nil
			}
		case status == 200, status >= 400 && status < 500:
			return &a
		default:
			tr.fault("%s %s was answered %d %s", w.kind, w.ref, status, body)
			return nil
		}
		rest(ctx, 20*time.Millisecond)
	}
	tr.fault("%s %s was not answered within %v; the last answer was %s", w.kind, w.ref, tryTime, last)
	return nil
}

func (tr *torture) refused(code string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.refusals[code]++
}

// saw reports how often requests were refused with a code.
func (tr *torture) saw(code string) int {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.refusals[code]
}

// rest waits a moment of random length.
func rest(ctx context.Context, most time.Duration) {
	select {
	case <-time.After(rand.N(most) + 1):
	case <-ctx.Done():
	}
}

// fulfil sends a wish some times at once, as a double click does. All answers
// must be one.
func (tr *torture) fulfil(tk *talk, w *wish, times int) {
	tk.mu.Lock()
	tk.wishes = append(tk.wishes, w)
	tk.mu.Unlock()
	answers := make([]*answer, times)
	var wg sync.WaitGroup
	for i := range times {
		wg.Go(func() { answers[i] = tr.settle(tk, w) })
	}
	wg.Wait()
	tk.mu.Lock()
	defer tk.mu.Unlock()
	w.final = answers[0]
	for _, a := range answers[1:] {
		if a == nil || w.final == nil || *a != *w.final {
			tr.fault("%s %s, sent %d times, was answered %+v and %+v", w.kind, w.ref, times, w.final, a)
		}
	}
	if w.final == nil || w.final.Outcome.Kind != ui.OutcomeDone ||
		slices.Contains([]string{"say", "open", "cancel"}, w.kind) {
		return
	}
	select {
	case tr.worked <- struct{}{}:
	default:
	}
}

// begin makes a conversation.
func (tr *torture) begin() *talk {
	ctx, cancel := context.WithTimeout(context.Background(), tryTime)
	defer cancel()
	var status int
	var body []byte
	var err error
	for ctx.Err() == nil {
		status, body, err = tr.do(ctx, "POST", "", "/v1/conversations", "", nil)
		var made struct{ ID, Token string }
		if err == nil && status == 201 && json.Unmarshal(body, &made) == nil {
			tk := &talk{id: made.ID, token: made.Token}
			tk.audit.start(tr, tk)
			tr.mu.Lock()
			defer tr.mu.Unlock()
			tr.talks = append(tr.talks, tk)
			return tk
		}
		rest(ctx, 20*time.Millisecond)
	}
	tr.fault("no conversation was made: %d %s %v", status, body, err)
	return nil
}

// state is the newest state of a conversation, as some node knows it, but for
// the router, which the address shows under other names.
func (tr *torture) state(ctx context.Context, tk *talk) (*ui.State, error) {
	status, body, err := tr.do(ctx, "GET", tk.token, "/v1/conversations/"+tk.id+"/state", "", nil)
	if err != nil {
		return nil, err
	}
	if status != 200 {
		return nil, fmt.Errorf("GET state: %d %s", status, body)
	}
	var st ui.State
	err = json.Unmarshal(body, &st)
	st.Router = ui.Router{}
	return &st, err
}

// forms are the ways of tortureApp. A call that was put off and cut off by a kill
// is made again after ten seconds: too late for the checks before a commit.
func forms() []string {
	all := []string{"plain", "hooked", "once", "later"}
	if testing.Short() {
		return all[:3]
	}
	return all
}

// work is a client until ctx ends: it finishes what it began.
func (tr *torture) work(ctx context.Context, tk *talk) {
	ways := forms()
	for ctx.Err() == nil {
		rest(ctx, tr.think)
		if rand.IntN(8) == 0 {
			tr.say(tk)
			continue
		}
		form := ways[rand.IntN(len(ways))]
		st, err := tr.state(ctx, tk)
		if err != nil {
			continue // the node is gone: what is acknowledged is seen by the audit
		}
		sf := st.Surface(ui.Name("form:" + form))
		if sf == nil || sf.Status != ui.StatusOpen {
			ref := fmt.Sprintf("o%d", tr.number())
			tr.fulfil(tk, &wish{kind: "open", ref: ref, key: ref, path: "/v1/conversations/" + tk.id + "/messages",
				body: text("please open " + form + " now " + ref)}, 1)
			continue
		}
		tr.click(tk, form, sf)
	}
}

func text(s string) []byte {
	b, err := json.Marshal(map[string]string{"text": s})
	if err != nil {
		panic(err) // a string
	}
	return b
}

// say sends a message: with a key until it is answered, or without one once.
func (tr *torture) say(tk *talk) {
	ref := fmt.Sprintf("m%d", tr.number())
	w := &wish{kind: "say", ref: ref, key: ref, path: "/v1/conversations/" + tk.id + "/messages",
		body: text("by the way " + ref)}
	if rand.IntN(2) == 0 {
		w.key, w.once = "", true
	}
	tr.fulfil(tk, w, 1)
}

// click submits or, now and then, cancels a form: with a key of the client's, or
// without one and then often several times at once.
func (tr *torture) click(tk *talk, form string, sf *ui.Surface) {
	ref := fmt.Sprintf("%s%d", form, tr.number())
	w := &wish{kind: form, ref: ref, path: "/v1/conversations/" + tk.id + "/events"}
	name, button := builtin.ActionSubmit, "submit"
	if rand.IntN(20) == 0 {
		w.kind, name, button = "cancel", builtin.ActionCancel, "cancel"
	}
	body := map[string]any{"version": "v0.9", "action": map[string]any{
		"name": name, "surfaceId": sf.WireID(), "sourceComponentId": "c#main/buttons/" + button + ":Button", "timestamp": "2026-11-20T09:00:00Z",
		"context": map[string]any{"limn_nonce": sf.Nonce, "limn_rev": sf.Rev, "ref": ref, "note": "n"}}}
	var err error
	if w.body, err = json.Marshal(body); err != nil {
		tr.fault("%v", err)
		return
	}
	times := 1
	if rand.IntN(2) == 0 {
		w.key = ref
	} else {
		times = 1 + rand.IntN(5)
	}
	tr.fulfil(tk, w, times)
}
