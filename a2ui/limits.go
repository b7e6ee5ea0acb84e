package a2ui

import "github.com/limn-ui/limn/a2ui/internal/wire"

// Limits{MessageBytes, Messages, Components, Depth, CallDepth, DataDepth,
// DataEntries, String} bound what is read and what is sent. A zero field takes
// its default: 512 KiB, 1,000 a batch, 2,000 a surface, 50, 5, 16, 20,000 a
// surface, 64 KiB. Every limit is inclusive.
type Limits = wire.Limits
