package a2ui

import (
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// Problem{Code, Surface, Component, Path, Message, Hint, Line, Column} is one
// fault of a message. *Problem implements error.
type Problem = wire.Problem

// Code is a stable name of a fault. Its family, such as A2UI_S2C_LIMIT_, is what
// recovery maps. It is an error too: errors.Is(problem, a2ui.LimitBytes).
type Code = wire.Code

// CodeInfo{Code, Recovery, Sentence} gives the meaning of a code and the default
// recovery of its family: "fatal", "surface" or "refuse".
type CodeInfo = wire.CodeInfo

// Codes returns every code once, with its meaning.
func Codes() []CodeInfo { return slices.Clone(wire.Codes) }

// The codes that the rest of Limn acts on. Codes lists all of them.
const (
	EnvelopeInvalid       = wire.EnvelopeInvalid
	EnvelopeClientMessage = wire.EnvelopeClientMessage

	ComponentUnknown  = wire.ComponentUnknown
	ComponentProperty = wire.ComponentProperty

	LimitBytes      = wire.LimitBytes
	LimitBatchBytes = wire.LimitBatchBytes
	LimitMessages   = wire.LimitMessages
	LimitComponents = wire.LimitComponents
	LimitDepth      = wire.LimitDepth

	ClientInvalid = wire.ClientInvalid

	CapabilityCatalog = wire.CapabilityCatalog
)

// Limits{MessageBytes, SurfaceBytes, BatchBytes, Messages, Components, Depth,
// CallDepth, DataDepth, DataEntries, String} bound the messages that are read and sent.
// A zero field takes its default: 512 KiB, 4 MiB, 8 MiB, 1,000 a batch, 2,000 a
// surface, 50, 5, 16, 20,000 a surface, 64 KiB. Every limit is inclusive.
type Limits = wire.Limits
