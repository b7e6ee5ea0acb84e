package check

import (
	"fmt"
	"maps"
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// Rules are what a stream is held against.
type Rules struct {
	Features wire.Features
	Catalog  *wire.Catalog
	Limits   wire.Limits // filled
	Safe     bool        // the rules that keep clients in use from failing too
	Partial  bool        // surfaces may have been created by somebody else
	Actions  func(name string) bool
	Append   func(dst []byte, m wire.Message) ([]byte, error) // measures messages that may be too large
}

// maxProblems bounds what one Check lists.
const maxProblems = 200

// Validator follows one client. It must not be used by two goroutines at once.
type Validator struct {
	rules    Rules
	surfaces map[string]*surface
	serial   uint32 // of the last message, over all batches
	run      run    // scratch memory
}

// New returns a validator for a client that shows nothing.
func New(r Rules) *Validator {
	return &Validator{rules: r, surfaces: map[string]*surface{}}
}

// Clone returns a validator with the same memory that goes its own way.
func (v *Validator) Clone() *Validator {
	return &Validator{rules: v.rules, surfaces: maps.Clone(v.surfaces), serial: v.serial}
}

// Check lists what is wrong with a batch; without problems it remembers it.
func (v *Validator) Check(batch []wire.Message) []wire.Problem {
	r := &v.run
	r.reset(v)
	if len(batch) > r.Limits.Messages {
		r.add(wire.LimitMessages, "", "the batch has %d messages, the limit is %d", len(batch), r.Limits.Messages)
		return r.problems
	}
	for i, m := range batch {
		r.line = i + 1
		r.serial++
		r.message(m)
	}
	r.line = 0
	for _, st := range r.touched {
		r.finish(st)
	}
	problems := r.problems
	if len(problems) == 0 {
		v.commit(r)
	}
	r.problems = nil
	return problems
}

func (v *Validator) commit(r *run) {
	v.serial = r.serial
	for _, st := range r.touched {
		if st.surface == nil {
			delete(v.surfaces, st.id)
			continue
		}
		v.surfaces[st.id] = st.surface
	}
}

// run is the state of one Check.
type run struct {
	*Rules
	known    map[string]*surface
	touched  []*staged
	problems []wire.Problem
	first    uint32 // serial of the batch's first message
	serial   uint32 // of the current message

	// where we are, for problems
	line      int // message of the batch, from 1
	surface   string
	component string
	index     int      // of the component in its message, -1 = none
	within    []string // path below that

	graph    *graph   // of the current surface
	inAction bool     // literals inside an action are not drawn
	base     string   // path of the current data update
	keys     []string // keys below it
	size     int      // of the current message, roughly and from below
	text     int      // bytes of it that escapes can blow up

	walk walk // scratch of graph.go
	buf  []byte
}

func (r *run) reset(v *Validator) {
	*r = run{
		Rules: &v.rules, known: v.surfaces, touched: r.touched[:0], serial: v.serial, first: v.serial + 1,
		index: -1, within: r.within[:0], keys: r.keys[:0], walk: r.walk, buf: r.buf,
	}
}

// add notes a problem at the current place; path overrides it unless "".
func (r *run) add(code wire.Code, hint, format string, args ...any) {
	if len(r.problems) >= maxProblems {
		return
	}
	r.problems = append(r.problems, wire.Problem{
		Code: code, Surface: r.surface, Component: r.component, Path: r.path(),
		Message: fmt.Sprintf(format, args...), Hint: hint, Line: r.line,
	})
}

func (r *run) path() string {
	var b []byte
	if r.index >= 0 {
		b = strconv.AppendInt(append(b, "/components/"...), int64(r.index), 10)
	}
	for _, s := range r.within {
		b = append(append(b, '/'), s...)
	}
	return string(b)
}

func (r *run) push(name string) { r.within = append(r.within, name) }
func (r *run) pop()             { r.within = r.within[:len(r.within)-1] }

// message checks one message and applies it to the staged surface.
func (r *run) message(m wire.Message) {
	r.size, r.text = 256, 0
	r.surface, r.component, r.index, r.within = "", "", -1, r.within[:0]
	if !isMessage(m) {
		r.add(wire.EnvelopeInvalid, "", "unknown message %T", m)
		return
	}
	r.surface = m.Surface()
	if r.surface == "" {
		r.add(wire.EnvelopeInvalid, "", "a message needs a surface id")
		return
	}
	r.literal(r.surface)
	st := r.stage(r.surface)
	switch m := m.(type) {
	case *wire.CreateSurface:
		r.create(st, m)
		r.noExtra(m.Extra)
	case *wire.UpdateComponents:
		r.components(st, m)
		r.noExtra(m.Extra)
	case *wire.UpdateData:
		r.data(st, m)
		r.noExtra(m.Extra)
	case *wire.DeleteSurface:
		*st = staged{id: st.id}
		r.noExtra(m.Extra)
	}
	r.component, r.index, r.within = "", -1, r.within[:0]
	r.measure(m)
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
	}
	return false
}

func (r *run) noExtra(extra []wire.Member) {
	for _, m := range extra {
		r.add(wire.EnvelopeInvalid, "", "this version has no room for the member %q", m.Key)
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
		r.add(wire.LimitBytes, "split it", "the message has %d bytes, the limit is %d", len(r.buf), r.Limits.MessageBytes)
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
