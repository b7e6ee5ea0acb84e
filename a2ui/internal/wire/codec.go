package wire

import (
	"fmt"
	"time"

	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Codec writes and reads the messages of one dialect.
type Codec struct {
	Versions     []string // values of the version member it reads; nil = the member must be absent
	Append       func(dst []byte, m Message) ([]byte, error)
	Decode       func(v jsonx.Node) (Message, error)
	AppendClient func(dst []byte, m ClientMessage) ([]byte, error)
	DecodeClient func(v jsonx.Node) (ClientMessage, error)
	PlainKeys    bool // v1.0-rc: the keys path and call distinguish a binding from a plain object
	// Claims reports, for a message whose version two codecs read, whether it is
	// this one's; nil = yes.
	Claims func(v jsonx.Node) bool
	// Capabilities are the keys under which a client of this dialect lists what
	// it can draw; nil = none, it lists it without a key.
	Capabilities []string
	Names        *Names // nil = neutral names are on the wire
	// Parts are the server messages with their members, and Component finds the
	// first fault of a component, for Inspect.
	Parts     map[string][]Field
	Component func(m *Component, v jsonx.Node) *Problem
}

// Names are the words of a dialect for neutral ones; nil Names are the neutral ones.
type Names struct {
	Type  func(component string) string              // nil = no other
	Enum  func(component, prop, value string) string // nil = no other
	Place func(component, prop string) []string      // the steps from a component to a property of it
	Path  func(m Message, path string) string        // a pointer into the body of m
}

// OfType returns the dialect's name of a component type.
func (n *Names) OfType(component string) string {
	if n == nil || n.Type == nil {
		return component
	}
	return n.Type(component)
}

// OfProp returns the dialect's name of a property.
func (n *Names) OfProp(component, prop string) string {
	steps := n.PlaceOf(component, prop)
	return steps[len(steps)-1]
}

// PlaceOf returns the steps from a component to a property of it.
func (n *Names) PlaceOf(component, prop string) []string {
	if n == nil {
		return []string{prop}
	}
	return n.Place(component, prop)
}

// Bad builds a Problem.
func Bad(code Code, path, format string, args ...any) *Problem {
	return &Problem{Code: code, Path: path, Message: fmt.Sprintf(format, args...)}
}

// Part is one member of a message that was read.
type Part struct {
	Key   string
	Value jsonx.Node
}

// Body returns the one member of an envelope that is not the version, or a
// problem with code.
func Body(v jsonx.Node, version string, code Code) (Part, error) {
	var body Part
	found := 0
	for e := v.Entries(); e.OK(); e = e.Next() {
		key := e.Key()
		if key == version && version != "" {
			continue
		}
		if found++; found == 1 {
			body = Part{key, e.Value()}
		} else if found == 2 {
			body.Key += " and " + key
		}
	}
	switch {
	case v.Kind() != jsonx.Object:
		return body, Bad(code, "", "a message is an object, not %s", v.Kind())
	case found == 0:
		return body, Bad(code, "", "the message says nothing: it has no member beside the version")
	case found > 1:
		return body, Bad(code, "", "the message has %d members beside the version, %s, want one", found, body.Key)
	case body.Value.Kind() != jsonx.Object:
		return body, Bad(code, "/"+body.Key, "%s must be an object, not %s", body.Key, body.Value.Kind())
	}
	return body, nil
}

// Field is one member that Fields reads.
type Field struct {
	Key      string
	Kind     jsonx.Kind // Null = any
	Required bool
}

// NeedText is a required member that holds a text.
func NeedText(key string) Field { return Field{Key: key, Kind: jsonx.String, Required: true} }

// Fields reads the members of body.Value: that of fields[i] becomes into[i], and
// stays a zero Node if it is missing. Unknown members go to extra; without extra
// they are a problem.
func Fields(body Part, code Code, extra *[]Member, fields []Field, into []jsonx.Node) error {
	var first *Problem
	eachFault(body, code, extra, fields, into, func(p *Problem) (more bool) {
		first = p
		return false
	})
	if first != nil {
		return first
	}
	return nil
}

// eachFault is Fields for all problems, as long as found wants more.
func eachFault(body Part, code Code, extra *[]Member, fields []Field, into []jsonx.Node,
	found func(*Problem) (more bool)) {
members:
	for e := body.Value.Entries(); e.OK(); e = e.Next() {
		key := e.Key()
		for i := range fields {
			if f := &fields[i]; f.Key == key {
				if into[i] = e.Value(); f.Kind != jsonx.Null && f.Kind != into[i].Kind() && !found(Bad(code, "/"+f.Key,
					"%s.%s must be of type %s, not %s", body.Key, f.Key, f.Kind, into[i].Kind())) {
					return
				}
				continue members
			}
		}
		if extra != nil {
			*extra = append(*extra, e.Member())
		} else if !found(Bad(code, jsonptr.Join(key), "%s has an unknown member %q", body.Key, key)) {
			return
		}
	}
	for i := range fields {
		if fields[i].Required && !into[i].Found() &&
			!found(Bad(code, "/"+fields[i].Key, "%s lacks %s", body.Key, fields[i].Key)) {
			return
		}
	}
}

// Key writes "key": with a comma before it unless it is the first of its object.
func Key(dst []byte, key string) []byte {
	if n := len(dst); n > 0 && dst[n-1] != '{' {
		dst = append(dst, ',')
	}
	return append(jsonx.AppendString(dst, key), ':')
}

// Text writes a string member.
func Text(dst []byte, key, value string) []byte {
	return jsonx.AppendString(Key(dst, key), value)
}

// AppendEach writes a list, up to the first item that cannot be written.
func AppendEach[T any](dst []byte, list []T, one func([]byte, T) ([]byte, bool)) (_ []byte, ok bool) {
	dst = append(dst, '[')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, ok = one(dst, list[i]); !ok {
			return dst, false
		}
	}
	return append(dst, ']'), true
}

// AppendComponents writes the member components with one, which writes a component.
func AppendComponents(dst []byte, list []Component,
	one func([]byte, *Component) ([]byte, *Problem)) ([]byte, *Problem) {
	dst = append(dst, `,"components":[`...)
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err *Problem
		if dst, err = one(dst, &list[i]); err != nil {
			err.Component = list[i].ID
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// AppendExtra writes unknown members after the known ones.
func AppendExtra(dst []byte, extra []Member) []byte {
	for _, m := range extra {
		dst = jsonx.Append(Key(dst, m.Key), m.Value)
	}
	return dst
}

// AppendAction writes the body that all versions share; v1 allows what came
// with v1.0.
func AppendAction(dst []byte, a *Action, v1 bool) ([]byte, error) {
	if err := a.check(); err != nil {
		return dst, err
	}
	if !v1 && (a.UserMessage != "" || a.Metadata.Kind != jsonx.Null) {
		return dst, Bad(ClientInvalid, "/userMessage", "this version has no userMessage and no metadata")
	}
	dst = Text(append(dst, '{'), "name", a.Name)
	if a.UserMessage != "" {
		dst = Text(dst, "userMessage", a.UserMessage)
	}
	dst = Text(dst, "surfaceId", a.SurfaceID)
	dst = Text(dst, "sourceComponentId", a.Component)
	dst = Text(dst, "timestamp", a.Timestamp)
	dst = jsonx.Append(Key(dst, "context"), a.Context)
	if a.Metadata.Kind != jsonx.Null {
		dst = jsonx.Append(Key(dst, "metadata"), a.Metadata)
	}
	return append(AppendExtra(dst, a.Extra), '}'), nil
}

func (a *Action) check() error {
	if _, err := time.Parse(time.RFC3339, a.Timestamp); err != nil {
		return Bad(ClientInvalid, "/timestamp", "timestamp %.40q is not in the form of RFC 3339", a.Timestamp)
	}
	if a.Context.Kind != jsonx.Object {
		return Bad(ClientInvalid, "/context", "context must be an object, not %s", a.Context.Kind)
	}
	if err := CheckMetadata("/metadata", a.Metadata, ClientInvalid); err != nil {
		return err
	}
	return nil
}

// DecodeAction reads the body that all versions share.
func DecodeAction(body Part, v1 bool) (ClientMessage, error) {
	var a Action
	var got [len(actionFields)]jsonx.Node
	fields := actionFields[:5]
	if v1 {
		fields = actionFields[:]
	}
	if err := Fields(body, ClientInvalid, &a.Extra, fields, got[:]); err != nil {
		return nil, err
	}
	a.Name, a.SurfaceID, a.Component, a.Timestamp, a.UserMessage = got[0].Text(), got[1].Text(), got[2].Text(),
		got[3].Text(), got[5].Text()
	a.Context, a.Metadata = got[4].Value(), got[6].Value()
	if err := a.check(); err != nil {
		return nil, err
	}
	return &a, nil
}

var actionFields = [...]Field{
	NeedText("name"), NeedText("surfaceId"), NeedText("sourceComponentId"), NeedText("timestamp"),
	{Key: "context", Kind: jsonx.Object, Required: true}, // up to here every version
	{Key: "userMessage", Kind: jsonx.String}, {Key: "metadata", Kind: jsonx.Object},
}

// NoInline refuses the parts that a surface may contain on v1.0 only.
func NoInline(m *CreateSurface) *Problem {
	switch {
	case m.Components != nil:
		return Bad(EnvelopeInvalid, "/components", "this version sends components in a message of their own")
	case m.Data.Kind != jsonx.Null:
		return Bad(EnvelopeInvalid, "/dataModel", "this version sends data in a message of its own")
	case m.Metadata.Kind != jsonx.Null:
		return Bad(EnvelopeInvalid, "/metadata", "this version has no metadata")
	}
	return nil
}

// CheckMetadata reports whether metadata has the form {"extensions": {name: any}},
// where names pass IsName; Null passes.
func CheckMetadata(path string, v jsonx.Value, code Code) *Problem {
	if v.Kind == jsonx.Null {
		return nil
	}
	if v.Kind != jsonx.Object {
		return Bad(code, path, "metadata must be an object, not %s", v.Kind)
	}
	for _, m := range v.Members {
		if m.Key != "extensions" || m.Value.Kind != jsonx.Object {
			return Bad(code, path+jsonptr.Join(m.Key), "metadata holds the object extensions only")
		}
		for _, extension := range m.Value.Members {
			if !IsName(extension.Key) {
				return Bad(code, path+jsonptr.Join("extensions", extension.Key), "%q is no identifier", extension.Key)
			}
		}
	}
	return nil
}

// AppendError writes the members of an error that are there.
func AppendError(dst []byte, e *ClientError) []byte {
	dst = append(dst, '{')
	for _, m := range [...]struct{ key, text string }{
		{"code", e.Code}, {"surfaceId", e.SurfaceID}, {"functionCallId", e.CallID}, {"path", e.Path},
		{"message", e.Message},
	} {
		if m.text != "" {
			dst = Text(dst, m.key, m.text)
		}
	}
	return append(AppendExtra(dst, e.Extra), '}')
}

// DecodeError reads an error; members that are not texts stay in Extra, and so
// does the id of a function call where calls are unknown.
func DecodeError(body Part, calls bool) *ClientError {
	var out ClientError
	for e := body.Value.Entries(); e.OK(); e = e.Next() {
		text := e.Value().Text()
		var into *string
		switch key := e.Key(); {
		case text == "":
		case key == "code":
			into = &out.Code
		case key == "surfaceId":
			into = &out.SurfaceID
		case key == "path":
			into = &out.Path
		case key == "message":
			into = &out.Message
		case key == "functionCallId" && calls:
			into = &out.CallID
		}
		if into == nil {
			out.Extra = append(out.Extra, e.Member())
			continue
		}
		*into = text
	}
	return &out
}
