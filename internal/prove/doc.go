// Package prove holds each frame against every target before it is committed.
//
// In: a frame and the states around it. Out: the messages to the clients of each
// target, or the surfaces that do not render. Every changed surface is compiled, as
// update and as snapshot, and validated as a client would see it: an invalid surface is
// not committed.
//
// Callers: session keeps a [Prover] for each conversation in memory.
package prove
