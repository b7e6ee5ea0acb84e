package validate

import (
	"fmt"
	"maps"
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
)

// Rules are what a stream is held against.
type Rules struct {
	Features wire.Features
	Catalog  *wire.Catalog            // of surfaces that name none
	Catalogs map[string]*wire.Catalog // by the ids a client may name, Catalog's and aliases too; nil = Catalog alone
	Limits   wire.Limits              // filled
	// PlainKeys: bindings and calls have plain keys, path and call, which an object
	// that stands for itself must not have.
	PlainKeys bool
	Names     *wire.Names // for the paths of problems; nil = neutral names
	Safe      bool        // the rules that keep clients in use from failing too
	Partial   bool        // surfaces may have been created by somebody else
	Actions   func(name string) bool
	Append    func(dst []byte, m wire.Message) ([]byte, error) // measures messages that may be too large
}

// find returns the catalog that a client names, or nil.
func (r *Rules) find(id string) *wire.Catalog {
	if r.Catalogs == nil && id == r.Catalog.ID {
		return r.Catalog
	}
	return r.Catalogs[id]
}

// maxProblems bounds what one Check lists.
const maxProblems = 200

// Validator follows one client. It must not be used by two goroutines at once.
type Validator struct {
	rules    Rules
	surfaces map[string]surface
	serial   uint32   // of the last message, over all batches
	batch    uint64   // number of the last batch: the owner of the data it wrote
	lineage  *lineage // graphs with another one are shared and copied before they change
	spare    []*graph // graphs to use again
	open     bool     // a turn is being judged message by message
	run      run      // scratch memory
	own      lineage  // the first
	small    small
}

// small is scratch memory that is enough for most surfaces.
type small struct {
	within       [24]step
	touched      [1]staged
	color, scope [64]uint8
	height       [64]int32
	stack        [16]frame
}

// lineage marks what a validator made since it was cloned last.
type lineage struct{ _ byte }

// New returns a validator for a client that shows nothing.
func New(r Rules) *Validator {
	v := &Validator{rules: r, surfaces: map[string]surface{}}
	v.lineage, v.run.within, v.run.touched = &v.own, v.small.within[:0], v.small.touched[:0]
	v.run.walk = walk{color: v.small.color[:0], scope: v.small.scope[:0], height: v.small.height[:0],
		stack: v.small.stack[:0]}
	return v
}

// Clone returns a validator with the same memory that goes its own way.
func (v *Validator) Clone() *Validator {
	v.lineage = new(lineage)
	return &Validator{rules: v.rules, surfaces: maps.Clone(v.surfaces), serial: v.serial, batch: v.batch,
		lineage: new(lineage)}
}

// Reset forgets every surface and keeps the memory.
func (v *Validator) Reset() {
	v.EndTurn()
	for _, s := range v.surfaces {
		v.retire(s.graph)
	}
	clear(v.surfaces)
	v.serial = 0
}

// retire keeps a graph that nobody needs any more, if it is ours and not large.
func (v *Validator) retire(g *graph) {
	if g == nil || g.lineage != v.lineage || len(v.spare) >= 8 || cap(g.nodes) > 4096 {
		return
	}
	g.clear()
	v.spare = append(v.spare, g)
}

// Check lists what is wrong with a batch; without problems it remembers it.
func (v *Validator) Check(batch []wire.Message) []wire.Problem {
	v.EndTurn()
	r := &v.run
	r.reset(v)
	if len(batch) > r.Limits.Messages {
		r.add(wire.LimitMessages, "", "the batch has %d messages, the limit is %d", len(batch), r.Limits.Messages)
		return r.problems
	}
	r.rest = batch
	for i, m := range batch {
		r.line, r.rest = i+1, batch[i+1:]
		r.serial++
		if r.message(m); r.full() {
			break
		}
	}
	r.line, r.rest = 0, nil
	for i := range r.touched {
		if !r.full() {
			r.finish(&r.touched[i])
		}
	}
	problems := r.problems
	v.end(r, len(problems) == 0)
	r.problems = nil
	return problems
}

// end keeps what the batch did, or takes it back.
func (v *Validator) end(r *run, keep bool) {
	if keep {
		v.serial, v.batch = r.serial, r.batch
	}
	for i := range r.touched {
		st := &r.touched[i]
		before := st.before.graph
		switch {
		case !keep:
			st.undo()
			if st.graph != before {
				v.retire(st.graph)
			}
			continue
		case !st.alive:
			delete(v.surfaces, st.id)
		default:
			st.graph.settle()
			v.surfaces[st.id] = st.surface
		}
		if before != st.graph {
			v.retire(before)
		}
	}
}

// run is the state of one Check.
type run struct {
	*Rules
	v        *Validator
	touched  []staged
	places   map[string]int // of surfaces in touched, where those may be many; else nil
	rest     []wire.Message // behind the current one
	problems []wire.Problem
	first    uint32 // serial of the batch's first message
	serial   uint32 // of the current message
	batch    uint64

	// where we are, for problems
	line      int // message of the batch, from 1; or what CheckMessage was told
	surface   string
	component string
	index     int          // of the component in its message, -1 = none
	within    []step       // path below that
	msg       wire.Message // that is judged; nil at the end of the turn

	st       *staged       // the current surface; nil = none
	graph    *graph        // of it; nil = none
	catalog  *wire.Catalog // where types and functions are looked up; nil = nowhere
	row      int8          // of the property that is being checked, -1 = unknown
	flags    uint8         // of the component that is being checked
	inAction bool          // literals inside an action are not drawn
	base     string        // path of the current data update
	size     int           // of the current message, roughly and from below
	text     int           // bytes of it that escapes can blow up
	guesses  int           // names that were looked for, see near
	trying   int           // > 0: problems are only counted in failed
	failed   bool
	tries    int // alternatives tried in this batch

	walk walk // scratch of graph.go and scope.go
	buf  []byte
}

// step is one member name, or one index with name "".
type step struct {
	name  string
	index int
}

func (r *run) reset(v *Validator) {
	*r = run{
		Rules: &v.rules, v: v, touched: r.touched[:0], serial: v.serial, first: v.serial + 1, batch: v.batch + 1,
		index: -1, within: r.within[:0], walk: r.walk, buf: r.buf,
	}
}

// full tells that there is nothing more to say: no more problems are listed, and
// the batch is refused.
func (r *run) full() bool { return len(r.problems) >= maxProblems && !r.v.open }

// add notes a problem at the current place.
func (r *run) add(code wire.Code, hint, format string, args ...any) {
	if r.failed = true; r.trying > 0 || len(r.problems) >= maxProblems {
		return
	}
	path := r.path()
	if r.Names != nil && r.msg != nil {
		path = r.Names.Path(r.msg, path)
	}
	r.problems = append(r.problems, wire.Problem{
		Code: code, Surface: r.surface, Component: r.component, Path: path,
		Message: fmt.Sprintf(format, args...), Hint: hint, Line: r.line,
	})
}

func (r *run) path() string {
	var b []byte
	if r.index >= 0 {
		b = strconv.AppendInt(append(b, "/components/"...), int64(r.index), 10)
	}
	for _, s := range r.within {
		if s.index >= 0 {
			b = strconv.AppendInt(append(b, '/'), int64(s.index), 10)
		} else {
			b = jsonptr.AppendSegment(b, s.name)
		}
	}
	return string(b)
}

func (r *run) push(name string) { r.within = append(r.within, step{name, -1}) }
func (r *run) item(i int)       { r.within = append(r.within, step{"", i}) }
func (r *run) pop()             { r.within = r.within[:len(r.within)-1] }

// at notes a problem of the member name.
func (r *run) at(name string, code wire.Code, hint, format string, args ...any) {
	r.push(name)
	r.add(code, hint, format, args...)
	r.pop()
}

// nowhere leaves the component and the property.
func (r *run) nowhere() { r.component, r.index, r.within = "", -1, r.within[:0] }

// message checks one message and applies it to the staged surface.
func (r *run) message(m wire.Message) {
	r.size, r.text = 256, 0
	r.guesses = 0
	r.nowhere()
	r.msg = m
	defer func() { r.msg = nil }()
	r.surface, r.st, r.graph, r.catalog = "", nil, nil, r.Catalog
	if !isMessage(m) {
		r.add(wire.EnvelopeInvalid, "", "unknown message %T", m)
		return
	}
	switch m := m.(type) {
	case *wire.CallRenderer:
		r.remoteCall(m)
	case *wire.Reply:
		r.reply(m)
	default:
		if r.surface = m.Surface(); r.surface == "" {
			r.at("surfaceId", wire.EnvelopeInvalid, "", "a message needs a surface id")
			return
		}
		r.literal(r.surface)
		r.toSurface(m)
	}
	r.nowhere()
	r.measure(m)
}

func (r *run) toSurface(m wire.Message) {
	r.st = r.stage(r.surface)
	switch m := m.(type) {
	case *wire.CreateSurface:
		r.create(r.st, m)
		r.noExtra(m.Extra)
	case *wire.UpdateComponents:
		r.components(r.st, m.Components)
		r.noExtra(m.Extra)
	case *wire.UpdateData:
		r.data(r.st, m)
		r.noExtra(m.Extra)
	case *wire.DeleteSurface:
		r.st.undo()
		*r.st = staged{id: r.st.id, before: r.st.before}
		r.noExtra(m.Extra)
	}
}

func isMessage(m wire.Message) bool {
	switch m := m.(type) {
	case *wire.CreateSurface:
		return m != nil
	case *wire.UpdateComponents:
		return m != nil
	case *wire.UpdateData:
		return m != nil
	case *wire.DeleteSurface:
		return m != nil
	case *wire.CallRenderer:
		return m != nil
	case *wire.Reply:
		return m != nil
	}
	return false
}

func (r *run) noExtra(extra []wire.Member) {
	r.nowhere()
	for i := range extra {
		r.at(extra[i].Key, wire.EnvelopeInvalid, "", "this version has no room for the member %q", clip(extra[i].Key))
	}
}

// measure encodes a message only when it could be above the limit: a byte of
// text becomes at most six.
func (r *run) measure(m wire.Message) {
	if r.size+6*r.text <= r.Limits.MessageBytes || r.Append == nil {
		return
	}
	var err error
	if r.buf, err = r.Append(r.buf[:0], m); err != nil {
		return // what cannot be written has its own problem
	}
	if len(r.buf) > r.Limits.MessageBytes {
		r.add(wire.LimitBytes, "split it", "the message has %d bytes, the limit is %d", len(r.buf),
			r.Limits.MessageBytes)
	}
}

// literal counts a text that the message holds and checks its length.
func (r *run) literal(s string) {
	r.size += 64
	r.text += len(s)
	if len(s) > r.Limits.String {
		r.add(wire.LimitString, "", "a text has %d bytes, the limit is %d", len(s), r.Limits.String)
	}
}
