package limn_test

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// TestREADME holds the program in the README to what runs: it is an example.
func TestREADME(t *testing.T) {
	t.Parallel()
	readme := read(t, "README.md")
	program := read(t, "examples/hello/main.go")
	if _, body, _ := strings.Cut(program, "package main"); !strings.Contains(readme, "package main"+body) {
		t.Error("the program in README.md is not examples/hello/main.go")
	}
}

// documents are the pages that a reader of this repository has.
func documents(t *testing.T) []string {
	t.Helper()
	files := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	for _, pattern := range []string{"docs/*.md", "docs/howto/*.md", "docs/adr/*.md"} {
		list, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	return files
}

// TestLinks follows every relative link of the documents, to its heading too.
func TestLinks(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)]*))?\)`)
	for _, f := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, f), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			target := f
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(f), m[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is not there", f, m[1])
			} else if m[2] != "" && !slices.Contains(headings(read(t, target)), m[2]) {
				t.Errorf("%s links to %s#%s, which has no such heading", f, m[1], m[2])
			}
		}
	}
}

// headings are the anchors of a page, as hosts of Markdown make them.
func headings(page string) (out []string) {
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		out = append(out, strings.ReplaceAll(regexp.MustCompile(`[^\w -]`).ReplaceAllString(strings.ToLower(m[1]), ""),
			" ", "-"))
	}
	return out
}

// elsewhere are paths that look like ours: a package of Go's, and what commands make.
var elsewhere = []string{"html/template", "bench/report.json", "web/node_modules"}

// TestPaths looks up each path in back-ticks that begins with a folder of this
// repository, and after a colon, the function or type in that file.
func TestPaths(t *testing.T) {
	t.Parallel()
	path := regexp.MustCompile("`((?:a2ui|app|bench|bus|cmd|compile|docs|examples|html|internal|llm|mcp|scripts|store|" +
		"testdata|trace|ui|web)/[\\w./*-]+)(?::(\\w+))?`")
	found := 0
	for _, f := range documents(t) {
		for _, m := range path.FindAllStringSubmatch(read(t, f), -1) {
			list, err := filepath.Glob(m[1])
			switch {
			case slices.Contains(elsewhere, m[1]):
			case err != nil || len(list) == 0:
				t.Errorf("%s names %s, which is not there", f, m[1])
			case m[2] != "" && !regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type )`+m[2]+`\b`).MatchString(read(t, m[1])):
				t.Errorf("%s names %s in %s, which is not there", f, m[2], m[1])
			}
			found++
		}
	}
	if found < 60 {
		t.Errorf("only %d paths are found", found)
	}
}

// TestCommands looks for the tests that documents tell to run: each command names one
// that is there.
func TestCommands(t *testing.T) {
	t.Parallel()
	command := regexp.MustCompile("go test ([^`\\n]*?)-run ('[^'`\\n]*'|[\\w/]+)")
	found := 0
	known := map[[2]string][]string{} // the tests of a folder, and of those below it
	for _, f := range documents(t) {
		for _, m := range command.FindAllStringSubmatch(read(t, f), -1) {
			dirs := regexp.MustCompile(`(?:^|\s)\.(?:/([\w/]*\w))?(/\.\.\.)?`).FindAllStringSubmatch(m[1], -1)
			wanted, _, _ := strings.Cut(strings.Trim(strings.ReplaceAll(m[2], `\|`, "|"), "'"), "/")
			if wanted == "^$" || len(dirs) == 0 || dirs[0][1] == "" && dirs[0][2] != "" {
				continue
			}
			found++
			pattern := regexp.MustCompile(wanted)
			if !slices.ContainsFunc(dirs, func(d []string) bool {
				at := [2]string(d[1:])
				if known[at] == nil {
					known[at] = tests(t, d[1], d[2] != "")
				}
				return slices.ContainsFunc(known[at], pattern.MatchString)
			}) {
				t.Errorf("%s: %s names no test", f, m[0])
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d commands are found", found)
	}
}

// tests are the names of the tests in a folder, and in those below it.
func tests(t *testing.T, folder string, below bool) (names []string) {
	t.Helper()
	name := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`)
	err := filepath.WalkDir(cmp.Or(folder, "."), func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && !below && path != cmp.Or(folder, "."):
			return filepath.SkipDir
		case strings.HasSuffix(path, "_test.go"):
			for _, m := range name.FindAllStringSubmatch(read(t, path), -1) {
				names = append(names, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestLanguagesInDocuments: docs/decide.md names each language that has a lexicon, or words that
// submit, in the line about those.
func TestLanguagesInDocuments(t *testing.T) {
	t.Parallel()
	for pattern, about := range map[string]string{
		"internal/prose/lexicon/*.txt": "| numerals, markers, common nouns |",
		"internal/route/verbal/*.txt":  "**All of the message has to be that order**",
	} {
		list := ""
		for line := range strings.Lines(read(t, "docs/decide.md")) {
			if strings.Contains(line, about) {
				list = line + "English" // which knows more than the others
			}
		}
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 || list == "" {
			t.Fatalf("%s: %d files, %v; the line of docs/decide.md about them: %q", pattern, len(files), err, list)
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".txt")
			if name = strings.ToUpper(name[:1]) + name[1:]; !strings.Contains(list, name) {
				t.Errorf("docs/decide.md does not name %s (%s) in the line with %q", name, file, about)
			}
		}
	}
}

// TestCompare keeps the comparison short, and each of its claims with a source.
func TestCompare(t *testing.T) {
	t.Parallel()
	page := read(t, "docs/compare.md")
	if n := len(strings.Fields(page)); n > 900 {
		t.Errorf("%d words, want at most 900", n)
	}
	for _, line := range strings.Split(page, "\n") {
		cells := strings.Split(strings.Trim(line, "|"), " | ")
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| feature") {
			continue
		}
		if len(cells) == 3 && strings.HasPrefix(cells[1], "yes") && !strings.Contains(cells[1], "`go test ") {
			t.Errorf("no command: %s", line)
		}
		if last := cells[len(cells)-1]; !strings.Contains(last, "](https://") && !strings.HasPrefix(last, "–") {
			t.Errorf("no source: %s", line)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTour holds the programs of docs/a2ui.md to examples that run.
func TestTour(t *testing.T) {
	t.Parallel()
	tour := strings.ReplaceAll(read(t, "a2ui/tour_test.go"), "\n\t", "\n") // without the indent of a function
	blocks := regexp.MustCompile("(?s)```go\n(.*?)\n```").FindAllStringSubmatch(read(t, "docs/a2ui.md"), -1)
	if len(blocks) < 7 {
		t.Errorf("%d programs", len(blocks))
	}
	for _, b := range blocks {
		if !strings.Contains(tour, "{\n"+b[1]+"\n}\n") {
			t.Errorf("no example of a2ui/tour_test.go is\n%s", b[1])
		}
	}
}

// TestHowTo holds the programs of pages to what runs: an example, or the agent that limn
// new writes. Indents do not count.
func TestHowTo(t *testing.T) {
	t.Parallel()
	indent := regexp.MustCompile(`(?m)^[ \t]+`)
	for page, source := range map[string]string{
		"howto/action":         "example_test.go",
		"howto/authentication": "example_test.go",
		"howto/test":           "examples/hello/form_test.go",
		"howto/webhook":        "cmd/limn/templates/python/agent.py",
		"embed":                "examples/embed/main.go",
		"tools":                "examples/orders/main.go",
	} {
		blocks := regexp.MustCompile("(?s)```(?:go|python)\n(.*?)\n```").FindAllStringSubmatch(
			read(t, "docs/"+page+".md"), -1)
		if len(blocks) == 0 {
			t.Errorf("%s has no program", page)
		}
		for _, b := range blocks {
			if !strings.Contains(indent.ReplaceAllString(read(t, source), ""), indent.ReplaceAllString(b[1], "")+"\n") {
				t.Errorf("%s: nothing in %s is\n%s", page, source, b[1])
			}
		}
	}
}

// TestDashboardPage runs the commands of docs/howto/dashboard.md: what they publish is
// on the view that its file declares.
func TestDashboardPage(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	page := read(t, "docs/howto/dashboard.md")
	file := regexp.MustCompile("(?s)```yaml sales.yaml\n(.*?)```").FindStringSubmatch(page)
	commands := regexp.MustCompile("(?s)```sh\n(curl .*?)```").FindAllStringSubmatch(page, -1)
	if file == nil || len(commands) != 2 {
		t.Fatalf("%d commands", len(commands))
	}
	a, err := app.Load("sales.yaml", []byte(file[1]))
	if err != nil {
		t.Fatal(err)
	}
	srv, err := limn.New(limn.Config{App: a, DataToken: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(t.Context())
	site := httptest.NewServer(srv.Handler())
	defer site.Close()
	id, err := srv.Service().Create(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"128", "4.5"} {
		cmd := exec.Command("sh", "-c", strings.ReplaceAll(commands[i][1], "http://127.0.0.1:8080", site.URL))
		cmd.Env = append(os.Environ(), "LIMN_DATA_TOKEN=secret", "ID="+id, "no_proxy=*")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		show := &ui.Event{Kind: ui.EventMessage, Text: "show the dashboard"}
		if _, err := srv.Service().Submit(t.Context(), id, "ann", show, time.Minute); err != nil {
			t.Fatal(err)
		}
		h, err := srv.Service().Head(t.Context(), id, "ann")
		if err != nil {
			t.Fatal(err)
		}
		if b, err := ui.Encode(h.State); err != nil || !strings.Contains(string(b), want) || h.State.Surface("view:dashboard") == nil {
			t.Errorf("%v: no view with %s in %s", err, want, b)
		}
	}
}

// TestFetch runs the client of docs/howto/fetch.md on the first application.
func TestFetch(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("install Node.js to run the client of docs/howto/fetch.md")
	}
	dir := t.TempDir()
	for _, page := range []string{"first-app", "fetch"} {
		for _, b := range regexp.MustCompile("(?s)```(?:js|yaml) ([^\n]+)\n(.*?)```").FindAllStringSubmatch(
			read(t, "docs/howto/"+page+".md"), -1) {
			if err := os.WriteFile(filepath.Join(dir, b[1]), []byte(b[2]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	a, err := app.Load("shop.yaml", []byte(read(t, filepath.Join(dir, "shop.yaml"))))
	if err != nil {
		t.Fatal(err)
	}
	srv, err := limn.New(limn.Config{App: a})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(t.Context())
	site := httptest.NewServer(srv.Handler())
	defer site.Close()
	out, err := exec.Command("node", filepath.Join(dir, "talk.mjs"), site.URL).CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "done form:order#e=1" {
		t.Errorf("%v: %s", err, got)
	}
	if n := strings.Count(read(t, filepath.Join(dir, "client.mjs")), "\n"); n > 30 {
		t.Errorf("the client has %d lines, want at most 30", n)
	}
}

// TestPageClient runs the client of docs/howto/page.md: a double click on a button is one call, and a
// message that is sent again with its key is said once.
func TestPageClient(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("install Node.js to run the client of docs/howto/page.md")
	}
	client := regexp.MustCompile("(?s)```js\n// limn.js\n(.*?)```").FindStringSubmatch(read(t, "docs/howto/page.md"))
	if client == nil {
		t.Fatal("the page has no limn.js")
	}
	const program = `
globalThis.EventSource = class {};
const [base] = process.argv.slice(2);
const limn = await openLimn(base, () => {});
const at = base + '/v1/conversations/' + limn.id;
const lost = limn.say('show the board', 'one');
console.log((await lost).event === (await limn.say('show the board', 'one')).event);
await fetch(at + '/messages', { method: 'POST', body: '{"text":"hello"}', headers: { 'content-type': 'application/json', prefer: 'wait=10' } });
const lines = (await (await fetch(at + '/a2ui?version=v0.9')).text()).trim().split('\n').map((line) => JSON.parse(line));
const { surfaceId, components } = lines.map((line) => line.updateComponents).find((u) => u?.surfaceId.startsWith('view:board'));
const { id, action } = components.find((c) => c.component === 'Button');
const model = lines.map((line) => line.updateDataModel).filter((u) => u?.surfaceId === surfaceId);
const context = { ...action.event.context };
for (const [key, value] of Object.entries(context)) {
  if (value?.path) context[key] = value.path.split('/').slice(1).reduce((data, part) => data?.[part], model.find((u) => !u.path || u.path === '/').value);
}
const click = { version: 'v0.9', action: { name: action.event.name, surfaceId, sourceComponentId: id, timestamp: new Date().toISOString(), context } };
const later = { ...click, action: { ...click.action, timestamp: new Date(Date.now() + 200).toISOString() } };
await Promise.all([limn.act(click), limn.act(later)]);
`
	file := filepath.Join(t.TempDir(), "limn.mjs")
	if err := os.WriteFile(file, []byte(client[1]+program), 0o600); err != nil {
		t.Fatal(err)
	}
	var calls atomic.Int32
	a, err := app.Load("board.yaml", []byte(`name: shop
views:
  - {name: board, title: Board, nodes: [{button: {action: order, label: Order}}]}
actions:
  - {name: order, handler: order}
`), app.Handle("order", func(context.Context, app.Call) (app.Result, error) {
		calls.Add(1)
		return app.Result{Text: "Ordered."}, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	srv, err := limn.New(limn.Config{App: a, Authenticate: func(*http.Request) (string, error) { return "ann", nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(t.Context())
	site := httptest.NewServer(srv.Handler())
	defer site.Close()
	out, err := exec.Command("node", file, site.URL).CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "true" || calls.Load() != 1 {
		t.Errorf("%v: %s, %d calls", err, got, calls.Load())
	}
}

// TestRecordsPage holds docs/records.md to what runs: its program is an example, its
// declaration loads, and its address finds what the program saved.
func TestRecordsPage(t *testing.T) {
	t.Parallel()
	page := read(t, "docs/records.md")
	block := func(kind string) string {
		_, rest, _ := strings.Cut(page, "```"+kind+"\n")
		text, _, ok := strings.Cut(rest, "```")
		if !ok {
			t.Fatalf("no block %s", kind)
		}
		return text
	}
	examples := strings.ReplaceAll(read(t, "example_test.go"), "\n\t\t", "\n") // without the indent of a block
	if !strings.Contains(examples, block("go")) {
		t.Error("the program is not ExampleServer_Records")
	}
	srv, err := limn.New(limn.Config{App: customers(block("yaml")),
		Authenticate: func(*http.Request) (string, error) { return "ann", nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(t.Context())
	_, err = srv.Records().Put(t.Context(), app.Record{Name: "customer", Owner: "ann",
		Values: ui.Map(ui.Pair{Key: "company", Value: ui.String("Acme")}, ui.Pair{Key: "stage", Value: ui.String("Lead")})})
	if err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile("`GET (/v1/records/customer[^`]+)`").FindStringSubmatch(page)[1]
	for _, more := range []string{"", "&format=csv", "&format=xlsx", "&format=json"} {
		rec := httptest.NewRecorder()
		srv.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, address+more, nil))
		found := strings.Contains(rec.Body.String(), "Acme") || more == "&format=xlsx" // which is packed
		if rec.Code != http.StatusOK || !found {
			t.Errorf("%s: %d %s", address+more, rec.Code, rec.Body)
		}
	}
}
