package docsite

import (
	stdcmp "cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/trace"
)

const root = "../.."

// built is the site of this repository. Tests only read it.
var built = sync.OnceValues(fresh)

func build(t *testing.T) map[string]string {
	t.Helper()
	files, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func fresh() (map[string]string, error) {
	files, err := Build(root)
	out := map[string]string{}
	for name, b := range files {
		out[name] = string(b)
	}
	return out, err
}

// TestPages goes from page to page with "next" and meets every document once.
func TestPages(t *testing.T) {
	t.Parallel()
	files := build(t)
	next := regexp.MustCompile(`rel="next" href="([^"]*)"`)
	var met []string
	for at := "index.html"; at != "" && !slices.Contains(met, at); {
		met = append(met, at)
		m := next.FindStringSubmatch(files[at])
		if m == nil {
			break
		}
		at = path.Join(path.Dir(at), m[1])
	}
	for _, pattern := range []string{"docs/*.md", "docs/howto/*.md", "docs/adr/*.md"} {
		list, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, f := range list {
			name, _ := filepath.Rel(root, f)
			if page := (&page{source: name}).target(); !slices.Contains(met, page) {
				t.Errorf("no way leads to %s", page)
			}
		}
	}
	order := strings.Join(met, " ")
	if !strings.HasPrefix(order, "index.html docs/index.html docs/tutorial.html docs/howto/first-app.html") {
		t.Errorf("the order is not that of docs/README.md: %s", order)
	}
}

// TestLinks follows every address of every page.
func TestLinks(t *testing.T) {
	t.Parallel()
	files := build(t)
	links := 0
	for name, text := range files {
		for _, m := range regexp.MustCompile(`(?:href|src)="([^"#]*)(?:#([^"]*))?"`).FindAllStringSubmatch(text, -1) {
			if path.Ext(name) != ".html" || strings.Contains(m[1], ":") {
				continue
			}
			links++
			to := name
			if m[1] != "" {
				to = path.Join(path.Dir(name), m[1])
			}
			if files[to] == "" {
				t.Errorf("%s links to %s, which is not there", name, to)
			} else if m[2] != "" && !strings.Contains(files[to], `id="`+m[2]+`"`) {
				t.Errorf("%s links to %s#%s, which is not there", name, to, m[2])
			}
		}
	}
	if links < 1000 {
		t.Errorf("only %d links are found", links)
	}
}

func TestSameTwice(t *testing.T) {
	t.Parallel()
	again, err := fresh()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(build(t), again); diff != "" {
		t.Errorf("two builds differ (-first +second):\n%s", diff)
	}
}

// TestReference looks up each key, address and directive.
func TestReference(t *testing.T) {
	t.Parallel()
	files := build(t)
	var schema object
	if err := json.Unmarshal(app.FileSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	page := files["docs/reference-app.html"]
	for kind, def := range in(schema, "$defs") {
		for key, is := range in(alternative(def.(object)), "properties") {
			if !strings.Contains(page, "<code>"+key+"</code>") || !strings.Contains(page, `id="`+kind+`"`) {
				t.Errorf("%s of %s is not on the page", key, kind)
			}
			if text, _ := shape(is.(object)); text == "" {
				t.Errorf("%s of %s has no shape in words", key, kind)
			}
		}
	}
	if strings.Contains(page, "map[") || !strings.Contains(page, "the label of its button") {
		t.Error("the page of app.yaml has no sentences, or raw values")
	}

	raw, err := os.ReadFile(filepath.Join(root, "docs/openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var spec object
	if err := yaml.Unmarshal(raw, &spec); err != nil {
		t.Fatal(err)
	}
	for address, of := range in(spec, "paths") {
		for method := range of.(object) {
			title := strings.ToUpper(method) + " " + address + "</h2>"
			if method != "parameters" && !strings.Contains(files["docs/reference-http.html"], title) {
				t.Errorf("no %s", title)
			}
		}
	}
	for _, e := range recovery.Default().All() {
		if page := files["docs/reference-codes.html"]; !strings.Contains(page, "<code>"+string(e.Code)+"</code>") {
			t.Errorf("no code %s", e.Code)
		}
	}
	for _, m := range trace.Specs() {
		if !strings.Contains(files["docs/reference-metrics.html"], string(m.Name)+"</code></td>\n<td>"+m.Help) {
			t.Errorf("no metric %s", m.Name)
		}
	}
	some := []string{"x"}
	for _, d := range directive.PresetDefs(directive.PresetConfig{Forms: some, Tables: some, Maps: some, Views: some,
		Records: some}) {
		if !strings.Contains(files["docs/reference-directives.html"], d.Type+"</h2>") {
			t.Errorf("no directive %s", d.Type)
		}
	}
}

// TestPackages looks up each package that a program may import, and the functions that
// it exports.
func TestPackages(t *testing.T) {
	t.Parallel()
	files := build(t)
	list := exec.Command("go", "list", "-f", `{{.Name}} {{.ImportPath}} {{.Dir}} {{join .GoFiles " "}}`, "./...")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		dir := strings.TrimPrefix(strings.TrimPrefix(f[1], module), "/")
		if f[0] == "main" || regexp.MustCompile("^(cmd|examples)/|(^|/)internal/").MatchString(dir) {
			continue
		}
		pages++
		dir = stdcmp.Or(dir, "limn")
		page := files["docs/go/"+strings.ReplaceAll(dir, "/", "-")+".html"]
		for _, name := range f[3:] {
			code, err := os.ReadFile(filepath.Join(f[2], name))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func ([A-Z]\w*)`).FindAllStringSubmatch(string(code), -1) {
				if !strings.Contains(page, `id="func-`+strings.ToLower(m[1])+`"`) {
					t.Errorf("%s: no func %s", dir, m[1])
				}
			}
		}
		if !strings.Contains(files["docs/go/index.html"], ">"+dir+"</a>") {
			t.Errorf("the list lacks %s", dir)
		}
	}
	if made := len(slices.DeleteFunc(slices.Collect(maps.Keys(files)), func(f string) bool {
		return path.Dir(f) != "docs/go"
	})); pages < 20 || made != pages+1 {
		t.Errorf("%d packages, %d pages and their list", pages, made)
	}
	for page, want := range map[string]string{
		"app":            `app.html#func-app-formfor">App.FormFor</a>`, // a method that a comment names
		"limn":           `href="../../docs/go/app.html`,               // another package of ours
		"store-postgres": `id="func-store-listen"`,                     // a method of what an alias stands for
		"html":           "Example:",
		"a2ui":           `a2ui.html#type-dialect">V10RC</a>`, // a constant, below its type
	} {
		if !strings.Contains(files["docs/go/"+page+".html"], want) {
			t.Errorf("%s: no %q", page, want)
		}
	}
	if !strings.Contains(files["docs/a2ui.html"], `<a href="../docs/go/a2ui.html">package a2ui</a>`) {
		t.Error("a link to doc.go does not lead to the page of the package")
	}
	if strings.Contains(files["docs/go/a2ui.html"], "// Output") {
		t.Error("a2ui: examples contain their output")
	}
}

// TestRefused plants what must fail the build.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, text, want string }{
		{"sound", "docs/yaml.md", "# Yaml", ""},
		{"file", "docs/yaml.md", "# Yaml\n[a](no.md)", "docs/yaml.md links to no.md"},
		{"source", "docs/yaml.md", "# Yaml\n[a](../main.go)", "main.go is no file"},
		{"heading", "docs/yaml.md", "# Yaml\n[a](http.md#no)", "docs/http.md has no heading #no"},
		{"left out", "docs/more.md", "# More", "docs/more.md is not in docs/README.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"README.md": "# A", "web/page/limn.css": ":root {\n}\n",
				"docs/openapi.yaml": "paths: {}",
				"docs/README.md":    "# B\n## Reference\n[](yaml.md) [](http.md) [](directives.md) [](operations.md)", "docs/yaml.md": "# Yaml",
				"docs/http.md": "# HTTP\n## Problems", "docs/operations.md": "# O\n## Metrics", "docs/directives.md": "# D\n## Directives of your own"}
			files[c.file] = c.text
			dir := t.TempDir()
			for name, text := range files {
				to := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, err := Build(dir)
			if got := ""; err != nil {
				got = err.Error()
				if c.want == "" || !strings.Contains(got, c.want) {
					t.Errorf("got %q, want %q", got, c.want)
				}
			} else if c.want != "" {
				t.Errorf("no error, want %q", c.want)
			}
		})
	}
}

// TestSearch asks in a browser, as an address can.
func TestSearch(t *testing.T) {
	t.Parallel()
	browser := stdcmp.Or(os.Getenv("LIMN_CHROMIUM"), "chromium")
	if _, err := exec.LookPath(browser); err != nil {
		t.Skip("install Chromium, or name it in LIMN_CHROMIUM, to search in a browser")
	}
	files := build(t)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, r.URL.Path, time.Time{}, strings.NewReader(files[strings.TrimPrefix(r.URL.Path, "/")]))
	}))
	t.Cleanup(srv.Close)
	for query, want := range map[string]string{
		"idempotency": `<a href="../docs/http.html#idempotency">`,
		"zzzzz":       "Nothing has all of these words.",
	} {
		out, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000",
			"--user-data-dir="+t.TempDir(), "--dump-dom", srv.URL+"/docs/http.html?q="+query).Output()
		if err != nil || !strings.Contains(string(out), want) {
			list := regexp.MustCompile(`(?s)<form.*?</form>`).FindString(string(out))
			t.Errorf("%s: %v, no %s in\n%s", query, err, want, list)
		}
	}
	var index []entry
	if err := json.Unmarshal([]byte(files["search.json"]), &index); err != nil {
		t.Fatal(err)
	}
	pages := map[string]bool{}
	for _, e := range index {
		pages[strings.Split(e.URL, "#")[0]] = true
	}
	for name := range maps.Keys(files) {
		document := strings.HasPrefix(name, "docs/") && path.Ext(name) == ".html" && name != "docs/openapi.yaml.html"
		if document && !pages[name] {
			t.Errorf("the search does not know %s", name)
		}
	}
}
