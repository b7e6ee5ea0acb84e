// Package limits has the limits of A2UI streams, for a2ui and for the declaration of an
// application, which needs nothing else of a2ui. Everything here is pure.
package limits

// A2UI bounds the messages that are read and sent. A zero field takes its default;
// every limit is inclusive.
type A2UI struct {
	MessageBytes int // one encoded message; default 512 KiB, about what 2,000 components take
	SurfaceBytes int // one surface, as it is drawn: ids, keys and texts, and 16 for each part; default 4 MiB
	BatchBytes   int // all messages of one batch; default 8 MiB
	Messages     int // of one batch; default 1,000: where data is flat, each row of a table is one
	Components   int // of one surface, as it is drawn; default 2,000
	Depth        int // of a component tree, the root is 1; default 50
	CallDepth    int // of function calls inside one another; default 5
	DataDepth    int // containers inside one another, from the root of the model; default 16
	DataEntries  int // members and items of a surface's model, containers too; default 20,000
	String       int // bytes of one text, key or id; default 64 KiB
}

// WithDefaults fills the fields that are zero.
func (l A2UI) WithDefaults() A2UI {
	set := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	set(&l.MessageBytes, 512<<10)
	set(&l.SurfaceBytes, 4<<20)
	set(&l.BatchBytes, 8<<20)
	set(&l.Messages, 1000)
	set(&l.Components, 2000)
	set(&l.Depth, 50)
	set(&l.CallDepth, 5)
	set(&l.DataDepth, 16)
	set(&l.DataEntries, 20_000)
	set(&l.String, 64<<10)
	return l
}
