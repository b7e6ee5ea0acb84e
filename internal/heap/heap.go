// Package heap lets a server use memory that is there instead of collecting
// garbage as often as Go does by default.
package heap

import (
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// percent of the live heap that may be garbage, in place of 100. A turn leaves some 100
// KiB of garbage and a quiet server keeps little alive, so at 100 a busy server
// collects many times a second (ADR 0036).
const percent = 400

// Roomy sets what GOGC and GOMEMLIMIT set by hand, unless one of them is set: 400,
// and three quarters of the memory of this machine or container, near which Go
// collects as often as it must. Where that is unknown it changes nothing.
func Roomy() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	if total := memory(read); total > 0 {
		debug.SetMemoryLimit(total / 4 * 3)
		debug.SetGCPercent(percent)
	}
}

// memory is how many bytes this process may use, of its machine and of its cgroup
// (version 2 or 1) and those around it; 0 unknown.
func memory(read func(path string) string) int64 {
	least := int64(math.MaxInt64)
	for _, file := range limits(read("/proc/self/cgroup")) {
		if n, err := strconv.ParseInt(strings.TrimSpace(read(file)), 10, 64); err == nil && n > 0 {
			least = min(least, n)
		}
	}
	_, rest, _ := strings.Cut("\n"+read("/proc/meminfo"), "\nMemTotal:")
	line, _, _ := strings.Cut(rest, "\n")
	if kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(line, "kB")), 10, 64); err == nil {
		return min(least, kib<<10)
	}
	return 0
}

// limits lists the files that may hold a limit: of the cgroups that cgroup, which is
// /proc/self/cgroup, names, up to the root, where a container finds its own.
func limits(cgroup string) []string {
	files := []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}
	for line := range strings.Lines(cgroup) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, dir, _ := strings.Cut(rest, ":") // version 2 names none
		if controllers != "" && controllers != "memory" {
			continue
		}
		root, file := path.Split(files[min(len(controllers), 1)])
		for dir = path.Clean("/" + dir); dir != "/"; dir = path.Dir(dir) {
			files = append(files, path.Join(root, dir, file))
		}
	}
	return files
}

func read(path string) string {
	b, _ := os.ReadFile(path) // what cannot be read is not there
	return string(b)
}
