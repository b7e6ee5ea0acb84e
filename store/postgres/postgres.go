// Package postgres keeps conversations in PostgreSQL, 13 or newer: the store for
// several nodes.
//
// The tables are in a separate schema, "limn", or the one that search_path names in the
// connection string; Open adds it and applies the migrations that are missing. Leases use
// the server's clock. Each connection needs its own session: PgBouncer in session mode is
// fine.
//
// Called by cmd/limn and by programs that embed Limn. The implementation is
// internal/driver/postgres.
package postgres

import (
	"context"

	driver "github.com/limn-ui/limn/internal/driver/postgres"
)

// Store keeps conversations in PostgreSQL. Call [Open].
type Store = driver.Store

// Open connects to the server that dsn names (postgres://user@host/database, or
// key=value pairs, both as libpq has them) and brings the tables up to date. ctx
// bounds Open only. Errors name the server, say what to do, and hold no password.
func Open(ctx context.Context, dsn string) (*Store, error) { return driver.Open(ctx, dsn) }
