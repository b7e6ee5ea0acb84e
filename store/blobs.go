package store

import (
	"context"
	"time"
)

// Blobs keeps files that belong to a conversation.
type Blobs interface {
	// PutBlob adds a file. ErrExists if the conversation has one with that id
	// (nothing is replaced), ErrNotFound if there is no such conversation.
	PutBlob(ctx context.Context, id string, b Blob) error
	// Blob reads a file. ErrNotFound.
	Blob(ctx context.Context, id, blob string) (Blob, error)
	// DropBlob removes a file. It is no error if the file does not exist.
	DropBlob(ctx context.Context, id, blob string) error
}

// Blob is one whole file. The code that accepts uploads bounds its size.
type Blob struct {
	ID   string    // 1..128 bytes, unique in the conversation
	Name string    // file name as the user gave it; never a path to open
	Type string    // media type
	Body []byte    //
	At   time.Time // when it was received
}
