package foreign

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Click returns the message to the agent about a click of the user on a component.
func (s *Surface) Click(e *ui.ActionEvent, component string, context a2ui.Data) ([]byte, error) {
	return a2ui.AppendClient(nil, s.Dialect, &a2ui.Action{Name: e.Name, SurfaceID: s.ID, Component: component,
		Timestamp: e.Timestamp, Context: context})
}

// Received returns a value of a context that a client sent, in the form that the data have: clients of v0.8 have an
// object with the numbers of its items for a list, and no null.
func (s *Surface) Received(bound a2ui.Value, v a2ui.Data) a2ui.Data {
	if path, ok := bound.(a2ui.Path); ok && strings.HasPrefix(string(path), "/") {
		if was, there := below(s.Model(), string(path)); there {
			return listed(was, v)
		}
	}
	return v
}

// listed is v with lists and nulls where was has some.
func listed(was, v a2ui.Data) a2ui.Data {
	switch {
	case was.Kind == jsonx.Object && v.Kind == jsonx.Object:
		v.Members = slices.Clone(v.Members)
		for i, m := range v.Members {
			old, _ := was.Get(m.Key)
			v.Members[i].Value = listed(old, m.Value)
		}
		for _, m := range was.Members {
			if _, sent := v.Get(m.Key); m.Value.Kind == jsonx.Null && !sent {
				v.Members = append(v.Members, m)
			}
		}
	case was.Kind == jsonx.Array && v.Kind == jsonx.Object:
		out := a2ui.Data{Kind: jsonx.Array}
		sent := v.Members
		for i := 0; i < len(was.Items) || len(sent) > 0; i++ {
			old := a2ui.Data{}
			if i < len(was.Items) {
				old = was.Items[i]
			}
			switch {
			case len(sent) > 0 && sent[0].Key == strconv.Itoa(i):
				out.Items = append(out.Items, listed(old, sent[0].Value))
				sent = sent[1:]
			case i < len(was.Items) && old.Kind == jsonx.Null:
				out.Items = append(out.Items, old)
			case len(sent) > 0:
				return v
			default: // it became shorter
				return out
			}
		}
		return out
	}
	return v
}

// Call returns the message to the agent about the event of a client's call of one of its functions.
func (s *Surface) Call(e *ui.Event) ([]byte, error) {
	m := &a2ui.CallAgent{SurfaceID: s.ID, CallID: e.Action.Call,
		Call: a2ui.Call{Func: e.Action.Name, CatalogID: s.Catalog}}
	args, err := Sent(e)
	if err != nil {
		return nil, err
	}
	for _, one := range args.Members {
		m.Call.Args = append(m.Call.Args, a2ui.Prop{Name: one.Key, Value: a2ui.Literal{Data: one.Value}})
	}
	return a2ui.AppendClient(nil, s.Dialect, m)
}

// Sent is the arguments of a call that a client makes, or the result of one that it was asked for, as they came. Where
// no client sent them they are data of the application.
func Sent(e *ui.Event) (a2ui.Data, error) {
	if sent := e.Action.Context; len(sent.Members) > 0 {
		return sent, nil
	}
	return a2ui.ParseData(e.Data.AppendJSON(nil))
}

// Datum returns the data of a literal value; ok is false for one that binds or computes.
func Datum(v a2ui.Value) (out jsonx.Value, ok bool) {
	switch v := v.(type) {
	case a2ui.String:
		return jsonx.Of(string(v)), true
	case a2ui.Bool:
		return jsonx.OfBool(bool(v)), true
	case a2ui.Literal:
		return v.Data, true
	case a2ui.List:
		out = jsonx.OfArray()
		for _, one := range v {
			item, ok := Datum(one)
			if !ok {
				return out, false
			}
			out.Items = append(out.Items, item)
		}
		return out, true
	case a2ui.Object:
		out = jsonx.OfObject()
		for _, p := range v {
			value, ok := Datum(p.Value)
			if !ok {
				return out, false
			}
			out.Members = append(out.Members, jsonx.Member{Key: p.Name, Value: value})
		}
		return out, true
	}
	return out, false
}

// Report returns the message to the agent about an error that a client reports.
func (s *Surface) Report(e *ui.ErrorEvent) ([]byte, error) {
	return a2ui.AppendClient(nil, s.Dialect, &a2ui.ClientError{Code: e.Code, SurfaceID: s.ID, Path: e.Path,
		Message: e.Message})
}
