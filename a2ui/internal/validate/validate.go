package validate

import (
	"maps"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// Rules are the rules that a stream must follow.
type Rules struct {
	Features wire.Features
	Catalog  *wire.Catalog            // of surfaces that name none
	Catalogs map[string]*wire.Catalog // by the ids a client may name, Catalog's and aliases too; nil = Catalog alone
	Limits   wire.Limits              // filled
	// PlainKeys: bindings and calls have plain keys, path and call, which an object
	// that represents itself must not have.
	PlainKeys bool
	Names     *wire.Names // for the paths of problems; nil = neutral names
	Safe      bool        // the rules that keep clients in use from failing too
	Partial   bool        // surfaces may have been created by another server
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

// lineage marks the graphs that a validator made since it was cloned last.
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

// retire keeps a graph that is no longer needed, if it is ours and not large.
func (v *Validator) retire(g *graph) {
	if g == nil || g.lineage != v.lineage || len(v.spare) >= 8 || cap(g.nodes) > 4096 {
		return
	}
	g.clear()
	v.spare = append(v.spare, g)
}

// Check lists the faults of a batch; without faults it remembers the batch.
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
	r.measureBatch(batch)
	for i := range r.touched {
		if !r.full() {
			r.trees().finish(&r.touched[i])
		}
	}
	problems := r.problems
	v.end(r, len(problems) == 0)
	r.problems = nil
	return problems
}

// end keeps the changes of the batch, or rolls them back.
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
