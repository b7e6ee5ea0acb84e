package a2a

import (
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

// AnswerOptions say how Answer reads.
type AnswerOptions struct {
	Parser a2ui.ParserOptions // how the A2UI in the answer is found and checked
	// MediaType of A2UI parts; the default is that of the version of their
	// messages.
	MediaType string
}

// Answer makes the parts of a message out of a model's text: text, and A2UI as the
// parser finds it (see a2ui.Parser), healed, in its order. Text without a character is
// left out.
//
// If the A2UI of an answer cannot be read or is not valid, no part of it is sent: it
// comes back as one text part with the model's whole text, and the error, Problems,
// gives the reasons. The agent may send that part, or ask the model again.
func Answer(o AnswerOptions, text string) ([]Part, error) {
	found, err := a2ui.ParseText(o.Parser, []byte(text))
	if err != nil {
		return []Part{NewText(text)}, err
	}
	var out []Part
	for _, part := range found {
		if part.Messages == nil {
			if t := strings.TrimSpace(part.Text); t != "" {
				out = append(out, NewText(t))
			}
			continue
		}
		parts, err := answerParts(o, part.Messages)
		if err != nil {
			return []Part{NewText(text)}, err
		}
		out = append(out, parts...)
	}
	return out, nil
}

// answerParts wraps messages, those of one version together.
func answerParts(o AnswerOptions, messages []a2ui.Parsed) (out []Part, err error) {
	var list []a2ui.Data
	var of a2ui.Dialect
	flush := func() {
		out = append(out, Wrap(of, list...)...)
		list = nil
	}
	for _, m := range messages {
		v, err := jsonx.Parse(m.JSON, jsonx.Limits{Bytes: len(m.JSON), String: len(m.JSON), Entries: len(m.JSON),
			Depth: 512})
		if err != nil {
			return nil, err
		}
		d := m.Dialect
		if d == 0 {
			d = o.Parser.Rules.Dialect
		}
		if d == 0 {
			d = assumed(v)
		}
		if d != of {
			flush()
		}
		of, list = d, append(list, v)
	}
	flush()
	for i := range out {
		if o.MediaType != "" {
			out[i].MediaType = o.MediaType
		}
	}
	return out, nil
}

// assumed is the dialect by which a message is wrapped that was not decoded: all
// versions since v0.9 have a version member and are wrapped alike.
func assumed(v a2ui.Data) a2ui.Dialect {
	if _, ok := v.Get("version"); ok {
		return a2ui.V09
	}
	return a2ui.V08
}
