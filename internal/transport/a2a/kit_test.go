package a2a_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	renderer "github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// tokens are what clients choose to be known by.
const (
	ada   = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
	other = "BAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
)

// site is a server with the door.
type site struct {
	*testing.T
	srv *limn.Server
	*limntest.Client
}

func guests(t *testing.T) *app.App {
	return limntest.Must(app.New(app.Config{Name: "guests", Title: "Guest book", Forms: []app.Form{{Name: "guest",
		Title: "Sign the guest book", Phrases: []string{"sign the guest book"}, Fields: []ui.Field{
			{Name: "name", Label: "Your name", Type: ui.TypeText, Required: true},
			{Name: "note", Label: "A note", Type: ui.TypeText}}}}}))
}

func start(t *testing.T, change ...func(*limn.Config)) *site {
	t.Helper()
	cfg := limn.Config{App: guests(t), Doors: []string{"a2a"}, Targets: limn.Targets()}
	for _, f := range change {
		f(&cfg)
	}
	srv := limntest.Must(limn.New(cfg))
	s := &site{t, srv, limntest.Serve(t, srv)}
	s.HTTP.Jar, s.Token = nil, ada
	return s
}

// answer is a JSON-RPC response.
type answer struct {
	HTTP   *http.Response
	ID     json.RawMessage
	Result result
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

// result is a task or an update of it, of either protocol.
type result struct {
	Kind, ID, ContextID string
	TaskID              string
	Final               bool
	Status              status
	Metadata            map[string]string
	Task, StatusUpdate  *result
}

type status struct {
	State   string
	Message struct {
		MessageID string
		Parts     []part
	}
}

type part struct {
	Kind, Text, MediaType string
	Data                  json.RawMessage
	Metadata              json.RawMessage
}

// call posts a call.
func (s *site) call(method, params string, headers ...string) answer {
	s.T.Helper()
	return s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":%s}`, method, params), headers...)
}

func (s *site) post(body string, headers ...string) (a answer) {
	s.T.Helper()
	got := s.Do("POST", "/a2a", body, append([]string{"Content-Type", "application/json"}, headers...)...)
	a.HTTP = got.Response
	got.Into(s.T, &a)
	return a
}

// stream posts a call and reads its events until limit of them, or the end.
func (s *site) stream(limit int, method, params string, headers ...string) (out []result, ids []string) {
	s.T.Helper()
	ctx, cancel := context.WithCancel(s.T.Context())
	defer cancel()
	r := s.Request("POST", "/a2a", strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":%s}`,
		method, params)), append([]string{"Content-Type", "application/json"}, headers...)...)
	resp := limntest.Must(s.HTTP.Do(r.WithContext(ctx)))
	defer resp.Body.Close()
	if ct := resp.Header.Get("Content-Type"); ct != "text/event-stream" {
		s.T.Fatalf("%s %s", resp.Status, ct)
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 4<<20)
	for len(out) < limit && lines.Scan() {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			ids = append(ids, id)
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var a answer
			if err := json.Unmarshal([]byte(data), &a); err != nil || a.Error != nil || string(a.ID) != "7" {
				s.T.Fatalf("%v: %s", err, data)
			}
			switch {
			case a.Result.Task != nil:
				a.Result = *a.Result.Task
			case a.Result.StatusUpdate != nil:
				a.Result = *a.Result.StatusUpdate
			}
			out = append(out, a.Result)
		}
	}
	return out, ids
}

// capable is the metadata of a client that draws a version in the basic catalog.
func capable(d a2ui.Dialect) string {
	caps := limntest.Must(a2ui.AppendAllCapabilities(nil, map[a2ui.Dialect]a2ui.Capabilities{
		d: {Catalogs: []string{a2ui.CatalogID(d)}}}))
	return fmt.Sprintf(`{%q:%s}`, d.Features().CapabilitiesMember, caps)
}

// say is the parameters of a text message; more is members of the message.
func say(text, more string) string {
	return fmt.Sprintf(`{"message":{"role":"user","parts":[{"kind":"text","text":%q}]%s}}`, text, more)
}

// feed shows a renderer the surfaces of a message.
func feed(t *testing.T, d a2ui.Dialect, r *renderer.Client, parts []part) (n int) {
	t.Helper()
	for _, p := range parts {
		if p.Data == nil {
			continue
		}
		var meta struct{ MimeType string }
		if err := json.Unmarshal(p.Metadata, &meta); err != nil || meta.MimeType != d.Features().MediaType {
			t.Errorf("%s: metadata %s", d, p.Metadata)
		}
		v := limntest.Must(jsonx.Parse(p.Data, jsonx.Limits{}))
		if lists := v.Kind == jsonx.Array; lists != d.Features().PartLists {
			t.Errorf("%s: data is %s", d, v.Kind)
		}
		items := v.Items
		if v.Kind == jsonx.Object {
			items = []jsonx.Value{v}
		}
		for _, m := range items {
			if err := r.Feed(jsonx.Append(nil, m)); err != nil {
				t.Fatalf("%s: %v", d, err)
			}
			n++
		}
	}
	return n
}

// act is the parameters of a click.
func act(d a2ui.Dialect, context, message string) string {
	if d.Features().PartLists {
		message = "[" + message + "]"
	}
	return fmt.Sprintf(`{"message":{"messageId":"click","contextId":%q,"role":"user","metadata":%s,"parts":[
		{"kind":"data","data":%s,"metadata":{"mimeType":%q}}]}}`, context, capable(d), message, d.Features().MediaType)
}

// commits counts how often a guest was saved.
func (s *site) commits(id, name string) int {
	s.T.Helper()
	return limntest.Saved(s.T, s.srv.Service(), id, name)
}

// hellos answers n messages of other clients in a conversation.
func (s *site) hellos(id string, n int) {
	s.T.Helper()
	for range n {
		s.Do("POST", "/v1/conversations/"+id+"/messages", `{"text":"hello"}`, "Prefer", "wait=9")
	}
}
