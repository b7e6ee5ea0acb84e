package inspect

import (
	"encoding/json"
	"slices"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/fence"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Run is one run of a model: its entry in the trace, its prompt and its answer.
type Run struct {
	turntrace.Run
	Prompt  *Prompt  `json:"prompt,omitempty"`
	Repairs []Repair `json:"repairs,omitempty"` // the requests after the first; forgotten with the answer
	Answer  *Answer  `json:"answer,omitempty"`  // nil: it is forgotten, or the model gave no answer
}

// Prompt is the first request of a run, composed again from the state before the turn. Files
// that the model was shown and the tools it was offered are not in it; requests to repair are in
// Run.Repairs.
type Prompt struct {
	System   string `json:"system"`
	Messages []Said `json:"messages"`
	Tokens   int    `json:"tokens"` // estimated
}

// Repair is a request that names the fault of the answer before: the prompt of the attempt
// before it, and these messages.
type Repair struct {
	Attempt  int    `json:"attempt"` // from 0
	Messages []Said `json:"messages"`
}

// Said is one message of a Prompt.
type Said struct {
	Role llm.Role `json:"role"`
	Text string   `json:"text"`
}

// Answer is the record of a run in the journal.
type Answer struct {
	Text       string        `json:"text,omitempty"`
	Directives *jsonString   `json:"directives,omitempty"`
	Warnings   []Problem     `json:"warnings,omitempty"`
	Route      *route.Answer `json:"route,omitempty"`
	Steps      []Asked       `json:"steps,omitempty"` // of a run with tools
}

// Asked is one step of a run with tools: words and calls of the model, or a result.
type Asked struct {
	Text   string   `json:"text,omitempty"`
	Calls  []string `json:"calls,omitempty"` // name and arguments
	Tool   string   `json:"tool,omitempty"`  // whose result Text is
	Code   ui.Code  `json:"code,omitempty"`
	Finish string   `json:"finish,omitempty"`
}

// jsonString is JSON that is shown as it is.
type jsonString = json.RawMessage

// runs lists the runs of a turn. A turn that was traced has those of its trace.
func (env Env) runs(w *writer, d store.Dump, step conversation.Step, e *ui.Event, t *turntrace.Turn) (list []Run) {
	notes := notesOf(d, step.Frame.Event)
	if t != nil {
		for _, run := range t.LLM {
			list = append(list, Run{Run: run})
		}
	}
	for i := range list {
		r := &list[i]
		if r.For == "route" {
			r.Prompt = w.prompt(llm.Request{System: route.ModelPrompt(step.Before.Router),
				Messages: []llm.Message{{Role: llm.RoleUser, Text: fence.Text(textOf(e, step.Frame))}}})
		} else {
			r.Prompt = w.prompt(env.request(step, e, t.Mode, r.For))
		}
		r.Answer = w.answer(notes, r.For == "route")
		if r.For == "reply" {
			r.Repairs = w.repairs(notes)
		}
	}
	return list
}

// textOf is the message of an event.
func textOf(e *ui.Event, f *ui.Frame) string {
	if e != nil {
		return e.Text
	}
	return said(f)
}

// request is the first request of a run.
func (env Env) request(step conversation.Step, e *ui.Event, mode turntrace.Mode, what string) llm.Request {
	c := env.App.Config()
	cfg := agent.Config{Instructions: c.Instructions, Words: c.Words, Registry: env.App.Registry()}
	in, ask := agent.Input{State: step.Before}, agent.ModeSchema
	switch {
	case mode == turntrace.ModeChat || what == "summary":
		ask = agent.ModeChat
	case mode == turntrace.ModeToolLoop || mode == turntrace.ModeHybrid:
		ask = agent.ModeTools
	}
	switch {
	case e == nil || e.Kind == ui.EventMessage || e.Retry:
		in.Text = textOf(e, step.Frame)
	case e.Sums != "":
		in.Event = e.Text
		if sf := step.Before.Surface(e.Sums); sf != nil {
			in.Data, _ = step.Before.Committed.Get(sf.Origin.Template)
		}
	default:
		in.Event, in.Data = e.Text, e.Data
	}
	return agent.Prompt(ask, cfg, llm.Capabilities{}, in)
}

func (w *writer) prompt(r llm.Request) *Prompt {
	p := &Prompt{System: w.text("system prompt", r.System), Tokens: r.Tokens}
	for _, m := range r.Messages {
		p.Messages = append(p.Messages, Said{m.Role, w.text("prompt", m.Text)})
	}
	return p
}

func (w *writer) repairs(notes []journal.Note) (list []Repair) {
	for _, n := range notes {
		for _, one := range n.Repairs {
			var said []Said
			if one.Answer != "" {
				said = append(said, Said{llm.RoleAssistant, w.text("answer", one.Answer)})
			}
			list = append(list, Repair{one.Attempt, append(said, Said{llm.RoleUser, w.text("prompt", one.Asked)})})
		}
	}
	return list
}

func notesOf(d store.Dump, event ui.EventID) (list []journal.Note) {
	for _, raw := range d.Notes[string(event)] {
		var n journal.Note
		if json.Unmarshal(raw, &n) == nil {
			list = append(list, n)
		}
	}
	return list
}

// answer returns the answer of a model from the notes, nil if they have no answer.
func (w *writer) answer(notes []journal.Note, routing bool) *Answer {
	var a Answer
	for _, n := range notes {
		switch {
		case routing:
			if n.Kind == journal.KindRoute {
				a.Route = n.Route
			}
		case n.Asked != nil:
			one := Asked{Text: w.text("answer", n.Asked.Text), Finish: string(n.Asked.Finish)}
			for _, c := range n.Asked.Calls {
				one.Calls = append(one.Calls, w.text("call", c.Name+" "+c.Arguments))
			}
			a.Steps = append(a.Steps, one)
		case n.Kind == journal.KindResult && n.Result == nil:
			a.Steps = append(a.Steps, Asked{Tool: n.Name, Text: w.text("result", n.Text), Code: n.Code})
		case n.Reply != nil:
			a.Text = w.text("answer", n.Reply.Text)
			if len(n.Reply.Directives) > 0 {
				if b, err := json.Marshal(n.Reply.Directives); err == nil && len(b) <= maxText {
					raw := jsonString(w.hide.Replace(string(b)))
					a.Directives = &raw
				} else {
					w.note("directives of the answer: %d bytes are left out", len(b))
				}
			}
			for _, p := range n.Reply.Warnings {
				a.Warnings = append(a.Warnings, problemOf("model", &p))
			}
		}
	}
	if a.Text == "" && a.Directives == nil && a.Route == nil && len(a.Steps) == 0 {
		return nil
	}
	a.Steps = slices.Clip(a.Steps[:min(len(a.Steps), maxItems)])
	return &a
}

func problemOf(where string, e *ui.Error) Problem {
	return Problem{Where: where, Code: e.Code, Path: e.Path, Message: e.Message, Hint: e.Hint}
}
