// Package memory is a store that forgets everything when the process ends: for
// tests, examples and a first try.
//
// It has the same contract as the other stores, durability excepted, and works inside a
// testing/synctest bubble.
//
// Called by package limn when no store is configured, and by tests. The implementation
// is internal/driver/memory.
package memory

import (
	driver "github.com/limn-ui/limn/internal/driver/memory"
	"github.com/limn-ui/limn/store"
)

// New returns an empty store in memory.
func New() store.Store { return driver.New() }
