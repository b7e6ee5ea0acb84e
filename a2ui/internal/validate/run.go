package validate

import (
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// run is the state of one Check. The rules of one concern are methods of a type
// that embeds it.
type run struct {
	*Rules
	report
	subject
	cost
	v       *Validator
	touched []staged
	places  map[string]int // of surfaces in touched, where those may be many; else nil
	rest    []wire.Message // after the current one
	first   uint32         // serial of the batch's first message
	serial  uint32         // of the current message
	batch   uint64

	walk walk // scratch of tree.go and scope.go
	buf  []byte
}

// subject is the part of the batch that a run looks at.
type subject struct {
	st       *staged       // the current surface; nil = none
	graph    *graph        // of it; nil = none
	catalog  *wire.Catalog // where types and functions are looked up; nil = nowhere
	row      int8          // of the property, -1 = unknown
	flags    uint8         // of the component
	inAction bool          // literals inside an action are not drawn
	base     string        // path of the current data update
}

// cost bounds the work of a run.
type cost struct {
	size       int // of the current message, roughly and from below
	text       int // bytes of it that escapes can blow up
	guesses    int // names that hints were sought for in this message
	tries      int // alternatives tried in this batch
	batchBytes int // of the batch, from above
}

// weight is about how many bytes the parts of the message that were looked at hold:
// its texts, keys and ids, and 16 for every part.
func (c *cost) weight() int { return c.text + c.size/4 }

func (r *run) reset(v *Validator) {
	*r = run{
		Rules: &v.rules, v: v, touched: r.touched[:0], serial: v.serial, first: v.serial + 1, batch: v.batch + 1,
		report: report{names: v.rules.Names, index: -1, within: r.within[:0]}, walk: r.walk, buf: r.buf,
	}
}

// full reports that the batch is refused and no more problems are listed.
func (r *run) full() bool { return len(r.problems) >= maxProblems && !r.v.open }

// The concerns.

func (r *run) calls() callRules           { return callRules{r} }
func (r *run) parts() componentRules      { return componentRules{r} }
func (r *run) updates() dataRules         { return dataRules{r} }
func (r *run) meta() metadataRules        { return metadataRules{r} }
func (r *run) remote() remoteRules        { return remoteRules{r} }
func (r *run) scoping() scopeRules        { return scopeRules{r} }
func (r *run) custom() customRules        { return customRules{r} }
func (r *run) structures() structureRules { return structureRules{r} }
func (r *run) surfaces() surfaceRules     { return surfaceRules{r} }
func (r *run) trees() treeRules           { return treeRules{r} }
func (r *run) values() valueRules         { return valueRules{r} }

// message checks one message and applies it to the staged surface.
func (r *run) message(m wire.Message) {
	r.size, r.text = 256, 0
	r.guesses = 0
	r.leave()
	r.msg = m
	defer func() { r.msg = nil }()
	r.surface, r.st, r.graph, r.catalog = "", nil, nil, r.Catalog
	if !isMessage(m) {
		r.add(wire.EnvelopeInvalid, "", "unknown message %T", m)
		return
	}
	switch m := m.(type) {
	case *wire.CallRenderer:
		r.remote().remoteCall(m)
	case *wire.Reply:
		r.remote().reply(m)
	default:
		if r.surface = m.Surface(); r.surface == "" {
			r.at("surfaceId", wire.EnvelopeInvalid, "", "a message needs a surface id")
			return
		}
		r.literal(r.surface)
		r.toSurface(m)
	}
	r.leave()
	r.measure(m)
	r.batchBytes += r.size + 6*r.text
}

func (r *run) toSurface(m wire.Message) {
	r.st = r.stage(r.surface)
	switch m := m.(type) {
	case *wire.CreateSurface:
		r.surfaces().create(r.st, m)
		r.noExtra(m.Extra)
	case *wire.UpdateComponents:
		r.parts().components(r.st, m.Components)
		r.noExtra(m.Extra)
	case *wire.UpdateData:
		r.updates().data(r.st, m)
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
	r.leave()
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

// measureBatch encodes a batch only when it could be above the limit, until it is.
func (r *run) measureBatch(batch []wire.Message) {
	if r.batchBytes <= r.Limits.BatchBytes || r.Append == nil || len(r.problems) > 0 {
		return
	}
	bytes := 0
	for _, m := range batch {
		var err error
		if r.buf, err = r.Append(r.buf[:0], m); err != nil {
			return
		}
		if bytes += len(r.buf); bytes > r.Limits.BatchBytes {
			r.leave()
			r.surface = ""
			r.add(wire.LimitBatchBytes, "send less at once", "the batch has more than %d bytes", r.Limits.BatchBytes)
			return
		}
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
