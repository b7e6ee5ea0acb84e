package a2a

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/limn-ui/limn/a2ui/a2a"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/internal/transport/sse"
	"github.com/limn-ui/limn/ui"
)

// How long a call waits.
const (
	waitTurn   = 60 * time.Second // for a task that is not streamed
	waitCancel = 10 * time.Second
)

// call answers one JSON-RPC request.
func (d *server) call(w http.ResponseWriter, r *http.Request) error {
	body, err := d.Body(r)
	req := request{id: []byte("null")}
	if err == nil {
		req, err = decode(body, d.Limits())
	}
	if err == nil {
		err = checkVersion(r)
	}
	if err == nil {
		err = d.answer(w, r, req)
	}
	if err != nil {
		return d.fail(w, r, req, err)
	}
	return nil
}

func (d *server) answer(w http.ResponseWriter, r *http.Request, req request) error {
	switch req.op {
	case opSend, opStream:
		return d.send(w, r, req)
	case opGet:
		return d.get(w, r, req)
	case opCancel:
		return d.cancel(w, r, req)
	case opSubscribe:
		return d.subscribe(w, r, req)
	case opPush:
		return wrong(noPush, "/method", "there are no push notifications", "stream, or ask for the task")
	case opCard:
		return wrong(noExtendedCard, "/method", "there is no other card", "GET "+cardPath)
	}
	return wrong(unsupported, "/method", "tasks are not listed", "a context is a conversation, and each turn a task")
}

// send takes a message, and answers with its task or a stream of it.
func (d *server) send(w http.ResponseWriter, r *http.Request, req request) error {
	in, err := decodeMessage(req.params, d.Limits())
	if err != nil {
		return err
	}
	t := &task{d: d, wire: req.wire}
	d.choose(r, t, in)
	if err := d.enter(w, r, t, in); err != nil {
		return err
	}
	answer, err := d.take(w, r, t, in)
	if err != nil {
		return err
	}
	if t.uri != "" {
		w.Header().Set(header(req.wire), t.uri)
	}
	if req.op == opStream {
		return d.stream(w, r, t, req)
	}
	if !in.noWait {
		answer(r.Context(), waitTurn)
	}
	return d.whole(w, r, t, req, (*task).appendResult)
}

// header is the name of the header for extensions.
func header(w wire) string {
	if w == v10 {
		return "A2A-Extensions"
	}
	return a2a.Header
}

// choose finds the drawing for a client: by the capabilities that it sent, or else by the
// extension that it asks for. Without either it draws nothing.
func (d *server) choose(r *http.Request, t *task, in incoming) {
	targets := d.Targets()
	var err error
	switch {
	case in.Speaks != nil:
		t.target, err = door.Choose(targets, in.Speaks)
		if err == nil {
			t.target, err = door.Speaks(d.Service().App(), t.target, in.Speaks)
		}
		if err != nil {
			said := d.Refusal(r, err)
			t.lack = &outcome{Code: said.Code, Hint: said.Message}
			t.link = said.Message
			for _, one := range targets {
				if one.HTML != nil {
					t.link = "" // the address of the page is known once the conversation is
				}
			}
		}
	default:
		asked := a2a.Requested(append(r.Header.Values(a2a.Header), r.Header.Values("A2A-Extensions")...)...)
		uri := a2a.Activate(append(asked, in.wants...), d.advertised)
		err = errors.New("not asked for")
		for _, one := range door.Newest(targets) {
			if uri != "" && a2a.ExtensionURI(one.A2UI.Dialect) == uri {
				t.target, err = one, nil
				break
			}
		}
	}
	if t.plain = err != nil; !t.plain {
		t.uri = a2a.ExtensionURI(t.target.A2UI.Dialect)
		t.mark = door.Mark(targets, t.target)
	} else {
		d.drawPlain(t)
	}
}

// drawPlain makes a task one of a client that draws nothing: frames are drawn all the same,
// to know when there is something to see.
func (d *server) drawPlain(t *task) {
	t.plain, t.mark = true, plainMark
	if all := door.Newest(d.Targets()); len(all) > 0 {
		t.target = all[0]
	} else {
		t.target = d.Targets()[0]
	}
}

// enter finds the conversation of a message, or begins one.
func (d *server) enter(w http.ResponseWriter, r *http.Request, t *task, in incoming) error {
	if in.task != "" {
		of, event, _, ok := parseTask(in.task)
		if !ok || in.context != "" && in.context != of {
			return noTask("/params/message/taskId")
		}
		who, err := d.Sender(r)
		if err != nil {
			return err
		}
		_, known, err := d.Service().Receipt(r.Context(), of, who, event)
		if err != nil || !known {
			return orNoTask(err, "/params/message/taskId")
		}
		return wrong(unsupported, "/params/message/taskId", "a task takes one message, which it had",
			"leave taskId out: contextId says which conversation goes on")
	}
	id, who := in.context, ""
	if id == "" {
		begun, err := d.Begin(w, r, in.key)
		if err != nil {
			return err
		}
		id, who, t.token = begun.ID, begun.Who, begun.Token
	} else {
		var err error
		if who, err = d.Sender(r); err != nil {
			return err
		}
	}
	h, err := d.Service().Head(r.Context(), id, who)
	if ui.CodeOf(err) == conversation.CodeNotFound {
		return &fault{invalidParams, &ui.Error{Code: conversation.CodeNotFound, Path: "/params/message/contextId",
			Message: "there is no such context", Hint: "leave contextId out to begin a conversation"}}
	}
	if err != nil {
		return err
	}
	t.Events, t.log = door.NewEvents(d.Service(), id, who, h.State.Seq), h.Log
	if t.lack != nil && t.link == "" {
		t.link = d.Address(r, "/c/"+t.Conversation)
	}
	return nil
}

// noTask is what an unknown task is answered with.
func noTask(path string) error {
	return &fault{taskNotFound, &ui.Error{Code: conversation.CodeNotFound, Path: path, Message: "there is no such task",
		Hint: "its id is in the answer to the message"}}
}

func orNoTask(err error, path string) error {
	if err == nil || ui.CodeOf(err) == conversation.CodeNotFound {
		return noTask(path)
	}
	return err
}

// take hands the events of a message over, one after the other. It returns what waits for
// the receipt of the last one.
func (d *server) take(w http.ResponseWriter, r *http.Request, t *task, in incoming) (answer door.Answer, err error) {
	for i, e := range in.events {
		if answer, err = d.Take(w, r, t.Conversation, t.Who, e); err != nil {
			return nil, door.OfKey(err, "/params/message/messageId")
		}
		rec := answer(r.Context(), 0)
		if !rec.Done && i < len(in.events)-1 {
			rec = answer(r.Context(), waitTurn)
		}
		t.Add(r.Context(), rec, e.Kind == ui.EventAction)
		t.action = e.Action
	}
	d.resume(t, in.cursor)
	return answer, nil
}

// resume lets a client have the frames after its cursor, if that is before those sent
// anyway.
func (d *server) resume(t *task, cursor string) {
	t.own = t.After
	if c, ok := deliver.ParseCursor(cursor); ok && c.Log == t.log && c.Seq < t.After &&
		c.Fingerprint == d.Deliver().Fingerprint(t.target) {
		t.After = c.Seq
	}
}

// whole answers with the task, once it is over or waiting was.
func (d *server) whole(w http.ResponseWriter, r *http.Request, t *task, req request,
	write func(*task, []byte, status) []byte) error {
	s, err := d.status(r.Context(), t)
	if err != nil {
		return err
	}
	line := write(t, door.Reply(nil, req.id, "result"), s)
	return door.WriteJSON(w, http.StatusOK, append(line, '}'))
}

// maxCatchUp bounds the bytes of frames in one answer.
const maxCatchUp = 4 << 20

// status is a task so far: its state, and the words and drawings after t.After. Of more than
// maxCatchUp, and of frames that are trimmed, it has the last words and the newest drawings.
func (d *server) status(ctx context.Context, t *task) (status, error) {
	s := status{state: working, at: time.Now()}
	p := &parts{wire: t.wire}
	var newest *ui.State // nil: all drawings fit
	for {
		steps, err := d.Service().Steps(ctx, t.Conversation, t.After, page)
		if ui.CodeOf(err) == conversation.CodeTrimmed {
			h, err := d.Service().Head(ctx, t.Conversation, t.Who)
			if err != nil {
				return s, err
			}
			newest = h.State
			if t.After < t.own {
				t.After = t.own
				continue
			}
			t.After = newest.Seq
			break
		}
		if err != nil {
			return s, err
		}
		for _, st := range steps {
			if len(p.b) > maxCatchUp {
				newest, p.b = st.After, nil
			}
			var messages [][]byte
			if newest == nil || t.plain {
				if messages, err = d.Deliver().Messages(t.target, st); err != nil {
					return s, err
				}
			} else {
				newest = st.After
			}
			t.frame(p, st, messages)
			t.After, s.at = st.Frame.Seq, st.Frame.At
			if ends, _ := t.Ends(st.Frame); ends { // after an error Over looks again
				s.ended(st.Frame.Outcome)
			}
		}
		if len(steps) < page {
			break
		}
	}
	if newest != nil && !t.plain {
		messages, err := t.redrawn(newest)
		if err != nil {
			return s, err
		}
		p.a2ui(t.target.A2UI.Dialect, messages)
	}
	if s.state == working { // its frame may be before, or trimmed
		if rec, over, _ := t.Over(ctx); over && rec.Seq <= t.After {
			s.ended(rec.Outcome)
		}
	}
	s.parts, s.seq = p.b, t.After
	s.cursor = t.cursor(t.After, d.Deliver().Fingerprint(t.target))
	return s, nil
}

// page is how many steps are read at once.
const page = 64

// redrawn is a whole state for a client that shows another one.
func (t *task) redrawn(s *ui.State) ([][]byte, error) {
	target := t.target
	target.A2UI.Flags |= compile.DeleteFirst
	return t.d.Deliver().Render(target, s)
}

// stream answers with the task, and then with each update until its end.
func (d *server) stream(w http.ResponseWriter, r *http.Request, t *task, req request) error {
	print := d.Deliver().Fingerprint(t.target)
	first := status{state: working, at: time.Now(), cursor: t.cursor(t.After, print)}
	hello := func(s status) string {
		return string(door.Event(nil, s.cursor, append(t.appendResult(door.Reply(nil, req.id, "result"), s), '}')))
	}
	rec, over, err := t.Over(r.Context())
	if err != nil {
		return err
	}
	if over && rec.Seq <= t.After { // the client has all of it
		first.ended(rec.Outcome)
		return sse.Answer(w, []byte(hello(first)))
	}
	if over { // most turns are over by now: their connection is kept
		if out, ok := d.updates(r.Context(), &updates{*t, req.id}); ok {
			return sse.Answer(w, append([]byte(hello(first)), out...))
		}
	}
	sse.Headers(w.Header())
	err = d.Stream(w, r, deliver.Request{Conversation: t.Conversation, Principal: t.Who, Target: t.target,
		After: first.cursor, Framing: deliver.Framing{Name: "a2a"}, Private: &updates{*t, req.id}}, hello(first))
	if errors.Is(err, deliver.ErrEnded) {
		return sse.Answer(w, []byte(hello(first)))
	}
	return err
}

// updates is all events of a task that is over; no: its frames are trimmed, or more than maxCatchUp.
func (d *server) updates(ctx context.Context, u *updates) (out []byte, ok bool) {
	for at := u.After; ; {
		steps, err := d.Service().Steps(ctx, u.Conversation, at, page)
		if err != nil || len(steps) == 0 {
			return nil, false
		}
		for _, st := range steps {
			messages, err := d.Deliver().Messages(u.target, st)
			if err != nil {
				return nil, false
			}
			events, last := u.Frame(st, messages, u.task.cursor(st.Frame.Seq, d.Deliver().Fingerprint(u.target)))
			if out = append(out, events...); last {
				return out, true
			}
			at = st.Frame.Seq
		}
		if len(out) > maxCatchUp {
			return nil, false
		}
	}
}

// find looks a task up for a request about it.
func (d *server) find(r *http.Request, req request) (*task, error) {
	const path = "/params/id"
	id, event, mark, ok := parseTask(cmp.Or(req.params.At("id").Text(), req.params.At("taskId").Text()))
	if !ok {
		return nil, noTask(path)
	}
	who, err := d.Sender(r)
	if err != nil {
		return nil, err
	}
	h, err := d.Service().Head(r.Context(), id, who)
	if err != nil {
		return nil, orNoTask(err, path)
	}
	rec, known, err := d.Service().Receipt(r.Context(), id, who, event) // after h: a frame between both is sent
	if err != nil || !known {
		return nil, orNoTask(err, path)
	}
	t := &task{d: d, Events: door.NewEvents(d.Service(), id, who, h.State.Seq), wire: req.wire, mark: mark, log: h.Log}
	t.Add(r.Context(), rec, true)
	if t.target, ok = door.Marked(d.Targets(), mark); ok {
		t.uri = a2a.ExtensionURI(t.target.A2UI.Dialect)
	} else {
		d.drawPlain(t)
	}
	return t, nil
}

// get answers what became of a task.
func (d *server) get(w http.ResponseWriter, r *http.Request, req request) error {
	t, err := d.find(r, req)
	if err != nil {
		return err
	}
	return d.whole(w, r, t, req, (*task).appendTask)
}

// subscribe streams a task from a cursor on, or else all of its answer.
func (d *server) subscribe(w http.ResponseWriter, r *http.Request, req request) error {
	t, err := d.find(r, req)
	if err != nil {
		return err
	}
	cursor := cmp.Or(req.params.At("metadata").At(cursorKey).Text(), r.Header.Get("Last-Event-ID"))
	c, ok := deliver.ParseCursor(cursor)
	if ok && c.Log == t.log && c.Fingerprint == d.Deliver().Fingerprint(t.target) {
		t.After = c.Seq
	}
	return d.stream(w, r, t, req)
}

// cancel stops the turn of a task, and with it whatever a model does in its conversation.
func (d *server) cancel(w http.ResponseWriter, r *http.Request, req request) error {
	t, err := d.find(r, req)
	if err != nil {
		return err
	}
	if _, over, _ := t.Over(r.Context()); over {
		return wrong(taskNotCancelable, "/params/id", "the task is over", "ask for it: it has its answer")
	}
	if _, err := d.Take(w, r, t.Conversation, t.Who, &ui.Event{Kind: ui.EventCancel}); err != nil {
		return err
	}
	d.await(r.Context(), t)
	return d.whole(w, r, t, req, (*task).appendTask)
}

// await waits until a task is over, but not for long.
func (d *server) await(ctx context.Context, t *task) {
	ctx, cancel := context.WithTimeout(ctx, waitCancel)
	defer cancel()
	woken, leave := d.Service().Subscribe(t.Conversation)
	defer leave()
	for {
		if _, over, _ := t.Over(context.WithoutCancel(ctx)); over {
			return
		}
		select {
		case <-woken:
		case <-d.Stopping():
			return
		case <-ctx.Done():
			return
		}
	}
}

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }
