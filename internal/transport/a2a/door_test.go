package a2a_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/a2a"
	renderer "github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/components"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// TestVersions: in every version of A2UI a client opens a form, fills it in, and sends
// it, also twice; what it gets is one object or a list, under the media type of its version.
func TestVersions(t *testing.T) {
	t.Parallel()
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V091, a2ui.V10RC, a2ui.V10} {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			only := func(c *limn.Config) { c.Targets = []string{"html", d.String()} }
			s := start(t, only)
			a := s.call("message/send", say("sign the guest book", `,"messageId":"1","metadata":`+capable(d)))
			got := a.Result
			if got.Kind != "task" || got.Status.State != "completed" || got.ContextID == "" {
				t.Fatalf("%+v %+v", got, a.Error)
			}
			if uri := a.HTTP.Header.Get(a2a.Header); uri != a2a.ExtensionURI(d) {
				t.Errorf("activated %q", uri)
			}
			r := renderer.New(d, renderer.Strict)
			if feed(t, d, r, got.Status.Message.Parts) == 0 {
				t.Fatalf("nothing was drawn: %+v", got.Status)
			}
			again := s.call("message/send", say("sign the guest book", `,"messageId":"1","metadata":`+capable(d)))
			if again.Result.ID != got.ID || again.Result.Status.Message.MessageID != got.Status.Message.MessageID {
				t.Errorf("sent twice: %s and %s", got.ID, again.Result.ID)
			}
			// a missing field is asked for, and both clicks of a double click get one answer
			asked := s.call("message/send", act(d, got.ContextID, limntest.Sign(t, d, r, "")))
			if o := asked.Result.Metadata["limn_outcome"]; o != "asked" {
				t.Fatalf("outcome %q %+v", o, asked.Error)
			}
			feed(t, d, r, asked.Result.Status.Message.Parts)
			click := act(d, got.ContextID, limntest.Sign(t, d, r, "Ada"))
			var tasks [2]string
			var wg sync.WaitGroup
			for i := range tasks {
				wg.Go(func() {
					a := s.call("message/send", strings.Replace(click, `"click"`, fmt.Sprintf(`"click-%d"`, i), 1))
					tasks[i] = a.Result.ID + a.Result.Status.State
				})
			}
			wg.Wait()
			if tasks[0] != tasks[1] || !strings.HasSuffix(tasks[0], "completed") {
				t.Errorf("clicked twice: %q", tasks)
			}
			if n := s.commits(got.ContextID, "Ada"); n != 1 {
				t.Errorf("saved %d times", n)
			}
		})
	}
}

// TestNegotiation: the newest version and catalog that both have; who says nothing gets
// text, and who lacks the catalog text, a link and the code.
func TestNegotiation(t *testing.T) {
	t.Parallel()
	s := start(t)
	const basic = "https://a2ui.org/catalogs/v1/basic.json"
	uri := a2a.ExtensionURI
	for name, c := range map[string]struct {
		metadata, header string
		want             string // of the header of the answer
		has              string // in the answer
	}{
		"nothing": {"{}", "", "", `"parts":[{"kind":"text"`},
		"both": {`{"a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":["` + a2ui.CatalogID(a2ui.V09) + `"]}},
			"a2uiRendererCapabilities":{"1.0":{"supportedCatalogIds":["` + basic + `"]}}}`, "", uri(a2ui.V10), `"catalogId":"` + basic},
		"old without a version": {`{"a2uiClientCapabilities":{"supportedCatalogIds":["` + a2ui.CatalogID(a2ui.V08) + `"]}}`, "",
			uri(a2ui.V08), "beginRendering"},
		"by header":       {"{}", uri(a2ui.V08) + ", " + uri(a2ui.V09), uri(a2ui.V09), "createSurface"},
		"unknown version": {"{}", a2a.ExtensionURI(a2ui.V09) + "9", "", `"parts":[{"kind":"text"`},
		"no catalog": {`{"a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":["x"]}}}`, uri(a2ui.V09), "",
			`"code":"A2UI_C2S_CAPABILITY_CATALOG"`},
		"unknown extension": {`{"a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":["` + a2ui.CatalogID(a2ui.V09) +
			`"],"extensions":["x/1"]}}}`, "", "", `"code":"A2UI_C2S_EXTENSION_UNKNOWN"`},
	} {
		got := s.Do("POST", "/a2a", `{"jsonrpc":"2.0","id":7,"method":"message/send","params":`+
			say("sign the guest book", `,"metadata":`+c.metadata)+`}`, "Content-Type", "application/json", a2a.Header, c.header)
		if h := got.Header.Get(a2a.Header); h != c.want {
			t.Errorf("%s: activated %q, want %q", name, h, c.want)
		}
		if !strings.Contains(got.Text, c.has) || c.want == "" && strings.Contains(got.Text, "createSurface") {
			t.Errorf("%s: %.600s", name, got.Text)
		}
		if name == "no catalog" && !strings.Contains(got.Text, "/c/") {
			t.Errorf("%s: no link: %s", name, got.Text)
		}
	}
}

// TestSeed: the example of the specification works as it is written, without an id
// and a role, and with a data model.
func TestSeed(t *testing.T) {
	t.Parallel()
	s := start(t)
	a := s.call("message/send", `{"message":{"parts":[{"text":"sign the guest book"}],"metadata":{"a2uiClientDataModel":{
		"version":"v0.9","surfaces":{"booking-surface":{"reservationTime":"7:00 PM","partySize":4,"notes":"Window"}}}}}}`)
	if a.Error != nil || a.Result.Status.State != "completed" {
		t.Errorf("%+v", a)
	}
	a = s.call("message/send", `{"message":{"parts":[{"text":"x"}],"metadata":{"a2uiClientDataModel":{"version":"v0.9"}}}}`)
	if a.Error == nil || a.Error.Code != -32602 {
		t.Errorf("a model without surfaces: %+v", a)
	}
}

// TestSubmitInWords: the data model that comes with a message is what its words submit, once.
func TestSubmitInWords(t *testing.T) {
	t.Parallel()
	s := start(t)
	mine := s.call("message/send", say("sign the guest book", `,"metadata":`+capable(a2ui.V09))).Result
	r := renderer.New(a2ui.V09, renderer.Strict)
	feed(t, a2ui.V09, r, mine.Status.Message.Parts)
	id := r.Surfaces()[0]
	meta := strings.TrimSuffix(capable(a2ui.V09), "}") + `,"a2uiClientDataModel":{"version":"v0.9","surfaces":{"` + id +
		`":{"draft":{"name":"Ada","note":"in words"},"ui_state":{"rev":1}}}}}`
	for range 2 {
		got := s.call("message/send", say("Okay, submit the form", `,"messageId":"w","contextId":"`+mine.ContextID+`","metadata":`+meta))
		if got.Error != nil || got.Result.Status.State != "completed" {
			t.Fatalf("%+v", got)
		}
		if n := s.commits(mine.ContextID, "Ada"); n != 1 {
			t.Errorf("saved %d times: %+v", n, got.Result)
		}
	}
}

// TestStream: a task is streamed until its end, can be subscribed to again from any
// cursor, and is there afterwards, in both protocols.
func TestStream(t *testing.T) {
	t.Parallel()
	gate := limntest.NewGate()
	s := start(t, func(c *limn.Config) { c.Model = gate })
	for _, p := range []struct {
		stream, subscribe, get, working, done string
	}{{"message/stream", "tasks/resubscribe", "tasks/get", "working", "completed"},
		{"SendStreamingMessage", "SubscribeToTask", "GetTask", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED"}} {
		events, ids := s.stream(1, p.stream, say("tell me something about whales, please", ""))
		if len(events) != 1 || events[0].Status.State != p.working || len(ids) != 1 {
			t.Fatalf("%+v %q", events, ids)
		}
		<-gate.Asked
		task := fmt.Sprintf(`{"id":%q}`, events[0].ID)
		if got := s.call(p.get, task).Result; got.Status.State != p.working || got.ID != events[0].ID {
			t.Errorf("%s while it works: %+v", p.get, got)
		}
		done := make(chan []result)
		go func() {
			got, _ := s.stream(9, p.subscribe, task, "Last-Event-ID", ids[0])
			done <- got
		}()
		gate.Answer <- limntest.Envelope("They sing.")
		got := <-done
		last := got[len(got)-1]
		if last.Status.State != p.done || len(last.Status.Message.Parts) != 1 ||
			last.Status.Message.Parts[0].Text != "They sing." || p.stream == "message/stream" && !last.Final {
			t.Errorf("%s: %+v", p.subscribe, got)
		}
		for range 2 { // a task that is over
			if again, _ := s.stream(9, p.subscribe, task); again[len(again)-1].Status.Message.MessageID != last.Status.Message.MessageID {
				t.Errorf("again: %+v", again)
			}
		}
		if again, _ := s.stream(9, p.subscribe, task, "Last-Event-ID", last.Metadata["limn_cursor"]); len(again) != 1 ||
			again[0].Status.State != p.done {
			t.Errorf("after its end: %+v", again)
		}
		if got := s.call(p.get, task).Result; got.Status.State != p.done || got.Status.Message.Parts[0].Text != "They sing." {
			t.Errorf("%s: %+v", p.get, got)
		}
	}
}

// TestTaskAfterChange: what a task drew is drawn again for it, in the catalog its client has,
// also after the application has changed and by another server.
func TestTaskAfterChange(t *testing.T) {
	t.Parallel()
	st := memory.New()
	keep := func(c *limn.Config) { c.Store, c.Targets = st, limn.Targets() }
	s := start(t, keep)
	for name, caps := range map[string]string{"basic": a2ui.CatalogID(a2ui.V09),
		"alias": "https://a2ui.org/specification/v0_9/basic_catalog.json", "own": components.ID(a2ui.V09)} {
		got := s.call("message/send", say("sign the guest book", `,"metadata":{"a2uiClientCapabilities":{"v0.9":{
			"supportedCatalogIds":["`+caps+`","`+a2ui.CatalogID(a2ui.V09)+`"]}}}`)).Result
		changed := start(t, keep, func(c *limn.Config) { c.Base = "https://elsewhere.example" })
		again := changed.call("tasks/get", fmt.Sprintf(`{"id":%q}`, got.ID)).Result
		if again.ID != got.ID || len(again.Status.Message.Parts) != len(got.Status.Message.Parts) ||
			string(again.Status.Message.Parts[1].Data) != string(got.Status.Message.Parts[1].Data) {
			t.Errorf("%s: %+v, then %+v", name, got, again)
		}
		if name != "basic" && strings.Contains(got.ID, "v0.9_") {
			t.Errorf("%s: %s", name, got.ID)
		}
	}
}

// TestLate: a click on a form that is answered, or that the application declares differently by now, is
// rejected with a code, and saves nothing. The same click again gets its first answer.
func TestLate(t *testing.T) {
	t.Parallel()
	st := memory.New()
	keep := func(c *limn.Config) { c.Store = st }
	s := start(t, keep)
	changed := start(t, keep, func(c *limn.Config) {
		c.App = limntest.Must(app.New(app.Config{Name: "guests", Forms: []app.Form{{Name: "guest", Title: "Another",
			Fields: []ui.Field{{Name: "name", Type: ui.TypeText}}}}}))
	})
	open := func() (context, first, second string) {
		got := s.call("message/send", say("sign the guest book", `,"metadata":`+capable(a2ui.V09))).Result
		r := renderer.New(a2ui.V09, renderer.Strict)
		feed(t, a2ui.V09, r, got.Status.Message.Parts)
		return got.ContextID, limntest.Sign(t, a2ui.V09, r, "Ada"), limntest.Sign(t, a2ui.V09, r, "Eve")
	}
	rejected := func(name string, got result) {
		t.Helper()
		if raw := fmt.Sprintf("%+v", got); got.Status.State != "rejected" || len(got.Status.Message.Parts) == 0 {
			t.Errorf("%s: %s", name, raw)
		}
	}
	context, first, second := open()
	send := func(s *site, context, click, id string) result {
		return s.call("message/send", strings.Replace(act(a2ui.V09, context, click), `"click"`, `"`+id+`"`, 1)).Result
	}
	for range 2 {
		if got := send(s, context, first, "1"); got.Status.State != "completed" || s.commits(context, "Ada") != 1 {
			t.Errorf("%+v", got)
		}
	}
	rejected("answered", send(s, context, second, "2"))
	context2, _, late := open()
	rejected("expired", send(changed, context2, late, "3"))
	if n := s.commits(context, "Eve") + s.commits(context2, "Eve"); n != 0 {
		t.Errorf("saved %d times", n)
	}
}

// TestCancel stops a run; a task that is over cannot be canceled.
func TestCancel(t *testing.T) {
	t.Parallel()
	gate := limntest.NewGate()
	s := start(t, func(c *limn.Config) { c.Model = gate })
	a := s.call("message/send", `{"configuration":{"blocking":false},"message":{"parts":[{"text":"tell me something about whales"}]}}`)
	if a.Result.Status.State != "working" {
		t.Fatalf("%+v", a)
	}
	<-gate.Asked
	task := fmt.Sprintf(`{"id":%q}`, a.Result.ID)
	if got := s.call("tasks/cancel", task).Result; got.Status.State != "canceled" {
		t.Errorf("%+v", got)
	}
	if again := s.call("tasks/cancel", task); again.Error == nil || again.Error.Code != -32002 {
		t.Errorf("%+v", again)
	}
	if got := s.call("tasks/get", task).Result; got.Status.State != "canceled" {
		t.Errorf("a task that was stopped is %s", got.Status.State)
	}
}

// TestCancelStops: a server that stops does not wait for what a model does after its cancel.
func TestCancelStops(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		asked, over := make(chan bool, 1), make(chan bool)
		srv := limntest.Must(limn.New(limn.Config{App: guests(t), Doors: []string{"a2a"}, Targets: limn.Targets(),
			Model: limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) { // it is not canceled
				asked <- true
				<-over
				return llm.Reply{}, errors.New("over")
			})}))
		l, served := limntest.Listen(), make(chan error, 1)
		ctx, stop := context.WithCancel(context.Background())
		go func() { served <- srv.Serve(ctx, l) }()
		transport := &http.Transport{DialContext: l.Dial}
		defer transport.CloseIdleConnections()
		s := &site{t, srv, &limntest.Client{TB: t, HTTP: &http.Client{Transport: transport}, URL: "http://limn.test", Token: ada}}
		a := s.call("message/send", `{"configuration":{"blocking":false},"message":{"parts":[{"text":"tell me something about whales"}]}}`)
		<-asked
		canceled := make(chan answer)
		go func() { canceled <- s.call("tasks/cancel", fmt.Sprintf(`{"id":%q}`, a.Result.ID)) }()
		synctest.Wait()
		began := time.Now()
		stop()
		if got := <-canceled; got.Result.Status.State != "working" || time.Since(began) != 0 {
			t.Errorf("%+v after %v", got, time.Since(began))
		}
		close(over)
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

// TestTokenComesWithTheTask: a client without a token gets one with its task, and uses it then.
func TestTokenComesWithTheTask(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.Token = ""
	a := s.call("message/send", say("hello", ""))
	if s.Token = a.Result.Metadata["limn_token"]; s.Token == "" || a.HTTP.Header.Get("Set-Cookie") == "" {
		t.Fatalf("%+v", a)
	}
	next := s.call("message/send", say("hello", `,"contextId":"`+a.Result.ContextID+`"`))
	if next.Error != nil || next.Result.ContextID != a.Result.ContextID || next.Result.Metadata["limn_token"] != "" {
		t.Errorf("%+v", next)
	}
	s.Token = ""
	denied := s.call("message/send", say("hello", `,"contextId":"`+a.Result.ContextID+`"`))
	if denied.HTTP.StatusCode != 401 || denied.Error == nil || denied.HTTP.Header.Get("WWW-Authenticate") == "" {
		t.Errorf("%+v", denied)
	}
}

// TestCursor: with the cursor of its last answer a client gets what others caused since.
func TestCursor(t *testing.T) {
	t.Parallel()
	s := start(t)
	first := s.call("message/send", say("hello", `,"metadata":`+capable(a2ui.V09))).Result
	s.Do("POST", "/v1/conversations/"+first.ContextID+"/messages", `{"text":"sign the guest book"}`, "Prefer", "wait=9")
	meta := strings.TrimSuffix(capable(a2ui.V09), "}") + `,"limn_cursor":"` + first.Metadata["limn_cursor"] + `"}`
	next := s.call("message/send", say("hello", `,"contextId":"`+first.ContextID+`","metadata":`+meta)).Result
	r := renderer.New(a2ui.V09, renderer.Strict)
	if feed(t, a2ui.V09, r, next.Status.Message.Parts) == 0 || len(r.Surfaces()) != 1 {
		t.Errorf("%+v", next)
	}
}

// TestCursorFarBack: a client that has missed more than fits into an answer gets the newest
// drawings, with the words and the end of its own turn.
func TestCursorFarBack(t *testing.T) {
	t.Parallel()
	choice := ui.Field{Name: "choice", Label: "Choice", Type: ui.TypeChoice}
	for i := range 400 {
		choice.Options = append(choice.Options, ui.Option{Value: fmt.Sprint(i), Label: strings.Repeat("wide ", 40)})
	}
	wide := limntest.Must(app.New(app.Config{Name: "wide", Title: "Wide", Forms: []app.Form{{Name: "wide", Title: "Wide",
		Phrases: []string{"open it"}, Fields: []ui.Field{choice}}}}))
	s := start(t, func(c *limn.Config) { c.App = wide })
	first := s.call("message/send", say("open it", `,"metadata":`+capable(a2ui.V09))).Result
	r := renderer.New(a2ui.V09, renderer.Strict)
	feed(t, a2ui.V09, r, first.Status.Message.Parts)
	for range 60 { // of about 90 KB
		for _, text := range []string{"cancel that", "open it"} {
			s.Do("POST", "/v1/conversations/"+first.ContextID+"/messages", `{"text":"`+text+`"}`, "Prefer", "wait=9")
		}
	}
	meta := strings.TrimSuffix(capable(a2ui.V09), "}") + `,"limn_cursor":"` + first.Metadata["limn_cursor"] + `"}`
	next := s.call("message/send", say("open it", `,"contextId":"`+first.ContextID+`","metadata":`+meta)).Result
	feed(t, a2ui.V09, r, next.Status.Message.Parts)
	size := 0
	for _, p := range next.Status.Message.Parts {
		size += len(p.Data)
	}
	if len(r.Surfaces()) != 1 || next.Status.State != "completed" || size > 1<<20 {
		t.Errorf("%d surfaces in %d bytes, %s", len(r.Surfaces()), size, next.Status.State)
	}
	events, _ := s.stream(999, "message/stream", say("cancel that", `,"contextId":"`+first.ContextID+`","metadata":`+meta))
	if last := events[len(events)-1]; len(events) < 120 || last.Status.State != "completed" {
		t.Errorf("%d events, the last is %s", len(events), last.Status.State)
	}
}

// TestBadInput: a fault is answered in the form of JSON-RPC, under its code.
func TestBadInput(t *testing.T) {
	t.Parallel()
	s := start(t)
	mine := s.call("message/send", say("sign the guest book", `,"messageId":"1","metadata":`+capable(a2ui.V09))).Result
	r := renderer.New(a2ui.V09, renderer.Strict)
	feed(t, a2ui.V09, r, mine.Status.Message.Parts)
	click := limntest.Sign(t, a2ui.V09, r, "Ada")
	s.Token = other
	theirs := s.call("message/send", say("hello", "")).Result
	s.Token = ada
	elsewhere := s.call("message/send", say("hello", `,"messageId":"2"`)).Result
	rpc := func(method, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":%s}`, method, params)
	}
	message := func(members string) string { return rpc("message/send", `{"message":{`+members+`}}`) }
	const parts = `"parts":[{"kind":"text","text":"x"}]`
	for name, c := range map[string]struct {
		body    string
		code    int
		headers []string
	}{
		"not JSON":              {`{"jsonrpc"`, -32700, nil},
		"twice a key":           {`{"jsonrpc":"2.0","jsonrpc":"2.0"}`, -32700, nil},
		"a text":                {`"x"`, -32600, nil},
		"a batch":               {"[" + strings.Repeat(rpc("tasks/get", "{}")+",", 9999) + rpc("tasks/get", "{}") + "]", -32600, nil},
		"deep":                  {strings.Repeat("[", 100000), -32600, nil},
		"wide":                  {"[" + strings.Repeat("0,", 60000) + "0]", -32600, nil},
		"no id":                 {`{"jsonrpc":"2.0","method":"tasks/get","params":{}}`, -32600, nil},
		"a long id":             {`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 300) + `","method":"tasks/get"}`, -32600, nil},
		"another JSON-RPC":      {`{"jsonrpc":"1.0","id":7,"method":"tasks/get","params":{}}`, -32600, nil},
		"no method":             {`{"jsonrpc":"2.0","id":7,"params":{}}`, -32600, nil},
		"unknown method":        {rpc("tasks/fly", "{}"), -32601, nil},
		"no params":             {`{"jsonrpc":"2.0","id":7,"method":"tasks/get"}`, -32602, nil},
		"unknown version":       {rpc("tasks/get", "{}"), -32009, []string{"A2A-Version", "9.0"}},
		"wrong type":            {rpc("tasks/get", "{}"), -32005, []string{"Content-Type", "text/plain"}},
		"encoded":               {rpc("tasks/get", "{}"), -32005, []string{"Content-Encoding", "gzip"}},
		"no message":            {rpc("message/send", "{}"), -32602, nil},
		"no parts":              {message(`"messageId":"x"`), -32602, nil},
		"many parts":            {message(`"parts":[` + strings.Repeat(`{"text":"x"},`, 64) + `{"text":"x"}]`), -32602, nil},
		"not a part":            {message(`"parts":[7]`), -32602, nil},
		"a file":                {message(`"parts":[{"kind":"file","file":{"uri":"http://x"}}]`), -32005, nil},
		"other data":            {message(`"parts":[{"kind":"data","data":{}}]`), -32005, nil},
		"not the user":          {message(`"role":"agent",` + parts), -32602, nil},
		"empty":                 {message(`"parts":[{"kind":"text","text":" "}]`), -32602, nil},
		"no A2UI":               {message(`"parts":[{"kind":"data","data":{"x":1},"metadata":{"mimeType":"application/a2ui+json"}}]`), -32602, nil},
		"an empty list":         {message(`"parts":[{"kind":"data","data":[],"metadata":{"mimeType":"application/a2ui+json"}}]`), -32602, nil},
		"many clicks":           {message(`"parts":[{"kind":"data","data":[` + strings.Repeat(click+",", 16) + click + `],"metadata":{"mimeType":"application/a2ui+json"}}]`), -32602, nil},
		"bad capabilities":      {message(parts + `,"metadata":{"a2uiClientCapabilities":7}`), -32602, nil},
		"a number as a context": {message(`"contextId":7,` + parts), -32602, nil},
		"another's context":     {message(`"contextId":"` + theirs.ContextID + `",` + parts), -32602, nil},
		"no context":            {message(`"contextId":"test-context",` + parts), -32602, nil},
		"another's task":        {rpc("tasks/get", `{"id":"`+theirs.ID+`"}`), -32001, nil},
		"no task":               {rpc("tasks/get", `{"id":"`+strings.Replace(mine.ID, "_01", "_00", 1)+`"}`), -32001, nil},
		"a task as a context":   {message(`"contextId":"` + mine.ContextID + `","taskId":"` + elsewhere.ID + `",` + parts), -32001, nil},
		"a task that is over":   {message(`"taskId":"` + mine.ID + `",` + parts), -32004, nil},
		"push at once":          {rpc("message/send", `{"configuration":{"pushNotificationConfig":{"url":"http://x"}},"message":{`+parts+`}}`), -32003, nil},
		"push set":              {rpc("tasks/pushNotificationConfig/set", "{}"), -32003, nil},
		"push get":              {rpc("GetTaskPushNotificationConfig", "{}"), -32003, nil},
		"list":                  {rpc("ListTasks", "{}"), -32004, nil},
		"card":                  {rpc("GetExtendedAgentCard", "{}"), -32007, nil},
		"the id of another say": {message(`"messageId":"1","contextId":"` + mine.ContextID + `",` + parts), -32602, nil},
	} {
		a := s.post(c.body, c.headers...)
		if a.Error == nil || a.Error.Code != c.code || a.Error.Message == "" {
			t.Errorf("%s: %s %+v, want %d", name, a.HTTP.Status, a, c.code)
		}
		if want := "/params/message/messageId"; name == "the id of another say" && !strings.Contains(string(a.Error.Data), want) {
			t.Errorf("%s: %s, want %s", name, a.Error.Data, want)
		}
		if id := string(a.ID); id != "7" && id != "null" {
			t.Errorf("%s: id %s", name, id)
		}
	}
	// a click of one conversation in another is refused there, and counts nowhere
	got := s.call("message/send", act(a2ui.V09, elsewhere.ContextID, click)).Result
	if got.Status.State != "rejected" || len(got.Status.Message.Parts) == 0 {
		t.Errorf("replayed elsewhere: %+v", got)
	}
	if n := s.commits(mine.ContextID, "Ada") + s.commits(elsewhere.ContextID, "Ada"); n != 0 {
		t.Errorf("it was saved %d times", n)
	}
	// a stream that is refused says so as an event
	resp := s.Do("POST", "/a2a", rpc("message/stream", `{"message":{"contextId":"x",`+parts+`}}`), "Content-Type", "application/json")
	if !strings.HasPrefix(resp.Text, `data: {"jsonrpc":"2.0","id":7,"error":{"code":-32602`) {
		t.Errorf("%s %s", resp.Status, resp.Text)
	}
	if big := s.post(`"` + strings.Repeat("x", 2<<20) + `"`); big.HTTP.StatusCode != http.StatusRequestEntityTooLarge || big.Error.Code != -32600 {
		t.Errorf("%+v", big)
	}
	if a := s.Do("GET", "/a2a", ""); a.StatusCode != http.StatusMethodNotAllowed {
		t.Error(a.Status)
	}
}

// TestSlowReader: a client that stops reading holds nobody up, and nothing is lost to it: not
// when it reads on, and not when it subscribes to its task instead.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	gate := limntest.NewGate()
	s := start(t, func(c *limn.Config) { c.Model = gate })
	ask := say("tell me something about whales, please", `,"messageId":"1"`)
	slow := s.Stall("/a2a", `{"jsonrpc":"2.0","id":7,"method":"message/stream","params":`+ask+`}`)
	<-gate.Asked
	fast := make(chan []result)
	go func() {
		got, _ := s.stream(9, "message/stream", ask)
		fast <- got
	}()
	song := strings.TrimSpace(strings.Repeat("They sing. ", 2900))
	gate.Answer <- limntest.Envelope(song)
	first := <-fast
	again, _ := s.stream(9, "tasks/resubscribe", fmt.Sprintf(`{"id":%q}`, first[0].ID))
	for _, got := range [][]result{first, again} {
		last := got[len(got)-1]
		if last.Status.State != "completed" || len(last.Status.Message.Parts) != 1 || last.Status.Message.Parts[0].Text != song {
			t.Errorf("%+v", last.Status.State)
		}
	}
	if got := slow(); !strings.Contains(got, song) || !strings.Contains(got, `"completed"`) {
		t.Errorf("the slow one has %d bytes", len(got))
	}
}

// TestErrorReport: what a renderer reports is taken as a part, and answered with all surfaces, for that renderer alone.
func TestErrorReport(t *testing.T) {
	t.Parallel()
	s := start(t)
	mine := s.call("message/send", say("sign the guest book", `,"metadata":`+capable(a2ui.V09))).Result
	got := s.call("message/send", act(a2ui.V09, mine.ContextID, `{"version":"v0.9","error":{"code":"VALIDATION_FAILED",
		"surfaceId":"form:guest#e=1","path":"/components/0/text","message":"no text"}}`))
	r := renderer.New(a2ui.V09, renderer.Strict)
	feed(t, a2ui.V09, r, mine.Status.Message.Parts)
	if n := feed(t, a2ui.V09, r, got.Result.Status.Message.Parts); got.Result.Status.State != "completed" || n == 0 || len(r.Surfaces()) != 1 {
		t.Errorf("%d messages, %d surfaces: %+v", n, len(r.Surfaces()), got)
	}
	steps := limntest.Must(s.srv.Service().Steps(t.Context(), mine.ContextID, 0, 9))
	if re := steps[len(steps)-1].Frame.Rebuild; re == nil || re.Client == "" {
		t.Errorf("every client starts over: %+v", re)
	}
}

// TestOff: without its name there is no door, and no other name is one.
func TestOff(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Doors = nil })
	for _, path := range []string{"/a2a", "/.well-known/agent-card.json"} {
		if a := s.Do("GET", path, ""); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, a.Status)
		}
	}
	for _, doors := range [][]string{{"x"}, {"a2a", "a2a"}} {
		if _, err := limn.New(limn.Config{App: guests(t), Doors: doors}); err == nil || !strings.Contains(err.Error(), "Doors") {
			t.Errorf("%q: %v", doors, err)
		}
	}
}

// TestCardJSON: the card names the extension of each version with its catalogs.
func TestCardJSON(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Base, c.Prefix = "https://desk.example", "/assistant" })
	var card struct {
		URL          string
		Capabilities struct {
			Extensions []struct {
				URI    string
				Params struct{ SupportedCatalogIDs []string }
			}
		}
	}
	s.Do("GET", "/assistant/.well-known/agent-card.json", "").Into(t, &card)
	if card.URL != "https://desk.example/assistant/a2a" {
		t.Error(card.URL)
	}
	var uris []string
	for _, e := range card.Capabilities.Extensions {
		uris = append(uris, e.URI)
		if len(e.Params.SupportedCatalogIDs) == 0 {
			t.Errorf("%s has no catalogs", e.URI)
		}
	}
	b, _ := json.Marshal(uris)
	if got := strings.ReplaceAll(string(b), "https://a2ui.org/a2a-extension/a2ui/", ""); got != `["v1.0","v0.9.1","v0.9","v0.8"]` {
		t.Error(got)
	}
}

// TestCardListsAgents: each agent of a gateway is a skill.
func TestCardListsAgents(t *testing.T) {
	t.Parallel()
	front, err := app.New(app.Config{Name: "front", Suggestions: []string{"hello"},
		Agents: []app.Agent{{Name: "bank", Title: "Bank", About: "Money"}, {Name: "desk", Title: "Desk"}}})
	if err != nil {
		t.Fatal(err)
	}
	var card struct{ Skills json.RawMessage }
	start(t, func(c *limn.Config) { c.App = front }).Do("GET", "/.well-known/agent-card.json", "").Into(t, &card)
	want := `[{"id":"talk","name":"front","description":"Answers what is asked, and opens what is needed for it.","tags":["chat","a2ui"],"examples":["hello"]},` +
		`{"id":"agent.bank","name":"Bank","description":"Money","tags":["agent","a2ui"]},{"id":"agent.desk","name":"Desk","description":"Desk","tags":["agent","a2ui"]}]`
	if string(card.Skills) != want {
		t.Errorf("skills %s", card.Skills)
	}
}

// TestQuotas: the login, the quotas and the rates of the server are the door's, in its
// own form.
func TestQuotas(t *testing.T) {
	t.Parallel()
	hello := say("hello", "")
	s := start(t, func(c *limn.Config) {
		c.Limits = limn.Limits{Conversations: 1, Rate: 20}
		c.Authenticate = func(r *http.Request) (string, error) {
			if user := r.Header.Get("X-User"); user != "" {
				return user, nil
			}
			return "", limn.ErrForbidden
		}
	})
	if card := s.Do("GET", "/.well-known/agent-card.json", "").Text; strings.Contains(card, "securitySchemes") {
		t.Errorf("the server gives no tokens: %s", card)
	}
	if a := s.call("message/send", hello); a.HTTP.StatusCode != http.StatusForbidden || a.Error == nil {
		t.Errorf("nobody: %+v", a)
	}
	first := s.call("message/send", hello, "X-User", "ada")
	if first.Error != nil || first.Result.Metadata["limn_token"] != "" {
		t.Fatalf("%+v", first)
	}
	if a := s.call("message/send", hello, "X-User", "ada"); a.HTTP.StatusCode != http.StatusForbidden ||
		!strings.Contains(string(a.Error.Data), "HTTP_QUOTA") {
		t.Errorf("a second conversation: %+v", a)
	}
	task := fmt.Sprintf(`{"id":%q}`, first.Result.ID)
	if a := s.call("tasks/get", task, "X-User", "bob"); a.Error == nil || a.Error.Code != -32001 {
		t.Errorf("another's task: %+v", a)
	}
	for range 100 {
		a := s.call("tasks/get", task, "X-User", "ada")
		if a.Error == nil {
			continue
		}
		if a.HTTP.StatusCode != http.StatusTooManyRequests || a.HTTP.Header.Get("Retry-After") == "" {
			t.Errorf("%+v", a)
		}
		return
	}
	t.Error("100 requests at once are not too many")
}

// TestReply: a task whose action asks a model lasts until the model has answered, for who
// streams it and for who asks for it.
func TestReply(t *testing.T) {
	t.Parallel()
	gate := limntest.NewGate()
	s := start(t, func(c *limn.Config) {
		c.Model = gate
		c.App = pad()
	})
	_, params := s.think(gate)
	done := make(chan []result)
	go func() {
		events, _ := s.stream(99, "message/stream", params)
		done <- events
	}()
	<-gate.Asked
	task := s.call("message/send", strings.Replace(params, `{"message"`, `{"configuration":{"blocking":false},"message"`, 1)).Result
	if task.Status.State != "working" {
		t.Errorf("while the model thinks: %+v", task)
	}
	gate.Answer <- limntest.Envelope("I thought.")
	events := <-done
	last := events[len(events)-1]
	if n := len(last.Status.Message.Parts); last.Status.State != "completed" || n == 0 ||
		last.Status.Message.Parts[0].Text != "I thought." {
		t.Errorf("%+v", events)
	}
	after := s.call("tasks/get", fmt.Sprintf(`{"id":%q}`, task.ID)).Result
	if parts := after.Status.Message.Parts; after.Status.State != "completed" || len(parts) == 0 ||
		parts[len(parts)-1].Text != "I thought." {
		t.Errorf("%+v", after)
	}
}

// pad is an application with a button whose action asks a model.
func pad() *app.App {
	return limntest.Must(app.New(app.Config{Name: "pad", Actions: []app.Action{{Name: "think", Run: "directives"}},
		Views: []app.View{{Name: "pad", Nodes: ui.Nodes{&ui.Column{Key: "main", Children: []ui.Node{
			&ui.Button{Key: "think", Label: "Think", Action: ui.Action{Name: "think"}}}}}}}}))
}

// think opens the pad, and returns the task and the parameters of a click on its button.
func (s *site) think(gate *limntest.Gate) (opened result, click string) {
	s.T.Helper()
	task := make(chan answer)
	go func() {
		task <- s.call("message/send", say("tell me something about whales", `,"metadata":`+capable(a2ui.V09)))
	}()
	<-gate.Asked
	gate.Answer <- limntest.Envelope("Here.", limntest.ShowView("pad"))
	opened = (<-task).Result
	h := limntest.Must(s.srv.Service().Head(s.T.Context(), opened.ContextID, ""))
	a := limntest.Press(h.State.Surface("view:pad"), "main/think").Action
	return opened, act(a2ui.V09, opened.ContextID, fmt.Sprintf(`{"version":"v0.9","action":{"name":"think","surfaceId":%q,
		"sourceComponentId":%q,"timestamp":"2026-11-27T00:00:00Z","context":{"limn_nonce":%q,"limn_rev":%d}}}`,
		a.Surface, a.Component, a.Nonce, a.Rev))
}

// held is a store that keeps frames waiting.
type held struct {
	store.Store
	holds    atomic.Bool
	recorded chan string // the ids of events meanwhile
	release  chan struct{}
	blind    atomic.Bool // it finds no model's reply
}

func (h *held) Lookup(ctx context.Context, id string, e store.Event) (*store.Event, error) {
	if h.blind.Load() && strings.HasSuffix(e.ID, conversation.ReplySuffix) {
		return nil, errors.New("no store")
	}
	return h.Store.Lookup(ctx, id, e)
}

func (h *held) Record(ctx context.Context, id string, e store.Event) (*store.Event, error) {
	prior, err := h.Store.Record(ctx, id, e)
	if h.holds.Load() {
		h.recorded <- e.ID
	}
	return prior, err
}

func (h *held) Append(ctx context.Context, id string, c store.Commit) error {
	if h.holds.Load() {
		<-h.release
	}
	return h.Store.Append(ctx, id, c)
}

// TestReplyLater: a stream of a task that begins before the action has its frame lasts until the model has answered.
// While it cannot be looked up whether it will, the stream ends and the task does not.
func TestReplyLater(t *testing.T) {
	t.Parallel()
	replyLater(t, false)
	replyLater(t, true)
}

func replyLater(t *testing.T, blind bool) {
	t.Helper()
	gate, st := limntest.NewGate(), &held{Store: memory.New(), recorded: make(chan string, 9), release: make(chan struct{})}
	s := start(t, func(c *limn.Config) { c.Model, c.App, c.Store = gate, pad(), st })
	opened, params := s.think(gate)
	st.holds.Store(true)
	var sent sync.WaitGroup
	sent.Go(func() { s.call("message/send", params) })
	task := opened.ContextID + "_" + <-st.recorded + opened.ID[strings.LastIndex(opened.ID, "_"):]
	done := make(chan []result)
	go func() {
		events, _ := s.stream(99, "tasks/resubscribe", fmt.Sprintf(`{"id":%q}`, task))
		done <- events
	}()
	time.Sleep(100 * time.Millisecond) // for the stream to begin
	st.holds.Store(false)
	st.blind.Store(blind)
	close(st.release)
	<-gate.Asked
	if blind {
		if events := <-done; events[len(events)-1].Status.State != "working" {
			t.Errorf("%+v", events)
		}
		st.blind.Store(false)
		go func() {
			events, _ := s.stream(99, "tasks/resubscribe", fmt.Sprintf(`{"id":%q}`, task))
			done <- events
		}()
	}
	gate.Answer <- limntest.Envelope("I thought.")
	events := <-done
	sent.Wait()
	if last := events[len(events)-1]; last.Status.State != "completed" || len(last.Status.Message.Parts) == 0 ||
		last.Status.Message.Parts[0].Text != "I thought." {
		t.Errorf("%+v", events)
	}
}

// late is a store whose answer about an event comes late.
type late struct {
	store.Store
	hold atomic.Pointer[func()]
}

func (l *late) Lookup(ctx context.Context, id string, e store.Event) (*store.Event, error) {
	found, err := l.Store.Lookup(ctx, id, e)
	if f := l.hold.Swap(nil); f != nil {
		(*f)()
	}
	return found, err
}

// TestAskedMeanwhile: a task that is over while someone asks for it comes with its answer.
func TestAskedMeanwhile(t *testing.T) {
	t.Parallel()
	gate, st := limntest.NewGate(), &late{Store: memory.New()}
	s := start(t, func(c *limn.Config) { c.Model, c.Store = gate, st })
	for _, method := range []string{"tasks/get", "tasks/resubscribe"} {
		task := s.call("message/send", strings.Replace(say("sing of whales", ""), `{"message"`,
			`{"configuration":{"blocking":false},"message"`, 1)).Result
		<-gate.Asked
		answer := func() {
			before := limntest.Must(s.srv.Service().Head(t.Context(), task.ContextID, "")).State.Seq
			gate.Answer <- limntest.Envelope("They sing.")
			for limntest.Must(s.srv.Service().Head(t.Context(), task.ContextID, "")).State.Seq == before {
				time.Sleep(time.Millisecond)
			}
		}
		st.hold.Store(&answer)
		var last result
		if params := fmt.Sprintf(`{"id":%q}`, task.ID); method == "tasks/get" {
			last = s.call(method, params).Result
		} else {
			events, _ := s.stream(99, method, params)
			last = events[len(events)-1]
		}
		if parts := last.Status.Message.Parts; task.Status.State != "working" || last.Status.State != "completed" ||
			len(parts) == 0 || parts[0].Text != "They sing." {
			t.Errorf("%s: %+v", method, last)
		}
	}
}

// TestModelOfClick: the data models that a click has beside it are kept.
func TestModelOfClick(t *testing.T) {
	t.Parallel()
	s := start(t)
	mine := s.call("message/send", say("sign the guest book", `,"metadata":`+capable(a2ui.V09))).Result
	got := s.call("message/send", act(a2ui.V09, mine.ContextID, `{"version":"v0.9","action":{"name":"nothing",
		"surfaceId":"form:guest#e=1","sourceComponentId":"x","timestamp":"2026-11-27T00:00:00Z","context":{}},
		"metadata":{"a2uiClientDataModel":{"version":"v0.9","surfaces":{"form:guest#e=1":{"draft":{"name":"Ada"}}}}}}`))
	h := limntest.Must(s.srv.Service().Head(t.Context(), mine.ContextID, ""))
	if v, _ := h.State.Surface("form:guest").Get("/draft/name"); v.Text() != "Ada" {
		t.Errorf("the name is %q: %+v", v.Text(), got)
	}
}

// TestTrimmed: a task whose frames are gone has its end all the same, for who comes back to it.
func TestTrimmed(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.KeepFrames = 1 })
	ask := say("sign the guest book", `,"messageId":"1","metadata":`+capable(a2ui.V09))
	mine := s.call("message/send", ask).Result
	s.hellos(mine.ContextID, 200)
	task := fmt.Sprintf(`{"id":%q}`, mine.ID)
	for method, params := range map[string]string{"tasks/resubscribe": task, "message/stream": ask} {
		events, _ := s.stream(2, method, params)
		last := events[len(events)-1]
		r := renderer.New(a2ui.V09, renderer.Strict)
		feed(t, a2ui.V09, r, last.Status.Message.Parts)
		if last.Status.State != "completed" || !last.Final || last.Metadata["limn_outcome"] != "done" || len(r.Surfaces()) != 1 {
			t.Errorf("%s: %+v", method, events)
		}
	}
	if got := s.call("tasks/get", task).Result; got.Status.State != "completed" {
		t.Errorf("%+v", got)
	}
}

// TestCursorTrimmed: a client whose cursor is trimmed shows the newest surfaces and no others, with the words and the
// end of its own turn.
func TestCursorTrimmed(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.KeepFrames = 1 })
	first := s.call("message/send", say("sign the guest book", `,"metadata":`+capable(a2ui.V09))).Result
	r := renderer.New(a2ui.V09, renderer.Strict)
	feed(t, a2ui.V09, r, first.Status.Message.Parts)
	s.hellos(first.ContextID, 200)
	meta := strings.TrimSuffix(capable(a2ui.V09), "}") + `,"limn_cursor":"` + first.Metadata["limn_cursor"] + `"}`
	for i, text := range []string{"sign the guest book", "cancel that"} {
		got := s.call("message/send", say(text, `,"contextId":"`+first.ContextID+`","metadata":`+meta)).Result
		feed(t, a2ui.V09, r, got.Status.Message.Parts)
		if parts := got.Status.Message.Parts; got.Status.State != "completed" || len(parts) == 0 || parts[0].Text == "" ||
			len(r.Surfaces()) != 1-i {
			t.Errorf("%s: %d surfaces, %+v", text, len(r.Surfaces()), got)
		}
	}
}
