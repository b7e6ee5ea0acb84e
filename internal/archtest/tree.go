package archtest

import "slices"

// rungs is the order of the tree, top first. A package imports only packages of
// rungs above its own; packages of one rung never import each other. To add a
// package, put it on the lowest rung that still stands above all its callers:
// a new adapter beside its siblings, anything else on a rung of its own.
var rungs = [][]string{
	{"internal/jsonx", "internal/jsonptr", "internal/near", "internal/yamlline", "internal/excerpt", "internal/heap", "internal/sendonce", "internal/archtest"},
	{"internal/scenario", "internal/official"},
	{"ui"},
	{"internal/schema"},

	// The protocol, usable alone. Every difference between versions is internal.
	{"a2ui/internal/wire"},
	{"a2ui/internal/expr", "a2ui/internal/function"},
	{"a2ui/internal/datatree"},
	{"a2ui/internal/check", "a2ui/internal/modeltext"},
	{"a2ui/internal/plain"},
	{"a2ui/internal/v08", "a2ui/internal/v09", "a2ui/internal/v10"},
	{"a2ui/internal/translate"},
	{"a2ui"},
	{"a2ui/catalog"},
	{"a2ui/a2a"},
	{"a2ui/client"},
	{"a2ui/conformance"},

	// From words to facts to drawings: pure.
	{"directive"},
	{"route/prose"},
	{"route"},
	{"capture"},
	{"capture/sheet"},
	{"picture"},
	{"tool"},
	{"datasync"},
	{"html"},
	{"compile"},

	// Ports, each with its adapters and its conformance suite.
	{"llm"},
	{"llm/models"},
	{"llm/llmtest"},
	{"llm/endpoint"},
	{"llm/openai", "llm/anthropic", "llm/scripted"},
	{"trace"},
	{"trace/metrics"},
	{"store"},
	{"store/backup"},
	{"store/storetest", "store/pgtest"},
	{"store/memory", "store/sqlite", "store/postgres"},
	{"bus"},
	{"bus/bustest", "bus/natstest"},
	{"bus/local", "bus/natsbus"},

	// The turn.
	{"app"},
	{"execute"},
	{"recovery"},
	{"ingress"},
	{"agent"},
	{"lease"},
	{"session"},
	{"internal/markdown"},
	{"deliver"},
	{"gateway"},

	// Bytes in and out. The framings come first: the others stream through them.
	{"web"},
	{"transport"},
	{"transport/limit", "transport/filetype"},
	{"transport/sse", "transport/jsonl"},
	{"transport/ws"}, // its messages are lines of jsonl
	{"transport/web", "transport/agui", "transport/a2a", "transport/mcp", "transport/hook"},

	{""}, // package limn
	{"eval", "eval/directives"},
}

// roots are programs, top first: they may import everything in the tree and the
// programs above them (limn serves an example), and nothing else imports them.
var roots = []string{"examples", "cmd/limn"}

// kits are conformance suites and corpora. Only tests import them, and kitUsers.
var kits = []string{"internal/archtest", "internal/official", "internal/scenario", "llm/llmtest", "store/storetest", "store/pgtest", "bus/bustest", "bus/natstest"}

// kitUsers may import kits outside their tests.
var kitUsers = []string{"eval", "cmd/limn", "examples"}

// narrow says of a few packages, and of what lies below them, all that they may
// import of this module, beyond themselves.
var narrow = map[string][]string{
	"ui":   {"internal/jsonx", "internal/jsonptr"},
	"a2ui": {"internal/jsonx", "internal/jsonptr"},
	"web":  {}, // embeds only
}

// rootAdapters are the adapters that package limn may import; the others are
// injected by cmd/limn or by the program that embeds Limn.
var rootAdapters = []string{"store/memory", "bus/local", "llm/scripted"}

// ports have their adapters right below them.
var ports = []string{"llm", "store", "bus"}

// place returns the rung of a package, counted from the top, and whether the
// tree knows the package. Programs stand below everything, one after the other.
func place(dir string) (int, bool) {
	for i, root := range roots {
		if within(dir, root) {
			return len(rungs) + i, true
		}
	}
	for i, rung := range rungs {
		if slices.Contains(rung, dir) {
			return i, true
		}
	}
	return 0, false
}
