package web_test

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// TestRecordsAPI: records are saved, listed, changed, exported and deleted over HTTP, by
// their owner and nobody else.
func TestRecordsAPI(t *testing.T) {
	t.Parallel()
	s := start(t)
	ann, eve := s.program(), s.program()
	const at = "/v1/records/customer"
	var made struct {
		ID      string
		Version int
	}
	ann.json("POST", at, `{"values":{"company":"Acme"}}`, 201).into(t, &made)
	one := at + "/" + made.ID
	ann.json("PUT", one, `{"version":1,"values":{"company":"Acme & Sons"}}`, 200)
	ann.json("PUT", one, `{"version":1,"values":{"company":"Old"}}`, 409)
	ann.json("PUT", one, `{"values":{"company":"Old"}}`, 400)
	ann.json("POST", at, `{"values":{"company":""}}`, 422)
	ann.json("POST", at, `{"values":{"color":"red"}}`, 400)
	ann.json("POST", at, `[]`, 400)
	ann.json("POST", "/v1/records/nothing", `{"values":{}}`, 403)
	for _, path := range []string{one, one + "/versions"} {
		eve.json("GET", path, "", 404)
	}
	eve.json("PUT", one, `{"version":2,"values":{"company":"Mine"}}`, 404)
	eve.json("DELETE", one, "", 404)
	for path, want := range map[string]string{
		at:                           "Acme & Sons",
		at + "?q=sons":               "Acme & Sons",
		at + "?q=nobody":             `{"records":[]}`,
		one + "?version=1":           `"Acme"`,
		one + "/versions":            `"version":1`,
		one + "/versions?before=2":   `"version":1`,
		at + "?format=csv":           "Acme & Sons",
		at + "?format=json":          `"values"`,
		at + "?sort=-company&q=acme": "Acme & Sons",
		"/v1/records":                `"customer"`,
	} {
		if got := string(ann.json("GET", path, "", 200).body); !strings.Contains(strings.ReplaceAll(got, `\u0026`, "&"), want) {
			t.Errorf("%s: %s", path, got)
		}
	}
	if got := string(eve.json("GET", at, "", 200).body); strings.TrimSpace(got) != `{"records":[]}` {
		t.Errorf("another principal lists %s", got)
	}
	for _, query := range []string{"?filter=x", "?sort=color", "?limit=1000", "?after=x", "?format=pdf"} {
		ann.json("GET", at+query, "", 400)
	}
	ann.json("DELETE", one+"?version=1", "", 409)
	ann.json("DELETE", one, "", 204)
	ann.json("DELETE", one, "", 404)
}

// TestRecordsOnce: a request that is sent again under its key saves once, and another one under that key is refused.
func TestRecordsOnce(t *testing.T) {
	t.Parallel()
	s := start(t)
	ann, eve := s.program(), s.program()
	const at = "/v1/records/customer"
	key := []string{"Content-Type", "application/json", "Idempotency-Key", "k1"}
	type saved struct {
		ID      string
		Version int
	}
	put := func(c *client, method, path, body string, status int) (out saved) {
		t.Helper()
		got := c.do(method, path, body, key...)
		if got.StatusCode != status {
			t.Fatalf("%s %s: %d %s, want %d", method, path, got.StatusCode, got.body, status)
		}
		if status < 300 {
			got.into(t, &out)
		}
		return out
	}
	first := put(ann, "POST", at, `{"values":{"company":"Acme"}}`, 201)
	if again := put(ann, "POST", at, `{"values":{"company":"Acme"}}`, 201); again != first {
		t.Errorf("made %v, then %v", first, again)
	}
	put(ann, "POST", at, `{"values":{"company":"Other"}}`, 422)
	if other := put(eve, "POST", at, `{"values":{"company":"Acme"}}`, 201); other.ID == first.ID {
		t.Error("two principals have one record for their keys")
	}
	for range 2 {
		if next := put(ann, "PUT", at+"/"+first.ID, `{"version":1,"values":{"company":"Acme & Sons"}}`, 200); next.Version != 2 {
			t.Errorf("version %d", next.Version)
		}
	}
	put(ann, "PUT", at+"/"+first.ID, `{"version":1,"values":{"company":"Late"}}`, 409)
	if list := string(ann.json("GET", at, "", 200).body); strings.Count(list, `"id"`) != 1 {
		t.Errorf("the records are %s", list)
	}
}

// TestRecordValues: what is no value of its field is refused with its place, and changes nothing.
func TestRecordValues(t *testing.T) {
	t.Parallel()
	s := start(t)
	ann := s.program()
	const at = "/v1/records/customer"
	var made struct{ ID string }
	ann.json("POST", at, `{"values":{"company":"Acme"}}`, 201).into(t, &made)
	for body, path := range map[string]string{
		`{"version":1}`:                                 "/values",
		`{"version":1,"values":[]}`:                     "/values",
		`{"version":1,"values":null}`:                   "/values",
		`{"version":1,"values":"x"}`:                    "/values",
		`{"version":1,"values":{"company":["a","b"]}}`:  "/values/company",
		`{"version":1,"values":{"company":{"a":1}}}`:    "/values/company",
		`{"version":1,"values":{"company":true}}`:       "/values/company",
		`{"version":1,"values":{"company":"A","x":""}}`: "/values/x",
	} {
		if got := ann.do("PUT", at+"/"+made.ID, body, "Content-Type", "application/json"); got.StatusCode/100 != 4 || !strings.Contains(string(got.body), `"path":"`+path+`"`) {
			t.Errorf("%s: %d %s", body, got.StatusCode, got.body)
		}
	}
	if got := ann.do("POST", at, `{"values":{"company":"B"}}`, "Content-Type", "text/plain"); got.StatusCode != 415 {
		t.Errorf("no JSON: %d %s", got.StatusCode, got.body)
	}
	if got := string(ann.json("GET", at+"/"+made.ID, "", 200).body); !strings.Contains(got, "Acme") || !strings.Contains(got, `"version":1`) {
		t.Errorf("the record is %s", got)
	}
}

// TestRecordRoles: a role of the declaration sees and changes the records of others.
func TestRecordRoles(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) {
		c.Authenticate = func(r *http.Request) (string, error) { return r.Header.Get("User"), nil }
		c.Roles = func(name string) []string { return map[string][]string{"bo": {"boss"}}[name] }
	})
	p := s.visitor()
	p.json("POST", "/v1/records/customer", `{"values":{"company":"Acme"}}`, 201, "User", "ann")
	for name, want := range map[string]bool{"ann": true, "bo": true, "eve": false} {
		got := string(p.json("GET", "/v1/records/customer", "", 200, "User", name).body)
		if strings.Contains(got, `"author":"ann"`) != want {
			t.Errorf("%s lists %s", name, got)
		}
	}
}

// TestRecordPages: a person finds what was saved, edits it in the same form and deletes
// it, without a script.
func TestRecordPages(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := s.program()
	b.say("add a customer")
	b.json("POST", "/v1/records/customer", `{"values":{"company":"<b>Acme</b>"}}`, 201)
	list := string(b.json("GET", "/records/customer?q=acme&sort=company", "", 200).body)
	for _, want := range []string{"&lt;b&gt;Acme", `aria-sort="ascending"`, "format=csv", `value="acme"`} {
		if !strings.Contains(list, want) {
			t.Errorf("the page has no %s:\n%s", want, list)
		}
	}
	b.json("GET", "/records", "", 200)
	_, rest, _ := strings.Cut(list, `<td data-label="Company"><a href="`)
	at, _, _ := strings.Cut(rest, `"`)
	page := string(b.json("GET", at, "", 200).body)
	if !strings.Contains(page, at+"/edit") || !strings.Contains(page, "&lt;b&gt;Acme") {
		t.Errorf("%s", page)
	}
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	for range 2 { // a button pressed twice
		to := b.do("POST", at+"/edit", "limn_key=k", form...).Header.Get("Location")
		if !strings.HasSuffix(to, "#form:customer-2%23e=1") {
			t.Errorf("the page does not begin at the form: %s", to)
		}
	}
	if sf := b.state().Surface("form:customer-2"); sf == nil || sf.Origin.Record.Version != 1 {
		t.Errorf("the form is not open: %v", b.state().Surfaces)
	}
	if b.state().Surface("form:customer-3") != nil {
		t.Error("the form is open twice")
	}
	b.do("POST", "/v1/-/end", "")
	if to := b.do("POST", at+"/edit", "limn_key=k", form...).Header.Get("Location"); to == "" || strings.Contains(to, b.ID) {
		t.Errorf("the ended conversation %s is shown: %s", b.ID, to)
	}
	b.do("POST", at+"/delete", url.Values{"version": {"1"}}.Encode(), form...)
	if got := b.do("GET", at, ""); got.StatusCode != 404 {
		t.Errorf("a deleted record: %d", got.StatusCode)
	}
}

// TestRecordVersionsGoOn: the lists of versions go on where they end, by a link and by next.
func TestRecordVersionsGoOn(t *testing.T) {
	t.Parallel()
	s := start(t)
	ann := s.program()
	var made struct{ ID string }
	ann.json("POST", "/v1/records/customer", `{"values":{"company":"Acme"}}`, 201).into(t, &made)
	r := limntest.Must(s.srv.Records().Get(t.Context(), "customer", made.ID, 0))
	for range 101 {
		r = limntest.Must(s.srv.Records().Put(t.Context(), r))
	}
	at := "/records/customer/" + made.ID
	page := string(ann.json("GET", at, "", 200).body)
	_, rest, _ := strings.Cut(page, "</ol><p><a href=\"")
	older, _, _ := strings.Cut(rest, `"`)
	if want := at + "?before=3&amp;version=102"; older != want || !strings.Contains(page, `start="102"`) {
		t.Fatalf("the page goes on at %q, want %q\n%s", older, want, page)
	}
	page = string(ann.json("GET", html.UnescapeString(older), "", 200).body)
	if !strings.Contains(page, `start="2"`) || strings.Count(page, "<li>") != 2 || strings.Contains(page, "</ol><p>") {
		t.Errorf("the second page: %s", page)
	}
	for before, want := range map[string]uint64{"": 3, "?before=3": 0} {
		var got struct{ Next uint64 }
		if ann.json("GET", "/v1"+at+"/versions"+before, "", 200).into(t, &got); got.Next != want {
			t.Errorf("%s: next %d, want %d", before, got.Next, want)
		}
	}
}

// TestEditAgain: the one button of an answered form opens its record in the form again, for
// clients of A2UI too; the record that a click names does not count, and neither does another action there.
func TestEditAgain(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.say("add a customer")
	first := c.state().Surface("form:customer")
	at := func() int { return len(c.state().Surfaces) }
	edit := func(action string, context map[string]any) answer {
		return c.do("POST", "/v1/-/events", press(first, builtin.KeyEdit, action, context))
	}
	if a := edit(builtin.ActionRecordEdit, nil); a.StatusCode == 200 {
		t.Errorf("an open form has no record: %s", a.body)
	}
	c.json("POST", "/v1/-/events", click(first, "submit", map[string]any{"company": "Acme"}), 200)
	first = c.state().Surface("form:customer")
	record := first.Origin.Record.ID
	if a := edit(builtin.ActionSubmit, nil); a.StatusCode != http.StatusConflict || at() != 1 {
		t.Errorf("submitted again: %d %s", a.StatusCode, a.body)
	}
	a := edit(builtin.ActionRecordEdit, map[string]any{"name": "customer", "id": "another"})
	sf := c.state().Surface("form:customer") // in place of the answered one
	if a.StatusCode != 200 || sf == nil || sf.Status != ui.StatusOpen || sf.Origin.Record.ID != record {
		t.Fatalf("%d %s: %+v", a.StatusCode, a.body, c.state().Surfaces)
	}
	if v, _ := sf.Get("/draft/company"); v.Text() != "Acme" {
		t.Errorf("the form has %q", v.Text())
	}
	c.json("POST", "/v1/-/events", click(sf, "submit", map[string]any{"company": "Acme & Co"}), 200)
	var saved struct{ Version int }
	c.json("GET", "/v1/records/customer/"+record, "", 200).into(t, &saved)
	if saved.Version != 2 {
		t.Errorf("version %d", saved.Version)
	}
}

// TestRecordFilters: the page adds a filter by its form, says which count, keeps them for
// the next search and takes each away.
func TestRecordFilters(t *testing.T) {
	t.Parallel()
	s := start(t)
	ann := s.program()
	for _, company := range []string{"Acme", "Beta", "Bravo"} {
		ann.json("POST", "/v1/records/customer", `{"values":{"company":"`+company+`"}}`, 201)
	}
	page := func(query string) string {
		t.Helper()
		return string(ann.json("GET", "/records/customer"+query, "", 200).body)
	}
	got := page("?q=&field=company&op=prefix&value=b&sort=company")
	for text, want := range map[string]bool{"Acme": false, "Beta": true, "Bravo": true,
		`name="filter" value="company:prefix:b"`: true, `name="sort" value="company"`: true,
		`<li>Company begins with b <a href="/records/customer?sort=company">Remove</a>`: true} {
		if strings.Contains(got, text) != want {
			t.Errorf("%q is %v in %s", text, !want, got)
		}
	}
	got = page("?filter=company:prefix:b&field=company&op=eq&value=Bravo")
	if strings.Contains(got, "Beta") || !strings.Contains(got, "Bravo") || strings.Count(got, `name="filter"`) != 2 {
		t.Errorf("two filters: %s", got)
	}
	if got = page("?field=company&op=missing&value="); strings.Contains(got, "Acme") {
		t.Errorf("companies that are empty: %s", got)
	}
	ann.json("GET", "/records?filter=x", "", 400)
}

// TestUnreadFilters: of a query only what cannot be read is left out. The page says which part that is,
// and keeps it in its form, with the search, the sort and the filters that count; so do the exports.
func TestUnreadFilters(t *testing.T) {
	t.Parallel()
	s := start(t)
	ann := s.program()
	for _, company := range []string{"Acme", "Beta", "Bravo"} {
		ann.json("POST", "/v1/records/customer", `{"values":{"company":"`+company+`","notes":"ours"}}`, 201)
	}
	const kept, typed = "q=ours&filter=company:prefix:b&sort=", "company&field=budget&op=ge&value=12x"
	for _, c := range [][2]string{
		{typed, `<option value="budget" selected>`}, {typed, `<option value="ge" selected>`},
		{typed, "Budget must be a number. “12x” cannot be read and was left out."},
		{"company&field=&op=ge&value=12x", `value="12x" aria-invalid="true"`},
		{"company&field=&op=le&value=5", "Choose the field that the filter “5” is about."},
		{"company&field=color&op=eq&value=red", "“red” cannot be read"},
		{"company&filter=budget:ge:12x", "“budget:ge:12x” cannot be read"},
		{"company&filter=x", "“x” cannot be read"}, {"company&limit=x", "“x” cannot be read"},
		{"company&after=x", "“x” cannot be read"}, {"color", "“color” cannot be read"},
	} {
		query, want := kept+c[0], c[1]
		got := string(ann.json("GET", "/records/customer?"+query, "", 400).body)
		all := []string{want, `name="q" type="search" value="ours"`, `value="company:prefix:b"`, "Bravo", "Beta",
			"csv&amp;filter=company%3Aprefix%3Ab&amp;q=ours"}
		if c[0] != "color" {
			all = append(all, `name="sort" value="company"`)
		}
		for _, text := range all {
			if !strings.Contains(got, text) {
				t.Errorf("%s lacks %s: %s", query, text, got)
			}
		}
		if strings.Contains(got, "Acme") {
			t.Errorf("%s: a filter was lost: %s", query, got)
		}
	}
	for query, left := range map[string]string{"q=a+b+c+d+e+f": "a b c d e f", "q=a-b-c-d-e-f-g-h-i": "a-b-c-d-e-f-g-h-i",
		"filter=company:prefix:b&filter=company:prefix:br&field=budget&op=ge&value=5": "5"} {
		got := string(ann.json("GET", "/records/customer?"+query, "", 400).body)
		want := `role="status">At most 2 filters and 5 words at once: “` + left + "” was left out.</p>"
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s: %s", query, want, got)
		}
	}
}

// TestRecordFiltersByLocale: a number is typed and shown as the language of the page writes it.
func TestRecordFiltersByLocale(t *testing.T) {
	t.Parallel()
	ann := start(t).program()
	ann.json("POST", "/v1/records/customer", `{"values":{"company":"Small","budget":"1.5"}}`, 201)
	ann.json("POST", "/v1/records/customer", `{"values":{"company":"Large","budget":"1234567.5"}}`, 201)
	for lang, typed := range map[string]string{"de": "1.234.567,5", "en": "1,234,567.5", "fr": "1 234 567,5"} {
		got := string(ann.do("GET", "/records/customer?"+url.Values{"field": {"budget"}, "op": {"ge"}, "value": {typed}}.Encode(),
			"", "Accept-Language", lang).body)
		if strings.Contains(got, "Small") || !strings.Contains(got, "Large") ||
			!strings.Contains(got, `value="budget:ge:1234567.5"`) || lang != "fr" && !strings.Contains(got, " "+typed+" <a") {
			t.Errorf("%s: %s", lang, got)
		}
	}
}
