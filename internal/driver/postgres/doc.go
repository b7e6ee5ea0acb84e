// Package postgres keeps conversations in PostgreSQL, 13 or newer, for any number of nodes.
//
// In: calls of the port, package store, of which it has every part. Out: rows of the
// database, and errors of the port.
//
//	caller ──▶ lane (512) ──▶ statement 1 · statement 2 · … · Sync ──▶ server
//	  ▲                                                                  │
//	  └─────────────── row, or none ◀───────────────────── COMMIT ◀──────┘
//
// Invariants:
//   - An append is one statement (append.go). Statements lose races without an error.
//   - Writes of a node go through one lane, reads of frames through another (lane.go): one
//     round trip and one fsync for many appends.
//   - An error of the caller's context means that nothing was written.
//   - Every primary key of the tables about conversations is, or begins with, the id of the
//     conversation, and there are no foreign keys: these tables can be partitioned by its
//     hash without a change of queries (TestStorePartitioned).
//   - Leases use the server's clock.
//   - Errors of the server or the connection name host, database and schema, never user or
//     password, and give a hint; those of the port name only the operation.
//
// Callers: package store/postgres.
package postgres
