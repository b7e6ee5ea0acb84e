package directive

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Envelope is one answer of a model.
type Envelope struct {
	Text       string      // assistant_text, valid UTF-8
	Directives []Directive // in the order the model gave them
	Warnings   []*ui.Error // what was dropped or bent, in order of reading; at most 64
	Unsure     bool        // words stand beside the directives: they may be about them, so ask before running any
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
	words    bool // words stand beside the JSON
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

// envelope checks what a shape holds.
func (r *reading) envelope(sh shape) (Envelope, error) {
	if sh.bent != "" {
		if e := r.coerced("", sh.bent); e != nil {
			return Envelope{}, invalid(sh.bent, e)
		}
	}
	for _, m := range sh.rest {
		r.warn(ui.Errorf(CodeKeyDropped, "", "envelope key %q is not declared", excerpt.Of(m.Key, 40)))
	}
	var env Envelope
	var err error
	if env.Text, err = r.say(sh.text); err != nil {
		return Envelope{}, err
	}
	items, ok := sh.list.Items, true
	if sh.at != "" {
		items, ok = r.list(sh.list, sh.at)
	} else if e := r.coerced("", "directives without an envelope"); e != nil {
		ok = false
	}
	if !ok {
		return env, nil
	}
	for i, item := range items {
		at := sh.at + "/" + strconv.Itoa(i)
		if i >= r.reg.opt.Directives {
			r.warn(ui.Errorf(CodeTooMany, at, "more than %d directives", r.reg.opt.Directives))
			break
		}
		name, payload, e := r.open(item, at)
		var d Directive
		if e == nil {
			d, e = r.directive(name, payload, at)
		}
		if e != nil {
			r.warn(e)
			continue
		}
		d.Index = i
		env.Directives = append(env.Directives, d)
	}
	return env, nil
}

// say reads assistant_text: a string, or lines. Text that is itself an envelope
// is refused: it may be one, or one that was asked for.
func (r *reading) say(v jsonx.Value) (string, error) {
	const at = "/assistant_text"
	s := v.Str
	switch v.Kind {
	case jsonx.Null:
		return "", nil
	case jsonx.String:
	case jsonx.Array, jsonx.Object:
		var lines []string
		for _, item := range v.Items {
			if item.Kind != jsonx.String {
				lines = nil
				break
			}
			lines = append(lines, item.Str)
		}
		if len(v.Members) == 1 && slices.Contains(textNames, squash(v.Members[0].Key)) && v.Members[0].Value.Kind == jsonx.String {
			lines = []string{v.Members[0].Value.Str}
		}
		if len(lines) == 0 {
			r.warn(wrong(at, "a string", v))
			return "", nil
		}
		s = strings.Join(lines, "\n")
		if e := r.coerced(at, "not one string"); e != nil {
			return "", e
		}
	default:
		r.warn(wrong(at, "a string", v))
		return "", nil
	}
	return legible(s)
}

// legible is text as a person should see it: without thoughts in front, marks of
// templates and characters that show nothing. An envelope in it is refused.
func legible(s string) (string, error) {
	for range 4 {
		before := s
		s = strings.TrimSpace(s)
		if strings.HasPrefix(s, "<") || strings.HasPrefix(s, "[") || strings.HasPrefix(s, "◁") {
			if at := thoughtTag.FindStringIndex(s[:min(len(s), 24)]); at != nil && at[0] == 0 {
				s = thoughtless(s)
			}
		}
		if strings.Contains(s, "<|") {
			s = turnStart.ReplaceAllString(turnEnd.ReplaceAllString(s, ""), "")
		}
		if !quiet(s) {
			s = strings.Map(func(c rune) rune {
				if silent(c) {
					return -1
				}
				return c
			}, s)
		}
		if s == placeholder || hole(s) || !strings.ContainsFunc(s, telling) {
			s = ""
		}
		if s == before {
			if strings.Contains(s, "{") && mentionsEnvelope(s) || strings.ContainsAny(s, "<[") && toolMark.MatchString(s) {
				return "", invalid("a text that holds an envelope", nil)
			}
			return s, nil
		}
	}
	return "", invalid("a text of marks inside marks", nil)
}

// telling reports characters that say something by themselves: … does not.
func telling(c rune) bool {
	return isAlnum(c) || unicode.IsSymbol(c) && c != '`' && c != '^' && c != '|' && c != '~' && c != '<' && c != '>' && c != '=' && c != '+'
}

// hole reports words that stand for a text: [your answer here].
func hole(s string) bool {
	for _, pair := range []string{"[]", "<>"} {
		if in, ok := strings.CutPrefix(s, pair[:1]); ok {
			in, ok = strings.CutSuffix(in, pair[1:])
			return ok && strings.Contains(in, " ") && !strings.ContainsAny(in, "[]<>=\n") && strings.ContainsFunc(in, unicode.IsLower)
		}
	}
	return strings.HasPrefix(s, "{{") && strings.Index(s, "}}") == len(s)-2
}

// quiet reports that s is sure to hold no silent character.
func quiet(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c == 0x7f || c == 0xef {
			return false
		}
	}
	return true
}

// silent reports characters that no text needs.
func silent(c rune) bool {
	return c < ' ' && c != '\n' && c != '\t' || c == 0x7f || c == '\uFEFF'
}

// list reads the member "directives": a list, one directive, or either as a
// JSON string.
func (r *reading) list(v jsonx.Value, at string) ([]jsonx.Value, bool) {
	if v.Kind == jsonx.String && strings.TrimSpace(v.Str) == "" {
		return nil, true
	}
	v, e := r.unwrap(v, at)
	if e == nil {
		switch v.Kind {
		case jsonx.Null:
			return nil, true
		case jsonx.Array:
			return v.Items, true
		case jsonx.Object:
			return r.many(v, at)
		}
		e = ui.Errorf(CodePayloadInvalid, at, "directives are a list, not %s", v.Kind)
	}
	r.warn(e)
	return nil, false
}

// many reads an object instead of the list: one directive, or one member for
// each, named by its type.
func (r *reading) many(v jsonx.Value, at string) ([]jsonx.Value, bool) {
	if len(v.Members) == 0 {
		return nil, true
	}
	items := []jsonx.Value{v}
	if _, ok := r.split(v); !ok {
		items = nil
		for _, m := range v.Members {
			if _, known := r.reg.lookup(m.Key); known {
				items = append(items, jsonx.OfObject(m))
			}
		}
		if len(items) < len(v.Members) {
			r.warn(ui.Errorf(CodePayloadInvalid, at, "directives are a list, not an object of something else"))
			return nil, false
		}
	}
	if e := r.coerced(at, "an object instead of a list"); e != nil {
		r.warn(e)
		return nil, false
	}
	return items, true
}

// open splits one item into its type and payload.
func (r *reading) open(v jsonx.Value, at string) (name string, payload jsonx.Value, e *ui.Error) {
	if v.Kind == jsonx.String && strings.HasPrefix(strings.TrimSpace(v.Str), "{") {
		if v, e = r.unwrap(v, at); e != nil {
			return "", payload, e
		}
	}
	switch {
	case v.Kind == jsonx.String:
		return v.Str, jsonx.Value{}, r.coerced(at, "a bare type instead of a directive")
	case v.Kind == jsonx.Array && len(v.Items) == 2 && v.Items[0].Kind == jsonx.String && v.Items[1].Kind == jsonx.Object:
		return v.Items[0].Str, v.Items[1], r.coerced(at, "a pair instead of a directive")
	case v.Kind != jsonx.Object:
		return "", payload, ui.Errorf(CodePayloadInvalid, at, "a directive is an object, not %s", v.Kind)
	}
	w, ok := r.split(v)
	switch {
	case !ok:
		return "", payload, ui.Errorf(CodeUnknownType, at+"/type", "a directive without a type")
	case w.twice:
		return "", payload, ui.Errorf(CodePayloadInvalid, at, "two types or two payloads")
	case w.form <= formCall && w.beside != "":
		return "", payload, ui.Errorf(CodePayloadInvalid, at, "member %q beside a payload: a condition?", excerpt.Of(w.beside, 40))
	case w.form == formPayload:
		return w.name, w.payload, nil
	case w.form == formFlat && len(w.payload.Members) == 0 && !w.respelt:
		return w.name, w.payload, nil
	}
	return w.name, w.payload, r.coerced(at, "a directive in another form")
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
		if e := r.coerced(at, "a list instead of an object"); e != nil {
			return Directive{}, e
		}
		payload = payload.Items[0]
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
	inner, err := r.parse(unfence(strings.TrimSpace(v.Str)), at)
	if err != nil {
		return jsonx.Value{}, ui.Errorf(CodePayloadInvalid, at, "a string that holds no JSON")
	}
	return inner, r.coerced(at, "given as a JSON string")
}
