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
)

const root = "../.."

// built is the site, which the tests share.
var built = sync.OnceValues(build)

func build() (map[string]string, error) {
	files, err := Build(root)
	out := map[string]string{}
	for name, b := range files {
		out[name] = string(b)
	}
	return out, err
}

func whole(t *testing.T) map[string]string {
	t.Helper()
	files, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestPages goes from page to page with "next" and meets every document once.
func TestPages(t *testing.T) {
	t.Parallel()
	files := whole(t)
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
	files := whole(t)
	links := 0
	address := regexp.MustCompile(`(?:href|src)="([^"#]*)(?:#([^"]*))?"`)
	for name, text := range files {
		if path.Ext(name) != ".html" {
			continue
		}
		for _, m := range address.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], ":") {
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
	again, err := build()
	if diff := cmp.Diff(whole(t), again); diff != "" || err != nil {
		t.Errorf("two builds differ (-first +second), %v:\n%s", err, diff)
	}
}

// TestReference looks up each key, address and directive.
func TestReference(t *testing.T) {
	t.Parallel()
	files := whole(t)
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
	some := []string{"x"}
	for _, d := range directive.PresetDefs(directive.PresetConfig{Forms: some, Tables: some, Maps: some, Views: some,
		Records: some}) {
		if !strings.Contains(files["docs/reference-directives.html"], d.Type+"</h2>") {
			t.Errorf("no directive %s", d.Type)
		}
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
				"docs/README.md":    "# B\n## Reference\n[](yaml.md) [](http.md) [](directives.md)", "docs/yaml.md": "# Yaml",
				"docs/http.md": "# HTTP", "docs/directives.md": "# D\n## Directives of your own"}
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
	files := whole(t)
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
