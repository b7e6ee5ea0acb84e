package agui

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// run writes the events of one run: deliver.Private.
type run struct {
	d           *server
	in          input
	door.Events                 // of the input; the last one ends the run
	action      *ui.ActionEvent // the last one; nil: none, or not known any more

	drawing

	log   string
	token string // that a new client is known by

	said  said
	known []entry   // the surfaces in the state that the client has; nil: it has none
	again *replay   // nil: the run is live
	head  *ui.State // as the run began
}

// drawing is how a client draws.
type drawing struct {
	target deliver.Target
	plain  bool   // the client draws nothing
	link   string // what to say of surfaces then; "": nothing
}

// replay is about the frames of a run that is over: a surface that several of them change is sent once.
type replay struct {
	drawn map[ui.Name]uint64 // the last frame that changes a surface
	state *ui.State          // the newest one
}

// said is the text of a model's answer that is streamed.
type said struct {
	event  ui.EventID
	try    int
	text   string
	broken bool // it began again: the frame has all of it
}

// emit appends one event.
func emit(dst []byte, cursor string, v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // strings, and JSON of ours
	}
	if cursor != "" {
		dst = append(append(append(dst, "id: "...), cursor...), '\n')
	}
	return append(append(append(dst, "data: "...), bytes.TrimRight(b.Bytes(), "\n")...), "\n\n"...)
}

type started struct {
	Type     string `json:"type"`
	Thread   string `json:"threadId"`
	Run      string `json:"runId"`
	Parent   string `json:"parentRunId,omitempty"`
	Metadata any    `json:"metadata,omitempty"`
}

func (r *run) start() []byte {
	e := started{Type: "RUN_STARTED", Thread: r.in.thread, Run: r.in.run, Parent: r.in.parent}
	if r.token != "" {
		e.Metadata = map[string]string{"limn_token": r.token}
	}
	return emit(nil, "", e)
}

// textEvent is one of the events of a text.
type textEvent struct {
	Type    string `json:"type"`
	Message string `json:"messageId"`
	Role    string `json:"role,omitempty"`
	Delta   string `json:"delta,omitempty"`
}

func text(dst []byte, id, s string) []byte {
	dst = emit(dst, "", textEvent{Type: "TEXT_MESSAGE_START", Message: id, Role: "assistant"})
	dst = emit(dst, "", textEvent{Type: "TEXT_MESSAGE_CONTENT", Message: id, Delta: s})
	return emit(dst, "", textEvent{Type: "TEXT_MESSAGE_END", Message: id})
}

// operations are the content of an activity.
type operations struct {
	List []json.RawMessage `json:"a2ui_operations"`
}

const activityType = "a2ui-surface"

type activity struct {
	Type    string     `json:"type,omitempty"`
	Message string     `json:"messageId,omitempty"`
	ID      string     `json:"id,omitempty"`
	Role    string     `json:"role,omitempty"`
	Kind    string     `json:"activityType"`
	Replace bool       `json:"replace,omitempty"`
	Content operations `json:"content"`
}

func activityID(surface string) string { return activityType + "-" + surface }

// drawn is the operations that draw one surface of a state.
func (r *run) drawn(s *ui.State, sf *ui.Surface) operations {
	alone := *s
	alone.Surfaces, alone.Failed, alone.Router.Calls = []*ui.Surface{sf}, nil, nil // calls are sent once
	messages, err := r.d.Deliver().Render(r.target, &alone)
	if err != nil {
		return operations{List: []json.RawMessage{}}
	}
	return list(messages)
}

func list(messages [][]byte) operations {
	out := operations{List: make([]json.RawMessage, len(messages))}
	for i, m := range messages {
		out.List[i] = m
	}
	return out
}

func (r *run) surface(dst []byte, id string, content operations) []byte {
	return emit(dst, "", activity{Type: "ACTIVITY_SNAPSHOT", Message: activityID(id), Kind: activityType,
		Replace: true, Content: content})
}

// surfaces sends the surfaces that a frame changed, each as it is in the newest state. One that
// is gone keeps an activity with nothing but its end.
func (r *run) surfaces(dst []byte, st conversation.Step, newest *ui.State, messages [][]byte) []byte {
	if r.plain {
		if len(messages) > 0 && r.link != "" {
			dst = text(dst, fmt.Sprint("link-", st.Frame.Seq), r.link)
		}
		return dst
	}
	if st.Frame.Rebuild != nil && r.Owns(st.Frame.Event) { // the client shows something else than the state
		for _, sf := range newest.Surfaces {
			dst = r.surface(dst, sf.WireID(), r.drawn(newest, sf))
		}
		return dst
	}
	for _, c := range st.Frame.Changes {
		before, after, now := st.Before.Surface(c.Surface), st.After.Surface(c.Surface), newest.Surface(c.Surface)
		dst = r.gone(dst, before, after)
		if r.again != nil && r.again.drawn[c.Surface] != st.Frame.Seq {
			continue
		}
		if dst = r.gone(dst, after, now); now != nil {
			dst = r.surface(dst, now.WireID(), r.drawn(newest, now))
		}
	}
	return dst
}

// gone sends the end of a surface that was there, unless it is there now.
func (r *run) gone(dst []byte, was, now *ui.Surface) []byte {
	if was == nil || now != nil && now.Epoch == was.Epoch {
		return dst
	}
	end, err := r.d.Deliver().Gone(r.target, was)
	if err != nil {
		return dst
	}
	return r.surface(dst, was.WireID(), list([][]byte{end}))
}

// calls sends the calls that a frame leaves to the client. Those that have their results by
// now are not sent again, or they would be carried out again.
func (r *run) calls(dst []byte, st conversation.Step) []byte {
	if st.After.Router.ToolCalls.IsNull() || st.After.Router.ToolCalls.Equal(st.Before.Router.ToolCalls) ||
		st.Frame.Seq <= r.head.Seq && !st.After.Router.ToolCalls.Equal(r.head.Router.ToolCalls) {
		return dst
	}
	list, _ := agent.Waits(&st.After.Router)
	for _, c := range list {
		dst = emit(dst, "", callEvent{Type: "TOOL_CALL_START", Call: c.ID, Name: c.Tool,
			Parent: string(st.Frame.Event)})
		dst = emit(dst, "", callEvent{Type: "TOOL_CALL_ARGS", Call: c.ID, Delta: c.Arguments})
		dst = emit(dst, "", callEvent{Type: "TOOL_CALL_END", Call: c.ID})
	}
	return dst
}

// callEvent is one of the events of a call.
type callEvent struct {
	Type   string `json:"type"`
	Call   string `json:"toolCallId"`
	Name   string `json:"toolCallName,omitempty"`
	Parent string `json:"parentMessageId,omitempty"`
	Delta  string `json:"delta,omitempty"`
}

// message is an entry of the transcript.
type message struct {
	ID      string `json:"id"`
	Role    string `json:"role"`
	Content string `json:"content"`
	Calls   []any  `json:"toolCalls,omitempty"`
}

// waiting is the message with the calls that wait for their results.
func waiting(s *ui.State) (m message, ok bool) {
	list, _ := agent.Waits(&s.Router)
	for _, c := range list {
		m.Calls = append(m.Calls, map[string]any{"id": c.ID, "type": "function",
			"function": map[string]string{"name": c.Tool, "arguments": c.Arguments}})
		m.ID, m.Role = c.ID, "assistant"
	}
	return m, len(list) > 0
}

// messages sends everything: the transcript, and after it the surfaces. What a client that
// takes interrupts has to answer follows as an activity: assistant-ui keeps an interrupt only
// if its run shows something after the snapshot.
func (r *run) messages(dst []byte, s *ui.State) []byte {
	all, after := []any{}, []byte(nil)
	for i, e := range s.Transcript {
		role := "assistant"
		if e.Role == ui.RoleUser {
			role = "user"
		}
		all = append(all, message{ID: fmt.Sprintf("limn-%d-%d", e.Seq, i), Role: role, Content: e.Text})
	}
	if m, ok := waiting(s); ok {
		all = append(all, m)
	}
	var open []interrupt
	if r.in.interrupts {
		open = interrupts(r.d.Service().App(), s)
	}
	for _, sf := range s.Surfaces {
		switch waits := slices.ContainsFunc(open, func(o interrupt) bool { return o.surface == sf }); {
		case r.plain:
		case waits:
			after = r.surface(after, sf.WireID(), r.drawn(s, sf))
		default:
			all = append(all, activity{ID: activityID(sf.WireID()), Role: "activity", Kind: activityType,
				Content: r.drawn(s, sf)})
		}
	}
	return append(emit(dst, "", map[string]any{"type": "MESSAGES_SNAPSHOT", "messages": all}), after...)
}

// finish ends the run with an outcome.
func (r *run) finish(dst []byte, cursor string, s *ui.State, o ui.Outcome) []byte {
	if r.known == nil {
		dst = r.state(dst, s)
	}
	if o.Kind == ui.OutcomeRefused || o.Kind == ui.OutcomeFailed && o.Code != agent.CodeTurnCanceled {
		return emit(dst, cursor, failed(o.Code, cmp.Or(o.Message, o.Detail, string(o.Code))))
	}
	end := map[string]any{"type": "RUN_FINISHED", "threadId": r.in.thread, "runId": r.in.run,
		"result":  map[string]any{"conversation": r.Conversation, "outcome": o.Kind, "code": o.Code},
		"outcome": map[string]any{"type": "success"}}
	stopped := o.Code == agent.CodeTurnCanceled
	if stopped && r.in.older || !s.Router.ToolCalls.IsNull() {
		// the protocol before 1.0 knows no such outcome, and refuses it; and assistant-ui carries calls
		// out only if a run does not say how it ended
		delete(end, "outcome")
	} else if stopped {
		end["outcome"] = map[string]any{"type": "cancelled"}
	} else if open := interrupts(r.d.Service().App(), s); r.in.interrupts && len(open) > 0 {
		end["outcome"] = map[string]any{"type": "interrupt", "interrupts": open}
	}
	return emit(dst, cursor, end)
}

// failed is a RUN_ERROR.
func failed(code ui.Code, message string) any {
	return map[string]any{"type": "RUN_ERROR", "message": message, "code": code}
}

// Start sends everything, to a client whose place is not in the log any more.
func (r *run) Start(s *ui.State, _ [][]byte, cursor string) (out []byte, last bool) {
	if r.said.text != "" {
		out = emit(out, "", textEvent{Type: "TEXT_MESSAGE_END", Message: string(r.said.event)})
	}
	r.After, r.known, r.said = s.Seq, nil, said{broken: true}
	out = r.state(r.messages(out, s), s)
	rec, over, err := r.Reached(s)
	if over {
		out = r.finish(out, cursor, s, rec.Outcome)
	}
	return out, over || err != nil
}

// Frame sends what one frame says and draws.
func (r *run) Frame(st conversation.Step, messages [][]byte, cursor string) (out []byte, last bool) {
	f, newest := st.Frame, st.After
	if r.again != nil {
		newest = r.again.state
	}
	own := r.Owns(f.Event)
	if r.known == nil && r.again == nil {
		out = r.state(out, st.Before)
	}
	if own || !door.AnswersUser(st) {
		out = r.words(out, st, own)
		for _, toast := range f.Toasts {
			out = emit(out, "", map[string]any{"type": "CUSTOM", "name": "limn_toast", "value": toast})
		}
	}
	if own {
		out = r.calls(out, st)
	}
	out = r.functions(r.surfaces(out, st, newest, messages), st, own)
	ends, err := r.Ends(f)
	if r.again == nil || ends {
		out = r.state(out, newest)
	}
	if ends {
		out = r.finish(out, cursor, newest, f.Outcome)
	}
	return out, ends || err != nil
}

// functions sends calls of functions of the client, and the result of a function that the client
// called, as a separate activity. A run that is sent again has them again, under the same ids.
func (r *run) functions(dst []byte, st conversation.Step, own bool) []byte {
	var messages [][]byte
	if !r.plain {
		messages = r.d.Deliver().Calls(r.target, st.Before, st.After)
	}
	if own && st.Frame.Event == r.Last() {
		if line, ok := door.Returned(st.Frame.Outcome, r.action); ok {
			messages = append(messages, line)
		}
	}
	if len(messages) == 0 {
		return dst
	}
	return r.surface(dst, fmt.Sprint("functions-", st.Frame.Seq), list(messages))
}

// words sends the text of a frame, or the rest of it if a part was streamed.
func (r *run) words(dst []byte, st conversation.Step, own bool) []byte {
	f, id := st.Frame, string(st.Frame.Event)
	if r.said.event == f.Event && r.said.text != "" {
		rest, ok := strings.CutPrefix(f.Text, r.said.text)
		if ok = ok && !r.said.broken; ok && rest != "" {
			dst = emit(dst, "", textEvent{Type: "TEXT_MESSAGE_CONTENT", Message: id, Delta: rest})
		}
		dst = emit(dst, "", textEvent{Type: "TEXT_MESSAGE_END", Message: id})
		if !ok { // the model took its first words back
			dst = r.messages(dst, st.After)
		}
		return dst
	}
	if f.Text != "" {
		dst = text(dst, id, f.Text)
	}
	if o := f.Outcome; own && o.Kind == ui.OutcomeAsked && o.Message != "" && o.Message != f.Text {
		dst = text(dst, id+".asked", o.Message)
	}
	return dst
}

// Delta sends the text that a model has added.
func (r *run) Delta(d conversation.Delta, from int) (out []byte) {
	piece := d.Text[from:]
	if !r.Owns(d.Event) || piece == "" || r.said.broken {
		return nil
	}
	if r.said.text == "" && from == 0 {
		r.said = said{event: d.Event, try: d.Try}
		out = emit(out, "", textEvent{Type: "TEXT_MESSAGE_START", Message: string(d.Event), Role: "assistant"})
	} else if d.Event != r.said.event || d.Try != r.said.try || from != len(r.said.text) {
		r.said.broken = true
		return nil
	}
	r.said.text += piece
	return emit(out, "", textEvent{Type: "TEXT_MESSAGE_CONTENT", Message: string(d.Event), Delta: piece})
}
