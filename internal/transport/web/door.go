package web

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/transport"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// doors is the Host of the doors: each protocol besides the web API.
type doors struct{ *eventAPI }

// doorRoutes are the addresses of the doors.
func (s *Server) doorRoutes() map[string]handlerFunc {
	routes := map[string]handlerFunc{}
	for name, d := range s.cfg.Doors {
		for pattern, h := range d(doors{s.events}) {
			routes[pattern] = handlerFunc(h)
			_, path, _ := strings.Cut(pattern, " ")
			s.doorAt[path] = name
		}
	}
	return routes
}

var _ door.Host = doors{}

// Service implements door.Host, as the methods after it do.
func (d doors) Service() door.Service { return d.cfg.Service }

// Deliver returns what serves streams.
func (d doors) Deliver() *deliver.Deliverer { return d.cfg.Deliver }

// Targets returns the drawings.
func (d doors) Targets() []deliver.Target { return d.cfg.Targets }

// Target returns the drawing of a request.
func (d doors) Target(r *http.Request) (deliver.Target, error) { return d.target(r) }

// Limits returns the bounds of decoders.
func (d doors) Limits() ingress.Limits { return d.cfg.Limits }

// Anonymous reports whether the server gives its clients tokens.
func (d doors) Anonymous() bool { return d.cfg.Authenticate == nil }

// Stopping returns a channel that is closed when the server stops.
func (d doors) Stopping() <-chan struct{} { return d.stop.Done() }

// Address returns an absolute address: below the base that is configured, or else where
// the request was sent.
func (d doors) Address(r *http.Request, path string) string {
	return cmp.Or(d.cfg.Inspect.Base, d.origin(r)) + d.cfg.Prefix + path
}

// Body reads a body of JSON.
func (d doors) Body(r *http.Request) ([]byte, error) {
	if err := wantJSON(r); err != nil {
		return nil, err
	}
	return readBody(r)
}

// Sender returns who sends a request.
func (d doors) Sender(r *http.Request) (string, error) { return d.principal(r) }

// Named returns the id of a conversation with a name.
func (d doors) Named(who, name string) string { return namedID(who, name) }

// Begin starts a conversation.
func (d doors) Begin(w http.ResponseWriter, r *http.Request, once string) (door.Begun, error) {
	who, _, err := d.sender(r)
	if err != nil {
		return door.Begun{}, err
	}
	if who != "" && once != "" {
		id := namedID(who, once)
		if _, err := d.cfg.Service.Access(r.Context(), id, who); err == nil {
			return door.Begun{ID: id, Who: who}, d.charge(who, cost(r))
		}
	}
	known := who != ""
	made, err := d.begin(w, r, once)
	if known {
		made.Token = "" // its own
	}
	return door.Begun{ID: made.ID, Who: made.who, Token: made.Token}, err
}

// namedID is the id of the conversation that a principal gives a name: a UUIDv8 (RFC 9562
// §5.8) of both.
func namedID(who, name string) string {
	sum := sha256.Sum256([]byte(conversation.Owner(who) + "\x00" + name))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// Take hands an event over.
func (d doors) Take(w http.ResponseWriter, r *http.Request, id, who string, e *ui.Event) (door.Answer, error) {
	if e.Key != "" {
		if err := checkKey(e.Key); err != nil {
			return nil, err
		}
	}
	return d.takeEvent(w, r, id, who, e)
}

// Stream answers with a stream.
func (d doors) Stream(w http.ResponseWriter, r *http.Request, req deliver.Request, hello string) error {
	req.Network = d.networkOf(r)
	sub, err := d.cfg.Deliver.Open(r.Context(), req)
	if err != nil {
		return err
	}
	started, err := transport.Stream(w, r, sub, hello)
	if started && err != nil {
		d.cfg.Log.DebugContext(r.Context(), "stream ended", where(r), "err", err)
		return nil
	}
	return err
}

// Refusal describes an error.
func (d doors) Refusal(r *http.Request, err error) door.Refusal {
	p := d.problemOf(r, err)
	d.logged(r, p, err)
	out := door.Refusal{Status: p.Status, Code: p.Code, Message: p.Title, Path: p.Path, Hint: p.Hint}
	switch {
	case p.Message != "":
		out.Message = p.Message
	case p.Detail != "":
		out.Message = p.Detail
	}
	if out.After = retryAfter(err, p); out.After == 0 && tooMany(p.Status) {
		out.After = 1
	}
	return out
}
