package mcp

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/internal/transport/sse"
	"github.com/limn-ui/limn/ui"
)

// flat reports the types of fields that a question can have.
func flat(f ui.Field) bool {
	switch f.Type {
	case ui.TypeUpload, ui.TypeTags:
		return false
	}
	return true
}

// asks reports whether the fields of a form are asked for, instead of drawing it.
func (t *turn) asks(o opening) bool {
	if !t.elicits || t.apps || t.said.Speaks != nil || t.mark != unsaid || o.form == nil {
		return false
	}
	for _, f := range o.form.Fields {
		if !flat(f) {
			return false
		}
	}
	return true
}

// questionID names a question: its surface with the nonce, the frame after which it was
// asked, and the request that asks. All of it is in the id, so that any node takes the answer,
// and no other conversation does.
func (t *turn) questionID(sf *ui.Surface) string {
	sum := sha256.Sum256(t.visit.message.id)
	return strings.Join([]string{"limn", url.PathEscape(sf.WireID()), sf.Nonce, strconv.FormatUint(t.After, 10),
		base64.RawURLEncoding.EncodeToString(sum[:6])}, " ")
}

// question reads the id of a question: the surface it is about.
func question(id string) (surface, nonce string, ok bool) {
	p := strings.Split(id, " ")
	if len(p) != 5 || p[0] != "limn" || len(id) > maxID {
		return "", "", false
	}
	surface, err := url.PathUnescape(p[1])
	return surface, p[2], err == nil
}

// elicitation is the parameters of a question about a form.
func elicitation(o opening, sf *ui.Surface) map[string]any {
	schema := door.Schema(o.form.Fields)
	for name, p := range schema["properties"].(map[string]any) {
		v, _ := sf.Get(ui.PathOf("draft", name))
		one := p.(map[string]any)
		switch {
		case v.Empty():
		case one["type"] == "number":
			if n, err := strconv.ParseFloat(v.Text(), 64); err == nil {
				one["default"] = n
			}
		default:
			one["default"] = json.RawMessage(v.AppendJSON(nil))
		}
	}
	delete(schema, "additionalProperties")
	said := sf.Title
	if o.form.Help != "" {
		said += "\n" + o.form.Help
	}
	return map[string]any{"mode": "form", "message": said, "requestedSchema": schema}
}

// ask asks the user for the fields of a form: in the stream of the answer, or as the answer,
// which the client repeats its request to.
func (t *turn) ask(o opening, sf *ui.Surface) error {
	id, params := t.questionID(sf), elicitation(o, sf)
	t.silent = true
	if t.modern {
		return t.visit.result(map[string]any{"resultType": "input_required", "requestState": id,
			"inputRequests": map[string]any{"form": map[string]any{"method": "elicitation/create", "params": params}}})
	}
	line := encode(map[string]any{"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params})
	sse.Headers(t.w.Header())
	target := t.target
	if target.Name == "" {
		target = t.Targets()[0]
	}
	return t.Stream(t.w, t.r, deliver.Request{Conversation: t.Conversation, Principal: t.who, Target: target,
		After:   deliver.Cursor{Log: t.log, Seq: t.After, Part: -1, Fingerprint: t.Deliver().Fingerprint(target)}.String(),
		Framing: deliver.Framing{Name: "mcp"}, Private: &asking{t, sf}}, string(door.Event(nil, "", line)))
}

// asking ends the stream of a call with its result as soon as the question is answered.
type asking struct {
	*turn
	about *ui.Surface
}

// Start begins again from the newest state: the surface itself shows the result of the frames
// that were skipped.
func (a *asking) Start(s *ui.State, _ [][]byte, _ string) ([]byte, bool) {
	a.now, a.After = s, s.Seq
	sf := surface(s, a.about.WireID())
	if sf == nil || sf.Status != ui.StatusOpen {
		return a.end()
	}
	return nil, false
}

// Frame ends the stream with the answer to the question.
func (a *asking) Frame(st conversation.Step, _ [][]byte, _ string) ([]byte, bool) {
	f := st.Frame
	is := surface(st.After, a.about.WireID())
	closed := is == nil || is.Status != ui.StatusOpen
	answered := f.Outcome.Surface == a.about.Name && f.Outcome.Kind != ui.OutcomeDone
	if !closed && !answered {
		return nil, false
	}
	a.Add(a.r.Context(), conversation.ReceiptOf(f), false)
	a.outcome = f.Outcome
	a.words = nil
	a.frame(st)
	a.touch(a.about.Name)
	return a.end()
}

func (a *asking) end() ([]byte, bool) {
	a.done = true
	out, err := a.toolResult()
	if err != nil {
		_, _, said := a.refused(a.r, false, err)
		return door.Event(nil, "", append(append(door.Reply(nil, a.id, "error"), encode(said)...), '}')), true
	}
	return door.Event(nil, "", append(append(door.Reply(nil, a.id, "result"), out...), '}')), true
}

// Delta sends nothing.
func (*asking) Delta(conversation.Delta, int) []byte { return nil }

// reaction is the event of an answer: the form is submitted, or canceled, or left open.
func reaction(s *ui.State, id string, result jsonx.Value) (*ui.Event, error) {
	about, nonce, ok := question(id)
	sf := surface(s, about)
	if !ok || sf == nil || sf.Nonce != nonce {
		return nil, &ui.Error{Code: conversation.CodeNotFound, Path: "/id", Message: "this question was not asked",
			Hint: "answer with the id of the question"}
	}
	var e *ui.Event
	switch action := result.At("action").Text(); action {
	case "accept":
		content := result.At("content")
		if content.Kind != jsonx.Object && content.Kind != jsonx.Null {
			return nil, wrong(invalidParams, "/result/content", "not an object", "the fields have names")
		}
		e = door.Press(s, about, builtin.ActionSubmit, content)
	case "decline":
		e = door.Press(s, about, builtin.ActionCancel, jsonx.OfObject())
	case "cancel":
		e = ingress.LeaveEvent(sf.Name)
	default:
		return nil, wrong(invalidParams, "/result/action", "neither accept nor decline nor cancel", "say which")
	}
	return e, nil
}

// answered takes the answer to a question that was asked in a stream.
func (v *visit) answered() error {
	if _, _, ok := question(v.answers); !ok || v.known() == "" { // to a request that was not ours
		v.w.WriteHeader(http.StatusAccepted)
		return nil
	}
	t, err := v.open("")
	if err != nil {
		return err
	}
	if _, err := t.react(v.answers, v.given()); err != nil {
		return err
	}
	v.w.WriteHeader(http.StatusAccepted)
	return nil
}

// given is the answer's result: an error is as good as putting the question off.
func (v *visit) given() jsonx.Value {
	if r := v.message.result; r.Kind == jsonx.Object {
		return r
	}
	return jsonx.OfObject(jsonx.Member{Key: "action", Value: jsonx.Of("cancel")})
}

// react takes the answer to a question. The first one counts.
func (t *turn) react(id string, result jsonx.Value) (rec session.Receipt, err error) {
	key := door.Key("mcp-", id)
	rec, known, err := t.Service().Keyed(t.r.Context(), t.Conversation, t.who, key)
	if err != nil {
		return rec, err
	}
	if known {
		t.sent(rec)
		return rec, nil
	}
	e, err := reaction(t.now, id, result)
	if err != nil {
		return rec, err
	}
	e.Key, t.said.key = key, ""
	rec, wait, err := t.hand(e)
	if err == nil && !rec.Done && wait != nil {
		rec = wait(t.r.Context(), waitTurn)
	}
	return rec, err
}

// resume goes on with a call whose question is answered.
func (t *turn) resume(state string) error {
	given, ok := t.params.At("inputResponses").Get("form")
	if !ok {
		return wrong(invalidParams, "/params/inputResponses/form", "the question is not answered",
			"answer each question")
	}
	if r, ok := given.Get("result"); ok {
		given = r
	}
	rec, err := t.react(state, given)
	if err == nil {
		err = t.follow(t.r.Context(), rec)
	}
	if err != nil {
		return err
	}
	about, _, _ := question(state)
	if sf := surface(t.now, about); sf != nil {
		t.touch(sf.Name)
	}
	t.silent = true
	return t.respond()
}
