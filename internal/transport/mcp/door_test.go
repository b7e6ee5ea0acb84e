package mcp_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// capable is the metadata of a client that draws a version in the basic catalog.
func capable(d a2ui.Dialect) string {
	caps := limntest.Must(a2ui.AppendAllCapabilities(nil, map[a2ui.Dialect]a2ui.Capabilities{
		d: {Catalogs: []string{a2ui.CatalogID(d)}}}))
	return fmt.Sprintf(`,"_meta":{%q:%s}`, d.Features().CapabilitiesMember, caps)
}

// TestVersions: a form is opened, submitted, once, and read again in each version of A2UI. A new one in its place is
// open, and nothing is said to be closed.
func TestVersions(t *testing.T) {
	t.Parallel()
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V091, a2ui.V10} {
		s := start(t)
		s.initialize(`{}`)
		opened := s.tool("show_form_guest", `{"note":"hello"}`, capable(d))
		if len(opened.Result.Content) != 2 || s.text(opened) != "Sign the guest book (form:guest) is open." {
			t.Fatalf("%s: %s", d, opened.Raw)
		}
		res := opened.Result.Content[1].Resource
		if res.MimeType != d.Features().MediaType || !strings.HasPrefix(res.URI, "a2ui://") {
			t.Errorf("%s: %+v", d, res)
		}
		read := s.call("resources/read", fmt.Sprintf(`{"uri":%q%s}`, res.URI, capable(d)))
		if len(read.Result.Contents) != 1 || read.Result.Contents[0].Text != res.Text {
			t.Errorf("%s: read %s", d, read.Raw)
		}
		click := limntest.Sign(t, d, show(t, d, res.Text), "Ada")
		for range 2 {
			done := s.tool("a2ui_action", click, capable(d))
			if c := done.Result.StructuredContent; c.Outcome != "done" || len(c.Surfaces) != 1 ||
				c.Surfaces[0].Status != "submitted" {
				t.Errorf("%s: %s", d, done.Raw)
			}
		}
		if n := s.commits(opened.Result.StructuredContent.Conversation, "Ada"); n != 1 {
			t.Errorf("%s: saved %d times", d, n)
		}
		again := s.tool("show_form_guest", `{}`, capable(d))
		if s.text(again) != "Sign the guest book (form:guest) is open." || len(again.Result.Content) != 3 {
			t.Errorf("%s: a new one in its place: %s", d, again.Raw)
		}
	}
}

// TestTools: each declared surface has a tool that opens it, also with what is known of it; a
// directive that the application does not allow has none.
func TestTools(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.initialize(`{}`)
	names := ""
	for _, one := range s.call("tools/list", `{}`).Result.Tools {
		names += one.Name + " "
	}
	if want := "show_form_guest show_table_visitors show_map_visit show_view_rules say a2ui_action a2ui_error " +
		"limn_surface limn_submit limn_draft "; names != want {
		t.Errorf("tools %s", names)
	}
	for name, c := range map[string]struct{ arguments, surface, has string }{
		"show_form_guest":     {`{"name":"Ada","age":36}`, "form:guest", `"name":"Ada"`},
		"show_table_visitors": {`{"rows":[{"name":"Grace"}]}`, "table:visitors", "Grace"},
		"show_map_visit":      {`{"steps":[{"name":"Ring the bell"}]}`, "map:visit", "Ring the bell"},
		"show_view_rules":     {`{}`, "view:rules", "No shoes."},
		"say":                 {`{"text":"sign the guest book"}`, "form:guest", "Your name"},
	} {
		s.Token = base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf("%32s", name))) // another sender
		s.initialize(`{}`)
		got := s.tool(name, c.arguments)
		if sf := got.Result.StructuredContent.Surfaces; len(sf) == 0 || sf[0].Status != "open" ||
			!strings.Contains(got.Raw, c.has) && !strings.Contains(got.Raw, strings.ReplaceAll(c.has, `"`, `\"`)) {
			t.Errorf("%s: %s", name, got.Raw)
		}
	}
	few := start(t, func(c *limn.Config) {
		cfg := guests(t).Config()
		c.App = limntest.Must(app.New(app.Config{Name: "few", Forms: cfg.Forms, Tables: cfg.Tables,
			Directives: []string{"ui.show_form"}}))
	})
	few.initialize(`{}`)
	if all := few.call("tools/list", `{}`).Raw; strings.Contains(all, "show_table") || !strings.Contains(all, "show_form") {
		t.Errorf("tools %s", all)
	}
}

// TestGate: a table that its user does not want stays closed, to a tool too.
func TestGate(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.initialize(`{}`)
	s.tool("say", `{"text":"please never show me tables again"}`)
	got := s.tool("show_table_visitors", `{}`)
	if c := got.Result.StructuredContent; !got.Result.IsError || c.Outcome != "refused" || len(c.Surfaces) != 0 {
		t.Errorf("%s", got.Raw)
	}
}

// TestTwice: an open form keeps what its user typed when a model opens it again.
func TestTwice(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.initialize(`{}`)
	first := s.tool("show_form_guest", `{"name":"Ada"}`)
	second := s.tool("show_form_guest", `{}`)
	if a, b := first.Result.Content[1].Resource, second.Result.Content[1].Resource; a.URI != b.URI ||
		!strings.Contains(b.Text, `"name":"Ada"`) {
		t.Errorf("%s", second.Raw)
	}
}

// TestNegotiation: capabilities choose the drawing, of the session and of a call; without a
// catalog in common there are words and a link.
func TestNegotiation(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.initialize(fmt.Sprintf(`{"a2ui":{"clientCapabilities":{"v0.8":{"supportedCatalogIds":[%q]}}}}`,
		a2ui.CatalogID(a2ui.V08)))
	if got := s.tool("show_form_guest", `{}`); !strings.Contains(got.Raw, "beginRendering") {
		t.Errorf("v0.8 in the session: %s", got.Raw)
	}
	if got := s.tool("show_form_guest", `{}`, capable(a2ui.V09)); !strings.Contains(got.Raw, "createSurface") {
		t.Errorf("v0.9 in the call: %s", got.Raw)
	}
	lacks := s.tool("show_form_guest", `{}`, `,"_meta":{"a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":["x"]}}}`)
	if text := s.text(lacks); len(lacks.Result.Content) != 1 || !strings.Contains(text, "/c/") ||
		!strings.Contains(text, "CATALOG") {
		t.Errorf("no catalog: %s", lacks.Raw)
	}
	s.initialize(`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`)
	if got := s.tool("show_form_guest", `{}`); len(got.Result.Content) != 1 {
		t.Errorf("an app draws it: %s", got.Raw)
	}
}

// TestModel: the data model of a client counts before what it says.
func TestModel(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.initialize(`{}`)
	opened := s.tool("show_form_guest", `{}`).Result.StructuredContent
	wire := wireID(t, opened.Surfaces[0].URI)
	got := s.tool("say", `{"text":"okay, submit the form"}`, fmt.Sprintf(`,"_meta":{"a2uiClientDataModel":{
		"version":"v0.9","surfaces":{%q:{"draft":{"name":"Ada"}}}}}`, wire))
	if n := s.commits(opened.Conversation, "Ada"); n != 1 {
		t.Errorf("saved %d times: %s", n, got.Raw)
	}
}

func wireID(t *testing.T, uri string) string {
	t.Helper()
	return limntest.Must(url.PathUnescape(uri[strings.LastIndex(uri, "/")+1:]))
}

// TestSessionless: a client of 2026-07-28 needs no session; a stranger is given a token, once.
func TestSessionless(t *testing.T) {
	t.Parallel()
	s := start(t)
	found := s.modern("server/discover", "", "", `{}`)
	if found.Result.ResultType != "complete" || !strings.Contains(found.Raw, `"2026-07-28"`) {
		t.Errorf("%s", found.Raw)
	}
	got := s.modern("tools/call", "show_form_guest", `"name":"show_form_guest","arguments":{}`, `{}`)
	if got.Result.ResultType != "complete" || got.Result.StructuredContent.Outcome != "done" || got.Result.Meta.Token != "" {
		t.Errorf("%s", got.Raw)
	}
	s.Token = ""
	stranger := s.modern("tools/call", "show_form_guest", `"name":"show_form_guest","arguments":{}`, `{}`)
	if s.Token = stranger.Result.Meta.Token; s.Token == "" {
		t.Fatalf("no token: %s", stranger.Raw)
	}
	again := s.modern("tools/call", "show_form_guest", `"name":"show_form_guest","arguments":{}`, `{}`)
	if a, b := stranger.Result.StructuredContent, again.Result.StructuredContent; a.Conversation != b.Conversation ||
		again.Result.Meta.Token != "" {
		t.Errorf("%s\n%s", stranger.Raw, again.Raw)
	}
	for name, r := range map[string]reply{
		"no method": s.call("ping", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`,
			"MCP-Protocol-Version", "2026-07-28"),
		"no header": s.call("ping", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`),
		"no name": s.call("tools/call", `{"name":"say","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`,
			"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call"),
	} {
		if r.HTTP.StatusCode != http.StatusBadRequest || r.Error == nil || r.Error.Code != -32020 {
			t.Errorf("%s: %s %s", name, r.HTTP.Status, r.Raw)
		}
	}
}

// TestAnotherNode: a session, a question and a click that began at one server go on at
// another, with the same store.
func TestAnotherNode(t *testing.T) {
	t.Parallel()
	st := memory.New()
	at := func(c *limn.Config) { c.Store, c.Node = st, limn.NewNode() }
	one := start(t, at)
	one.Token = ""
	one.initialize(`{}`)
	opened := one.tool("show_form_guest", `{}`)
	two := start(t, at)
	two.Token, two.session = "", one.session
	again := two.tool("show_form_guest", `{}`)
	if a, b := opened.Result.Content[1].Resource, again.Result.Content[1].Resource; a != b {
		t.Errorf("%v\n%v", a, b)
	}
	click := limntest.Sign(t, a2ui.V09, show(t, a2ui.V09, opened.Result.Content[1].Resource.Text), "Ada")
	for _, s := range []*site{two, one, two} {
		if got := s.tool("a2ui_action", click); got.Result.StructuredContent.Outcome != "done" {
			t.Errorf("%s", got.Raw)
		}
	}
	if n := two.commits(opened.Result.StructuredContent.Conversation, "Ada"); n != 1 {
		t.Errorf("saved %d times", n)
	}
}

// TestRepeat: a click on an action that counts each time counts for each request, and once for one
// that is sent again.
func TestRepeat(t *testing.T) {
	t.Parallel()
	var counted atomic.Int32
	counter := limntest.Must(app.New(app.Config{Name: "counter", Actions: []app.Action{{Name: "count", Repeat: true,
		Handler: func(context.Context, app.Call) (app.Result, error) {
			counted.Add(1)
			return app.Result{Text: "Counted."}, nil
		}}}, Views: []app.View{{Name: "pad", Nodes: ui.Nodes{&ui.Column{Key: "main", Children: []ui.Node{
		&ui.Button{Key: "count", Label: "Count", Action: ui.Action{Name: "count", Repeat: true}}}}}}}}))
	s := start(t, func(c *limn.Config) { c.App = counter })
	s.initialize(`{}`)
	id := s.tool("show_view_pad", `{}`).Result.StructuredContent.Conversation
	h := limntest.Must(s.srv.Service().Head(t.Context(), id, ""))
	click := limntest.Press(h.State.Surface("view:pad"), "main/count").Action
	for i, request := range []string{"1", "1", "2", `"1"`, "another session", "1", "none", "1"} {
		switch request {
		case "another session":
			s.initialize(`{}`)
			continue
		case "none":
			s.session = ""
			continue
		}
		got := s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"a2ui_action","arguments":
			{"name":"count","surfaceId":%q,"sourceComponentId":%q,"context":{"limn_nonce":%q,"limn_rev":%d}}}}`,
			request, click.Surface, click.Component, click.Nonce, click.Rev))
		if want := []int32{1, 1, 2, 3, 3, 4, 4, 5}[i]; got.Result.StructuredContent.Outcome != "done" || counted.Load() != want {
			t.Errorf("request %s: counted %d times, want %d: %s", request, counted.Load(), want, got.Raw)
		}
	}
}

// TestStream: the stream of a session tells of what opens and changes, and goes on after a
// cursor; that of a client without one begins with what it agreed to.
func TestStream(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.initialize(`{}`)
	stream := s.Open("/mcp", "Mcp-Session-Id", s.session, "Accept", "text/event-stream")
	opened := s.tool("show_form_guest", `{}`)
	uri := opened.Result.StructuredContent.Surfaces[0].URI
	if e := stream.Must(); !strings.Contains(strings.Join(e.Data, ""), "resources/updated") || !strings.Contains(strings.Join(e.Data, ""), uri) {
		t.Errorf("%+v", e)
	}
	last := stream.Must()
	if !strings.Contains(strings.Join(last.Data, ""), "resources/list_changed") || last.ID == "" {
		t.Errorf("%+v", last)
	}
	click := limntest.Sign(t, a2ui.V09, show(t, a2ui.V09, opened.Result.Content[1].Resource.Text), "Ada")
	s.tool("a2ui_action", click)
	later := s.Open("/mcp", "Mcp-Session-Id", s.session, "Accept", "text/event-stream", "Last-Event-ID", last.ID)
	if e := later.Must(); !strings.Contains(strings.Join(e.Data, ""), "resources/updated") {
		t.Errorf("after the cursor: %+v", e)
	}
}

// TestApp: the app is one page that loads nothing; its tools draw a surface, keep what is
// typed and press a button, once.
func TestApp(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.initialize(`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`)
	page := s.call("resources/read", `{"uri":"ui://limn/surfaces"}`).Result.Contents[0]
	if page.MimeType != "text/html;profile=mcp-app" || !strings.HasPrefix(page.Text, "<!doctype html>") ||
		strings.Contains(page.Text, " src=") || strings.Contains(page.Text, "<link") {
		t.Errorf("%.200s", page.Text)
	}
	opened := s.tool("show_form_guest", `{}`).Result.StructuredContent
	uri := opened.Surfaces[0].URI
	args := func(fields string) string {
		return string(limntest.Must(json.Marshal(map[string]string{"surface": uri, "fields": fields})))
	}
	drawn := s.tool("limn_surface", `{"surface":"`+uri+`"}`).Result.StructuredContent
	hidden := func(name string) string {
		_, rest, _ := strings.Cut(drawn.HTML, `name="`+name+`"`)
		_, rest, _ = strings.Cut(rest, `value="`)
		value, _, ok := strings.Cut(rest, `"`)
		if !ok {
			t.Fatalf("no %s in %s", name, drawn.HTML)
		}
		return value
	}
	fields := url.Values{"limn_surface": {wireID(t, uri)}, "limn_nonce": {hidden("limn_nonce")},
		"limn_rev": {hidden("limn_rev")}, "/draft/name": {"Ada"}, "/draft/note": {""}}
	kept := s.tool("limn_draft", args(fields.Encode()))
	if c := kept.Result.StructuredContent; c.Outcome != "done" || !strings.Contains(c.HTML, `value="Ada"`) {
		t.Errorf("typed: %s", kept.Raw)
	}
	if again := s.tool("limn_draft", args(fields.Encode())); again.Result.StructuredContent.Outcome != "done" {
		t.Errorf("typed nothing more: %s", again.Raw)
	}
	_, rest, _ := strings.Cut(drawn.HTML, `class="limn-button limn-primary"`)
	_, rest, _ = strings.Cut(rest, `value="`)
	fields.Set("limn_component", rest[:strings.Index(rest, `"`)])
	for range 2 {
		if c := s.tool("limn_submit", args(fields.Encode())).Result.StructuredContent; c.Outcome != "done" ||
			!strings.Contains(c.HTML, "limn-done") {
			t.Errorf("%+v", c)
		}
	}
	if n := s.commits(opened.Conversation, "Ada"); n != 1 {
		t.Errorf("saved %d times", n)
	}
	off := start(t, func(c *limn.Config) { c.Targets = []string{"v0.9"} })
	off.initialize(`{}`)
	if all := off.call("tools/list", `{}`).Raw; strings.Contains(all, "limn_surface") || strings.Contains(all, "ui://") {
		t.Errorf("without HTML: %s", all)
	}
}

// TestStopAnswers: a call that waits for a model has its answer when the server stops.
func TestStopAnswers(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		gate := limntest.NewGate()
		pad := limntest.Must(app.New(app.Config{Name: "pad", Actions: []app.Action{{Name: "think", Run: "directives"}},
			Views: []app.View{{Name: "pad", Nodes: ui.Nodes{&ui.Column{Key: "main", Children: []ui.Node{
				&ui.Button{Key: "think", Label: "Think", Action: ui.Action{Name: "think"}}}}}}}}))
		srv := limntest.Must(limn.New(limn.Config{App: pad, Doors: []string{"mcp"}, Targets: limn.Targets(), Model: gate}))
		l, served := limntest.Listen(), make(chan error, 1)
		ctx, stop := context.WithCancel(context.Background())
		go func() { served <- srv.Serve(ctx, l) }()
		transport := &http.Transport{DialContext: l.Dial}
		defer transport.CloseIdleConnections()
		s := &site{T: t, srv: srv, Client: &limntest.Client{TB: t, HTTP: &http.Client{Transport: transport},
			URL: "http://limn.test", Token: ada}}
		s.initialize(`{}`)
		id := s.tool("show_view_pad", `{}`).Result.StructuredContent.Conversation
		h := limntest.Must(srv.Service().Head(t.Context(), id, ""))
		click := limntest.Press(h.State.Surface("view:pad"), "main/think").Action
		acted := make(chan reply)
		go func() {
			acted <- s.tool("a2ui_action", fmt.Sprintf(`{"name":"think","surfaceId":%q,"sourceComponentId":%q,
				"context":{"limn_nonce":%q,"limn_rev":%d}}`, click.Surface, click.Component, click.Nonce, click.Rev))
		}()
		<-gate.Asked
		synctest.Wait()
		began := time.Now()
		stop()
		if got := <-acted; got.Result.StructuredContent.Outcome != "working" || time.Since(began) != 0 {
			t.Errorf("%s after %v", got.Raw, time.Since(began))
		}
		gate.Answer <- limntest.Envelope("I thought.")
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

// TestOff: without the door there is nothing there.
func TestOff(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Doors = nil })
	if got := s.Do("POST", "/mcp", `{}`, "Content-Type", "application/json"); got.StatusCode != http.StatusNotFound {
		t.Errorf("%s", got.Status)
	}
}

// TestTrimmed: a click whose frames are gone is answered at once when it is sent again, also if a model replied to it.
func TestTrimmed(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) {
		c.KeepFrames, c.Model = 1, limntest.Says(limntest.Envelope("I thought."))
		c.App = limntest.Must(app.New(app.Config{Name: "pad", Actions: []app.Action{{Name: "think", Run: "directives"}},
			Views: []app.View{{Name: "pad", Nodes: ui.Nodes{&ui.Column{Key: "main", Children: []ui.Node{
				&ui.Button{Key: "think", Label: "Think", Action: ui.Action{Name: "think"}}}}}}}}))
	})
	s.initialize(`{}`)
	id := s.tool("show_view_pad", `{}`).Result.StructuredContent.Conversation
	h := limntest.Must(s.srv.Service().Head(t.Context(), id, ""))
	click := limntest.Press(h.State.Surface("view:pad"), "main/think").Action
	think := func() reply {
		return s.tool("a2ui_action", fmt.Sprintf(`{"name":"think","surfaceId":%q,"sourceComponentId":%q,"context":{
			"limn_nonce":%q,"limn_rev":%d}}`, click.Surface, click.Component, click.Nonce, click.Rev))
	}
	if first := think(); !strings.Contains(s.text(first), "I thought.") {
		t.Fatal(first.Raw)
	}
	for range 200 {
		s.tool("say", `{"text":"hello"}`)
	}
	began := time.Now()
	if again := think(); again.Result.StructuredContent.Outcome != "done" || time.Since(began) > 20*time.Second {
		t.Errorf("after %s: %s", time.Since(began), again.Raw)
	}
}
