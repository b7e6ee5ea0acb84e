package store

import (
	"context"
	"time"
)

// Page is the most items one call lists or removes. A limit outside 1..Page
// means Page, so a caller that got fewer than min(limit, Page) has seen all.
const Page = 1000

// Store keeps conversations and everything that belongs to them. Every driver
// implements all parts. See the package comment for the invariants. All ids and
// keys are opaque and compared byte by byte.
type Store interface {
	Conversations
	Log
	History
	Journal
	Outbox
	DeadLetters
	Blobs
	Shares
	Records
	Retention
	Leases
	Archive
	Connection
}

// Conversations creates conversations and finds them again.
type Conversations interface {
	// Create adds a conversation without frames. ErrExists if the id is taken,
	// ErrInvalid if c does not validate.
	Create(ctx context.Context, c Conversation) error

	// Open reads the state of a conversation at one moment. ErrNotFound if there is no
	// such conversation.
	Open(ctx context.Context, id string) (Head, error)

	// Heads returns the number of the newest frame of each conversation of ids (at
	// most Page of them, else ErrInvalid). Conversations that do not exist are left
	// out. A node uses it to poll all conversations it has streams of.
	Heads(ctx context.Context, ids []string) (map[string]uint64, error)

	// Owned lists the conversations of an owner, the archived ones or the others,
	// newest first (by Created, then ID), at most limit (see Page). The list begins
	// after the conversation given by after, of which only Created and ID count; an
	// empty ID begins at the top.
	Owned(ctx context.Context, owner string, archived bool, after Conversation, limit int) ([]Conversation, error)

	// All lists the conversations of all owners, the archived ones or the others, by ID from
	// the greatest down, those below the ID after ("": all), at most limit (see Page).
	All(ctx context.Context, archived bool, after string, limit int) ([]Conversation, error)

	// Said returns those of ids (at most Page of them, else ErrInvalid) of which one frame has
	// all words in its Commit.Said. Of each conversation it looks at the newest SaidKept
	// frames that are kept; one that says nothing has none. Words are compared byte by byte.
	Said(ctx context.Context, ids []string, words []string) (found map[string]bool, err error)

	// Label changes the title of a conversation or its mark of the archive. The head stays.
	// ErrNotFound if there is no such conversation, ErrInvalid if l does not validate.
	Label(ctx context.Context, id string, l Label) error

	// Drop removes a conversation whose head is expect with all that belongs to it:
	// frames, traces, snapshots, events, notes, files, dead letters and leases. The
	// versions of Records that it saved stay. Afterwards every method behaves as if it
	// had never been, so nothing that was under way can write to it. If several of
	// these apply, the first is returned:
	//   ErrNotFound  no such conversation
	//   ErrConflict  the head is not expect
	//   ErrLeased    a node has leased the turn, or a pending event
	//   ErrQueued    a job is queued or leased
	Drop(ctx context.Context, id string, expect uint64) error
}

// Log is the log of each conversation: received events and committed frames.
type Log interface {
	// Record makes a received event durable before it runs, as pending; it
	// ignores r.Starts, r.Done, r.Seq and r.Answer. If r.Key (looked up first) or
	// r.ID is known, nothing is written and the prior record is returned: with
	// a nil error if the hashes agree, with ErrKeyReused if not. Otherwise prior
	// is nil. ErrNotFound if there is no such conversation.
	Record(ctx context.Context, id string, r Event) (prior *Event, err error)

	// Lookup returns the record that is known under r.Key (looked up first) or
	// r.ID, with its answer if it is done, and nil if none is. If its hash is not
	// r.Hash it is returned with ErrKeyReused, as by Record. Only these three fields
	// of r are read, and nothing is written. ErrNotFound if there is no such
	// conversation.
	Lookup(ctx context.Context, id string, r Event) (*Event, error)

	// Append commits frame c.Expect+1 and all that belongs to it, or nothing. If
	// several of these apply, the first is returned:
	//   ErrInvalid   c does not validate
	//   ErrNotFound  no such conversation
	//   ErrExists    key or event id of c.Record is known; Lookup has the prior answer
	//   ErrConflict  the head is not c.Expect
	//   ErrNotFound  no record of c.Event
	//   ErrConflict  c.Event is already answered
	//   ErrLeased    another node has leased the turn, or c.Event, or c.Token is not
	//                the live token of Node's lease
	//   ErrInvalid   a job id is still queued, or is a dead letter
	//   ErrVersion   a version of c.Records does not follow the newest one
	Append(ctx context.Context, id string, c Commit) error

	// Frames lists frames with seq > after, ascending and dense, at most limit
	// (see Page). Empty if after is the head or beyond it. ErrTrimmed if after is
	// below the floor, ErrNotFound if there is no such conversation.
	Frames(ctx context.Context, id string, after uint64, limit int) ([]Frame, error)
}

// History reads older states and traces of a conversation.
type History interface {
	// Snapshot returns the newest kept snapshot with seq <= at. ErrNotFound without
	// one; then, if Floor is 0, the state at 0 is empty and all frames
	// from 1 are kept.
	Snapshot(ctx context.Context, id string, at uint64) (seq uint64, body []byte, err error)

	// Traces lists the traces of frames with seq > after, ascending, at most limit
	// (see Page). Frames without a trace are left out.
	Traces(ctx context.Context, id string, after uint64, limit int) ([]Frame, error)
}

// Connection is the connection to what keeps the data.
type Connection interface {
	// Ping returns nil if a transaction could begin now. It writes nothing. It is
	// for readiness probes.
	Ping(ctx context.Context) error

	// Close ends the use of the store. It may be called twice. Afterwards every
	// method returns ErrClosed.
	Close() error
}

// Conversation is a conversation as lists need it. ID, Log, Owner and Created never
// change.
type Conversation struct {
	ID       string    // 1..128 bytes, unique in the store; a UUIDv7, never a capability
	Log      string    // identity of the log: 16 lower-case hex characters, new at create and at restore
	Owner    string    // the principal it belongs to
	Created  time.Time // orders lists of conversations
	Title    string    // what its owner calls it, at most 512 bytes; "": nothing
	First    string    // how its first message begins, at most 512 bytes (see Commit); "": not known
	Archived bool      // its owner has put it away
}

// SaidKept is how many frames of a conversation Said looks at.
const SaidKept = 200

// Label is a change of what an owner says about a conversation; nil changes nothing.
type Label struct {
	Title    *string
	Archived *bool
}

// Head is the state of a conversation at one moment.
type Head struct {
	Conversation
	Seq         uint64  // number of the newest frame; 0: none
	Floor       uint64  // frames with seq <= Floor are trimmed; 0: none
	SnapshotSeq uint64  // frame the newest snapshot includes; 0: none. Never below Floor
	Snapshot    []byte  // the newest snapshot, as given to Append
	Pending     []Event // recorded, not answered, in order of arrival
}

// Frame is one committed frame.
type Frame struct {
	Seq  uint64 // dense from 1
	Body []byte
}

// Event is one received event, durable before it runs.
//
//	              Append(Commit{Event})
//	Record ──▶ pending ───────────────────▶ done ──▶ forgotten
//	  │           │  ▲                       ▲         (Retention.Forget, 24 h)
//	  │           └──┘ Start, Note           │
//	  └── key or event id known: the prior   │
//	      record is the answer               │
//	  Append(Commit{Record}) ────────────────┘  recorded and done in one step
type Event struct {
	ID   string    // event id, 1..128 bytes, unique in the conversation
	Key  string    // idempotency key, already scoped to the principal; "": none
	Hash string    // hex SHA-256 of the canonical body
	Body []byte    // the event, canonical JSON
	At   time.Time // when it was received

	// The node that runs it, from the moment it is recorded (see Leases); "": none
	// yet. Read only by Record.
	Node string
	TTL  time.Duration

	// Kept by the store.
	Starts int    // how often its turn was started (Journal.Start)
	Done   bool   // a frame answers it
	Seq    uint64 // number of that frame
	Answer []byte // the answer to the client, the same for every repeat
}

// Commit is the result of one turn.
type Commit struct {
	Expect   uint64   // head this turn was computed on; the frame gets Expect+1
	Frame    []byte   // the frame; not empty
	Event    string   // the recorded event this frame answers; "": none, or Record's
	Answer   []byte   // the answer to that event; needs Event or Record
	Record   *Event   // not nil: record and answer this event in the same transaction (a turn without model or handler)
	Snapshot []byte   // not empty: the state after this frame. The store keeps at least the last two
	Trace    []byte   // how the turn went; kept as long as the frame
	Said     []byte   // what Said looks for, at most 4 KiB; kept as long as the frame
	Node     string   // the node that commits; "": there is only one
	Token    uint64   // of the turn's lease it was computed under; 0: none was needed
	Outbox   []Job    // work to do because of this frame; Conversation and Tries are ignored
	Records  []Record // versions that this frame saves
	First    string   // becomes Conversation.First, unless the conversation has one; "": nothing
}
