package a2ui

import "github.com/limn-ui/limn/a2ui/internal/validate"

// Profile is how strict a Validator is.
type Profile uint8

const (
	// Spec has the rules of the specification for every stream: envelopes,
	// catalog, references and cycles of a created surface, limits. A batch that creates
	// a surface must bring its root and all it refers to; an update may refer to
	// components that come later.
	Spec Profile = iota
	// Safe is what Limn emits: Spec, and the rules that keep the clients in use
	// from failing. docs/a2ui.md lists them.
	Safe
)

// Rules are the rules that a stream must follow.
type Rules struct {
	Dialect Dialect  // required
	Profile Profile  // default Spec
	Catalog *Catalog // default Basic(Dialect); the one of surfaces that name none on v0.8
	Limits  Limits   // zero fields take their defaults

	// Catalogs are more that surfaces may name, and on v1.0 components and calls
	// too. One that is for another version (Catalog.Protocol) is as good as none.
	Catalogs []*Catalog
	// Aliases are other ids of these catalogs: a client's id → ours.
	Aliases map[string]string

	// Actions reports whether an event name is declared; nil = any.
	Actions func(name string) bool
	// Partial allows messages to surfaces that another server created, and on v0.8 a
	// surface to begin before its components come.
	Partial bool
}

// Validator follows what one client knows and checks the next batch for it. It
// must not be used by two goroutines at once. Messages that passed Check may be
// changed afterwards: it keeps their texts only.
type Validator struct {
	dialect Dialect
	check   *validate.Validator
}

// NewValidator returns a validator for a client that shows nothing. For a
// dialect without codec every Check fails.
func NewValidator(r Rules) *Validator {
	codec := r.Dialect.codec()
	if r.Catalog == nil {
		r.Catalog = Basic(r.Dialect)
	}
	v := &Validator{dialect: r.Dialect}
	if codec != nil {
		v.check = validate.New(validate.Rules{
			Features: r.Dialect.Features(), Catalog: r.Catalog, Catalogs: r.catalogs(), Limits: r.Limits.WithDefaults(),
			Safe: r.Profile == Safe, Partial: r.Partial, Actions: r.Actions, Append: codec.Append,
			PlainKeys: codec.PlainKeys, Names: codec.Names,
		})
	}
	return v
}

// catalogs are those of the rules by every id they may be named with, without
// those that are for surfaces of another version; nil means Catalog alone.
func (r *Rules) catalogs() map[string]*Catalog {
	if len(r.Catalogs) == 0 && len(r.Aliases) == 0 && r.Catalog.Fits(r.Dialect.Protocol()) {
		return nil
	}
	out := make(map[string]*Catalog, 1+len(r.Catalogs)+len(r.Aliases))
	for _, c := range append(r.Catalogs[:len(r.Catalogs):len(r.Catalogs)], r.Catalog) {
		if c.Fits(r.Dialect.Protocol()) {
			out[c.ID] = c
		}
	}
	for alias, id := range r.Aliases {
		if c := out[id]; c != nil && out[alias] == nil {
			out[alias] = c
		}
	}
	return out
}

// Check lists everything that is wrong with one turn's batch as the client will
// see it, at most 200 problems, in the order of the messages and then of the
// surfaces; Line is the number of the message in the batch. Without problems it
// remembers the effect for the next batch, else nothing changes. Check(snapshot)
// then Check(update) is how a compiler proves an update.
func (v *Validator) Check(batch []Message) []Problem {
	if v.check == nil {
		return []Problem{*v.dialect.unknown(EnvelopeInvalid)}
	}
	return v.check.Check(batch)
}

// CheckMessage is Check for a stream that is too long to be held: it judges one
// message of the open turn at once. line is the caller's number of the message
// and comes back in its problems. What was judged stays done, whatever the
// problems, so that one fault does not make all that follows wrong; memory holds
// the surfaces that are open. A message may refer to what comes later in the
// turn; on v0.8 a surface has the catalog of the rules until its beginRendering
// names another. Limits.Messages does not count. Check ends an open turn.
func (v *Validator) CheckMessage(line int, m Message) []Problem {
	if v.check == nil {
		p := *v.dialect.unknown(EnvelopeInvalid)
		p.Line = line
		return []Problem{p}
	}
	return v.check.CheckMessage(line, m)
}

// EndTurn ends a turn of CheckMessage and lists what only its end shows: a root
// or a component that never came, a circle, a tree too deep, and with Safe what
// is not drawn or has no data. Line is that of the message that sent the
// component, 0 for the surface as a whole.
func (v *Validator) EndTurn() []Problem {
	if v.check == nil {
		return nil
	}
	return v.check.EndTurn()
}

// Clone returns a validator with the same memory that goes its own way; it
// shares what neither will change.
func (v *Validator) Clone() *Validator {
	out := &Validator{dialect: v.dialect}
	if v.check != nil {
		out.check = v.check.Clone()
	}
	return out
}

// Reset forgets every surface, for a client that shows nothing any more, and
// keeps the memory: a Validator that is used again allocates next to nothing.
func (v *Validator) Reset() {
	if v.check != nil {
		v.check.Reset()
	}
}

// Validate checks messages for a client that shows nothing.
func Validate(r Rules, msgs []Message) []Problem { return NewValidator(r).Check(msgs) }
