package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// Nodes is a list of nodes with a JSON form: each node is an object whose
// first member "node" names its type.
type Nodes []Node

// nodeTypes maps the name in JSON to the Go type, both ways.
var nodeTypes = newUnion("node",
	&Column{}, &Row{}, &Card{}, &Section{}, &Tabs{}, &Tab{}, &Divider{},
	&Heading{}, &Text{}, &Image{}, &Icon{}, &Stat{}, &Progress{}, &Notice{},
	&TextInput{}, &Checkbox{}, &Choice{}, &Slider{}, &DateTime{}, &Tags{}, &Upload{},
	&Table{}, &Steps{}, &Button{})

// NodeTypes returns the names of all node types in the order of node.go.
func NodeTypes() []string { return append([]string(nil), nodeTypes.names...) }

// NodeType returns the name of a node's type, such as "TextInput".
func NodeType(n Node) string { return nodeTypes.name(n) }

// MarshalNode writes one node as JSON.
func MarshalNode(n Node) ([]byte, error) { return nodeTypes.marshal(n) }

// UnmarshalNode reads one node; unknown types and members are errors.
func UnmarshalNode(b []byte) (Node, error) {
	v, err := nodeTypes.unmarshal(b)
	if err != nil {
		return nil, err
	}
	return v.(Node), nil
}

// MarshalJSON implements json.Marshaler.
func (ns Nodes) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, n := range ns {
		if i > 0 {
			out = append(out, ',')
		}
		b, err := MarshalNode(n)
		if err != nil {
			return nil, err
		}
		out = append(out, b...)
	}
	return append(out, ']'), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (ns *Nodes) UnmarshalJSON(b []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	*ns = make(Nodes, len(raw))
	for i := range raw {
		n, err := UnmarshalNode(raw[i])
		if err != nil {
			return err
		}
		(*ns)[i] = n
	}
	return nil
}

// union writes and reads the members of a sealed interface as objects whose
// first member, tag, names the type.
type union struct {
	tag    string
	names  []string
	byName map[string]reflect.Type
	byType map[reflect.Type]string
}

func newUnion(tag string, members ...any) *union {
	u := &union{tag: tag, byName: map[string]reflect.Type{}, byType: map[reflect.Type]string{}}
	for _, m := range members {
		t := reflect.TypeOf(m).Elem()
		u.names = append(u.names, t.Name())
		u.byName[t.Name()], u.byType[t] = t, t.Name()
	}
	return u
}

func (u *union) name(v any) string {
	if v == nil {
		return ""
	}
	return u.byType[reflect.TypeOf(v).Elem()]
}

func (u *union) marshal(v any) ([]byte, error) {
	name := u.name(v)
	if name == "" {
		return nil, Errorf(CodeRecordInvalid, "", "%T is no %s", v, u.tag)
	}
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	head := fmt.Sprintf(`{"%s":"%s"`, u.tag, name)
	if len(body) > 2 {
		head += ","
	}
	return append([]byte(head), body[1:]...), nil
}

func (u *union) unmarshal(b []byte) (any, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(b, &members); err != nil {
		return nil, err
	}
	var name string
	if err := json.Unmarshal(members[u.tag], &name); err != nil || u.byName[name] == nil {
		return nil, Errorf(CodeRecordInvalid, "", "unknown %s %s", u.tag, clip(string(members[u.tag]), 40))
	}
	delete(members, u.tag)
	rest, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	v := reflect.New(u.byName[name]).Interface()
	if err := strictJSON(rest, v); err != nil {
		return nil, fmt.Errorf("%s %s: %w", u.tag, name, err)
	}
	return v, nil
}

// strictJSON decodes and refuses unknown members: a record from a newer
// version must not be half understood.
func strictJSON(b []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}
