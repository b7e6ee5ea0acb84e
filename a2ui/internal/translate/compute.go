package translate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/function"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// computer computes the calls that a client without functions cannot make.
type computer struct{ *job }

// Clients without functions get the results of functions as data: the calls of a
// component c are the map c#c beside the data the component reads, in the root of the
// data or in each item of its template, and its properties are bound to the entries 0,
// 1, … of that map. The map is sent again when data change that its calls read.

// computed is one call of a component.
type computed struct {
	call    wire.Call
	variant string // the result is escaped for a Text of this variant; "" = it is not
	kind    wire.Kind
	at      string // the property
}

// dep says that the calls of a component, drawn at scope, read a pattern.
type dep struct{ id, scope, read string }

// place is a component where its calls are computed.
type place struct {
	id    string
	scope []string
}

// computable reports whether all functions of a call are known here, and the item of a
// template it is in can hold its result.
func computable(call wire.Call) bool {
	if function.Find(call.Func) == nil || call.Func == "openUrl" {
		return false
	}
	ok := true
	each(call, func(v wire.Value) {
		if inner, is := v.(wire.Call); is && function.Find(inner.Func) == nil {
			ok = false
		}
	})
	return ok
}

// each calls f with everything that a call is made from.
func each(v wire.Value, f func(wire.Value)) {
	f(v)
	switch v := v.(type) {
	case wire.Call:
		for _, a := range v.Args {
			text, template := a.Value.(wire.String)
			if !template || v.Func != "formatString" {
				each(a.Value, f)
				continue
			}
			parts, _ := pieces(string(text))
			for _, part := range parts {
				each(part, f)
			}
		}
	case wire.List:
		for _, item := range v {
			each(item, f)
		}
	case wire.Object:
		for _, p := range v {
			each(p.Value, f)
		}
	}
}

// compute returns the path of the result of a call, in the keys of the source.
func (j computer) compute(call computed, c *comp) wire.Path {
	s, id := j.s, c.ID
	path := ownPrefix + escaped(id) + "/" + strconv.Itoa(len(c.calls))
	c.calls = append(c.calls, call)
	for _, scope := range c.scopes {
		if at := s.step(scope); at != nil && !at.called[id] {
			if at.called == nil {
				at.called = map[string]bool{}
			}
			at.called[id] = true
			at.calls = append(at.calls, id)
		}
		each(call.call, func(v wire.Value) {
			p, ok := v.(wire.Path)
			if !ok {
				return
			}
			read := resolve(scope, string(p))
			d := dep{id, scope, read}
			if at := s.step(read); at != nil {
				if at.deps == nil {
					at.deps = map[dep]bool{}
				}
				at.deps[d] = true
			}
		})
	}
	if !c.inside() {
		path = "/" + path
	}
	return wire.Path(path)
}

func escaped(key string) string { return string(jsonptr.AppendSegment(nil, key))[1:] }

// entered reports whether a call reads the user's input.
func (j computer) entered(call wire.Call, c *comp) (found bool) {
	each(call, func(v wire.Value) {
		p, ok := v.(wire.Path)
		for _, scope := range c.scopes {
			if ok && j.s.written(resolve(scope, string(p))) {
				found = true
			}
		}
	})
	return found
}

// written reports whether an input writes at, above or below a pattern.
func (s *surface) written(pattern string) bool {
	m := marks{s.marks}
	for key := range keys(pattern) {
		if m = m.kid(key); m.has(asInput) {
			return true
		}
	}
	return m.inputs() > 0
}

// results are the entries of a component's map in the item at scope.
func (j computer) results(p place) jsonx.Value {
	out := jsonx.Value{Kind: jsonx.Object}
	for i, c := range j.s.comp(p.id).calls {
		v, ok := j.evaluate(c.call, p.scope, 0)
		switch {
		case !ok || v.Kind == jsonx.Null:
			if v = j.empty(c); c.at == "/action" {
				j.lose(Context, jsonptr.Join(p.scope...), "%s has no result: an empty text is sent", c.call.Func)
			}
		case v.Kind == jsonx.String && v.Str == "":
			v = j.empty(c)
		case v.Kind == jsonx.Array || v.Kind == jsonx.Object:
			v = jsonx.Of(function.Show(v))
		}
		if v.Kind == jsonx.String && c.variant != "" {
			v.Str = j.components().mark(c.variant, v.Str)
		}
		if v.Kind == jsonx.String {
			v = j.flat().guarded(v)
		}
		out.Members = append(out.Members, jsonx.Member{Key: strconv.Itoa(i), Value: v})
	}
	return out
}

// empty is data that shows nothing, for a call without a result: surfaces with bindings that
// lead nowhere are not valid.
func (j computer) empty(c computed) jsonx.Value {
	switch {
	case c.kind == wire.DynBool:
		return jsonx.OfBool(false)
	case c.kind == wire.DynNumber:
		return jsonx.OfInt(0)
	case c.at == "/text" && j.to.Features.EmptyShown:
		return jsonx.Of(guard)
	}
	return jsonx.Of("")
}

// perValue is the work for each value that is read, as much as for four bytes of text.
const perValue = 32

// evaluate computes a value in an item, as a client of the source does.
func (j computer) evaluate(v wire.Value, scope []string, depth int) (_ jsonx.Value, ok bool) {
	if depth > wire.MaxFormatDepth || j.budget.Spend(perValue) != nil {
		return jsonx.Value{}, false
	}
	switch v := v.(type) {
	case wire.String, wire.Bool, wire.Literal:
		return plainData(v), true
	case wire.Path:
		segs, err := split(resolve(jsonptr.Join(scope...), string(v)))
		if err != nil || !j.s.data.has(segs) {
			return jsonx.Value{}, false
		}
		at := j.s.data.find(segs)
		if j.budget.Spend(perValue*at.size()) != nil {
			return jsonx.Value{}, false
		}
		return at.value(), true
	case wire.List:
		out := jsonx.Value{Kind: jsonx.Array}
		for _, item := range v {
			value, _ := j.evaluate(item, scope, depth+1)
			out.Items = append(out.Items, value)
		}
		return out, true
	case wire.Object:
		out := jsonx.Value{Kind: jsonx.Object}
		for _, p := range v {
			if value, ok := j.evaluate(p.Value, scope, depth+1); ok {
				out.Members = append(out.Members, jsonx.Member{Key: p.Name, Value: value})
			}
		}
		return out, true
	case wire.Call:
		return j.run(v, scope, depth)
	}
	return jsonx.Value{}, false
}

func (j computer) run(call wire.Call, scope []string, depth int) (_ jsonx.Value, ok bool) {
	f := function.Find(call.Func)
	if f == nil {
		return jsonx.Value{}, false
	}
	env := &function.Call{Rules: function.Rules{Verdicts: j.from.Features.VerdictChecks},
		Args: map[string]jsonx.Value{}, Index: -1, Budget: &j.budget}
	if len(scope) > 0 {
		env.Index, _ = jsonptr.Index(scope[len(scope)-1])
	}
	env.Fill = func(template string) (string, error) {
		if err := j.budget.Text(template); err != nil {
			return "", err
		}
		parts, err := pieces(template)
		if err != nil {
			return "", err
		}
		var b strings.Builder
		for _, part := range parts {
			v, ok := j.evaluate(part, scope, depth+1)
			if !ok {
				continue
			}
			text := function.Show(v)
			if err := j.budget.Text(text); err != nil {
				return "", err
			}
			b.WriteString(text)
		}
		return b.String(), nil
	}
	for _, a := range call.Args {
		if v, ok := j.evaluate(a.Value, scope, depth+1); ok {
			env.Args[a.Name] = v
		}
	}
	if j.budget.Spend(perValue) != nil { // some of its arguments may be missing
		return jsonx.Value{}, false
	}
	v, err := f(env)
	return v, err == nil
}

// has reports whether something is at segs; a hole does.
func (n *node) has(segs []string) bool {
	if len(segs) == 0 {
		return n != nil
	}
	last := segs[len(segs)-1]
	switch at := n.find(segs[:len(segs)-1]); at.kind() {
	case jsonx.Object:
		_, ok := at.kids[last]
		return ok
	case jsonx.Array:
		i, ok := jsonptr.Index(last)
		return ok && i < len(at.items)
	default:
		return false
	}
}

// places lists where components that have calls are drawn.
func (s *surface) places(ids []string) (out []place) {
	for _, id := range ids {
		c := s.comp(id)
		if len(c.calls) == 0 {
			continue
		}
		for _, scope := range c.scopes {
			s.matches(scope, func(segs []string) { out = append(out, place{id, segs}) })
		}
	}
	return out
}

// sendResults sends the maps of some places; what lies below a container that
// was sent is there already.
func (j computer) sendResults(list []place, sent []string) {
	done := map[string]bool{}
	for _, p := range list {
		path := jsonptr.Join(append(p.scope[:len(p.scope):len(p.scope)], ownPrefix+p.id)...)
		if done[path] || sent != nil && len(sent) <= len(p.scope) && slices.Equal(sent, p.scope[:len(sent)]) {
			continue
		}
		done[path] = true
		if n := j.s.data.find(p.scope); n.container() || len(p.scope) == 0 {
			j.emit(&wire.UpdateData{SurfaceID: j.s.id, Path: flatPath(path), Value: j.results(p)})
		}
	}
}

// touched lists where calls read the value at segs.
func (s *surface) touched(segs []string) (out []place) {
	add := func(at *mark) {
		for d := range at.deps { // sorted below
			pattern := d.scope
			if d.read == d.scope || strings.HasPrefix(d.read, d.scope+"/") {
				pattern = fill(d.scope, segs)
			}
			s.matches(pattern, func(scope []string) { out = append(out, place{d.id, scope}) })
		}
	}
	m := marks{s.marks}
	for _, seg := range segs {
		for _, at := range m {
			add(at)
		}
		m = m.kid(seg)
	}
	var below func(at *mark)
	below = func(at *mark) {
		add(at)
		for _, kid := range at.kids {
			below(kid)
		}
	}
	for _, at := range m {
		below(at)
	}
	slices.SortFunc(out, func(a, b place) int {
		if n := slices.Compare(a.scope, b.scope); n != 0 {
			return n
		}
		return strings.Compare(a.id, b.id)
	})
	return out
}

// fill puts the keys of a place into a pattern.
func fill(pattern string, segs []string) string {
	if pattern == "" {
		return pattern
	}
	steps := strings.Split(pattern[1:], "/")
	for i := range steps {
		if i < len(segs) && steps[i] == anyKey {
			steps[i] = escaped(segs[i])
		}
	}
	return "/" + strings.Join(steps, "/")
}
