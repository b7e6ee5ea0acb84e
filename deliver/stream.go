package deliver

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/session"
	"github.com/limn-ui/limn/ui"
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

	mu    sync.Mutex // guards cache and order
	cache map[key]encoded
	order []key
}

// key names an encoded frame; two subscribers with one key share it.
type key struct {
	conversation string
	target       string
	format       Format
	rebuild      bool
	seq          uint64
}

type encoded struct {
	messages [][]byte
	warnings []string
}

const cached = 1024

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

// Stream yields chunks until ctx ends or the consumer stops. An error is the
// last thing it yields. It must be consumed by one goroutine.
func (d *Deliverer) Stream(ctx context.Context, r Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		wake, cancel := d.src.Subscribe(r.Conversation)
		defer cancel()
		s := &stream{d: d, r: r, yield: yield}
		if err := s.start(ctx); err != nil {
			yield(Chunk{}, err)
			return
		}
		if err := s.follow(ctx, wake); err != nil && ctx.Err() == nil {
			yield(Chunk{}, err)
		}
	}
}

// stream is the state of one subscription.
type stream struct {
	d     *Deliverer
	r     Request
	yield func(Chunk, error) bool
	at    Cursor
	done  bool // the consumer stopped
}

func (s *stream) send(c Chunk) {
	if !s.done {
		s.done = !s.yield(c, nil)
	}
}

// start places the cursor: where the client says, or at a snapshot.
func (s *stream) start(ctx context.Context) error {
	h, err := s.d.src.Head(ctx, s.r.Conversation, s.r.Principal)
	if err != nil {
		return err
	}
	print := s.r.Target.Fingerprint(s.d.app)
	reason := ""
	if s.r.After != "" {
		c, ok := ParseCursor(s.r.After)
		switch {
		case !ok || c.Part == 0 || c.Part > 0 && !s.r.PerMessage:
			reason = "malformed"
		case c.Log != h.Log:
			reason = "log"
		case c.Print != print:
			reason = "target"
		case c.Seq > h.State.Seq:
			reason = "ahead"
		case c.Seq < h.Floor:
			reason = "floor"
		default:
			s.at = c
			s.send(Chunk{Beat: true}) // the client sees the stream open at once
			return nil
		}
		s.send(Chunk{Event: "reset", Data: resetData(reason)})
	}
	s.at = Cursor{Log: h.Log, Seq: h.State.Seq, Part: -1, Print: print}
	return s.snapshot(h.State, reason != "")
}

func (s *stream) snapshot(state *ui.State, reset bool) error {
	t := s.r.Target
	if reset && s.r.Format == A2UI {
		t.A2UI.Flags |= compile.DeleteFirst
	}
	messages, warnings, err := t.snapshot(state)
	if err != nil {
		return err
	}
	if s.r.Format == Limn {
		data, err := encodeBody(body{Kind: "snapshot", Seq: state.Seq, Transcript: state.Transcript, Warnings: warnings}, messages)
		if err != nil {
			return err
		}
		s.send(Chunk{ID: s.at.String(), Data: [][]byte{data}})
		return nil
	}
	if !s.r.PerMessage {
		s.send(Chunk{ID: s.at.String(), Data: messages})
		return nil
	}
	partial := s.at
	partial.Part = 0
	for i, m := range messages {
		id := partial
		if i == len(messages)-1 {
			id = s.at
		}
		s.send(Chunk{ID: id.String(), Data: [][]byte{m}})
	}
	if len(messages) == 0 {
		s.send(Chunk{ID: s.at.String()})
	}
	return nil
}

// page is how many steps are read at once.
const page = 64

func (s *stream) follow(ctx context.Context, wake <-chan struct{}) error {
	beat := time.NewTicker(s.d.beat)
	defer beat.Stop()
	for !s.done && ctx.Err() == nil {
		if err := s.catchUp(ctx); err != nil {
			return err
		}
		if s.done {
			break
		}
		select {
		case <-ctx.Done():
		case <-wake:
			if err := s.look(ctx); err != nil {
				return err
			}
		case <-beat.C:
			s.send(Chunk{Beat: true})
			if err := s.look(ctx); err != nil { // a hint may have been lost
				return err
			}
		}
	}
	return nil
}

// look asks the store only if memory has nothing new: then another process
// may have committed.
func (s *stream) look(ctx context.Context) error {
	steps, err := s.d.src.Steps(ctx, s.r.Conversation, s.after(), 1)
	if err != nil || len(steps) > 0 {
		return err
	}
	return s.d.src.Look(ctx, s.r.Conversation)
}

// after is the seq of the last frame that was delivered whole.
func (s *stream) after() uint64 {
	if s.at.Part > 0 {
		return s.at.Seq - 1
	}
	return s.at.Seq
}

func (s *stream) catchUp(ctx context.Context) error {
	for !s.done {
		steps, err := s.d.src.Steps(ctx, s.r.Conversation, s.after(), page)
		if err != nil {
			return err
		}
		if len(steps) == 0 {
			return nil
		}
		for _, st := range steps {
			if err := s.frame(st); err != nil {
				return err
			}
			if s.done {
				return nil
			}
		}
	}
	return nil
}

var errGap = errors.New("the log has a gap")

func (s *stream) frame(st session.Step) error {
	if st.Frame.Seq != s.after()+1 {
		return errGap
	}
	e, err := s.d.encode(s.r, st)
	if err != nil {
		return err
	}
	skip := 0
	if s.at.Part > 0 {
		skip = min(s.at.Part, len(e.messages))
	}
	s.at.Seq, s.at.Part = st.Frame.Seq, -1
	switch {
	case s.r.Format == Limn:
		f := st.Frame
		data, err := encodeBody(body{Kind: "frame", Seq: f.Seq, Text: f.Text, Transcript: entriesOf(st.After, f.Seq), Toasts: f.Toasts,
			Event: f.Event, Outcome: &f.Outcome, Warnings: append(f.Warnings[:len(f.Warnings):len(f.Warnings)], e.warnings...)}, e.messages)
		if err != nil {
			return err
		}
		s.send(Chunk{ID: s.at.String(), Data: [][]byte{data}})
	case !s.r.PerMessage || skip == len(e.messages):
		s.send(Chunk{ID: s.at.String(), Data: e.messages[skip:]})
	default:
		for i := skip; i < len(e.messages); i++ {
			id := s.at
			if id.Part = i + 1; id.Part == len(e.messages) {
				id.Part = -1
			}
			s.send(Chunk{ID: id.String(), Data: [][]byte{e.messages[i]}})
		}
	}
	return nil
}

// encode draws a frame, or takes the drawing another subscriber made.
func (d *Deliverer) encode(r Request, st session.Step) (encoded, error) {
	k := key{r.Conversation, r.Target.Name, r.Format, r.Rebuild, st.Frame.Seq}
	d.mu.Lock()
	e, ok := d.cache[k]
	d.mu.Unlock()
	if ok {
		return e, nil
	}
	t := r.Target
	if r.Rebuild {
		t.A2UI.Flags |= compile.Rebuild
	}
	messages, warnings, err := t.update(st.Before, st.After, st.Frame)
	if err != nil {
		return encoded{}, err
	}
	e = encoded{messages, warnings}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.cache[k]; !ok {
		if len(d.order) >= cached {
			delete(d.cache, d.order[0])
			d.order = d.order[1:]
		}
		d.cache[k] = e
		d.order = append(d.order, k)
	}
	return e, nil
}
