package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"

	"github.com/limn-ui/limn/internal/sqlstore"
)

// applicationID marks a file as ours in its header: "Limn" in ASCII.
const applicationID = 0x4c696d6e

//go:embed migrations/*.sql
var migrationFiles embed.FS

// Faults of the file that Open reports; explain adds the path and a hint.
var (
	errNewer   = errors.New("database is newer than this program")
	errForeign = errors.New("database belongs to another program")
	errNoWAL   = errors.New("write-ahead log is not possible here")
)

// migrations returns the steps of the file; its version, user_version, is the number of
// those that were applied. Tables are shaped as logs: rows are added in order with an integer
// rowid and a unique index beside. The row that every append updates stays small.
func migrations() []string { return sqlstore.Load(migrationFiles) }

// Version is the version of the tables of a file that Open has opened.
func Version() int { return len(migrations()) }

// prepare makes the file ready for this program: ours, in WAL mode, up to date.
func prepare(conn *sql.Conn, steps []string) error {
	ctx := context.Background()
	version, err := checkOurs(ctx, conn, len(steps))
	if err != nil {
		return err // before anything is changed
	}
	var mode string
	if err := conn.QueryRowContext(ctx, "PRAGMA journal_mode=WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("%w: journal mode stays %q", errNoWAL, mode)
	}
	if version == len(steps) {
		return nil // without the write lock, which a backup of a busy server might not get in time
	}
	return sqlstore.Run(steps, version, func(step string, next int) error {
		return migrateOne(ctx, conn, step, next, len(steps))
	})
}

// checkOurs returns the version of the file, and refuses one of another program
// or of a newer Limn.
func checkOurs(ctx context.Context, conn *sql.Conn, steps int) (version int, err error) {
	var app, tables int
	err = conn.QueryRowContext(ctx, `SELECT
		(SELECT user_version FROM pragma_user_version),
		(SELECT application_id FROM pragma_application_id),
		(SELECT count(*) FROM sqlite_schema)`).Scan(&version, &app, &tables)
	switch {
	case err != nil:
		return 0, err
	case app != applicationID && (app != 0 || version != 0 || tables != 0):
		return 0, errForeign
	}
	return version, sqlstore.Check(version, steps, errNewer)
}

// migrateOne applies the step that leads to version next, in one transaction, so
// that a crash or an error leaves the version before it. The version is read under
// the write lock: if several processes open a new file, one of them applies the step.
func migrateOne(ctx context.Context, conn *sql.Conn, step string, next, steps int) (err error) {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, rerr := conn.ExecContext(ctx, "ROLLBACK")
			err = errors.Join(err, rerr)
		}
	}()
	version, err := checkOurs(ctx, conn, steps)
	if err != nil {
		return err
	}
	if version < next {
		sql := fmt.Sprintf("%s;\nPRAGMA user_version = %d;\nPRAGMA application_id = %d;", step, next, applicationID)
		if _, err := conn.ExecContext(ctx, sql); err != nil {
			return err
		}
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return err
}
