package directive

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Bounds of the JSON of an answer, whichever reader reads it.
const (
	maxDepth   = 32
	maxEntries = 20_000
)

// placeholder is what the instructions show in the place of a text.
const placeholder = "<what you say to the user>"

// Read finds the envelope in a model's answer and checks it.
//
// An answer without JSON is an Envelope with that text and a CodeNone warning.
// A directive that is unknown or invalid is dropped with a warning, the rest
// stands. The error is CodeTooLarge, CodeJSONInvalid, CodeMultiple, or
// CodeEmpty when neither a text nor a directive is left; the Envelope returned
// with it has no directives, the warnings that say why, and the text if the
// answer was cut short behind it.
func (r *Registry) Read(text string) (Envelope, error) {
	if len(text) > r.opt.Size {
		return Envelope{}, ui.Errorf(CodeTooLarge, "", "answer above %d bytes", r.opt.Size)
	}
	rd := &reading{reg: r}
	text = tidy(text)
	if !utf8.ValidString(text) { // which is told faster than it is mended
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	env, err := rd.read(text)
	if len(env.Text) > r.opt.Text {
		env.Text = excerpt.Head(env.Text, r.opt.Text)
		rd.warn(ui.Errorf(CodeTextClipped, "/assistant_text", "text cut at %d bytes", r.opt.Text))
	}
	env.Warnings = rd.warnings
	env.Unsure = rd.words && len(env.Directives) > 0
	if err == nil && env.Text == "" && len(env.Directives) == 0 {
		err = ui.Errorf(CodeEmpty, "", "the answer says and asks nothing")
	}
	return env, err
}

// read takes an answer that is one JSON text as it is; any other one is peeled
// and searched.
func (r *reading) read(s string) (Envelope, error) {
	if fenced(s[:min(len(s), 3)]) {
		line, _, _ := strings.Cut(s, "\n")
		line, _, _ = strings.Cut(line, "{") // all of it may stand on one line
		r.words = worded(line)              // ```sample
	}
	v, err := r.parse(unfence(s), "")
	if err == nil && v.Kind == jsonx.String { // an envelope written as a JSON string
		if r.reg.opt.Strict {
			return Envelope{}, invalid("a JSON string instead of an object", nil)
		}
		s = tidy(v.Str)
		if v, err = r.parse(unfence(s), ""); err == nil && v.Kind >= jsonx.Array {
			_ = r.coerced("", "given as a JSON string")
		}
	}
	switch {
	case err == nil && v.Kind >= jsonx.Array:
		return r.document(v)
	case err == nil && v.Kind == jsonx.Null || s == "":
		return Envelope{}, nil
	case !r.reg.opt.Strict:
		r.words = r.words || commented.MatchString(s)
		return r.search(peel(s), err)
	case looksLikeJSON(s) || mentionsEnvelope(s):
		return Envelope{}, invalid("not exactly one JSON object", err)
	}
	return r.plain(s)
}

// document reads an answer that is nothing but this JSON.
func (r *reading) document(v jsonx.Value) (Envelope, error) {
	if len(v.Items)+len(v.Members) == 0 {
		return Envelope{}, nil
	}
	sh, err := r.shape(v, whole, 0)
	if err == errShape {
		return Envelope{}, invalid("JSON, but no envelope", nil)
	}
	if err != nil {
		return Envelope{}, err
	}
	return r.envelope(sh)
}

// search looks for the envelope inside prose. Where the answer can be read in
// two ways it is refused: what is broken may be what was meant, and of two
// different envelopes nobody knows which one counts.
func (r *reading) search(s string, cause error) (Envelope, error) {
	if s == "" {
		return Envelope{}, nil
	}
	found, err := r.pieces(s)
	if err != nil {
		return Envelope{Text: found.cut}, err
	}
	r.words = r.words || found.until > 0 && (worded(s[:found.from]) || worded(s[found.until:]))
	switch {
	case found.until > 0 && r.explained(prose(s[:found.from]), s[found.until:]):
		return Envelope{}, invalid("words about an envelope", nil)
	case found.envelope != nil:
		env, err := r.envelope(*found.envelope)
		if err == nil && env.Text == "" {
			env.Text, err = r.aside(s, found)
		}
		return env, err
	case len(found.bare.list.Items) > 0:
		env, err := r.envelope(found.bare)
		if err == nil {
			env.Text, err = r.aside(s, found)
		}
		return env, err
	case looksLikeJSON(s):
		return Envelope{}, invalid("no JSON that can be read", cause)
	}
	return r.plain(s)
}

// explained reports JSON between words that name parts of an envelope: they speak
// of it. An answer that only explains itself afterwards stands.
func (r *reading) explained(before, after string) bool {
	return before != "" && (protocol(before) || protocol(after) || r.mentionsType(after))
}

// aside is the prose around JSON that has no text of its own.
func (r *reading) aside(s string, f pieces) (string, error) {
	text := unannounced(prose(s[:f.from]))
	if text == "" {
		text = prose(s[f.until:])
	}
	if text != "" && unsayable(text) {
		return "", invalid("something else around the envelope", nil)
	}
	return legible(text)
}

// pieces is what the JSON in an answer holds.
type pieces struct {
	envelope    *shape
	bare        shape  // directives without an envelope
	cut         string // the text of an envelope that was cut short
	from, until int    // where all of it stands
}

func (r *reading) pieces(s string) (f pieces, err error) {
	budget := 8 * len(s) // bytes that may be looked at, so that work is linear
	for i := next(s, 0); i >= 0; {
		v, end, err := r.piece(s, i, &budget)
		if err != nil {
			closed := span(s, i)
			budget -= len(s) - i
			if closed < 0 || budget < 0 {
				closed = len(s)
			}
			if mentionsEnvelope(s[i:closed]) || r.mentionsType(s[i:closed]) {
				if errors.Is(err, errCut) {
					f.cut = r.heard(v)
				}
				return f, invalid("no envelope that can be read", err)
			}
			i = next(s, closed)
			continue
		}
		if err := r.collect(&f, s, i, end, v); err != nil {
			return pieces{}, err
		}
		i = next(s, end)
	}
	return f, nil
}

// piece reads the JSON that starts at s[i], strictly where that is possible.
func (r *reading) piece(s string, i int, budget *int) (jsonx.Value, int, error) {
	if end := span(s, i); end > 0 {
		*budget -= end - i
		if v, err := r.strict(s[i:end]); err == nil {
			return v, end, nil
		}
	} else {
		*budget -= len(s) - i
	}
	v, end, faults, err := mend(s, i)
	*budget -= end - i
	if err == nil && faults != 0 {
		r.mended("", faults)
	}
	if *budget < 0 {
		err = errors.New("too many fragments")
	}
	return v, end, err
}

// collect adds one piece of JSON to what was found.
func (r *reading) collect(f *pieces, s string, i, end int, v jsonx.Value) error {
	where := inline
	if setOff(s, i, end) {
		where = apart
	}
	sh, err := r.shape(v, where, 0)
	if err == errShape {
		if where == apart && (mentionsEnvelope(s[i:end]) || !fenced(s[:i])) {
			return invalid("JSON, but no envelope", nil)
		}
		return nil
	}
	switch {
	case err != nil:
		return err
	case sh.at == "" && f.until > 0 && strings.ContainsFunc(prose(s[f.until:i]), isAlnum):
		return ui.Errorf(CodeMultiple, "", "words between directives: a choice, or a correction")
	case sh.at == "" && f.envelope != nil, sh.at != "" && len(f.bare.list.Items) > 0:
		return ui.Errorf(CodeMultiple, "", "directives beside an envelope")
	case sh.at != "" && f.envelope != nil && !r.same(*f.envelope, sh):
		e := ui.Errorf(CodeMultiple, "", "more than one envelope")
		e.Hint = "answer with one"
		return e
	case mentioned(s, i, end):
		return invalid("a sentence about an envelope", nil)
	case sh.at == "" && where == inline:
		return invalid("a directive inside a sentence", nil)
	case sh.at == "":
		f.bare.list.Kind = jsonx.Array
		f.bare.list.Items = append(f.bare.list.Items, sh.list.Items...)
	case f.envelope == nil:
		f.envelope = &sh
	default:
		r.warn(ui.Errorf(CodeMultiple, "", "the same envelope more than once"))
	}
	if f.until == 0 {
		f.from = i
	} else {
		r.words = r.words || worded(s[f.until:i])
	}
	f.until = end
	return nil
}

func isAlnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// same reports envelopes that say and ask the same.
func (r *reading) same(a, b shape) bool {
	quiet := &reading{reg: r.reg}
	x, errA := quiet.envelope(a)
	y, errB := quiet.envelope(b)
	return errA == nil && errB == nil && string(x.JSON()) == string(y.JSON())
}

// mentionsType reports a declared type by its canonical name.
func (r *reading) mentionsType(s string) bool {
	for i := range r.reg.defs {
		if strings.Contains(s, r.reg.defs[i].Type) {
			return true
		}
	}
	return false
}

// heard is the text of an envelope that was cut short behind it.
func (r *reading) heard(v jsonx.Value) string {
	quiet := &reading{reg: r.reg}
	text, err := quiet.say(v.At("assistant_text"))
	if err != nil {
		return ""
	}
	return text
}

// plain takes an answer without JSON as words.
func (r *reading) plain(s string) (Envelope, error) {
	if !r.reg.opt.Strict && (unsayable(s) || r.called(s) || r.mentionsType(s) && strings.ContainsAny(s, "{}<>=")) {
		return Envelope{}, invalid("neither an envelope nor words", nil)
	}
	if m := answerTag.FindStringSubmatch(s); m != nil && !r.reg.opt.Strict {
		s = m[1]
	}
	s, err := legible(s)
	if err != nil {
		return Envelope{}, err
	}
	r.warn(ui.Errorf(CodeNone, "", "plain text without an envelope"))
	return Envelope{Text: s}, nil
}

// called reports a declared type that is written like a function or a mark.
func (r *reading) called(s string) bool {
	for i := range r.reg.defs {
		t := r.reg.defs[i].Type
		_, short, _ := cutLast(t, ".")
		for _, name := range append([]string{short}, r.reg.defs[i].Aliases...) {
			if strings.Contains(name, "_") && strings.Contains(s, name+"(") {
				return true
			}
		}
		if strings.Contains(s, "["+t) {
			return true
		}
		for _, name := range []string{t, strings.ReplaceAll(t, ".", "_")} {
			for _, open := range []string{"(", " {", "{", ":\n", ": {"} {
				if strings.Contains(s, name+open) {
					return true
				}
			}
		}
	}
	return false
}

func invalid(what string, cause error) error {
	return &ui.Error{Code: CodeJSONInvalid, Message: what, Err: cause,
		Hint: `answer with one JSON object {"assistant_text":…,"directives":[…]}`}
}

func (r *reading) strict(s string) (jsonx.Value, error) {
	most := max(r.reg.opt.Size, len(s))
	return jsonx.ParseString(s, jsonx.Limits{Bytes: most, String: most, Depth: maxDepth, Entries: maxEntries})
}

// parse reads one JSON text strictly, and an object or a list once more with a
// mender.
func (r *reading) parse(s, at string) (jsonx.Value, error) {
	v, err := r.strict(s)
	var fault *jsonx.Error
	if err == nil || r.reg.opt.Strict || !errors.As(err, &fault) || fault.Reason > jsonx.Encoding || !strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") {
		return v, err
	}
	mended, end, faults, again := mend(s, 0)
	if again != nil || trim(s[end:]) != "" && trim(s[end:]) != ";" {
		return v, err
	}
	r.mended(at, faults)
	return mended, nil
}

// mended notes what was forgiven. A comment is words like those around JSON.
func (r *reading) mended(at string, f faults) {
	r.words = r.words || f&commentFault != 0
	_ = r.coerced(at, "mended: "+f.String())
}
