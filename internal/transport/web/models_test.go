package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// dialled opens the WebSocket of the conversation and reads its snapshot.
func (c jsonClient) dialled() *websocket.Conn {
	c.Helper()
	r := c.Request("GET", "/v1/conversations/"+c.ID+"/ws", nil)
	conn, _, err := websocket.Dial(context.Background(), strings.Replace(r.URL.String(), "http", "ws", 1),
		&websocket.DialOptions{HTTPHeader: r.Header})
	if err != nil {
		c.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	c.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// answered sends a message over a WebSocket and reads until its answer.
func (c jsonClient) answered(conn *websocket.Conn, text string) string {
	c.Helper()
	if err := conn.Write(context.Background(), websocket.MessageText, []byte(text)); err != nil {
		c.Fatal(err)
	}
	for {
		_, b, err := conn.Read(context.Background())
		if err != nil {
			c.Fatal(err)
		}
		var m struct{ Receipt, Problem json.RawMessage }
		if err := json.Unmarshal(b, &m); err != nil {
			c.Fatal(err)
		}
		if m.Receipt != nil || m.Problem != nil {
			return string(b)
		}
	}
}

// TestDataModelDoors: a data model counts beside whatever a client sends, through each door,
// in each version that has it and under both names, and the server asks for it there.
func TestDataModelDoors(t *testing.T) {
	t.Parallel()
	other := app.Form{Name: "other", Title: "Other", Phrases: []string{"another one"},
		Fields: []ui.Field{{Name: "note", Type: ui.TypeText}}}
	a := limntest.Must(app.New(app.Config{Name: "t", SendDataModel: true, Forms: []app.Form{other,
		{Name: "guest", Title: "Guest", Phrases: []string{"a guest"}, Fields: []ui.Field{{Name: "name", Type: ui.TypeText}}}}}))
	c := jsonClient{limntest.Serve(t, limntest.Must(limn.New(limn.Config{App: a, Targets: limn.Targets()}))).Create()}
	c.Say("a guest")
	conn := c.dialled()
	post := func(path string) func(string) string {
		return func(body string) string {
			got := c.post(path, body)
			if got.StatusCode >= 300 {
				t.Errorf("%s %s: %d %s", path, body, got.StatusCode, got.Text)
			}
			return got.Text
		}
	}
	socket := func(body string) string {
		got := c.answered(conn, body)
		if strings.Contains(got, `"problem"`) {
			t.Errorf("%s: %s", body, got)
		}
		return got
	}
	click := func(version string) string { // on another surface, so that only the model has the name
		c.Say("another one")
		sf := c.State().Surface("form:other")
		if sf == nil {
			t.Fatal("no other form")
		}
		return fmt.Sprintf(`"version":%q,"action":{"name":"limn.cancel","surfaceId":%q,"sourceComponentId":"c#main/buttons/cancel:Button",`+
			`"timestamp":"2026-11-20T12:00:00Z","context":{"limn_nonce":%q,"limn_rev":%d}}`,
			version, sf.WireID(), sf.Nonce, sf.Rev)
	}
	fault := func(version string) string { // of a surface that is not there: nothing is drawn anew
		return fmt.Sprintf(`"version":%q,"error":{"code":"OTHER","surfaceId":"form:none#e=1","path":"/","message":"m"}`, version)
	}
	text := func(string) string { return `"text":"hello"` }
	event := func(of func(string) string) func(string) string {
		return func(version string) string { return `"event":{` + of(version) + `}` }
	}
	doors := []struct {
		name string
		body func(version string) string
		send func(body string) string
	}{
		{"messages", text, post("/messages")}, {"click", click, post("/events")}, {"error", fault, post("/events")},
		{"socket text", text, socket}, {"socket click", event(click), socket}, {"socket error", event(fault), socket},
	}
	n := 0
	for _, version := range []string{"v0.9", "v0.9.1", "v1.0"} {
		if got := c.Do("GET", "/v1/conversations/"+c.ID+"/a2ui?version="+version, "").Text; !strings.Contains(got, `"sendDataModel":true`) {
			t.Errorf("%s: the server does not ask: %.300s", version, got)
		}
		for _, member := range []string{"a2uiClientDataModel", "a2uiRendererDataModel"} {
			for _, door := range doors {
				n++
				want, rest := fmt.Sprint("name-", n), door.body(version)
				model := fmt.Sprintf(`%q:{"version":%q,"surfaces":{%q:{"draft":{"name":%q},"ui_state":{"rev":9999}}}}`,
					member, version, form, want)
				if n%2 == 0 {
					model = `"metadata":{` + model + `}`
				}
				answer := door.send("{" + rest + "," + model + "}")
				if got := draft(c.Client, "/draft/name"); got != want {
					t.Errorf("%s, %s, %s: the name is %q, want %q: %s", version, member, door.name, got, want, answer)
				}
			}
			opened(t, c, version, member)
		}
	}
}

// opened creates a conversation beside the data model of another's surface, which is left out.
func opened(t *testing.T, c jsonClient, version, member string) {
	t.Helper()
	var made struct{ ID, Event string }
	body := fmt.Sprintf(`{"text":"a guest",%q:{"version":%q,"surfaces":{%q:{"draft":{"name":"Ada"}}}}}`, member, version, form)
	got := c.Do("POST", "/v1/conversations", body, "Content-Type", "application/json", "Prefer", "wait=5")
	if got.Into(t, &made); got.StatusCode != 201 || made.Event == "" {
		t.Fatalf("%s: %d %s", body, got.StatusCode, got.Text)
	}
	next := c.Do("GET", "/v1/conversations/"+made.ID+"/state", "").Text
	if !strings.Contains(next, form[:10]) || strings.Contains(next, "Ada") {
		t.Errorf("%s: the state is %.500s", body, next)
	}
}
