package validate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/datatree"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// dataRules checks data updates and writes them.
type dataRules struct{ *run }

// data checks an UpdateData and applies it to the keys the surface has.
func (r dataRules) data(st *staged, m *wire.UpdateData) {
	if !r.surfaces().ready(st) {
		return
	}
	if r.Safe && !r.Features.CreateLast && st.created && st.components {
		r.add(wire.BeginOrder, "send the data before the components", "a new surface gets data after its components")
	}
	depth, ok := r.dataPath(m.Path)
	switch r.base = m.Path; {
	case m.Delete:
		ok = r.deletable(m) && ok
	case r.Features.NullDeletes && m.Value.Kind == jsonx.Null:
		r.at("value", wire.DataValue, "say that it is deleted", "null removes the key")
		ok = false
	default:
		r.push("value")
		ok = r.dataValue(&m.Value, depth) && ok
		r.pop()
	}
	switch {
	case !ok:
	case m.Delete:
		st.fork(r.batch)
		st.shrunk = st.data.Delete(absolutely(m.Path)) || st.shrunk
	default:
		r.put(st, absolutely(m.Path), m.Value)
	}
}

// absolutely is how clients read a path without its first '/'.
func absolutely(path string) string {
	if path != "" && path[0] != '/' {
		return "/" + path
	}
	return path
}

// fork makes the data of a surface the batch's own.
func (st *staged) fork(batch uint64) {
	if !st.ownData {
		st.data, st.ownData = st.data.Fork(batch), true
	}
	st.changed = true
}

func (r dataRules) deletable(m *wire.UpdateData) bool {
	if m.Value.Kind != jsonx.Null {
		r.add(wire.DataValue, "", "a deletion has a value")
		return false
	}
	if !r.Features.Delete {
		r.add(wire.DataValue, "delete the surface and create it again", "this version cannot delete data")
		return false
	}
	return true
}

// dataPath checks the path of an update and counts its steps.
func (r dataRules) dataPath(path string) (depth int, ok bool) {
	r.literal(path)
	r.push("path")
	defer r.pop()
	if !validPointer(path) {
		r.badPath(malformed, "the path %q is malformed", path)
		return 0, false
	}
	if path == "" || path == "/" {
		return 0, true
	}
	if path[0] != '/' && (r.Safe || r.Features.OwnCatalogs) {
		r.badPath("start it with /", "the path %q is not absolute", path)
		return 0, false
	}
	ok = true
	for rest, more := strings.TrimPrefix(path, "/"), true; more; depth++ {
		var seg string
		seg, rest, more = strings.Cut(rest, "/")
		ok = r.dataKey(seg) && ok
		if r.Safe && seg == "-" {
			r.badPath("use the number of the item", "clients cannot append with %q", path)
			ok = false
		}
	}
	if depth > r.Limits.DataDepth {
		r.add(wire.LimitDataDepth, "", "the path leads deeper than %d", r.Limits.DataDepth)
		ok = false
	}
	return depth, ok
}

func (r dataRules) badPath(hint, format, path string) {
	r.add(wire.DataPath, hint, format, clip(path))
}

// dataKey checks a key against what clients do to it.
func (r dataRules) dataKey(key string) bool {
	if !r.Safe {
		return true
	}
	switch {
	case key == "__proto__" || key == "constructor" || key == "prototype":
		r.badPath("choose another key", "clients refuse the key %q", key)
		return false
	case key == "":
		r.badPath("choose another key", "clients drop the empty key%.0q", key)
		return false
	case r.Features.SplitsKeys && strings.ContainsAny(key, ".[]/"):
		r.badPath("choose another key", "clients split the key %q", key)
		return false
	}
	return true
}

// dataValue checks a value that will be depth steps down.
func (r dataRules) dataValue(v *wire.Data, depth int) bool {
	if r.Features.FlatData && v.Kind != jsonx.Object {
		r.add(wire.DataValue, "send the map that holds it", "the data at %q is a map of entries, not %s", clip(r.base),
			v.Kind)
		return false
	}
	before := len(r.problems)
	r.walkData(v, depth, 0)
	return len(r.problems) == before
}

// walkData checks one value; its recursion ends at the limit of depth.
func (r dataRules) walkData(v *wire.Data, depth, below int) {
	container := v.Kind == jsonx.Object || v.Kind == jsonx.Array
	if container {
		if depth++; depth > r.Limits.DataDepth {
			r.add(wire.LimitDataDepth, "", "the data is nested deeper than %d", r.Limits.DataDepth)
			return
		}
	}
	if r.Features.FlatData && (v.Kind == jsonx.Null || v.Kind == jsonx.Array || v.Kind == jsonx.Object && below > 1) {
		r.add(wire.DataValue, "one update for each container, lists as maps with the keys 0, 1, …, no null",
			"this version cannot carry %s here", v.Kind)
		return
	}
	r.size += 64
	switch v.Kind {
	case jsonx.String:
		r.literal(v.Str)
		if r.Safe && r.Features.ParsesJSONText && wire.LooksLikeJSON(v.Str) {
			r.parsed(v.Str)
		}
	case jsonx.Number:
		if r.text += len(v.Str); !jsonx.IsNumber(v.Str) {
			r.add(wire.DataValue, "", "the number %q is malformed", clip(v.Str))
		}
	}
	for i := range v.Items {
		r.item(i)
		r.walkData(&v.Items[i], depth, below+1)
		r.pop()
	}
	for i := range v.Members {
		key := v.Members[i].Key
		r.push(key)
		r.literal(key)
		if r.dataKey(key) {
			r.walkData(&v.Members[i].Value, depth, below+1)
		}
		r.pop()
	}
}

// listText is a list that travels as its JSON text, until the end of the batch
// reports whether a choice reads it.
type listText struct {
	path, text string
	line       int
}

// parsed notes a text that clients read as JSON: a list for a choice, or a
// problem.
func (r dataRules) parsed(text string) {
	if !r.Features.ListText || !isListText(text) {
		r.notParsed(text)
		return
	}
	path := strings.TrimSuffix(r.base, "/")
	for _, key := range r.within[1:] { // below "value"
		path = string(jsonptr.AppendSegment([]byte(path), key.name))
	}
	r.st.lists = append(r.st.lists, listText{path, text, r.line})
}

func (r dataRules) notParsed(text string) {
	r.add(wire.DataValue, "append U+200B", "clients parse the text %q", clip(text))
}

// isListText reports whether s is the JSON text of a list of texts.
func isListText(s string) bool {
	v, err := jsonx.Parse([]byte(s), jsonx.Limits{Depth: 1})
	return err == nil && v.Kind == jsonx.Array &&
		!slices.ContainsFunc(v.Items, func(item jsonx.Value) bool { return item.Kind != jsonx.String })
}

// reportUnreadLists reports the lists of a batch that no choice reads.
func (r dataRules) reportUnreadLists(st *staged) {
	if len(st.lists) == 0 {
		return
	}
	read := map[string]bool{}
	if g := st.graph; g != nil && g.flags&readsList != 0 {
		for i := range g.nodes {
			for _, b := range g.binds[g.nodes[i].binds.from:g.nodes[i].binds.to] {
				if b.want == readsList {
					read[b.path] = true
				}
			}
		}
	}
	for _, l := range st.lists {
		if r.line = l.line; !r.reads(read, l.path) {
			r.notParsed(l.text)
		}
	}
	r.line = 0
}

// reads reports whether a path is one of some bindings, or ends like one that is relative to
// the items of a list.
func (r dataRules) reads(bindings map[string]bool, path string) bool {
	found, end := bindings[path], len(path)
	for depth := 0; !found && end > 0 && depth < r.Limits.DataDepth; depth++ {
		end = strings.LastIndexByte(path[:end], '/')
		found = bindings[path[end+1:]]
	}
	return found
}

// put writes a value that was checked.
func (r dataRules) put(st *staged, path string, v wire.Data) {
	st.fork(r.batch)
	if at := st.data.Look(path); st.data.Size() > 0 && (at.Class == datatree.Map || at.Class == datatree.List) {
		st.shrunk = true
	}
	switch err := st.data.Put(path, v); {
	case err == datatree.ErrDuplicate:
		r.add(wire.DataValue, "", "%v", err)
	case err != nil && r.Safe:
		r.add(wire.DataPath, "", "%q: %v", clip(path), err)
	}
	if n := st.data.Size(); n > r.Limits.DataEntries {
		r.add(wire.LimitDataEntries, "", "the data has %s entries, the limit is %d", strconv.Itoa(n),
			r.Limits.DataEntries)
	}
}
