// Package postgres keeps conversations in PostgreSQL, 13 or newer.
//
// It has every part of the port. Called by package store/postgres.
//
// # Writing
//
// An append is one statement: it moves the head of the conversation from the
// expected number to the next, unless another node has leased the turn or the
// event, or the event or its key is known, and adds frame, record, answer,
// snapshot, trace and jobs on top of that. No row came back: nothing was written,
// and a second statement looks for the reason.
//
// Writes of a node go through one lane, and reads of frames through another. A
// lane takes the queued statements, at most 128, and sends them in one round
// trip as one transaction: one fsync and few system calls for many appends, and no
// timer that makes a lonely writer wait. A batch of writes has one statement of a
// conversation.
//
//	caller ──▶ lane (512) ──▶ statement 1 · statement 2 · … · Sync ──▶ server
//	  ▲                                                                  │
//	  └─────────────── row, or none ◀───────────────────── COMMIT ◀──────┘
//
// Statements lose races without an error. If one does fail, the transaction is
// undone, and each is sent by itself: no statement fails because of another. Within a
// transaction rows are locked in the order of their conversations, so batches of
// several nodes cannot block each other.
//
// A full lane makes callers wait until there is room or their context ends. A
// statement that was sent is waited for, at most 10 s; so an error of the context
// means that nothing was written. If the connection is lost after that, the error
// has no name and leaves open what became durable.
//
// # Tables
//
// They are in a separate schema, "limn", or the one that search_path names in
// the connection string. Open adds it and applies what migrations are missing,
// under an advisory lock, in one transaction; it refuses a schema that is newer
// than the program, or not ours.
//
// Every primary key is, or starts with, the conversation's id, every statement
// but sweeps, lists of an owner and jobs names it, and there are no foreign keys:
// the tables can be partitioned by hash of it, as a test does, and conversations
// moved to a separate server, without a change of queries. The row that every append updates is
// small, has room on its page (fillfactor 70), and none of what changes in it is
// indexed, so the update stays within the page (HOT).
//
// Leases use the server's clock. synchronous_commit=off is turned on for
// our sessions unless the connection string asks for it; a server with fsync=off
// loses what we acknowledged.
//
// Each connection needs its own session: PgBouncer in session mode is fine.
//
// Errors of the server or of the connection name host, database and schema, never user
// or password, and give a hint; those of the port (not found, conflict) name only the
// operation.
package postgres
