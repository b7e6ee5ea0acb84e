package ingress

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

const (
	reserved  = "limn_"  // how the context keys begin that Limn puts into every action
	leafKey   = "v"      // the one key of a v0.8 leaf
	zeroWidth = "\u200b" // the guard at the end of JSON-looking text
)

// DecodeMessage reads {"text": "…"}, and the data models beside it; see takeModel. Errors are
// CodeEnvelope and CodeTooLarge, as those of all that decode here.
func DecodeMessage(body []byte, lim Limits) (*ui.Event, error) {
	lim = lim.withDefaults()
	v, err := jsonx.Parse(body, lim.withModels())
	if err != nil {
		return nil, jsonError(err)
	}
	model, err := takeModel(&v, lim)
	if err != nil {
		return nil, err
	}
	text, ok := v.Get("text")
	path := "/text"
	for _, m := range v.Members {
		if m.Key != "text" {
			path = "/" + excerpt.Head(m.Key, 64)
		}
	}
	if !ok || text.Kind != jsonx.String || len(v.Members) != 1 {
		return nil, &ui.Error{Code: CodeEnvelope, Path: path,
			Message: "want an object with the one key text, a string, and metadata if there are any",
			Hint:    `send {"text":"…"}`}
	}
	e, err := MessageEvent(text.Str, lim)
	if err == nil {
		e.Model = model
	}
	return e, err
}

// DecodeOpening reads the body that creates a conversation: nothing, which is nil, or as
// DecodeMessage the first message.
func DecodeOpening(body []byte, lim Limits) (*ui.Event, error) {
	lim = lim.withDefaults()
	v, err := jsonx.Parse(body, lim.withModels())
	if err != nil {
		return nil, jsonError(err)
	}
	if _, err := takeModel(&v, lim); err != nil {
		return nil, err
	}
	if v.Kind == jsonx.Null || v.Kind == jsonx.Object && len(v.Members) == 0 {
		return nil, nil
	}
	return DecodeMessage(body, lim)
}

// MessageEvent builds the event of a chat message, without white space around it.
func MessageEvent(text string, lim Limits) (*ui.Event, error) {
	lim = lim.withDefaults()
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if text == "" {
		return nil, &ui.Error{Code: CodeEnvelope, Path: "/text", Message: "the message is empty",
			Hint: "write something"}
	}
	if len(text) > lim.Text {
		return nil, &ui.Error{Code: CodeTooLarge, Path: "/text",
			Message: fmt.Sprintf("a message can have at most %d bytes; paste a longer list into the box of a table",
				lim.Text),
			Hint: "shorten it, or send it in parts; the paste box of a table takes up to 512 KiB"}
	}
	return &ui.Event{V: ui.Version, Kind: ui.EventMessage, Text: text}, nil
}

// OperatorEvent builds the event of something that an operator does under a name, or says.
func OperatorEvent(do, name, text string, lim Limits) (*ui.Event, error) {
	e := &ui.Event{V: ui.Version}
	switch do {
	case builtin.OperatorSay:
		var err error
		if e, err = MessageEvent(text, lim); err != nil {
			return nil, err
		}
	case builtin.OperatorAttend, builtin.OperatorLeave, builtin.OperatorDismiss:
	default:
		return nil, &ui.Error{Code: CodeEnvelope, Path: "/do", Message: "an operator cannot do this",
			Hint: "want attend, say, leave or dismiss"}
	}
	e.Kind, e.Data = ui.EventOperator, ui.Map(ui.Pair{Key: "do", Value: ui.String(do)})
	if name != "" {
		e.Data, _ = e.Data.With(ui.String(strings.ToValidUTF8(name, "\uFFFD")), "name")
	}
	return e, nil
}

// DecodeEnvelope reads an A2UI client message of any version: an action or an
// error, exactly one of them, and the data models beside it; see takeModel.
func DecodeEnvelope(body []byte, lim Limits) (*ui.Event, error) {
	lim = lim.withDefaults()
	if len(body) > lim.Bytes {
		return nil, tooLarge("", "a message can have at most %d bytes", lim.Bytes)
	}
	v, err := jsonx.Parse(body, lim.withModels())
	if err != nil {
		return nil, jsonError(err) // before the codec, so that limits have their own code
	}
	members := len(v.Members)
	model, err := takeModel(&v, lim)
	if err != nil {
		return nil, err
	}
	if len(v.Members) < members {
		body = jsonx.Append(nil, v)
	}
	if v, err = jsonx.Parse(body, lim.json()); err != nil {
		return nil, jsonError(err)
	}
	e, err := clientEvent(v, body, lim)
	if err == nil {
		e.Model = model
	}
	return e, err
}

// clientEvent reads a client message that has nothing beside it: v, which is in body.
func clientEvent(v jsonx.Value, body []byte, lim Limits) (*ui.Event, error) {
	if shared, ok := v.Get(memberShared); ok {
		return sharedEvent(v, shared)
	}
	isKind := func(m jsonx.Member) bool { return slices.Contains(envelopeKinds, m.Key) }
	for _, m := range v.Members {
		if !isKind(m) && m.Key != "version" && slices.ContainsFunc(v.Members, isKind) {
			return nil, &ui.Error{Code: CodeEnvelope, Path: "/" + excerpt.Head(m.Key, 64),
				Message: "a member that is not known", Hint: kinds}
		}
	}
	dialect, msg, err := a2ui.DecodeClient(body, lim.A2UI())
	if err != nil {
		return nil, envelopeError(err)
	}
	switch m := msg.(type) {
	case *a2ui.Action:
		return actionEvent(m)
	case *a2ui.CallAgent:
		return callEvent(dialect, m, v.At("callAgentFunction").At("callFunction").At("args"))
	case *a2ui.Reply:
		return resultEvent(dialect, m)
	case *a2ui.ClientError:
		if m.CallID != "" {
			return resultEvent(dialect, &a2ui.Reply{CallID: m.CallID,
				Err: &a2ui.CallError{Code: m.Code, Message: m.Message}})
		}
		return &ui.Event{V: ui.Version, Kind: ui.EventError, Error: &ui.ErrorEvent{
			Code: excerpt.Head(m.Code, 64), Surface: excerpt.Head(m.SurfaceID, 128),
			Path:    excerpt.Head(canonical(m.Path), 256),
			Message: excerpt.Head(m.Message, 512)}}, nil
	}
	return nil, &ui.Error{Code: CodeEnvelope, Message: "this kind of client message is not taken", Hint: kinds}
}

// canonical is a path of an error report in one form, so that one fault is counted as
// one: absolute, and otherwise as Path has it.
func canonical(path string) string {
	if path != "" && path[0] != '/' {
		path = "/" + path
	}
	if p := Path(path); p != "" {
		return string(p)
	}
	return path
}

// envelopeKinds are those of all versions.
var envelopeKinds = []string{"action", "userAction", "error", "callAgentFunction",
	"rendererFunctionResponse"}

// kinds is what an envelope can hold.
const kinds = `want exactly one of action, error and userAction: {"version":"v0.9","action":{…}}, ` +
	`or of v0.8, without a version, {"userAction":{…}}; in v1.0 also callAgentFunction and rendererFunctionResponse`

// envelopeError describes the fault of an envelope and its place: the kind, the
// version, or a member of its body.
func envelopeError(err error) error {
	e := &ui.Error{Code: CodeEnvelope, Message: "not an A2UI client message", Hint: kinds, Err: err}
	if p, ok := errors.AsType[*a2ui.Problem](err); ok {
		e.Path, e.Message = excerpt.Head(p.Path, 256), excerpt.Head(p.Message, 256)
		if e.Path != "" && e.Path != "/version" {
			e.Hint = cmp.Or(p.Hint, "post what the renderer fires, unchanged")
		}
	}
	return e
}

// maxName bounds the name of an action, the id of its component and the keys of its context, in bytes. Package gateway
// takes no longer ones from agents: an id has 256 there, and v0.8 writes a byte of it as three.
const maxName = 1024

func actionEvent(m *a2ui.Action) (*ui.Event, error) {
	a := &ui.ActionEvent{Surface: m.SurfaceID, Name: m.Name, Component: m.Component, Timestamp: m.Timestamp,
		Context: jsonx.Value{Kind: jsonx.Object}}
	for _, id := range []struct {
		path, text string
		most       int
	}{{"/surfaceId", a.Surface, 128}, {"/name", a.Name, maxName}, {"/sourceComponentId", a.Component, maxName},
		{"/timestamp", a.Timestamp, 64}} {
		if len(id.text) > id.most || id.text != "" && !isLegal(id.text) {
			return nil, &ui.Error{Code: CodeEnvelope, Path: id.path,
				Message: fmt.Sprintf("want at most %d bytes of text without control characters", id.most),
				Hint:    "send it as the message of the surface has it"}
		}
	}
	if a.Name == "" {
		return nil, &ui.Error{Code: CodeEnvelope, Path: "/name", Message: "the action has no name",
			Hint: "send the name that the message of its component declares"}
	}
	for _, c := range m.Context.Members {
		switch {
		case len(c.Key) > maxName:
			return nil, &ui.Error{Code: CodeEnvelope, Path: "/context/" + excerpt.Head(c.Key, 64),
				Message: fmt.Sprintf("a context key can have at most %d bytes", maxName),
				Hint:    "send the context as the message of the component declares it"}
		case c.Key == builtin.FieldNonce:
			if a.Nonce = unwrap(c.Value).Text(); len(a.Nonce) > 64 || !identifier(a.Nonce) {
				return nil, &ui.Error{Code: CodeEnvelope, Path: "/context/" + builtin.FieldNonce,
					Message: "no nonce of ours has that form", Hint: nonceHint}
			}
		case c.Key == builtin.FieldRev:
			rev, err := revOf(unwrap(c.Value))
			if err != nil {
				return nil, err
			}
			a.Rev = rev
		case strings.HasPrefix(c.Key, reserved):
		default:
			a.Context.Members = append(a.Context.Members, c)
		}
	}
	return &ui.Event{V: ui.Version, Kind: ui.EventAction, Action: a}, nil
}

// revOf reads the rev a client sent: a number, or its decimal text.
func revOf(v jsonx.Value) (uint64, error) {
	n, err := strconv.ParseUint(v.Str, 10, 53)
	if err != nil || v.Kind != jsonx.Number && v.Kind != jsonx.String {
		if f, ok := v.Float(); ok && f >= 0 && f < 1<<53 && f == float64(uint64(f)) {
			return uint64(f), nil // 3.0 is 3
		}
		return 0, &ui.Error{Code: CodeEnvelope, Path: "/context/" + builtin.FieldRev,
			Message: "the revision is no number", Hint: revHint}
	}
	return n, nil
}

// Path is a client's data path in canonical form, or "" if it is not a path.
func Path(s string) ui.Path {
	p, _, _ := ui.ParsePath(s, false)
	return p
}

// DecodeForm reads a posted HTML form: the hidden inputs, the pressed button,
// and every input under its path. A later value of a name wins unless the name
// comes several times as a list (checkboxes).
func DecodeForm(values map[string][]string, lim Limits) (*ui.Event, error) {
	lim = lim.withDefaults()
	a := &ui.ActionEvent{Form: true, Context: jsonx.Value{Kind: jsonx.Object}}
	inputs := map[ui.Path][]string{}
	size := 0
	for _, list := range values {
		if size += max(1, len(list)); size > lim.Entries {
			return nil, tooLarge("", "more than %d inputs", lim.Entries)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		list := make([]string, len(values[name]))
		for i, text := range values[name] {
			if len(text) > lim.String || len(name) > lim.String {
				return nil, tooLarge(excerpt.Head(name, 256), "a value can have at most %d bytes", lim.String)
			}
			list[i] = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
		}
		if len(list) == 0 {
			continue
		}
		last := list[len(list)-1]
		switch name {
		case builtin.FieldSurface:
			a.Surface = excerpt.Head(last, 128)
		case builtin.FieldComponent:
			a.Component = excerpt.Head(last, 1024)
		case builtin.FieldNonce:
			a.Nonce = excerpt.Head(last, 64)
		case builtin.FieldRev:
			rev, err := revOf(jsonx.Of(last))
			if err != nil {
				return nil, &ui.Error{Code: CodeEnvelope, Path: builtin.FieldRev, Message: "the revision is no number",
					Hint: formHint}
			}
			a.Rev = rev
		default:
			if at := Path(name); at.Under(ui.DraftRoot) {
				inputs[at] = append(inputs[at], list...) // a path can have several names
			}
		}
	}
	if a.Surface == "" || a.Component == "" {
		return nil, &ui.Error{Code: CodeEnvelope, Message: "the form names no surface or no button",
			Hint: "reload the page"}
	}
	for _, at := range slices.Sorted(maps.Keys(inputs)) {
		a.Context.Members = append(a.Context.Members, jsonx.Member{Key: string(at), Value: formValue(inputs[at])})
	}
	return &ui.Event{V: ui.Version, Kind: ui.EventAction, Action: a}, nil
}

// formValue keeps a list as an array; Normalise takes the last of it where one
// value is meant (a checkbox after its hidden companion).
func formValue(list []string) jsonx.Value {
	if len(list) == 1 {
		return jsonx.Of(list[0])
	}
	v := jsonx.Value{Kind: jsonx.Array}
	for _, s := range list {
		v.Items = append(v.Items, jsonx.Of(s))
	}
	return v
}

// identifier reports printable ASCII without space.
func identifier(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
