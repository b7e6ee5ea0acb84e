package store

import "errors"

// Errors of the port. Implementations wrap them with the act that failed; test
// with errors.Is. Everything else is a fault of the disk, the network or the program. An
// error of the caller's context means that nothing was written. Any other unnamed error of
// a write leaves open whether it became durable: open the conversation again and look.
var (
	// ErrNotFound: no such conversation, event, blob, job or snapshot.
	ErrNotFound = errors.New("not found")
	// ErrExists: the name is taken; nothing was written.
	ErrExists = errors.New("already exists")
	// ErrConflict: the race is lost. The head moved, or another caller answered the
	// event. Open the conversation again and decide on its new state.
	ErrConflict = errors.New("conflict: the head moved")
	// ErrLeased: another node holds the lease. Wait, then open the conversation again.
	ErrLeased = errors.New("leased by another node")
	// ErrKeyReused: the idempotency key (or event id) is known, with another body.
	ErrKeyReused = errors.New("idempotency key reused with another body")
	// ErrVersion: another version of the record was saved first; nothing was written.
	// Read the newest one and decide again.
	ErrVersion = errors.New("another version of the record was saved")
	// ErrTrimmed: frames right after the asked position are gone. Start from a
	// snapshot instead.
	ErrTrimmed = errors.New("frames were trimmed")
	// ErrInvalid: the caller broke the contract of the port, for instance with an
	// empty id. Retrying cannot help.
	ErrInvalid = errors.New("invalid")
	// ErrQueued: jobs of the conversation are not done. Drop it when they are.
	ErrQueued = errors.New("jobs are queued")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("store is closed")
)
