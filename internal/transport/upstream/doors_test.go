package upstream_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// TestProtocols: Limn itself is an agent by each of its doors, in several versions: its form is shown by
// the gateway, filled in by a client of another version, submitted once, and answered.
func TestProtocols(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ protocol, path, version string }{
		{"a2a", "/a2a", "v0.9"}, {"a2a", "/a2a", "v0.8"}, {"agui", "/agui", "v0.9"}, {"a2a", "/a2a", "v1.0"},
		{"mcp", "/mcp", "v0.9"}, {"mcp", "/mcp", "v1.0"},
	} {
		t.Run(c.protocol+" "+c.version, func(t *testing.T) {
			t.Parallel()
			a, err := app.New(app.Config{Name: "guests", Forms: []app.Form{{Name: "guest", Title: "Guest book",
				Phrases: []string{"sign the guest book"}, Fields: []ui.Field{{Name: "name", Type: ui.TypeText, Required: true}}}}})
			if err != nil {
				t.Fatal(err)
			}
			below, err := limn.New(limn.Config{App: a, Doors: []string{"a2a", "agui", "mcp"},
				Targets: []string{"html", "v0.9", "v0.8", "v1.0"}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { below.Close(t.Context()) })
			srv := httptest.NewServer(below.Handler())
			t.Cleanup(srv.Close)
			d := open(t, fmt.Sprintf(`
agents: [{name: guests, title: Guests, url: %q, protocol: %s, version: %s, credentials: token, idempotent: true}]
fallback: guests
`, srv.URL+c.path, c.protocol, c.version), nil)
			said := d.say("sign the guest book")
			if !strings.HasPrefix(said, "Guests: ") || strings.Contains(said, "\n") && c.protocol != "mcp" { // what is for the model is read, too
				t.Fatalf("said %q %s", said, d.do("GET", "/v1/conversations/"+d.id+"/frames", "", nil).Body)
			}
			screen := d.shown(a2ui.V09)
			ids := screen.Surfaces()
			if len(ids) != 1 || !strings.HasPrefix(ids[0], "guests:") {
				t.Fatalf("surfaces %v", ids)
			}
			view, _ := screen.Surface(ids[0])
			for n := range view.Root.All() {
				if n.Role == "textbox" {
					if err := screen.Type(ids[0], n.Key(), "Ada"); err != nil {
						t.Fatal(err)
					}
				}
			}
			for range 2 {
				if w := d.press(a2ui.V09, screen, ids[0]); w.Code != 200 {
					t.Fatalf("%d %s", w.Code, w.Body)
				}
			}
			if said := d.said(2); !strings.Contains(said, "Saved") || strings.Count(said, "\n") > 0 && c.protocol != "mcp" {
				t.Errorf("said %q", said)
			}
		})
	}
}

// TestMessageIDs: of what an agent of AG-UI is sent in several runs, each message has one id, and each id is of one message,
// also once the first lines are too old to be sent.
func TestMessageIDs(t *testing.T) {
	t.Parallel()
	n := 0
	f := speaks(t, func(w http.ResponseWriter, _ string) {
		n++
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"m\",\"delta\":\"answer %d\"}\n\n", n)
		io.WriteString(w, "data: {\"type\":\"RUN_FINISHED\"}\n\n")
	})
	d := one(t, f, ", protocol: agui")
	for i := range 25 {
		d.say(fmt.Sprint("message ", i))
	}
	ids, texts := map[string]string{}, map[string]string{}
	for _, body := range f.got() {
		var run struct {
			Messages []struct{ ID, Content string }
		}
		if err := json.Unmarshal([]byte(body), &run); err != nil {
			t.Fatal(err)
		}
		for _, m := range run.Messages {
			if id, known := ids[m.Content]; known && id != m.ID {
				t.Fatalf("%q is %s and %s", m.Content, id, m.ID)
			}
			if text, known := texts[m.ID]; known && text != m.Content {
				t.Fatalf("%s is %q and %q", m.ID, text, m.Content)
			}
			ids[m.Content], texts[m.ID] = m.ID, m.Content
		}
	}
	if len(ids) != 49 {
		t.Errorf("%d messages: %v", len(ids), ids)
	}
}
