package validate

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui/internal/datatree"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
)

// valueRules checks one property or argument against its row of the catalog.
type valueRules struct{ *run }

// value checks one property or argument against its row. calls is how many
// function calls enclose it.
func (r valueRules) value(row *wire.PropDef, v wire.Value, calls int) {
	switch row.Kind {
	case wire.Child:
		r.structures().child(v)
	case wire.Children:
		r.structures().children(v)
	case wire.TabList:
		r.structures().tabs(v)
	case wire.OptionList:
		r.structures().options(v)
	case wire.ActionValue:
		r.structures().action(v)
	case wire.CheckList:
		r.structures().checks(v)
	case wire.Enum:
		r.enum(row, v)
	case wire.IconName:
		r.icon(row, v)
	case wire.A11y:
		r.a11y(v)
	case wire.Metadata:
		r.meta().metadata(v)
	case wire.DynBools:
		r.calls().bools(v, calls)
	case wire.ObjectOf:
		r.custom().objectOf(row, v, calls)
	case wire.ListOf:
		r.custom().listOf(row, v, calls)
	case wire.OneOfKinds:
		r.custom().oneOfKinds(row, v, calls)
	default:
		r.scalar(row, v, calls)
	}
}

// wants names the kinds, the type that a call in them returns, and whether they take a
// path or a call.
var wants = [...]struct {
	name, returns string
	dynamic       bool
}{
	wire.AnyValue:    {"a value", "", true},
	wire.DynString:   {"a text, a path or a call", "string", true},
	wire.DynNumber:   {"a number, a path or a call", "number", true},
	wire.DynBool:     {"true, false, a path or a call", "boolean", true},
	wire.DynStrings:  {"a list of texts, a path or a call", "array", true},
	wire.DynValue:    {"a text, number, boolean, list, path or call", "", true},
	wire.DynMoment:   {"a date or time, a path or a call", "string", true},
	wire.DynBools:    {"a list of two or more conditions", "", false},
	wire.PlainString: {"a text", "", false},
	wire.PlainNumber: {"a number", "", false},
	wire.PlainCount:  {"a whole number from 0", "", false},
	wire.PlainBool:   {"true or false", "", false},
	wire.Enum:        {"one of the listed values", "", false},
	wire.IconName:    {"the name of an icon", "", false},
	wire.Child:       {"a component id", "", false},
	wire.Children:    {"a list of component ids or a template", "", false},
	wire.TabList:     {"a list of {title, child}", "", false},
	wire.OptionList:  {"a list of {label, value}", "", false},
	wire.ActionValue: {"an event or a function call", "", false},
	wire.CheckList:   {"a list of checks", "", false},
	wire.A11y:        {"an object with label and description", "", false},
	wire.ObjectOf:    {"an object", "", false},
	wire.ListOf:      {"a list", "", false},
	wire.OneOfKinds:  {"one of several forms", "", false},
	wire.Metadata:    {"an object with extensions", "", false},
	wire.PathOnly:    {"a path", "", true},
	wire.CallOnly:    {"a call", "", true},
}

// wanted says which values a row takes.
func wanted(row *wire.PropDef) string {
	switch {
	case row.Kind == wire.Enum:
		return "one of " + strings.Join(row.Enum, ", ")
	case row.Bounds == wire.Color:
		return "a color, #RRGGBB"
	case int(row.Kind) < len(wants):
		return wants[row.Kind].name
	}
	return "something"
}

func (r valueRules) scalar(row *wire.PropDef, v wire.Value, calls int) {
	kind, ok := row.Kind, false
	if int(kind) >= len(wants) {
		r.add(wire.ComponentProperty, "", "the catalog has an unknown kind %d", kind)
		return
	}
	want := &wants[kind]
	switch v := v.(type) {
	case wire.String:
		r.string(string(v))
		r.address(row, string(v))
		ok = kind == wire.DynMoment && isMoment(string(v)) || kind == wire.DynString || kind == wire.PlainString ||
			kind == wire.DynValue || kind == wire.AnyValue
	case wire.Path:
		if ok = want.dynamic && kind != wire.CallOnly; ok && row.URL {
			r.bind(string(v), wantsURL)
		} else if ok && kind == wire.DynStrings {
			r.bind(string(v), readsList)
		} else if ok {
			r.bind(string(v), 0)
		}
	case wire.Bool:
		ok = kind == wire.DynBool || kind == wire.PlainBool || kind == wire.DynValue || kind == wire.AnyValue
	case wire.Literal:
		if r.pathAndLiteral(v.Data) {
			return
		}
		r.json(v.Data)
		ok = kind == wire.PlainString && v.Data.Kind == jsonx.String ||
			kind == wire.PlainBool && v.Data.Kind == jsonx.Bool || r.fits(kind, v.Data) || row == &anything ||
			kind == wire.AnyValue && row.Bounds != nil && row.Bounds.Const != nil
		if (r.Safe || r.PlainKeys && kind == wire.DynValue) &&
			(hasKey(v.Data.Members, "path") || hasKey(v.Data.Members, "call")) {
			ok = false // clients take it for a binding or a call
		}
	case wire.Call:
		if ok = want.dynamic && kind != wire.PathOnly; ok {
			r.calls().call(&v, want.returns, calls+1)
		}
	case wire.List:
		if ok = kind == wire.DynValue || kind == wire.AnyValue; ok {
			r.calls().list(v, calls)
		}
	case wire.Object:
		if ok = kind == wire.AnyValue || kind == wire.DynValue && r.Features.ObjectValues &&
			!(r.PlainKeys && bindingKey(v)); ok {
			r.calls().object(v, calls)
		}
	case nil:
	default:
		ok = r.structured(kind, v, calls)
	}
	if !ok {
		r.wrong(want.name, v)
	} else if row.Bounds != nil {
		if lit, is := v.(wire.Literal); is {
			v = plain(lit.Data)
		}
		r.custom().bounds(row.Bounds, v)
	}
}

// bindingKey reports whether an object has a key of bindings or calls.
func bindingKey(object wire.Object) bool {
	for i := range object {
		if object[i].Name == "path" || object[i].Name == "call" {
			return true
		}
	}
	return false
}

// structured checks values that the codecs read as a structure because of their name,
// where the catalog has plain lists and objects or nothing at all.
func (r valueRules) structured(kind wire.Kind, v wire.Value, calls int) bool {
	if kind == wire.AnyValue {
		r.structure(v)
		return true
	}
	if items, ok := itemsOf(v); ok && r.Features.BareValues {
		for _, item := range items {
			r.value(&anything, item, calls+1)
			_, text := item.(wire.String)
			ok = ok && (text || kind != wire.DynStrings)
		}
		return ok && (kind == wire.DynValue || kind == wire.DynStrings)
	}
	if fields, ok := r.custom().fieldsOf(v); ok && r.Features.BareValues && r.Features.ObjectValues &&
		kind == wire.DynValue {
		r.calls().object(fields, calls)
		return true
	}
	return false
}

// malformed is the hint for a path that is no pointer.
const malformed = "~ is written ~0, and / in a key ~1"

func describe(v wire.Value) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case wire.Literal:
		if v.Data.Kind == jsonx.Object && len(v.Data.Members) == 0 {
			return "the JSON object {}"
		}
		return "the JSON " + v.Data.Kind.String()
	case wire.String:
		return "the text " + strconv.Quote(clip(string(v)))
	case wire.Path:
		return "a path"
	case wire.Call:
		return "a call"
	case wire.Bool:
		return "a boolean"
	}
	return "another structure"
}

func clip(s string) string { return excerpt.Of(s, 40) }

// structure checks the structures of a component that the catalog lacks, so
// that its children count.
func (r valueRules) structure(v wire.Value) {
	switch v := v.(type) {
	case wire.Ref:
		r.structures().child(v)
	case wire.Refs, wire.Template:
		r.structures().children(v)
	case wire.Tabs:
		r.structures().tabs(v)
	case wire.Options:
		r.structures().options(v)
	case wire.Event, wire.Local:
		r.structures().action(v)
	case wire.Checks:
		r.structures().checks(v)
	}
}

func (r valueRules) fits(kind wire.Kind, v wire.Data) bool {
	switch kind {
	case wire.AnyValue:
		return v.Kind != jsonx.Null || r.Features.ObjectValues
	case wire.DynNumber, wire.PlainNumber:
		return v.Kind == jsonx.Number
	case wire.PlainCount:
		f, ok := v.Float()
		return ok && f >= 0 && f == math.Trunc(f)
	case wire.DynValue:
		return v.Kind == jsonx.Number || v.Kind == jsonx.Array || v.Kind == jsonx.Object && r.Features.ObjectValues
	case wire.DynStrings:
		return isTexts(v)
	}
	return false
}

func isTexts(v wire.Data) bool {
	for i := range v.Items {
		if v.Items[i].Kind != jsonx.String {
			return false
		}
	}
	return v.Kind == jsonx.Array
}

// pathAndLiteral finds the value that binds and initialises at once.
func (r valueRules) pathAndLiteral(v wire.Data) bool {
	if v.Kind != jsonx.Object || !r.Features.LiteralsAreRefs && !r.Safe {
		return false
	}
	path, literal := false, false
	for _, m := range v.Members {
		path = path || m.Key == "path" && m.Value.Kind == jsonx.String
		literal = literal || strings.HasPrefix(m.Key, "literal")
	}
	if !path || !literal || len(v.Members) != 2 {
		return false
	}
	r.bind(v.At("path").Str, 0)
	if r.Safe {
		r.add(wire.ComponentPathLiteral, "send the literal as data", "the value has a path and a literal")
	}
	return true
}

// json counts the texts of a literal and checks its numbers; a literal is as
// deep as its parser or builder made it, so the walk is bounded by the caller's.
func (r valueRules) json(v wire.Data) {
	switch problem := r.plainData(v, r.Limits.DataDepth); problem {
	case "":
	case tooDeep:
		r.add(wire.LimitDataDepth, "", "%s", problem)
	default:
		r.add(wire.ComponentProperty, "", "%s", problem)
	}
}

const tooDeep = "the literal is nested too deep"

// plainData returns the fault of a literal, or "".
func (r *run) plainData(v wire.Data, depth int) string {
	if depth < 0 {
		return tooDeep
	}
	switch v.Kind {
	case jsonx.String:
		r.literal(v.Str)
		r.drawn(v.Str)
	case jsonx.Number:
		if r.text += len(v.Str); !jsonx.IsNumber(v.Str) {
			return "a number is malformed"
		}
	}
	r.size += 64
	for _, item := range v.Items {
		if p := r.plainData(item, depth-1); p != "" {
			return p
		}
	}
	if key, dup := duplicate(v.Members); dup {
		return "the key " + strconv.Quote(clip(key)) + " stands twice"
	}
	for _, m := range v.Members {
		r.literal(m.Key)
		if p := r.plainData(m.Value, depth-1); p != "" {
			return p
		}
	}
	return ""
}

// duplicate finds a key that appears twice.
func duplicate(members []wire.Member) (key string, dup bool) {
	if len(members) <= 16 {
		for i := range members {
			if hasKey(members[:i], members[i].Key) {
				return members[i].Key, true
			}
		}
		return "", false
	}
	seen := make(map[string]struct{}, len(members))
	for i := range members {
		if _, dup := seen[members[i].Key]; dup {
			return members[i].Key, true
		}
		seen[members[i].Key] = struct{}{}
	}
	return "", false
}

// string checks a literal text.
func (r *run) string(s string) {
	r.literal(s)
	r.drawn(s)
}

// drawn keeps a text that a client compares with component ids.
func (r *run) drawn(s string) {
	if r.Safe && r.Features.LiteralsAreRefs && !r.inAction && r.graph != nil {
		r.graph.texts = append(r.graph.texts, s)
	}
}

// address checks a text that is one: its form, and in Safe its scheme.
func (r valueRules) address(row *wire.PropDef, s string) {
	if !row.URL {
		return
	}
	if b := row.Bounds; b != nil && b.Format == "uri" && !isURI(s) {
		r.add(wire.ComponentURLScheme, "", "the address %q is not absolute", clip(s))
		return
	}
	r.url(s)
}

func isURI(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.IsAbs()
}

func isMoment(s string) bool {
	for _, layout := range [...]string{time.DateOnly, "15:04:05Z07:00", time.RFC3339} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// url checks the scheme of a literal address. mailto is for links alone, which
// only actions have.
func (r valueRules) url(s string) {
	if !r.Safe {
		return
	}
	if class := datatree.TextClass(s); class != datatree.Address && (class != datatree.Mail || !r.inAction) {
		r.add(wire.ComponentURLScheme, "use an absolute http or https address", "the address is %q", clip(s))
	}
}

// bind checks a path and keeps it for the check against the data; want says
// where it must lead. It returns the place of the path, or -1.
func (r *run) bind(path string, want uint8) int32 {
	r.literal(path)
	switch {
	case !validPointer(path):
		r.add(wire.ComponentBinding, malformed, "the path %q is malformed", clip(path))
	case !r.Safe:
	case r.Features.SplitsKeys && strings.ContainsAny(path, ".[]") && path != ".":
		r.add(wire.ComponentBinding, "", "clients split the path %q at dots and brackets", clip(path))
	case r.graph == nil:
		r.add(wire.ComponentBinding, "send the value", "there is no surface with data for the path %q", clip(path))
	default:
		if r.flags |= want; want&(wantsURL|wantsList) != 0 && !absolute(path) {
			r.flags |= relative
		}
		r.graph.binds = append(r.graph.binds, bind{path, want, r.inAction, r.row})
		return int32(len(r.graph.binds) - 1)
	}
	return -1
}

func validPointer(p string) bool {
	for i := strings.IndexByte(p, '~'); i >= 0 && i < len(p); i++ {
		if p[i] == '~' && (i+1 == len(p) || p[i+1] != '0' && p[i+1] != '1') {
			return false
		}
	}
	return true
}

func (r valueRules) enum(row *wire.PropDef, v wire.Value) {
	if lit, ok := v.(wire.Literal); ok {
		v = plain(lit.Data)
	}
	if s, ok := v.(wire.String); ok {
		r.drawn(string(s))
		if slices.Contains(row.Enum, string(s)) {
			return
		}
	}
	r.wrong(wanted(row), v)
}

func (r valueRules) icon(row *wire.PropDef, v wire.Value) {
	switch v := v.(type) {
	case wire.Path:
		r.bind(string(v), 0)
		return
	case wire.Literal:
		if svg := v.Data.At("svgPath"); r.Features.Calls && len(v.Data.Members) == 1 && svg.Kind == jsonx.String {
			r.literal(svg.Str)
			return
		}
		if r.pathAndLiteral(v.Data) {
			return
		}
	case wire.Object:
		if r.Features.ObjectValues && len(v) == 1 && v[0].Name == "svgPath" {
			r.parts().property(&dynString, &v[0])
			return
		}
	}
	if s, ok := v.(wire.String); !ok || !slices.Contains(row.Enum, string(s)) {
		r.wrong("the name of an icon", v)
	} else {
		r.drawn(string(s))
	}
}

var (
	live   = wire.OneOf("live", "off", "polite", "assertive")
	hidden = wire.Opt("hidden", wire.DynBool)
)

// a11y checks accessibility. The schema of v0.9 leaves it open for other
// members, that of v1.0 does not.
func (r valueRules) a11y(v wire.Value) {
	more := r.Features.VerdictChecks
	if lit, is := v.(wire.Literal); is && lit.Data.Kind == jsonx.Object {
		for i := range lit.Data.Members {
			m := &lit.Data.Members[i]
			r.a11yMember(m.Key, plain(m.Value), more)
		}
		if key, dup := duplicate(lit.Data.Members); dup {
			r.add(wire.ComponentProperty, "", "%q stands twice", clip(key))
		}
		return
	}
	switch v.(type) {
	case wire.Path, wire.Call: // objects with other members
		if !r.Safe && !more {
			return
		}
	}
	object, ok := v.(wire.Object)
	if !ok {
		r.wrong("an object with label and description", v)
		return
	}
	for i := range object {
		r.a11yMember(object[i].Name, object[i].Value, more)
	}
	r.structures().once(object)
}

func (r valueRules) a11yMember(name string, v wire.Value, more bool) {
	row := &anything
	switch {
	case name == "label" || name == "description":
		row = &dynString
	case more && name == "live":
		row = &live
	case more && name == "hidden":
		row = &hidden
	case r.Safe || more:
		r.at(name, wire.ComponentProperty, "", "accessibility has a label and a description, not %s", clip(name))
	}
	r.push(name)
	r.size += 64
	r.value(row, v, 0)
	r.pop()
}

// plain is the value of plain data.
func plain(v wire.Data) wire.Value {
	switch v.Kind {
	case jsonx.String:
		return wire.String(v.Str)
	case jsonx.Bool:
		return wire.Bool(v.Bool)
	}
	return wire.Literal{Data: v}
}
