package web

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/locale"
	"github.com/limn-ui/limn/ui"
)

//go:embed page/*.gohtml
var pageFiles embed.FS

// pages are the templates of all pages. Each page has the methods of site.
var pages = template.Must(template.ParseFS(pageFiles, "page/*.gohtml"))

// site holds what every page has: the app's words and the addresses of files.
type site struct {
	words  ui.Words
	assets *assets
	prefix string // of all addresses
}

// language returns the language of the app that a request prefers.
func (s *answers) language(r *http.Request) string {
	return locale.Prefer(r.Header.Get("Accept-Language"), s.cfg.Service.App().Config().Languages)
}

// said is the site in a language of the app.
func (s *answers) said(language string) *site {
	other := *s.site
	other.words = s.cfg.Service.App().In(language).Config().Words
	return &other
}

// saidTo is the site in the language that a request prefers.
func (s *answers) saidTo(r *http.Request) *site { return s.said(s.language(r)) }

// saidIn is the site in the language of a conversation. One in which nothing was said yet
// has that of the request.
func (s *answers) saidIn(st *ui.State, r *http.Request) *site {
	if st.Router.Language == "" && len(st.Transcript) == 0 {
		return s.saidTo(r)
	}
	return s.said(st.Router.Language)
}

// Direction is how the language of the site is written: ltr or rtl.
func (s *site) Direction() string { return locale.Direction(s.Word("page.lang")) }

// at returns an address of this server as clients write it.
func (s *site) at(path string) string { return s.prefix + path }

// conversationAt returns the address of the page of a conversation.
func (s *site) conversationAt(id string) string { return s.at("/c/" + url.PathEscape(id)) }

// Word returns one of the app's words.
func (s *site) Word(key string, pairs ...string) string { return s.words.Say(key, pairs...) }

// date is a time in UTC, in the app's form and with its names of months.
func (s *site) date(t time.Time) string { return s.words.Date(t) }

// around is a sentence of the app with an element in place of {list}.
type around struct{ Before, After string }

// Around returns the parts before and after {list} in one of the app's words.
func (s *site) Around(key string, pairs ...string) around {
	before, after, _ := strings.Cut(s.Word(key, pairs...), "{list}")
	return around{before, after}
}

// Script loads the script of the page that takes a file.
func (s *site) Script() template.HTML { return s.assets.script(uploadScript) }

// scriptWords is the prefix of the keys of the scripts' sentences.
const scriptWords = "script."

// ScriptWords returns the sentences of the page scripts, by key, as JSON.
func (s *site) ScriptWords() (string, error) {
	said := map[string]string{}
	for key := range ui.DefaultWords() {
		if name, ok := strings.CutPrefix(key, scriptWords); ok {
			said[name] = s.Word(key)
		}
	}
	b, err := json.Marshal(said)
	return string(b), err
}

// ProcessWords returns the sentences of the editor of processes, by the names it knows, as JSON.
func (s *site) ProcessWords() (string, error) {
	said := map[string]string{}
	for name, key := range builtin.ComponentWords("ProcessMap") {
		said[name] = s.Word(key)
	}
	b, err := json.Marshal(said)
	return string(b), err
}

// head is the part of a page before its body.
type head struct {
	*site
	Title  string
	script string // "" for a page without one
}

// Head links the style sheet and the script.
func (h head) Head() template.HTML { return h.assets.head(h.script) }

// writePage writes a page. No cache keeps it: its content is private and current.
func writePage(w http.ResponseWriter, status int, name string, page any) error {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name+".gohtml", page); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // a client that is gone reads nothing
	return nil
}

// regenerateButton is a form whose button renders a surface again.
type regenerateButton struct {
	Action, Target, Label string
	Surface               ui.Name
}
