package mcp

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// FuzzMessage: whatever is posted is a message, or a fault with a code, and its answer is JSON.
func FuzzMessage(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{},"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}},"a2ui":{"clientCapabilities":{"v0.9":{"supportedCatalogIds":["x"]}}}}}}`,
		`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"a2ui_action","arguments":{"name":"go","surfaceId":"s"},"_meta":{"limn_key":"k","a2uiClientDataModel":{"version":"v0.9","surfaces":{"s":{}}}}}}`,
		`{"jsonrpc":"2.0","id":"limn form:guest%23e=1 3 abc","result":{"action":"accept","content":{"name":"Ada"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, `[{}]`, `{"id":null}`, `{`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := decode(body, ingress.Limits{})
		if line := append(append(door.Reply(nil, m.id, "result"), "{}"...), '}'); !json.Valid(line) {
			t.Fatalf("%q", line)
		}
		coded := func(err error) {
			if f, ok := err.(*fault); !ok || f.rpc == 0 || ui.CodeOf(err) == "" {
				t.Fatalf("no code: %v", err)
			}
		}
		if err != nil {
			coded(err)
			return
		}
		if (m.method == "") == (m.answers == "") && m.method == "" && m.id != nil {
			t.Fatalf("neither a request nor an answer: %+v", m)
		}
		abilities(m.params.At("capabilities"))
		meta, err := readMetadata(m.params.At("_meta"), m.params.At("capabilities"), ingress.Limits{})
		if err != nil {
			coded(err)
		} else if len(meta.key) > 128 {
			t.Fatalf("a key of %d bytes", len(meta.key))
		}
		if id, _, ok := question(m.answers); ok && id != "" && len(m.answers) > maxID {
			t.Fatalf("a question of %d bytes", len(m.answers))
		}
		completed("action", m.params, "1970-01-01T00:00:00Z")
	})
}

// TestSessionIDs: an id of a session reads the same on servers of the version before, whose ids have no random part.
func TestSessionIDs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id string
		is client
	}{{"s_-_-_", client{mark: "-"}}, {"s_-ea_v0.9-own_AAEC_w", client{true, true, "v0.9-own", "AAEC_w"}}} {
		if got, ok := parseSession(c.id); !ok || got != c.is {
			t.Errorf("%s: %+v", c.id, got)
		}
		for range 100 {
			id := c.is.session()
			if got, ok := parseSession(id); !ok || got != c.is || !strings.HasPrefix(id, "s_-") {
				t.Fatalf("%s: %+v", id, got)
			}
		}
	}
}

// FuzzNames: an id of a session and an address of a surface read as they were written; the
// fields of a form are an event, or refused with a code.
func FuzzNames(f *testing.F) {
	f.Add("s_-eaKQ7_v0.9-own_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
	f.Add("a2ui://8655b2d4-c6d2-8006-83cc-f51959f26a5d/form:guest%23e=1")
	f.Add("limn_surface=form%3Aguest%23e%3D1&limn_component=c&%2Fdraft%2Frows%2Fr1%2Fname=Ada")
	f.Fuzz(func(t *testing.T, s string) {
		if c, ok := parseSession(s); ok {
			if again, ok := parseSession(c.session()); !ok || again != c {
				t.Fatalf("%+v is read as %+v", c, again)
			}
		}
		if conversation, surface, ok := parseURI(s); ok {
			name, epoch := ui.Name(surface), uint32(1)
			if _, _, ok := parseURI(uriOf(conversation, &ui.Surface{Name: name, Epoch: epoch})); !ok && len(surface) < 60 {
				t.Fatalf("%q", surface)
			}
		}
		for _, tool := range []string{toolSubmit, toolDraft} {
			e, err := posted(tool, "form:guest#e=1", s, ingress.Limits{})
			if err != nil {
				if ui.CodeOf(err) == "" {
					t.Fatalf("no code: %v", err)
				}
				continue
			}
			if tool == toolDraft && (e.Kind != ui.EventDraft || e.Model.Kind != jsonx.Object) {
				t.Fatalf("%+v", e)
			}
		}
		headerText(s)
		loopback(s)
	})
}

// TestManyFields: a draft is one object of the paths of its fields, in time that grows with their
// number.
func TestManyFields(t *testing.T) {
	t.Parallel()
	model := func(fields string) string {
		e, err := posted(toolDraft, "form:guest#e=1", fields, ingress.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return string(jsonx.Append(nil, e.Model))
	}
	const surface = "limn_surface=form%3Aguest%23e%3D1"
	if got, want := model(surface+"&/draft/a=1&/draft/b/c=2&/draft/b/d=3&/draft/e=4&/draft/e/f=5"),
		`{"form:guest#e=1":{"draft":{"a":"1","b":{"c":"2","d":"3"},"e":{"f":"5"}}}}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var many tree
	began := time.Now()
	for i := range 200_000 {
		many.set([]string{"draft", strconv.Itoa(i)}, jsonx.Of("x"))
	}
	if draft := many.object().At("draft"); len(draft.Members) != 200_000 {
		t.Errorf("%d fields", len(draft.Members))
	}
	if took := time.Since(began); took > 10*time.Second { // quadratic work takes minutes
		t.Errorf("took %v", took)
	}
}
