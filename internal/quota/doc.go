// Package quota bounds what principals and addresses may use: model runs at once,
// and tokens or stored bytes in a day.
//
// In: who an event is from. Out: a [Permit], or a refusal that says whose share is
// used up. Each process counts for itself; nothing is stored.
//
// Callers: session admits events and model runs.
package quota
