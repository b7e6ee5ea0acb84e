package foreign

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/cache"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Kind is the kind of the origin of such surfaces; its template is the name of the agent.
const Kind = builtin.OriginAgent

// Codes of surfaces of other agents.
const (
	CodeInvalid ui.Code = "GATEWAY_SURFACE_INVALID" // the stored surface cannot be read
)

// Origin is the origin of a surface of an agent, with the address of the agent's icon.
func Origin(agent, icon string) ui.Origin {
	o := ui.Origin{Kind: Kind, Template: agent}
	if icon != "" {
		o.Params = ui.Map(ui.Pair{Key: "icon", Value: ui.String(icon)})
	}
	return o
}

// Icon is the address of the icon of the agent that a surface is from, or "".
func Icon(s *ui.Surface) string {
	icon, _ := s.Origin.Params.Get("icon")
	return icon.Text()
}

// Surface is a surface as its agent has it. The zero Surface is of no use: Open one.
type Surface struct {
	ID      string // as the agent knows it
	Dialect a2ui.Dialect
	Catalog string
	Theme   a2ui.Data
	Send    bool // clients send its data with each message

	Data       a2ui.Data // an Object
	ClientData a2ui.Data // the data as a client last showed them; Null: as Data

	Writes map[string]uint64 // how often messages wrote each path of Data, up to a bound; states share them
	Moved  uint64            // the revision in which the rows of a list last moved, see MovedRows

	root  string
	comps []a2ui.Component // as they came first
}

// Of returns the node of a surface of another agent, or nil.
func Of(s *ui.Surface) *ui.Foreign {
	n, _ := s.Tree().(*ui.Foreign)
	return n
}

// Open begins a surface with the message that creates it.
func Open(d a2ui.Dialect, m *a2ui.CreateSurface) *Surface {
	s := &Surface{ID: m.SurfaceID, Dialect: d, Catalog: m.CatalogID, Theme: m.Theme, Send: m.SendDataModel,
		root: d.Features().RootID, Data: jsonx.OfObject(), Writes: map[string]uint64{}}
	if s.root == "" {
		s.root = m.Root
	}
	if m.Data.Kind == jsonx.Object {
		s.Data = m.Data
	}
	s.Put(m.Components)
	return s
}

// maxWrites bounds the paths whose writes are counted apart.
const maxWrites = 500

// Write counts a write to the data.
func (s *Surface) Write(path string) {
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	if s.Writes[path]++; len(s.Writes) > maxWrites { // all count as written
		all := uint64(0)
		for _, n := range s.Writes {
			all += n
		}
		s.Writes = map[string]uint64{"/": all}
	}
}

// Written is how often messages wrote the value at a path, or one that it is a part of.
func (s *Surface) Written(path string) uint64 {
	n := s.Writes["/"]
	for i := 1; i <= len(path); i++ {
		if i == len(path) || path[i] == '/' {
			n += s.Writes[path[:i]]
		}
	}
	return n
}

// wroteSince lists the paths that messages wrote since an older state.
func (s *Surface) wroteSince(was *Surface) (paths []string) {
	for path, n := range s.Writes {
		if n != was.Writes[path] {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// Begin takes the message that shows a surface whose components came before it.
func (s *Surface) Begin(m *a2ui.CreateSurface) {
	s.Catalog, s.Theme, s.root = m.CatalogID, m.Theme, m.Root
}

// Put adds components, or replaces those of their ids.
func (s *Surface) Put(list []a2ui.Component) {
	at := make(map[string]int, len(s.comps))
	for i, c := range s.comps {
		at[c.ID] = i
	}
	s.comps = slices.Clone(s.comps) // states share them
	for _, c := range withEvents(s.Dialect, list) {
		i, ok := at[c.ID]
		if !ok {
			at[c.ID] = len(s.comps)
			s.comps = append(s.comps, c)
			continue
		}
		if c.Type == "" { // an update may leave it out
			c.Type = s.comps[i].Type
		}
		s.comps[i] = c
	}
}

// withEvents is components whose properties of the shape of an event are events: a codec knows those named action.
func withEvents(d a2ui.Dialect, list []a2ui.Component) []a2ui.Component {
	own := false
	for i, c := range list {
		for j, p := range c.Props {
			if _, known := p.Value.(a2ui.Event); known {
				continue
			}
			e, ok := EventOf(d, p.Value)
			if !ok {
				continue
			}
			if !own {
				list, own = slices.Clone(list), true
			}
			if props := list[i].Props; &props[0] == &c.Props[0] {
				list[i].Props = slices.Clone(props)
			}
			list[i].Props[j].Value = e
		}
	}
	return list
}

// EventOf is a value that is an event of an action or has the shape of one.
func EventOf(d a2ui.Dialect, v a2ui.Value) (e a2ui.Event, ok bool) {
	if e, ok = v.(a2ui.Event); ok || d.Features().FlatData {
		return e, ok
	}
	if lit, plain := v.(a2ui.Literal); plain && len(lit.Data.Members) != 1 {
		return e, false
	}
	outer := membersOf(v)
	if len(outer) != 1 || outer[0].Name != "event" {
		return e, false
	}
	for _, p := range membersOf(outer[0].Value) {
		name, text := p.Value.(a2ui.String)
		context := membersOf(p.Value)
		switch {
		case p.Name == "name" && text && name != "":
			e.Name, ok = string(name), true
		case p.Name == "context" && context != nil:
			e.Context = context
		case p.Name == "userMessage" && d.Features().UserMessage:
			e.UserMessage = p.Value
		default:
			return a2ui.Event{}, false
		}
	}
	return e, ok
}

// membersOf are those of an object, nil of another value.
func membersOf(v a2ui.Value) a2ui.Object {
	switch v := v.(type) {
	case a2ui.Object:
		return v
	case a2ui.Literal:
		if v.Data.Kind != jsonx.Object {
			return nil
		}
		out := make(a2ui.Object, len(v.Data.Members))
		for i, m := range v.Data.Members {
			out[i] = a2ui.Prop{Name: m.Key, Value: a2ui.Literal{Data: m.Value}}
			switch m.Value.Kind {
			case jsonx.String:
				out[i].Value = a2ui.String(m.Value.Str)
			case jsonx.Bool:
				out[i].Value = a2ui.Bool(m.Value.Bool)
			}
		}
		return out
	}
	return nil
}

// TakeIDs gives the components of a translated surface the ids that they have in its source: v0.8 has c# before them.
func (s *Surface) TakeIDs(source *Surface) {
	ids := make(map[string]string, len(source.comps))
	for _, c := range source.comps {
		ids["c#"+c.ID] = c.ID
	}
	id := func(now string) string { return cmp.Or(ids[now], now) }
	s.root, s.comps = id(s.root), slices.Clone(s.comps)
	for i, c := range s.comps {
		s.comps[i].ID, s.comps[i].Props = id(c.ID), slices.Clone(c.Props)
		for j, p := range c.Props {
			at := &s.comps[i].Props[j].Value
			switch v := p.Value.(type) {
			case a2ui.Ref:
				*at = a2ui.Ref(id(string(v)))
			case a2ui.Refs:
				v = slices.Clone(v)
				for k := range v {
					v[k] = id(v[k])
				}
				*at = v
			case a2ui.Template:
				v.Component = id(v.Component)
				*at = v
			case a2ui.Tabs:
				v = slices.Clone(v)
				for k := range v {
					v[k].Child = id(v[k].Child)
				}
				*at = v
			}
		}
	}
}

// Model is the data model as the client shows it, as far as that is known.
func (s *Surface) Model() a2ui.Data {
	if s.ClientData.Kind == jsonx.Object {
		return s.ClientData
	}
	return s.Data
}

// Event returns the action of a component, by the id that a client of any version knows: v0.8 has c# before it, also
// where the agent has changed its version since.
func (s *Surface) Event(component, name string) (a2ui.Component, a2ui.Event, bool) {
	for _, id := range []string{component, strings.TrimPrefix(component, "c#"), "c#" + component} {
		for _, c := range s.comps {
			if c.ID != id {
				continue
			}
			for _, p := range c.Props {
				if e, ok := p.Value.(a2ui.Event); ok && e.Name == name {
					return c, e, true
				}
			}
		}
	}
	return a2ui.Component{}, a2ui.Event{}, false
}

// Obscures reports a path whose text an input shows as dots, or of data with such a text in them.
func (s *Surface) Obscures(path string) bool {
	for _, c := range s.comps {
		var dots bool
		var bound string
		for _, p := range c.Props {
			dots = dots || p.Name == "variant" && p.Value == a2ui.String("obscured")
			if at, ok := p.Value.(a2ui.Path); ok && p.Name == "value" {
				bound = string(at)
			}
		}
		inside := bound == path || strings.HasPrefix(bound, strings.TrimSuffix(path, "/")+"/")
		row := bound != "" && !strings.HasPrefix(bound, "/") // it may be anywhere
		if dots && (inside || row) {
			return true
		}
	}
	return false
}

// source is the messages that create the surface, in the order of its version.
func (s *Surface) source(comps []a2ui.Component, data a2ui.Data) []a2ui.Message {
	create := &a2ui.CreateSurface{SurfaceID: s.ID, CatalogID: s.Catalog, Theme: s.Theme, SendDataModel: s.Send}
	update := &a2ui.UpdateComponents{SurfaceID: s.ID, Components: comps}
	if s.Dialect.Features().CreateLast {
		create.Root = s.root
		return append(s.flat([]a2ui.Message{update}, "", data), create)
	}
	return []a2ui.Message{create, &a2ui.UpdateData{SurfaceID: s.ID, Path: "/", Value: data}, update}
}

// flat is the data where a message holds one level: each container by itself, from the root down.
func (s *Surface) flat(out []a2ui.Message, path string, data a2ui.Data) []a2ui.Message {
	leaves, below := jsonx.OfObject(), []a2ui.Member(nil)
	for _, m := range data.Members {
		if m.Value.Kind == jsonx.Object {
			below = append(below, m)
		} else if m.Value.Kind != jsonx.Null {
			leaves.Members = append(leaves.Members, m)
		}
	}
	if path != "" || len(leaves.Members) > 0 {
		out = append(out, &a2ui.UpdateData{SurfaceID: s.ID, Path: cmp.Or(path, "/"), Value: leaves})
	}
	for _, m := range below {
		out = s.flat(out, string(jsonptr.AppendSegment([]byte(path), m.Key)), m.Value)
	}
	return out
}

// Node returns the surface as a State keeps it, with its words for readers that are not shown it. The error is a
// *a2ui.Problem of a part that its version cannot write.
func (s *Surface) Node(text string) (*ui.Foreign, error) {
	list := jsonx.OfArray()
	for _, m := range s.source(s.comps, s.Data) {
		if _, data := m.(*a2ui.UpdateData); data {
			continue
		}
		b, err := a2ui.AppendMessage(nil, s.Dialect, m)
		if err != nil {
			return nil, err
		}
		v, err := jsonx.Parse(b, jsonx.Limits{Bytes: len(b), String: len(b)})
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, v)
	}
	return &ui.Foreign{Key: "foreign", ID: s.ID, Version: s.Dialect.String(), Messages: list, Data: s.Data,
		Model: s.ClientData, Writes: s.Writes, Moved: s.Moved, Text: text}, nil
}

// known has the surfaces of the nodes in memory: a turn reads one several times.
var known cache.Derived[ui.Foreign, *Surface]

// Read is the surface of a node, which must not change any more. The error has CodeInvalid.
func Read(n *ui.Foreign) (*Surface, error) {
	s, err := known.Of(n, read)
	if err != nil {
		return nil, err
	}
	own := *s
	return &own, nil
}

func read(n *ui.Foreign) (*Surface, error) {
	d, err := a2ui.ParseDialect(n.Version)
	if err != nil {
		return nil, invalid(err)
	}
	s := &Surface{ID: n.ID, Dialect: d, root: d.Features().RootID, Data: n.Data, ClientData: n.Model,
		Writes: n.Writes, Moved: n.Moved}
	if s.Data.Kind != jsonx.Object {
		s.Data = jsonx.OfObject()
	}
	for _, raw := range n.Messages.Items {
		m, err := a2ui.DecodeMessageAs(d, jsonx.Append(nil, raw))
		if err != nil {
			return nil, invalid(err)
		}
		switch m := m.(type) {
		case *a2ui.CreateSurface:
			s.Catalog, s.Theme, s.Send = m.CatalogID, m.Theme, m.SendDataModel
			if m.Root != "" {
				s.root = m.Root
			}
		case *a2ui.UpdateComponents:
			s.comps = withEvents(d, m.Components)
		}
	}
	return s, nil
}

func invalid(err error) error {
	return &ui.Error{Code: CodeInvalid, Message: "a surface of another agent cannot be read", Err: err}
}

// Begun reports a surface that has a root to show.
func (s *Surface) Begun() bool {
	return slices.ContainsFunc(s.comps, func(c a2ui.Component) bool { return c.ID == s.root })
}

// SameComponents reports that o has the same components: what an action means is the same.
func (s *Surface) SameComponents(o *Surface) bool {
	return s.root == o.root && slices.EqualFunc(s.comps, o.comps, s.same)
}

// Source is the messages that create the surface with these data, as its agent sends them.
func (s *Surface) Source(data a2ui.Data) []a2ui.Message { return s.source(s.comps, data) }

// Basic reports a surface that every client of its version can draw.
func (s *Surface) Basic() bool {
	if minimal := a2ui.Minimal(s.Dialect); minimal != nil && s.Catalog == minimal.ID {
		return true
	}
	return s.Catalog == "" || s.Catalog == a2ui.CatalogID(s.Dialect)
}
