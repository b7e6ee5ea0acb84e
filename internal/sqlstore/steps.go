package sqlstore

import (
	"errors"
	"fmt"
	"io/fs"
)

// Load returns the steps in migrations/*.sql in order of file name. Step i leads
// from version i to i+1. Released steps never change. files must be embedded: Load
// panics if it cannot read them.
func Load(files fs.FS) []string {
	names, err := fs.Glob(files, "migrations/*.sql") // sorted
	if err != nil {
		panic(err) // the pattern is a constant
	}
	steps := make([]string, len(names))
	for i, name := range names {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err)
		}
		steps[i] = string(b)
	}
	return steps
}

// Check returns an error that wraps newer if version is above the known steps.
func Check(version, steps int, newer error) error {
	if version > steps {
		return fmt.Errorf("%w: it has version %d, the program knows %d", newer, version, steps)
	}
	return nil
}

// ErrOlder says that a store has tables of an older program.
var ErrOlder = errors.New("an older program wrote this store")

// ForOlder is the hint for ErrOlder.
const ForOlder = "use the program that wrote it, or start limn serve of this one first: it changes the tables"

// CheckCurrent returns an error that wraps ErrOlder if there are tables that lack some steps.
func CheckCurrent(version, steps int) error {
	if version > 0 && version < steps {
		return fmt.Errorf("%w: it has version %d, the program knows %d", ErrOlder, version, steps)
	}
	return nil
}

// Run calls apply with each step after version. Its error names the version that
// the step leads to.
func Run(steps []string, version int, apply func(step string, next int) error) error {
	for ; version < len(steps); version++ {
		if err := apply(steps[version], version+1); err != nil {
			return fmt.Errorf("migrate to version %d: %w", version+1, err)
		}
	}
	return nil
}
