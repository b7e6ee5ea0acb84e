package directive

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Bounds of the JSON of an answer, whichever parser reads it.
const (
	maxDepth   = 32
	maxEntries = 20_000
)

// Read reads the answer of a model.
//
// An answer that is an envelope and nothing else gives its directives; a
// directive that is unknown or invalid is dropped with a warning. Words without
// JSON are an Envelope with that text and a CodeNone warning. Any other answer
// is an error and has no directives: CodeAmbiguous if JSON is among words or
// in a place where it may only be quoted, CodeJSONInvalid, CodeTooLarge, or
// CodeEmpty when neither a text nor a directive is left. The Envelope returned
// with an error holds the words of the answer that can be shown, if any.
func (r *Registry) Read(text string) (Envelope, error) {
	if len(text) > r.opt.Size {
		return Envelope{}, ui.Errorf(CodeTooLarge, "", "answer above %d bytes", r.opt.Size)
	}
	rd := &reading{reg: r}
	if !utf8.ValidString(text) { // checking is faster than replacing
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	env, err := rd.read(trimThoughts(trim(text)))
	if len(env.Text) > r.opt.Text {
		env.Text = excerpt.Head(env.Text, r.opt.Text)
		rd.warn(ui.Errorf(CodeTextClipped, "/assistant_text", "text cut at %d bytes", r.opt.Text))
	}
	env.Warnings = rd.warnings
	if err == nil && env.Text == "" && len(env.Directives) == 0 {
		err = ui.Errorf(CodeEmpty, "", "the answer says and asks nothing")
	}
	return env, err
}

// read takes an answer without the thoughts in front of it.
func (r *reading) read(s string) (Envelope, error) {
	body := trimFence(s)
	if body == "" {
		return Envelope{}, nil
	}
	v, end, err := r.readValue(body, "")
	switch {
	case err == nil && end < len(body):
	case err == nil && v.Kind == jsonx.Object:
		return r.envelope(v)
	case err == nil && (v.Kind == jsonx.Null || v.Kind == jsonx.Array && len(v.Items) == 0):
		return Envelope{}, nil
	case err == nil && v.Kind == jsonx.String && !r.reg.opt.Strict:
		s = trim(v.Str) // words in quotes
	case err == nil && v.Kind == jsonx.Array:
		return Envelope{}, invalid("a list instead of an envelope", nil)
	case err != nil && (body[0] == '{' || body[0] == '[') && next(body) == 0:
		env := Envelope{}
		if errors.Is(err, errCut) {
			env.Text = r.reg.completeText(v)
		}
		return env, invalid("JSON that cannot be read", err)
	}
	if next(s) < 0 {
		return r.plain(s)
	}
	env := Envelope{Text: r.reg.spoken(s)}
	if len(r.reg.defs) == 0 && env.Text != "" { // nothing can run
		return env, nil
	}
	e := ui.Errorf(CodeAmbiguous, "", "words or marks around JSON")
	e.Hint = "answer with the JSON object alone, or with words alone"
	return env, e
}

// spoken returns the words of an answer that also holds JSON: those of its only
// envelope if that asks for nothing, else those around the JSON. JSON that is
// part of an envelope is left out of them, with its fences and the line that
// announces it.
func (r *Registry) spoken(s string) string {
	if i := next(s); i >= 0 {
		quiet := &reading{reg: r}
		v, end, err := quiet.readValue(s[i:], "")
		if err == nil && v.Kind == jsonx.Object && next(s[i+end:]) < 0 {
			if env, err := quiet.envelope(v); err == nil && len(v.At("directives").Items) == 0 && env.Text != "" {
				return env.Text
			}
		}
	}
	if r.mentionsProtocol(s) {
		var words strings.Builder
		for i := next(s); i >= 0; i = next(s) {
			words.WriteString(s[:i])
			end := closing(s, i)
			if end < 0 {
				end = len(s)
			}
			s = s[end:]
		}
		words.WriteString(s)
		var kept []string
		for _, line := range strings.Split(words.String(), "\n") {
			if t := strings.TrimSpace(line); !strings.HasPrefix(t, "```") && !strings.HasPrefix(t, "~~~") {
				kept = append(kept, line)
			}
		}
		s = strings.TrimSpace(strings.Join(kept, "\n"))
		if strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") {
			s = s[:strings.LastIndexByte(s, '\n')+1]
		}
	}
	s, err := cleanText(s)
	if err != nil || r.unsayable(s) {
		return ""
	}
	return s
}

// completeText is the text of an envelope that was cut short after it.
func (r *Registry) completeText(v jsonx.Value) string {
	quiet := &reading{reg: r}
	text, err := quiet.say(v.At("assistant_text"))
	if err != nil {
		return ""
	}
	return text
}

// plain takes an answer without JSON as words.
func (r *reading) plain(s string) (Envelope, error) {
	if !r.reg.opt.Strict && r.reg.unsayable(s) {
		return Envelope{}, invalid("neither an envelope nor words", nil)
	}
	s, err := cleanText(s)
	if err != nil {
		return Envelope{}, err
	}
	r.warn(ui.Errorf(CodeNone, "", "plain text without an envelope"))
	return Envelope{Text: s}, nil
}

func invalid(what string, cause error) error {
	return &ui.Error{Code: CodeJSONInvalid, Message: what, Err: cause,
		Hint: `answer with one JSON object {"assistant_text":…,"directives":[…]}`}
}

// readValue reads the JSON value that s begins with and returns where it ends:
// strictly, then an object or a list once more with a lenient parser. With
// errCut it also returns the complete members of an object that is cut short.
func (r *reading) readValue(s, at string) (v jsonx.Value, end int, err error) {
	most := max(r.reg.opt.Size, len(s))
	v, err = jsonx.ParseString(s, jsonx.Limits{Bytes: most, String: most, Depth: maxDepth, Entries: maxEntries})
	var fault *jsonx.Error
	if err == nil || r.reg.opt.Strict || !errors.As(err, &fault) || fault.Reason > jsonx.Encoding ||
		!strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") {
		return v, len(s), err
	}
	v, end, mended, err := parseLenient(s)
	if err == nil && mended != "" {
		r.coerced(at, "mended: "+mended)
	}
	return v, end + len(s[end:]) - len(trimLeft(s[end:])), err
}
