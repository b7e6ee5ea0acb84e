package mcp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/internal/transport/mcp"
	"github.com/limn-ui/limn/internal/transport/web"
	"github.com/limn-ui/limn/store/memory"
)

// TestBadInput: what is no message, and what is not for its sender, is refused as JSON-RPC
// says, with the code of this server, and changes nothing.
func TestBadInput(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.initialize(`{}`)
	uri := s.tool("show_form_guest", `{}`).Result.StructuredContent.Surfaces[0].URI
	session := s.session
	for name, c := range map[string]struct {
		body    string
		headers string // name=value
		status  int
		rpc     int
		code    string
	}{
		"no JSON":         {`{`, "", 400, -32700, "A2UI_C2S_ENVELOPE_INVALID"},
		"a batch":         {"[" + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, 9999) + "{}]", "", 400, -32600, ""},
		"no object":       {`"ping"`, "", 400, -32600, ""},
		"no method":       {`{"jsonrpc":"2.0","id":1}`, "", 400, -32600, ""},
		"another version": {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, "", 400, -32600, ""},
		"an id of null":   {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "", 400, -32600, ""},
		"unknown method":  {`{"jsonrpc":"2.0","id":1,"method":"tools/eat"}`, "", 200, -32601, ""},
		"a list":          {`{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}`, "", 200, -32602, ""},
		"unknown tool":    {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"eat"}}`, "", 200, -32602, ""},
		"no arguments": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say"}}`, "", 200,
			-32602, "A2UI_C2S_ENVELOPE_INVALID"},
		"an argument of no tool": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":"hi","to":"x"}}}`,
			"", 200, -32602, "A2UI_C2S_ENVELOPE_INVALID"},
		"a field of no form": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show_form_guest","arguments":{"nam":"x"}}}`,
			"", 200, -32602, "A2UI_C2S_ENVELOPE_INVALID"},
		"no action": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a2ui_action","arguments":{}}}`,
			"", 200, -32602, "A2UI_C2S_ENVELOPE_INVALID"},
		"unknown resource": {`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}`,
			"", 200, -32002, "HTTP_NOT_FOUND"},
		"a list with a cursor": {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}`, "", 200, -32602, ""},
		"unknown surface": {fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"%sx"}}`,
			uri), "", 200, -32002, "HTTP_NOT_FOUND"},
		"no version": {`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, "", 200, -32602, ""},
		"an unknown version": {`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "MCP-Protocol-Version=2031-01-01", 400,
			-32022, ""},
		"not JSON by its type": {`{}`, "Content-Type=text/plain", 415, -32600, "HTTP_MEDIA_TYPE"},
		"too long":             {`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 3<<20) + `"}`, "", 413, -32600, ""},
		"too deep":             {strings.Repeat("[", 10_000), "", 413, -32600, ""},
		"another session":      {`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Mcp-Session-Id=x", 404, -32000, ""},
		"another name of it":   {`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Host=evil.example", 403, -32000, ""},
		"metadata": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","_meta":{"a2uiClientDataModel":1}}}`,
			"", 200, -32602, ""},
		"unknown extension": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":"hi"},
			"_meta":{"a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":["` + a2ui.CatalogID(a2ui.V09) + `"],
			"extensions":["x/1"]}}}}}`, "", 200, -32602, "A2UI_C2S_EXTENSION_UNKNOWN"},
		"unknown extension of a session": {`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{
			"protocolVersion":"2025-11-25","capabilities":{"a2ui":{"clientCapabilities":{"v0.9":{"supportedCatalogIds":
			["` + a2ui.CatalogID(a2ui.V09) + `"],"extensions":["x/1"]}}}}}}`, "", 200, -32602,
			"A2UI_C2S_EXTENSION_UNKNOWN"},
	} {
		headers := []string{"Content-Type", "application/json"}
		if name, value, ok := strings.Cut(c.headers, "="); ok {
			headers = append(headers, name, value)
		}
		if !strings.HasPrefix(c.headers, "Mcp-Session-Id") {
			headers = append(headers, "Mcp-Session-Id", session)
		}
		r := s.Request("POST", "/mcp", strings.NewReader(c.body), headers...)
		r.Host = r.Header.Get("Host")
		resp, err := s.Send(r)
		if err != nil {
			t.Fatal(err)
		}
		var got reply
		resp.Into(t, &got)
		if resp.StatusCode != c.status || got.Error == nil || got.Error.Code != c.rpc ||
			c.code != "" && got.Error.Data.Code != c.code {
			t.Errorf("%s: %s %.300s", name, resp.Status, resp.Text)
		}
	}
	for method, want := range map[string]struct {
		status int
		code   string
	}{"GET": {http.StatusNotAcceptable, "A2UI_C2S_ENVELOPE_INVALID"},
		"DELETE": {http.StatusMethodNotAllowed, "HTTP_METHOD_NOT_ALLOWED"}} {
		var got reply
		a := s.Do(method, "/mcp", "", "Mcp-Session-Id", session)
		if a.Into(t, &got); a.StatusCode != want.status || got.Error == nil || got.Error.Data.Code != want.code ||
			got.Error.Data.Hint == "" {
			t.Errorf("%s: %s %s", method, a.Status, a.Text)
		}
	}
	if n := len(limntest.Must(s.srv.Service().Steps(t.Context(), strings.Split(uri, "/")[2], 0, 100))); n != 1 {
		t.Errorf("%d frames", n)
	}
}

// TestForeign: another's conversation is not there, and a click of one conversation does
// nothing in another.
func TestForeign(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.initialize(`{}`)
	opened := s.tool("show_form_guest", `{}`)
	conversation := opened.Result.StructuredContent.Conversation
	click := limntest.Sign(t, a2ui.V09, show(t, a2ui.V09, opened.Result.Content[1].Resource.Text), "Ada")
	s.Token = other
	if got := s.call("resources/read", fmt.Sprintf(`{"uri":%q}`, opened.Result.Content[1].Resource.URI)); got.Error == nil ||
		got.Error.Code != -32002 {
		t.Errorf("read: %s", got.Raw)
	}
	if got := s.tool("a2ui_action", click, fmt.Sprintf(`,"_meta":{"limn_conversation":%q}`, conversation)); got.Error == nil ||
		got.Error.Code != -32002 {
		t.Errorf("by its name: %s", got.Raw)
	}
	for _, id := range []string{conversation, "typed wrong"} {
		got := s.tool("say", `{"text":"hello"}`, fmt.Sprintf(`,"_meta":{"limn_conversation":%q}`, id))
		if e := got.Error; e == nil || e.Data.Path != "/params/_meta/limn_conversation" || e.Data.Hint == "" {
			t.Errorf("said in %q: %s", id, got.Raw)
		}
	}
	s.tool("show_form_guest", `{}`)
	got := s.tool("a2ui_action", click)
	if c := got.Result.StructuredContent; c.Outcome != "refused" || !got.Result.IsError || c.Code == "" {
		t.Errorf("in another: %s", got.Raw)
	}
	if n := s.commits(conversation, "Ada") + s.commits(got.Result.StructuredContent.Conversation, "Ada"); n != 0 {
		t.Errorf("saved %d times", n)
	}
	s.Token, s.session = "", ""
	if got := s.tool("show_form_guest", `{}`); got.HTTP.StatusCode != http.StatusBadRequest || got.Error == nil {
		t.Errorf("a stranger: %s %s", got.HTTP.Status, got.Raw)
	}
}

// TestErrorReport: the error of a renderer reaches the conversation, and is answered with all surfaces, for that
// renderer alone.
func TestErrorReport(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.initialize(`{}`)
	opened := s.tool("show_form_guest", `{}`).Result.StructuredContent
	uri := opened.Surfaces[0].URI
	got := s.tool("a2ui_error", fmt.Sprintf(`{"code":"VALIDATION_FAILED","surfaceId":%q,"path":"/components/0",
		"message":"no such component"}`, wireID(t, uri)))
	if list := got.Result.Content; got.Result.StructuredContent.Outcome != "done" || len(list) != 2 || list[1].Resource.URI != uri {
		t.Errorf("%s", got.Raw)
	}
	steps := limntest.Must(s.srv.Service().Steps(t.Context(), opened.Conversation, 0, 9))
	if re := steps[len(steps)-1].Frame.Rebuild; re == nil || re.Client == "" {
		t.Errorf("every client starts over: %+v", re)
	}
}

// TestQuotas: a principal has as many requests and streams here as anywhere.
func TestQuotas(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Limits = limn.Limits{Rate: 5, Streams: 1} })
	s.initialize(`{}`)
	s.Open("/mcp", "Mcp-Session-Id", s.session, "Accept", "text/event-stream")
	second := s.Do("GET", "/mcp", "", "Mcp-Session-Id", s.session, "Accept", "text/event-stream")
	if second.StatusCode != http.StatusTooManyRequests && second.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a second stream: %s %s", second.Status, second.Text)
	}
	for range 50 {
		if got := s.call("ping", `{}`); got.HTTP.StatusCode == http.StatusTooManyRequests {
			if got.Error == nil || got.Error.Code != -32000 || got.HTTP.Header.Get("Retry-After") == "" {
				t.Errorf("%s", got.Raw)
			}
			return
		}
	}
	t.Error("50 requests at once, and 5 in a second are allowed")
}

// cutting is a server whose streams cut a reader that is 8 KiB behind.
type cutting struct {
	*limn.Server
	web *web.Server
}

func (c cutting) Handler() http.Handler { return c.web }

func (c cutting) Close(ctx context.Context) error {
	c.web.Drain()
	return c.Server.Close(ctx)
}

// TestSlowReader: a client that does not read its stream is cut, and is told of every surface
// that it missed from where it left off.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	a, st := guests(t), memory.New()
	srv := limntest.Must(limn.New(limn.Config{App: a, Store: st}))
	streams := deliver.New(deliver.Config{Source: srv.Service(), App: a.Fingerprint(), Behind: 8 << 10})
	s := &site{T: t, srv: srv, Client: limntest.Serve(t, cutting{srv, limntest.Must(web.New(web.Config{
		Service: srv.Service(), Deliver: streams, Targets: []deliver.Target{{Name: "v0.9",
			A2UI: compile.Target{Dialect: a2ui.V09, Rules: &compile.Rules{Allowed: a.Allowed}}}},
		Blobs: st, Doors: map[string]door.Door{"mcp": mcp.New()}, Allow: web.Quota{Rate: 100_000}}))})}
	s.HTTP.Jar, s.Token = nil, ada
	s.initialize(`{}`)
	r := s.Request("GET", "/mcp", nil, "Mcp-Session-Id", s.session, "Accept", "text/event-stream")
	conn := limntest.Must(net.Dial("tcp", r.URL.Host))
	defer conn.Close()
	if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	if err := r.Write(conn); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReaderSize(conn, 16)
	for line := ""; line != ":\n"; {
		line = limntest.Must(in.ReadString('\n'))
	}
	var opened []string
	for more := 2; more > 0 && len(opened) < 2000; { // it does not read them
		form := s.tool("show_form_guest", `{}`).Result
		opened = append(opened, form.StructuredContent.Surfaces[0].URI)
		s.tool("a2ui_action", limntest.Sign(t, a2ui.V09, show(t, a2ui.V09, form.Content[len(form.Content)-1].Resource.Text), "Ada"))
		if streams.Stats().Streams == 0 {
			more--
		}
	}
	missed := string(limntest.Must(io.ReadAll(in))) // ends, because the stream was cut
	end := strings.LastIndex(missed, "\nid: ")
	id, _, _ := strings.Cut(missed[max(end, 0):][len("\nid: "):], "\n")
	if len(missed) < 64<<10 || strings.Contains(missed, opened[len(opened)-1]+`"`) {
		t.Fatalf("%d bytes before the cut, after %d forms", len(missed), len(opened))
	}
	known := missed[:end]
	if whole := strings.Index(missed[end+1:], "\n\n"); whole < 0 { // the event of that id is not whole
		end = strings.LastIndex(known, "\nid: ")
		id, _, _ = strings.Cut(known[end:][len("\nid: "):], "\n")
	} else {
		known = missed[:end+1+whole]
	}
	told := map[string]bool{}
	for _, line := range strings.Split(known, "\n") {
		told[line] = true
	}
	again := s.Open("/mcp", "Mcp-Session-Id", s.session, "Accept", "text/event-stream", "Last-Event-ID", id)
	line := func(uri string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":%q}}`, uri)
	}
	for last := line(opened[len(opened)-1]); !told["data: "+last]; {
		for _, data := range again.Must().Data {
			told["data: "+data] = true
		}
	}
	for n, uri := range opened {
		if !told["data: "+line(uri)] {
			t.Errorf("of form %d of %d it was not told", n, len(opened))
		}
	}
}

// TestStop: a request that its client gives up stops the model in the conversation that it was
// for, by its name or its id, and in no other; the next message is answered.
func TestStop(t *testing.T) {
	t.Parallel()
	gate := limntest.NewGate()
	s := start(t, func(c *limn.Config) { c.Model = gate })
	s.initialize(`{}`)
	named := s.tool("show_form_guest", `{}`).Result.StructuredContent.Conversation
	s.Create("Authorization", "Bearer "+ada)
	s.Token = ada
	by := func(id string) string { return fmt.Sprintf(`,"_meta":{"limn_conversation":%q}`, id) }
	for where, at := range map[string]string{"": named, by(s.ID): s.ID} {
		said := make(chan reply)
		ask := func() { said <- s.tool("say", `{"text":"tell me something about whales, please"}`, where) }
		stop := func(more string) {
			t.Helper()
			r := s.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7` + more + `}}`)
			if r.HTTP.StatusCode != http.StatusAccepted {
				t.Errorf("%s %s", r.HTTP.Status, r.Raw)
			}
		}
		go ask()
		<-gate.Asked
		stop(where)
		if c := (<-said).Result.StructuredContent; c.Outcome != "failed" || c.Conversation != at || c.Code == "" {
			t.Errorf("%q: stopped: %+v", where, c)
		}
		go ask()
		<-gate.Asked
		stop(by(strings.Repeat("0", len(s.ID)))) // nobody's
		if where == "" {
			stop(by(s.ID))
		} else {
			stop("")
		}
		gate.Answer <- limntest.Envelope("They sing.")
		if got := <-said; got.Result.StructuredContent.Outcome != "done" || !strings.Contains(s.text(got), "They sing.") {
			t.Errorf("%q: after a stop elsewhere: %s", where, got.Raw)
		}
	}
}
