package modeltext

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
)

// topology walks the references of one component for the legacy mode.
type topology struct {
	surface *legacySurface
	id      string
	old     bool           // v0.8: {"Type": {…}}
	typ     string         // of the component
	rooted  bool           // v0.8: its paths start at the root
	refs    []string       // all that it refers to
	items   []string       // and by a template
	loading *[]jsonx.Value // placeholders for missing children; nil = only collect refs
}

// pendingList marks a list of children whose first has not been read.
const pendingList = "\x00pending"

// fillList marks the empty list of children at the end of a component that is
// being read.
func fillList(c jsonx.Value) jsonx.Value {
	if n := len(c.Members); c.Kind == jsonx.Object && n > 0 {
		m := c.Members[n-1]
		switch {
		case (m.Key == "children" || m.Key == "explicitList") && m.Value.Kind == jsonx.Array && len(m.Value.Items) == 0:
			return with(c, m.Key, jsonx.OfArray(jsonx.Of(pendingList)))
		case m.Value.Kind == jsonx.Object:
			return with(c, m.Key, fillList(m.Value))
		}
	}
	return c
}

// replace returns the component with placeholders for the children that are not
// there.
func (t *topology) replace(v jsonx.Value, key string) jsonx.Value {
	switch v.Kind {
	case jsonx.String:
		if t.single(key) {
			return jsonx.Of(t.ref(v.Str))
		}
		if key == "path" && t.rooted && v.Str != "" && v.Str[0] != '/' && v.Str[0] != '.' {
			return jsonx.Of("/" + v.Str)
		}
	case jsonx.Array:
		out := v
		out.Items = make([]jsonx.Value, len(v.Items))
		for i, item := range v.Items {
			if item.Kind == jsonx.String && (key == "children" || key == "explicitList") {
				out.Items[i] = jsonx.Of(t.ref(item.Str))
				continue
			}
			out.Items[i] = t.replace(item, "")
		}
		return out
	case jsonx.Object:
		out := v
		out.Members = make([]jsonx.Member, len(v.Members))
		for i, m := range v.Members {
			switch {
			case key == "component" && t.typ == "":
				t.typ = m.Key
			case m.Key == "component" && m.Value.Kind == jsonx.String:
				t.typ = m.Value.Str
			case m.Key == "template":
				t.items = append(t.items, m.Value.At("componentId").Text())
			case m.Key == "action": // its context is not the component's
				out.Members[i] = m
				continue
			}
			out.Members[i] = jsonx.Member{Key: m.Key, Value: t.replace(m.Value, m.Key)}
		}
		return out
	}
	return v
}

// single reports whether a property holds one id.
func (t *topology) single(key string) bool {
	switch key {
	case "child", "componentId", "entryPointChild", "contentChild":
		return true
	case "trigger", "content":
		return t.typ == "Modal"
	}
	return false
}

// ref notes a reference and returns the id to use in its place.
func (t *topology) ref(id string) string {
	if _, ok := t.surface.seen[id]; ok {
		t.refs = append(t.refs, id)
		return id
	}
	name := "loading_" + id
	if id == pendingList {
		name = "loading_children_" + t.id
	}
	if t.loading == nil {
		return name
	}
	for _, c := range *t.loading {
		if c.At("id").Str == name {
			return name
		}
	}
	empty := jsonx.OfArray()
	row := jsonx.OfObject(
		jsonx.Member{Key: "id", Value: jsonx.Of(name)},
		jsonx.Member{Key: "component", Value: jsonx.Of("Row")},
		jsonx.Member{Key: "children", Value: empty})
	if t.old {
		list := jsonx.OfObject(jsonx.Member{Key: "explicitList", Value: empty})
		props := jsonx.OfObject(jsonx.Member{Key: "children", Value: list})
		row = jsonx.OfObject(
			jsonx.Member{Key: "id", Value: jsonx.Of(name)},
			jsonx.Member{Key: "component", Value: jsonx.OfObject(jsonx.Member{Key: "Row", Value: props})})
	}
	*t.loading = append(*t.loading, row)
	return name
}

// update sends the new parts of the data.
func (l *legacy) update(v, body jsonx.Value) {
	if contents, ok := body.Get("contents"); ok {
		l.contents(v, body, entries(contents))
		return
	}
	value := body.At("value")
	if value.Kind != jsonx.Object {
		if !l.early {
			l.send(v)
		}
		return
	}
	news := l.news(value.Members)
	if len(news) == 0 && (l.early || l.data != nil) {
		return
	}
	out := v
	if l.early {
		out = withBody(v, with(body, "value", jsonx.OfObject(news...)))
	}
	if l.send(out) {
		l.sent(news)
	}
}

// contents sends the entries of a data message of v0.8: all, the last of those with
// one key while they come. What has a map comes again when it is complete.
func (l *legacy) contents(v, body, list jsonx.Value) {
	var members []jsonx.Member
	again := false
	for _, e := range list.Items {
		key := e.At("key").Str
		members = slices.DeleteFunc(members, func(m jsonx.Member) bool { return m.Key == key })
		members = append(members, jsonx.Member{Key: key, Value: e})
		_, isMap := e.Get("valueMap")
		again = again || isMap && !l.early
	}
	if l.early {
		list.Items = nil
		for _, m := range members {
			list.Items = append(list.Items, m.Value)
		}
	}
	news := l.news(members)
	if len(news) == 0 && !again && (l.early || l.data != nil) {
		return
	}
	if l.send(withBody(v, with(body, "contents", list))) {
		l.sent(news)
	}
}

// news returns the members that were not sent as they are.
func (l *legacy) news(members []jsonx.Member) (news []jsonx.Member) {
	for _, m := range members {
		before, had := l.data[m.Key]
		if !had || before != string(jsonx.AppendCanonical(nil, m.Value)) {
			news = append(news, m)
		}
	}
	return news
}

func (l *legacy) sent(members []jsonx.Member) {
	if l.data == nil {
		l.data = map[string]string{}
	}
	for _, m := range members {
		l.data[m.Key] = string(jsonx.AppendCanonical(nil, m.Value))
	}
}

// entries drops the entries of a v0.8 list that lack a key or a value, and maps of
// nothing but such entries.
func entries(list jsonx.Value) jsonx.Value {
	out := jsonx.OfArray()
	for _, e := range list.Items {
		if inner, ok := e.Get("valueMap"); ok {
			pruned := entries(inner)
			if len(pruned.Items) == 0 && len(inner.Items) > 0 {
				continue
			}
			e = with(e, "valueMap", pruned)
		}
		valued := func(m jsonx.Member) bool { return strings.HasPrefix(m.Key, "value") }
		if e.At("key").Text() != "" && slices.ContainsFunc(e.Members, valued) {
			out.Items = append(out.Items, e)
		}
	}
	return out
}
