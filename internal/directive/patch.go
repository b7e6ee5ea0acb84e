package directive

import (
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// maxRows bounds the rows, and the operations, that are read; an application may set
// less for its tables, and the answer of a model ends long before.
var maxRows = ui.Limits{}.WithDefaults().Rows

// ParseOps normalises what models write as patch operations: one operation or
// a list, or either as a JSON string; the verbs set, delete, append and insert
// or the RFC 6902 names add, replace and remove; a missing verb is set; a path
// without its leading slash. Paths lead to /draft or /ui_state, except
// /ui_state/rev, and name rows by id. Values are scalars, lists of strings,
// maps of those, and lists of objects, which are rows: "id" names a row, one
// without gets the next free one of r1, r2, … . A list of
// {"field":…,"value":…} is a map. Setting null empties a value.
//
// strict refuses what would be coerced. An error is CodePayloadInvalid with the
// place in v; warnings have CodeCoerced.
func ParseOps(v jsonx.Value, strict bool) ([]ui.PatchOne, []*ui.Error, error) {
	r := &reading{reg: &Registry{opt: Options{Strict: strict}.withDefaults()}}
	ops, e := patchReader{r}.ops(v, "", maxRows)
	if e = r.refusal(e); e != nil {
		return nil, r.warnings, e
	}
	out := make([]ui.PatchOne, len(ops))
	for i, o := range ops {
		value, err := ui.ValueOf(o.value)
		if err != nil {
			return nil, r.warnings, &ui.Error{Code: CodePayloadInvalid, Path: "/" + strconv.Itoa(i) + "/value",
				Message: "not a value of a surface", Err: err}
		}
		out[i], out[i].Value = o.PatchOne, value
	}
	return out, r.warnings, nil
}

// operation is a PatchOne on its way: the value is still canonical JSON.
type operation struct {
	ui.PatchOne
	value jsonx.Value
}

// patchReader reads the ops of a patch.
type patchReader struct{ *reading }

func (r patchReader) ops(v jsonx.Value, at string, limit int) ([]operation, *ui.Error) {
	v, e := r.unwrap(v, at)
	if e != nil {
		return nil, e
	}
	if v.Kind == jsonx.Object {
		r.coerced(at, "one operation instead of a list")
		v = jsonx.OfArray(v)
	}
	if v.Kind != jsonx.Array || len(v.Items) == 0 {
		return nil, ui.Errorf(CodePayloadInvalid, at, "want a list of at least one operation")
	}
	var out []operation
	for i, item := range v.Items {
		more, e := r.op(item, at+"/"+strconv.Itoa(i))
		if e != nil {
			return nil, e
		}
		if out = append(out, more...); len(out) > limit {
			return nil, ui.Errorf(CodePayloadInvalid, at, "more than %d operations", limit)
		}
	}
	return out, nil
}

// verbs maps what models write to the verb it means; "" is add, whose meaning
// depends on the path.
var verbs = map[string]ui.PatchVerb{"set": ui.PatchSet, "replace": ui.PatchSet, "update": ui.PatchSet, "add": "",
	"delete": ui.PatchDelete, "remove": ui.PatchDelete, "append": ui.PatchAppend, "insert": ui.PatchInsert}

func (r patchReader) op(v jsonx.Value, at string) ([]operation, *ui.Error) {
	if v.Kind != jsonx.Object {
		return nil, wrong(at, "an operation", v)
	}
	name, ok := v.Get("op")
	if !ok {
		name, ok = v.Get("do")
	}
	verb, known := verbs[strings.ToLower(name.Text())]
	switch {
	case !ok || name.Kind == jsonx.Null:
		verb = ui.PatchSet
		r.coerced(at+"/op", "missing, taken as set")
	case !known:
		return nil, ui.Errorf(CodePayloadInvalid, at+"/op", "want set, delete, append or insert")
	case string(verb) != name.Str:
		r.coerced(at+"/op", "another name of a verb")
	}
	for _, m := range v.Members {
		switch m.Key {
		case "op", "do", "path", "value", "before", "row":
		default:
			return nil, ui.Errorf(CodePayloadInvalid, at, "an operation holds op, path, value, before and row")
		}
	}
	one := operation{PatchOne: ui.PatchOne{Do: verb}}
	var e *ui.Error
	if one.Before, e = r.mark(v.At("before"), at+"/before"); e != nil {
		return nil, e
	}
	if one.Row, e = r.mark(v.At("row"), at+"/row"); e != nil {
		return nil, e
	}
	one.Row = rowID(jsonx.Of(one.Row))
	if one.Do == "" && one.Before != "" {
		one.Do = ui.PatchInsert
	}
	if _, ok := v.Get("value"); !ok && one.Do == ui.PatchSet {
		return nil, ui.Errorf(CodePayloadInvalid, at+"/value", "missing")
	}
	if e := r.place(&one, v.At("path"), at+"/path"); e != nil {
		return nil, e
	}
	if e := checkPlace(&one, at); e != nil {
		return nil, e
	}
	return r.operand(one, v.At("value"), at+"/value")
}

// mark reads the name of a row or an index; null and "" are none.
func (r patchReader) mark(v jsonx.Value, at string) (string, *ui.Error) {
	switch v.Kind {
	case jsonx.Null, jsonx.String:
		return v.Str, nil
	case jsonx.Number:
		r.coerced(at, "a number instead of a string")
		return v.Str, nil
	}
	return "", wrong(at, "a string", v)
}

// place reads the path. A trailing - means append, an index after add insert.
func (r patchReader) place(one *operation, v jsonx.Value, at string) *ui.Error {
	s := v.Text()
	if v.Kind != jsonx.String || s == "" {
		return ui.Errorf(CodePayloadInvalid, at, "missing")
	}
	if rest, ok := strings.CutPrefix(s, "#/"); ok {
		r.coerced(at, "a fragment instead of a pointer")
		s = "/" + rest
	}
	if strings.HasPrefix(s, ui.DraftRoot+"/") || strings.HasPrefix(s, ui.UIStateRoot+"/") {
		r.coerced(at, "path without its leading slash")
		s = "/" + s
	}
	head, ok := strings.CutSuffix(s, "/-")
	if ok && (one.Do == "" || one.Do == ui.PatchAppend || one.Do == ui.PatchSet) {
		r.coerced(at, "a path to the end of a list, taken as append")
		s, one.Do = head, ui.PatchAppend
	}
	if i := strings.LastIndexByte(s, '/'); (one.Do == "" || one.Do == ui.PatchInsert && one.Before == "") && i >= 0 &&
		isIndex(s[i+1:]) {
		r.coerced(at, "a path into a list, taken as insert")
		s, one.Do, one.Before = s[:i], ui.PatchInsert, s[i+1:]
	}
	if one.Do == "" {
		one.Do = ui.PatchSet
	}
	p, warning, err := ui.ParsePath(s, r.reg.opt.Strict)
	if err != nil {
		return &ui.Error{Code: CodePayloadInvalid, Path: at, Message: "not a path under /draft or /ui_state", Err: err}
	}
	if warning != nil {
		w := *warning
		w.Code, w.Path = CodeCoerced, at
		r.warn(&w)
	}
	one.Path = p
	return nil
}

func isIndex(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 0 && n < 1<<20 && strconv.Itoa(n) == s
}

// checkPlace refuses what no patch may change or what no surface can hold.
func checkPlace(one *operation, at string) *ui.Error {
	if !one.Path.Under(ui.DraftRoot) && !one.Path.Under(ui.UIStateRoot) {
		return ui.Errorf(CodePayloadInvalid, at+"/path", "a patch changes /draft or /ui_state")
	}
	segs := one.Path.Segments()
	if segs[0] == ui.UIStateRoot && segs[1] == "rev" {
		return ui.Errorf(CodePayloadInvalid, at+"/path", "/ui_state/rev belongs to the server")
	}
	for _, seg := range segs[1:] {
		if !ui.ValidKey(seg) {
			e := ui.Errorf(CodePayloadInvalid, at+"/path", "a segment is no key")
			e.Hint = "name rows by their id; replace a list as a whole"
			return e
		}
	}
	adds := one.Do == ui.PatchAppend || one.Do == ui.PatchInsert
	if one.Before != "" && (one.Do != ui.PatchInsert || !ui.ValidKey(one.Before) && !isIndex(one.Before)) {
		return ui.Errorf(CodePayloadInvalid, at+"/before", "belongs to insert: a row id or an index")
	}
	if one.Row != "" && (!adds || !ui.ValidKey(one.Row)) {
		return ui.Errorf(CodePayloadInvalid, at+"/row", "belongs to append and insert: a row id")
	}
	return nil
}

// operand reads the value. Appending a list appends each of its entries.
func (r patchReader) operand(one operation, v jsonx.Value, at string) ([]operation, *ui.Error) {
	adds := one.Do == ui.PatchAppend || one.Do == ui.PatchInsert
	if adds && v.Kind == jsonx.Array && !isNamed(v) {
		r.coerced(at, "a list, added entry by entry")
		if len(v.Items) > 1 && one.Do == ui.PatchInsert && isIndex(one.Before) || one.Row != "" {
			return nil, ui.Errorf(CodePayloadInvalid, at, "several entries cannot take one place")
		}
		var out []operation
		for i, item := range v.Items {
			more, e := r.addend(one, item, at+"/"+strconv.Itoa(i))
			if e != nil {
				return nil, e
			}
			out = append(out, more)
		}
		return out, nil
	}
	if adds {
		one, e := r.addend(one, v, at)
		return []operation{one}, e
	}
	if one.Do == ui.PatchDelete {
		return []operation{one}, nil
	}
	if v.Kind == jsonx.Null {
		r.coerced(at, "null, taken as the empty text")
		v = jsonx.Of("")
	}
	var e *ui.Error
	one.value, e = r.any(v, at)
	return []operation{one}, e
}

// addend reads what append and insert add: a string, or a row as a map of cells
// (null = a blank row).
func (r patchReader) addend(one operation, v jsonx.Value, at string) (operation, *ui.Error) {
	switch v.Kind {
	case jsonx.Null:
		return one, nil
	case jsonx.Object, jsonx.Array:
		id, cells, e := r.row(&Param{}, v, at)
		if v.Kind == jsonx.Array {
			id, cells, e = "", v, nil
		}
		if e != nil {
			return one, e
		}
		if id != "" && one.Row == "" {
			r.coerced(at+"/id", "id instead of row")
			one.Row = id
		}
		if one.Row != "" && !ui.ValidKey(one.Row) {
			return one, ui.Errorf(CodePayloadInvalid, at+"/id", "a row id is [a-z][a-z0-9_-]{0,63}")
		}
		one.value, e = r.values(cells, at, maxCells)
		return one, e
	}
	var e *ui.Error
	one.value, e = r.text(&Param{Max: maxText}, v, at)
	return one, e
}

// any reads a value that replaces another: a scalar, a list of strings, a map,
// or rows.
func (r patchReader) any(v jsonx.Value, at string) (jsonx.Value, *ui.Error) {
	_, stored := v.Get("$rows")
	switch {
	case v.Kind == jsonx.Array && isNamed(v):
	case stored, v.Kind == jsonx.Array && len(v.Items) > 0 && v.Items[0].Kind == jsonx.Object:
		rows, e := r.rows(&Param{Kind: Rows, Max: maxRows}, v, at, ui.ValidKey)
		return storedRows(rows), e
	case v.Kind != jsonx.Object:
		return r.scalar(v, at, "")
	}
	return r.values(v, at, 200)
}

// isNamed reports the form of a map that strict schemas need: a list of
// {"field":…,"value":…}. Rows differ from it by any other key.
func isNamed(v jsonx.Value) bool {
	for _, item := range v.Items {
		_, name := item.Get("field")
		_, value := item.Get("value")
		if !name || !value || len(item.Members) != 2 {
			return false
		}
	}
	return len(v.Items) > 0
}

// opsJSON writes operations in canonical form.
func opsJSON(ops []operation) jsonx.Value {
	out := jsonx.Value{Kind: jsonx.Array}
	for _, o := range ops {
		item := jsonx.OfObject(
			jsonx.Member{Key: "op", Value: jsonx.Of(string(o.Do))},
			jsonx.Member{Key: "path", Value: jsonx.Of(string(o.Path))})
		if o.Do != ui.PatchDelete {
			item.Members = append(item.Members, jsonx.Member{Key: "value", Value: o.value})
		}
		if o.Before != "" {
			item.Members = append(item.Members, jsonx.Member{Key: "before", Value: jsonx.Of(o.Before)})
		}
		if o.Row != "" {
			item.Members = append(item.Members, jsonx.Member{Key: "row", Value: jsonx.Of(o.Row)})
		}
		out.Items = append(out.Items, item)
	}
	return out
}
