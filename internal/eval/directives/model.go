package directives

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/llm"
)

// Mode is how answers are asked for: down the whole ladder, or from one rung of
// it. Prompts alone are always the last resort, as they are in the product.
type Mode string

// The modes.
const (
	Ladder     Mode = "ladder"      // the rungs the model has, best first
	JSONSchema Mode = "json_schema" // that rung first
	JSONObject Mode = "json_object"
	PromptOnly Mode = "prompt_only"
)

// narrow leaves out the rungs that a mode does not use.
func (m Mode) narrow(c llm.Capabilities) llm.Capabilities {
	c.JSONSchema = c.JSONSchema && (m == Ladder || m == JSONSchema)
	c.JSONObject = c.JSONObject && (m == Ladder || m == JSONObject)
	return c
}

// has reports whether a model can be asked in the mode.
func (m Mode) has(c llm.Capabilities) bool {
	return m != JSONSchema && m != JSONObject || m == JSONSchema && c.JSONSchema || m == JSONObject && c.JSONObject
}

// Model is a model to measure.
type Model struct {
	Name     string // unique in a Plan
	Model    llm.Model
	Endpoint string    // models of one share its limits; "" = Name
	Price    llm.Price // zero = not known, or nothing
	Pace     *Pace     // of the endpoint; nil = never asked to wait
}

// Capabilities are the model's own.
func (m *Model) Capabilities() llm.Capabilities {
	if c, ok := m.Model.(llm.Capable); ok {
		return c.Capabilities()
	}
	return llm.Generic()
}

// Pace keeps trials from an endpoint that asks to wait. The zero Pace is ready;
// it is safe for concurrent use.
type Pace struct {
	mu    sync.Mutex // guards what follows
	until time.Time
	pause time.Duration // of the last refusal without a word about how long
	heard bool          // it has answered, in whatever way
}

// maxPause bounds the pause that a server asks for.
const maxPause = 10 * time.Minute

// Watch returns a transport that notes when answers ask to wait (RFC 9110,
// section 10.2.3).
func (p *Pace) Watch(next http.RoundTripper) http.RoundTripper { return watching{next, p} }

type watching struct {
	http.RoundTripper
	pace *Pace
}

// RoundTrip implements http.RoundTripper.
func (w watching) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := w.RoundTripper.RoundTrip(r)
	if err == nil {
		w.pace.mu.Lock()
		w.pace.heard = true
		w.pace.mu.Unlock()
	}
	if err == nil && (res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusServiceUnavailable) {
		if d, said := endpoint.RetryAfter(res.Header, time.Now()); said {
			w.pace.hold(min(d, maxPause))
		}
	}
	return res, err
}

// silent reports that the endpoint has never answered.
func (p *Pace) silent() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.heard
}

func (p *Pace) hold(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := time.Now().Add(d); until.After(p.until) {
		p.until = until
	}
}

// limited notes a trial that ended in a refusal to answer so often, ended one
// that did not.
func (p *Pace) limited(refused bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	d := min(max(2*p.pause, time.Second), time.Minute)
	if !refused {
		d = 0
	}
	p.pause = d
	p.mu.Unlock()
	p.hold(d)
}

// wait returns when the endpoint may be asked, or with the context's error.
func (p *Pace) wait(ctx context.Context) error {
	for p != nil {
		p.mu.Lock()
		d := time.Until(p.until)
		p.mu.Unlock()
		if d <= 0 {
			break
		}
		t := time.NewTimer(d)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return ctx.Err()
		}
	}
	return ctx.Err()
}
