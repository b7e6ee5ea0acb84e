package agui

import (
	"fmt"
	"strings"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// Bounds of an input.
const (
	maxID      = 256 // bytes of an id
	maxResumes = 16
)

// input is the input of a run.
type input struct {
	thread, run, parent string

	newest  string    // the path of the newest message
	message *ui.Event // that message, if the user wrote it
	results *ui.Event // or the results of tools that it begins, if they are the newest
	action  *ui.Event // sent by a surface
	resumes []resume
	tools   jsonx.Value // that the client offers

	older      bool // the client speaks a protocol before 1.0, which says no version
	interrupts bool // the client takes interrupts
	door.Metadata
}

// nothing reports an input without an event: it asks for the thread.
func (in *input) nothing() bool {
	return in.message == nil && in.results == nil && in.action == nil && len(in.resumes) == 0
}

// resume is the answer to an interrupt.
type resume struct {
	id        string
	cancelled bool
	payload   jsonx.Value
}

func wrong(path, message, hint string) error {
	return wrongAs(ingress.CodeEnvelope, path, message, hint)
}

func wrongAs(code ui.Code, path, message, hint string) error {
	return &ui.Error{Code: code, Path: path, Message: message, Hint: hint}
}

// kinds are the types of members that would else count as missing.
var kinds = []struct {
	name string
	kind jsonx.Kind
}{{"protocolVersion", jsonx.String}, {"messages", jsonx.Array}, {"resume", jsonx.Array}, {"tools", jsonx.Array}}

// decode reads the input of a run.
func decode(body []byte, lim ingress.Limits) (in input, err error) {
	v, err := jsonx.Parse(body, door.JSON(lim))
	if err != nil {
		return in, &ui.Error{Code: ingress.CodeEnvelope, Message: err.Error(), Hint: "send the input of one run"}
	}
	if v.Kind != jsonx.Object {
		return in, wrong("", "not an object", "send the input of one run")
	}
	in.thread, in.run, in.parent = v.At("threadId").Text(), v.At("runId").Text(), v.At("parentRunId").Text()
	if in.thread == "" || in.run == "" || max(len(in.thread), len(in.run), len(in.parent)) > maxID {
		return in, wrong("", "a run has a threadId and a runId, each of at most 256 bytes", "a UUID will do")
	}
	for _, want := range kinds {
		if m := v.At(want.name); m.Kind != want.kind && m.Kind != jsonx.Null {
			return in, wrong("/"+want.name, fmt.Sprintf("want a value of the type %s", want.kind),
				"send the input of one run")
		}
	}
	major, _, _ := strings.Cut(v.At("protocolVersion").Text(), ".")
	if in.older = major == "" || major == "0"; !in.older && major != "1" {
		return in, wrong("/protocolVersion", "this version of AG-UI is not spoken here", "1.0 is")
	}
	props := v.At("forwardedProps")
	in.interrupts = props.At("limn_interrupts").Bool
	if err := in.ReadMetadata(props, lim); err != nil {
		return in, wrong("/forwardedProps", err.Error(), door.AsGiven)
	}
	if a, ok := props.Get("a2uiAction"); ok && a.Kind != jsonx.Null {
		if in.action, err = ingress.DecodeEnvelope(jsonx.Append(nil, a), lim); err != nil {
			return in, door.At(err, "/forwardedProps/a2uiAction")
		}
		door.Reported(in.action, "agui")
		if in.action.Kind != ui.EventAction && in.action.Kind != ui.EventError {
			return in, wrong("/forwardedProps/a2uiAction", "neither an action nor an error",
				"shared drafts have a stream of their own")
		}
	}
	if err := in.readResumes(v.At("resume")); err != nil {
		return in, err
	}
	if _, err := agent.ClientTools(v.At("tools")); err != nil {
		e := ui.AsError(err, ingress.CodeEnvelope, "")
		return in, wrong("/tools"+e.Path, e.Message, e.Hint)
	}
	in.tools = v.At("tools")
	return in, in.readMessages(v.At("messages").Items, lim)
}

// readMessages reads the news among the messages: the last one, or the results of tools at
// their end.
func (in *input) readMessages(list []jsonx.Value, lim ingress.Limits) error {
	n := len(list)
	if n == 0 {
		return nil
	}
	path := fmt.Sprintf("/messages/%d", n-1)
	in.newest = path
	if err := in.ReadMetadata(list[n-1].At("metadata"), lim); err != nil {
		return wrong(path+"/metadata", err.Error(), door.AsGiven)
	}
	first := n
	for first > 0 && list[first-1].At("role").Text() == "tool" {
		first--
	}
	if first < n {
		return in.readResults(list[first:], first)
	}
	return in.readMessage(list[n-1], lim, path)
}

// readResults makes the event of the results of calls, which are messages from a number on.
func (in *input) readResults(list []jsonx.Value, from int) error {
	if len(list) > agent.MaxClientTools {
		return wrong("/messages", "more results than calls can wait for", "send those of the last run")
	}
	results, ids := jsonx.OfArray(), []string{"results"}
	for i, m := range list {
		path := fmt.Sprintf("/messages/%d", from+i)
		id, content := m.At("toolCallId").Text(), m.At("content").Text()
		for _, part := range m.At("content").Items {
			content += part.At("text").Text()
		}
		if e := m.At("error").Text(); e != "" {
			content = strings.TrimSpace("Error: " + e + "\n" + content)
		}
		if id == "" || len(id) > maxID {
			return wrong(path+"/toolCallId", "which call?", "repeat the id of TOOL_CALL_START")
		}
		if len(content) > agent.MaxClientResult {
			return wrong(path+"/content", "a result of more than 32 KiB", "send less")
		}
		ids = append(ids, id)
		results.Items = append(results.Items, jsonx.OfObject(jsonx.Member{Key: "id", Value: jsonx.Of(id)},
			jsonx.Member{Key: "content", Value: jsonx.Of(content)}))
	}
	in.results = &ui.Event{Kind: ui.EventReply, Results: results, Key: door.Key("agui-", ids...)}
	return nil
}

// readMessage makes the event of a message that the user wrote; others are passed over.
func (in *input) readMessage(m jsonx.Value, lim ingress.Limits, path string) (err error) {
	if m.At("role").Text() != "user" {
		return nil
	}
	content := m.At("content")
	text := content.Text()
	for i, part := range content.Items {
		if part.At("type").Text() != "text" {
			return wrong(fmt.Sprintf("%s/content/%d", path, i), "only text is taken",
				"an upload field of a form takes files")
		}
		text += part.At("text").Text()
	}
	if in.message, err = ingress.MessageEvent(text, lim); err != nil {
		if e, ok := err.(*ui.Error); ok {
			return wrongAs(e.Code, path+"/content", e.Message, e.Hint)
		}
		return err
	}
	id := m.At("id").Text()
	if id == "" || len(id) > maxID {
		return wrong(path+"/id", "a message has an id of at most 256 bytes", "a UUID will do")
	}
	in.message.Key = door.Key("agui-", "message", id)
	return nil
}

func (in *input) readResumes(list jsonx.Value) error {
	if len(list.Items) > maxResumes {
		return wrong("/resume", "more than 16 answers", "there are never as many interrupts")
	}
	for i, v := range list.Items {
		r := resume{id: v.At("interruptId").Text(), payload: v.At("payload")}
		switch v.At("status").Text() {
		case "resolved":
		case "cancelled":
			r.cancelled = true
		default:
			return wrong(fmt.Sprintf("/resume/%d/status", i), "neither resolved nor cancelled", "say which")
		}
		if r.id == "" || len(r.id) > maxID || r.payload.Kind != jsonx.Object && r.payload.Kind != jsonx.Null {
			return wrong(fmt.Sprintf("/resume/%d", i), "want an interruptId, and a payload that is an object",
				"the responseSchema of the interrupt says which members")
		}
		in.resumes = append(in.resumes, r)
	}
	return nil
}
