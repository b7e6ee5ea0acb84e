package llmtest

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Tape is an http.RoundTripper for endpoint.Config.Transport that records what
// a server answers, or plays a recording back. It is safe for concurrent use.
//
// A tape is a file of JSON lines, one exchange each. It holds no secret: of
// headers only those listed in kept are written, of an address no user and no
// value of its query, and a key that was sent is taken out of bodies, also where
// the server repeats it. Bodies are written as they are otherwise: look through a
// tape before you give it away.
type Tape struct {
	next http.RoundTripper // nil = plays

	mu        sync.Mutex // guards what follows
	file      *os.File
	exchanges []exchange // not yet played, oldest first
}

// exchange is one line.
type exchange struct {
	Method  string `json:"method"`
	URL     string `json:"url"`
	Hash    string `json:"hash"` // of the request's body, without secrets, canonical if it is JSON
	Request string `json:"request"`

	Status   int         `json:"status"`
	Header   http.Header `json:"header"`
	Response string      `json:"response"`
	Broken   string      `json:"broken,omitempty"` // how reading the response ended, if not well
}

const (
	maxTapeBody = 64 << 20 // of a request or an answer that is recorded
	scrubbed    = "[scrubbed]"
)

// kept are the headers of an answer that are written.
var kept = []string{"Content-Type", "Retry-After", "Retry-After-Ms", "X-Should-Retry", "Location"}

// secret are the headers of a request whose values are taken out of everything.
var secret = []string{"Authorization", "Proxy-Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Cookie"}

// Record writes the answers of next to a new file that only its owner may read.
// An answer is read whole before it is handed on, so that streams come in one
// piece. The caller closes the tape.
func Record(file string, next http.RoundTripper) (*Tape, error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("record a tape: %w", err)
	}
	return &Tape{next: next, file: f}, nil
}

// Replay plays a file that Record wrote: a request is answered by the oldest
// exchange with its method, path and body that was not played yet. Any other
// request fails and says what would have been next; nothing is sent.
func Replay(file string) (*Tape, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("play a tape: %w", err)
	}
	exchanges, err := readTape(b)
	if err != nil {
		return nil, fmt.Errorf("play a tape: %s:%w", file, err)
	}
	return &Tape{exchanges: exchanges}, nil
}

// readTape reads lines; an error starts with the number of its line.
func readTape(b []byte) ([]exchange, error) {
	var out []exchange
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 4*maxTapeBody)
	n := 0
	for n = 1; lines.Scan(); n++ {
		dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		dec.DisallowUnknownFields()
		var e exchange
		if err := dec.Decode(&e); err != nil {
			return nil, fmt.Errorf("%d: %w", n, err)
		}
		if dec.More() || e.Method == "" || e.Hash == "" || e.Status < 100 || e.Status > 999 {
			return nil, fmt.Errorf("%d: no exchange", n)
		}
		out = append(out, e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%d: %w", n, err)
	}
	return out, nil
}

// Close ends a recording. Of a tape that plays it returns an error if some
// exchanges were not asked for.
func (t *Tape) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file != nil {
		err := t.file.Close()
		t.file = nil
		return err
	}
	if n := len(t.exchanges); t.next == nil && n > 0 {
		return fmt.Errorf("llmtest: %d exchanges of the tape were not asked for; next is %s", n, t.exchanges[0].name())
	}
	return nil
}

func (e exchange) name() string {
	return e.Method + " " + e.URL + " with body " + e.Hash[:min(12, len(e.Hash))]
}

// RoundTrip implements http.RoundTripper.
func (t *Tape) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(io.LimitReader(req.Body, maxTapeBody))
		req.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	out := secretsOf(req)
	e := exchange{Method: req.Method, URL: shown(req.URL), Request: out(string(body))}
	e.Hash = hash(e.Request)
	if t.next == nil {
		return t.play(req, e)
	}
	sent := req.Clone(req.Context())
	sent.Body = io.NopCloser(bytes.NewReader(body))
	res, err := t.next.RoundTrip(sent)
	if err != nil {
		return nil, err // no connection is nothing to remember
	}
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxTapeBody))
	res.Body.Close()
	if err != nil {
		e.Broken = "the connection broke"
	}
	e.Status, e.Header, e.Response = res.StatusCode, http.Header{}, out(string(answer))
	for _, name := range kept {
		for _, v := range res.Header.Values(name) {
			if name == "Location" {
				u, err := url.Parse(v)
				if err != nil {
					continue
				}
				v = shown(u)
			}
			e.Header.Add(name, out(v))
		}
	}
	if err := t.write(e); err != nil {
		return nil, err
	}
	res.Body = e.body(answer)
	return res, nil
}

// body is an answer that ends as it did.
func (e exchange) body(answer []byte) io.ReadCloser {
	r := io.Reader(bytes.NewReader(answer))
	if e.Broken != "" {
		r = io.MultiReader(r, broken{})
	}
	return io.NopCloser(r)
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func (t *Tape) write(e exchange) error {
	if !utf8.ValidString(e.Response) || !utf8.ValidString(e.Request) {
		return fmt.Errorf("llmtest: %s: a body that is no text cannot be recorded", e.name())
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file == nil {
		return fmt.Errorf("llmtest: the tape is closed")
	}
	_, err := t.file.Write(line.Bytes())
	return err
}

func (t *Tape) play(req *http.Request, asked exchange) (*http.Response, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.exchanges, func(e exchange) bool {
		return e.Method == asked.Method && pathOf(e.URL) == pathOf(asked.URL) && e.Hash == asked.Hash
	})
	if i < 0 {
		next := "nothing"
		if len(t.exchanges) > 0 {
			next = t.exchanges[0].name()
		}
		return nil, fmt.Errorf("llmtest: not on the tape: %s; next on it is %s", asked.name(), next)
	}
	e := t.exchanges[i]
	t.exchanges = slices.Delete(slices.Clone(t.exchanges), i, i+1)
	return &http.Response{Status: http.StatusText(e.Status), StatusCode: e.Status, Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     e.Header.Clone(), Body: e.body([]byte(e.Response)), ContentLength: -1, Request: req}, nil
}

// pathOf is the path of an address: a tape plays whatever the host is called.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Path
}

// shown is an address without a user and without values in its query.
func shown(u *url.URL) string {
	q := url.Values{}
	for name := range u.Query() {
		q.Set(name, scrubbed)
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawQuery: q.Encode()}).String()
}

// secretsOf returns a function that takes a request's secrets out of a text: the
// values of secret headers, of the query, and of the user in the address, also
// as JSON and addresses spell them.
func secretsOf(req *http.Request) func(string) string {
	var list []string
	add := func(s string) {
		if len(s) < 6 { // "Bearer", or too short to be one
			return
		}
		quoted, _ := json.Marshal(s)
		list = append(list, s, strings.Trim(string(quoted), `"`), url.QueryEscape(s), url.PathEscape(s))
	}
	for _, name := range secret {
		for _, v := range req.Header.Values(name) {
			add(v)
			for _, part := range strings.FieldsFunc(v, func(r rune) bool { return r == ' ' || r == ';' || r == '=' }) {
				if !strings.EqualFold(part, "bearer") {
					add(part)
				}
			}
		}
	}
	for _, values := range req.URL.Query() {
		for _, v := range values {
			add(v)
		}
	}
	if p, ok := req.URL.User.Password(); ok {
		add(p)
	}
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) }) // the whole before its parts
	return func(s string) string {
		for _, x := range list {
			s = strings.ReplaceAll(s, x, scrubbed)
		}
		return s
	}
}

// hash is that of a body; of JSON in its canonical form, since the order of
// members says nothing.
func hash(body string) string {
	dec := json.NewDecoder(strings.NewReader(body))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) == nil && !dec.More() {
		if b, err := json.Marshal(v); err == nil {
			body = string(b)
		}
	}
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}
