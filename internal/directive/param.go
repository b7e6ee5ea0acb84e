package directive

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Kind is the type of a parameter. The comment of each is its canonical JSON.
type Kind uint8

// The kinds of a Param.
const (
	String  Kind = iota // a string
	Integer             // a number without fraction or exponent, within int64
	Boolean             // true or false
	Strings             // a list of strings
	Values              // an object: key → string, number, boolean or list of strings
	Rows                // a list of objects: "id", then column → a cell as in Values
	Ops                 // a list of {"op","path","value","before","row"}, as ParseOps reads it
)

// Param declares one key of a payload.
type Param struct {
	Name        string
	Aliases     []string // other keys a model may use
	Kind        Kind
	Description string // for the model
	Required    bool
	Enum        []string // String and Strings: the only values
	Max         int      // bytes of a String: 4,096; entries of Strings, Values, Rows, Ops: 200; inclusive
	Columns     []string // Rows: the only cells; a string instead of a row is the first one
	Refs        []string // Rows: the columns that hold ids of other rows
}

func (p *Param) max() int {
	switch {
	case p.Max > 0:
		return p.Max
	case p.Kind == String:
		return 4096
	}
	return 200
}

// payload picks the declared keys in declared order and checks each.
func (r *reading) payload(def *Def, in jsonx.Value, at string) (jsonx.Value, *ui.Error) {
	out := jsonx.Value{Kind: jsonx.Object}
	used := make([]bool, len(in.Members))
	for i := range def.Params {
		p := &def.Params[i]
		m := p.find(in, used)
		if m < 0 || in.Members[m].Value.Kind == jsonx.Null {
			if p.Required {
				return out, ui.Errorf(CodePayloadInvalid, at+"/"+p.Name, "missing")
			}
			continue
		}
		if in.Members[m].Key != p.Name {
			r.coerced(at+"/"+p.Name, "given under another key")
		}
		v, e := r.value(p, in.Members[m].Value, at+"/"+p.Name)
		if e != nil {
			return out, e
		}
		out.Members = append(out.Members, jsonx.Member{Key: p.Name, Value: v})
	}
	for i, m := range in.Members {
		if used[i] {
			continue
		}
		if p := def.contested(m, out); p != nil {
			return out, ui.Errorf(CodePayloadInvalid, at+"/"+p.Name, "two declared values under two names")
		}
		e := ui.Errorf(CodeKeyDropped, at, "payload key %s is not declared", keyName(m.Key))
		if r.reg.opt.Strict {
			e.Code = CodePayloadInvalid
			return out, e
		}
		r.warn(e)
	}
	return out, nil
}

// contested is the parameter that m gives another declared value, under another
// of its names, or nil.
func (d *Def) contested(m jsonx.Member, out jsonx.Value) *Param {
	for i := range d.Params {
		p := &d.Params[i]
		if p.Kind == String && len(p.Enum) > 0 && (m.Key == p.Name || slices.Contains(p.Aliases, m.Key)) {
			other, e := (&reading{reg: &Registry{}}).oneOf(p, m.Value, "")
			if e == nil && other.Str != out.At(p.Name).Text() {
				return p
			}
		}
	}
	return nil
}

// find returns the index of the member that gives p, or -1: its own name first.
func (p *Param) find(in jsonx.Value, used []bool) int {
	alias := -1
	for i, m := range in.Members {
		if m.Key == p.Name {
			used[i] = true
			return i
		}
		if alias < 0 && !used[i] && slices.Contains(p.Aliases, m.Key) {
			alias = i
		}
	}
	for i := 0; alias < 0 && i < len(in.Members); i++ {
		if !used[i] && squash(in.Members[i].Key) == squash(p.Name) { // minRows
			alias = i
		}
	}
	if alias >= 0 {
		used[alias] = true
	}
	return alias
}

// value checks one value against its declaration and returns its canonical form.
func (r *reading) value(p *Param, v jsonx.Value, at string) (jsonx.Value, *ui.Error) {
	if (p.Kind == Values || p.Kind == Rows) && v.Kind == jsonx.String {
		var e *ui.Error
		if v, e = r.unwrap(v, at); e != nil {
			return v, e
		}
	}
	switch p.Kind {
	case String:
		return r.text(p, v, at)
	case Integer:
		return r.integer(v, at)
	case Boolean:
		if v.Kind == jsonx.Bool {
			return v, nil
		}
		if s := strings.ToLower(v.Text()); s == "true" || s == "false" {
			r.coerced(at, "a string instead of a boolean")
			return jsonx.OfBool(s == "true"), nil
		}
		return v, wrong(at, "a boolean", v)
	case Strings:
		return r.strings(p, v, at)
	case Values:
		return r.values(v, at, p.max())
	case Rows:
		rows, e := r.rows(p, v, at, p.column)
		return p.rowsJSON(rows), e
	}
	ops, e := patchReader{r}.ops(v, at, p.max())
	return opsJSON(ops), e
}

func wrong(at, want string, v jsonx.Value) *ui.Error {
	return ui.Errorf(CodePayloadInvalid, at, "want %s, got %s", want, v.Kind)
}

func (r *reading) text(p *Param, v jsonx.Value, at string) (jsonx.Value, *ui.Error) {
	switch v.Kind {
	case jsonx.String:
	case jsonx.Number, jsonx.Bool:
		r.coerced(at, "a scalar instead of a string")
		if v.Kind == jsonx.Bool {
			v.Str = strconv.FormatBool(v.Bool)
		}
		v = jsonx.Of(v.Str)
	default:
		return v, wrong(at, "a string", v)
	}
	if len(v.Str) > p.max() {
		return v, ui.Errorf(CodePayloadInvalid, at, "string above %d bytes", p.max())
	}
	if p.Required && strings.TrimSpace(v.Str) == "" {
		return v, ui.Errorf(CodePayloadInvalid, at, "empty")
	}
	return r.oneOf(p, v, at)
}

// oneOf checks an enum; a different spelling of exactly one value is that
// value, also after a prefix: form:customer is customer.
func (r *reading) oneOf(p *Param, v jsonx.Value, at string) (jsonx.Value, *ui.Error) {
	if len(p.Enum) == 0 || slices.Contains(p.Enum, v.Str) {
		return v, nil
	}
	match, n := "", 0
	whole := squash(v.Str)
	tail := squash(v.Str[strings.LastIndexByte(v.Str, ':')+1:])
	for _, e := range p.Enum {
		if s := squash(e); s != "" && (s == whole || s == tail) {
			match, n = e, n+1
		}
	}
	if n != 1 {
		e := ui.Errorf(CodePayloadInvalid, at, "not one of the %d declared values", len(p.Enum))
		e.Hint = excerpt.Of("use one of: "+strings.Join(p.Enum, ", "), 300)
		return v, e
	}
	r.coerced(at, "another spelling of a declared value")
	return jsonx.Of(match), nil
}

func (r *reading) integer(v jsonx.Value, at string) (jsonx.Value, *ui.Error) {
	if n, ok := v.Int(); ok {
		return jsonx.OfInt(n), nil
	}
	f, ok := v.Float()
	if v.Kind == jsonx.String {
		f, ok = jsonx.OfNumber(strings.TrimSpace(v.Str)).Float()
	}
	if !ok || f != float64(int64(f)) || f >= 1<<53 || f <= -1<<53 {
		return v, wrong(at, "an integer", v)
	}
	r.coerced(at, "another notation of an integer")
	return jsonx.OfInt(int64(f)), nil
}

func (r *reading) strings(p *Param, v jsonx.Value, at string) (jsonx.Value, *ui.Error) {
	if v.Kind == jsonx.String {
		r.coerced(at, "one string instead of a list")
		v = jsonx.OfArray(jsonx.Of(v.Str))
	}
	if v.Kind != jsonx.Array {
		return v, wrong(at, "a list of strings", v)
	}
	if len(v.Items) > p.max() {
		return v, ui.Errorf(CodePayloadInvalid, at, "more than %d entries", p.max())
	}
	one := &Param{Kind: String, Enum: p.Enum}
	out := jsonx.Value{Kind: jsonx.Array}
	for i, item := range v.Items {
		s, e := r.text(one, item, at+"/"+strconv.Itoa(i))
		if e != nil {
			return v, e
		}
		out.Items = append(out.Items, jsonx.Of(s.Str))
	}
	return out, nil
}
