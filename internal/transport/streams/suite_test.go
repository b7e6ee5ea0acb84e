package streams

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/limntest"
)

// written is streams for the official suite, which writes what it reads: their appends are
// kept in memory here, and everything that a reader meets is that of the door.
type written struct {
	mu      sync.Mutex
	streams map[string]*appended
}

type appended struct {
	kind   kind
	items  [][]byte
	closed bool
	woken  chan struct{} // closed by a change
}

func (a *appended) changed() {
	close(a.woken)
	a.woken = make(chan struct{})
}

// page is what comes after an offset.
func (a *appended) page(from string) (p page, ok bool) {
	n := len(a.items)
	if from != fromTail {
		n, _ = strconv.Atoi(strings.TrimLeft(strings.TrimPrefix(from, "-1"), "0"))
	}
	if n > len(a.items) {
		return p, false
	}
	p.items = a.items[n:]
	if len(p.items) > 64 {
		p.items = p.items[:64]
	}
	n += len(p.items)
	p.next, p.tail = fmt.Sprintf("%016d", n), n == len(a.items)
	p.closed = a.closed && p.tail
	return p, true
}

// add appends a body; a list of JSON is its elements.
func (a *appended) add(body []byte) bool {
	if a.kind != jsonKind {
		if len(body) > 0 {
			a.items = append(a.items, body)
		}
		return true
	}
	if !json.Valid(body) {
		return false
	}
	var list []json.RawMessage
	if json.Unmarshal(body, &list) != nil {
		list = []json.RawMessage{body}
	}
	for _, one := range list {
		a.items = append(a.items, one)
	}
	return true
}

func (s *written) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.streams[r.URL.Path]
	if a == nil && r.Method != http.MethodPut {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		s.get(w, r, a)
	case http.MethodDelete:
		delete(s.streams, r.URL.Path)
		w.WriteHeader(http.StatusNoContent)
	default:
		s.write(w, r, a)
	}
}

func kindOf(r *http.Request) kind {
	t, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind(t)
}

func (s *written) write(w http.ResponseWriter, r *http.Request, a *appended) {
	body := limntest.Must(io.ReadAll(r.Body))
	k, closes := kindOf(r), r.Header.Get("Stream-Closed") == "true"
	status := http.StatusNoContent
	switch {
	case r.Method == http.MethodPut && a != nil:
		if status = http.StatusOK; k != "" && k != a.kind || closes != a.closed {
			status = http.StatusConflict
		}
	case r.Method == http.MethodPut:
		if k == "" {
			k = "application/octet-stream"
		}
		a = &appended{kind: k, woken: make(chan struct{}), closed: closes}
		s.streams[r.URL.Path] = a
		w.Header().Set("Location", "http://"+r.Host+r.URL.Path)
		if status = http.StatusCreated; len(body) > 0 && !a.add(body) {
			status = http.StatusBadRequest
		}
		w.Header().Set("Content-Type", string(k))
	case closes && len(body) == 0:
		a.closed = true
		a.changed()
	case a.closed:
		status = http.StatusConflict
	case len(body) == 0 || k == "" || k == jsonKind && strings.TrimSpace(string(body)) == "[]":
		status = http.StatusBadRequest
	case k != a.kind:
		status = http.StatusConflict
	case !a.add(body):
		status = http.StatusBadRequest
	default:
		a.closed = closes
		a.changed()
	}
	p, _ := a.page(fromTail)
	p.tail = false
	mark(w.Header(), p)
	w.WriteHeader(status)
}

// get reads as the door does; only waiting is its own.
func (s *written) get(w http.ResponseWriter, r *http.Request, a *appended) {
	if r.Method == http.MethodHead {
		p, _ := a.page(fromTail)
		p.tail = false
		answer(w, r, a.kind, query{}, p)
		return
	}
	q, err := parse(r.URL.Query())
	p, ok := page{}, false
	if err == nil {
		p, ok = a.page(q.offset)
	}
	if !ok {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if q.live == overSSE {
		s.follow(w, r, a, q, p)
		return
	}
	if q.live == longPoll && len(p.items) == 0 && !p.closed {
		s.sleep(r.Context(), a, 2*time.Second)
		p, _ = a.page(p.next)
	}
	answer(w, r, a.kind, q, p)
}

func (s *written) sleep(ctx context.Context, a *appended, most time.Duration) {
	woken := a.woken
	s.mu.Unlock()
	defer s.mu.Lock()
	select {
	case <-woken:
	case <-time.After(most):
	case <-ctx.Done():
	}
}

func (s *written) follow(w http.ResponseWriter, r *http.Request, a *appended, q query, p page) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store, no-cache")
	text := a.kind == jsonKind || strings.HasPrefix(string(a.kind), "text/")
	if !text {
		w.Header().Set("Stream-SSE-Data-Encoding", "base64")
	}
	for first := true; r.Context().Err() == nil; first = false {
		if len(p.items) > 0 && !text {
			p.items = [][]byte{[]byte(base64.StdEncoding.EncodeToString(join(p.items, "")))}
		}
		if first || len(p.items) > 0 || p.closed {
			_, _ = w.Write(appendPage(nil, a.kind, p, cursorAfter(q.cursor, time.Now())))
			w.(http.Flusher).Flush()
		}
		if p.closed {
			return
		}
		if p.tail {
			s.sleep(r.Context(), a, time.Minute)
		}
		p, _ = a.page(p.next)
	}
}

// suiteCases is how many cases of the official suite pass.
const suiteCases = 218

// TestSuite runs the official suite of servers. What reads passes; what fails writes in a way
// that no stream here is written, and testdata/not-offered.txt says which: a line is a case, or
// the beginning of the names of a group.
func TestSuite(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(&written{streams: map[string]*appended{}})
	defer srv.Close()
	out := limntest.Node(t, "streams-suite.mjs", srv.URL)
	var report struct {
		Passed, Failed []string
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	not := strings.Split(strings.TrimSpace(string(limntest.Must(os.ReadFile("testdata/not-offered.txt")))), "\n")
	used := map[string]bool{}
	for _, name := range report.Failed {
		i := slices.IndexFunc(not, func(one string) bool { return strings.HasPrefix(name, one) })
		if i < 0 {
			t.Errorf("fails: %s", name)
			continue
		}
		used[not[i]] = true
	}
	for _, one := range not {
		if slices.Contains(report.Passed, one) || !used[one] {
			t.Errorf("testdata/not-offered.txt has a case that passes, or that there is not: %s", one)
		}
	}
	t.Logf("%d of %d cases pass", len(report.Passed), len(report.Passed)+len(report.Failed))
	if len(report.Passed) < suiteCases {
		t.Errorf("only %d cases pass, of %d", len(report.Passed), suiteCases)
	}
}
