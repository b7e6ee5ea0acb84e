package deliver

import (
	"context"
	"sync"
	"time"

	"github.com/limn-ui/limn/session"
)

// Source is what a stream reads; *session.Service is one.
type Source interface {
	Head(ctx context.Context, id, principal string) (session.Head, error)
	Steps(ctx context.Context, id string, after uint64, max int) ([]session.Step, error)
	Look(ctx context.Context, id string) error
	Subscribe(id string) (wake <-chan struct{}, cancel func())
}

// Request says what a client wants.
type Request struct {
	Conversation string
	Principal    string
	Target       Target
	Format       Format
	PerMessage   bool   // framing "message" (format A2UI only)
	After        string // the client's cursor, or ""
	Rebuild      bool   // updates=rebuild
}

// Deliverer serves streams of one application. Safe for concurrent use.
type Deliverer struct {
	src  Source
	app  string // fingerprint of the application
	beat time.Duration

	mu    sync.Mutex // guards what follows
	cache map[key]encoded
	order []key // oldest first
	size  int   // bytes of all messages in cache
}

// New returns a Deliverer. beat is the time between heartbeats; 0 = 25 s.
func New(src Source, appFingerprint string, beat time.Duration) *Deliverer {
	if beat == 0 {
		beat = 25 * time.Second
	}
	return &Deliverer{src: src, app: appFingerprint, beat: beat, cache: map[key]encoded{}}
}

// Cursor returns the cursor of a state for a target.
func (d *Deliverer) Cursor(h session.Head, t Target) string {
	return Cursor{Log: h.Log, Seq: h.State.Seq, Part: -1, Print: t.Fingerprint(d.app)}.String()
}

// Snapshot draws the newest state of a conversation for a target, each message
// as JSON, and returns its cursor.
func (d *Deliverer) Snapshot(ctx context.Context, id, principal string, t Target) (messages [][]byte, cursor string, err error) {
	h, err := d.src.Head(ctx, id, principal)
	if err != nil {
		return nil, "", err
	}
	messages, _, err = t.snapshot(h.State)
	return messages, d.Cursor(h, t), err
}
