// Package sqlstore holds the code that the SQL stores share: schema migrations, the
// queue to the goroutine that writes, and the forms of values and errors.
//
// Callers: internal/driver/sqlite and internal/driver/postgres, each of which has its own SQL.
package sqlstore
