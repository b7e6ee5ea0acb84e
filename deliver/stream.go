package deliver

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/session"
	"github.com/limn-ui/limn/ui"
)

// Stream yields chunks until ctx ends or the consumer stops. An error is the
// last thing it yields. It must be consumed by one goroutine.
func (d *Deliverer) Stream(ctx context.Context, r Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		wake, cancel := d.src.Subscribe(r.Conversation)
		defer cancel()
		s := &stream{d: d, r: r, yield: yield}
		err := s.start(ctx)
		if err == nil {
			err = s.follow(ctx, wake)
		}
		if err != nil && ctx.Err() == nil && !s.done {
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
	if s.r.After == "" {
		return s.fresh(h, "")
	}
	c, ok := ParseCursor(s.r.After)
	reason := ""
	switch {
	case !ok || c.Part == 0 || c.Part > 0 && !s.r.PerMessage:
		reason = "malformed"
	case c.Log != h.Log:
		reason = "log"
	case c.Print != s.r.Target.Fingerprint(s.d.app):
		reason = "target"
	case c.Seq > h.State.Seq:
		reason = "ahead"
	case c.after() < h.Floor:
		reason = "floor"
	default:
		s.at = c
		s.send(Chunk{Beat: true}) // there may be nothing else to say for a while: the client hears that it is connected
		return nil
	}
	return s.fresh(h, reason)
}

// fresh draws the newest state for an empty renderer, or with a reason for one
// that is told to throw away what it has.
func (s *stream) fresh(h session.Head, reason string) error {
	if reason != "" {
		s.send(Chunk{Event: "reset", Data: resetData(reason)})
	}
	s.at = Cursor{Log: h.Log, Seq: h.State.Seq, Part: -1, Print: s.r.Target.Fingerprint(s.d.app)}
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
		data, err := encodeBody(body{Kind: "snapshot", Seq: state.Seq, Transcript: state.Transcript, Warnings: warnings, Failed: failedOf(nil, state)}, messages)
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
			if s.send(Chunk{Beat: true}); s.done {
				return nil
			}
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
	steps, err := s.d.src.Steps(ctx, s.r.Conversation, s.at.after(), 1)
	if err != nil && ui.CodeOf(err) != session.CodeTrimmed || len(steps) > 0 {
		return err
	}
	return s.d.src.Look(ctx, s.r.Conversation)
}

func (s *stream) catchUp(ctx context.Context) error {
	for !s.done {
		steps, err := s.d.src.Steps(ctx, s.r.Conversation, s.at.after(), page)
		if ui.CodeOf(err) == session.CodeTrimmed { // while this client was slow
			h, err := s.d.src.Head(ctx, s.r.Conversation, s.r.Principal)
			if err != nil {
				return err
			}
			if err := s.fresh(h, "floor"); err != nil {
				return err
			}
			continue
		}
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
	if st.Frame.Seq != s.at.after()+1 {
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
			Event: f.Event, Outcome: &f.Outcome, Warnings: append(f.Warnings[:len(f.Warnings):len(f.Warnings)], e.warnings...),
			Failed: failedOf(st.Before, st.After), Preferences: !st.Before.Router.SamePreferences(st.After.Router)}, e.messages)
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
