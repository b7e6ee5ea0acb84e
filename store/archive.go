package store

import "context"

// Archive is the optional ability to hand out, and to take in, all that is kept:
// for backups, and for moving from one kind of store to another.
type Archive interface {
	// Export calls each with every conversation, ordered by id, all as of one
	// moment. Writers are not held up. An error of each ends it and is returned.
	Export(ctx context.Context, each func(Whole) error) error
	// Import adds one conversation with all that belongs to it, or nothing.
	// ErrExists if the id is taken, ErrInvalid if w contradicts itself.
	Import(ctx context.Context, w Whole) error
}

// Whole is one conversation with all that belongs to it, but its leases.
type Whole struct {
	Conversation
	Seq, Floor uint64
	Frames     []Frame             // Floor+1 … Seq
	Traces     []Frame             // of those frames that have one
	Snapshots  []Frame             // ascending
	Records    []Record            // in order of arrival
	Notes      map[string][][]byte // event → its journal
	Jobs       []Job               // by id, buried ones too
	Blobs      []Blob              // by id
}

// Traces is the optional ability to read how turns went.
type Traces interface {
	// Traces lists the traces of frames with seq > after, ascending, at most limit
	// (see Page). Frames without a trace are left out.
	Traces(ctx context.Context, id string, after uint64, limit int) ([]Frame, error)
}
