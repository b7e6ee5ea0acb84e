package sqlite

import (
	"context"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/limn-ui/limn/internal/sqlstore"
)

// act wraps a non-nil err with the act that failed, "append frame 2": errors of
// the port and of the caller's context as they are, others with file and hint.
func (s *driver) act(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	what := fmt.Sprintf(format, args...)
	if sqlstore.IsPort(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s: %w", what, err)
	}
	return explain(what+" in", s.path, err)
}

// explain wraps err with the act, the file and a hint.
func explain(what, path string, err error) error {
	if h := hint(err); h != "" {
		return fmt.Errorf("%s %s: %w (%s)", what, path, err, h)
	}
	return fmt.Errorf("%s %s: %w", what, path, err)
}

// hint says what an operator can do about err; "" if nothing is known.
func hint(err error) string {
	switch {
	case errors.Is(err, errNewer):
		return "run the newer program, or restore a backup from before the upgrade"
	case errors.Is(err, sqlstore.ErrOlder):
		return sqlstore.ForOlder
	case errors.Is(err, errForeign):
		return "name another file; nothing was changed in this one"
	case errors.Is(err, errNoWAL):
		return "network file systems do not share memory; use a local disk"
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return ""
	}
	switch e.Code() & 0xff { // primary code; the rest is detail
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return "another process holds the lock; is a second Limn, or a backup, running on this file?"
	case lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM:
		return "the file and its folder must be writable: -wal and -shm files are kept beside it"
	case lib.SQLITE_NOTADB:
		return "this is not a SQLite database; nothing was changed in it"
	case lib.SQLITE_CORRUPT:
		return "the file is damaged; restore a backup, or try sqlite3's .recover on a copy"
	case lib.SQLITE_FULL:
		return "the disk is full; nothing of this was written"
	case lib.SQLITE_IOERR:
		return "the disk failed; whether this was written shows after reopening"
	}
	return ""
}

// locked reports an error of a file that another process has locked.
func locked(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code()&0xff == lib.SQLITE_BUSY || e.Code()&0xff == lib.SQLITE_LOCKED)
}
