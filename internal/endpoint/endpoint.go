package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
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
	Root  string                             // the path of an address without one, such as /v1
	Path  string                             // of a request below it; an address that ends so loses it
	Sign  func(header http.Header, k string) // puts a key into a request
	Names []string                           // of the provider in llm.Known, beside the host that is asked
}

// Endpoint is one server, ready to be asked. It is safe for concurrent use and
// is the HTTP client of an adapter's SDK.
type Endpoint struct {
	Base    string        // to which the SDK adds the path of a request; ends in a slash
	Host    string        // with the port, if one is given
	Timeout time.Duration // of one Ask with its retries

	Entry llm.Entry // what decides about the model's capabilities

	transport http.RoundTripper
	strict    bool // refuse undeclared parameters
	retries   int
	most      int64
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
	u.Path, u.RawPath = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), d.Path), ""
	if u.Path == "" {
		u.Path = d.Root
	}
	known, _ := c.Known.Lookup(c.Model, append([]string{u.Host}, d.Names...)...)
	if c.Capabilities != nil {
		known = llm.Entry{Provider: u.Host, Model: c.Model, Capabilities: *c.Capabilities, Source: "given"}
		known.Keys = slices.Clone(known.Keys)
	}
	return &Endpoint{
		Base: strings.TrimRight(u.String(), "/") + "/", Host: u.Host, Timeout: c.Timeout, Entry: known,
		strict: c.Strict, transport: c.Transport, retries: c.Retries, most: c.MaxReply,
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

// Do sends a request, waits and tries again as the package comment says. What
// it returns is an answer with status 2xx, a type that can be an answer, and a
// bounded body; or an *ui.Error.
func (e *Endpoint) Do(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(req.Body)
		req.Body.Close()
		if err != nil {
			return nil, e.Fault(req.Context(), err)
		}
	}
	for try := 0; ; try++ {
		res, f := e.once(req, body)
		if f == nil {
			return res, nil
		}
		wait, again := f.pause(try)
		if !again || try >= e.retries || tooLate(req.Context(), wait) {
			return nil, f.err
		}
		select {
		case <-time.After(wait):
		case <-req.Context().Done():
			return nil, e.Fault(req.Context(), req.Context().Err())
		}
	}
}

// tooLate reports a pause that outlives the deadline.
func tooLate(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) <= wait
}

// once makes one attempt. The request is a copy: the caller's own request
// never holds the key.
func (e *Endpoint) once(req *http.Request, body []byte) (*http.Response, *failure) {
	out := req.Clone(req.Context())
	for name := range out.Header {
		if strings.HasPrefix(name, "X-Stainless-") { // SDKs describe this machine
			out.Header.Del(name)
		}
	}
	e.sign(out.Header)
	out.ContentLength = int64(len(body))
	out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	out.Body, _ = out.GetBody()
	res, err := e.transport.RoundTrip(out)
	if err != nil {
		return nil, e.unreached(req.Context(), err)
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
	res.Request = req
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

// Whole reports an answer that came in one piece, which some servers send
// whatever they were asked for; nil is not one.
func Whole(res *http.Response) bool {
	if res == nil {
		return false
	}
	t, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
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
