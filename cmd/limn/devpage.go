package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

//go:embed devpage
var devFiles embed.FS

// devPath is where pages find what only limn dev has.
const devPath = "/limn-dev/"

// problems are those of the file that limn dev watches. Its pages ask for them.
type problems struct {
	mu   sync.Mutex
	list []problem // of the file as it is; nil: none
}

// problem is one of them, for people.
type problem struct {
	File    string `json:"file"`
	At      string `json:"at"` // with the line and the column
	Message string `json:"message"`
	Line    string `json:"line,omitempty"` // of the file, with the caret below it
	Caret   int    `json:"caret"`          // characters before it
	Hint    string `json:"hint,omitempty"`
}

// set replaces them by those of a file that was read.
func (p *problems) set(list []finding, data []byte) {
	shown := []problem{}
	for _, f := range list {
		f.File = filepath.Base(f.File)
		one := problem{File: f.File, At: f.place(), Message: f.Message, Hint: f.Hint}
		one.Line, one.Caret, _ = f.excerpt(data, 100)
		shown = append(shown, one)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = shown
}

func devScript(prefix string) string {
	return fmt.Sprintf("<script type=\"module\" src=\"%s%sdev.js\"></script>\n", prefix, devPath)
}

// waiting answers with a page that shows them, and opens the requested page as soon as it
// is there.
func (p *problems) waiting(prefix string, hosts []string) http.Handler {
	page := "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>limn dev</title>" +
		"<body data-limn-waiting>" + devScript(prefix)
	return p.serve(prefix, hosts, http.StatusServiceUnavailable,
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Cache-Control", "no-store")
			w.WriteHeader(http.StatusServiceUnavailable)
			io.WriteString(w, page) //nolint:errcheck // the browser is gone
		}))
}

// around adds the script that shows them to the pages of a server.
func (p *problems) around(prefix string, hosts []string) func(http.Handler) http.Handler {
	script := devScript(prefix)
	return func(next http.Handler) http.Handler {
		return p.serve(prefix, hosts, http.StatusOK, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodHead || !strings.HasPrefix(strings.TrimPrefix(r.URL.Path, prefix), "/c/") {
				next.ServeHTTP(w, r)
				return
			}
			page := &devWriter{ResponseWriter: w}
			next.ServeHTTP(page, r)
			if page.whole {
				io.WriteString(w, script) //nolint:errcheck // the browser is gone
			}
		}))
	}
}

// serve answers what pages ask of limn dev; next has the other addresses.
func (p *problems) serve(prefix string, hosts []string, status int, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, own := strings.CutPrefix(strings.TrimPrefix(r.URL.Path, prefix), devPath)
		switch {
		case !own:
			next.ServeHTTP(w, r)
		case !ofHost(hosts, r.Host): // a page of another site
			http.NotFound(w, r)
		case name == "problems":
			p.write(w, status)
		case name == "dev.js", name == "dev.css":
			http.ServeFileFS(w, r, devFiles, "devpage/"+name)
		default:
			http.NotFound(w, r)
		}
	})
}

// ofHost reports a request for one of the hosts; none: any.
func ofHost(hosts []string, asked string) bool {
	if host, _, err := net.SplitHostPort(asked); err == nil {
		asked = host
	}
	return len(hosts) == 0 || slices.Contains(hosts, strings.Trim(asked, "[]"))
}

func (p *problems) write(w http.ResponseWriter, status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(p.list) //nolint:errcheck // the browser is gone
}

// devWriter finds out whether a whole page is written.
type devWriter struct {
	http.ResponseWriter
	begun, whole bool
}

// Write implements io.Writer.
func (d *devWriter) Write(b []byte) (int, error) {
	if !d.begun {
		d.begun, d.whole = true, bytes.HasPrefix(b, []byte("<!doctype html>"))
	}
	return d.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (d *devWriter) Unwrap() http.ResponseWriter { return d.ResponseWriter }
