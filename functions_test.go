package limn

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// functions is a server whose client has a function that agents may call, and whose
// application has one that clients may call.
type functions struct {
	*limntest.Client
	prices atomic.Int32
	mu     sync.Mutex
	places []string
}

const positionID = "https://position.example/catalog.json"

func newFunctions(t *testing.T) *functions {
	w := &functions{}
	basic := *a2ui.Basic(a2ui.V10)
	basic.ID, basic.Protocol, basic.Functions = positionID, a2ui.V10.Protocol(), maps.Clone(basic.Functions)
	basic.Functions["getPosition"] = &a2ui.FunctionDef{Name: "getPosition", Returns: "object", Open: true,
		Callers: a2ui.AgentOnly}
	a := limntest.Must(app.New(app.Config{Name: "shop", Catalogs: map[string]string{"*": positionID},
		Views: []app.View{{Name: "shop", Title: "Shop", Phrases: []string{"open the shop"}, Nodes: ui.Nodes{&ui.Button{Key: "b",
			Label: "Where am I?", Action: ui.Action{Name: "where"}}}}},
		Actions: []app.Action{
			{Name: "price", Callers: "client", Context: []app.ContextKey{{Key: "item", Type: ui.TypeText}, {Key: "n", Type: ui.TypeNumber}},
				Handler: func(_ context.Context, c app.Call) (app.Result, error) {
					w.prices.Add(1)
					n, _ := c.Values.Get("n")
					f, _ := n.Float()
					return app.Result{Value: ui.Map(ui.Pair{Key: "total", Value: ui.Int(int64(f) * 3)})}, nil
				}},
			{Name: "slow", Callers: "client", Handler: func(ctx context.Context, _ app.Call) (app.Result, error) {
				return app.Result{}, context.DeadlineExceeded
			}},
			{Name: "where", Call: &ui.Action{Do: "getPosition", Name: "located", Context: []ui.Context{{Key: "exact", Value: ui.Bool(true)}}}},
			{Name: "located", Handler: func(_ context.Context, c app.Call) (app.Result, error) {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.places = append(w.places, string(c.Values.AppendJSON(nil)))
				return app.Result{Text: "There you are."}, nil
			}},
			{Name: "plain", Reply: "x"},
		}}))
	w.Client = limntest.Serve(t, limntest.Must(New(Config{App: a, Targets: []string{"html", "v0.9", "v1.0"},
		Catalogs: []*a2ui.Catalog{&basic},
		Doors:    []string{"a2a", "agui", "mcp"}}))).Create()
	return w
}

func (w *functions) event(body string) limntest.Answer {
	w.Helper()
	return w.Do("POST", "/v1/conversations/"+w.ID+"/events", body, "Content-Type", "application/json")
}

func call(id, name, args string) string {
	return fmt.Sprintf(`{"version":"1.0","callAgentFunction":{"surfaceId":"view:shop#e=1","functionCallId":%q,`+
		`"callFunction":{"@call":%q,"catalogId":%q,"args":%s}}}`, id, name, positionID, args)
}

// where is a click on the button that has the client run a function.
func (w *functions) where() string {
	w.Helper()
	sf := w.State().Surface("view:shop")
	return fmt.Sprintf(`{"version":"1.0","action":{"name":"where","surfaceId":"view:shop#e=1","sourceComponentId":"c#b:Button",`+
		`"timestamp":"2026-11-20T09:30:00Z","context":{"limn_nonce":%q,"limn_rev":%d}}}`, sf.Nonce, sf.Rev)
}

var callIDs = regexp.MustCompile(`"callRendererFunction":\{"functionCallId":"([^"]*)"`)

// calls lists the ids of the calls that wait, as a client of v1.0 that starts now gets them.
func (w *functions) calls() (ids []string) {
	w.Helper()
	for _, m := range callIDs.FindAllStringSubmatch(w.Do("GET", "/v1/conversations/"+w.ID+"/a2ui?version=v1.0", "").Text, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// TestAgentFunctions: a client calls functions that are declared for it, once for each id, and
// what is wrong is said in the protocol's own codes.
func TestAgentFunctions(t *testing.T) {
	t.Parallel()
	w := newFunctions(t)
	w.Say("open the shop", "Prefer", "wait=10")
	var got struct {
		Messages []struct {
			Version  string
			Response struct {
				ID    string `json:"functionCallId"`
				Value json.RawMessage
				Error struct{ Code, Message string }
			} `json:"agentFunctionResponse"`
		}
	}
	for range 3 {
		a := w.event(call("c1", "price", `{"item":"tea","n":4}`))
		if a.Into(t, &got); a.StatusCode != 200 || len(got.Messages) != 1 || string(got.Messages[0].Response.Value) != `{"total":12}` ||
			got.Messages[0].Response.ID != "c1" || got.Messages[0].Version != "1.0" {
			t.Fatalf("%d %s", a.StatusCode, a.Text)
		}
	}
	if n := w.prices.Load(); n != 1 {
		t.Errorf("the function ran %d times", n)
	}
	for body, code := range map[string]string{
		call("c2", "nothing", "{}"):                                                 "UNKNOWN_FUNCTION",
		call("c3", "plain", "{}"):                                                   "UNKNOWN_FUNCTION",
		call("c4", "price", `{"n":"many"}`):                                         "INVALID_FUNCTION_CALL",
		call("c5", "price", `{"colour":"red"}`):                                     "INVALID_FUNCTION_CALL",
		strings.Replace(call("c6", "price", "{}"), "view:shop#e=1", "other#e=1", 1): "INVALID_FUNCTION_CALL",
		call("c7", "slow", "{}"):                                                    "EFFECT_UNKNOWN",
	} {
		got.Messages = nil
		a := w.event(body)
		if a.Into(t, &got); len(got.Messages) != 1 || got.Messages[0].Response.Error.Code != code {
			t.Errorf("%s: want %s: %s", body, code, a.Text)
		}
	}
	for _, bad := range []string{call("", "price", "{}"), call("c8", "price", `{"item":{"@path":"/draft/x"}}`),
		call(strings.Repeat("x", 129), "price", "{}"), strings.Replace(call("c9", "price", "{}"), `"1.0"`, `"v0.9"`, 1)} {
		if a := w.event(bad); a.StatusCode != 400 || !strings.Contains(a.Text, "A2UI_C2S_ENVELOPE_INVALID") {
			t.Errorf("%s: %d %s", bad, a.StatusCode, a.Text)
		}
	}
}

// TestAgentFunctionsOverDoors: the other protocols carry the calls of clients, and their answers.
func TestAgentFunctionsOverDoors(t *testing.T) {
	t.Parallel()
	w := newFunctions(t)
	w.Say("open the shop", "Prefer", "wait=10")
	caps := fmt.Sprintf(`"a2uiClientCapabilities":{"1.0":{"supportedCatalogIds":[%q,%q]}}`, positionID,
		a2ui.CatalogID(a2ui.V10))
	post := map[string]func(id, call string) limntest.Answer{
		"a2a": func(id, call string) limntest.Answer {
			return w.Do("POST", "/a2a", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{
				"messageId":%q,"role":"user","contextId":%q,"metadata":{%s},"parts":[{"kind":"data","data":%s,
				"metadata":{"mimeType":"application/json+a2ui"}}]}}}`, id, w.ID, caps, call), "Content-Type", "application/json")
		},
		"agui": func(id, call string) limntest.Answer {
			return w.Do("POST", "/agui", fmt.Sprintf(`{"threadId":%q,"runId":%q,"messages":[],"tools":[],"context":[],
				"forwardedProps":{"a2uiAction":%s,%s}}`, w.ID, id, call, caps), "Content-Type", "application/json")
		},
		"mcp": func(id, call string) limntest.Answer {
			return w.Do("POST", "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a2ui_action",
				"arguments":%s,"_meta":{"limn_conversation":%q,%s,
				"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},
				"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}}}}`, call, w.ID, caps), "Content-Type", "application/json",
				"Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call",
				"Mcp-Name", "a2ui_action")
		},
	}
	for name, post := range post {
		for id, want := range map[string]string{"good": "total", "bad": "INVALID_FUNCTION_CALL", "none": "UNKNOWN_FUNCTION"} {
			call := call(name+id, map[string]string{"good": "price", "bad": "price", "none": "nothing"}[id],
				map[string]string{"good": `{"n":4}`, "bad": `{"n":"many"}`, "none": "{}"}[id])
			text := strings.ReplaceAll(post(name+id, call).Text, `\`, "")
			if !strings.Contains(text, `"agentFunctionResponse":{`) || !strings.Contains(text, name+id) || !strings.Contains(text, want) {
				t.Errorf("%s, %s: want %s: %s", name, id, want, text)
			}
		}
	}
	if n := w.prices.Load(); n != 3 {
		t.Errorf("the function ran %d times", n)
	}

	for _, tt := range []struct {
		input string
		want  int
	}{
		{`"messages":[],"forwardedProps":{"a2uiAction":` + w.where() + `,` + caps + `}`, 1},
		{`"messages":[{"id":"m","role":"user","content":"open the shop"}],"forwardedProps":{` + caps + `}`, 0},
		{`"messages":[],"forwardedProps":{` + caps + `}`, 0}, // a reload: the call may have run
	} {
		text := w.Do("POST", "/agui", fmt.Sprintf(`{"threadId":%q,"runId":"run-%d","tools":[],"context":[],%s}`, w.ID, len(tt.input),
			tt.input), "Content-Type", "application/json").Text
		if n := strings.Count(text, "callRendererFunction"); n != tt.want || !strings.Contains(text, "RUN_FINISHED") {
			t.Errorf("%d calls, want %d: %s", n, tt.want, text)
		}
	}
}

// TestClientFunctions: a client runs a function for an action, and its result counts once.
func TestClientFunctions(t *testing.T) {
	t.Parallel()
	w := newFunctions(t)
	w.Say("open the shop", "Prefer", "wait=10")
	press := func(want string) {
		if a := w.event(w.where()); a.StatusCode != 200 || !strings.Contains(a.Text, want) {
			t.Fatalf("%d %s", a.StatusCode, a.Text)
		}
	}
	press(`"done"`)
	calls := w.calls()
	if len(calls) != 1 {
		t.Fatalf("%+v", calls)
	}
	id := calls[0]
	sent := w.Do("GET", "/v1/conversations/"+w.ID+"/a2ui?version=v1.0", "").Text
	if !strings.Contains(sent, `"callRendererFunction":{"functionCallId":"`+id+`"`) || !strings.Contains(sent, `"exact":true`) {
		t.Errorf("a client is sent %s", sent)
	}
	if old := w.Do("GET", "/v1/conversations/"+w.ID+"/a2ui?version=v0.9", "").Text; strings.Contains(old, "getPosition") {
		t.Errorf("a client of v0.9 is sent %s", old)
	}
	result := `{"version":"1.0","rendererFunctionResponse":{"functionCallId":"` + id + `","value":{"lat":52}}}`
	other := newFunctions(t) // somebody else
	other.Say("open the shop", "Prefer", "wait=10")
	if a := other.event(result); a.StatusCode != 400 || !strings.Contains(a.Text, "A2UI_C2S_FUNCTION_RESULT_LATE") {
		t.Errorf("in another conversation: %d %s", a.StatusCode, a.Text)
	}
	for range 3 {
		if a := w.event(result); a.StatusCode != 200 {
			t.Fatalf("%d %s", a.StatusCode, a.Text)
		}
	}
	if len(w.places) != 1 || w.places[0] != `{"value":{"lat":52}}` || len(w.calls()) != 0 {
		t.Errorf("%v, %v", w.places, w.calls())
	}
	press(`"done"`)
	id = w.calls()[0]
	w.event(`{"version":"1.0","error":{"code":"INVALID_FUNCTION_CALL","message":"no","functionCallId":"` + id + `"}}`)
	if len(w.places) != 2 || !strings.Contains(w.places[1], "INVALID_FUNCTION_CALL") {
		t.Errorf("%v", w.places)
	}
	for i := range 40 { // a table of 32
		if press(`"done"`); i >= 31 {
			press("ACTION_FAILED")
			break
		}
	}
	if n := len(w.calls()); n != 32 {
		t.Errorf("%d calls wait", n)
	}
	for i := range 10_000 / 100 { // results that nobody waits for change nothing
		w.event(fmt.Sprintf(`{"version":"1.0","rendererFunctionResponse":{"functionCallId":"none-%d","value":1}}`, i))
	}
	if n := len(w.calls()); n != 32 || len(w.places) != 2 {
		t.Errorf("%d calls wait, %v", n, w.places)
	}
}
