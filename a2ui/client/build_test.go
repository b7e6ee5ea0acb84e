package client

import (
	"errors"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

var dialects = []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V091, a2ui.V10RC, a2ui.V10}

// Short constructors for tests.

func create(id string) a2ui.Message {
	return &a2ui.CreateSurface{SurfaceID: id, CatalogID: "basic", Root: "root"}
}

func comps(id string, list ...a2ui.Component) a2ui.Message {
	return &a2ui.UpdateComponents{SurfaceID: id, Components: list}
}

func data(id, path, json string) a2ui.Message {
	return &a2ui.UpdateData{SurfaceID: id, Path: path, Value: parse(json)}
}

func drop(id, path string) a2ui.Message {
	return &a2ui.UpdateData{SurfaceID: id, Path: path, Delete: true}
}

func remove(id string) a2ui.Message { return &a2ui.DeleteSurface{SurfaceID: id} }

// comp builds a component from name, value, name, value…; Go strings become
// literals, JSON numbers go in as a2ui.Literal.
func comp(id, typ string, nameValue ...any) a2ui.Component {
	c := a2ui.Component{ID: id, Type: typ}
	for i := 0; i < len(nameValue); i += 2 {
		c.Props = append(c.Props, a2ui.Prop{Name: nameValue[i].(string), Value: val(nameValue[i+1])})
	}
	return c
}

func val(v any) a2ui.Value {
	switch v := v.(type) {
	case string:
		return a2ui.String(v)
	case bool:
		return a2ui.Bool(v)
	case []string:
		return a2ui.Refs(v)
	case a2ui.Value:
		return v
	}
	panic("test: no value")
}

func lit(json string) a2ui.Literal { return a2ui.Literal{Data: parse(json)} }

func call(name string, nameValue ...any) a2ui.Call {
	return a2ui.Call{Func: name, Args: comp("", "", nameValue...).Props}
}

func parse(json string) a2ui.Data {
	v, err := jsonx.Parse([]byte(json), jsonx.Limits{})
	if err != nil {
		panic(err)
	}
	return v
}

func asJSON(v a2ui.Data) string { return string(jsonx.Append(nil, v)) }

// start applies all messages to a new client.
func start(t testing.TB, d a2ui.Dialect, mode Mode, ms ...a2ui.Message) *Client {
	t.Helper()
	c := New(d, mode)
	apply(t, c, ms...)
	return c
}

func apply(t testing.TB, c *Client, ms ...a2ui.Message) {
	t.Helper()
	for i, m := range ms {
		if err := c.Apply(m); err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
	}
}

func codeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func view(t testing.TB, c *Client, id string) View {
	t.Helper()
	v, err := c.Surface(id)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// setMember returns an object with one more member.
func setMember(at a2ui.Data, key string, v a2ui.Data) a2ui.Data {
	out := a2ui.Data{Kind: object}
	for _, m := range at.Members {
		if m.Key != key {
			out.Members = append(out.Members, m)
		}
	}
	out.Members = append(out.Members, a2ui.Member{Key: key, Value: v})
	return out
}
