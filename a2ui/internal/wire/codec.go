package wire

import (
	"fmt"
	"time"

	"github.com/limn-ui/limn/internal/jsonx"
)

// Codec writes and reads the messages of one dialect.
type Codec struct {
	Versions     []string // values of the version member it reads; nil = the member must be absent
	Append       func(dst []byte, m Message) ([]byte, error)
	Decode       func(v jsonx.Value) (Message, error)
	AppendClient func(dst []byte, m ClientMessage) ([]byte, error)
	DecodeClient func(v jsonx.Value) (ClientMessage, error)
}

// Bad builds a Problem.
func Bad(code Code, path, format string, args ...any) *Problem {
	return &Problem{Code: code, Path: path, Message: fmt.Sprintf(format, args...)}
}

// Body returns the one member of an envelope that is not the version, or a
// problem with code.
func Body(v jsonx.Value, version string, code Code) (Member, error) {
	var body Member
	found := 0
	for _, m := range v.Members {
		if m.Key == version && version != "" {
			continue
		}
		body = m
		found++
	}
	switch {
	case v.Kind != jsonx.Object:
		return body, Bad(code, "", "a message is an object, not %s", v.Kind)
	case found == 0:
		return body, Bad(code, "", "the message has no body")
	case found > 1:
		return body, Bad(code, "", "the message has %d members beside the version, want one", found)
	case body.Value.Kind != jsonx.Object:
		return body, Bad(code, "/"+body.Key, "%s must be an object, not %s", body.Key, body.Value.Kind)
	}
	return body, nil
}

// Field is one member that Fields reads.
type Field struct {
	Key      string
	Kind     jsonx.Kind // Null = any
	Required bool
	Into     *jsonx.Value
	Has      *bool // may be nil
}

// Fields reads the members of body.Value into fields. Unknown members go to
// extra; without extra they are a problem.
func Fields(body Member, code Code, extra *[]Member, fields ...Field) error {
	seen := uint(0)
members:
	for _, m := range body.Value.Members {
		for i, f := range fields {
			if f.Key != m.Key {
				continue
			}
			if f.Kind != jsonx.Null && f.Kind != m.Value.Kind {
				return Bad(code, "/"+f.Key, "%s.%s must be a %s, not %s", body.Key, f.Key, f.Kind, m.Value.Kind)
			}
			if *f.Into = m.Value; f.Has != nil {
				*f.Has = true
			}
			seen |= 1 << i
			continue members
		}
		if extra == nil {
			return Bad(code, "/"+m.Key, "%s has an unknown member %q", body.Key, m.Key)
		}
		*extra = append(*extra, m)
	}
	for i, f := range fields {
		if f.Required && seen&(1<<i) == 0 {
			return Bad(code, "/"+f.Key, "%s lacks %s", body.Key, f.Key)
		}
	}
	return nil
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

// AppendExtra writes unknown members behind the known ones.
func AppendExtra(dst []byte, extra []Member) []byte {
	for _, m := range extra {
		dst = jsonx.Append(Key(dst, m.Key), m.Value)
	}
	return dst
}

// AppendAction writes the body that all versions share.
func AppendAction(dst []byte, a *Action) ([]byte, error) {
	if err := a.check(); err != nil {
		return dst, err
	}
	dst = Text(append(dst, '{'), "name", a.Name)
	dst = Text(dst, "surfaceId", a.SurfaceID)
	dst = Text(dst, "sourceComponentId", a.Component)
	dst = Text(dst, "timestamp", a.Timestamp)
	dst = jsonx.Append(Key(dst, "context"), a.Context)
	return append(AppendExtra(dst, a.Extra), '}'), nil
}

func (a *Action) check() error {
	if _, err := time.Parse(time.RFC3339, a.Timestamp); err != nil {
		return Bad(ClientInvalid, "/timestamp", "timestamp %.40q is not in the form of RFC 3339", a.Timestamp)
	}
	if a.Context.Kind != jsonx.Object {
		return Bad(ClientInvalid, "/context", "context must be an object, not %s", a.Context.Kind)
	}
	return nil
}

// DecodeAction reads the body that all versions share.
func DecodeAction(body Member) (*Action, error) {
	var name, surface, component, timestamp jsonx.Value
	var a Action
	err := Fields(body, ClientInvalid, &a.Extra,
		Field{Key: "name", Kind: jsonx.String, Required: true, Into: &name},
		Field{Key: "surfaceId", Kind: jsonx.String, Required: true, Into: &surface},
		Field{Key: "sourceComponentId", Kind: jsonx.String, Required: true, Into: &component},
		Field{Key: "timestamp", Kind: jsonx.String, Required: true, Into: &timestamp},
		Field{Key: "context", Kind: jsonx.Object, Required: true, Into: &a.Context},
	)
	if err != nil {
		return nil, err
	}
	a.Name, a.SurfaceID, a.Component, a.Timestamp = name.Str, surface.Str, component.Str, timestamp.Str
	if err := a.check(); err != nil {
		return nil, err
	}
	return &a, nil
}

// AppendError writes the members of an error that are there.
func AppendError(dst []byte, e *ClientError) []byte {
	dst = append(dst, '{')
	for _, m := range [...]struct{ key, text string }{
		{"code", e.Code}, {"surfaceId", e.SurfaceID}, {"path", e.Path}, {"message", e.Message},
	} {
		if m.text != "" {
			dst = Text(dst, m.key, m.text)
		}
	}
	return append(AppendExtra(dst, e.Extra), '}')
}

// DecodeError reads an error; members that are not texts stay in Extra.
func DecodeError(body Member) *ClientError {
	var e ClientError
	for _, m := range body.Value.Members {
		into := map[string]*string{"code": &e.Code, "surfaceId": &e.SurfaceID, "path": &e.Path, "message": &e.Message}[m.Key]
		if into == nil || m.Value.Text() == "" {
			e.Extra = append(e.Extra, m)
			continue
		}
		*into = m.Value.Str
	}
	return &e
}
