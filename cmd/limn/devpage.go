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

// around adds the script that shows them to the pages of a server.
func (p *problems) around(prefix string, hosts []string) func(http.Handler) http.Handler {
	script := fmt.Sprintf("<script type=\"module\" src=\"%s%sdev.js\"></script>\n", prefix, devPath)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			at := strings.TrimPrefix(r.URL.Path, prefix)
			name, own := strings.CutPrefix(at, devPath)
			switch {
			case own && !ofHost(hosts, r.Host): // a page of another site
				http.NotFound(w, r)
			case own && name == "problems":
				p.write(w)
			case own && name != "dev.js" && name != "dev.css":
				http.NotFound(w, r)
			case own:
				http.ServeFileFS(w, r, devFiles, "devpage/"+name)
			case r.Method != http.MethodHead && strings.HasPrefix(at, "/c/"):
				page := &devWriter{ResponseWriter: w}
				next.ServeHTTP(page, r)
				if page.whole {
					io.WriteString(w, script) //nolint:errcheck // the browser is gone
				}
			default:
				next.ServeHTTP(w, r)
			}
		})
	}
}

// ofHost reports a request for one of the hosts; none: any.
func ofHost(hosts []string, asked string) bool {
	if host, _, err := net.SplitHostPort(asked); err == nil {
		asked = host
	}
	return len(hosts) == 0 || slices.Contains(hosts, strings.Trim(asked, "[]"))
}

func (p *problems) write(w http.ResponseWriter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
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
