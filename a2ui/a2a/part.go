package a2a

import (
	"errors"
	"fmt"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// The media types of A2UI parts. Both are read everywhere.
const (
	MediaType    = "application/a2ui+json"
	oldMediaType = "application/json+a2ui" // of v0.8
)

// The kinds of parts that this package makes. Others are kept as they are.
const (
	TextKind = "text"
	DataKind = "data"
)

// Part is one part of an A2A message or artifact.
type Part struct {
	Kind      string
	Text      string        // of a text part
	Data      a2ui.Data     // of a data part
	MediaType string        // metadata.mimeType, or mediaType of A2A 1.0; "" = none
	Metadata  []a2ui.Member // the rest of the metadata
	Extra     []a2ui.Member // members that this package does not know
}

// NewText returns a text part.
func NewText(text string) Part { return Part{Kind: TextKind, Text: text} }

// NewParts returns the parts that carry messages of one dialect, in their order:
// one that holds the list of all, or on v0.8 one for each. The error is that of
// a2ui.AppendMessage.
func NewParts(d a2ui.Dialect, msgs ...a2ui.Message) ([]Part, error) {
	return newParts(d, msgs, a2ui.AppendMessage)
}

// NewClientParts is NewParts for the messages of a renderer.
func NewClientParts(d a2ui.Dialect, msgs ...a2ui.ClientMessage) ([]Part, error) {
	return newParts(d, msgs, a2ui.AppendClient)
}

func newParts[M any](d a2ui.Dialect, msgs []M, write func([]byte, a2ui.Dialect, M) ([]byte, error)) ([]Part, error) {
	list := jsonx.OfArray()
	for i, m := range msgs {
		b, err := write(nil, d, m)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		v, err := jsonx.Parse(b, jsonx.Limits{Bytes: len(b), String: len(b), Entries: len(b), Depth: 512})
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		list.Items = append(list.Items, v)
	}
	return Wrap(d, list.Items...), nil
}

// Wrap is NewParts for messages that are JSON already, such as a model's. It
// looks at none of them.
func Wrap(d a2ui.Dialect, msgs ...a2ui.Data) []Part {
	f := d.Features()
	if f.PartLists && len(msgs) > 0 {
		return []Part{{Kind: DataKind, Data: jsonx.OfArray(msgs...), MediaType: f.MediaType}}
	}
	var out []Part
	for _, m := range msgs {
		out = append(out, Part{Kind: DataKind, Data: m, MediaType: f.MediaType})
	}
	return out
}

// IsA2UI reports whether the part is a data part with a media type of A2UI, in any
// case and with any parameters.
func (p Part) IsA2UI() bool {
	media, _, _ := strings.Cut(p.MediaType, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return p.Kind == DataKind && (media == MediaType || media == oldMediaType)
}

var errNoPart = errors.New("not a data part with a media type of A2UI")

// Messages reads the server messages of an A2UI part: one, a list, or an object
// with messages, whatever the version. The error is that of a2ui.DecodeMessages; a part that is no A2UI
// is one too.
func (p Part) Messages() (a2ui.Dialect, []a2ui.Message, error) {
	if !p.IsA2UI() {
		return 0, nil, errNoPart
	}
	return a2ui.DecodeMessages(jsonx.Append(nil, p.Data))
}

// ClientMessages reads the client messages of an A2UI part, in the same way.
func (p Part) ClientMessages(lim a2ui.Limits) (a2ui.Dialect, []a2ui.ClientMessage, error) {
	if !p.IsA2UI() {
		return 0, nil, errNoPart
	}
	return a2ui.DecodeClientMessages(jsonx.Append(nil, p.Data), lim)
}

// DecodePart reads one part. Members it does not know are kept; a part that has
// no kind is a data part if it has data, and a text part if it has text.
func DecodePart(b []byte, lim a2ui.Limits) (Part, error) {
	v, err := jsonx.Parse(b, wire.JSONLimits(lim.WithDefaults()))
	if err != nil {
		return Part{}, fmt.Errorf("a2a part: %w", err)
	}
	if v.Kind != jsonx.Object {
		return Part{}, fmt.Errorf("a2a part: an object, not %s", v.Kind)
	}
	return readPart(v)
}

func readPart(v jsonx.Value) (p Part, err error) {
	data, hasData := v.Get("data")
	text, hasText := v.Get("text")
	switch kind, ok := v.Get("kind"); {
	case ok && kind.Kind == jsonx.String:
		p.Kind = kind.Str
	case ok:
		return p, errors.New("a2a part: the kind is no text")
	case hasData:
		p.Kind = DataKind
	case hasText:
		p.Kind = TextKind
	}
	if p.Kind == TextKind && text.Kind != jsonx.String ||
		p.Kind == DataKind && data.Kind != jsonx.Object && data.Kind != jsonx.Array {
		return p, fmt.Errorf("a2a part: a %s part without its %s", p.Kind, p.Kind)
	}
	for _, m := range v.Members {
		switch {
		case m.Key == "kind":
		case m.Key == "text" && p.Kind == TextKind:
			p.Text = m.Value.Str
		case m.Key == "data" && p.Kind == DataKind:
			p.Data = m.Value
		case m.Key == "metadata" && m.Value.Kind == jsonx.Object:
			p.readMetadata(m.Value)
		default:
			p.Extra = append(p.Extra, m)
		}
	}
	if p.MediaType == "" {
		p.MediaType = v.At("mediaType").Text()
	}
	return p, nil
}

func (p *Part) readMetadata(v jsonx.Value) {
	for _, m := range v.Members {
		if m.Key == "mimeType" && m.Value.Text() != "" {
			p.MediaType = m.Value.Str
			continue
		}
		p.Metadata = append(p.Metadata, m)
	}
}

// AppendPart writes a part as compact JSON.
func AppendPart(dst []byte, p Part) []byte {
	v := jsonx.OfObject(a2ui.Member{Key: "kind", Value: jsonx.Of(p.Kind)})
	switch p.Kind {
	case TextKind:
		v.Members = append(v.Members, a2ui.Member{Key: "text", Value: jsonx.Of(p.Text)})
	case DataKind:
		v.Members = append(v.Members, a2ui.Member{Key: "data", Value: p.Data})
	}
	metadata := jsonx.OfObject()
	if p.MediaType != "" {
		metadata.Members = append(metadata.Members, a2ui.Member{Key: "mimeType", Value: jsonx.Of(p.MediaType)})
	}
	metadata.Members = append(metadata.Members, p.Metadata...)
	if len(metadata.Members) > 0 {
		v.Members = append(v.Members, a2ui.Member{Key: "metadata", Value: metadata})
	}
	v.Members = append(v.Members, p.Extra...)
	return jsonx.Append(dst, v)
}
