package inspect

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Env describes the application and its server.
type Env struct {
	App *app.App
	// Targets are those of an application, to compare and to show: HTML and versions of A2UI. base
	// is the beginning of addresses in them, at when they were drawn.
	Targets func(a *app.App, base string, at time.Time) ([]deliver.Target, error)
	Base    string // of turns whose trace does not say
}

// Targets names the drawings that a turn is shown in.
func Targets() []string { return []string{"html", "v0.8", "v0.9", "v1.0"} }

// Turn is one turn in detail.
type Turn struct {
	Row
	Sent       *jsonx.Value    `json:"sent,omitempty"` // the event, without who sent it; nil: it is forgotten
	Decision   *Decision       `json:"decision,omitempty"`
	Ops        jsonx.Value     `json:"ops"`
	Text       string          `json:"text,omitempty"` // the words of the assistant
	Toasts     []string        `json:"toasts,omitempty"`
	Found      []Problem       `json:"found,omitempty"`
	Runs       []Run           `json:"runs,omitempty"` // of models
	Diff       []Difference    `json:"diff,omitempty"`
	State      jsonx.Value     `json:"state"` // after the turn
	Renderings []Rendering     `json:"renderings"`
	HTML       string          `json:"html"`          // of the state, without the page around it
	Cut        []string        `json:"cut,omitempty"` // what of this was left out
	Trace      *turntrace.Turn `json:"trace,omitempty"`
}

// Decision is what routing says about a message, derived again.
type Decision struct {
	Action     route.Action `json:"action"`
	Tool       string       `json:"tool,omitempty"`
	Confidence float64      `json:"confidence"`
	Form       string       `json:"form,omitempty"` // whose phrase the message has
	Rationale  string       `json:"rationale"`
	Why        string       `json:"why"`
}

// ErrNoTurn: the dump does not have the turn.
var ErrNoTurn = errors.New("no such turn")

// Turn returns turn n of a dump, which begins before it.
func (env Env) Turn(d store.Dump, n uint64) (*Turn, error) {
	step, err := env.fold(d, n)
	if err != nil {
		return nil, err
	}
	r := recordsOf(d)
	e, trace := r.event(step.Frame.Event), r.traces[n]
	w := writer{hide: hiderOf(e, trace, step.Frame, step.Before, step.After)}
	if trace != nil {
		trace.By = w.hide.Replace(trace.By)
	}
	t := &Turn{Row: rowOf(step.Frame, e, trace), Trace: trace, Text: w.text("text", step.Frame.Text),
		Toasts: step.Frame.Toasts, Found: logged(step.Frame, trace)}
	before := w.json("state before", step.Before)
	after := w.json("state", step.After)
	t.Diff = w.differences(Diff(before, after))
	t.State = w.clip("state", after)
	t.Ops = w.clip("ops", w.json("ops", step.Frame.Ops))
	if e != nil {
		sent := w.clip("event", w.json("event", anonymous(*e)))
		t.Sent = &sent
	}
	t.Decision = env.decision(step, e)
	t.Runs = env.runs(&w, d, step, e, trace)
	if err := env.draw(&w, t, step); err != nil {
		return nil, err
	}
	t.Cut = w.cut
	return t, nil
}

// fold applies frames up to n, and returns the last step.
func (env Env) fold(d store.Dump, n uint64) (step conversation.Step, err error) {
	if n <= d.Floor || n > d.Seq {
		return step, fmt.Errorf("%w: there are those from %d to %d", ErrNoTurn, d.Floor+1, d.Seq)
	}
	state := env.App.NewState(d.ID)
	if d.Floor > 0 {
		at := slices.IndexFunc(d.Snapshots, func(f store.Frame) bool { return f.Seq == d.Floor })
		if at < 0 {
			return step, fmt.Errorf("%w: no snapshot stands before it", ErrNoTurn)
		}
		if state, err = ui.DecodeState(d.Snapshots[at].Body); err != nil {
			return step, fmt.Errorf("snapshot at frame %d: %w", d.Floor, err)
		}
	}
	for _, f := range d.Frames {
		frame, err := ui.DecodeFrame(f.Body)
		if err != nil {
			return step, fmt.Errorf("frame %d: %w", f.Seq, err)
		}
		after, _, err := ui.Apply(state, frame, conversation.Committed(env.App.Config().Limits))
		if err != nil {
			return step, fmt.Errorf("frame %d: its ops do not apply: %w", f.Seq, err)
		}
		if f.Seq == n {
			return conversation.Step{Before: state, After: after, Frame: frame}, nil
		}
		state = after
	}
	return step, ErrNoTurn
}

// decision derives the routing decision about a message again. The text is from the event or,
// if the event is forgotten, from the frame. Of a hidden text nothing can be derived.
func (env Env) decision(step conversation.Step, e *ui.Event) *Decision {
	text := ""
	switch {
	case e != nil && e.Kind == ui.EventMessage:
		text = e.Text
	case e == nil && len(step.Frame.Ops) > 0:
		if say, ok := step.Frame.Ops[0].(*ui.Say); ok && say.Role == ui.RoleUser {
			text = say.Text
		}
	}
	if text == "" || isHidden(text) {
		return nil
	}
	d := route.Decide(text, step.Before.Router, turn.Routing(env.App), step.Frame.At)
	form, _ := env.App.FormFor(text)
	return &Decision{Action: d.Action, Tool: d.Tool, Confidence: d.Confidence, Form: form.Name, Rationale: d.Rationale,
		Why: d.Why()}
}

// writer writes the parts of a turn, and lists its cuts.
type writer struct {
	hide hider
	cut  []string
}

func (w *writer) note(format string, args ...any) {
	w.cut = append(w.cut, fmt.Sprintf(format, args...))
}

// stored are the bounds of a record, which has been checked when it was committed.
var stored = jsonx.Limits{Bytes: 1 << 30, Depth: 256, Entries: 1 << 24, String: 1 << 28}

// json is a record as a value, without secrets.
func (w *writer) json(what string, record any) jsonx.Value {
	b, err := ui.Encode(record)
	if err == nil {
		var v jsonx.Value
		if v, err = jsonx.Parse(b, stored); err == nil {
			return w.hide.value(v)
		}
	}
	w.note("%s: %v", what, err)
	return jsonx.Value{}
}

func (w *writer) clip(what string, v jsonx.Value) jsonx.Value {
	out, more := clip(v)
	if more > 0 {
		w.note("%s: shortened in %d places", what, more)
	}
	return out
}

func (w *writer) text(what, s string) string { return w.upTo(maxText, what, s) }

func (w *writer) upTo(most int, what, s string) string {
	s = w.hide.Replace(s)
	short := excerpt.Of(s, most)
	if short != s {
		w.note("%s: %d of %d bytes", what, len(short), len(s))
	}
	return short
}

func (w *writer) differences(list []Difference) []Difference {
	if len(list) > maxDifferences {
		w.note("diff: %d of %d differences", maxDifferences, len(list))
		list = list[:maxDifferences]
	}
	left := clipper{left: maxEntries}
	for i := range list {
		for _, v := range []*jsonx.Value{list[i].Before, list[i].After} {
			if v != nil {
				*v = left.value(*v)
			}
		}
	}
	if left.more > 0 {
		w.note("diff: shortened in %d places", left.more)
	}
	return list
}
