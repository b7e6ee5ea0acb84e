package agui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/internal/transport/sse"
	"github.com/limn-ui/limn/ui"
)

// Addresses of the door.
const (
	runPath  = "/agui"
	stopPath = "/agui/stop"
)

// waitTurn is how long an event is waited for before the next one of its input.
const waitTurn = 60 * time.Second

// copilot is the id by which the renderers of CopilotKit know the basic catalog. They do
// not list the catalogs that they can draw.
const copilot = "https://a2ui.org/specification/v0_9/basic_catalog.json"

// server is the door.
type server struct{ door.Host }

// New is the door.
func New() door.Door {
	return func(h door.Host) door.Routes {
		d := &server{h}
		return door.Routes{"POST " + runPath: d.run, "POST " + stopPath: d.stop, "GET " + runPath: d.capabilities}
	}
}

// capabilities answers what this agent can do.
func (d *server) capabilities(w http.ResponseWriter, _ *http.Request) error {
	cfg := d.Service().App().Config()
	yes := true
	b, err := json.Marshal(map[string]any{
		"identity":       map[string]any{"name": cfg.Title, "type": "limn"},
		"transport":      map[string]any{"streaming": yes, "resumable": yes},
		"output":         map[string]any{"supportedMimeTypes": []string{"text/plain", "application/a2ui+json"}},
		"state":          map[string]any{"snapshots": yes, "deltas": yes, "persistentState": yes},
		"tools":          map[string]any{"supported": yes, "clientProvided": yes},
		"humanInTheLoop": map[string]any{"supported": yes, "interrupts": yes},
	})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(b) // a client that is gone reads nothing
	return nil
}

// run answers the input of a run with its events.
func (d *server) run(w http.ResponseWriter, req *http.Request) error {
	body, err := d.Body(req)
	if err != nil {
		return err
	}
	in, err := decode(body, d.Limits())
	if err != nil {
		return d.fail(w, req, nil, err)
	}
	r := &run{d: d, in: in}
	if err := d.enter(w, req, r); err != nil {
		return d.fail(w, req, nil, err)
	}
	if r.Conversation == "" { // nothing was said in it, and nothing is
		s := ui.NewState("")
		return sse.Answer(w, r.finish(r.messages(r.start(), s), "", s, ui.Outcome{Kind: ui.OutcomeDone}))
	}
	d.choose(req, r)
	h, err := d.Service().Head(req.Context(), r.Conversation, r.Who)
	if err != nil {
		return d.fail(w, req, r, err)
	}
	r.Events, r.log, r.head = door.NewEvents(d.Service(), r.Conversation, r.Who, h.State.Seq), h.Log, h.State
	if err := d.take(w, req, r, h.State); err != nil {
		return d.fail(w, req, r, err)
	}
	if !r.Any() {
		out := r.messages(r.start(), h.State)
		return sse.Answer(w, r.finish(out, r.cursor(), h.State, ui.Outcome{Kind: ui.OutcomeDone}))
	}
	if _, over, _ := r.Over(req.Context()); over { // most turns are by now: their connection is kept
		if out, ok := r.whole(req.Context()); ok {
			return sse.Answer(w, out)
		}
	}
	sse.Headers(w.Header())
	err = d.Stream(w, req, deliver.Request{Conversation: r.Conversation, Principal: r.Who, Target: r.target,
		After: r.cursor(), Framing: deliver.Framing{Name: "agui"}, Private: r}, string(r.start()))
	if errors.Is(err, deliver.ErrEnded) {
		return d.fail(w, req, r, &ui.Error{Code: ui.CodeEnded, Message: "the conversation has ended"})
	}
	if err != nil {
		return d.fail(w, req, r, err)
	}
	return nil
}

// whole is all events of a run that is over; no: its frames are trimmed, or many.
func (r *run) whole(ctx context.Context) (out []byte, ok bool) {
	steps, err := r.d.Service().Steps(ctx, r.Conversation, r.After, page)
	end := slices.IndexFunc(steps, func(st conversation.Step) bool {
		ends, _ := r.Ends(st.Frame)
		return ends
	})
	if err != nil || end < 0 {
		return nil, false
	}
	steps, r.again = steps[:end+1], &replay{map[ui.Name]uint64{}, steps[end].After}
	if r.head.Seq > r.again.state.Seq { // the run is sent again
		r.again.state = r.head
	}
	for _, st := range steps {
		for _, c := range st.Frame.Changes {
			r.again.drawn[c.Surface] = st.Frame.Seq
		}
	}
	out = r.start()
	for _, st := range steps {
		var messages [][]byte
		if r.plain {
			if messages, err = r.d.Deliver().Messages(r.target, st); err != nil {
				r.again, r.known = nil, nil
				return nil, false
			}
		}
		events, _ := r.Frame(st, messages, "")
		out = append(out, events...)
	}
	return out, true
}

// page is how many steps are read at once.
const page = 64

func (r *run) cursor() string {
	return deliver.Cursor{Log: r.log, Seq: r.After, Part: -1, Fingerprint: r.d.Deliver().Fingerprint(r.target)}.String()
}

// fail ends a run, one that has not begun with r nil: with a RUN_ERROR, or where HTTP has a
// status that every client knows, with that.
func (d *server) fail(w http.ResponseWriter, req *http.Request, r *run, err error) error {
	said := d.Refusal(req, err)
	switch said.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return err
	}
	var out []byte
	if r != nil {
		out = r.start()
	}
	text := said.Message
	if said.Path != "" {
		text = said.Path + ": " + text
	}
	if said.Hint != "" {
		text += "; " + said.Hint
	}
	return sse.Answer(w, emit(out, "", failed(said.Code, text)))
}

// enter finds the conversation of a thread. It begins one for an input that has something
// for it, and else finds none.
func (d *server) enter(w http.ResponseWriter, req *http.Request, r *run) error {
	who, err := d.Sender(req)
	if err == nil {
		if id := d.find(req, who, r.in.thread); id != "" {
			r.Conversation, r.Who = id, who
			return nil
		}
	}
	stranger := ui.CodeOf(err) == recovery.CodeUnauthorized && d.Anonymous() && req.Header.Get("Authorization") == ""
	if r.in.nothing() && (err == nil || stranger) {
		return nil
	}
	begun, err := d.Begin(w, req, name(r.in.thread))
	r.Conversation, r.Who, r.token = begun.ID, begun.Who, begun.Token
	return err
}

// find is the conversation of a thread: the one with that id, or the sender's own of that
// name; "" without one.
func (d *server) find(req *http.Request, who, thread string) string {
	ids := []string{d.Named(who, name(thread))}
	if len(thread) == idLen {
		ids = append(ids, thread)
	}
	for _, id := range ids {
		if _, err := d.Service().Access(req.Context(), id, who); err == nil {
			return id
		}
	}
	return ""
}

// name is the name of the conversation of a thread.
func name(thread string) string { return "agui " + thread }

// idLen is how long a UUID is.
const idLen = 36

// choose finds the drawing for a client.
func (d *server) choose(req *http.Request, r *run) {
	all := door.Newest(d.Targets())
	if len(all) == 0 {
		r.target, r.plain = d.Targets()[0], true
		return
	}
	if r.in.Speaks != nil {
		t, err := door.Choose(d.Targets(), r.in.Speaks)
		if err == nil {
			t, err = door.Speaks(d.Service().App(), t, r.in.Speaks)
		}
		if err == nil {
			r.target = t
			return
		}
		said := d.Refusal(req, err)
		r.target, r.plain = all[0], true
		r.link = string(said.Code) + ": " + said.Message + ". " + d.Address(req, "/c/"+r.Conversation)
		return
	}
	r.target = all[0]
	for _, t := range slices.Backward(all) { // the first version that has it
		if c, err := door.InCatalogs(t, []string{copilot}); err == nil {
			r.target = c
			return
		}
	}
}

// take hands over the news in the input: answers to interrupts, or an action, or else
// the message or results.
func (d *server) take(w http.ResponseWriter, req *http.Request, r *run, s *ui.State) error {
	events, err := d.news(req, r, s)
	if err != nil {
		return err
	}
	if len(events) > 0 && events[0].Model.Kind == jsonx.Null {
		events[0].Model = r.in.Model
	}
	for i, e := range events {
		if len(r.in.tools.Items) > 0 {
			e.Tools = r.in.tools
		}
		rec, err := d.hand(w, req, r, e, i == len(events)-1)
		if err != nil {
			return err
		}
		r.Add(req.Context(), rec, e.Kind == ui.EventAction)
		r.action = e.Action
	}
	return nil
}

// news lists the events of the input, in its order.
func (d *server) news(req *http.Request, r *run, s *ui.State) (events []*ui.Event, err error) {
	open := interrupts(d.Service().App(), s)
	for i, one := range r.in.resumes {
		if err := unasked(open, one); err != nil {
			return nil, door.At(err, fmt.Sprint("/resume/", i))
		}
		e := answer(s, open, one, r.in.run)
		if one.cancelled && e.Action.Component == "" { // a form without that button stays open
			continue
		}
		events = append(events, e)
	}
	if r.in.action != nil {
		return append(events, r.in.action), nil
	}
	switch m := r.in.message; {
	case m != nil && len(events) > 0: // then it may be the newest of before
		known, err := d.Service().Known(req.Context(), r.Conversation, r.Who, m)
		if err != nil {
			return nil, err
		}
		if !known {
			events = append(events, m)
		}
	case m != nil:
		events = append(events, m)
	case r.in.results != nil && len(events) == 0:
		events = append(events, r.in.results)
	}
	return events, nil
}

// hand hands one event over. The answer to an interrupt depends on the state, so that one
// which is sent again is known by its key alone.
func (d *server) hand(w http.ResponseWriter, req *http.Request, r *run, e *ui.Event,
	last bool) (rec session.Receipt, err error) {
	if e.Kind == ui.EventAction && e.Key != "" {
		rec, known, err := d.Service().Keyed(req.Context(), r.Conversation, r.Who, e.Key)
		if known || err != nil {
			return rec, err
		}
	}
	wait, err := d.Take(w, req, r.Conversation, r.Who, e)
	if err != nil {
		return rec, door.OfKey(err, r.in.newest+"/id")
	}
	if rec = wait(req.Context(), 0); !rec.Done && !last {
		rec = wait(req.Context(), waitTurn)
	}
	return rec, nil
}

// stop stops the model in a thread. The run that waits for it ends.
func (d *server) stop(w http.ResponseWriter, req *http.Request) error {
	body, err := d.Body(req)
	if err != nil {
		return err
	}
	v, err := jsonx.Parse(body, jsonx.Limits{Bytes: 4 << 10})
	thread := v.At("threadId").Text()
	if err != nil || thread == "" || len(thread) > maxID {
		return wrong("/threadId", "which thread?", `send {"threadId":…}`)
	}
	who, err := d.Sender(req)
	if err != nil {
		return err
	}
	id := d.find(req, who, thread)
	if id == "" {
		return &ui.Error{Code: conversation.CodeNotFound, Path: "/threadId", Message: "there is no such thread",
			Hint: "a thread begins with its first run"}
	}
	if _, err := d.Take(w, req, id, who, &ui.Event{Kind: ui.EventCancel}); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
