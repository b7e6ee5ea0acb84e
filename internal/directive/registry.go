package directive

import (
	"regexp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Codes of package directive. The first four are errors of Read, the last is an
// error of New, the others are warnings.
const (
	CodeJSONInvalid ui.Code = "DIRECTIVE_JSON_INVALID" // the answer looks like JSON but holds no envelope
	// JSON among words, or an undeclared key: ask whether it is meant
	CodeAmbiguous      ui.Code = "DIRECTIVE_UNSURE"
	CodeTooLarge       ui.Code = "DIRECTIVE_TOO_LARGE"       // the answer is above Options.Size
	CodeEmpty          ui.Code = "DIRECTIVE_EMPTY"           // neither a text nor a directive that can run
	CodeNone           ui.Code = "DIRECTIVE_NONE"            // plain text without an envelope
	CodeUnknownType    ui.Code = "DIRECTIVE_UNKNOWN_TYPE"    // a directive of no declared type, dropped
	CodePayloadInvalid ui.Code = "DIRECTIVE_PAYLOAD_INVALID" // a directive with a payload that breaks a rule, dropped
	CodeTooMany        ui.Code = "DIRECTIVE_TOO_MANY"        // directives above Options.Directives, dropped
	CodeCoerced        ui.Code = "DIRECTIVE_COERCED"         // something was bent into shape
	// an undeclared key of an envelope, a directive or a payload
	CodeKeyDropped  ui.Code = "DIRECTIVE_KEY_DROPPED"
	CodeTextClipped ui.Code = "DIRECTIVE_TEXT_CLIPPED" // the text is above Options.Text
	CodeDefInvalid  ui.Code = "DIRECTIVE_DEF_INVALID"  // a declaration breaks a rule
)

// Def declares one directive type.
type Def struct {
	Type        string   // canonical: lower-case words joined by dots and underscores, such as ui.show_form
	Aliases     []string // further names a model may use
	Description string   // one sentence for the model
	Params      []Param  // the keys of the payload
	// Schema is a JSON Schema of the payload in place of Params: the keys are its
	// properties, Check holds their values.
	Schema jsonx.Value
	// Check is called with the canonical payload after Params hold; nil = no
	// further rule. It must be pure. The path of its error is below the payload.
	Check func(payload jsonx.Value) *ui.Error
	// Example is a payload for the prompt, as JSON; the first Def that has one
	// is shown. It must pass the checks.
	Example string
}

// Options bound and harden reading. Zero members take the default beside them;
// every bound is inclusive.
type Options struct {
	Size       int  // bytes of an answer: 64 KiB
	Directives int  // directives of one envelope: 16
	Text       int  // bytes of assistant_text, cut at a rune: 32 KiB
	Strict     bool // refuse what would be coerced
}

func (o Options) withDefaults() Options {
	if o.Size == 0 {
		o.Size = 64 << 10
	}
	if o.Directives == 0 {
		o.Directives = 16
	}
	if o.Text == 0 {
		o.Text = 32 << 10
	}
	return o
}

// Registry is the set of types a model may use. It is immutable and safe for
// concurrent use.
type Registry struct {
	defs   []Def
	exact  map[string]int // canonical type → index
	names  map[string]int // squashed spelling → index
	opt    Options
	schema []byte
	prompt string
}

// New checks the declarations and builds a Registry, in the order given. An
// error has CodeDefInvalid.
func New(defs ...Def) (*Registry, error) {
	r := &Registry{defs: slices.Clone(defs), exact: map[string]int{}, names: map[string]int{},
		opt: Options{}.withDefaults()}
	for i, d := range r.defs {
		if !validType.MatchString(d.Type) {
			return nil, ui.Errorf(CodeDefInvalid, "",
				"type %q: want lower-case words joined by '.' or '_', at most 64 bytes", excerpt.Of(d.Type, 80))
		}
		for _, name := range append([]string{d.Type}, d.Aliases...) {
			s := squash(name)
			if at, taken := r.names[s]; s == "" || taken && at != i {
				return nil, ui.Errorf(CodeDefInvalid, d.Type, "name %q is empty or stands for another type too",
					excerpt.Of(name, 80))
			}
			r.names[s] = i
		}
		r.exact[d.Type] = i
	}
	r.addShortNames()
	r.schema, r.prompt = r.writeSchema(), r.writePrompt()
	return r, nil
}

// addShortNames lets a type be called without its namespace, where that is
// unambiguous.
func (r *Registry) addShortNames() {
	short := map[string]int{}
	for i, d := range r.defs {
		if _, name, ok := strings.Cut(d.Type, "."); ok {
			s := squash(name)
			if _, taken := short[s]; taken {
				i = -1
			}
			short[s] = i
		}
	}
	for s, i := range short {
		if _, taken := r.names[s]; !taken && i >= 0 && s != "" {
			r.names[s] = i
		}
	}
}

// With returns a Registry with the same types that reads under other options.
func (r *Registry) With(o Options) *Registry {
	c := *r
	c.opt = o.withDefaults()
	return &c
}

// Types lists the canonical types in the order of declaration.
func (r *Registry) Types() []string {
	out := make([]string, len(r.defs))
	for i, d := range r.defs {
		out[i] = d.Type
	}
	return out
}

// Canonical returns the declared type of a spelling:
// ui_show_form, show-form, UI.ShowForm and show_form are ui.show_form. ok is
// false for an undeclared one.
func (r *Registry) Canonical(name string) (string, bool) {
	i, ok := r.lookup(name)
	if !ok {
		return "", false
	}
	return r.defs[i].Type, true
}

func (r *Registry) lookup(name string) (int, bool) {
	if i, ok := r.exact[name]; ok {
		return i, true
	}
	i, ok := r.names[squash(name)]
	return i, ok
}

// squash reduces a spelling to its letters and digits, lower-case; "" when it
// holds anything else than ASCII words and joints, or is too long to be a name.
func squash(s string) string {
	if len(s) > 80 {
		return ""
	}
	var out [80]byte
	n := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			out[n] = c
			n++
		case c >= 'A' && c <= 'Z':
			out[n] = c + 'a' - 'A'
			n++
		case strings.IndexByte("._-:/ ", c) < 0:
			return ""
		}
	}
	return string(out[:n])
}

var validType = regexp.MustCompile(`^[a-z][a-z0-9_.]{0,63}$`)
