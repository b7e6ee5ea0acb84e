package sqlstore

import (
	"errors"
	"math"
	"slices"
	"time"

	"github.com/limn-ui/limn/store"
)

// Integer turns a number given by a caller into SQL's signed integer. Frames never
// get that far, so clamping changes no answer.
func Integer(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// NotNull turns nil into an empty value, for NULL is not allowed in a body.
func NotNull(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// OrNull turns an empty value into nil, which is NULL.
func OrNull(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}

// Instant reads a stored time.
func Instant(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// IsPort reports whether err is one of the port's own errors, which need no hint.
func IsPort(err error) bool {
	return slices.ContainsFunc([]error{store.ErrNotFound, store.ErrExists, store.ErrConflict, store.ErrLeased,
		store.ErrKeyReused, store.ErrVersion, store.ErrTrimmed, store.ErrInvalid, store.ErrQueued, store.ErrClosed},
		func(known error) bool { return errors.Is(err, known) })
}

// Reused returns prior, with store.ErrKeyReused if it was recorded with another hash.
func Reused(prior *store.Event, hash string, err error) (*store.Event, error) {
	if err == nil && prior != nil && prior.Hash != hash {
		err = store.ErrKeyReused
	}
	return prior, err
}

// BySeq returns the bodies of frames by their numbers.
func BySeq(frames []store.Frame) map[uint64][]byte {
	bodies := make(map[uint64][]byte, len(frames))
	for _, f := range frames {
		bodies[f.Seq] = f.Body
	}
	return bodies
}
