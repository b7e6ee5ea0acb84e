package datasync

// ObserveMax is a mistake of the proposal: the vector takes the latest stamp it sees.
func (r *Replica) ObserveMax(b Batch) {
	for _, u := range b.Updates {
		if u.Stamp.After(r.doc.seen[u.Stamp.Actor]) {
			r.doc.seen[u.Stamp.Actor] = u.Stamp
		}
	}
}

// Collect runs the GC of a replica.
func (r *Replica) Collect(acked ...Vector) int {
	r.view = nil
	return r.doc.GC(acked...)
}

// Below is what paths of a rule are compared with.
var Below = below

// Bytes is what Limits.Bytes bounds.
func (d *Doc) Bytes() int { return d.bytes }

// Held is how many nodes, bytes and entries of logs a document has, the last rounded up to
// what a log may keep of the dead.
func (d *Doc) Held() [3]int {
	entries := 0
	for _, l := range d.logs {
		entries += (cap(l.entries) + 63) / 64
	}
	var count func(n *node) int
	count = func(n *node) int {
		sum := 1
		for _, k := range n.kids {
			sum += count(k)
		}
		return sum
	}
	return [3]int{count(d.root), d.bytes, entries}
}

// PartOf is the entry of Versions that only parts of an answer have.
const PartOf = partOf

// AnswerTo is the entry of Versions that only answers have.
const AnswerTo = answerTo
