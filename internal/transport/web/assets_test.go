package web_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html/atom"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
)

// get asks for an address with headers, without the client's own gzip.
func get(t *testing.T, s *site, at string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", s.url+at, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "identity")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body io.Reader = resp.Body
	if resp.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(resp.Body); err != nil {
			t.Fatal(err)
		}
	}
	all, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(all)
}

// TestPageNeedsNoBuild: a server of a program that has no bundles has the whole
// HTML page, its script and its style, and offers no drawing that it lacks.
func TestPageNeedsNoBuild(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Assets = fstest.MapFS{} })
	c := s.visitor()
	p, _ := c.browse(c.do("GET", "/", ""))
	var linked []string
	for _, l := range append(p.all(atom.Link, "rel", "stylesheet"), p.all(atom.Link, "rel", "modulepreload")...) {
		linked = append(linked, attr(l, "href"))
	}
	script := attr(p.one(atom.Script, "type", "module"), "src")
	if path.Base(script) != "html.js" || len(linked) < 10 {
		t.Fatalf("script %q, %d files linked", script, len(linked))
	}
	for _, at := range append(linked, script) {
		a, body := get(t, s, at)
		if want := map[string]string{".js": "text/javascript; charset=utf-8",
			".css": "text/css; charset=utf-8"}[path.Ext(at)]; a.StatusCode != 200 ||
			a.Header.Get("Content-Type") != want || body == "" {
			t.Errorf("%s: %d %q, %d bytes", at, a.StatusCode, a.Header.Get("Content-Type"), len(body))
		}
		if got := a.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control %q", at, got)
		}
		if strings.Contains(body, "from './") && !strings.Contains(strings.Join(linked, " "), "page.js") {
			t.Errorf("%s imports what is not linked", at)
		}
	}
	if tabs := p.all(atom.A, "aria-current", "page"); len(tabs) != 0 {
		t.Error("drawings are offered though there is only one")
	}
	if a := c.do("GET", "/c/-?draw=v0.9", ""); a.StatusCode != http.StatusNotAcceptable ||
		!strings.Contains(string(a.body), "not built") {
		t.Errorf("a drawing without its bundle: %d %.300s", a.StatusCode, a.body)
	}
}

// TestAssets: files are compressed where that is accepted, asked about by ETag,
// and only those of the pages are served.
func TestAssets(t *testing.T) {
	t.Parallel()
	s := start(t, withAssets)
	plain, body := get(t, s, "/assets/html.js")
	if plain.StatusCode != 200 || plain.Header.Get("Cache-Control") != "no-cache" ||
		plain.Header.Get("Vary") != "Accept-Encoding" || !strings.Contains(body, "import") {
		t.Errorf("html.js: %d %v %.60s", plain.StatusCode, plain.Header, body)
	}
	for accept, want := range map[string]string{"gzip": "gzip", "br, gzip;q=0.5": "gzip", "*": "gzip", "gzip;q=0": "",
		"br": "", "": ""} {
		a, zipped := get(t, s, "/assets/html.js", "Accept-Encoding", accept)
		if a.Header.Get("Content-Encoding") != want || zipped != body {
			t.Errorf("Accept-Encoding %q: %q, the same %v", accept, a.Header.Get("Content-Encoding"), zipped == body)
		}
		if want == "gzip" && (a.Header.Get("ETag") == plain.Header.Get("ETag") ||
			a.ContentLength*2 > int64(len(body))) {
			t.Errorf("compressed to %d of %d bytes, ETag %s", a.ContentLength, len(body), a.Header.Get("ETag"))
		}
	}
	if a, _ := get(t, s, "/assets/html.js", "If-None-Match", plain.Header.Get("ETag")); a.StatusCode != http.StatusNotModified {
		t.Errorf("asked again with its ETag: %d", a.StatusCode)
	}
	if a, got := get(t, s, "/assets/0123456789abcdef/html.js"); a.Header.Get("Cache-Control") != "no-cache" ||
		got != body {
		t.Errorf("a version of another build: %v", a.Header)
	}
	for _, at := range []string{"/assets/.keep", "/assets/notes.txt", "/assets/sub/secret.js", "/assets/",
		"/assets/globals.d.ts", "/assets/x/.keep"} {
		if a, got := get(t, s, at); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d %.60s", at, a.StatusCode, got)
		}
	}
}

// TestTheme: the style sheet of the application's look follows the page's own, and its
// logo is beside the title.
func TestTheme(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) {
		a, err := app.New(app.Config{Name: "a", Theme: app.Theme{Accent: "#0b6e4f", Logo: "/logo.svg"}})
		if err != nil {
			t.Fatal(err)
		}
		c.App = a
	})
	c := s.visitor()
	p, _ := c.browse(c.do("GET", "/", ""))
	sheets := p.all(atom.Link, "rel", "stylesheet")
	if len(sheets) != 2 || path.Base(attr(sheets[1], "href")) != "theme.css" {
		t.Fatalf("%d style sheets", len(sheets))
	}
	if _, body := get(t, s, attr(sheets[1], "href")); !strings.Contains(body, "--limn-accent: light-dark(#0b6e4f") {
		t.Errorf("the style sheet: %s", body)
	}
	if logo := p.one(atom.Img, "class", "limn-logo"); attr(logo, "src") != "/logo.svg" {
		t.Errorf("the logo is at %q", attr(logo, "src"))
	}
}
