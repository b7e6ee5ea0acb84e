package heap

import "testing"

func TestMemory(t *testing.T) {
	t.Parallel()
	const v2, v1, machine, cgroup = "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes",
		"/proc/meminfo", "/proc/self/cgroup"
	const meminfo = "MemTotal:       24684084 kB\nMemFree:        1 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"a machine":                 {map[string]string{machine: meminfo}, 24684084 << 10},
		"a container":               {map[string]string{machine: meminfo, v2: "536870912\n"}, 512 << 20},
		"one without a limit":       {map[string]string{machine: meminfo, v2: "max\n"}, 24684084 << 10},
		"version 1":                 {map[string]string{machine: meminfo, v1: "536870912\n"}, 512 << 20},
		"version 1 without a limit": {map[string]string{machine: meminfo, v1: "9223372036854771712\n"}, 24684084 << 10},
		"a service": {map[string]string{machine: meminfo, cgroup: "0::/system.slice/limn.service\n",
			"/sys/fs/cgroup/system.slice/limn.service/memory.max": "268435456\n"}, 256 << 20},
		"in a slice with a limit": {map[string]string{machine: meminfo, cgroup: "0::/small.slice/limn.service\n",
			"/sys/fs/cgroup/small.slice/memory.max": "134217728\n", "/sys/fs/cgroup/small.slice/limn.service/memory.max": "max\n"}, 128 << 20},
		"a service, version 1": {map[string]string{machine: meminfo, cgroup: "5:cpu,cpuacct:/else\n4:memory:/limn\n",
			"/sys/fs/cgroup/memory/limn/memory.limit_in_bytes": "268435456\n", "/sys/fs/cgroup/else/memory.max": "1\n"}, 256 << 20},
		"above its namespace": {map[string]string{machine: meminfo, cgroup: "0::/../..\n", v2: "536870912\n"}, 512 << 20},
		"not Linux":           {nil, 0},
		"something else":      {map[string]string{machine: "MemTotal: much\n"}, 0},
	} {
		if got := memory(func(path string) string { return c.files[path] }); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
