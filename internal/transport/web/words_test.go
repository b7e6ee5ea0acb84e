package web_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	demo "github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/internal/scenario"
	"github.com/limn-ui/limn/ui"
	browser "github.com/limn-ui/limn/web"
)

// marked puts a text between marks, as a translation of it.
func marked(text string) string {
	if text == "" {
		return ""
	}
	return "⟦" + text + "⟧"
}

// markedApp is the application of these tests and of the scenarios, every text of it and every word of
// Limn between marks; with a language the words of that language.
func markedApp(t *testing.T, language string) *app.App {
	t.Helper()
	a, err := demo.App()
	if err != nil {
		t.Fatal(err)
	}
	cfg := a.Config()
	words := ui.Words{}
	for key, word := range ui.DefaultWords() {
		if words[key] = marked(word); key == "page.date" || key == "page.lang" {
			words[key] = word
		}
	}
	months := strings.Fields(words["page.months"][len("⟦") : len(words["page.months"])-len("⟧")])
	for i := range months {
		months[i] = marked(months[i])
	}
	words["page.months"] = strings.Join(months, " ")
	if cfg.Words, cfg.Languages = words, nil; language != "" {
		cfg.Words, cfg.Languages, cfg.Translations = nil, []string{"en", language}, map[string]ui.Words{language: words}
	}
	cfg.Title, cfg.Suggestions = marked(cfg.Title), []string{marked("add a customer")}
	cfg.Forms, cfg.Tables, cfg.Maps = slices.Clone(cfg.Forms), slices.Clone(cfg.Tables), slices.Clone(cfg.Maps)
	for i := range cfg.Forms {
		f := &cfg.Forms[i]
		f.Title, f.Help, f.Submit, f.Done = marked(f.Title), marked(f.Help), marked(f.Submit), marked(f.Done)
		f.Fields = markedFields(f.Fields)
	}
	for i := range cfg.Tables {
		c := &cfg.Tables[i]
		c.Title, c.Help, c.Columns = marked(c.Title), marked(c.Help), markedFields(c.Columns)
	}
	for i := range cfg.Maps {
		m := &cfg.Maps[i]
		m.Title, m.Help = marked(m.Title), marked(m.Help)
	}
	if a, err = app.New(cfg); err != nil {
		t.Fatal(err)
	}
	return a
}

func markedFields(fields []ui.Field) []ui.Field {
	fields = slices.Clone(fields)
	for i := range fields {
		f := &fields[i]
		f.Label, f.Help, f.Placeholder = marked(f.Title()), marked(f.Help), marked(f.Placeholder)
		f.Options = slices.Clone(f.Options)
		for j := range f.Options {
			f.Options[j].Label = marked(cmp.Or(f.Options[j].Label, f.Options[j].Value))
		}
	}
	return fields
}

// userData is what people wrote themselves: its elements are not looked at.
var userData = regexp.MustCompile(`\blimn-user\b`)

// seenAttributes are the attributes that people see or hear.
var seenAttributes = []string{"aria-label", "aria-valuetext", "aria-description", "placeholder", "title", "alt",
	"data-label", "data-large", "data-empty", "label"}

// unmarked lists the texts of a page that are not between marks.
func unmarked(t *testing.T, page string) (found []string) {
	t.Helper()
	root, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(false))
	if err != nil {
		t.Fatal(err)
	}
	depth := 0
	outside := func(text string, depth *int) string {
		return strings.Map(func(r rune) rune {
			switch {
			case r == '⟦':
				*depth++
			case r == '⟧':
				*depth--
			case *depth > 0:
			case unicode.IsLetter(r) || r == ' ':
				return r
			}
			return -1
		}, text)
	}
	add := func(where, text string, depth *int) {
		if left := strings.TrimSpace(outside(text, depth)); left != "" {
			found = append(found, where+": "+strings.TrimSpace(text))
		}
	}
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			add(n.Parent.Data, n.Data, &depth)
			return
		}
		for _, a := range n.Attr {
			if a.Key == "class" && userData.MatchString(a.Val) || a.Key == "id" && a.Val == "limn-noise" {
				return
			}
			own := 0
			if slices.Contains(seenAttributes, a.Key) || a.Key == "data-words" && n.Data != "body" {
				add(n.Data+" "+a.Key, a.Val, &own)
			}
		}
		if n.Data == "script" || n.Data == "style" || n.Data == "code" { // a code, or a pattern of the user
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return found
}

// TestUnmarked: the test finds what is not a word of ui.Words.
func TestUnmarked(t *testing.T) {
	t.Parallel()
	const page = `<p title="⟦a⟧">⟦b <a>c</a> d⟧ 12 <b aria-label="Loose">–</b> word</p><li class="limn-user">mine</li>`
	if found := unmarked(t, page); !slices.Equal(found, []string{"b aria-label: Loose", "p: word"}) {
		t.Errorf("%q", found)
	}
}

// proper are the names of products and of formats, which no language translates.
var proper = regexp.MustCompile(`^a: (HTML|CSV|XLSX|JSON|A2UI v[0-9.]+)$|^option: English$`)

// TestEverySentenceIsAWord looks at the pages of an application of which every text,
// and every word of Limn, is between marks: nothing else is to be seen.
func TestEverySentenceIsAWord(t *testing.T) {
	t.Parallel()
	t.Run("words of the app", func(t *testing.T) { t.Parallel(); everySentence(t, "") })
	t.Run("another language", func(t *testing.T) { t.Parallel(); everySentence(t, "nl") })
}

// speaking asks in a language.
type speaking struct {
	http.RoundTripper
	language string
}

func (s speaking) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.language != "" && r.Header.Get("Accept-Language") == "" {
		r = r.Clone(r.Context())
		r.Header.Set("Accept-Language", s.language)
	}
	return s.RoundTripper.RoundTrip(r)
}

func everySentence(t *testing.T, language string) {
	a := markedApp(t, language)
	speaker := func(c *client) *client {
		c.HTTP.Transport = speaking{c.HTTP.Transport, language}
		return c
	}
	s := start(t, withAssets, func(c *limn.Config) { c.App = a })
	look := func(where string, c *client, path string, said ...string) {
		got := c.do("GET", path, "", "Accept", "text/html")
		for _, text := range unmarked(t, string(got.body)) {
			if !proper.MatchString(text) && !quoted(text, said) {
				t.Errorf("%s: %s", where, text)
			}
		}
	}
	for _, sc := range scenarios(t) {
		c := speaker(s.program())
		look("a new conversation", c, "/c/-")
		for i, said := range sc.said {
			c.say(said)
			look(fmt.Sprintf("%s, message %d", sc.name, i+1), c, "/c/-", sc.said...)
		}
		for _, sf := range c.state().Surfaces {
			c.post("/c/-/actions", url.Values{"limn_surface": {sf.WireID()}, "limn_nonce": {sf.Nonce},
				"limn_component": {"main/!submit"}})
		}
		look(sc.name+", submitted", c, "/c/-", sc.said...)
	}
	c := speaker(s.program())
	preferences(t, c)
	c.say("upload a character")
	look("a page for a file", c, "/c/-/upload?surface=form:character%23e=1&path=/draft/card")
	look("preferences", c, "/c/-/preferences")
	look("conversations", c, "/conversations", "upload a character")
	look("a search for conversations", c, "/conversations?q=nothing+of+the+kind", "nothing of the kind")
	look("records", c, "/records")
	look("delete", c, "/c/-/delete", "upload a character")
	look("A2UI", c, "/c/-?draw=v0.9")
	for where, path := range map[string]string{"no address": "/nothing", "no conversation": "/c/none",
		"no drawing": "/c/-?draw=v7", "no field": "/c/-/upload?surface=form:none%23e%3D1&path=/draft/a",
		"no cursor": "/c/-?draw=v1.0"} {
		look(where, c, path)
	}
	if got := c.do("POST", "/v1/-/end", ""); got.StatusCode != http.StatusNoContent {
		t.Fatalf("end: %d", got.StatusCode)
	}
	look("an ended conversation", c, "/c/-")
	got := c.post("/c/-/messages", url.Values{"text": {"hello"}})
	for _, text := range unmarked(t, string(got.body)) {
		t.Errorf("a message after the end: %s", text)
	}
	got = c.post("/c/-/actions", url.Values{"limn_surface": {"?"}})
	for _, text := range unmarked(t, string(got.body)) {
		t.Errorf("a bad form: %s", text)
	}
}

// quoted reports a text of which every word outside of marks begins one that the user said: "Approve"
// is made of "approves".
func quoted(text string, said []string) bool {
	words := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
	}
	known := words(strings.Join(said, " "))
	_, text, _ = strings.Cut(regexp.MustCompile("⟦[^⟦⟧]*⟧").ReplaceAllString(text, ""), ": ")
	for _, word := range words(text) {
		if !slices.ContainsFunc(known, func(k string) bool { return strings.HasPrefix(k, word) }) {
			return false
		}
	}
	return true
}

// preferences sets what the panel can show.
func preferences(t *testing.T, c *client) {
	t.Helper()
	for _, form := range []url.Values{
		{"limn_set": {"opt_out"}, "data_table": {"never"}, "process_map": {"once"}},
		{"limn_set": {"rule"}, "action": {"force_tool"}, "tool": {ui.ToolTable}, "words": {"risk"}},
		{"limn_set": {"rule"}, "action": {"suppress_tool"}, "tool": {ui.ToolMap}, "words": {"r[iu]sk"}, "regexp": {"on"}},
	} {
		c.post("/c/-/preferences", form)
	}
}

// TestTranslated: a problem says to people what the app does, and to programs what it did before.
func TestTranslated(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.App = markedApp(t, "") })
	var p struct{ Title, Detail, Message string }
	s.program().do("GET", "/v1/conversations/none/state", "").into(t, &p)
	if want := marked("We couldn’t find this page."); p.Title != want || p.Message != want ||
		p.Detail != "no such conversation" {
		t.Errorf("%+v", p)
	}
}

// told is what the user says in a scenario.
type told struct {
	name string
	said []string
}

func scenarios(t *testing.T) (list []told) {
	t.Helper()
	corpus, err := scenario.Load("../../../testdata/scenario")
	if err != nil {
		t.Fatal(err)
	}
	for _, sc := range corpus {
		one := told{name: sc.Name}
		for _, step := range sc.Steps {
			var e struct{ Message string }
			if json.Unmarshal(step.Event, &e) == nil && e.Message != "" {
				one.said = append(one.said, e.Message)
			}
		}
		list = append(list, one)
	}
	return append(list, told{"without a model", []string{"help", "hello", "thanks", "never mind", "bye"}},
		told{"risks", []string{"We have 12 risks to record", "cancel", "undo"}},
		told{"vendors", []string{"We have 30 vendors across teams", "We have 15 requirements to capture"}},
		told{"pasted", []string{"Here are our tasks:\n- one\n- two\n- three\n- four", "cancel"}},
		told{"preferences", []string{"don't show me tables any more", "yes", "what can you do"}})
}

// sentence is a literal of a script that a person could read: a capital and small letters, or several words.
var sentence = regexp.MustCompile(
	`^[A-Z][a-z]+( .*|…|\.)?$|^[a-zA-Z]+( [a-z]+)+[.…]?$|[a-z]{2,} \$\{|\} [a-z]{2,}`)

// notSeen are the literals of that form that no person reads: names of the platform.
var notSeen = []string{"Accept", "Enter", "Files", "ArrowRight", "ArrowLeft", "Home", "End", "Escape", "Tab", "Slider"}

// TestScriptsSayWords: what the scripts of the pages say is in ui.Words.
func TestScriptsSayWords(t *testing.T) {
	t.Parallel()
	comment := regexp.MustCompile(`(?m)/\*(?s:.*?)\*/|(^|\s)//.*$`)
	literal := regexp.MustCompile("'([^'\\n]*)'|\"([^\"\\n]*)\"|`([^`]*)`")
	used := regexp.MustCompile(`\bword\('([a-z._]+)'`)
	scripts := map[string]string{}
	names, err := fs.Glob(browser.Page(), "*.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasPrefix(name, "inspect") { // for developers, in English: ADR 61
			continue
		}
		b, err := fs.ReadFile(browser.Page(), name)
		if err != nil {
			t.Fatal(err)
		}
		scripts[name] = string(b)
	}
	for _, name := range []string{"host.ts", "label.ts", "surface08.ts", "surface09.ts", "v08.ts", "v09.ts"} {
		b, err := os.ReadFile("../../../web/src/" + name)
		if err != nil {
			t.Fatal(err)
		}
		scripts[name] = string(b)
	}
	words := ui.DefaultWords()
	for name, text := range scripts {
		text = comment.ReplaceAllString(text, "")
		for line := range strings.Lines(text) {
			if strings.Contains(line, "querySelector") || strings.Contains(line, "throw ") ||
				strings.Contains(line, "note({") {
				continue // a selector, or for the console
			}
			for _, m := range literal.FindAllStringSubmatch(line, -1) {
				if said := m[1] + m[2] + m[3]; sentence.MatchString(said) && !slices.Contains(notSeen, said) {
					t.Errorf("%s says %q, which is not in ui.Words", name, said)
				}
			}
		}
		for _, m := range used.FindAllStringSubmatch(text, -1) {
			if _, ok := words["script."+m[1]]; !ok {
				t.Errorf("%s: there is no word script.%s", name, m[1])
			}
		}
	}
}

// TestLanguages: who begins a conversation decides in which language it is, and it stays in that; other
// pages are in that of each request.
func TestLanguages(t *testing.T) {
	t.Parallel()
	s := start(t)
	german, english := s.program(), s.program()
	german.HTTP.Transport = speaking{german.HTTP.Transport, "de-AT, en;q=0.5"}
	look := func(c *client, path, language, lang, says string) {
		t.Helper()
		got := c.do("GET", path, "", "Accept", "text/html", "Accept-Language", language)
		if page := string(got.body); !strings.Contains(page, `<html lang="`+lang+`" dir="ltr">`) ||
			!strings.Contains(page, says) {
			t.Errorf("%s in %q: want %s and %q in\n%s", path, language, lang, says, page)
		}
	}
	look(english, "/c/-", "fr", "fr", "Nouvelle conversation")
	german.say("add a customer")
	english.say("add a customer")
	if got := german.state().Transcript[1].Text; got != "Hier ist das Formular." {
		t.Errorf("said %q", got)
	}
	if got := english.state().Transcript[1].Text; got != "Here is the form." {
		t.Errorf("said %q", got)
	}
	look(german, "/c/-", "en", "de", "Neues Gespräch")
	look(english, "/c/-", "de", "en", "New conversation")
	look(english, "/conversations", "ja", "ja", "会話")
	look(german, "/c/-/share", "en", "de", "Teilen")
	look(english, "/c/-/share", "de", "en", "Share")
	look(s.visitor(), "/c/"+german.ID+"/join/"+german.share(`{"access":"read"}`).token(), "ja", "ja", "会話")
	p := german.do("GET", "/c/-", "").page(t)
	form := p.form("/c/" + german.ID + "/actions")
	german.post(attr(form, "action"), p.press(form, "Absenden", p.values(form)), "Accept-Language", "en")
	look(german, "/c/-", "en", "de", "muss ausgefüllt sein")
	drawn := string(german.do("GET", "/v1/-/a2ui?version=v0.9", "").body)
	if !strings.Contains(drawn, "Bitte prüfen Sie") || strings.Contains(drawn, "Please check") {
		t.Errorf("%s", drawn)
	}
	if strings.Contains(string(german.do("GET", "/c/-", "").body), "Préférences") {
		t.Error("French before it was chosen")
	}
	german.post("/c/-/preferences", url.Values{"limn_set": {"language"}, "language": {"fr"}})
	look(german, "/c/-", "de", "fr", "Préférences")
	german.say("hello")
	if got := german.state().Transcript; !strings.HasPrefix(got[len(got)-1].Text, "Bonjour !") {
		t.Errorf("said %q", got[len(got)-1].Text)
	}
	german.post("/c/-/preferences", url.Values{"limn_set": {"language"}, "language": {"tlh"}})
	look(german, "/c/-", "de", "fr", "Préférences")
	var problem struct{ Title string }
	german.do("GET", "/v1/conversations/none/state", "").into(t, &problem)
	if problem.Title != "Diese Seite haben wir nicht gefunden." {
		t.Errorf("%+v", problem)
	}
}

// TestGermanNumber: a number is read as the language of the conversation writes it; one
// with two meanings is asked for with both.
func TestGermanNumber(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.program()
	c.HTTP.Transport = speaking{c.HTTP.Transport, "de"}
	c.say("add a customer")
	send := func(budget string) string {
		t.Helper()
		p := c.do("GET", "/c/-", "").page(t)
		form := p.form("/c/" + c.ID + "/actions")
		values := p.values(form)
		values.Set("/draft/company", "Acme")
		values.Set("/draft/budget", budget)
		c.post(attr(form, "action"), p.press(form, "Absenden", values))
		return string(c.do("GET", "/c/-", "").body)
	}
	if got := send("1.234"); !strings.Contains(got, "„1.234“ kann 1,234 oder 1234 bedeuten") {
		t.Errorf("1.234 in German: %s", got)
	}
	send("1.234,50")
	if v, _ := c.state().Committed.Get("customer", "budget"); v.Text() != "1234.50" {
		t.Errorf("committed %s", v.Text())
	}
}
