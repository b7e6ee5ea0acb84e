// Package sqlite keeps conversations in one SQLite file.
//
// It has every part of the port. Called by package store/sqlite.
//
// # Writing
//
// One goroutine owns the only connection that writes. It takes one request plus
// whatever else is queued, at most 64, runs them in one transaction, and only
// after its commit answers any of them: one fsync for many appends, and no timer
// that makes a lonely writer wait.
//
//	caller ──▶ queue (256) ──▶ BEGIN
//	  ▲                          request 1
//	  │                          request 2  (refused before it wrote: its own error)
//	  └─────── ack ◀────────── COMMIT (WAL, synchronous=FULL)
//
// A request that fails after it wrote, which only an unforeseen fault causes, has the
// batch rolled back and run again with a savepoint around each.
//
// A full queue makes callers wait until there is room or their context ends. A
// request whose context ends before its turn is skipped, so a context error means
// that nothing was written; one that is running is waited for.
//
// # Reading
//
// Reads have their own connections. WAL gives each statement or transaction the
// state after the last commit, so readers never wait for the writer.
//
// # The file
//
// Tables are log-shaped: rows are added in order with an integer rowid and a
// unique index beside. Snapshots have their own table; the row every append
// updates stays small. Beside the file SQLite keeps -wal and -shm; Close empties
// and removes them. Back up with "limn backup", "VACUUM INTO" or sqlite3's .backup,
// which all work while it is in use, or copy all three files of a stopped program.
//
// What an acknowledged append survives, and what happens on a full, failing or
// damaged disk, is in ADR 0015. Leases go by the clock of the process: all
// who open the file are on this machine and read the same one. If that clock is set,
// leases end early or late by as much; logs stay right, Commit.Expect sees to it.
//
// The file is created for its owner only (0600). Its application id is "Limn",
// its user_version the number of migrations applied; Open applies the
// missing ones and refuses a file that is newer than the program, or not ours. Several
// processes may open one file: correctness holds, because every append compares
// under the write lock, but they wait for each other (5 s, then an error).
//
// Errors of the file or the disk name the file and give a hint; those of the port (not
// found, conflict) name only the operation.
package sqlite
