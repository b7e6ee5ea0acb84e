package archtest

import "slices"

// module is one outside module and where it enters.
type module struct {
	path string
	leaf string // the one importing package; tests, anywhere or undecided besides
	tool string // a package that no program of ours contains, and that imports it too
	sdk  bool   // never reached from package limn or from a2ui
}

// Values of module.leaf that are no package.
const (
	tests     = "(tests)"     // test files and test kits only
	anywhere  = "(anywhere)"  // part of the language, as it were
	undecided = "(undecided)" // any single package; the first to import it should be written down here
)

// modules lists every outside module that the sources import. A new one is
// added here together with an ADR that says why it is worth having.
var modules = []module{
	{path: "github.com/ag-ui-protocol/ag-ui/sdks/community/go", leaf: "internal/transport/agui", sdk: true},
	{path: "github.com/alecthomas/kong", leaf: "cmd/limn"},
	{path: "github.com/coder/websocket", leaf: "internal/transport/ws"},
	{path: "github.com/jackc/pgx/v5", leaf: "internal/driver/postgres", sdk: true},
	{path: "github.com/modelcontextprotocol/go-sdk", leaf: "mcp", sdk: true},
	{path: "github.com/nats-io/nats.go", leaf: "bus/natsbus", sdk: true},
	{path: "github.com/prometheus/client_golang", leaf: "trace/metrics", sdk: true},
	{path: "github.com/santhosh-tekuri/jsonschema/v6", leaf: "internal/schema"},
	{path: "github.com/standard-webhooks/standard-webhooks", leaf: "internal/transport/webhook"},
	{path: "github.com/yuin/goldmark", leaf: "internal/markdown", tool: "internal/docsite"}, // all of Markdown, of our own documents
	{path: "go.opentelemetry.io/otel", leaf: undecided, sdk: true},
	{path: "go.yaml.in/yaml/v3", leaf: anywhere},
	{path: "golang.org/x/text", leaf: anywhere},
	{path: "golang.org/x/time", leaf: "internal/transport/limit"},
	{path: "modernc.org/sqlite", leaf: "internal/driver/sqlite", sdk: true},

	{path: "github.com/a2aproject/a2a-go", leaf: tests},
	{path: "github.com/google/go-cmp", leaf: tests},
	{path: "github.com/nats-io/nats-server/v2", leaf: tests},
	{path: "github.com/rogpeppe/go-internal", leaf: tests},
	{path: "github.com/xuri/excelize/v2", leaf: tests},
	{path: "golang.org/x/net", leaf: "internal/capture/markup"},
	{path: "modernc.org/libc", leaf: tests},
	{path: "pgregory.net/rapid", leaf: tests},
}

// moduleOf finds the module of an import path: the longest entry that holds it.
func moduleOf(importPath string) (module, bool) {
	var best module
	for _, m := range modules {
		if within(importPath, m.path) && len(m.path) > len(best.path) {
			best = m
		}
	}
	return best, best.path != ""
}

func checkModules(r *report) {
	firstLeaf := map[string]string{} // of undecided modules
	r.each(true, func(pkg *Package, file *File) {
		for _, imp := range file.imports() {
			if !outside(imp.Path) {
				continue
			}
			m, ok := moduleOf(imp.Path)
			switch {
			case !ok:
				r.at("module", file, imp.Pos,
					"%s comes from a module without an entry: add it to internal/archtest/modules_test.go with its leaf, and write an ADR", imp.Path)
			case file.Test, m.leaf == anywhere, within(pkg.Dir, "examples"):
			case m.leaf == tests:
				if !slices.Contains(kits, pkg.Dir) {
					r.at("module", file, imp.Pos, "%s is for tests only", m.path)
				}
			case m.leaf == undecided:
				if first, seen := firstLeaf[m.path]; seen && first != pkg.Dir {
					r.at("module", file, imp.Pos, "%s is imported by %s and by %s: one leaf only", m.path, show(first),
						show(pkg.Dir))
				} else {
					firstLeaf[m.path] = pkg.Dir
				}
			case m.leaf != pkg.Dir && (m.tool == "" || m.tool != pkg.Dir) && !slices.Contains(kits, pkg.Dir):
				r.at("module", file, imp.Pos, "%s is imported by %s: only %s imports it", m.path, show(pkg.Dir), m.leaf)
			}
		}
	})
}
