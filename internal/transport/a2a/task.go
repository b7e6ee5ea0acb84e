package a2a

import (
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// task is one turn as a client sees it.
type task struct {
	d           *server
	door.Events                 // of the message; the last one is the task's
	action      *ui.ActionEvent // the last one; nil: none, or not known any more
	wire        wire

	target deliver.Target
	mark   string   // of target (door.Mark), or plainMark
	plain  bool     // the client draws nothing
	link   string   // what to say of surfaces then; "": nothing
	lack   *outcome // and why
	uri    string   // of the extension that is active, or ""

	own   uint64 // the frame before those of the events
	log   string // of the conversation
	token string // that a new client is known by from now on
}

// plainMark is the mark of a client that draws nothing, in the id of a task.
const plainMark = "text"

// cursorKey is the member of metadata that says up to which frame a client has everything.
const cursorKey = "limn_cursor"

// id names the conversation, the event, and the drawing.
func (t *task) id() string { return t.Conversation + "_" + string(t.Last()) + "_" + t.mark }

// parseTask reads an id.
func parseTask(id string) (conversation string, event ui.EventID, mark string, ok bool) {
	p := strings.Split(id, "_")
	if len(p) != 3 || len(p[0]) != idLen || len(p[1]) != idLen || len(p[2]) > 32 {
		return "", "", "", false
	}
	return p[0], ui.EventID(p[1]), p[2], true
}

// idLen is how long a UUID is.
const idLen = 36

func (t *task) cursor(seq uint64, print string) string {
	return deliver.Cursor{Log: t.log, Seq: seq, Part: -1, Fingerprint: print}.String()
}

// The states of a task, as protocol 0.3 writes them.
const (
	working   = "working"
	completed = "completed"
	failed    = "failed"
	canceled  = "canceled"
	rejected  = "rejected"
)

// stateOf is the state in which an outcome leaves a task. Each turn ends its task: the next
// message, of the same context, is the next one.
func stateOf(o ui.Outcome) string {
	switch {
	case o.Code == agent.CodeTurnCanceled:
		return canceled
	case o.Kind == ui.OutcomeFailed:
		return failed
	case o.Kind == ui.OutcomeRefused:
		return rejected
	}
	return completed
}

func (w wire) state(s string) string {
	if w == v10 {
		return "TASK_STATE_" + strings.ToUpper(s)
	}
	return s
}

// status is the state of a task, with its words and drawings.
type status struct {
	state   string
	at      time.Time
	parts   []byte // of its message; none: it has no message
	seq     uint64 // which frame the message is of
	cursor  string
	outcome ui.OutcomeKind
}

// ended notes how a task ended.
func (s *status) ended(o ui.Outcome) { s.state, s.outcome = stateOf(o), o.Kind }

// appendStatus writes a status.
func (t *task) appendStatus(dst []byte, s status) []byte {
	dst = jsonx.AppendString(append(dst, `{"state":`...), t.wire.state(s.state))
	dst = jsonx.AppendString(append(dst, `,"timestamp":`...), s.at.UTC().Format("2006-01-02T15:04:05.000Z"))
	if len(s.parts) > 0 {
		dst = append(dst, `,"message":{`...)
		if t.wire == v03 {
			dst = append(dst, `"kind":"message","role":"agent",`...)
		} else {
			dst = append(dst, `"role":"ROLE_AGENT",`...)
		}
		dst = jsonx.AppendString(append(dst, `"messageId":`...), string(t.Last())+"."+itoa(s.seq))
		dst = t.appendIDs(append(dst, ','))
		if t.uri != "" {
			dst = append(jsonx.AppendStrings(append(dst, `,"extensions":`...), []string{t.uri}), ',')
		} else {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, `"parts":[`...), s.parts...), "]}"...)
	}
	return append(dst, '}')
}

func (t *task) appendIDs(dst []byte) []byte {
	dst = jsonx.AppendString(append(dst, `"contextId":`...), t.Conversation)
	return jsonx.AppendString(append(dst, `,"taskId":`...), t.id())
}

func (t *task) appendMetadata(dst []byte, s status) []byte {
	members := []jsonx.Member{}
	if s.cursor != "" {
		members = append(members, jsonx.Member{Key: cursorKey, Value: jsonx.Of(s.cursor)})
	}
	if s.outcome != "" {
		members = append(members, jsonx.Member{Key: "limn_outcome", Value: jsonx.Of(string(s.outcome))})
	}
	if t.token != "" {
		members = append(members, jsonx.Member{Key: "limn_token", Value: jsonx.Of(t.token)})
	}
	if len(members) == 0 {
		return dst
	}
	return jsonx.Append(append(dst, `,"metadata":`...), jsonx.OfObject(members...))
}

// appendTask writes the task as the result of a method that returns one.
func (t *task) appendTask(dst []byte, s status) []byte {
	if dst = append(dst, '{'); t.wire == v03 {
		dst = append(dst, `"kind":"task",`...)
	}
	dst = jsonx.AppendString(append(dst, `"id":`...), t.id())
	dst = jsonx.AppendString(append(dst, `,"contextId":`...), t.Conversation)
	dst = t.appendStatus(append(dst, `,"status":`...), s)
	return append(t.appendMetadata(dst, s), '}')
}

// appendResult writes the task as the result of a method that returns a task or a message.
func (t *task) appendResult(dst []byte, s status) []byte {
	if t.wire == v03 {
		return t.appendTask(dst, s)
	}
	return append(t.appendTask(append(dst, `{"task":`...), s), '}')
}

// appendUpdate writes an event of a stream.
func (t *task) appendUpdate(dst []byte, s status) []byte {
	if t.wire == v03 {
		dst = append(dst, `{"kind":"status-update","final":`...)
		if s.state == working {
			dst = append(dst, "false,"...)
		} else {
			dst = append(dst, "true,"...)
		}
	} else {
		dst = append(dst, `{"statusUpdate":{`...)
	}
	dst = t.appendStatus(append(t.appendIDs(dst), `,"status":`...), s)
	dst = append(t.appendMetadata(dst, s), '}')
	if t.wire == v10 {
		dst = append(dst, '}')
	}
	return dst
}

// updates writes the frames of a task to one client: deliver.Private.
type updates struct {
	task
	rpc []byte // the id of the request
}

// Start sends the newest state, to a client whose place is not in the log any more.
func (u *updates) Start(state *ui.State, messages [][]byte, cursor string) ([]byte, bool) {
	p := &parts{wire: u.wire}
	if !u.plain {
		p.a2ui(u.target.A2UI.Dialect, messages)
	}
	u.After = state.Seq
	s := status{state: working, at: time.Now(), parts: p.b, seq: state.Seq, cursor: cursor}
	rec, over, err := u.Reached(state)
	if over {
		s.ended(rec.Outcome)
	}
	return u.event(s), over || err != nil
}

// Frame sends what one frame says.
func (u *updates) Frame(st conversation.Step, messages [][]byte, cursor string) ([]byte, bool) {
	p := &parts{wire: u.wire}
	ends, err := u.Ends(st.Frame)
	last := ends || err != nil
	u.frame(p, st, messages)
	s := status{state: working, at: st.Frame.At, parts: p.b, seq: st.Frame.Seq, cursor: cursor}
	if ends {
		s.ended(st.Frame.Outcome)
	} else if len(p.b) == 0 {
		return nil, last
	}
	return u.event(s), last
}

func (u *updates) event(s status) []byte {
	line := u.appendUpdate(door.Reply(nil, u.rpc, "result"), s)
	return door.Event(nil, s.cursor, append(line, '}'))
}

// Delta sends nothing: the text of a model comes with its frame.
func (*updates) Delta(conversation.Delta, int) []byte { return nil }
