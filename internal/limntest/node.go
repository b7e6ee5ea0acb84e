package limntest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Node runs a program of internal/transport/clients, the clients of others, and returns
// its output. Without Node.js or its packages the test is skipped, unless
// LIMN_REQUIRE=1 says that they are there.
func Node(t *testing.T, program string, args ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	dir = filepath.Join(dir, "internal", "transport", "clients")
	node, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat(filepath.Join(dir, filepath.Dir(program), "node_modules"))
	}
	switch {
	case err == nil:
	case os.Getenv("LIMN_REQUIRE") == "1":
		t.Fatalf("Node.js 20 or newer and its packages are needed; run sh scripts/deps.sh npm: %v", err)
	default:
		t.Skipf("Node.js 20 or newer and its packages are needed; run sh scripts/deps.sh npm: %v", err)
	}
	cmd := exec.CommandContext(t.Context(), node, append([]string{program}, args...)...)
	var stderr strings.Builder
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", program, err, out, stderr.String())
	}
	return string(out)
}
