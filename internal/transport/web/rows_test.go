package web_test

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/limn-ui/limn/ui"
)

// TestRows: a script gets rows of any place of a table, as of the frame it is told,
// and nobody else gets them; without script the same rows are on the pages.
func TestRows(t *testing.T) {
	t.Parallel()
	s := start(t, withAssets)
	c := s.visitor()
	c.browse(c.post("/c", nil))
	c.say("We have 120 stakeholders to list.")
	var list strings.Builder
	for i := range 120 {
		list.WriteString("Person " + strconv.Itoa(i+1) + "\tRole\tHigh\n")
	}
	press := func(key string, values ...string) {
		t.Helper()
		sf := c.state().Surface("table:list")
		form := url.Values{"limn_surface": {sf.WireID()}, "limn_nonce": {sf.Nonce},
			"limn_rev": {strconv.FormatUint(sf.Rev, 10)}, "limn_component": {"c#main/" + key + ":Button"}}
		for i := 0; i < len(values); i += 2 {
			form.Set(values[i], values[i+1])
		}
		if a := c.post("/c/-/actions", form); a.StatusCode != 303 {
			t.Fatalf("%s: %d %s", key, a.StatusCode, a.body)
		}
	}
	press("paste/read", "/draft/paste", list.String())
	press("paste/found/buttons/apply")
	wire := url.QueryEscape(c.state().Surface("table:list").WireID())
	address := func(more string) string { return "/c/-/rows?surface=" + wire + "&path=/draft/list&" + more }
	a := c.do("GET", address("first=98&count=2&row=r3,r120"), "")
	if a.StatusCode != 200 || a.Header.Get("Limn-Rows") != "120" ||
		a.Header.Get("Limn-Seq") != strconv.FormatUint(c.state().Seq, 10) || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	for _, name := range []string{"r3", "r99", "r100", "r120"} {
		if !strings.Contains(string(a.body), `name="/draft/list/`+name+`/name"`) {
			t.Errorf("no row %s in %s", name, a.body)
		}
	}
	if n := strings.Count(string(a.body), "<tr"); n != 4 {
		t.Errorf("%d rows", n)
	}
	ids := strings.TrimSuffix(strings.Repeat("r1,", 501), ",")
	for query, want := range map[string]int{address("first=0&count=501"): 400, address("first=-1&count=5"): 400,
		address("count=5"): 400, address("first=0&count=x"): 400, address("first=0&count=1&row=" + ids): 400,
		"/c/-/rows?surface=" + wire + "&path=/draft/other&first=0&count=1":    404,
		"/c/-/rows?surface=table:list%23e=9&path=/draft/list&first=0&count=1": 404,
		"/c/-/rows?first=0&count=1":                                           404} {
		if a := c.do("GET", query, "", "Accept", "application/json"); a.StatusCode != want {
			t.Errorf("%s: %d, want %d: %s", query, a.StatusCode, want, a.body)
		}
	}
	if a := s.visitor().do("GET", strings.Replace(address("first=0&count=1"), "-", c.state().ID, 1), ""); a.StatusCode < 400 {
		t.Errorf("a stranger reads rows: %d", a.StatusCode)
	}

	page := c.do("GET", "/c/-", "").page(t)
	region := page.one(atom.Div, "data-path", "/draft/list")
	if attr(region, "data-rows") != "/c/"+c.state().ID+"/rows" || attr(region, "data-at") != "main/rows" {
		t.Errorf("the script is told %v", region.Attr)
	}
	press("rows/!next", "/draft/list/r2/name", "Second")
	press("rows/!next")
	page = c.do("GET", "/c/-", "").page(t)
	if !strings.Contains(page.text, "Rows 101–120 of 120") || !strings.Contains(page.text, "Person 120") ||
		strings.Contains(page.text, "Person 100\"") {
		t.Error("the pages do not turn")
	}
	if v, _ := c.state().Surface("table:list").Get(ui.Path("/draft/list/r2/name")); v.Text() != "Second" {
		t.Errorf("what was typed on the first page is %q", v.Text())
	}
}
