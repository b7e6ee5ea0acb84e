package store

import "context"

// Journal keeps the questions and actions of a turn, so that a turn that runs again after a
// crash replays model replies and effects instead of repeating them. Notes belong
// to a pending event. Once it is answered they can be read until the event is
// forgotten.
//
// All methods return ErrNotFound if the conversation or the event is unknown.
type Journal interface {
	// Start durably counts one more start of the turn of an event and returns the
	// count, from 1. ErrConflict if the event is answered.
	Start(ctx context.Context, id, event string) (starts int, err error)

	// Note durably adds entry number step. Steps are dense from 0: ErrExists if
	// that step is noted, ErrInvalid if the one before is not, ErrConflict if the
	// event is answered.
	Note(ctx context.Context, id, event string, step int, body []byte) error

	// Notes lists all entries of an event; index = step.
	Notes(ctx context.Context, id, event string) ([][]byte, error)
}
