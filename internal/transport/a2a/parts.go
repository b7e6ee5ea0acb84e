package a2a

import (
	"cmp"
	"encoding/json"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// parts collects the parts of a message, as JSON.
type parts struct {
	wire wire
	b    []byte
}

func (p *parts) next() {
	if len(p.b) > 0 {
		p.b = append(p.b, ',')
	}
}

// text adds a text; what about describes goes into its metadata.
func (p *parts) text(s string, about *outcome) {
	p.next()
	if p.b = append(p.b, '{'); p.wire == v03 {
		p.b = append(p.b, `"kind":"text",`...)
	}
	p.b = jsonx.AppendString(append(p.b, `"text":`...), s)
	if about != nil {
		meta, _ := json.Marshal(about) // strings
		p.b = append(append(append(p.b, `,"metadata":{"limn":`...), meta...), '}')
	}
	p.b = append(p.b, '}')
}

// outcome says in metadata, for programs, how a turn ended.
type outcome struct {
	Outcome ui.OutcomeKind `json:"outcome,omitempty"`
	Code    ui.Code        `json:"code,omitempty"`
	Surface ui.Name        `json:"surface,omitempty"`
	Path    string         `json:"path,omitempty"`
	Hint    string         `json:"hint,omitempty"`
}

// a2ui adds messages of a dialect: as a list, or one by one where its parts hold one.
func (p *parts) a2ui(d a2ui.Dialect, messages [][]byte) {
	f := d.Features()
	if len(messages) == 0 {
		return
	}
	if !f.PartLists {
		for _, m := range messages {
			p.data(f.MediaType, m)
		}
		return
	}
	size := 2
	for _, m := range messages {
		size += len(m) + 1
	}
	list := append(make([]byte, 0, size), '[')
	for i, m := range messages {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, m...)
	}
	p.data(f.MediaType, append(list, ']'))
}

func (p *parts) data(media string, data []byte) {
	p.next()
	if p.b = append(p.b, '{'); p.wire == v03 {
		p.b = append(p.b, `"kind":"data",`...)
	}
	p.b = append(append(p.b, `"data":`...), data...)
	if p.wire == v10 {
		p.b = jsonx.AppendString(append(p.b, `,"mediaType":`...), media)
	}
	p.b = append(jsonx.AppendString(append(p.b, `,"metadata":{"mimeType":`...), media), "}}"...)
}

// frame adds the words and drawings of a step: the words if the frame is of the task, or
// of no message, and the messages of any cause.
func (t *task) frame(p *parts, st conversation.Step, messages [][]byte) {
	f := st.Frame
	own := t.Owns(f.Event)
	if own && f.Rebuild != nil && !t.plain { // the client shows something else than the state
		if all, err := t.redrawn(st.After); err == nil {
			messages = all
		}
	}
	if own || !door.AnswersUser(st) {
		if f.Text != "" {
			p.text(f.Text, nil)
		}
		for _, toast := range f.Toasts {
			p.text(toast, nil)
		}
		if o := f.Outcome; own && o.Kind != ui.OutcomeDone {
			if said := cmp.Or(o.Message, o.Detail); said != "" && said != f.Text {
				p.text(said, &outcome{o.Kind, o.Code, o.Surface, string(o.Path), o.Hint})
			}
		}
	}
	if line, ok := door.Returned(f.Outcome, t.action); ok && f.Event == t.Last() {
		p.a2ui(a2ui.V10, [][]byte{line}) // the only version with such calls
	}
	switch {
	case !t.plain:
		p.a2ui(t.target.A2UI.Dialect, messages)
	case len(messages) > 0 && t.link != "":
		p.text(t.link, t.lack)
	}
}
