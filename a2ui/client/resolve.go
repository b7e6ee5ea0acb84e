package client

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonptr"
)

// scope is where relative paths start: an item of a template.
type scope struct {
	in    bool // inside a template
	index int  // which item, from 0
	path  string
}

// item is the item of the template, -1 outside.
func (sc scope) item() int {
	if !sc.in {
		return -1
	}
	return sc.index
}

const maxCalls = 100 // nested calls and expressions

// ResolvePath turns a path into an absolute pointer: an absolute one stays, a
// relative one starts at scope, the pointer of a template's item ("" or "/" =
// the root).
func ResolvePath(path, scope string) string {
	scope = strings.TrimSuffix(scope, "/")
	switch {
	case strings.HasPrefix(path, "/"):
		return path
	case path == "" || path == ".":
		return cmp.Or(scope, "/")
	}
	return scope + "/" + path
}

func pointer(key string) string { return string(jsonptr.AppendSegment(nil, key)) }

// absolute turns a path into an absolute pointer.
func (d *drawing) absolute(path string, sc scope) string {
	if d.rules.scopeOnly && sc.in {
		for _, p := range []string{"/item", "/text", "/label"} {
			path = strings.TrimPrefix(strings.TrimPrefix(path, "."+p), p)
		}
		path = strings.TrimPrefix(strings.TrimPrefix(path, "./"), "/")
	}
	return ResolvePath(path, sc.path)
}

// lookup reads a path; base is its absolute pointer. What is not there is
// reported only where the rules say so.
func (d *drawing) lookup(path string, sc scope) (v a2ui.Data, base string, ok bool) {
	base = d.absolute(path, sc)
	if !d.spend(8 + len(base)/16) { // a look takes about as long as eight steps
		return a2ui.Data{}, base, false
	}
	segs, err := d.rules.split(base)
	if err != nil {
		d.report(err.Code, err.Message)
		return a2ui.Data{}, base, false
	}
	v, ok = d.get(segs)
	if !ok && d.rules.reportMissing {
		d.report(dataError, "nothing is at "+base)
	}
	return v, jsonptr.Join(segs...), ok
}

// get reads the value at segs. Eight members that are searched cost as much as a step.
func (d *drawing) get(segs []string) (a2ui.Data, bool) {
	at := &d.data
	for _, seg := range segs {
		if !d.spend(1 + len(at.Members)/8) {
			return a2ui.Data{}, false
		}
		if at = below(at, seg); at == nil {
			return a2ui.Data{}, false
		}
	}
	return *at, true
}

// spend counts work of the expressions before it is done, and reports when there is too much.
func (d *drawing) spend(n int) bool {
	err := d.budget.Spend(n)
	if err != nil {
		d.report(expressionError, err.Error())
	}
	return err == nil
}

// value resolves a dynamic value; ok is false for a missing or failed value.
func (d *drawing) value(v a2ui.Value, sc scope, depth int) (a2ui.Data, bool) {
	if depth > maxCalls {
		d.report(expressionError, "calls nested too deeply")
		return a2ui.Data{}, false
	}
	if !d.spend(1) {
		return a2ui.Data{}, false
	}
	switch v := v.(type) {
	case a2ui.String:
		return dataText(string(v)), true
	case a2ui.Bool:
		return a2ui.Data{Kind: truth, Bool: bool(v)}, true
	case a2ui.Literal:
		return v.Data, true
	case a2ui.Path:
		data, _, ok := d.lookup(string(v), sc)
		return data, ok
	case a2ui.Call:
		return d.call(v, sc, depth)
	case a2ui.List:
		d.left -= len(v) / 10
		out := a2ui.Data{Kind: array, Items: make([]a2ui.Data, len(v))}
		for i, item := range v {
			out.Items[i], _ = d.deep(item, sc, depth+1) // missing: null
		}
		return out, true
	case a2ui.Object:
		d.left -= len(v) / 10
		out := a2ui.Data{Kind: object}
		for _, p := range v {
			if item, ok := d.deep(p.Value, sc, depth+1); ok {
				out.Members = append(out.Members, a2ui.Member{Key: p.Name, Value: item})
			}
		}
		return out, true
	}
	d.report(validationError, fmt.Sprintf("a value cannot be a %T", v))
	return a2ui.Data{}, false
}

// deep is value for call arguments and event contexts: where clients take every
// object with a path or a call for one, those inside literals resolve too.
func (d *drawing) deep(v a2ui.Value, sc scope, depth int) (a2ui.Data, bool) {
	if lit, ok := v.(a2ui.Literal); ok && d.rules.deepLiterals {
		return d.deepData(lit.Data, sc, depth)
	}
	return d.value(v, sc, depth)
}

func (d *drawing) deepData(v a2ui.Data, sc scope, depth int) (a2ui.Data, bool) {
	if depth > maxCalls {
		d.report(expressionError, "calls nested too deeply")
		return a2ui.Data{}, false
	}
	d.left -= (len(v.Items) + len(v.Members)) / 10
	switch v.Kind {
	case array:
		out := a2ui.Data{Kind: array, Items: make([]a2ui.Data, len(v.Items))}
		for i, item := range v.Items {
			out.Items[i], _ = d.deepData(item, sc, depth+1) // missing: null
		}
		return out, true
	case object:
		if dyn := dynamic(v); dyn != nil {
			return d.value(dyn, sc, depth+1)
		}
		out := a2ui.Data{Kind: object}
		for _, m := range v.Members {
			if item, ok := d.deepData(m.Value, sc, depth+1); ok {
				out.Members = append(out.Members, a2ui.Member{Key: m.Key, Value: item})
			}
		}
		return out, true
	}
	return v, true
}

// dynamic reads an object that is a binding or a call, nil for any other.
func dynamic(v a2ui.Data) a2ui.Value {
	if p, ok := v.Get("path"); ok && p.Kind == text {
		return a2ui.Path(p.Str)
	}
	f, ok := v.Get("call")
	if !ok || f.Kind != text {
		return nil
	}
	call := a2ui.Call{Func: f.Str}
	for _, m := range v.At("args").Members {
		call.Args = append(call.Args, a2ui.Prop{Name: m.Key, Value: a2ui.Literal{Data: m.Value}})
	}
	return call
}

func dataText(s string) a2ui.Data { return a2ui.Data{Kind: text, Str: s} }
