package session_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain makes laws shorter before a commit and under the race detector, which
// looks for other things than they do.
func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		flag.Set("rapid.checks", "20") //nolint:errcheck // rapid is imported
	}
	os.Exit(m.Run())
}
