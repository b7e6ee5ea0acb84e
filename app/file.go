package app

import (
	"context"
	"errors"
)

// File is an uploaded file.
type File struct {
	ID   string // the value of its upload field
	Name string // as the user gave it; never a path to open
	Type string // media type, detected from the content
	Body []byte
}

// ReadFile returns a file of the conversation by its id. The error is ErrNoFile if
// there is no such file.
type ReadFile func(ctx context.Context, id string) (File, error)

// ErrNoFile is the error of a ReadFile for an id that names no file.
var ErrNoFile = errors.New("the conversation has no such file")
