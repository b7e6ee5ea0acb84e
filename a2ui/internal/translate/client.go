package translate

import (
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Back gives a message of the target's client the ids and the context that the
// server of the surface knows. Other differences are for Client.
func (t *Translator) Back(m wire.ClientMessage) wire.ClientMessage {
	switch m := m.(type) {
	case *wire.Action:
		s := t.surfaces[m.SurfaceID]
		if s == nil {
			return m
		}
		next := *m
		next.Component = t.back(s, m.Component)
		switch from, to := s.from.Features.FlatData, t.to.Features.FlatData; {
		case to && !from:
			next.Context = s.context(next.Component, m.Context, unflat)
		case from && !to:
			next.Context = s.context(next.Component, m.Context, unlift)
		}
		return &next
	case *wire.CallAgent: // has no component
	}
	return m
}

// back is id the other way round.
func (t *Translator) back(s *surface, id string) string {
	if t.to.Features.LiteralsAreRefs && !s.from.Features.LiteralsAreRefs {
		for _, prefix := range [...]string{ownPrefix, labelPrefix, innerPrefix} {
			if own, ok := strings.CutPrefix(id, prefix); ok {
				return own
			}
		}
	}
	if t.to.Features.RootID != "" && s.root != "" && s.from.Features.CreateLast {
		return s.swap(t.to.Features.RootID, id)
	}
	return id
}

// undo gives a value the form of the source: n is the server's node there.
type undo func(n *node, m marks, v jsonx.Value) jsonx.Value

// context gives the values of an event's context the form they have in the
// source: literals as they were sent, and lists and maps where the data has them.
func (s *surface) context(id string, in jsonx.Value, form undo) jsonx.Value {
	c := s.comps[id]
	if c == nil {
		return in
	}
	var event wire.Event
	for _, p := range c.Props {
		if e, ok := p.Value.(wire.Event); ok {
			event = e
		}
	}
	out := jsonx.Value{Kind: jsonx.Object}
	for _, m := range in.Members {
		for _, p := range event.Context {
			if p.Name != m.Key {
				continue
			}
			switch v := p.Value.(type) {
			case wire.Literal:
				m.Value = v.Data
			case wire.Path:
				m.Value = s.undo(c, string(v), m.Value, form)
			default: // texts stay as they are; calls cannot be undone
			}
		}
		out.Members = append(out.Members, m)
	}
	return out
}

// undo gives a value that a client read at a path the form of the source.
func (s *surface) undo(c *comp, path string, v jsonx.Value, form undo) jsonx.Value {
	for _, scope := range c.scopes {
		pattern := resolve(scope, path)
		var n *node
		s.matches(pattern, func(segs []string) {
			if n == nil {
				n = s.data.find(segs)
			}
		})
		next := form(n, s.matching(pattern), v)
		if next.Kind != v.Kind {
			return next
		}
		v = next
	}
	return v
}

// matching returns the marks of a pattern.
func (s *surface) matching(pattern string) marks {
	m := marks{s.marks}
	for key := range keys(pattern) {
		m = m.kid(key)
	}
	return m
}

// unlift undoes what lifted does: the items of a map get their keys back.
func unlift(n *node, m marks, v jsonx.Value) jsonx.Value {
	out := jsonx.Value{Kind: jsonx.Object}
	switch {
	case v.Kind == jsonx.Array && isList(n, m):
		for i, item := range v.Items {
			key := strconv.Itoa(i)
			if i < len(n.keys) {
				key = n.keys[i]
			}
			out.Members = append(out.Members, jsonx.Member{Key: key, Value: unlift(n.kid(key), m.kid(key), item)})
		}
		return out
	case v.Kind == jsonx.Object:
		for _, member := range v.Members {
			out.Members = append(out.Members,
				jsonx.Member{Key: member.Key, Value: unlift(n.kid(member.Key), m.kid(member.Key), member.Value)})
		}
		return out
	}
	return v
}

// unflat undoes the form of flat data.
func unflat(n *node, m marks, v jsonx.Value) jsonx.Value {
	switch v.Kind {
	case jsonx.String:
		if text, ok := strings.CutSuffix(v.Str, guard); ok && wire.LooksLikeJSON(text) {
			return jsonx.Of(text)
		}
		if m.has(asChoice) {
			if list, err := jsonx.Parse([]byte(v.Str), jsonx.Limits{}); err == nil && list.Kind == jsonx.Array {
				return list
			}
		}
	case jsonx.Object:
		out := jsonx.Value{Kind: jsonx.Object}
		list := n.kind() == jsonx.Array
		for _, member := range v.Members {
			key := keyUnescapes.Replace(member.Key)
			if strings.HasPrefix(key, ownPrefix) && n.kid(key) == nil {
				continue // a value computed for the client
			}
			list = list && key == strconv.Itoa(len(out.Members))
			out.Members = append(out.Members,
				jsonx.Member{Key: key, Value: unflat(n.kid(key), m.kid(key), member.Value)})
		}
		if !list {
			return out
		}
		items := jsonx.Value{Kind: jsonx.Array}
		for _, member := range out.Members {
			items.Items = append(items.Items, member.Value)
		}
		return items
	default: // as it is
	}
	return v
}

var keyUnescapes = strings.NewReplacer("%2E", ".", "%5B", "[", "%5D", "]", "%2F", "/", "%7E", "~",
	"%25", "%", "%00", "")

// Client translates a message of a client for the server of a side; ids and
// contexts stay. nil means that it has no counterpart.
func Client(to *Side, m wire.ClientMessage) (wire.ClientMessage, []Loss) {
	switch m := m.(type) {
	case *wire.Action:
		return clientAction(to, m)
	case *wire.ClientError:
		return clientError(to, m)
	}
	if !to.Features.Remote {
		return nil, []Loss{{What: Message, Message: "function calls have no message"}}
	}
	return m, nil
}

// clientLosses are those of one message of a client.
type clientLosses struct {
	surface string
	list    []Loss
}

func (l *clientLosses) add(what Kind, path, message string) {
	l.list = append(l.list, Loss{What: what, Surface: l.surface, Path: path, Message: message})
}

func clientAction(to *Side, m *wire.Action) (wire.ClientMessage, []Loss) {
	next, lost := *m, clientLosses{surface: m.SurfaceID}
	if m.UserMessage != "" && !to.Features.UserMessage {
		next.UserMessage = ""
		lost.add(Metadata, "/userMessage", "the action cannot be told in words")
	}
	if m.Metadata.Kind != jsonx.Null && !to.Features.Inline {
		next.Metadata = jsonx.Value{}
		lost.add(Metadata, "/metadata", "there is no metadata")
	}
	if len(m.Extra) > 0 {
		next.Extra = nil
		lost.add(Metadata, "/"+m.Extra[0].Key, "unknown members are left out")
	}
	return &next, lost.list
}

func clientError(to *Side, m *wire.ClientError) (wire.ClientMessage, []Loss) {
	next, lost := *m, clientLosses{surface: m.SurfaceID}
	if m.CallID != "" && !to.Features.Remote {
		lost.add(Message, "", "the error of a function call has no message")
		return nil, lost.list
	}
	if !to.Features.BareValues { // any form is allowed
		return &next, nil
	}
	fill := func(field *string, value, path string) {
		if *field == "" {
			*field = value
			lost.add(Metadata, path, "the error lacks it; "+value+" is taken")
		}
	}
	fill(&next.Code, "CLIENT_ERROR", "/code")
	fill(&next.Message, "the client reported an error", "/message")
	if next.CallID == "" {
		fill(&next.SurfaceID, "unknown", "/surfaceId")
	}
	closed := next.Code == "VALIDATION_FAILED" ||
		to.Features.Inline && (next.Code == "UNALLOWED_PARENT" || next.Code == "UNALLOWED_CHILD")
	if closed {
		fill(&next.Path, "/", "/path")
		if len(next.Extra) > 0 {
			next.Extra = nil
			lost.add(Metadata, "", "the error has no other members")
		}
	}
	kept := next.Extra[:0:0]
	for _, e := range next.Extra { // texts of another kind
		switch e.Key {
		case "code", "message", "surfaceId", "functionCallId":
			lost.add(Metadata, "/"+e.Key, "the member is no text")
		default:
			kept = append(kept, e)
		}
	}
	next.Extra = kept
	return &next, lost.list
}
