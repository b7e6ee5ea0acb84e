package archtest

import "slices"

// rungs is the order of the tree, top first. A package imports only packages of
// rungs above its own; packages of one rung never import each other. To add a
// package, put it on the lowest rung that still stands above all its callers:
// a new adapter beside its siblings, anything else on a rung of its own.
var rungs = [][]string{
	{"internal/jsonx", "internal/jsonptr", "internal/near", "internal/yamlline", "internal/excerpt", "internal/heap",
		"internal/sendonce", "internal/cache", "internal/limits", "internal/words", "internal/ids",
		"internal/builtin", "internal/metric", "internal/fence", "internal/phrasing",
		"internal/archtest"},
	{"internal/scenario", "internal/official"},
	{"ui"},
	{"internal/schema", "internal/draft", "internal/local"},

	// The protocol, usable alone. Every difference between versions is internal.
	{"a2ui/internal/wire", "a2ui/internal/function", "a2ui/internal/datatree"},
	{"a2ui/internal/validate", "a2ui/internal/modeltext", "a2ui/internal/jsonwire", "a2ui/internal/v08",
		"a2ui/internal/basic", "a2ui/internal/translate"},
	{"a2ui"},
	{"a2ui/catalog"},
	{"a2ui/a2a"},
	{"a2ui/client"},
	{"a2ui/internal/conformance"},
	{"internal/components"}, // Limn's own catalog
	{"internal/foreign"},    // surfaces of other agents
	{"internal/foreign/page"},

	// From words to facts to drawings: pure.
	{"internal/directive"},
	{"internal/prose", "internal/intent"},
	{"internal/route"},
	{"internal/capture/markup"},
	{"internal/capture"},
	{"internal/capture/sheet"},
	{"internal/svg"},
	{"internal/worksheet"},
	{"datasync"},
	{"internal/markdown", "internal/card"},
	{"html"},
	{"compile"},

	// Ports, each with its adapters and its conformance suite.
	{"llm"},
	{"internal/models"},
	{"internal/llmtest"},
	{"internal/endpoint"},
	{"llm/openai", "llm/anthropic", "llm/scripted"},
	{"internal/logs"},
	{"trace"},
	{"trace/metrics", "internal/turntrace"},
	{"bus"},
	{"bus/bustest", "internal/natstest"},
	{"internal/localbus", "bus/natsbus"},
	{"store"},
	{"internal/sqlstore"},
	{"internal/backup"},
	{"internal/driver/memory", "internal/driver/sqlite", "internal/driver/postgres"},
	{"store/storetest", "internal/pgtest", "store/memory", "store/sqlite", "store/postgres"},

	// The turn.
	{"internal/conversation"},
	{"internal/files"},
	{"app"},
	{"internal/records"},
	{"internal/execute"},
	{"internal/recovery"},
	{"internal/agent"},
	{"internal/gateway", "internal/ingress"},
	{"internal/work"},
	{"internal/live", "internal/share", "internal/directory"},
	{"internal/validators"},
	{"internal/turn", "internal/prove"},
	{"internal/tally"},
	{"internal/lease", "internal/quota", "internal/outbox", "internal/journal"},
	{"internal/modelrun", "internal/appcall"},
	{"internal/session"},
	{"internal/limntest"},
	{"internal/locale"},
	{"internal/deliver"},
	{"internal/inspect"},

	// Bytes in and out. The framings come first: the others stream through them.
	{"web"},
	{"internal/transport"},
	{"internal/transport/limit", "internal/transport/filetype"},
	{"internal/transport/sse", "internal/transport/jsonl"},
	{"internal/transport/ws"}, // its messages are lines of jsonl
	{"internal/transport/door", "internal/transport/upstream"},
	{"internal/transport/web", "internal/transport/agui", "internal/transport/a2a",
		"internal/transport/mcp", "internal/transport/streams", "mcp",
		"internal/transport/webhook"},

	{""}, // package limn
	{"internal/eval", "internal/eval/directives"},
	{"internal/intent/train"},
	{"internal/docsite"}, // writes the documentation as a site
	{"internal/docsite/cmd"},
}

// maxChain is how many packages may import each other in a row, from a program to a leaf. To make
// room for one more, let a caller pass a value or a function instead of an import, or merge two
// packages that are always read together.
const maxChain = 11

// roots are programs, top first: they may import everything in the tree and the
// programs above them (limn serves an example), and nothing else imports them.
var roots = []string{"examples", "cmd/limn", "internal/release"}

// kits are conformance suites, corpora and what tests share. Only tests import them,
// and kitUsers.
var kits = []string{"internal/archtest", "internal/official", "internal/scenario", "internal/llmtest", "store/storetest",
	"internal/pgtest", "bus/bustest", "internal/natstest", "internal/limntest"}

// kitUsers may import kits outside their tests.
var kitUsers = []string{"internal/eval", "cmd/limn", "examples"}

// narrow says of a few packages, and of what lies below them, all that they may
// import of this module, beyond themselves.
var narrow = map[string][]string{
	"ui":   {"internal/jsonx", "internal/jsonptr", "internal/excerpt", "internal/words", "internal/builtin"},
	"a2ui": {"internal/jsonx", "internal/jsonptr", "internal/near", "internal/excerpt", "internal/limits"},
	"web":  {}, // embeds only
}

// rootAdapters are the adapters that package limn may import; the others are
// injected by cmd/limn or by the program that embeds Limn.
var rootAdapters = []string{"store/memory", "llm/scripted"}

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
