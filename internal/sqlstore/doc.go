// Package sqlstore holds the code that the SQL stores share: schema migrations, the
// queue to the goroutine that writes, and the forms of values and errors.
//
// Callers: store/sqlite and store/postgres, each of which has its own SQL.
package sqlstore
