package limntest

import (
	"bytes"
	"sync"
	"testing"
	"testing/synctest"
)

// TB is what *testing.T and *rapid.T have in common.
type TB interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// Bubble runs a test in parallel with others, in a synctest bubble.
func Bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, f)
}

// Must returns the result of a constructor whose arguments the test has written itself;
// it panics if they are refused.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Buffer is a buffer for several writers.
type Buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
