// Package sqlite keeps conversations in one SQLite file: the default store, for
// one node.
//
// The file is created for its owner only (0600). Beside it SQLite keeps -wal and -shm;
// Close empties and removes them. Back up with "limn backup", "VACUUM INTO" or sqlite3's
// .backup, which all work while it is in use, or copy all three files of a stopped
// program. Several processes of one machine may open one file.
//
// Called by cmd/limn and by programs that embed Limn. The implementation is
// internal/driver/sqlite.
package sqlite

import (
	driver "github.com/limn-ui/limn/internal/driver/sqlite"
	"github.com/limn-ui/limn/store"
)

// Open opens or creates the database at path and brings its tables up to date. The
// folder must exist and be writable. Errors name the file and say what to do.
func Open(path string) (store.Store, error) { return driver.Open(path) }
