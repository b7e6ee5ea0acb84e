package limn_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/internal/limntest"
)

// browser is a person's browser without script.
type browser struct {
	*limntest.Client
	at string // the conversation's page
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	c := limntest.Serve(t, limntest.Must(limn.New(limn.Config{App: limntest.Must(desk.App())})))
	return &browser{c, c.Do("GET", "/", "").Request.URL.Path}
}

func (b *browser) page() string {
	b.Helper()
	a := b.Do("GET", b.at+"?draw=html", "")
	if a.StatusCode != http.StatusOK {
		b.Fatal(a.Status)
	}
	return a.Text
}

// press sends the form that the button with this label stands in.
func (b *browser) press(label string, more url.Values) {
	b.Helper()
	form := regexp.MustCompile(`(?s)<form [^>]*action="([^"]*)".*?</form>`)
	input := regexp.MustCompile(`<input [^>]*>`)
	button := regexp.MustCompile(`(?s)<button([^>]*)>(?:<span>)?` + regexp.QuoteMeta(html.EscapeString(label)) +
		`(?:</span>)?</button>`)
	textarea := regexp.MustCompile(`(?s)<textarea([^>]*)>(.*?)</textarea>`)
	choice, option := regexp.MustCompile(`(?s)<select([^>]*)>(.*?)</select>`), regexp.MustCompile(`<option[^>]*>`)
	attr := func(tag, name string) string {
		if m := regexp.MustCompile(` ` + name + `="([^"]*)"`).FindStringSubmatch(tag); m != nil {
			return html.UnescapeString(m[1])
		}
		return ""
	}
	for _, f := range form.FindAllStringSubmatch(b.page(), -1) {
		m := button.FindStringSubmatch(f[0])
		if m == nil {
			continue
		}
		values := url.Values{}
		for _, in := range input.FindAllString(f[0], -1) {
			if kind := attr(in, "type"); kind != "radio" && kind != "checkbox" || strings.Contains(in, " checked") {
				values.Set(attr(in, "name"), attr(in, "value"))
			}
		}
		for _, m := range textarea.FindAllStringSubmatch(f[0], -1) {
			values.Set(attr(m[1], "name"), strings.TrimPrefix(html.UnescapeString(m[2]), "\n"))
		}
		for _, m := range choice.FindAllStringSubmatch(f[0], -1) {
			for _, o := range option.FindAllString(m[2], -1) {
				if strings.Contains(o, " selected") {
					values.Set(attr(m[1], "name"), attr(o, "value"))
				}
			}
		}
		values.Set(attr(m[1], "name"), attr(m[1], "value"))
		for k, v := range more {
			values[k] = v
		}
		for k := range values { // as browsers send line breaks
			values.Set(k, strings.ReplaceAll(values.Get(k), "\n", "\r\n"))
		}
		if a := b.Do("POST", html.UnescapeString(f[1]), values.Encode(), "Content-Type",
			"application/x-www-form-urlencoded"); a.StatusCode != http.StatusOK {
			b.Fatalf("%s: %s", label, a.Status)
		}
		return
	}
	b.Fatalf("no button %q on %s", label, b.page())
}

func (b *browser) say(text string) { b.Helper(); b.press("Send", url.Values{"text": {text}}) }

// lines are what the assistant has said.
func (b *browser) lines() (out []string) {
	b.Helper()
	for _, m := range regexp.MustCompile(`(?s)<li class="limn-assistant"[^>]*>(.*?)</li>`).FindAllStringSubmatch(
		b.page(), -1) {
		out = append(out, html.UnescapeString(m[1]))
	}
	return out
}

// surfaces are the titles of what is open.
func (b *browser) surfaces() (out []string) {
	b.Helper()
	for _, m := range regexp.MustCompile(
		`(?s)<section class="limn-surface limn-open".*?<h2[^>]*>(.*?)</h2>`).FindAllStringSubmatch(b.page(), -1) {
		out = append(out, html.UnescapeString(m[1]))
	}
	return out
}

// TestPrintedExamples types the sentences that the page and "limn serve" print,
// one after the other in one conversation. Each leads to what it asks for.
func TestPrintedExamples(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	var printed []string
	for _, m := range regexp.MustCompile(`<button name="text" value="([^"]*)">`).FindAllStringSubmatch(b.page(), -1) {
		printed = append(printed, html.UnescapeString(m[1]))
	}
	leads := map[string]string{ // to a surface, or to words
		"We have 20 stakeholders across finance, ops, and IT.":                     "Stakeholders",
		"First finance reviews the invoice, then IT signs off, then CFO approves.": "Process",
		"add a customer": "Customer",
		"hello":          "",
	}
	if len(printed) != len(leads) {
		t.Fatalf("%d sentences are printed: %q", len(printed), printed)
	}
	var want []string
	for _, text := range printed {
		title, known := leads[text]
		if !known {
			t.Fatalf("the test does not know %q", text)
		}
		if title != "" {
			want = append(want, title)
		}
		b.say(text)
		if got := b.surfaces(); !slices.Equal(got, want) {
			t.Errorf("%q: open are %q, want %q", text, got, want)
		}
		if said := b.lines(); len(said) == 0 || strings.HasPrefix(said[len(said)-1], "Tell me what") {
			t.Errorf("%q: %q", text, said)
		}
	}
}

// TestOfferWithoutScript: somebody at work in a table is asked before a process
// map opens, and the buttons work in a plain page.
func TestOfferWithoutScript(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	b.say("We have 20 stakeholders across finance, ops, and IT.")
	b.press("Add row", nil)
	b.say("First finance reviews the invoice, then IT signs off, then CFO approves.")
	if got := b.surfaces(); !slices.Equal(got, []string{"Stakeholders", "Open the process map?"}) {
		t.Fatalf("open are %q", got)
	}
	said := b.lines()
	if want := "You still have Stakeholders open. Open the process map beside it, or finish Stakeholders first?"; said[len(said)-1] != want {
		t.Errorf("said %q", said)
	}
	b.press("Open it beside Stakeholders", nil)
	if got := b.surfaces(); !slices.Equal(got, []string{"Stakeholders", "Process"}) {
		t.Errorf("open are %q", got)
	}
}

// TestSubmitInWords: words submit what a plain page has open, and the answer quotes it.
func TestSubmitInWords(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	b.say("add a customer")
	b.say("okay, submit the form")
	if said := b.lines(); said[len(said)-1] != "Please check: Company is required." {
		t.Errorf("said %q", said)
	}
	b.press("Save customer", url.Values{"/draft/company": {"ACME"}, "/draft/email": {"nobody"}})
	b.say("upload a character")
	b.say("looks good, send it")
	if got := b.surfaces(); !slices.Equal(got, []string{"Customer", "Character", "Which one should I submit?"}) {
		t.Errorf("open are %q", got)
	}
	b.press("Customer", nil)
	if said := b.lines(); said[len(said)-1] != "Please check: Email must be an email address." {
		t.Errorf("said %q", said)
	}
	b.press("Save customer", url.Values{"/draft/email": {"ann@acme.example"}})
	if got := b.surfaces(); !slices.Equal(got, []string{"Character"}) {
		t.Errorf("open are %q", got)
	}
	b.say("cancel that")
	if got := b.surfaces(); len(got) != 0 {
		t.Errorf("open are %q", got)
	}
}

// influences are 50 rows as they come from a spreadsheet, below a header.
func influences(delimiter string) string {
	var b strings.Builder
	b.WriteString(strings.Join([]string{"Name", "Role", "Influence"}, delimiter))
	for i := range 50 {
		b.WriteString("\n" + strings.Join([]string{"Person " + strconv.Itoa(i+1), []string{"CFO", "IT lead"}[i%2],
			[]string{"High", "Low"}[i%2]}, delimiter))
	}
	return b.String()
}

// TestListPastedIntoTheChat: a list in a message is read as the paste box of a
// table reads it, with its preview, and goes to the table that fits.
func TestListPastedIntoTheChat(t *testing.T) {
	t.Parallel()
	markdown := "| Name | Role | Influence |\n|---|---|---|\n"
	for _, row := range strings.Split(influences(" | "), "\n")[1:] {
		markdown += "| " + row + " |\n"
	}
	for name, c := range map[string]struct{ before, text, title, says string }{
		"tabs":                {"", influences("\t"), "Stakeholders", "I’ve opened Stakeholders for your list."},
		"commas":              {"", influences(","), "Stakeholders", "I’ve opened Stakeholders for your list."},
		"semicolons":          {"", influences(";"), "Stakeholders", "I’ve opened Stakeholders for your list."},
		"Markdown":            {"", markdown, "Stakeholders", "I’ve opened Stakeholders for your list."},
		"below a sentence":    {"", "Here are the people we know of:\n\n" + influences("\t"), "Stakeholders", "I’ve opened Stakeholders for your list."},
		"into an open table":  {"We have 20 stakeholders.", influences("\t"), "Stakeholders", "Your list fits Stakeholders, which is open."},
		"beside another tool": {"First finance reviews the invoice, then IT signs off.", influences("\t"), "Stakeholders", "I’ve opened Stakeholders for your list."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBrowser(t)
			if c.before != "" {
				b.say(c.before)
			}
			b.say(c.text)
			if said := b.lines(); len(said) == 0 || !strings.HasPrefix(said[len(said)-1], c.says) {
				t.Fatalf("said %q", said)
			}
			if got := b.surfaces(); got[len(got)-1] != c.title {
				t.Errorf("open are %q", got)
			}
			b.press("Add these 50 rows", nil)
			page := b.page()
			for _, want := range []string{`value="Person 1"`, `value="Person 50"`} {
				if !strings.Contains(page, want) {
					t.Errorf("the rows lack %s", want)
				}
			}
			if n := strings.Count(page, `<option value="High" selected`); n != 25 {
				t.Errorf("%d choices are made, want 25", n)
			}
			if strings.Contains(page, `value="Name"`) {
				t.Error("the header is a row")
			}
		})
	}
}

// TestListNobodyDeclares: a table is made from the header of a list that no
// declared table fits, with types.
func TestListNobodyDeclares(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	b.say("Host,Memory,Installed\nsrv1,16,2026-01-05\nsrv2,32,2026-02-06\nsrv3,64,2026-03-07")
	b.press("Add these 3 rows", nil)
	page := b.page()
	for _, want := range []string{"Host", "Memory", "Installed", `value="srv3"`, `value="2026-03-07"`, `type="date"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the table lacks %s", want)
		}
	}
}
