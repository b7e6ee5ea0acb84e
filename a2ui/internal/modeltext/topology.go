package modeltext

import (
	"slices"

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
	loading *[]jsonx.Value // placeholders for what is not there; nil = only collect refs
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

// ref notes a reference and returns what is in its place.
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

// update sends what is new of the data.
func (l *legacy) update(v, body jsonx.Value) {
	if contents, ok := body.Get("contents"); ok {
		pruned := entries(contents)
		text := jsonx.AppendCanonical(nil, pruned)
		if string(text) == string(l.data) || l.early && len(pruned.Items) == 0 {
			return
		}
		if l.send(withBody(v, with(body, "contents", pruned))) {
			l.data = text
		}
		return
	}
	value, ok := body.Get("value")
	switch {
	case !ok && l.early:
		return
	case !ok || value.Kind != jsonx.Object:
		if !l.early || value.Kind == jsonx.Array {
			l.whole(v, value)
		}
		return
	}
	if l.early {
		value = dropOpened(value)
	}
	news := jsonx.Value{Kind: jsonx.Object}
	for _, m := range value.Members {
		before, had := l.old.Get(m.Key)
		if !had || string(jsonx.AppendCanonical(nil, before)) != string(jsonx.AppendCanonical(nil, m.Value)) {
			news.Members = append(news.Members, m)
		}
	}
	if len(news.Members) == 0 && (l.early || l.old.Kind == jsonx.Object) {
		return
	}
	if l.send(withBody(v, with(body, "value", news))) {
		l.old = value
	}
}

// dropOpened leaves out the empty object that ends a list at the end of a value
// which is being read: an entry that nothing is known of.
func dropOpened(v jsonx.Value) jsonx.Value {
	switch {
	case v.Kind == jsonx.Object && len(v.Members) > 0:
		last := v.Members[len(v.Members)-1]
		return with(v, last.Key, dropOpened(last.Value))
	case v.Kind == jsonx.Array && len(v.Items) > 0:
		n := len(v.Items) - 1
		if last := v.Items[n]; last.Kind == jsonx.Object && len(last.Members) == 0 {
			v.Items = v.Items[:n]
		} else {
			v.Items = append(slices.Clone(v.Items[:n]), dropOpened(last))
		}
	}
	return v
}

// whole sends a value that is no object when it changed.
func (l *legacy) whole(v, value jsonx.Value) {
	text := jsonx.AppendCanonical(nil, value)
	if string(text) != string(l.data) && l.send(v) {
		l.data = text
	}
}

// entries drops the entries of a v0.8 list that lack a key or a value.
func entries(list jsonx.Value) jsonx.Value {
	out := jsonx.OfArray()
	for _, e := range list.Items {
		if e.At("key").Text() == "" || len(e.Members) < 2 {
			continue
		}
		if inner, ok := e.Get("valueMap"); ok {
			e = with(e, "valueMap", entries(inner))
		}
		out.Items = append(out.Items, e)
	}
	return out
}
