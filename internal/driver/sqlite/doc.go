// Package sqlite keeps conversations in one SQLite file. Every write is durable when its
// method returns.
//
// In: calls of the port, package store, of which it has every part. Out: rows of the file,
// and errors of the port.
//
//	caller ──▶ queue (256) ──▶ BEGIN
//	  ▲                          request 1
//	  │                          request 2  (refused before it wrote: its own error)
//	  └─────── ack ◀────────── COMMIT (WAL, synchronous=FULL)
//
// Invariants:
//   - One goroutine writes (writer.go): one fsync for many appends. See docs/adr/0007.
//   - Each reader has a connection and sees the state after the last commit. They
//     never wait for the writer.
//   - An error of the caller's context means that nothing was written.
//   - Every append compares under the write lock, so several processes may open one file.
//   - Errors of the file or the disk name the file and give a hint; those of the port (not
//     found, conflict) name only the operation.
//
// docs/adr/0015 has what an acknowledged append survives.
//
// Callers: package store/sqlite.
package sqlite
