package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// TestEndedPage: the page of an ended conversation says so, in the words of the
// app, and has nothing left to write into; all of it can still be read.
func TestEndedPage(t *testing.T) {
	t.Parallel()
	s := start(t, withAssets, func(c *limn.Config) {
		said := c.App.Config()
		said.Words = ui.Words{"chat.ended": "That was <all>."}
		a, err := app.New(said)
		if err != nil {
			t.Fatal(err)
		}
		c.App = a
	})
	c := s.program()
	c.say("add a customer")
	look := func(path string) page {
		t.Helper()
		a := c.do("GET", path, "")
		if a.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d", path, a.StatusCode)
		}
		return a.page(t)
	}
	before := look("/c/-")
	if notice := before.one(atom.P, "id", "limn-ended"); textOf(notice) != "" ||
		attr(notice, "data-words") != "That was <all>." ||
		slices.ContainsFunc(before.all(atom.Fieldset), func(n *html.Node) bool { return has(n, "disabled") }) {
		t.Error("the page says that it has ended")
	}
	old := before.values(before.one(atom.Form, "id", "limn-message"))
	seq := c.state().Seq + 1
	c.do("POST", "/v1/-/end", "")
	for _, path := range []string{"/c/-", "/c/-?draw=v0.9", "/c/-?draw=v0.8&preferences=open"} {
		p := look(path)
		if got := textOf(p.one(atom.P, "id", "limn-ended")); got != "That was <all>." {
			t.Errorf("%s: the notice is %q", path, got)
		}
		if n := len(p.all(atom.Script)); n > 0 {
			t.Errorf("%s: %d scripts, which would have nothing to do", path, n)
		}
		if !strings.Contains(textOf(p.one(atom.Ol, "id", "limn-transcript")), "add a customer") {
			t.Errorf("%s: the transcript is gone", path)
		}
		for _, f := range p.all(atom.Form) {
			if attr(f, "action") == "/c" { // a new conversation
				continue
			}
			for n := range f.ChildNodes() {
				if n.DataAtom != atom.Input && (n.DataAtom != atom.Fieldset || !has(n, "disabled")) {
					t.Errorf("%s: a form posts to %s, and is not locked", path, attr(f, "action"))
				}
			}
		}
	}
	old.Set("text", "typed before the end")
	if a := c.post("/c/-/messages", old); a.StatusCode != http.StatusGone ||
		!strings.Contains(string(a.body), "CONVERSATION_ENDED") {
		t.Errorf("a message from a page of before: %d %s", a.StatusCode, a.body)
	}
	if got := c.state().Seq; got != seq {
		t.Errorf("frame %d is the newest, want the end, %d", got, seq)
	}
}
