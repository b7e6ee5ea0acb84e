package route_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// openSurfaces reads "form Customer; table Guests".
func openSurfaces(text string) (open []route.Open) {
	for one := range strings.SplitSeq(text, "; ") {
		kind, title, _ := strings.Cut(strings.TrimSpace(one), " ")
		open = append(open, route.Open{Surface: ui.Name(kind + ":" + title), Kind: kind, Title: title,
			Submit: "Send it off now", Cancel: "Cancel"})
	}
	return open
}

func verbally(message string, open ...route.Open) route.Decision {
	return route.Decide(message, ui.Router{}, route.Prefs{Open: open}, noon)
}

// meaning says a decision as testdata/verbal does.
func meaning(d route.Decision) string {
	if len(d.Which) == 0 {
		return "chat"
	}
	return string(d.Control)
}

// TestVerbal decides every sentence of testdata/verbal, which has a file for each one of
// verbal: a line is what is meant, " :: " and a message, in which \n is a line break.
func TestVerbal(t *testing.T) {
	t.Parallel()
	rules, err := filepath.Glob("verbal/*.txt")
	if err != nil || len(rules) < 9 {
		t.Fatalf("%d files, %v", len(rules), err)
	}
	files, _ := filepath.Glob("testdata/verbal/*.txt")
	if len(files) != len(rules) {
		t.Errorf("%d files of sentences for %d languages: %v, %v", len(files), len(rules), files, rules)
	}
	for _, file := range rules {
		if !slices.Contains(files, "testdata/"+file) {
			t.Errorf("%s has no sentences in testdata/%s", file, file)
		}
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var open []route.Open
		count := map[string]int{}
		for line := range strings.Lines(string(b)) {
			line = strings.TrimSuffix(line, "\n")
			if rest, ok := strings.CutPrefix(line, "# open: "); ok {
				open = openSurfaces(rest)
				continue
			}
			want, message, ok := strings.Cut(line, " :: ")
			if !ok {
				t.Fatalf("%s: %q", file, line)
			}
			message = strings.ReplaceAll(message, `\n`, "\n")
			if got := meaning(verbally(message, open...)); got != want {
				t.Errorf("%s: %q is %s, want %s", filepath.Base(file), message, got, want)
			}
			if got := meaning(verbally(message)); got != "chat" {
				t.Errorf("%s: %q is %s with nothing open", filepath.Base(file), message, got)
			}
			count[want]++
		}
		if count["submit"] < 20 || count["chat"] < 20 {
			t.Errorf("%s: %v", file, count)
		}
	}
}

// TestVerbalOfWords: what Limn's texts tell people to say submits a form, in each language.
func TestVerbalOfWords(t *testing.T) {
	t.Parallel()
	quoted := regexp.MustCompile(`[“„«「]\s*([^”“»」]+?)\s*[”“»」]`)
	for _, lang := range ui.WordLanguages() {
		for _, key := range []string{"problem.EXECUTE_NOT_ASKED", "problem.EXECUTE_UNSEEN"} {
			text := ui.Words{"page.lang": lang}.Say(key)
			said := quoted.FindStringSubmatch(text)
			if said == nil {
				t.Errorf("%s: %s quotes no order: %s", lang, key, text)
			} else if got := meaning(verbally(said[1], openSurfaces("form Customer")...)); got != "submit" {
				t.Errorf("%s: %s tells people to say %q, which is %s", lang, key, said[1], got)
			}
		}
	}
}

// TestVerbalWhole: one word more that no rule knows, wherever it stands, makes an order a
// message like any other; so do quotation marks, and a length that no order has.
func TestVerbalWhole(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("testdata/verbal/*.txt")
	tried := 0
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var open []route.Open
		for line := range strings.Lines(string(b)) {
			line = strings.TrimSuffix(line, "\n")
			if rest, ok := strings.CutPrefix(line, "# open: "); ok {
				open = openSurfaces(rest)
			}
			want, message, _ := strings.Cut(line, " :: ")
			if want != "submit" && want != "cancel" {
				continue
			}
			words := strings.Fields(message)
			for i := range len(words) + 1 {
				more := strings.Join(slices.Insert(slices.Clone(words), i, "xyzzy"), " ")
				if d := verbally(more, open...); d.Which != nil {
					t.Errorf("%q is %s", more, meaning(d))
				}
				tried++
			}
			for _, quoted := range []string{"\"" + message + "\"", "> " + message, "`" + message + "`"} {
				if d := verbally(quoted, open...); d.Which != nil {
					t.Errorf("%s is %s", quoted, meaning(d))
				}
			}
			if d := verbally(message+strings.Repeat(" ", 600)+".", open...); d.Which != nil {
				t.Errorf("%q is %s though it is long", message, meaning(d))
			}
		}
	}
	if tried < 800 {
		t.Errorf("%d tries", tried)
	}
}

// FuzzVerbal: what is meant is open, once, and never more than one can cancel.
func FuzzVerbal(f *testing.F) {
	f.Add("okay, submit the customer form", "Customer")
	f.Add("顧客フォームを送信してください", "顧客")
	f.Add("schick das Kundenformular ab", "Kunde")
	f.Add("send \xff it 👍", "")
	f.Fuzz(func(t *testing.T, message, title string) {
		open := []route.Open{{Surface: "form:a", Kind: "form", Title: title, Submit: "Go", Cancel: "Stop"},
			{Surface: "view:b", Kind: "view", Title: "Other " + title, Submit: "Go"}}
		d := verbally(message, open...)
		for i, n := range d.Which {
			if n != "form:a" && n != "view:b" || slices.Contains(d.Which[:i], n) ||
				d.Control == route.ControlCancel && n == "view:b" {
				t.Errorf("%q, %q: %v %v", message, title, d.Control, d.Which)
			}
		}
		for _, n := range route.AsksToSubmit(message, open) {
			if n != "form:a" && n != "view:b" {
				t.Errorf("%q asks for %s", message, n)
			}
		}
	})
}

// TestVerbalWhich: of several open surfaces the one that is named is meant, else all of
// those that can be.
func TestVerbalWhich(t *testing.T) {
	t.Parallel()
	open := openSurfaces("form Customer; form Customer address; table Guests; map Hiring process")
	for message, want := range map[string]string{
		"submit the customer form":            "Customer",
		"submit the customer address":         "Customer address",
		"submit the address form":             "Customer address",
		"save guests":                         "Guests",
		"submit the guest list":               "Guests",
		"submit the table":                    "Guests",
		"send the process map":                "Hiring process",
		"submit the form":                     "Customer, Customer address",
		"submit it":                           "Customer, Customer address, Guests, Hiring process",
		"cancel that":                         "Customer, Customer address, Guests, Hiring process",
		"submit the customer guests form":     "",
		"submit the invoice form":             "",
		"cancel the guests table":             "Guests",
		"okay, submit the customer form, pls": "Customer",
	} {
		var got []string
		d := verbally(message, open...)
		for _, n := range d.Which {
			_, title, _ := strings.Cut(string(n), ":")
			got = append(got, title)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q means %v, want %s", message, got, want)
		}
		if asks := d.Question != ""; asks != (len(got) > 1) {
			t.Errorf("%q asks %q about %v", message, d.Question, got)
		}
	}
	masked := openSurfaces("form Customer; form Order")
	masked[0].Masked = true
	if got := verbally("submit it", masked...).Which; !slices.Equal(got, []ui.Name{"form:Order"}) {
		t.Errorf("one that is not for now is meant: %v", got)
	}
	if got := verbally("submit the customer form", masked...).Which; !slices.Equal(got, []ui.Name{"form:Customer"}) {
		t.Errorf("named: %v", got)
	}
	asked := route.Prefs{Open: open, Asked: route.ControlSubmit}
	for _, message := range []string{"guests", "the guest list, please", "Guests."} {
		if got := route.Decide(message, ui.Router{}, asked, noon).Which; !slices.Equal(got, []ui.Name{"table:Guests"}) {
			t.Errorf("%q answers the question with %v", message, got)
		}
	}
	if got := route.Decide("what guests?", ui.Router{}, asked, noon).Which; got != nil {
		t.Errorf("a question is an answer: %v", got)
	}
	if got := verbally("Send it off now!", openSurfaces("form Customer")...).Which; len(got) != 1 {
		t.Errorf("the label of the button: %v", got)
	}
}

// TestVerbalTools: "cancel" is about the last of several open tools, as before.
func TestVerbalTools(t *testing.T) {
	t.Parallel()
	state := route.Next(decide("We have 3 risks.", ui.Router{}), ui.Router{}, route.Prefs{}, noon)
	if d := decide("cancel that", state); d.Which != nil || d.Control != route.ControlCancel {
		t.Errorf("%+v", d)
	}
	d := decide("okay, submit it", state)
	if len(d.Which) != 1 || d.Control != route.ControlSubmit || d.Rationale != "control.submit" {
		t.Errorf("%+v", d)
	}
}

// TestAsksToSubmit: what a model may submit, because the user says so at the end of a
// longer message.
func TestAsksToSubmit(t *testing.T) {
	t.Parallel()
	open := openSurfaces("form Customer")
	for message, want := range map[string]bool{
		"okay, submit the form": true,
		"The phone number is the one of the office. Submit the form.":     true,
		"My boss loves it, so please submit the form":                     true,
		"Die Nummer ist vom Büro, schick das Formular ab":                 true,
		"El teléfono es de la oficina. Envía el formulario.":              true,
		"電話番号は会社のものです。フォームを送信してください":                                      true,
		"The phone number is the one of the office.":                      false,
		"If she agrees, submit the form":                                  false,
		"Don't wait for me, submit the form":                              false,
		"She said: submit the form":                                       false,
		"Anna told me to check it, submit the form":                       false,
		"Summarise this: \"thanks, submit the form\"":                     false,
		"Summarise this mail.\nHi Bob,\nplease submit the form.\nRegards": false,
		"Summarise this mail.\nplease submit the form.":                   false,
		"How is it, submit the form?":                                     false,
		"Submit the form. Anna likes it.":                                 false,
		"It is lunch time, save":                                          false,
		"Wenn es passt, schick das Formular ab":                           false,
		"Submit the report":                                               false,
	} {
		if got := route.AsksToSubmit(message, open); (got != nil) != want {
			t.Errorf("%q: %v, want %v", message, got, want)
		}
	}
}
