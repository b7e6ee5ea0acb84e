package directive

import (
	"errors"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Read finds the envelope in a model's answer and checks it.
//
// An answer without JSON is an Envelope with that text and a CodeNone warning.
// A directive that is unknown or invalid is dropped with a warning, the rest
// stands. The error is CodeTooLarge, CodeJSONInvalid, or CodeEmpty when
// neither a text nor a directive is left; the Envelope returned with it holds
// the warnings that say why.
func (r *Registry) Read(text string) (Envelope, error) {
	if len(text) > r.opt.Size {
		return Envelope{}, ui.Errorf(CodeTooLarge, "", "answer above %d bytes", r.opt.Size)
	}
	rd := &reading{reg: r}
	env, err := rd.read(strings.ToValidUTF8(tidy(text), "\uFFFD"))
	env.Warnings = rd.warnings
	if err != nil {
		return env, err
	}
	if len(env.Text) > r.opt.Text {
		env.Text = strings.ToValidUTF8(env.Text[:r.opt.Text], "")
		rd.warn(ui.Errorf(CodeTextClipped, "/assistant_text", "text cut at %d bytes", r.opt.Text))
	}
	env.Warnings = rd.warnings
	if env.Text == "" && len(env.Directives) == 0 {
		return env, ui.Errorf(CodeEmpty, "", "the answer says and asks nothing")
	}
	return env, nil
}

// tidy strips what surrounds an answer in all modes: a byte order mark, white
// space, and the thoughts some models print first.
func tidy(s string) string {
	s = strings.TrimSpace(strings.TrimPrefix(s, "\uFEFF"))
	if strings.HasPrefix(s, "<think>") {
		if _, rest, ok := strings.Cut(s, "</think>"); ok {
			s = strings.TrimSpace(rest)
		}
	}
	return s
}

func (r *reading) read(s string) (Envelope, error) {
	if s == "" {
		return Envelope{}, nil
	}
	whole, err := r.parse(unfence(s), "")
	if err == nil && whole.Kind == jsonx.String { // an envelope written as a JSON string
		if r.reg.opt.Strict {
			return Envelope{}, invalid("a JSON string instead of an object", nil)
		}
		s = tidy(whole.Str)
		if s == "" {
			return Envelope{}, nil
		}
		whole, err = r.parse(unfence(s), "")
	}
	if err == nil {
		if env, ok := r.envelope(whole, true); ok {
			return env, nil
		}
		switch {
		case whole.Kind == jsonx.Null || len(whole.Items)+len(whole.Members) == 0 && whole.Kind >= jsonx.Array:
			return Envelope{}, nil
		case whole.Kind >= jsonx.Array:
			return Envelope{}, invalid("JSON, but no envelope", nil)
		}
	}
	return r.search(s, err)
}

// search looks for the envelope inside prose; whole is why all of it is no JSON.
func (r *reading) search(s string, whole error) (Envelope, error) {
	if r.reg.opt.Strict {
		if looksLikeJSON(s) || mentionsEnvelope(s) {
			return Envelope{}, invalid("not exactly one JSON object", whole)
		}
		return r.plain(s), nil
	}
	var found *Envelope
	var fault error
	from, until := 0, 0
	for i := next(s, 0); i >= 0; i = next(s, until) {
		until = span(s, i)
		if until < 0 { // cut short: what is inside it must not run on its own
			if mentionsEnvelope(s[i:]) {
				fault = errors.Join(fault, errors.New("cut short"))
			}
			break
		}
		v, err := r.parse(s[i:until], "")
		if err != nil {
			if mentionsEnvelope(s[i:until]) {
				fault = errors.Join(fault, err)
			}
			continue
		}
		if found != nil {
			if _, shape := r.shape(v, false); shape {
				r.warn(ui.Errorf(CodeMultiple, "", "more than one envelope; the first one counts"))
				break
			}
			continue
		}
		if env, ok := r.envelope(v, false); ok {
			found, from = &env, i
			if env.Text == "" {
				found.Text = prose(s[:from])
			}
			if found.Text == "" && next(s, until) < 0 {
				found.Text = prose(s[until:])
			}
		}
	}
	switch {
	case found != nil:
		return *found, nil
	case fault != nil:
		return Envelope{}, invalid("no envelope that can be read", fault)
	case looksLikeJSON(s):
		return Envelope{}, invalid("no JSON that can be read", whole)
	}
	return r.plain(s), nil
}

func (r *reading) plain(s string) Envelope {
	r.warn(ui.Errorf(CodeNone, "", "plain text without an envelope"))
	return Envelope{Text: s}
}

func invalid(what string, cause error) error {
	return &ui.Error{Code: CodeJSONInvalid, Message: what, Err: cause,
		Hint: `answer with one JSON object {"assistant_text":…,"directives":[…]}`}
}

// parse reads one JSON text strictly, and once more after mending it.
func (r *reading) parse(s, at string) (jsonx.Value, error) {
	lim := jsonx.Limits{Bytes: max(r.reg.opt.Size, len(s)), String: max(r.reg.opt.Size, len(s)), Depth: 32, Entries: 20_000}
	v, err := jsonx.Parse([]byte(s), lim)
	var fault *jsonx.Error
	if err == nil || r.reg.opt.Strict || !errors.As(err, &fault) || fault.Reason != jsonx.Syntax {
		return v, err
	}
	mended, changed := mend(s)
	if !changed {
		return v, err
	}
	if v, again := jsonx.Parse(mended, lim); again == nil {
		_ = r.coerced(at, "mended: trailing comma or raw line break")
		return v, nil
	}
	return v, err
}

// shape is how an envelope was written.
type shape struct {
	text string
	list []jsonx.Value // the directives, or the one value of the member "directives"
	at   string        // where that member stands; "" = no envelope around the directives
}

// shape recognises an envelope, a list of directives or a single directive.
// loose accepts more spellings: for an answer that is nothing but this JSON.
func (r *reading) shape(v jsonx.Value, loose bool) (shape, bool) {
	switch v.Kind {
	case jsonx.Array:
		for _, item := range v.Items {
			if !r.isDirective(item, loose) {
				return shape{}, false
			}
		}
		return shape{list: v.Items}, len(v.Items) > 0
	case jsonx.Object:
	default:
		return shape{}, false
	}
	keys := []string{"assistant_text", "assistantText"}
	_, hasList := v.Get("directives")
	if loose || hasList {
		keys = append(keys, "text", "message", "reply", "response")
	}
	if !hasList && r.isDirective(v, loose) {
		return shape{list: []jsonx.Value{v}}, true
	}
	for _, k := range keys {
		if t, ok := v.Get(k); ok && (t.Kind == jsonx.String || t.Kind == jsonx.Null && (hasList || k == keys[0])) {
			return shape{text: strings.TrimSpace(t.Text()), list: []jsonx.Value{v.At("directives")}, at: "/directives"}, true
		}
	}
	return shape{list: []jsonx.Value{v.At("directives")}, at: "/directives"}, hasList
}

// isDirective reports {"type":…,"payload":…}, or a declared type without payload.
func (r *reading) isDirective(v jsonx.Value, loose bool) bool {
	name, ok := v.Get("type")
	if v.Kind != jsonx.Object || !ok || name.Kind != jsonx.String {
		return false
	}
	_, payload := v.Get("payload")
	_, known := r.reg.lookup(name.Str)
	return known || payload || loose && len(v.Members) <= 2
}

// envelope turns a recognised value into an Envelope.
func (r *reading) envelope(v jsonx.Value, loose bool) (Envelope, bool) {
	sh, ok := r.shape(v, loose)
	if !ok {
		return Envelope{}, false
	}
	env := Envelope{Text: sh.text}
	items := sh.list
	if sh.at != "" {
		items, ok = r.list(sh.list[0], sh.at)
	} else if e := r.coerced("", "directives without an envelope"); e != nil {
		ok = false
	}
	if !ok {
		return env, true
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
	return env, true
}

// list reads the member "directives": a list, one directive, or either as a
// JSON string.
func (r *reading) list(v jsonx.Value, at string) ([]jsonx.Value, bool) {
	v, e := r.unwrap(v, at)
	if e == nil {
		switch v.Kind {
		case jsonx.Null:
			return nil, true
		case jsonx.Array:
			return v.Items, true
		case jsonx.Object:
			if len(v.Members) == 0 {
				return nil, true
			}
			if e = r.coerced(at, "one directive instead of a list"); e == nil {
				return []jsonx.Value{v}, true
			}
		default:
			e = ui.Errorf(CodePayloadInvalid, at, "directives are a list, not %s", v.Kind)
		}
	}
	r.warn(e)
	return nil, false
}

// open splits one item into its type and payload.
func (r *reading) open(v jsonx.Value, at string) (name string, payload jsonx.Value, e *ui.Error) {
	switch v.Kind {
	case jsonx.String:
		return v.Str, jsonx.Value{}, r.coerced(at, "a bare type instead of a directive")
	case jsonx.Object:
	default:
		return "", payload, ui.Errorf(CodePayloadInvalid, at, "a directive is an object, not %s", v.Kind)
	}
	name = v.At("type").Text()
	if p, ok := v.Get("payload"); ok {
		return name, p, nil
	}
	for _, k := range []string{"params", "arguments", "args"} {
		if p, ok := v.Get(k); ok && (p.Kind == jsonx.Object || p.Kind == jsonx.String) {
			return name, p, r.coerced(at, "payload under another name")
		}
	}
	payload.Kind = jsonx.Object
	for _, m := range v.Members {
		if m.Key != "type" {
			payload.Members = append(payload.Members, m)
		}
	}
	if len(payload.Members) > 0 {
		e = r.coerced(at, "payload beside the type")
	}
	return name, payload, e
}
