package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/limn-ui/limn/internal/sqlstore"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// Faults of the schema that Open reports; hint says what to do.
var (
	errNewer   = errors.New("the schema is newer than this program")
	errForeign = errors.New("the schema holds tables of another program")
)

// migrations returns the steps of the schema.
func migrations() []string { return sqlstore.Load(migrationFiles) }

// Version is the version of the tables of a database that Open has opened.
func Version() int { return len(migrations()) }

// migrate brings the schema up to date, in one transaction: a crash or an error
// leaves it as it was. The lock lasts as long as the transaction, so of several
// nodes that start at once one does the work and the others find it done. It refuses a
// schema that is newer than the program, or not ours.
func migrate(ctx context.Context, conn *pgx.Conn, schema string, steps []string) error {
	version, err := versionOf(ctx, conn, schema, len(steps))
	if err != nil || version == len(steps) {
		return err
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('limn migrations of ' || $1, 0))`,
			schema); err != nil {
			return err
		}
		version, err := versionOf(ctx, tx, schema, len(steps)) // again, now under the lock
		if err != nil || version == len(steps) {
			return err
		}
		if version == 0 {
			if err := makeSchema(ctx, tx, schema); err != nil {
				return err
			}
		}
		err = sqlstore.Run(steps, version, func(step string, _ int) error { return exec(ctx, tx, step) })
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO limn_version (version, at) VALUES ($1, now())`, len(steps))
		return err
	})
}

// checkCurrent refuses a schema that migrate would change, unless it has no tables.
func checkCurrent(ctx context.Context, q querier, schema string, steps int) error {
	version, err := versionOf(ctx, q, schema, steps)
	if err != nil {
		return err
	}
	return sqlstore.CheckCurrent(version, steps)
}

// makeSchema adds the schema, unless it exists already, and the table that marks it
// as ours.
func makeSchema(ctx context.Context, tx pgx.Tx, schema string) error {
	var exists bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)`, schema).Scan(&exists)
	if err != nil {
		return err
	}
	if !exists {
		if err := exec(ctx, tx, `CREATE SCHEMA `+pgx.Identifier{schema}.Sanitize()); err != nil {
			return err
		}
	}
	return exec(ctx, tx, `CREATE TABLE limn_version (version integer PRIMARY KEY, at timestamptz NOT NULL)`)
}

// querier is what *pgx.Conn, pgx.Tx and *pgxpool.Pool share.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// versionOf returns how many steps were applied to the schema. It refuses a schema
// that another program, or a newer Limn, has made.
func versionOf(ctx context.Context, q querier, schema string, steps int) (version int, err error) {
	var tables []string
	err = q.QueryRow(ctx, `SELECT coalesce(array_agg(c.relname::text), '{}') FROM pg_class c
		JOIN pg_namespace s ON s.oid = c.relnamespace
		WHERE s.nspname = $1 AND c.relname IN (
			'limn_version', 'conv', 'frame', 'snapshot', 'record', 'note', 'blob', 'job', 'arrival')`, schema).
		Scan(&tables)
	if err != nil || len(tables) == 0 {
		return 0, err
	}
	if !strings.Contains(strings.Join(tables, " "), "limn_version") {
		return 0, fmt.Errorf("%w: it has a %s, and no table limn_version", errForeign, tables[0])
	}
	if err := q.QueryRow(ctx, `SELECT coalesce(max(version), 0) FROM limn_version`).Scan(&version); err != nil {
		return 0, err
	}
	if err := sqlstore.Check(version, steps, errNewer); err != nil {
		return 0, err
	}
	return version, nil
}

// exec runs statements without arguments, any number of them.
func exec(ctx context.Context, tx pgx.Tx, statements string) error {
	_, err := tx.Conn().PgConn().Exec(ctx, statements).ReadAll()
	return err
}
