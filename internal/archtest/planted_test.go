package archtest

import (
	"fmt"
	"maps"
	"path"
	"strings"
	"testing"
	"testing/fstest"
)

// sound is a small module without a breach; each case below plants one in it.
var sound = map[string]string{
	"go.mod":                      "module " + Module + "\n",
	"doc.go":                      "// Package limn is the whole.\npackage limn\n\nimport (\n\t_ \"github.com/limn-ui/limn/internal/session\"\n\t_ \"github.com/limn-ui/limn/store/memory\"\n)\n",
	"doc_test.go":                 "package limn_test\n\nimport _ \"github.com/limn-ui/limn/cmd/limn/flags\"\n",
	"internal/jsonx/jsonx.go":     "// Package jsonx reads JSON.\npackage jsonx\n",
	"ui/ui.go":                    "// Package ui holds the facts.\npackage ui\n\nimport (\n\t_ \"github.com/limn-ui/limn/internal/jsonx\"\n\t_ \"net/mail\"\n\t\"time\"\n)\n\ntype Stamp = time.Time\n",
	"ui/ui_test.go":               "package ui\n\nimport (\n\t_ \"github.com/google/go-cmp/cmp\"\n\t\"time\"\n)\n\nvar start = time.Now()\n",
	"a2ui/a2ui.go":                "// Package a2ui is the protocol.\npackage a2ui\n\nvar isOld = func(d int) bool { return d == V08 }\n\nconst V08 = 1\n",
	"a2ui/catalog/catalog.go":     "// Package catalog reads what it is handed.\npackage catalog\n\nimport _ \"io/fs\"\n",
	"compile/compile.go":          "// Package compile draws.\npackage compile\n\nimport \"github.com/limn-ui/limn/a2ui\"\n\nvar all = []int{a2ui.V08}\n",
	"internal/session/session.go": "// Package session walks.\npackage session\n\nimport (\n\t_ \"github.com/limn-ui/limn/ui\"\n\t_ \"golang.org/x/text/unicode/norm\"\n\t\"time\"\n)\n\nvar now = time.Now\n",
	"store/memory/memory.go":      "// Package memory forgets.\npackage memory\n",
	"internal/driver/sqlite/d.go": "// Package sqlite remembers.\npackage sqlite\n\nimport _ \"modernc.org/sqlite\"\n",
	"store/sqlite/sqlite.go":      "// Package sqlite opens.\npackage sqlite\n\nimport _ \"github.com/limn-ui/limn/internal/driver/sqlite\"\n",
	"store/storetest/suite.go":    "// Package storetest checks stores.\npackage storetest\n\nimport _ \"pgregory.net/rapid\"\n",
	"store/memory/memory_test.go": "package memory\n\nimport _ \"github.com/limn-ui/limn/store/storetest\"\n",
	"cmd/limn/main.go":            "// Command limn serves.\npackage main\n\nimport (\n\t_ \"github.com/limn-ui/limn\"\n\t_ \"github.com/limn-ui/limn/cmd/limn/flags\"\n\t_ \"github.com/limn-ui/limn/store/sqlite\"\n)\n",
	"examples/desk/desk.go":       "// Package desk is an example.\npackage desk\n\nimport _ \"github.com/limn-ui/limn/internal/session\"\n",
	"cmd/limn/flags/flags.go":     "// Package flags reads flags.\npackage flags\n\nvar old = func(s string) bool { return s == \"v0.8\" }\n",
	"ui/generate.go":              "//go:build ignore\n\npackage main\n\nimport _ \"os\"\n",
	// What follows is no part of the module.
	"bench/go.mod":                    "module bench\n",
	"bench/util/util.go":              "package util\n",
	"ui/testdata/util/util.go":        "package util\n",
	"web/node_modules/x/util/util.go": "package util\n",
}

func TestSoundTree(t *testing.T) {
	t.Parallel()
	if findings := check(t, sound); len(findings) > 0 {
		t.Errorf("findings in a sound tree: %v", findings)
	}
}

// TestPlanted plants one breach at a time and wants exactly that one reported.
func TestPlanted(t *testing.T) {
	t.Parallel()
	const m = Module + "/"
	imports := func(pkg string, paths ...string) string {
		return fmt.Sprintf("// Package %s is planted.\npackage %s\n\nimport _ \"%s\"\n", pkg, pkg,
			strings.Join(paths, "\"\nimport _ \""))
	}
	body := func(pkg, code string) string {
		return fmt.Sprintf("// Package %s is planted.\npackage %s\n\n%s\n", pkg, pkg, code)
	}
	cases := []struct {
		name, file, source string
		want               string // the start of the finding, then " … ", then a part of it
	}{
		{"upward import", "ui/x.go", imports("ui", m+"internal/session"), "ui/x.go:4: order: … below it"},
		{"a2ui knows no ui", "a2ui/x.go", imports("a2ui", m+"ui"), "a2ui/x.go:4: order: … a2ui may import nothing else"},
		{"below a2ui neither", "a2ui/client/x.go", imports("client", m+"ui"), "a2ui/client/x.go:4: order: … a2ui may import nothing else"},
		{"web embeds only", "web/x.go", imports("web", m+"internal/jsonx"), "web/x.go:4: order: … web may import nothing else"},
		{"adapter beside adapter", "llm/openai/x.go", imports("openai", m+"llm/anthropic"), "llm/openai/x.go:4: order: … same rung"},
		{"test kit in a program text", "internal/session/x.go", imports("session", m+"store/storetest"), "internal/session/x.go:4: order: … test kit"},
		{"program imported", "internal/session/x.go", imports("session", m+"cmd/limn/flags"), "internal/session/x.go:4: order: … program"},
		{"program imported by one above it", "examples/desk/x.go", imports("desk", m+"cmd/limn/flags"), "examples/desk/x.go:4: order: … program"},
		{"unknown package", "novel/x.go", imports("novel", "fmt"), "novel: order: … add it to rungs in internal/archtest/tree_test.go"},
		{"unknown import", "internal/session/x.go", imports("session", m+"novel"), "internal/session/x.go:4: order: … novel is not in the tree"},
		{"sub-package of a known one", "internal/session/inner/x.go", imports("inner", "fmt"), "internal/session/inner: order: … not in the tree"},

		{"clock", "ui/x.go", body("ui", "import \"time\"\n\nfunc f() { _ = time.Now() }"), "ui/x.go:6: pure: … time.Now"},
		{"clock as a value", "ui/x.go", body("ui", "import \"time\"\n\nvar f = time.Since"), "ui/x.go:6: pure: … time.Since"},
		{"clock renamed", "ui/x.go", body("ui", "import t \"time\"\n\nvar f = t.NewTimer"), "ui/x.go:6: pure: … NewTimer"},
		{"machine's zone", "ui/x.go", body("ui", "import \"time\"\n\nvar f = time.Local"), "ui/x.go:6: pure: … time.Local"},
		{"dot import", "ui/x.go", body("ui", "import . \"time\"\n\nvar f = Now"), "ui/x.go:4: pure: … dot import"},
		{"standard output", "html/x.go", body("html", "import \"fmt\"\n\nfunc f() { fmt.Println() }"), "html/x.go:6: pure: … fmt.Println"},
		{"randomness", "internal/route/x.go", imports("route", "math/rand/v2"), "internal/route/x.go:4: pure: … randomness"},
		{"strong randomness", "internal/capture/x.go", imports("capture", "crypto/rand"), "internal/capture/x.go:4: pure: … randomness"},
		{"log", "datasync/x.go", imports("datasync", "log/slog"), "datasync/x.go:4: pure: … log"},
		{"network", "internal/directive/x.go", imports("directive", "net/http"), "internal/directive/x.go:4: pure: … network"},
		{"file", "internal/execute/x.go", imports("execute", "os"), "internal/execute/x.go:4: pure: … file"},
		{"files beside what is handed over", "a2ui/catalog/x.go", imports("catalog", "os"), "a2ui/catalog/x.go:4: pure: … file"},
		{"what is handed to another package", "a2ui/a2a/x.go", imports("a2a", "io/fs"), "a2ui/a2a/x.go:4: pure: … file"},
		{"lock", "internal/recovery/x.go", imports("recovery", "sync/atomic"), "internal/recovery/x.go:4: pure: … lock"},
		{"context", "internal/ingress/x.go", imports("ingress", "context"), "internal/ingress/x.go:4: pure: … context"},
		{"below a pure package", "internal/capture/sheet/x.go", imports("sheet", "log"), "internal/capture/sheet/x.go:4: pure: … log"},
		{"goroutine", "compile/x.go", body("compile", "func f() { go f() }"), "compile/x.go:4: pure: … goroutine"},
		{"select", "compile/x.go", body("compile", "func f() { select {} }"), "compile/x.go:4: pure: … select"},

		{"module without entry", "internal/session/x.go", imports("session", "example.org/novel/pkg"), "internal/session/x.go:4: module: … write an ADR"},
		{"module without entry in a test", "internal/session/x_test.go", imports("session", "example.org/novel/pkg"), "internal/session/x_test.go:4: module: … write an ADR"},
		{"second leaf", "app/x.go", imports("app", "github.com/alecthomas/kong"), "app/x.go:4: module: … only cmd/limn imports it"},
		{"test module", "internal/session/x.go", imports("session", "github.com/google/go-cmp/cmp"), "internal/session/x.go:4: module: … tests only"},

		{"version ==", "compile/x.go", body("compile", "import \"github.com/limn-ui/limn/a2ui\"\n\nfunc f(d int) bool { return d == a2ui.V08 }"), "compile/x.go:6: version: … V08"},
		{"version !=, turned round", "compile/x.go", body("compile", "import a \"github.com/limn-ui/limn/a2ui\"\n\nfunc f(d int) bool { return (a.V091) != d }"), "compile/x.go:6: version: … V091"},
		{"version <", "compile/x.go", body("compile", "import \"github.com/limn-ui/limn/a2ui\"\n\nfunc f(d int) bool { return d < a2ui.V09 }"), "compile/x.go:6: version: … V09"},
		{"version in a switch", "internal/deliver/x.go", body("deliver", "import \"github.com/limn-ui/limn/a2ui\"\n\nfunc f(d int) { switch d { case 7, a2ui.V10RC: } }"), "internal/deliver/x.go:6: version: … V10RC"},
		{"version as text", "internal/deliver/x.go", body("deliver", "func f(s string) bool { return s == \"v0.9\" }"), "internal/deliver/x.go:4: version: … v0.9"},

		{"vague package", "examples/x/util/x.go", body("util", ""), "examples/x/util: shape: … says nothing"},
		{"vague name in a good folder", "examples/x/good/x.go", body("helpers", ""), "examples/x/good/x.go: shape: … says nothing"},
		{"wide line", "examples/x/x.go", body("x", "var a = "+strings.Repeat("1 + ", 40)+"1"), "examples/x/x.go:4: width: … 120 columns"},
		{"no package comment", "examples/x/x.go", "package x\n", "examples/x: shape: … no package comment"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			wantOne(t, planted(map[string]string{c.file: c.source}), c.want)
		})
	}
}

// TestPlantedTogether has the breaches that take more than one file.
func TestPlantedTogether(t *testing.T) {
	t.Parallel()
	doc := func(pkg, rest string) string {
		return "// Package " + pkg + " is planted.\npackage " + pkg + "\n" + rest
	}
	t.Run("undecided module in two packages", func(t *testing.T) {
		t.Parallel()
		wantOne(t, planted(map[string]string{
			"internal/transport/agui/x.go": doc("agui", "\nimport _ \"go.opentelemetry.io/otel\"\n"),
			"internal/transport/a2a/x.go":  doc("a2a", "\nimport _ \"go.opentelemetry.io/otel\"\n"),
		}), "internal/transport/agui/x.go:4: module: … one leaf only")
	})
	t.Run("long chain", func(t *testing.T) {
		t.Parallel()
		files, below := map[string]string{}, ""
		add := func(dir string) {
			files[dir+"/x.go"] = doc(path.Base(dir), below)
			below = "\nimport _ \"" + Module + "/" + dir + "\"\n"
		}
		for _, dir := range []string{"internal/jsonx", "ui", "internal/draft", "internal/prose", "internal/route",
			"internal/capture", "internal/svg", "internal/worksheet", "datasync", "html", "compile"} {
			add(dir)
		}
		if findings := check(t, planted(files)); len(files) != maxChain || len(findings) > 0 {
			t.Errorf("findings in a chain of %d: %v", len(files), findings)
		}
		add("internal/session") // which limn imports, and cmd/limn that
		wantOne(t, planted(files), "cmd/limn: order: 14 packages … cmd/limn → limn (the root) → internal/session → compile → html")
	})
	t.Run("root reaches an adapter through another package", func(t *testing.T) {
		t.Parallel()
		findings := check(t, planted(map[string]string{
			"internal/session/x.go": doc("session", "\nimport _ \"github.com/limn-ui/limn/store/sqlite\"\n")}))
		if len(findings) != 2 {
			t.Fatalf("findings: %v, want the adapter and its SDK", findings)
		}
		for i, want := range []string{"internal/driver/sqlite/d.go:4: order: … reaches the SDK",
			"internal/session/x.go:4: order: … reaches the adapter"} {
			matches(t, findings[i], want)
		}
	})
}

// planted is the sound tree with more files.
func planted(files map[string]string) map[string]string {
	all := maps.Clone(sound)
	maps.Copy(all, files)
	return all
}

func check(t *testing.T, files map[string]string) []Finding {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, source := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(source)}
	}
	tree, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return Check(tree)
}

func wantOne(t *testing.T, files map[string]string, want string) {
	t.Helper()
	findings := check(t, files)
	if len(findings) != 1 {
		t.Fatalf("%d findings, want one: %v", len(findings), findings)
	}
	matches(t, findings[0], want)
}

// matches wants a finding that starts and goes on as "start … part" says.
func matches(t *testing.T, finding Finding, want string) {
	t.Helper()
	start, part, _ := strings.Cut(want, " … ")
	if text := finding.String(); !strings.HasPrefix(text, start) || !strings.Contains(text, part) {
		t.Errorf("finding %q, want %q", text, want)
	}
}

func TestLoadBrokenSource(t *testing.T) {
	t.Parallel()
	if _, err := Load(fstest.MapFS{"x.go": {Data: []byte("package")}}); err == nil {
		t.Error("a file that does not parse loads without an error")
	}
}
