package session_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// facts is what the reference knows of the form after some frames: a handful of
// plain values. It never looks at ops, trees or package ui's Apply.
type facts struct {
	there         bool
	status        ui.Status
	epoch         uint32 // of the last form there was
	rev, guard    uint64
	company, note string
	failed        string // the company of one that was closed as it could not be shown; "-": none
	sent          bool   // that one had been submitted
}

func (f facts) String() string {
	if !f.there {
		return fmt.Sprintf("none after epoch %d, failed with %q", f.epoch, f.failed)
	}
	return fmt.Sprintf("%s epoch %d rev %d guard %d %q %q", f.status, f.epoch, f.rev, f.guard, f.company, f.note)
}

// factsOf reads the same out of a State.
func factsOf(s *ui.State, last uint32) facts {
	failed, sent := "-", false
	if sf := s.FailedSurface(form); sf != nil {
		v, _ := sf.Get("/draft/company")
		failed, sent = v.Text(), sf.Status == ui.StatusSubmitted
	}
	sf := s.Surface(form)
	if sf == nil {
		return facts{epoch: last, failed: failed, sent: sent}
	}
	company, _ := sf.Get("/draft/company")
	note, _ := sf.Get("/draft/note")
	return facts{true, sf.Status, sf.Epoch, sf.Rev, sf.Guard, company.Text(), note.Text(), failed, sent}
}

// oracle is the whole of what the server should do with the form, said a
// second time and in the simplest way: one event after the other, in the order
// of the log. What it cannot know (whether a process died in the middle of an
// effect) it takes from the outcome, if such an outcome may be.
type oracle struct {
	facts
	at        []facts        // after frame i; at[0] is the beginning
	committed map[string]int // company → times
	done      []string       // companies in the order of their commits
	effect    bool           // a submit runs a handler
	called    func(ui.EventID) int
	poison    bool // the frame gives its event up
	trouble   bool // some process died, stood still or lost the store

	fault  time.Time   // when a client last reported one; zero: never
	resets []time.Time // that such reports led to
}

// take accepts the next frame and what its event was, or says what is wrong.
func (r *oracle) take(e *ui.Event, frame *ui.Frame) error {
	out := frame.Outcome
	r.poison = strings.Contains(frame.Text, "we stopped trying")
	want, next := r.next(e, out)
	if out.Kind != want.Kind || out.Code != want.Code {
		return fmt.Errorf("frame %d: %s of %s ended %s %s, want %s %s; the form was %s", len(r.at), e.Kind, what(e),
			out.Kind, out.Code, want.Kind, want.Code, r.facts)
	}
	r.facts = next
	r.at = append(r.at, next)
	return nil
}

func what(e *ui.Event) string {
	if a := e.Action; a != nil {
		return fmt.Sprintf("%s %s rev %d %s", a.Name, a.Surface, a.Rev, jsonx.Append(nil, a.Context))
	}
	return e.Text
}

func (r *oracle) next(e *ui.Event, out ui.Outcome) (ui.Outcome, facts) {
	f := r.facts
	done := ui.Outcome{Kind: ui.OutcomeDone}
	switch e.Kind {
	case ui.EventMessage:
		if out.Kind == ui.OutcomeFailed && mishap(out.Code) {
			return out, f
		}
		if f.there && f.status == ui.StatusOpen {
			return done, f
		}
		return done, facts{there: true, status: ui.StatusOpen, epoch: f.epoch + 1, rev: 1, guard: 1, failed: "-"}
	case ui.EventAction:
		return r.action(e, out)
	case ui.EventError:
		return r.report(e)
	case ui.EventRegenerate:
		switch {
		case f.there:
			return done, f.anew()
		case f.failed != "-":
			back := facts{there: true, status: ui.StatusOpen, epoch: f.epoch + 1, rev: 1, guard: 1, company: f.failed,
				failed: "-"}
			if f.sent {
				back.status = ui.StatusSubmitted
			}
			return done, back
		}
		return ui.Outcome{Kind: ui.OutcomeRefused, Code: conversation.CodeNotFound}, f
	}
	return out, f
}

// anew is the same form as it was, in its next epoch.
func (f facts) anew() facts {
	f.epoch, f.rev, f.guard = f.epoch+1, 1, 1
	return f
}

// report is what a client could not draw: once that client is drawn anew, again
// within ten minutes the form is, and after three times in an hour it goes.
func (r *oracle) report(e *ui.Event) (ui.Outcome, facts) {
	f, done := r.facts, ui.Outcome{Kind: ui.OutcomeDone, Code: turn.CodeClient}
	if !f.there || e.Error.Surface != ui.WireID(form, f.epoch) {
		return done, f
	}
	again := !r.fault.IsZero() && e.At.Sub(r.fault) <= 10*time.Minute
	if r.resets = slices.DeleteFunc(r.resets, func(t time.Time) bool { return e.At.Sub(t) > time.Hour }); again {
		if len(r.resets) >= 3 {
			f = facts{epoch: f.epoch, failed: f.company, sent: f.status == ui.StatusSubmitted}
		} else {
			r.resets, f = append(r.resets, e.At), f.anew()
		}
	}
	r.fault = e.At
	return done, f
}

// mishap are the outcomes that a crash or the user's stop may lead to.
func mishap(c ui.Code) bool {
	return c == session.CodePoison || c == agent.CodeTurnCanceled || c == agent.CodeEffectUnknown
}

func (r *oracle) action(e *ui.Event, out ui.Outcome) (ui.Outcome, facts) {
	f, a := r.facts, e.Action
	refuse := func(code ui.Code) ui.Outcome { return ui.Outcome{Kind: ui.OutcomeRefused, Code: code} }
	if !f.there || a.Surface != ui.WireID(form, f.epoch) {
		return r.tooLate(e, out, refuse("A2UI_C2S_SURFACE_STALE"), f)
	}
	if f.status == ui.StatusSubmitted {
		return r.tooLate(e, out, refuse("A2UI_C2S_SURFACE_SUBMITTED"), f)
	}
	kept := f // what was typed is kept, and the answer is a new rev
	kept.rev++
	if v, ok := a.Context.Get("company"); ok {
		kept.company = v.Text()
	}
	if v, ok := a.Context.Get("note"); ok {
		kept.note = v.Text()
	}
	switch {
	case r.poison && out.Kind == ui.OutcomeFailed:
		return out, kept
	case a.Rev > f.rev:
		return refuse("A2UI_C2S_ENVELOPE_INVALID"), kept
	case a.Rev < f.guard:
		return r.tooLate(e, out, refuse("A2UI_C2S_SURFACE_STALE"), kept)
	case a.Name == builtin.ActionCancel:
		return ui.Outcome{Kind: ui.OutcomeDone}, facts{epoch: f.epoch, failed: f.failed, sent: f.sent}
	case kept.company == "":
		return ui.Outcome{Kind: ui.OutcomeAsked, Code: ui.CodeFieldRequired}, kept
	case r.effect && out.Code == agent.CodeEffectUnknown:
		return ui.Outcome{Kind: ui.OutcomeFailed, Code: out.Code}, kept
	case r.effect && kept.company == "taken":
		return ui.Outcome{Kind: ui.OutcomeAsked, Code: "FIELD_TAKEN"}, kept
	case r.effect && kept.company == "boom":
		return ui.Outcome{Kind: ui.OutcomeFailed, Code: "ACTION_FAILED"}, kept
	}
	r.commit(kept.company)
	kept.status, kept.guard = ui.StatusSubmitted, kept.rev
	return ui.Outcome{Kind: ui.OutcomeDone}, kept
}

// tooLate is a submit that does not count any more; unless its handler was
// called already when it still did, on a node that was cut off then: what was
// done was done.
func (r *oracle) tooLate(e *ui.Event, out, refused ui.Outcome, f facts) (ui.Outcome, facts) {
	begun := r.called(e.ID) > 0 || out.Code == agent.CodeEffectUnknown // which says that nobody knows
	if out.Kind == ui.OutcomeRefused || !r.effect || !r.trouble || !begun {
		return refused, f
	}
	if out.Kind == ui.OutcomeDone {
		v, _ := e.Action.Context.Get("company")
		r.commit(v.Text())
	}
	return out, r.facts
}

func (r *oracle) commit(company string) {
	r.committed[company]++
	r.done = append(r.done, company)
}
