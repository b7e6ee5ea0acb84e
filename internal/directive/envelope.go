package directive

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Envelope is one answer of a model.
type Envelope struct {
	Text       string      // assistant_text, valid UTF-8
	Directives []Directive // in the order the model gave them
	Warnings   []*ui.Error // dropped and converted parts, in order of reading; at most 64
}

// Directive is one thing a model asks for.
type Directive struct {
	Type    string      `json:"type"`    // canonical, such as ui.show_form
	Payload jsonx.Value `json:"payload"` // an object in canonical form
	Index   int         `json:"index"`   // position in the model's list, counting dropped ones
}

// JSON writes the envelope as a model would, without warnings and indexes.
func (e Envelope) JSON() []byte {
	out := append(jsonx.AppendString([]byte(`{"assistant_text":`), e.Text), `,"directives":[`...)
	for i, d := range e.Directives {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(jsonx.AppendString(append(out, `{"type":`...), d.Type), `,"payload":`...)
		out = append(jsonx.Append(out, d.Payload), '}')
	}
	return append(out, "]}"...)
}

// Undeclared returns the warning about the first undeclared key, else nil. Such a
// key may withhold consent ("dry_run") or hold the directives that were meant
// ("actions"), so a run asks before it carries anything out.
func (e Envelope) Undeclared() *ui.Error {
	for _, w := range e.Warnings {
		if w.Code == CodeKeyDropped {
			return w
		}
	}
	return nil
}

// maxWarnings bounds what one answer can make us write into a frame.
const maxWarnings = 64

// reading is one pass over an answer: it collects warnings.
type reading struct {
	reg      *Registry
	warnings []*ui.Error
	refused  *ui.Error // under Strict: the first thing in a directive that would be coerced
}

func (r *reading) warn(e *ui.Error) {
	if len(r.warnings) < maxWarnings {
		r.warnings = append(r.warnings, e)
	}
}

// coerced notes that something was bent into shape; refusal has it under Strict.
func (r *reading) coerced(at, what string) {
	if r.reg.opt.Strict {
		r.refused = cmp.Or(r.refused, ui.Errorf(CodePayloadInvalid, at, "%s", what))
		return
	}
	r.warn(&ui.Error{Code: CodeCoerced, Path: at, Message: what})
}

// refusal is the error that refuses the value just read: that of a coercion before e
// under Strict, else e.
func (r *reading) refusal(e *ui.Error) *ui.Error {
	e, r.refused = cmp.Or(r.refused, e), nil
	return e
}

// envelope reads the members of an envelope. They are an allow list: another
// one may withhold consent to the rest, so a run asks about it.
func (r *reading) envelope(v jsonx.Value) (env Envelope, err error) {
	var list jsonx.Value
	texts, lists := 0, 0
	for _, m := range v.Members {
		switch squash(m.Key) {
		case "assistanttext":
			texts++
		case "directives":
			lists++
			list = m.Value
		}
	}
	switch {
	case len(v.Members) == 0:
		return Envelope{}, nil
	case texts+lists == 0:
		return Envelope{}, invalid("JSON, but no envelope", nil)
	case texts > 1 || lists > 1:
		return Envelope{}, invalid("a key of the envelope stands twice", nil)
	}
	for _, m := range v.Members {
		key := squash(m.Key)
		if key != "assistanttext" && key != "directives" {
			r.warn(ui.Errorf(CodeKeyDropped, "", "envelope key %s is not declared", keyName(m.Key)))
			continue
		}
		if m.Key != "assistant_text" && m.Key != "directives" {
			if r.coerced("", "another spelling of a key of the envelope"); r.refused != nil {
				return Envelope{}, invalid("another spelling of a key", r.refusal(nil))
			}
		}
		if key == "assistanttext" {
			if env.Text, err = r.say(m.Value); err != nil {
				return Envelope{}, err
			}
		}
	}
	env.Directives = r.directives(list, "/directives")
	return env, nil
}

// keyName is a key for a message, which a model may read: text that is not a valid
// key may be an injection.
func keyName(key string) string {
	if !ui.ValidKey(key) {
		return "?"
	}
	return strconv.Quote(key)
}

// say reads assistant_text. Text that holds an envelope is refused: it may be
// a quotation.
func (r *reading) say(v jsonx.Value) (string, error) {
	switch v.Kind {
	case jsonx.Null:
		return "", nil
	case jsonx.String:
		return cleanText(v.Str)
	}
	r.warn(wrong("/assistant_text", "a string", v))
	return "", nil
}

// directives reads the list of directives, or a single one in its place.
func (r *reading) directives(v jsonx.Value, at string) (out []Directive) {
	switch {
	case v.Kind == jsonx.Null:
		return nil
	case v.Kind == jsonx.Object && len(v.Members) == 0:
		return nil
	case v.Kind == jsonx.Object:
		r.coerced(at, "an object instead of a list")
		if e := r.refusal(nil); e != nil {
			r.warn(e)
			return nil
		}
		v = jsonx.OfArray(v)
	case v.Kind != jsonx.Array:
		r.warn(ui.Errorf(CodePayloadInvalid, at, "directives are a list, not %s", v.Kind))
		return nil
	}
	for i, item := range v.Items {
		at := at + "/" + strconv.Itoa(i)
		if i >= r.reg.opt.Directives {
			r.warn(ui.Errorf(CodeTooMany, at, "more than %d directives", r.reg.opt.Directives))
			break
		}
		name, payload, e := r.open(item, at)
		var d Directive
		if e == nil {
			d, e = r.directive(name, payload, at)
		}
		if e = r.refusal(e); e != nil {
			r.warn(e)
			continue
		}
		d.Index = i
		out = append(out, d)
	}
	return out
}

// open splits one item into its type and payload. Without the member payload,
// the members beside the type are the payload.
func (r *reading) open(v jsonx.Value, at string) (name string, payload jsonx.Value, e *ui.Error) {
	if v.Kind != jsonx.Object {
		return "", payload, ui.Errorf(CodePayloadInvalid, at, "a directive is an object, not %s", v.Kind)
	}
	types, payloads := 0, 0
	var rest []jsonx.Member
	for _, m := range v.Members {
		switch key := squash(m.Key); {
		case key == "type":
			types++
			name = m.Value.Text()
		case key == "payload":
			payloads++
			payload = m.Value
		default:
			rest = append(rest, m)
		}
	}
	switch {
	case name == "":
		return "", payload, ui.Errorf(CodeUnknownType, at+"/type", "a directive without a type")
	case types > 1 || payloads > 1:
		return "", payload, ui.Errorf(CodePayloadInvalid, at, "two types or two payloads")
	case payloads == 0:
		if len(rest) > 0 {
			r.coerced(at, "the payload beside the type")
		}
		return name, jsonx.OfObject(rest...), nil
	}
	for _, m := range rest {
		e := ui.Errorf(CodeKeyDropped, at, "directive key %s is not declared", keyName(m.Key))
		if r.reg.opt.Strict {
			e.Code = CodePayloadInvalid
			return "", payload, e
		}
		r.warn(e)
	}
	return name, payload, nil
}

// Check brings one directive into canonical form: for directives that an app
// writes itself. The error has CodeUnknownType or CodePayloadInvalid.
func (r *Registry) Check(d Directive) (Directive, []*ui.Error, error) {
	rd := &reading{reg: r}
	out, e := rd.directive(d.Type, d.Payload, "")
	if e = rd.refusal(e); e != nil {
		return Directive{}, rd.warnings, e
	}
	out.Index = d.Index
	return out, rd.warnings, nil
}

// directive checks one type with its payload; at is its path in the answer.
func (r *reading) directive(name string, payload jsonx.Value, at string) (Directive, *ui.Error) {
	i, ok := r.reg.lookup(name)
	if !ok || r.reg.opt.Strict && r.reg.defs[i].Type != name {
		e := ui.Errorf(CodeUnknownType, at+"/type", "no directive type %q", excerpt.Of(name, 40))
		e.Hint = "use one of the declared types"
		return Directive{}, e
	}
	def := &r.reg.defs[i]
	at += "/payload"
	payload, err := r.unwrap(payload, at)
	if err != nil {
		return Directive{}, err
	}
	if payload.Kind == jsonx.Null {
		payload.Kind = jsonx.Object
	}
	if payload.Kind == jsonx.Array && len(payload.Items) == 1 && payload.Items[0].Kind == jsonx.Object {
		r.coerced(at, "a list instead of an object")
		payload = payload.Items[0]
	}
	if payload.Kind != jsonx.Object {
		return Directive{}, ui.Errorf(CodePayloadInvalid, at, "a payload is an object, not %s", payload.Kind)
	}
	if def.Schema.Kind == jsonx.Object {
		payload, err = r.own(def, payload, at)
	} else {
		payload, err = r.payload(def, payload, at)
	}
	if err != nil {
		return Directive{}, err
	}
	if def.Check != nil {
		if e := def.Check(payload); e != nil {
			c := *e
			c.Code, c.Path = CodePayloadInvalid, at+e.Path
			return Directive{}, &c
		}
	}
	return Directive{Type: def.Type, Payload: payload}, nil
}

// unwrap parses a value that was given as a JSON string; another string stays.
func (r *reading) unwrap(v jsonx.Value, at string) (jsonx.Value, *ui.Error) {
	if v.Kind != jsonx.String {
		return v, nil
	}
	s := trimFence(strings.TrimSpace(v.Str))
	inner, end, err := r.readValue(s, at)
	if err != nil || end < len(s) {
		return jsonx.Value{}, ui.Errorf(CodePayloadInvalid, at, "a string that holds no JSON")
	}
	r.coerced(at, "given as a JSON string")
	return inner, nil
}
