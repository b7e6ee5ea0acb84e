package upstream_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/transport/upstream"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// fake is an agent that answers by a function, and keeps what it was sent.
type fake struct {
	*httptest.Server
	answer func(w http.ResponseWriter, body string)
	mu     sync.Mutex
	bodies []string // guarded by mu
	keys   []string // guarded by mu
}

// got is what the agent was sent so far.
func (f *fake) got() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.bodies...)
}

// speaks starts an agent; answer writes the answer to a request.
func speaks(t *testing.T, answer func(w http.ResponseWriter, body string)) *fake {
	t.Helper()
	f := &fake{answer: answer}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		f.mu.Lock()
		f.bodies, f.keys = append(f.bodies, string(b)), append(f.keys, r.Header.Get("Idempotency-Key"))
		f.mu.Unlock()
		answer(w, string(b))
	}))
	t.Cleanup(f.Close)
	return f
}

// says answers with JSON lines.
func says(lines ...string) func(http.ResponseWriter, string) {
	return func(w http.ResponseWriter, _ string) {
		w.Header().Set("Content-Type", "application/jsonl")
		io.WriteString(w, strings.Join(lines, "\n")+"\n")
	}
}

// The messages of a surface with one button that sends what is typed.
const (
	create     = `{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json","sendDataModel":true}}`
	components = `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
		`{"id":"root","component":"Column","children":["say","field","go"]},{"id":"say","component":"Text","text":"%s"},` +
		`{"id":"field","component":"TextField","label":"City","value":{"path":"/city"}},` +
		`{"id":"label","component":"Text","text":"Go"},` +
		`{"id":"go","component":"Button","child":"label","action":{"event":{"name":"go","context":{"city":{"path":"/city"}}}}}]}}`
	data = `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/city","value":"%s"}}`
)

// token is in the file of credentials.
const token = "YWRhIGFkYSBhZGEgYWRhIGFkYSBhZGEgYWRhIGFkYSE"

// surface is the lines of such a surface.
func surface(text, city string) []string {
	return []string{create, fmt.Sprintf(components, text), fmt.Sprintf(data, city)}
}

// desk is a gateway with a client.
type desk struct {
	t         *testing.T
	handler   http.Handler
	srv       *limn.Server
	id, token string
}

// open starts a gateway from its file.
func open(t *testing.T, yaml string, st store.Store, catalogs ...*a2ui.Catalog) *desk {
	t.Helper()
	return openWith(t, yaml, limn.Config{Store: st, Catalogs: catalogs})
}

// openWith is open with more of the configuration.
func openWith(t *testing.T, yaml string, cfg limn.Config) *desk {
	t.Helper()
	c, err := gateway.Load("gateway.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "token"), []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	agents, err := upstream.Open(c, dir, func(string) ([]*a2ui.Catalog, error) { return cfg.Catalogs, nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(agents.Close)
	named := map[string]string{}
	for _, one := range c.Agents {
		if one.Compiled != nil {
			named[one.Name] = one.Compiled.ID
		}
	}
	a, err := app.New(app.Config{Name: c.Name, Title: c.Title, Catalogs: named, Operators: c.Operators})
	if err != nil {
		t.Fatal(err)
	}
	cfg.App, cfg.Model, cfg.Targets = a, agents, []string{"html", "v0.9", "v0.8", "v1.0"}
	srv, err := limn.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close(t.Context()) })
	d := &desk{t: t, handler: srv.Handler(), srv: srv}
	var made struct{ ID, Token string }
	d.do("POST", "/v1/conversations", "", &made)
	d.id, d.token = made.ID, made.Token
	return d
}

// again stops the gateway, and starts one with another file on its store.
func (d *desk) again(yaml string, st store.Store) *desk {
	d.t.Helper()
	if err := d.srv.Close(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	next := open(d.t, yaml, st)
	next.id, next.token = d.id, d.token
	return next
}

func (d *desk) do(method, path, body string, into any) *httptest.ResponseRecorder {
	d.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if d.token != "" {
		r.Header.Set("Authorization", "Bearer "+d.token)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Prefer", "wait=20")
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	if into != nil {
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			d.t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	return w
}

// say sends a message and returns what was answered, each line with who says it.
func (d *desk) say(text string) string {
	d.t.Helper()
	b, _ := json.Marshal(map[string]string{"text": text})
	before := len(d.state().Transcript)
	if w := d.do("POST", "/v1/conversations/"+d.id+"/messages", string(b), nil); w.Code != 200 {
		d.t.Fatalf("%d %s", w.Code, w.Body)
	}
	return d.said(before)
}

// said is the transcript from a line on, without the user.
func (d *desk) said(from int) string {
	var out []string
	for _, e := range d.state().Transcript[from:] {
		if e.Role == ui.RoleAssistant {
			out = append(out, strings.TrimPrefix(e.By+": "+e.Text, ": "))
		}
	}
	return strings.Join(out, "\n")
}

func (d *desk) state() *ui.State {
	d.t.Helper()
	w := d.do("GET", "/v1/conversations/"+d.id+"/state", "", nil)
	s := &ui.State{}
	if err := json.Unmarshal(w.Body.Bytes(), s); err != nil {
		d.t.Fatalf("%v: %d %.500s", err, w.Code, w.Body)
	}
	return s
}

// shown is a client of a version, with what it is sent when it comes.
func (d *desk) shown(v a2ui.Dialect) *client.Client {
	d.t.Helper()
	c := client.New(v, client.LikeWebCore)
	w := d.do("GET", "/v1/conversations/"+d.id+"/a2ui?version="+v.String(), "", nil)
	for _, line := range strings.Split(strings.TrimSpace(w.Body.String()), "\n") {
		if line == "" {
			continue
		}
		if err := c.Feed([]byte(line)); err != nil {
			d.t.Fatalf("%v: %s", err, line)
		}
	}
	return c
}

// press clicks the first button of a surface with the name that is given, and returns the answer.
func (d *desk) press(v a2ui.Dialect, c *client.Client, surface string) *httptest.ResponseRecorder {
	d.t.Helper()
	view, err := c.Surface(surface)
	if err != nil {
		d.t.Fatal(err)
	}
	for n := range view.Root.All() {
		if n.Role != "button" {
			continue
		}
		a, err := c.Click(surface, n.Key())
		if err != nil {
			d.t.Fatal(err)
		}
		a.Timestamp = "2026-11-27T08:00:00Z"
		b, err := a2ui.AppendClient(nil, v, &a)
		if err != nil {
			d.t.Fatal(err)
		}
		return d.do("POST", "/v1/conversations/"+d.id+"/events", string(b), nil)
	}
	d.t.Fatalf("no button on %s", surface)
	return nil
}
