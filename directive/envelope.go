package directive

import (
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Envelope is one answer of a model.
type Envelope struct {
	Text       string      // assistant_text, valid UTF-8
	Directives []Directive // in the order the model gave them
	Warnings   []*ui.Error // what was dropped or bent, in order of reading; at most 64
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

// maxWarnings bounds what one answer can make us write into a frame.
const maxWarnings = 64

// reading is one pass over an answer: it collects warnings.
type reading struct {
	reg      *Registry
	warnings []*ui.Error
}

func (r *reading) warn(e *ui.Error) {
	if len(r.warnings) < maxWarnings {
		r.warnings = append(r.warnings, e)
	}
}

// coerced notes that something was bent into shape; under Strict it is an error.
func (r *reading) coerced(at, what string) *ui.Error {
	if r.reg.opt.Strict {
		return ui.Errorf(CodePayloadInvalid, at, "%s", what)
	}
	r.warn(&ui.Error{Code: CodeCoerced, Path: at, Message: what})
	return nil
}

// Check brings one directive into canonical form: for directives that an app
// writes itself. The error has CodeUnknownType or CodePayloadInvalid.
func (r *Registry) Check(d Directive) (Directive, []*ui.Error, error) {
	rd := &reading{reg: r}
	out, err := rd.directive(d.Type, d.Payload, "")
	if err != nil {
		return Directive{}, rd.warnings, err
	}
	out.Index = d.Index
	return out, rd.warnings, nil
}

// directive checks one type with its payload; at is where it stands.
func (r *reading) directive(name string, payload jsonx.Value, at string) (Directive, *ui.Error) {
	i, ok := r.reg.lookup(name)
	if !ok || r.reg.opt.Strict && r.reg.defs[i].Type != name {
		e := ui.Errorf(CodeUnknownType, at+"/type", "no directive type %q", clip(name, 40))
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
	if payload.Kind != jsonx.Object {
		return Directive{}, ui.Errorf(CodePayloadInvalid, at, "a payload is an object, not %s", payload.Kind)
	}
	payload, err = r.payload(def, payload, at)
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
	inner, err := r.parse(v.Str, at)
	if err != nil {
		return jsonx.Value{}, ui.Errorf(CodePayloadInvalid, at, "a string that holds no JSON")
	}
	return inner, r.coerced(at, "given as a JSON string")
}
