package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Dialect is what an adapter says about its protocol.
type Dialect struct {
	Root   string                             // the path of an address without one, such as /v1
	Path   string                             // of a request below it; an address that ends so loses it,
	Start  string                             // or this beginning of it
	Sign   func(header http.Header, k string) // puts a key into a request
	Header http.Header                        // of every request, beside the usual
	Names  []string                           // of the provider in llm.Known, beside the host that is asked
}

// Endpoint is one server, ready to be asked. It is safe for concurrent use.
type Endpoint struct {
	Host    string        // with the port, if one is given
	Timeout time.Duration // of one Ask with its retries

	Entry llm.Entry // what decides about the model's capabilities

	address   string // of every request
	transport http.RoundTripper
	strict    bool // refuse undeclared parameters
	retries   int
	most      int64
	header    http.Header
	// Closures, so that no way of printing an Endpoint shows the key.
	sign  func(http.Header)
	scrub func(string) string
}

// New checks the settings and reads the key. It opens no connection. An error
// has llm.CodeConfigInvalid and the name of the setting as its path.
func New(c Config, d Dialect) (*Endpoint, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	key, err := c.key()
	if err != nil {
		return nil, err
	}
	c = c.withDefaults()
	u, _ := url.Parse(c.URL) // validated
	u.Path, u.RawPath = base(strings.TrimRight(u.Path, "/"), d), ""
	if u.Path == "" {
		u.Path = d.Root
	}
	known, _ := c.Known.Lookup(c.Model, append([]string{u.Host}, d.Names...)...)
	if c.Capabilities != nil {
		known = llm.Entry{Provider: u.Host, Model: c.Model, Capabilities: *c.Capabilities, Source: "given"}
		known.Keys = slices.Clone(known.Keys)
	}
	return &Endpoint{
		address: strings.TrimRight(u.String(), "/") + d.Path, Host: u.Host, Timeout: c.Timeout, Entry: known,
		strict: c.Strict, transport: c.Transport, retries: c.Retries, most: c.MaxReply,
		header: d.Header,
		sign: func(h http.Header) {
			if key != "" {
				d.Sign(h, key)
			}
		},
		scrub: func(s string) string {
			if key == "" {
				return s
			}
			return strings.ReplaceAll(s, key, "[key]")
		},
	}, nil
}

// base is the path of an address without what requests of d add.
func base(path string, d Dialect) string {
	if before, ok := strings.CutSuffix(path, d.Path); ok {
		return before
	}
	return strings.TrimSuffix(path, d.Start)
}

// wait pauses before another try; it returns the error if there is to be none.
func (e *Endpoint) wait(ctx context.Context, f *failure, try int) error {
	wait, again := f.pause(try)
	if !again || try >= e.retries || tooLate(ctx, wait) {
		return f.err
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return e.Fault(ctx, ctx.Err())
	}
}

// tooLate reports a pause that outlives the deadline.
func tooLate(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) <= wait
}

// once makes one attempt.
func (e *Endpoint) once(ctx context.Context, body []byte) (*http.Response, *failure) {
	out, err := http.NewRequestWithContext(ctx, http.MethodPost, e.address, bytes.NewReader(body))
	if err != nil { // New checked the address
		return nil, e.unreached(ctx, err)
	}
	out.Header.Set("Content-Type", "application/json")
	out.Header.Set("Accept", "application/json, text/event-stream")
	out.Header.Set("User-Agent", "limn")
	maps.Copy(out.Header, e.header)
	e.sign(out.Header)
	res, err := e.transport.RoundTrip(out)
	if err != nil {
		return nil, e.unreached(ctx, err)
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		defer res.Body.Close()
		var said []byte
		// below there are no words; the body of a 101 is the connection, which has no deadline
		if res.StatusCode >= 400 {
			said, _ = io.ReadAll(io.LimitReader(res.Body, maxWords)) // half of its words are words, too
		}
		return nil, e.refused(res, said)
	}
	if err := e.unreadable(res.Header); err != nil {
		res.Body.Close()
		return nil, &failure{err: err}
	}
	res.Body = &bounded{ReadCloser: unmarked(res.Body), left: e.most, broke: e.broke}
	res.Request = nil // it holds the key
	return res, nil
}

// unreadable says by its header why an answer can be none; many small servers
// send no type. The transport asks for gzip and takes it off.
func (e *Endpoint) unreadable(h http.Header) *ui.Error {
	wrong := func(name, not string) *ui.Error {
		return withCause(&ui.Error{Code: llm.CodeReplyInvalid,
			Message: "the model server answers with " + e.short(h.Get(name)) + ", not with " + not,
			Hint:    "check the address: it may be that of a web page or a proxy"}, "")
	}
	t, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	readable := (err == nil || errors.Is(err, mime.ErrInvalidMediaParameter)) && (isJSON(t) || t == "text/event-stream")
	if !readable && h.Get("Content-Type") != "" {
		return wrong("Content-Type", "JSON")
	}
	if c := h.Get("Content-Encoding"); c != "" && !strings.EqualFold(c, "identity") {
		return wrong("Content-Encoding", "an encoding that was asked for")
	}
	return nil
}

func isJSON(mediaType string) bool {
	return mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")
}

// whole reports an answer that came in one piece, which some servers send
// whatever they were asked for.
func whole(h http.Header) bool {
	t, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return isJSON(t)
}

// unmarked is a body without the byte order mark that some servers put first.
func unmarked(body io.ReadCloser) io.ReadCloser {
	r := bufio.NewReader(body)
	if start, _ := r.Peek(3); string(start) == "\uFEFF" { // an error comes again with the bytes
		_, _ = r.Discard(3)
	}
	return struct {
		io.Reader
		io.Closer
	}{r, body}
}

// The pauses before another try.
const (
	firstPause = 500 * time.Millisecond
	mostPause  = 8 * time.Second
)

// pause says how long to wait before try number try+1, and whether to.
func (f *failure) pause(try int) (time.Duration, bool) {
	switch {
	case !f.again || f.after > mostPause:
		return 0, false
	case f.after > 0: // not all callers at the same moment
		return f.after + rand.N(f.after/4+1), true
	case f.asked:
		return 0, true
	}
	most := firstPause << try
	return most - rand.N(most/2), true
}

// bounded refuses answers above a size, whatever their length header says.
type bounded struct {
	io.ReadCloser
	left  int64 // bytes that may still come; below 0 = above the limit
	broke func(error) *ui.Error
}

// Read passes up to the limit and reads one byte more, which proves the excess.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, errTooLarge
	}
	if err != nil && err != io.EOF {
		err = b.broke(err)
	}
	return n, err
}
