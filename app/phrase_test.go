package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

func desk(t testing.TB) *app.App {
	t.Helper()
	fields := []ui.Field{{Name: "a", Type: ui.TypeText}}
	a, err := app.New(app.Config{Name: "desk", Suggestions: []string{"add a customer", "hello"},
		Forms: []app.Form{
			{Name: "customer", Phrases: []string{"New client", "onboard somebody", "neuer Kunde", "Künde"}, Fields: fields},
			{Name: "customer_order", Title: "Customer order", Fields: fields},
			{Name: "leave", Title: "New holiday request form", Phrases: []string{"I'm off"}, Fields: fields},
			{Name: "visit", Phrases: []string{"guest"}, Fields: fields},
			{Name: "newcomer", Phrases: []string{"new guest"}, Fields: fields},
		},
		Tables: []app.Table{{Name: "risks", Title: "Risks", Nouns: []string{"risk"}, Columns: fields}, {Name: "archive", Title: "Risks archive", Columns: fields}},
		Maps:   []app.Map{{Name: "process", Title: "Process"}},
		Views:  []app.View{{Name: "overview", Title: "Overview", Nodes: ui.Nodes{&ui.Column{Key: "main"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestFormFor(t *testing.T) {
	t.Parallel()
	a := desk(t)
	for want, messages := range map[string][]string{
		"customer": {"add a customer", "Add a customer.", "ADD A NEW CUSTOMER!", "please add another customer", "new customer", "A new customer, please.",
			"I'd like to add a customer", "i’d like to add a customer", "can you add a customer?", "Let's add the customer now", "Hello! Please add a customer.",
			"customer form", "open the customer form", "Show me the customer form please", "fill in a customer form", "We have a new customer: Acme",
			"add a customer named Acme", "register a customer", "new client", "We've got a new client.", "please onboard somebody", "Neuer Kunde", "Don't worry. Add a customer.",
			"'add a customer'", "“add a customer”", "ku\u0308nde", "\tadd   a\u00a0customer \u200b", "add one customer", "add my new customer", "I'll add a customer"},
		"customer_order": {"add a customer order", "new customer order", "open the customer order form", "create a customer-order"},
		"visit":          {"a guest please", "another guest"},
		"newcomer":       {"new guest", "we've got a new guest"},
		"leave":          {"add a holiday request", "holiday request form", "new leave", "Hi, I'm off", "I’m off today"},
		"": {"", "!!!", "customer", "the customer is unhappy", "don't add a customer", "Don’t add a customer", "do not add a customer", "please do not add a customer",
			"never add a customer", "no new customer please", "how do I add a customer?", "How can I add a customer", "why add a customer?", "what is the customer form",
			"should I add a customer?", "if we add a customer", "when I add a customer, it fails", "who can add a customer?", "is there a customer form?",
			"add a customer portal", "add a customer success manager to the stakeholders", "our new customer is unhappy", "yesterday we signed a new customer",
			"I added a customer", "the new customer portal is slow", "badd a customer", "add a customers", "add a customer, no, don't", "customers form",
			"tell me about the customer form", "add a customer" + strings.Repeat(" please", 100), "stop, add a customer later", "cancel the new customer",
			"I can't add a customer", "add acustomer", "add customer_orders", "how does it work: add a customer?"},
	} {
		for _, m := range messages {
			f, ok := a.FormFor(m)
			if f.Name != want || ok != (want != "") {
				t.Errorf("FormFor(%q) = %q, %v, want %q", m, f.Name, ok, want)
			}
		}
	}
}

// TestDeclaredPhrases: a message that is a declared phrase opens what it is declared for, whatever its words are elsewhere.
func TestDeclaredPhrases(t *testing.T) {
	t.Parallel()
	phrases := []string{"cancel a booking", "what can I order", "new order (urgent)", "Kunde: neu", "St. Gallen trip", "how we are doing"}
	fields := []ui.Field{{Name: "a", Type: ui.TypeText}}
	nodes := ui.Nodes{&ui.Column{Key: "main"}}
	for i, p := range phrases {
		cfg := app.Config{Name: "x", Forms: []app.Form{{Name: "f", Phrases: phrases[i : i+1], Fields: fields}, {Name: "other", Fields: fields}},
			Views:   []app.View{{Name: "v", Phrases: []string{"show " + p}, Nodes: nodes}},
			Records: []app.RecordSpec{{Name: "other", Phrases: []string{"list " + p}}}}
		a, err := app.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if f, _ := a.FormFor(strings.ToUpper(p) + "!"); f.Name != "f" {
			t.Errorf("%q opens the form %q", p, f.Name)
		}
		if f, ok := a.FormFor("not " + p); ok {
			t.Errorf("not %q opens the form %q", p, f.Name)
		}
		if v, _ := a.Views().For("show " + p); v.Name != "v" {
			t.Errorf("show %q opens the view %q", p, v.Name)
		}
		if q, _ := a.RecordLists().For("list " + p); q.Name != "other" {
			t.Errorf("list %q lists %q", p, q.Name)
		}
		for _, double := range []func(*app.Config){
			func(c *app.Config) { c.Views[0].Phrases = phrases[i : i+1] },
			func(c *app.Config) { c.Records[0].Phrases = phrases[i : i+1] },
			func(c *app.Config) { c.Records[0].Phrases = []string{" "} },
			func(c *app.Config) { c.Views[0].Phrases = []string{"", "x"} },
		} {
			bad := cfg
			bad.Views, bad.Records = slices.Clone(cfg.Views), slices.Clone(cfg.Records)
			double(&bad)
			if _, err := app.New(bad); err == nil {
				t.Errorf("%q, %q and %q load", p, bad.Views[0].Phrases, bad.Records[0].Phrases)
			}
		}
	}
}

// TestSinglePhrases: one word is a phrase only where it denies nothing, and what people call records or a view may be a
// word of other phrases, too.
func TestSinglePhrases(t *testing.T) {
	t.Parallel()
	fields := []ui.Field{{Name: "a", Type: ui.TypeText}}
	a, err := app.New(app.Config{Name: "x", Forms: []app.Form{{Name: "f", Phrases: []string{"cancel", "booking"}, Fields: fields}},
		Views:    []app.View{{Name: "v", Phrases: []string{"clients"}, Nodes: ui.Nodes{&ui.Column{Key: "main"}}}},
		Records:  []app.RecordSpec{{Name: "f", Phrases: []string{"clients"}}},
		Messages: []app.MessageRoute{{Phrases: []string{"clients"}, Run: app.RunChat}}})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"cancel": false, "Cancel!": false, "booking": true, "no": false} {
		if _, ok := a.FormFor(text); ok != want {
			t.Errorf("%q opens the form: %t", text, ok)
		}
	}
}

// TestFormForWords: what stands around an order decides by words, never by
// parts of words, case or spaces.
func TestFormForWords(t *testing.T) {
	t.Parallel()
	a := desk(t)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom(
			strings.Fields("please add a new customer order form not how the don't I , . ?")), 0, 12).Draw(t, "words")
		m := strings.Join(words, " ")
		f, ok := a.FormFor(m)
		shouted := strings.ToUpper(strings.Join(words, "\t  "))
		g, also := a.FormFor(shouted)
		if f.Name != g.Name || ok != also {
			t.Fatalf("%q opens %q, %q opens %q", m, f.Name, shouted, g.Name)
		}
		if _, ok := a.FormFor("not " + strings.NewReplacer(".", "", "?", "").Replace(m)); ok {
			t.Fatalf("a denial of %q opens a form", m)
		}
	})
}

func TestScript(t *testing.T) {
	t.Parallel()
	a := desk(t)
	got := string(a.Script())
	if diff := cmp.Diff(golden(t, "script.txt", got), got); diff != "" {
		t.Errorf("script (-want +got):\n%s", diff)
	}
	if string(desk(t).Script()) != got {
		t.Error("the script is not always the same")
	}
	cfg := a.Config()
	cfg.Directives = []string{"ui.toast"}
	mute, err := app.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(mute.Script()); strings.Contains(s, "do:") || strings.Contains(s, "Forms:") {
		t.Errorf("the script uses what is not allowed:\n%s", s)
	}
	for lang, heard := range map[string]string{"de": "on: hilfe | ", "fr": "on: aide | ", "ja": "on: ヘルプ | "} {
		cfg := a.Config()
		cfg.Languages = []string{lang}
		own, err := app.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if s := string(own.In(lang).Script()); !strings.Contains(s, heard) || !strings.Contains(s, " | help | ") {
			t.Errorf("the script of %s does not hear %q, and help:\n%s", lang, heard, s)
		}
	}
}
