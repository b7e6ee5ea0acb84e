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
