package web_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/ui"
)

type listing struct {
	Conversations []struct {
		ID, Title       string
		Created, Active time.Time
		Ended, Archived bool
	}
	Next string
}

// TestList: GET /v1/conversations has the caller's, newest first and in pages,
// and nobody else's.
func TestList(t *testing.T) {
	t.Parallel()
	s := start(t)
	owner, other := s.program(), s.program()
	other.say("mine alone")
	ids := []string{owner.ID}
	for range 2 {
		var made struct{ ID string }
		owner.do("POST", "/v1/conversations", "").into(t, &made)
		ids = append(ids, made.ID)
	}
	owner.say("add\n a customer " + strings.Repeat("ü", 100))
	owner.ID = ids[1]
	owner.do("POST", "/v1/-/end", "")

	var all listing
	owner.do("GET", "/v1/conversations", "").into(t, &all)
	if len(all.Conversations) != 3 || all.Next != "" {
		t.Fatalf("%+v", all)
	}
	for i, c := range all.Conversations {
		if c.ID != ids[2-i] || c.Ended != (i == 1) || c.Created.IsZero() || c.Active.Before(c.Created) {
			t.Errorf("%d: %+v", i, c)
		}
	}
	first := all.Conversations[2]
	if !strings.HasPrefix(first.Title, "add a customer ü") || len(first.Title) > 124 ||
		!first.Active.After(first.Created) {
		t.Errorf("%+v", first)
	}
	var paged []string
	for after := ""; ; {
		var page listing
		owner.do("GET", "/v1/conversations?limit=2&after="+url.QueryEscape(after), "").into(t, &page)
		for _, c := range page.Conversations {
			paged = append(paged, c.ID)
		}
		if after = page.Next; after == "" {
			break
		}
	}
	if strings.Join(paged, " ") != ids[2]+" "+ids[1]+" "+ids[0] {
		t.Errorf("pages list %q, want %q", paged, ids)
	}

	var others listing
	other.do("GET", "/v1/conversations", "").into(t, &others)
	if len(others.Conversations) != 1 || others.Conversations[0].Title != "mine alone" {
		t.Errorf("another principal is listed %+v", others)
	}
	var page listing
	owner.do("GET", "/v1/conversations?limit=1", "").into(t, &page)
	// somebody else's cursor is a place in time
	other.do("GET", "/v1/conversations?after="+page.Next, "").into(t, &others)
	if len(others.Conversations) > 1 {
		t.Errorf("%+v", others)
	}
	for query, path := range map[string]string{"limit=0": "limit", "limit=51": "limit", "limit=x": "limit",
		"after=x": "after", "after=%25": "after",
		"archived=perhaps": "archived", "q=" + strings.Repeat("x", 201): "q"} {
		if p := owner.do("GET", "/v1/conversations?"+query, "").problem(t); p.Code != "A2UI_C2S_ENVELOPE_INVALID" {
			t.Errorf("%s: %+v, want a problem with %s", query, p, path)
		}
	}
	if p := s.visitor().do("GET", "/v1/conversations", "").problem(t); p.Status != 401 {
		t.Errorf("nobody: %+v", p)
	}
}

// TestLabel: an owner names a conversation, puts it away and gets it back; nobody else does.
func TestLabel(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, eve := s.program(), s.program()
	c.say("add a customer")
	first := c.ID
	var made struct{ ID string }
	c.do("POST", "/v1/conversations", "").into(t, &made)
	ids := func(query string) (list string) {
		t.Helper()
		var got listing
		c.do("GET", "/v1/conversations"+query, "").into(t, &got)
		for _, one := range got.Conversations {
			list += one.Title + strings.Repeat("!", map[bool]int{true: 1}[one.Archived]) + ";"
		}
		return list
	}
	patch := func(body string, status int) (got struct {
		ID, Title string
		Archived  bool
	}) {
		t.Helper()
		a := c.do("PATCH", "/v1/conversations/"+first, body, "Content-Type", "application/json")
		if a.StatusCode != status {
			t.Fatalf("%s: %d %s", body, a.StatusCode, a.body)
		}
		if status == http.StatusOK {
			a.into(t, &got)
		}
		return got
	}
	if got := patch(`{"title":"  Größe\n der Gäste "}`, 200); got.Title != "Größe der Gäste" || got.ID != first {
		t.Errorf("%+v", got)
	}
	if got := patch(`{"archived":true}`, 200); got.Title != "Größe der Gäste" || !got.Archived {
		t.Errorf("%+v", got)
	}
	if current, away := ids(""), ids("?archived=true"); current != ";" || away != "Größe der Gäste!;" {
		t.Errorf("%q and archived %q", current, away)
	}
	if found, other := ids("?archived=true&q=gÄste+GRÖSSE"), ids("?archived=true&q=gäste+größe"); found != "" ||
		other != "Größe der Gäste!;" {
		t.Errorf("found %q and %q", found, other)
	}
	if a := c.do("POST", "/v1/conversations/"+first+"/messages", `{"text":"and another"}`, "Prefer", "wait=5"); a.StatusCode != 200 {
		t.Errorf("an archived conversation answers %d", a.StatusCode)
	}
	patch(`{"title":"","archived":false}`, 200)
	if all := ids(""); all != ";add a customer;" {
		t.Errorf("listed %q", all)
	}
	if found := ids("?q=CUSTOMER"); found != "add a customer;" {
		t.Errorf("found %q", found)
	}
	for _, body := range []string{`{}`, `{"title":7}`, `{"name":"x"}`, `nothing`, `{"title":"x"}{}`,
		`{"title":"` + strings.Repeat("ü", conversation.MaxTitle+1) + `"}`} {
		patch(body, 400)
	}
	patch(`{"title":"`+strings.Repeat("ü", conversation.MaxTitle)+`"}`, 200)
	if a := eve.do("PATCH", "/v1/conversations/"+first, `{"title":"mine"}`, "Content-Type", "application/json"); a.StatusCode != 404 {
		t.Errorf("another principal names it: %d", a.StatusCode)
	}
}

// TestDelete: a conversation goes for its owner with all that belongs to it, and what it
// saved stays.
func TestDelete(t *testing.T) {
	t.Parallel()
	s := start(t, withAssets)
	c, eve := s.program(), s.program()
	c.say("add a customer")
	c.json("POST", "/v1/records/customer", `{"values":{"company":"Acme"}}`, 201)
	if a := c.upload("/v1/-/uploads", nil, part{"file", "a.txt", "hello"}); a.StatusCode != 201 {
		t.Fatalf("upload: %d %s", a.StatusCode, a.body)
	}
	stream := c.open("/v1/-/stream")
	stream.must()
	id := c.ID
	eve.json("DELETE", "/v1/conversations/"+id, "", 404)
	c.json("DELETE", "/v1/conversations/"+id, "", 204)
	for _, more := stream.next(); more; _, more = stream.next() {
	}
	for _, path := range []string{"/state", "/frames", "/a2ui", "/stream", "/preferences"} {
		c.json("GET", "/v1/conversations/"+id+path, "", 404)
	}
	c.json("POST", "/v1/conversations/"+id+"/messages", `{"text":"hello"}`, 404)
	c.json("PATCH", "/v1/conversations/"+id, `{"title":"x"}`, 404)
	c.json("POST", "/v1/conversations/"+id+"/end", "", 404)
	c.json("DELETE", "/v1/conversations/"+id, "", 404)
	var list listing
	c.do("GET", "/v1/conversations", "").into(t, &list)
	if len(list.Conversations) != 0 {
		t.Errorf("%+v", list)
	}
	if used, err := s.srv.Service().Usage(t.Context(), conversation.Anonymous(c.Token)); err != nil ||
		used.Conversations != 0 || used.Bytes != 0 {
		t.Errorf("%+v, %v", used, err)
	}
	if got := string(c.json("GET", "/v1/records/customer", "", 200).body); !strings.Contains(got, "Acme") {
		t.Errorf("its records are %s", got)
	}
}

// TestDeletePage: a page asks before a conversation is deleted, and says what stays.
func TestDeletePage(t *testing.T) {
	t.Parallel()
	s := start(t)
	ann, eve := s.program(), s.program()
	ann.say("add a <b>customer</b>")
	at := "/c/" + ann.ID + "/delete"
	asks := string(ann.json("GET", at+"?q=add&x=1", "", 200).body)
	for _, want := range []string{"“add a &lt;b&gt;customer&lt;/b&gt;”", "deleted for good", "Saved records",
		`value="q=add"`, `href="/conversations?q=add"`, `action="` + at + `"`} {
		if !strings.Contains(asks, want) {
			t.Errorf("the page has no %s\n%s", want, asks)
		}
	}
	if a := ann.post(at, nil, "Sec-Fetch-Site", "cross-site"); a.StatusCode != 403 {
		t.Errorf("from another site: %d", a.StatusCode)
	}
	if a := eve.post(at, nil); a.StatusCode != 404 {
		t.Errorf("another principal: %d", a.StatusCode)
	}
	if a := ann.post(at, url.Values{"back": {"q=add"}}); a.StatusCode != 303 ||
		a.Header.Get("Location") != "/conversations?q=add" {
		t.Errorf("%d %s", a.StatusCode, a.Header.Get("Location"))
	}
	ann.json("GET", "/c/"+ann.ID, "", 404)
}

// TestHandlersKnowWho: a handler is told the name that Authenticate gave, and the
// Service takes it.
func TestHandlersKnowWho(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var told []string
	s := start(t, func(c *limn.Config) {
		c.Authenticate = users
		cfg := c.App.Config()
		cfg.Actions = append(cfg.Actions, app.Action{Name: "who",
			Handler: func(_ context.Context, call app.Call) (app.Result, error) {
				mu.Lock()
				defer mu.Unlock()
				told = append(told, call.Principal)
				return app.Result{Text: "You are " + call.Principal + "."}, nil
			}})
		cfg.Messages = []app.MessageRoute{{Phrases: []string{"who am I"}, Action: "who"}}
		var err error
		if c.App, err = app.New(cfg); err != nil {
			t.Fatal(err)
		}
	})
	c := s.visitor()
	var made struct{ ID string }
	c.do("POST", "/v1/conversations", "", "X-User", "ann").into(t, &made)
	c.ID = made.ID
	c.do("POST", "/v1/-/messages", `{"text":"who am I"}`, "X-User", "ann", "Prefer", "wait=5")
	svc := s.srv.Service()
	if _, err := svc.Submit(t.Context(), c.ID, "ann", &ui.Event{Kind: ui.EventMessage, Text: "who am I"}, time.Minute); err != nil {
		t.Error(err)
	}
	if _, err := svc.Submit(t.Context(), c.ID, "bob", &ui.Event{Kind: ui.EventMessage, Text: "who am I"}, time.Minute); ui.CodeOf(err) != conversation.CodeNotFound {
		t.Errorf("bob in ann's conversation: %v", err)
	}
	if ids, err := svc.Owned(t.Context(), "ann", 5); err != nil || len(ids) != 1 || ids[0] != c.ID {
		t.Errorf("ann owns %q, %v", ids, err)
	}
	id, err := svc.Create(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	if a := c.do("GET", "/v1/conversations/"+id+"/state", "", "X-User", "ann"); a.StatusCode != 200 {
		t.Errorf("what Create makes for ann: %d", a.StatusCode)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(told) != 2 || told[0] != "ann" || told[1] != "ann" {
		t.Errorf("the handler was told %q", told)
	}
}

// TestNameThatIsAnID: who signs in as an id of this server is nobody.
func TestNameThatIsAnID(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Authenticate = users })
	c := s.visitor()
	var made struct{ ID string }
	c.do("POST", "/v1/conversations", "", "X-User", "ann").into(t, &made)
	c.ID = made.ID
	for _, name := range []string{conversation.Owner("ann"), conversation.Anonymous("x"),
		strings.Repeat("n", conversation.MaxPrincipal+1), "\xff"} {
		if a := c.do("GET", "/v1/-/state", "", "X-User", name); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("%.40q: %d", name, a.StatusCode)
		}
	}
}

// TestConversationsPage: a browser finds its conversations again, and nobody else's.
func TestConversationsPage(t *testing.T) {
	t.Parallel()
	s := start(t)
	ann, eve := s.program(), s.program()
	ann.say("add a <b>customer</b>")
	eve.say("mine alone")
	if page := string(ann.json("GET", "/conversations", "", 200).body); !strings.Contains(page, `href="/c/`+ann.ID) ||
		!strings.Contains(page, "add a &lt;b&gt;customer") || strings.Contains(page, eve.ID) {
		t.Errorf("%s", page)
	}
	ann.json("GET", "/conversations?after=x", "", 400)
}

// TestConversationsForms: the forms of the list work without script, and lead back to it.
func TestConversationsForms(t *testing.T) {
	t.Parallel()
	s := start(t)
	ann, eve := s.program(), s.program()
	ann.say("add a customer")
	at := "/c/" + ann.ID
	to := func(where string, form url.Values) string {
		t.Helper()
		a := ann.post(at+where, form)
		if a.StatusCode != http.StatusSeeOther {
			t.Fatalf("%v: %d %s", form, a.StatusCode, a.body)
		}
		return a.Header.Get("Location")
	}
	shows := func(address, want string, wanted bool) {
		t.Helper()
		if page := string(ann.do("GET", address, "").body); strings.Contains(page, want) != wanted {
			t.Errorf("%s has %q: %t, want %t\n%s", address, want, !wanted, wanted, page)
		}
	}
	if got := to("/label", url.Values{"title": {"Guests"}, "back": {"q=gue&x=1"}}); got != "/conversations?q=gue" {
		t.Errorf("leads to %s", got)
	}
	shows("/conversations?q=gue", ">Guests</a>", true)
	shows("/conversations?q=customer", ">Guests</a>", true) // it was said
	shows("/conversations?q=supplier", ">Guests</a>", false)
	if got := to("/label", url.Values{"archived": {"true"}, "back": {"//elsewhere.example"}}); got != "/conversations" {
		t.Errorf("leads to %s", got)
	}
	shows("/conversations", ">Guests</a>", false)
	shows("/conversations?archived=true", ">Guests</a>", true)
	to("/label", url.Values{"archived": {"false"}})
	shows("/conversations", ">Guests</a>", true)
	eve.ID = ann.ID
	if a := eve.post(at+"/label", url.Values{"title": {"mine"}}); a.StatusCode != 404 {
		t.Errorf("another principal: %d", a.StatusCode)
	}
	if a := ann.post(at+"/label", url.Values{"title": {"mine"}}, "Sec-Fetch-Site", "cross-site"); a.StatusCode != 403 {
		t.Errorf("from another site: %d", a.StatusCode)
	}
}
