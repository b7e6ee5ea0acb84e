package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"html"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// assets are the files of the pages. Each is served at /assets/{version}/{name},
// for ever the same, and at /assets/{name}, to be asked about again.
type assets struct {
	prefix  string // of all addresses
	version string // of all files together: a module imports others beside it
	files   map[string]*asset
}

// asset is one file.
type asset struct {
	body   []byte
	mime   string
	etag   string
	zipped func() []byte // gzip, made once
}

// assetTypes are the files that are served, by their extension.
var assetTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml"}

// mainSheet is the style sheet of all pages, inspectSheet that of the inspector, which has
// names of files that begin so.
const (
	mainSheet    = "limn.css"
	inspectSheet = "inspect.css"
	inspectFiles = "inspect"
)

// themeSheet is the style sheet of the application's theme, where it has one.
const themeSheet = "theme.css"

// newAssets reads the files of all sources; the first that has a name counts.
func newAssets(theme string, sources ...fs.FS) (*assets, error) {
	a := &assets{files: map[string]*asset{}}
	if theme != "" {
		a.add(themeSheet, []byte(theme))
	}
	for _, source := range sources {
		if source == nil {
			continue
		}
		entries, err := fs.ReadDir(source, ".")
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			name := entry.Name()
			served := assetTypes[path.Ext(name)] != "" && !strings.HasPrefix(name, ".") && !entry.IsDir()
			if !served || a.files[name] != nil {
				continue
			}
			body, err := fs.ReadFile(source, name)
			if err != nil {
				return nil, err
			}
			a.add(name, body)
		}
	}
	all := sha256.New()
	for _, name := range a.names() {
		io.WriteString(all, name+a.files[name].etag+"\n")
	}
	a.version = hex.EncodeToString(all.Sum(nil)[:8])
	return a, nil
}

func (a *assets) add(name string, body []byte) {
	sum := sha256.Sum256(body)
	a.files[name] = &asset{body: body, mime: assetTypes[path.Ext(name)],
		etag:   `"` + hex.EncodeToString(sum[:8]) + `"`,
		zipped: sync.OnceValue(func() []byte { return gzipped(body) })}
}

func gzipped(body []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid, and a Buffer takes everything
	w.Write(body)
	w.Close()
	return b.Bytes()
}

func (a *assets) names() []string {
	return slices.Sorted(maps.Keys(a.files))
}

func (a *assets) has(name string) bool { return a.files[name] != nil }

// script loads one script by itself.
func (a *assets) script(name string) template.HTML {
	return template.HTML(`<script type="module" src="` + a.at(name) + `"></script>`)
}

// head links the files of a page with that script: the style sheet, the script, and the
// modules it imports, so that they do not load one after the other.
func (a *assets) head(script string) template.HTML {
	out := `<link rel="icon" href="data:,">` // else browsers ask for a file that is not there
	for _, address := range a.sheets() {
		out += `<link rel="stylesheet" href="` + address + `">`
	}
	if script == "" {
		return template.HTML(out)
	}
	if script == pageScript {
		for _, name := range a.names() {
			others := []string{script, uploadScript, embedScript, operatorScript}
			apart := slices.Contains(others, name) || isBundle(name) || strings.HasPrefix(name, inspectFiles)
			if path.Ext(name) == ".js" && !apart {
				out += `<link rel="modulepreload" href="` + a.at(name) + `">`
			}
		}
	}
	return template.HTML(out) + a.script(script)
}

// sheets are the addresses of the style sheets of every page.
func (a *assets) sheets() (list []string) {
	for _, name := range []string{mainSheet, themeSheet} {
		if a.has(name) {
			list = append(list, a.at(name))
		}
	}
	return list
}

// sheet links one more style sheet.
func (a *assets) sheet(name string) template.HTML {
	return template.HTML(`<link rel="stylesheet" href="` + a.at(name) + `">`)
}

// at is the address of a file.
func (a *assets) at(name string) string {
	return a.prefix + "/assets/" + a.version + "/" + html.EscapeString(name)
}

// asset serves a file of the pages.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	file := s.assets.files[name]
	if file == nil {
		return &ui.Error{Code: recovery.CodeNotFound, Message: "no such file"}
	}
	h := w.Header()
	h.Set("Content-Type", file.mime)
	h.Set("ETag", file.etag)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if name == embedScript { // pages of others load it
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
	if r.PathValue("version") == s.assets.version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	body := file.body
	if acceptsGzip(r.Header.Get("Accept-Encoding")) {
		if z := file.zipped(); len(z) < len(body) {
			body = z
			h.Set("Content-Encoding", "gzip")
			h.Set("ETag", strings.TrimSuffix(file.etag, `"`)+`-gz"`)
		}
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
	return nil
}

// acceptsGzip reads an Accept-Encoding header: gzip or * with no weight of 0.
func acceptsGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		coding, params, _ := strings.Cut(part, ";")
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip", "*":
			_, q, err := mime.ParseMediaType("x/x;" + params)
			if params == "" || err == nil && strings.Trim(q["q"], "0.") != "" ||
				errors.Is(err, mime.ErrInvalidMediaParameter) {
				return true
			}
		}
	}
	return false
}
