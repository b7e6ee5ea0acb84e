package store

import (
	"context"
	"time"
)

// Page is the most items one call lists or removes. A limit outside 1..Page
// means Page, so a caller that got fewer than min(limit, Page) has seen all.
const Page = 1000

// Store keeps conversations and their logs. See the package comment for the
// invariants; all ids and keys are opaque and compared byte by byte.
type Store interface {
	// Create adds a conversation without frames. ErrExists if the id is taken,
	// ErrInvalid if c does not validate.
	Create(ctx context.Context, c Conversation) error

	// Open reads where a conversation stands, as of one moment. ErrNotFound.
	Open(ctx context.Context, id string) (Head, error)

	// Record makes a received event durable before it runs, as pending; it
	// ignores r.Starts, r.Done, r.Seq and r.Answer. If r.Key (looked up first) or
	// r.Event is known, nothing is written and the prior record is returned: with
	// a nil error if the hashes agree, with ErrKeyReused if not. Otherwise prior
	// is nil. ErrNotFound if there is no such conversation.
	Record(ctx context.Context, id string, r Record) (prior *Record, err error)

	// Append commits frame c.Expect+1 and all that belongs to it, or nothing. Where
	// several of these hold, the one that stands first is returned:
	//   ErrInvalid   c does not validate
	//   ErrNotFound  no such conversation
	//   ErrExists    key or event id of c.Record is known; ask Record for the prior
	//                answer
	//   ErrConflict  the head is not c.Expect
	//   ErrNotFound  no record of c.Event
	//   ErrConflict  c.Event is already answered
	//   ErrLeased    another node has leased the turn, or c.Event, or c.Token is not
	//                the live token of Node's lease (stores with Leases)
	//   ErrInvalid   a job id is still queued, or buried
	Append(ctx context.Context, id string, c Commit) error

	// Frames lists frames with seq > after, ascending and dense, at most limit
	// (see Page). Empty if after is the head or beyond it. ErrTrimmed if after is
	// below the floor, ErrNotFound if there is no such conversation.
	Frames(ctx context.Context, id string, after uint64, limit int) ([]Frame, error)
}

// Heads is the optional ability to look at many conversations at once, for a node
// that polls those it has streams of.
type Heads interface {
	// Heads returns the number of the newest frame of each conversation of ids (at
	// most Page of them, else ErrInvalid); those that do not exist are left out.
	Heads(ctx context.Context, ids []string) (map[string]uint64, error)
}

// Pinger is the optional ability to say whether the store can be reached, for
// readiness probes. One without it always is.
type Pinger interface {
	// Ping asks, without writing anything, what keeps the answers: nil says that a
	// transaction could begin now.
	Ping(ctx context.Context) error
}

// Conversation is what never changes about a conversation.
type Conversation struct {
	ID      string    // 1..128 bytes, unique in the store; a UUIDv7, never a capability
	Log     string    // identity of the log: 16 lower-case hex characters, new at create and at restore
	Owner   string    // the principal it belongs to
	Created time.Time // orders lists of conversations
}

// Head is the state of a conversation at one moment.
type Head struct {
	Conversation
	Seq         uint64   // number of the newest frame; 0: none
	Floor       uint64   // frames with seq <= Floor are trimmed; 0: none
	SnapshotSeq uint64   // frame the newest snapshot includes; 0: none. Never below Floor
	Snapshot    []byte   // the newest snapshot, as given to Append
	Pending     []Record // recorded, not answered, in order of arrival
}

// Frame is one committed frame.
type Frame struct {
	Seq  uint64 // dense from 1
	Body []byte
}

// Record is one received event, durable before it runs.
type Record struct {
	Event string    // event id, 1..128 bytes, unique in the conversation
	Key   string    // idempotency key, already scoped to the principal; "": none
	Hash  string    // hex SHA-256 of the canonical body
	Body  []byte    // the event, canonical JSON
	At    time.Time // when it was received

	// Who runs it, from the moment it is recorded (see Leases); "": nobody in
	// particular. Read only by Record.
	Node string
	TTL  time.Duration

	// Kept by the store.
	Starts int    // how often its turn was started (Journal.Start)
	Done   bool   // a frame answers it
	Seq    uint64 // number of that frame
	Answer []byte // what the client was, and will be, told
}

// Commit is the result of one turn.
type Commit struct {
	Expect   uint64  // head this turn was computed on; the frame gets Expect+1
	Frame    []byte  // the frame; not empty
	Event    string  // the recorded event this frame answers; "": none, or Record's
	Answer   []byte  // the answer to that event; needs Event or Record
	Record   *Record // not nil: record and answer this event in the same transaction (a turn without model or handler)
	Snapshot []byte  // not empty: the state after this frame. The store keeps at least the last two
	Trace    []byte  // how the turn went; kept as long as the frame
	Node     string  // who commits; "": the only node there is
	Token    uint64  // of the turn's lease it was computed under; 0: none was needed
	Outbox   []Job   // work to do because of this frame; Conversation and Tries are ignored
}
