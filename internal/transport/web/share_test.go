package web_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html/atom"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/share"
)

type link struct {
	ID, Access, URL  string
	Created, Expires time.Time
	Opened           int
}

// share makes a link into the client's conversation.
func (c *client) share(body string) (l link) {
	c.Helper()
	c.json("POST", "/v1/-/shares", body, 201).into(c.t, &l)
	return l
}

// links are those into the client's conversation.
func (c *client) links() []link {
	c.Helper()
	var got struct{ Shares []link }
	c.do("GET", "/v1/-/shares", "").into(c.t, &got)
	return got.Shares
}

func (l link) token() string { return l.URL[strings.LastIndex(l.URL, "/")+1:] }

// opensLink is a program that has opened a link.
func (c *client) opensLink(s *site, l link) *client {
	c.Helper()
	g := s.visitor()
	g.ID = c.ID
	var got struct{ Access, Token string }
	g.json("POST", "/v1/-/join", `{"token":"`+l.token()+`"}`, 200).into(c.t, &got)
	if got.Access != l.Access || got.Token == "" {
		c.t.Errorf("opened %+v, got %+v", l, got)
	}
	g.Token = got.Token
	return g
}

func (c *client) refuses(what string, a answer, status int, code string) {
	c.Helper()
	if p := a.problem(c.t); p.Status != status || string(p.Code) != code {
		c.t.Errorf("%s: %d %s, want %d %s", what, p.Status, p.Code, status, code)
	}
}

// TestShareRead: who opened a link for reading sees the conversation as it changes, and each
// write of theirs is refused.
func TestShareRead(t *testing.T) {
	t.Parallel()
	s := start(t)
	owner := s.program()
	owner.say("add a customer")
	l := owner.share(`{"access":"read","expires":"24h"}`)
	if d := l.Expires.Sub(l.Created); d < 24*time.Hour-time.Minute || d > 24*time.Hour || len(l.token()) != 43 {
		t.Errorf("%+v", l)
	}
	guest := owner.opensLink(s, l)
	for _, path := range []string{"/v1/-/state", "/v1/-/a2ui", "/v1/-/frames", "/v1/-/preferences", "/v1/-/guardrails"} {
		if a := guest.do("GET", path, ""); a.StatusCode != 200 || strings.Contains(string(a.body), l.ID) {
			t.Errorf("%s: %d %.300s", path, a.StatusCode, a.body)
		}
	}
	stream := guest.open("/v1/-/stream")
	stream.must()
	owner.say("hello")
	if b := stream.must().body(t); b.Text == "" {
		t.Errorf("%+v", b)
	}

	before := owner.state().Seq
	for _, w := range []struct{ method, path, body string }{
		{"POST", "/v1/-/messages", `{"text":"mine"}`},
		{"POST", "/v1/-/events", `{"version":"v0.9","error":{"code":"X","surfaceId":"s","message":"x"}}`},
		{"POST", "/v1/-/cancel", ""},
		{"PUT", "/v1/-/preferences/preferred_ui", `{"tool":null}`},
		{"POST", "/v1/-/guardrails", `{"intent_pattern":"x","action":"force_tool","tool":"request_process_map"}`},
		{"POST", "/v1/-/surfaces/form:customer/regenerate", ""},
	} {
		a := guest.do(w.method, w.path, w.body, "Content-Type", "application/json")
		guest.refuses(w.method+" "+w.path, a, 403, "SHARE_READ_ONLY")
	}
	guest.refuses("an upload", guest.upload("/v1/-/uploads", nil, part{"file", "a.txt", "hello"}), 403,
		"SHARE_READ_ONLY")
	guest.ownersOnly()
	if after := owner.state().Seq; after != before {
		t.Errorf("frame %d after %d", after, before)
	}

	p := guest.do("GET", "/c/-", "").page(t)
	p.one(atom.P, "id", "limn-shared")
	if f := p.one(atom.Form, "id", "limn-message"); !has(f, "hidden") {
		t.Error("the page has a composer")
	}
	for _, n := range p.all(atom.Button) {
		locked := attr(n, "type") == "button" // it sends nothing
		for up := n.Parent; up != nil; up = up.Parent {
			locked = locked || up.DataAtom == atom.Fieldset && has(up, "disabled") || up.DataAtom == atom.Header
		}
		if !locked {
			t.Errorf("the button %q can be pressed", textOf(n))
		}
	}
	if len(p.all(atom.A, "id", "limn-share")) > 0 || len(p.all(atom.Details, "id", "limn-preferences")) > 0 {
		t.Error("a guest is offered what only the owner may do")
	}
}

// ownersOnly checks that a guest may not do what is the owner's.
func (c *client) ownersOnly() {
	c.Helper()
	for _, w := range []struct{ method, path, body string }{
		{"POST", "/v1/-/end", ""},
		{"DELETE", "/v1/-", ""},
		{"PATCH", "/v1/-", `{"title":"mine"}`},
		{"GET", "/v1/-/shares", ""},
		{"POST", "/v1/-/shares", `{"access":"write"}`},
		{"DELETE", "/v1/-/shares/x", ""},
	} {
		a := c.do(w.method, w.path, w.body, "Content-Type", "application/json")
		c.refuses(w.method+" "+w.path, a, 403, "SHARE_OWNER_ONLY")
	}
}

// TestShareWrite: who opened a link for writing acts in the conversation, as themselves.
func TestShareWrite(t *testing.T) {
	t.Parallel()
	s := start(t)
	owner := s.program()
	guest := owner.opensLink(s, owner.share(`{"access":"write"}`))
	guest.say("add a customer")
	if owner.state().Surface("form:customer") == nil {
		t.Error("the guest opened no form")
	}
	if a := guest.upload("/v1/-/uploads", nil, part{"file", "a.txt", "hello"}); a.StatusCode != 201 {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	guest.ownersOnly()
	p := guest.do("GET", "/c/-", "").page(t)
	if f := p.one(atom.Form, "id", "limn-message"); has(f, "hidden") {
		t.Error("the page has no composer")
	}
	if l := owner.links(); len(l) != 1 || l[0].Opened != 1 || l[0].Access != "write" {
		t.Errorf("%+v", l)
	}
	var mine listing
	guest.do("GET", "/v1/conversations", "").into(t, &mine)
	if len(mine.Conversations) > 0 {
		t.Errorf("it became the guest's: %+v", mine)
	}
}

// TestShareRevoked: a revoked link, and the streams of those who opened it, end at once; other
// links stay. It holds for a conversation that has ended as well.
func TestShareRevoked(t *testing.T) {
	t.Parallel()
	s := start(t)
	owner := s.program()
	l, kept := owner.share(`{"access":"write"}`), owner.share(`{"access":"read"}`)
	guest, other := owner.opensLink(s, l), owner.opensLink(s, kept)
	streams := []subscription{guest.open("/v1/-/stream"), other.open("/v1/-/stream")}
	for _, st := range streams {
		st.must()
	}
	if a := owner.do("DELETE", "/v1/-/shares/"+l.ID, ""); a.StatusCode != 204 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	if e, more := streams[0].next(); more {
		t.Errorf("the stream goes on with %+v", e)
	}
	guest.refuses("reading", guest.do("GET", "/v1/-/state", ""), 404, "HTTP_NOT_FOUND")
	guest.refuses("writing", guest.do("POST", messages, `{"text":"x"}`), 404, "HTTP_NOT_FOUND")
	guest.refuses("opening", guest.do("POST", "/v1/-/join", `{"token":"`+l.token()+`"}`), 404, "SHARE_NOT_FOUND")
	owner.refuses("again", owner.do("DELETE", "/v1/-/shares/"+l.ID, ""), 404, "SHARE_NOT_FOUND")
	owner.say("hello")
	if b := streams[1].must().body(t); b.Text == "" {
		t.Errorf("%+v", b)
	}
	owner.do("POST", "/v1/-/end", "")
	if a := other.do("GET", "/v1/-/state", ""); a.StatusCode != 200 {
		t.Errorf("%d", a.StatusCode)
	}
	owner.do("DELETE", "/v1/-/shares/"+kept.ID, "")
	if a := other.do("GET", "/v1/-/state", ""); a.StatusCode != 404 || len(owner.links()) > 0 {
		t.Errorf("%d, %+v", a.StatusCode, owner.links())
	}
}

// TestShareInputs: what is no access, no time, or too much.
func TestShareInputs(t *testing.T) {
	t.Parallel()
	s := start(t)
	owner := s.program()
	for _, body := range []string{`{}`, `{"access":"all"}`, `{"access":"read","expires":"soon"}`,
		`{"access":"read","expires":"-1h"}`, `{"access":"read","expires":"2161h"}`,
		`{"access":"read","expires":"2001-01-01T00:00:00Z"}`, `{"access":"read","more":1}`, `[]`, ``} {
		a := owner.do("POST", "/v1/-/shares", body, "Content-Type", "application/json")
		owner.refuses(body, a, 400, "A2UI_C2S_ENVELOPE_INVALID")
	}
	at := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	if l := owner.share(`{"access":"read","expires":"` + at.Format(time.RFC3339) + `"}`); !l.Expires.Equal(at) {
		t.Errorf("%v, want %v", l.Expires, at)
	}
	for range share.MaxLinks - 1 {
		owner.share(`{"access":"read"}`)
	}
	a := owner.do("POST", "/v1/-/shares", `{"access":"read"}`, "Content-Type", "application/json")
	owner.refuses("one too many", a, 403, "HTTP_QUOTA")
	stranger := s.program()
	stranger.ID = owner.ID
	for _, path := range []string{"/v1/-/shares", "/c/-/share"} {
		if a := stranger.do("GET", path, ""); a.StatusCode != 404 {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
	for _, token := range []string{"", "x", strings.Repeat("A", 43)} {
		a := stranger.do("POST", "/v1/-/join", `{"token":"`+token+`"}`, "Content-Type", "application/json")
		stranger.refuses(token, a, 404, "SHARE_NOT_FOUND")
	}
}

// TestShareGuests: so many may open one link.
func TestShareGuests(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Authenticate = named })
	owner := s.visitor()
	owner.ID = owner.signedIn("owner")
	l := owner.share(`{"access":"read"}`)
	join := func(name string) answer {
		return owner.do("POST", "/v1/-/join", `{"token":"`+l.token()+`"}`, "Content-Type", "application/json", "X-User", name)
	}
	for i := range share.MaxGuests {
		if a := join("guest " + string(rune('a'+i%26)) + string(rune('a'+i/26))); a.StatusCode != 200 {
			t.Fatalf("%d: %s", i, a.body)
		}
	}
	owner.refuses("one too many", join("late"), 403, "HTTP_QUOTA")
	if a := join("guest aa"); a.StatusCode != 200 {
		t.Errorf("who opened it before: %d", a.StatusCode)
	}
	a := owner.do("POST", "/v1/-/shares", `{"access":"own"}`, "Content-Type", "application/json", "X-User", "owner")
	owner.refuses("a device", a, 403, "HTTP_FORBIDDEN")
}

// named takes the name that a test sends; "owner" without one.
func named(r *http.Request) (string, error) {
	if n := r.Header.Get("X-User"); n != "" {
		return n, nil
	}
	return "owner", nil
}

func (c *client) signedIn(name string) string {
	c.Helper()
	var made struct{ ID string }
	c.do("POST", "/v1/conversations", "", "X-User", name).into(c.t, &made)
	return made.ID
}

// TestDevice: the link for another device opens once, and the device is the owner's.
func TestDevice(t *testing.T) {
	t.Parallel()
	s := start(t)
	owner := s.program()
	owner.say("add a customer")
	l := owner.share(`{"access":"own","expires":"2000h"}`)
	if l.Expires.Sub(l.Created) != share.DeviceLink {
		t.Errorf("%+v", l)
	}
	device := owner.opensLink(s, l)
	late := s.visitor()
	late.ID = owner.ID
	a := late.do("POST", "/v1/-/join", `{"token":"`+l.token()+`"}`, "Content-Type", "application/json")
	late.refuses("a second time", a, 404, "SHARE_NOT_FOUND")

	key := []string{"Idempotency-Key", "one", "Content-Type", "application/json", "Prefer", "wait=10"}
	first := owner.do("POST", messages, `{"text":"hello"}`, key...)
	again := device.do("POST", messages, `{"text":"hello"}`, key...)
	if !bytes.Equal(first.body, again.body) {
		t.Errorf("the owner got %s, the device %s: they are not one", first.body, again.body)
	}
	device.json("PATCH", "/v1/-", `{"title":"Mine"}`, 200)
	var own struct{ ID string }
	device.do("POST", "/v1/conversations", "").into(t, &own)
	for query, want := range map[string]string{"": own.ID + " " + owner.ID, "?q=mine": owner.ID, "?archived=true": "",
		"?limit=1": own.ID} {
		var all listing
		device.do("GET", "/v1/conversations"+query, "").into(t, &all)
		var ids []string
		for _, c := range all.Conversations {
			ids = append(ids, c.ID)
		}
		if strings.Join(ids, " ") != want {
			t.Errorf("the device lists %q for %q, want %q", ids, query, want)
		}
		if query == "?limit=1" {
			device.do("GET", "/v1/conversations?limit=1&after="+url.QueryEscape(all.Next), "").into(t, &all)
			if len(all.Conversations) != 1 || all.Conversations[0].ID != owner.ID {
				t.Errorf("its second page: %+v", all)
			}
		}
	}
	links := device.links()
	if len(links) != 1 || links[0].Access != "own" || links[0].Opened != 1 {
		t.Fatalf("%+v", links)
	}
	owner.do("DELETE", "/v1/-/shares/"+links[0].ID, "")
	device.refuses("after that", device.do("GET", "/v1/-/state", ""), 404, "HTTP_NOT_FOUND")
}

// TestSharePages is the way without script: a link is made, opened by a button and revoked.
// No log and no header has its token.
func TestSharePages(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := start(t, func(c *limn.Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	owner, guest := s.visitor(), s.visitor()
	p, _ := owner.browse(owner.do("GET", "/", ""))
	at := attr(p.one(atom.A, "id", "limn-share"), "href")
	p = owner.do("GET", at, "").page(t)
	form := p.all(atom.Form, "action", at)[0]
	v := p.values(form)
	v.Set("access", "read")
	a := owner.post(at, v)
	made := a.page(t)
	u, err := url.Parse(attr(made.one(atom.Input, "id", "limn-link"), "value"))
	if err != nil || !u.IsAbs() {
		t.Fatalf("%v %v", u, err)
	}
	if p := owner.do("GET", at, "").page(t); strings.Contains(p.text, u.Path) {
		t.Error("the address of the link is shown again")
	}

	guest.ID = owner.ID
	if a := guest.do("GET", "/c/-", "", "Accept", "text/html"); a.StatusCode != 404 {
		t.Errorf("before: %d", a.StatusCode)
	}
	a = guest.do("GET", u.Path, "", "Accept", "text/html")
	ask := a.page(t)
	if a.Header.Get("Referrer-Policy") != "same-origin" || len(a.Cookies()) > 0 { // no other site gets the address
		t.Errorf("%v", a.Header)
	}
	if a := guest.do("GET", "/c/-", "", "Accept", "text/html"); a.StatusCode != 404 {
		t.Errorf("looking at the link let someone in: %d", a.StatusCode)
	}
	action := attr(ask.one(atom.Form), "action")
	if a := guest.post(action, nil, "Sec-Fetch-Site", "cross-site"); a.StatusCode != 403 {
		t.Errorf("from another site: %d", a.StatusCode)
	}
	shown, _ := guest.browse(guest.post(action, nil))
	shown.one(atom.P, "id", "limn-shared")
	if a := guest.do("GET", u.Path, ""); a.StatusCode != 303 {
		t.Errorf("opened again: %d", a.StatusCode)
	}
	longer := owner.share(`{"access":"read","expires":"2000h"}`)
	if a := guest.do("GET", "/c/-/join/"+longer.token(), ""); a.StatusCode != 200 {
		t.Errorf("a link that counts longer: %d", a.StatusCode)
	}
	writing := s.visitor() // has a link that lets them write, and opens the one that counts longer
	writing.ID = owner.ID
	write := owner.share(`{"access":"write","expires":"1h"}`)
	writing.post("/c/-/join/"+write.token(), nil)
	for _, want := range []int{200, 303} {
		if a := writing.do("GET", "/c/-/join/"+longer.token(), ""); a.StatusCode != want {
			t.Errorf("a link that counts longer: %d, want %d", a.StatusCode, want)
		}
		writing.post("/c/-/join/"+longer.token(), nil)
	}
	owner.do("DELETE", "/v1/-/shares/"+longer.ID, "")
	owner.do("DELETE", "/v1/-/shares/"+write.ID, "")
	if a := guest.post("/c/-/messages", url.Values{"text": {"mine"}}); a.StatusCode != 403 {
		t.Errorf("a message: %d", a.StatusCode)
	}

	p = owner.do("GET", at, "").page(t)
	form = p.one(atom.Form, "action", "/c/"+owner.ID+"/unshare")
	if a := owner.post(attr(form, "action"), url.Values{"share": {attr(p.one(atom.Button, "name", "share"), "value")}}); a.StatusCode != 303 {
		t.Errorf("revoked: %d", a.StatusCode)
	}
	for _, at := range []string{"/c/-", u.Path} {
		if a := guest.do("GET", at, "", "Accept", "text/html"); a.StatusCode != 404 {
			t.Errorf("%s after that: %d", at, a.StatusCode)
		}
	}
	token := u.Path[strings.LastIndex(u.Path, "/")+1:]
	if strings.Contains(log.String(), token) || strings.Contains(log.String(), conversation.LinkHolder(token)) {
		t.Errorf("the log has the token: %s", log.String())
	}
}

// TestShareQuota: the files of a guest count for the owner.
func TestShareQuota(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Limits.FileBytes = 10 })
	owner := s.program()
	guest := owner.opensLink(s, owner.share(`{"access":"write"}`))
	if a := owner.upload("/v1/-/uploads", nil, part{"file", "a.txt", "hello"}); a.StatusCode != 201 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	guest.refuses("six bytes more", guest.upload("/v1/-/uploads", nil, part{"file", "b.txt", "hello!"}), 403, "HTTP_QUOTA")
}
