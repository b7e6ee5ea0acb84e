package inspect

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/ui"
)

// Rendering is the messages for clients of one version of A2UI, and the screen they show then.
type Rendering struct {
	Target string `json:"target"`
	// Same says whether the messages are those that the turn's trace has the hash of: "same", "other",
	// or "" where it has none that this program and application could have made.
	Same     string            `json:"same,omitempty"`
	Count    int               `json:"count"` // of messages
	Bytes    int               `json:"bytes"`
	Messages []json.RawMessage `json:"messages"`
	Screen   string            `json:"screen"` // as the renderer without a screen shows it
}

// draw renders a step for all drawings.
func (env Env) draw(w *writer, t *Turn, step conversation.Step) error {
	base, at := env.Base, step.Frame.At
	if t.Trace != nil && t.Trace.Frame != "" {
		base, at = t.Trace.Base, t.Trace.Ended
	}
	targets, err := env.Targets(env.App, base, at)
	if err != nil {
		return err
	}
	t.Renderings = []Rendering{}
	for _, target := range targets {
		if target.HTML != nil {
			t.HTML = w.upTo(maxHTML, "HTML", string(html.AppendSnapshot(nil, step.After, target.HTML(step.After))))
			continue
		}
		one, problems := w.drawing(target, step)
		one.Same = same(t.Trace, target, env.App.Fingerprint(), step)
		if one.Same == "other" {
			problems = append(problems, Problem{Where: target.Name, Code: prove.CodeDiffers,
				Message: "the messages differ from those that were sent"})
		}
		t.Renderings, t.Found = append(t.Renderings, one), append(t.Found, problems...)
	}
	t.Problems = len(t.Found)
	return nil
}

// same compares the messages of a step with the hash in its trace.
func same(t *turntrace.Turn, target deliver.Target, app string, step conversation.Step) string {
	if t == nil {
		return ""
	}
	for _, d := range t.Drawings {
		if d.Target != target.Name || d.Print != target.Fingerprint(app) {
			continue
		}
		messages, _, err := target.Update(step.Before, step.After, step.Frame)
		if err == nil && turntrace.HashLines(messages) == d.Hash {
			return "same"
		}
		return "other"
	}
	return ""
}

// drawing renders a step for one version, and applies it to a renderer that shows the state
// before it.
func (w *writer) drawing(target deliver.Target, step conversation.Step) (d Rendering, found []Problem) {
	d = Rendering{Target: target.Name, Messages: []json.RawMessage{}}
	shown := &screen{name: target.Name, Client: client.With(client.Config{Dialect: target.A2UI.Dialect,
		AnyComponent: true, ReportMissing: true})}
	fresh, err := compile.Snapshot(target.A2UI, step.Before)
	if err != nil {
		found = append(found, failures(target.Name, err)...)
	}
	shown.apply(fresh.Messages())
	update, err := compile.Update(target.A2UI, step.Before, step.After, step.Frame)
	if err != nil {
		found = append(found, failures(target.Name, err)...)
	}
	for _, warning := range update.Warnings() {
		found = append(found, Problem{Where: target.Name, Message: warning.String()})
	}
	found = append(found, w.write(&d, target.A2UI.Dialect, update.Messages())...)
	whole, err := compile.Snapshot(target.A2UI, step.After)
	if err != nil {
		found = append(found, failures(target.Name, err)...)
	}
	found = append(found, invalid(target, whole.Messages())...)
	shown.problems = nil // those of the turns before
	shown.apply(update.Messages())
	d.Screen = w.text(target.Name+" screen", shown.String())
	return d, append(found, shown.problems...)
}

// write puts messages into a drawing, as many as fit.
func (w *writer) write(d *Rendering, dialect a2ui.Dialect, list []a2ui.Message) (found []Problem) {
	for _, m := range list {
		line, err := a2ui.AppendMessage(nil, dialect, m)
		if err != nil {
			found = append(found, failures(d.Target, err)...)
			continue
		}
		d.Count, d.Bytes = d.Count+1, d.Bytes+len(line)+1
		if len(line) > maxMessage {
			w.note("%s: message %d of %d bytes", d.Target, d.Count, len(line))
			line = fmt.Appendf(nil, `"… %d bytes"`, len(line))
		}
		if d.Count <= maxMessages {
			d.Messages = append(d.Messages, json.RawMessage(w.hide.Replace(string(line))))
		}
	}
	if d.Count > maxMessages {
		w.note("%s: %d of %d messages", d.Target, maxMessages, d.Count)
	}
	return found
}

// invalid holds messages to the rules of their version.
func invalid(target deliver.Target, list []a2ui.Message) (found []Problem) {
	for _, p := range a2ui.Validate(prove.Rules(target.A2UI), list) {
		if len(found) == maxItems {
			break
		}
		found = append(found, Problem{Where: target.Name, Code: ui.Code(p.Code), Path: p.Component + p.Path,
			Message: p.Message})
	}
	return found
}

// failures are the problems in an error of compile.
func failures(where string, err error) (list []Problem) {
	all, ok := errors.AsType[compile.Failures](err)
	if !ok {
		return []Problem{problemOf(where, ui.AsError(err, "", err.Error()))}
	}
	for _, f := range all {
		p := problemOf(where, ui.AsError(f.Err, "", f.Err.Error()))
		p.Path = string(f.Surface) + p.Path
		list = append(list, p)
	}
	return list
}

// screen is a renderer without a screen.
type screen struct {
	*client.Client
	name     string
	problems []Problem
}

func (s *screen) apply(list []a2ui.Message) {
	for _, failed := range s.ApplyAll(list) {
		s.add(failed)
	}
	for _, id := range s.Surfaces() {
		if v, err := s.Surface(id); err == nil {
			for _, p := range v.Problems {
				s.add(p)
			}
		}
	}
}

func (s *screen) add(e *client.Error) {
	at := []string{e.Surface, e.Component, e.Path}
	s.problems = append(s.problems, Problem{Where: s.name, Code: ui.Code(e.Code), Message: e.Message,
		Path: strings.Join(slices.DeleteFunc(at, func(part string) bool { return part == "" }), " ")})
}

// String is what its user sees, a surface after the other.
func (s *screen) String() string {
	var b strings.Builder
	for _, id := range s.Surfaces() {
		b.WriteString(s.Dump(id))
	}
	return b.String()
}
