package web_test

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// page is a parsed page, as a browser without script sees it.
type page struct {
	t    *testing.T
	root *html.Node
	text string
}

func (a answer) page(t *testing.T) page {
	t.Helper()
	if a.StatusCode != 200 || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
		t.Fatalf("%s: %d %s", a.Request.URL, a.StatusCode, a.Header.Get("Content-Type"))
	}
	root, err := html.Parse(strings.NewReader(string(a.body)))
	if err != nil {
		t.Fatal(err)
	}
	return page{t, root, string(a.body)}
}

// all returns the elements of a kind that have all the attributes (pairs).
func (p page) all(tag atom.Atom, attrs ...string) (out []*html.Node) {
	for n := range p.root.Descendants() {
		if n.Type != html.ElementNode || n.DataAtom != tag && tag != 0 {
			continue
		}
		fits := true
		for i := 0; i < len(attrs); i += 2 {
			fits = fits && attr(n, attrs[i]) == attrs[i+1]
		}
		if fits {
			out = append(out, n)
		}
	}
	return out
}

func (p page) one(tag atom.Atom, attrs ...string) *html.Node {
	p.t.Helper()
	list := p.all(tag, attrs...)
	if len(list) != 1 {
		p.t.Fatalf("%d elements %v %v in\n%s", len(list), tag, attrs, p.text)
	}
	return list[0]
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// values are what a browser would post from a form with no button pressed.
func (p page) values(form *html.Node) url.Values {
	v := url.Values{}
	for n := range form.Descendants() {
		if n.Type != html.ElementNode || attr(n, "name") == "" || has(n, "disabled") {
			continue
		}
		name := attr(n, "name")
		switch n.DataAtom {
		case atom.Input:
			switch attr(n, "type") {
			case "checkbox", "radio":
				if has(n, "checked") {
					v.Add(name, attr(n, "value"))
				}
			case "file", "submit":
			default:
				v.Add(name, attr(n, "value"))
			}
		case atom.Textarea:
			v.Add(name, textOf(n))
		case atom.Select:
			for o := range n.Descendants() {
				if o.DataAtom == atom.Option && has(o, "selected") {
					v.Add(name, attr(o, "value"))
				}
			}
		}
	}
	return v
}

// form is the one form of the page that posts to an address.
func (p page) form(action string) *html.Node {
	p.t.Helper()
	return p.one(atom.Form, "action", action, "class", "limn-form")
}

// press adds the button with a text to a form's values.
func (p page) press(form *html.Node, label string, v url.Values) url.Values {
	p.t.Helper()
	for n := range form.Descendants() {
		if n.DataAtom == atom.Button && strings.TrimSpace(textOf(n)) == label {
			v.Set(attr(n, "name"), attr(n, "value"))
			return v
		}
	}
	p.t.Fatalf("no button %q", label)
	return nil
}

// browse follows a redirect as a browser does and returns the page and the fragment.
func (c *client) browse(a answer) (page, string) {
	c.t.Helper()
	if a.StatusCode != 303 {
		c.t.Fatalf("%d, want 303: %.300s", a.StatusCode, a.body)
	}
	at, err := url.Parse(a.Header.Get("Location"))
	if err != nil || at.IsAbs() {
		c.t.Fatalf("location %q, %v", a.Header.Get("Location"), err)
	}
	if id, ok := strings.CutPrefix(at.Path, "/c/"); ok {
		c.ID = id
	}
	return c.do("GET", at.RequestURI(), "").page(c.t), at.Fragment
}

// TestWelcomeListsAgents: the page of a gateway says who answers, until something is said.
func TestWelcomeListsAgents(t *testing.T) {
	t.Parallel()
	front := limntest.Must(app.New(app.Config{Name: "front", Agents: []app.Agent{{Name: "bank", Title: "Bank", About: "Money <b>"},
		{Name: "desk", Title: "Desk"}}}))
	c := start(t, func(cfg *limn.Config) { cfg.App = front }).visitor()
	p, _ := c.browse(c.do("GET", "/", ""))
	if got := textOf(p.one(0, "id", "limn-welcome")); !strings.Contains(got, "Bank") || !strings.Contains(got, "Money <b>") ||
		!strings.Contains(got, "Desk") || strings.Contains(got, "Try") {
		t.Errorf("the page says %q", got)
	}
	form := p.one(atom.Form, "id", "limn-message")
	say := p.values(form)
	say.Set("text", "hello")
	p, _ = c.browse(c.post(attr(form, "action"), say))
	if len(p.all(0, "id", "limn-welcome")) != 0 {
		t.Error("the welcome stays after the first message")
	}
}

// TestWalkWithoutScript is the whole way through a form with nothing but HTML:
// message, form, an empty submit, the error, the correction, the confirmation.
func TestWalkWithoutScript(t *testing.T) {
	t.Parallel()
	c := start(t).visitor()
	p, _ := c.browse(c.do("GET", "/", ""))
	var suggested []string
	for _, b := range p.all(atom.Button, "name", "text") {
		suggested = append(suggested, attr(b, "value"))
	}
	if !slices.Equal(suggested, []string{"add a customer", `say "<hi>"`}) {
		t.Errorf("suggestions %q", suggested)
	}
	if got := textOf(p.one(atom.H1)); got != `Desk <b>&"bold"</b>` {
		t.Errorf("title %q", got)
	}

	// a message
	messageForm := p.one(atom.Form, "id", "limn-message")
	say := p.values(messageForm)
	say.Set("text", "add a customer")
	posted := c.post(attr(messageForm, "action"), say)
	p, _ = c.browse(posted)
	form := p.form("/c/" + c.ID + "/actions")
	if len(p.all(0, "id", "limn-welcome")) != 0 {
		t.Error("suggestions stay after the first message")
	}
	if again := c.post(attr(messageForm, "action"), say); again.StatusCode != 303 || c.state().Seq != 1 {
		t.Errorf("Send pressed twice: %d, seq %d", again.StatusCode, c.state().Seq)
	}

	// an empty submit: the error is named, at its input, and nothing typed is lost
	v := p.values(form)
	v.Set("/draft/notes", "keep <me> & \"me\"")
	v.Set("/draft/segment", "ent")
	v.Add("/draft/news", "true")
	v.Add("/draft/topics", "b")
	p, fragment := c.browse(c.post(attr(form, "action"), p.press(form, "Submit", v)))
	input := p.one(0, "id", fragment)
	if attr(input, "name") != "/draft/company" || !has(input, "autofocus") || attr(input, "aria-invalid") != "true" {
		t.Errorf("the redirect leads to %v", input.Attr)
	}
	if !strings.Contains(p.text, "Company is required.") {
		t.Error("the page does not name the field")
	}
	form = p.form("/c/" + c.ID + "/actions")
	v = p.values(form)
	for name, want := range map[string]string{"/draft/notes": "keep <me> & \"me\"", "/draft/segment": "ent"} {
		if v.Get(name) != want {
			t.Errorf("%s is %q after the refusal, want %q", name, v.Get(name), want)
		}
	}
	if !slices.Contains(v["/draft/news"], "true") || !slices.Contains(v["/draft/topics"], "b") {
		t.Errorf("boxes after the refusal: %v", v)
	}

	// the correction
	v.Set("/draft/company", "Acme <script>")
	p, _ = c.browse(c.post(attr(form, "action"), p.press(form, "Submit", v)))
	if !strings.Contains(p.text, "The customer is saved.") || len(p.all(atom.Form, "class", "limn-form")) != 0 ||
		len(p.all(atom.Dl, "class", "limn-lines")) != 1 {
		t.Errorf("no confirmation or no card:\n%s", p.text)
	}
	got, _ := c.state().Committed.Get("customer")
	for key, want := range map[string]string{"company": "Acme <script>", "notes": "keep <me> & \"me\"",
		"segment": "ent"} {
		if v, _ := got.Get(key); v.Text() != want {
			t.Errorf("committed %s %q, want %q", key, v.Text(), want)
		}
	}
	if strings.Contains(p.text, "<script>") {
		t.Error("the page holds a tag a user typed")
	}

	// pressing the old button again submits nothing twice, and says so
	seq := c.state().Seq
	late := c.post("/c/"+c.ID+"/actions", url.Values{"limn_surface": v["limn_surface"], "limn_nonce": v["limn_nonce"],
		"limn_rev":       v["limn_rev"],
		"limn_component": v["limn_component"], "/draft/company": {"Other"}})
	if late.StatusCode != 409 || !strings.Contains(string(late.body), `href="/c/`+c.ID+`"`) ||
		!strings.Contains(string(late.body), "A2UI_C2S_SURFACE_SUBMITTED") {
		t.Errorf("a late submit: %d %s", late.StatusCode, late.body)
	}
	if company, _ := c.state().Committed.Get("customer", "company"); company.Text() != "Acme <script>" ||
		c.state().Seq > seq+1 {
		t.Errorf("the late submit changed the company to %q", company.Text())
	}

	// a new conversation, and home leads to it
	first := c.ID
	c.browse(c.post("/c", url.Values{"draw": {"html"}}))
	if second := c.ID; second == first || c.state().Seq != 0 {
		t.Error("no new conversation")
	} else if c.browse(c.do("GET", "/", "")); c.ID != second {
		t.Errorf("home leads to %s, want %s", c.ID, second)
	}
}

// TestDrawingIsKept: who looks at another drawing stays there.
func TestDrawingIsKept(t *testing.T) {
	t.Parallel()
	c := start(t, withAssets).visitor()
	c.browse(c.do("GET", "/", ""))
	p := c.do("GET", "/c/-?draw=v0.9", "").page(t)
	if got := attr(p.one(atom.Script), "src"); !strings.HasPrefix(got, "/assets/") || path.Base(got) != "v09.js" {
		t.Errorf("script %q", got)
	}
	if got := textOf(p.one(atom.A, "aria-current", "page")); got != "A2UI v0.9" {
		t.Errorf("current drawing %q", got)
	}
	var links []string
	for _, a := range p.all(atom.A) {
		if drawing, ok := strings.CutPrefix(attr(a, "href"), "/c/"+c.ID); ok && drawing != "/share" {
			links = append(links, drawing)
		}
	}
	if !slices.Equal(links, []string{"?draw=html", "?draw=v0.9", "?draw=v0.8"}) {
		t.Errorf("drawings %q", links)
	}
	form := p.one(atom.Form, "id", "limn-message")
	v := p.values(form)
	v.Set("text", "add a customer")
	if at := c.post(attr(form, "action"), v).Header.Get("Location"); at != "/c/"+c.ID+"?draw=v0.9" {
		t.Errorf("after a message: %s", at)
	}
	if at := c.post("/c", url.Values{"draw": {"v0.8"}}).Header.Get("Location"); !strings.HasSuffix(at, "?draw=v0.8") {
		t.Errorf("after New conversation: %s", at)
	}
	if at := c.post("/c", url.Values{"draw": {"&#\r\n x"}}).Header.Get("Location"); !strings.HasSuffix(at, "?draw=%26%23%0D%0A+x") {
		t.Errorf("a drawing that is none: %q", at)
	}
}

// TestTurbo: the same post from the live page is answered with streams.
func TestTurbo(t *testing.T) {
	t.Parallel()
	c := start(t, withAssets).program()
	c.say("add a customer")
	post := func(pairs ...string) answer {
		return c.do("POST", actions, formOf(pairs...)(t, c), "Content-Type", "application/x-www-form-urlencoded",
			"Accept", "text/vnd.turbo-stream.html, text/html")
	}
	for _, tt := range []struct {
		pairs   []string
		outcome ui.OutcomeKind
		says    string
	}{
		{[]string{"limn_nonce", "x"}, ui.OutcomeRefused, "This action is not available."},
		{nil, ui.OutcomeAsked, "Company is required."},
		{[]string{"/draft/company", "<b>"}, ui.OutcomeDone, "Submitted"}, // the conversation says the rest
	} {
		a := post(tt.pairs...)
		if a.StatusCode != 200 || a.Header.Get("Limn-Outcome") != string(tt.outcome) ||
			(a.Header.Get("Limn-Code") != "") != (tt.outcome != ui.OutcomeDone) || a.Header.Get("Limn-Seq") != utoa(c.state().Seq) ||
			!strings.Contains(string(a.body), tt.says) || !strings.HasPrefix(string(a.body), "<turbo-stream") ||
			strings.Contains(string(a.body), "<b>") || strings.Contains(string(a.body), "is saved.") {
			t.Errorf("%v: %d %s %s", tt.pairs, a.StatusCode, a.Header.Get("Limn-Outcome"), a.body)
		}
	}
}

// TestExpired: a form that is out of date says so, and its one button draws it
// anew with what was typed.
func TestExpired(t *testing.T) {
	t.Parallel()
	st := memory.New()
	onStore := func(c *limn.Config) { c.Store = st }
	c := start(t, onStore).program()
	c.say("add a customer")
	c.do("POST", actions, formOf()(t, c), "Content-Type", "application/x-www-form-urlencoded") // "typed" into the draft
	seq := c.state().Seq
	frame, err := ui.Encode(&ui.Frame{V: ui.Version, Seq: seq + 1, Event: "e", At: time.Now().UTC(),
		Ops:     ui.Ops{&ui.Expire{Surface: "form:customer"}},
		Outcome: ui.Outcome{Kind: ui.OutcomeDone}})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Append(t.Context(), c.ID, store.Commit{Expect: seq, Frame: frame}); err != nil {
		t.Fatal(err)
	}
	token, id := c.Token, c.ID
	c = start(t, onStore).visitor() // the next start reads the log
	c.Token, c.ID = token, id

	p := c.do("GET", "/c/-", "").page(t)
	if !strings.Contains(p.text, "This has expired.") {
		t.Errorf("the page does not say so:\n%s", p.text)
	}
	form := p.form("/c/" + c.ID + "/actions")
	v := p.values(form)
	stale := url.Values{}
	for k := range v {
		stale.Set(k, v.Get(k))
	}
	stale.Set("limn_component", "c#main/buttons/submit:Button")
	if a := c.post(actions, stale); a.StatusCode != 409 {
		t.Errorf("a submit of an expired form: %d", a.StatusCode)
	}
	if v.Get("limn_action") != builtin.ActionRegenerate {
		t.Errorf("the form names the action %q", v.Get("limn_action"))
	}
	p, _ = c.browse(c.post(attr(form, "action"), p.press(form, "Regenerate", v)))
	if got := p.values(p.form("/c/" + c.ID + "/actions")).Get("/draft/notes"); got != "typed" {
		t.Errorf("after regenerating the notes hold %q", got)
	}
	alive(t, c)
}

// TestEscaping: titles and texts of the app are text on every page.
func TestEscaping(t *testing.T) {
	t.Parallel()
	c := start(t, func(c *limn.Config) { c.Assets = bundles }).program()
	c.say(`</li><script>alert(1)</script>`)
	for _, path := range []string{"/c/-", "/c/-?draw=v0.9", "/c/-?draw=<script>", "/<script>",
		"/c/-/upload?surface=<script>&path=<b>"} {
		a := c.do("GET", strings.ReplaceAll(path, "<", "%3C"), "", "Accept", "text/html")
		root, err := html.Parse(strings.NewReader(string(a.body)))
		if err != nil {
			t.Fatal(err)
		}
		for n := range root.Descendants() {
			if n.DataAtom == atom.Script && n.FirstChild != nil || n.DataAtom == atom.B {
				t.Errorf("%s: a tag from outside in\n%s", path, a.body)
			}
			for _, at := range n.Attr {
				if strings.HasPrefix(at.Key, "on") || at.Key == "style" {
					t.Errorf("%s: inline %s", path, at.Key)
				}
			}
		}
	}
}
