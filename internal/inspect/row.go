package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// MaxRows is how many turns one timeline has at most.
const MaxRows = 200

// Top is above the id of every conversation of people, which is a UUID; the logs of topics
// are above it. Lists of conversations begin there.
const Top = "g"

// maxSummary bounds the line that says what an event was, in bytes.
const maxSummary = 160

// Listed is a conversation in a list.
type Listed struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"` // by its owner, or how its first message begins
	Created  time.Time `json:"created"`
	Archived bool      `json:"archived"`
}

// ListedOf returns the entry of a conversation.
func ListedOf(c store.Conversation) Listed {
	return Listed{c.ID, cmp.Or(c.Title, c.First), c.Created.UTC(), c.Archived}
}

// Row is one turn in a timeline.
type Row struct {
	N        uint64         `json:"n"` // the number of its frame; 0: it has none yet
	At       time.Time      `json:"at"`
	Event    ui.EventKind   `json:"event,omitempty"` // "" : not known any more
	Summary  string         `json:"summary"`         // the event, on one line
	Outcome  ui.OutcomeKind `json:"outcome,omitempty"`
	Code     ui.Code        `json:"code,omitempty"` // of the outcome
	Mode     turntrace.Mode `json:"mode,omitempty"` // how the turn was run
	Changes  []Changed      `json:"changes,omitempty"`
	Problems int            `json:"problems,omitempty"` // that the log itself names
	Attempts int            `json:"attempts,omitempty"` // requests to models
	In       int64          `json:"tokens_in,omitempty"`
	Out      int64          `json:"tokens_out,omitempty"`
	LLM      float64        `json:"llm_ms,omitempty"`
	Total    float64        `json:"total_ms,omitempty"`
}

// Changed says how one surface changed.
type Changed struct {
	Surface ui.Name       `json:"surface"`
	Kind    ui.ChangeKind `json:"kind"`
}

// records are the traces of a dump by the number of their frame, and its events by id.
type records struct {
	traces map[uint64]*turntrace.Turn
	events map[string]store.Event
}

func recordsOf(d store.Dump) records {
	r := records{map[uint64]*turntrace.Turn{}, map[string]store.Event{}}
	for _, f := range d.Traces {
		if t, err := turntrace.DecodeTurn(f.Body); err == nil {
			r.traces[f.Seq] = t
		}
	}
	for _, e := range d.Events {
		r.events[e.ID] = e
	}
	return r
}

// event is the event of a frame; nil: it is forgotten, or cannot be read.
func (r records) event(id ui.EventID) *ui.Event {
	rec, ok := r.events[string(id)]
	if !ok {
		return nil
	}
	e, err := ui.DecodeEvent(rec.Body)
	if err != nil {
		return nil
	}
	return e
}

// Timeline lists the turns of a dump from one on, oldest first, at most MaxRows of the newest,
// and then the events that wait for their answer.
func Timeline(d store.Dump, from uint64) (rows []Row, err error) {
	r := recordsOf(d)
	for _, f := range d.Frames[max(0, len(d.Frames)-MaxRows):] {
		if f.Seq < from {
			continue
		}
		frame, err := ui.DecodeFrame(f.Body)
		if err != nil {
			return rows, fmt.Errorf("frame %d: %w", f.Seq, err)
		}
		rows = append(rows, rowOf(frame, r.event(frame.Event), r.traces[f.Seq]))
	}
	for _, rec := range d.Events {
		if rec.Done {
			continue
		}
		row := Row{At: rec.At, Summary: "waiting for its answer"}
		if e, err := ui.DecodeEvent(rec.Body); err == nil {
			row.Event, row.Summary = e.Kind, summary(e)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func rowOf(f *ui.Frame, e *ui.Event, t *turntrace.Turn) Row {
	row := Row{N: f.Seq, At: f.At, Outcome: f.Outcome.Kind, Code: f.Outcome.Code, Problems: len(logged(f, t))}
	for _, c := range f.Changes {
		row.Changes = append(row.Changes, Changed{c.Surface, c.Kind})
	}
	if t != nil {
		row.Event, row.Mode, row.LLM, row.Total = t.Kind, t.Mode, t.Timing.LLM, t.Timing.Total
		for _, run := range t.LLM {
			row.Attempts += len(run.Attempts)
			for _, a := range run.Attempts {
				row.In, row.Out = row.In+a.In, row.Out+a.Out
			}
		}
	}
	if e == nil {
		row.Summary = said(f)
		return row
	}
	row.Event, row.Summary = e.Kind, summary(e)
	return row
}

// said is what an event was, as far as the frame alone says it.
func said(f *ui.Frame) string {
	for _, op := range f.Ops {
		if s, ok := op.(*ui.Say); ok && s.Role == ui.RoleUser {
			return line(s.Text)
		}
	}
	var parts []string
	for _, c := range f.Changes {
		parts = append(parts, string(c.Surface)+" "+string(c.Kind))
	}
	return line(strings.Join(parts, ", "))
}

// summary says what an event was.
func summary(e *ui.Event) string {
	switch {
	case e.Action != nil:
		key, _, _ := strings.Cut(e.Action.Component, ":") // of the button: a page's form says no name
		return line(cmp.Or(e.Action.Name, lastOf(key)) + " on " + e.Action.Surface)
	case e.Error != nil:
		return line(e.Error.Code + " " + e.Error.Message)
	case e.Answer != nil:
		return line("answer to " + e.Answer.Action)
	case e.Surface != "":
		return line(string(e.Surface))
	case e.Kind == ui.EventPreference && e.Preference != nil:
		return "preferences"
	case e.Kind == ui.EventData:
		var names []string
		for _, p := range e.Data.Pairs() {
			names = append(names, p.Key)
		}
		return line("data: " + strings.Join(names, ", "))
	}
	return line(e.Text)
}

func line(s string) string { return excerpt.Of(strings.Join(strings.Fields(s), " "), maxSummary) }

// Problem is something that went wrong, and where it was seen.
type Problem struct {
	Where   string  `json:"where"` // frame, outcome, model, renderer, or the name of a drawing
	Code    ui.Code `json:"code,omitempty"`
	Path    string  `json:"path,omitempty"`
	Message string  `json:"message,omitempty"`
	Hint    string  `json:"hint,omitempty"`
	Line    int     `json:"line,omitempty"`   // of the source that was compiled
	Column  int     `json:"column,omitempty"` // in characters
}

// logged lists the problems that a frame and its trace name, each once.
func logged(f *ui.Frame, t *turntrace.Turn) (list []Problem) {
	add := func(p Problem) {
		same := func(q Problem) bool { return p.Code != "" && p.Code == q.Code && (p.Path == "" || p.Path == q.Path) }
		if !slices.ContainsFunc(list, same) {
			list = append(list, p)
		}
	}
	if o := f.Outcome; o.Code != "" {
		message := o.Message
		if o.Detail != "" {
			message = o.Detail
		}
		add(Problem{Where: "outcome", Code: o.Code, Path: string(o.Path), Message: message, Hint: o.Hint})
	}
	for _, w := range f.Warnings {
		code, message, _ := strings.Cut(w, ": ")
		add(Problem{Where: "frame", Code: ui.Code(code), Message: message})
	}
	if t == nil {
		return list
	}
	for _, r := range t.Recovery {
		add(Problem{Where: "drawing", Code: r.Reason, Path: string(r.Surface), Message: "what was done: " + r.Do})
	}
	for _, run := range t.LLM {
		for _, a := range run.Attempts {
			if a.Code != "" {
				add(Problem{Where: "model", Code: a.Code, Message: "an attempt in the format " + a.Format})
			}
		}
		if run.Code != "" {
			add(Problem{Where: "model", Code: run.Code, Message: "the run for the " + run.For + " failed"})
		}
	}
	for _, c := range t.Tools {
		if c.Code != "" {
			add(Problem{Where: "model", Code: c.Code, Path: c.Tool, Message: "a call of a tool"})
		}
	}
	if t.Effect != nil && t.Effect.Code != "" {
		add(Problem{Where: "action", Code: t.Effect.Code, Path: t.Effect.Action,
			Message: "the call of the " + t.Effect.By})
	}
	for _, c := range slices.Concat(t.Validation.Codes, t.Validation.Warnings) {
		add(Problem{Where: "check", Code: c})
	}
	return list
}
