package scripted

import (
	"context"
	"strconv"
	"strings"
	"unicode"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/fence"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// maxScript bounds a script, in bytes.
const maxScript = 1 << 20

// Model answers from a script.
type Model struct {
	rules     []rule
	otherwise rule
}

type rule struct {
	phrases []string // normalised: " word word "
	answer  directive.Envelope
}

// New reads a script. A fault is llm.CodeConfigInvalid with its line as path.
func New(script []byte) (*Model, error) {
	if len(script) > maxScript {
		return nil, ui.Errorf(llm.CodeConfigInvalid, "", "script above %d bytes", maxScript)
	}
	m := &Model{otherwise: rule{answer: directive.Envelope{Text: "I have no answer to that in my script."}}}
	var now *rule
	seenOtherwise := false
	line := 0
	for text := range strings.Lines(string(script)) {
		line++
		text = strings.TrimSpace(strings.TrimPrefix(text, "\uFEFF"))
		if text == "" || text[0] == '#' {
			continue
		}
		word, rest, ok := strings.Cut(text, ":")
		rest = strings.TrimSpace(rest)
		var problem string
		switch {
		case ok && word == "on":
			m.rules = append(m.rules, rule{})
			now = &m.rules[len(m.rules)-1]
			problem = now.listen(rest)
		case ok && word == "otherwise" && rest == "" && !seenOtherwise:
			m.otherwise, now, seenOtherwise = rule{}, &m.otherwise, true
		case ok && word == "say" && now != nil:
			now.say(rest)
		case ok && word == "do" && now != nil:
			problem = now.do(rest)
		default:
			problem = "want on:, say:, do: or one otherwise:, and a rule before its answer"
		}
		if problem != "" {
			return nil, ui.Errorf(llm.CodeConfigInvalid, "line "+strconv.Itoa(line), "%s", problem)
		}
	}
	for _, r := range append(m.rules, m.otherwise) {
		if r.answer.Text == "" && len(r.answer.Directives) == 0 {
			return nil, ui.Errorf(llm.CodeConfigInvalid, "", "a rule says and does nothing")
		}
	}
	return m, nil
}

func (r *rule) listen(phrases string) (problem string) {
	for phrase := range strings.SplitSeq(phrases, "|") {
		p := words(phrase)
		if p == " " {
			return "an empty phrase"
		}
		r.phrases = append(r.phrases, p)
	}
	return ""
}

func (r *rule) say(text string) {
	if r.answer.Text != "" {
		text = r.answer.Text + "\n" + text
	}
	r.answer.Text = text
}

func (r *rule) do(text string) (problem string) {
	name, payload, _ := strings.Cut(text, " ")
	if payload = strings.TrimSpace(payload); payload == "" {
		payload = "{}"
	}
	v, err := jsonx.Parse([]byte(payload), jsonx.Limits{})
	if name == "" || err != nil || v.Kind != jsonx.Object {
		return "do: wants a type and a payload that is a JSON object"
	}
	r.answer.Directives = append(r.answer.Directives,
		directive.Directive{Type: name, Payload: v, Index: len(r.answer.Directives)})
	return ""
}

// words lower-cases text and reduces it to its words: " word word ".
func words(s string) string {
	fields := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	if len(fields) == 0 {
		return " "
	}
	return " " + strings.Join(fields, " ") + " "
}

// Name implements llm.Named.
func (m *Model) Name() (provider, model string) { return "limn", "script" }

// Capabilities implements llm.Capable.
func (m *Model) Capabilities() llm.Capabilities {
	return llm.Capabilities{Keys: []string{"*"}, JSONSchema: true, JSONObject: true, Streaming: true}
}

// Ask implements llm.Model. A streamed answer comes word by word.
func (m *Model) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	r, warnings, err := llm.Prepare(r, m.Capabilities(), false)
	if err != nil {
		return llm.Reply{Warnings: warnings}, err
	}
	if ctx.Err() != nil {
		return llm.Reply{Warnings: warnings},
			&ui.Error{Code: llm.CodeCanceled, Message: "the request was given up", Err: context.Cause(ctx)}
	}
	env := m.answer(r.Messages)
	text := env.Text
	if r.Format != nil {
		text = string(env.JSON())
	}
	if r.Stream && r.OnText != nil {
		for piece := range strings.SplitAfterSeq(text, " ") {
			r.OnText(piece)
		}
	}
	return llm.Reply{Text: text, Finish: llm.FinishStop, Warnings: warnings}, nil
}

func (m *Model) answer(messages []llm.Message) directive.Envelope {
	said := ""
	for _, msg := range messages {
		if msg.Role == llm.RoleUser {
			said = msg.Text
		}
	}
	said = words(fence.Last(said))
	for _, r := range m.rules {
		for _, p := range r.phrases {
			if strings.Contains(said, p) {
				return r.answer
			}
		}
	}
	return m.otherwise.answer
}
