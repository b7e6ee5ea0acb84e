package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/official"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// desk is the application of these tests.
func desk(t testing.TB) *app.App {
	t.Helper()
	text := func(name, label string) ui.Field { return ui.Field{Name: name, Label: label, Type: ui.TypeText} }
	return limntest.Must(app.New(app.Config{Name: "desk", Title: `Desk <b>&"bold"</b>`,
		Suggestions: []string{"add a customer", `say "<hi>"`},
		Forms: []app.Form{
			{Name: "customer", Title: "Customer", Done: "The customer is saved.", Fields: []ui.Field{
				{Name: "company", Label: "Company", Type: ui.TypeText, Required: true}, text("notes", "Notes"),
				{Name: "budget", Label: "Budget", Type: ui.TypeNumber}, {Name: "site", Label: "Site", Type: ui.TypeURL},
				{Name: "news", Label: "Newsletter", Type: ui.TypeBoolean},
				{Name: "segment", Label: "Segment", Type: ui.TypeChoice, Options: []ui.Option{{Value: "smb"}, {Value: "ent"}}},
				{Name: "topics", Label: "Topics", Type: ui.TypeChoices, Options: []ui.Option{{Value: "a"}, {Value: "b"}}}}},
			{Name: "character", Title: "Character", Fields: []ui.Field{
				{Name: "card", Label: "Card", Type: ui.TypeUpload, Required: true, Accept: []string{"application/json"}}, text("nickname", "Nickname")}},
			{Name: "lead", Title: "Lead", OnSubmit: "hooked", Fields: []ui.Field{{Name: "name", Label: "Name", Type: ui.TypeText, Required: true}}},
			{Name: "ticket", Title: "Ticket", OnSubmit: "wait", Fields: []ui.Field{{Name: "name", Label: "Name", Type: ui.TypeText, Required: true}}},
		},
		Records: []app.RecordSpec{{Name: "customer", Title: "Customers", Write: []string{"boss"}}},
		Actions: []app.Action{
			{Name: "hooked", Label: "Hooked", Webhook: &app.Webhook{URL: "http://hook.invalid/", Secret: "secret"}},
			{Name: "wait", Label: "Wait", Handler: slow},
		}}))
}

// gate holds the handler "wait" until a test lets it go: the name a ticket is
// submitted with chooses it.
type gate struct {
	entered chan string // the key of the call
	leave   chan struct{}
}

var gates sync.Map // name → *gate

func newGate(t *testing.T, name string) *gate {
	g := &gate{make(chan string, 8), make(chan struct{})}
	gates.Store(name, g)
	t.Cleanup(func() { gates.Delete(name) })
	return g
}

func slow(ctx context.Context, c app.Call) (app.Result, error) {
	v, _ := c.Values.Get("name")
	name := v.Text()
	if g, ok := gates.Load(name); ok {
		g.(*gate).entered <- c.Key
		select {
		case <-g.(*gate).leave:
		case <-ctx.Done():
			return app.Result{}, ctx.Err()
		}
	}
	switch name {
	case "panic":
		panic("a handler's panic")
	case "fail":
		return app.Result{}, errors.New("secret detail of a handler")
	}
	return app.Result{Text: "It waited.", Directives: []directive.Directive{{Type: directive.TypeShowForm,
		Payload: jsonx.OfObject(jsonx.Member{Key: "name", Value: jsonx.Of("customer")})}}}, nil
}

// site is a server over a real connection; what it answers is held against
// docs/openapi.yaml.
type site struct {
	t   *testing.T
	srv *limn.Server
	url string
}

func start(t *testing.T, change ...func(*limn.Config)) *site {
	t.Helper()
	cfg := limn.Config{App: desk(t), Base: "http://limn.test"}
	for _, f := range change {
		f(&cfg)
	}
	srv := limntest.Must(limn.New(cfg))
	return &site{t, srv, limntest.Serve(t, srv).URL}
}

var bundles = fstest.MapFS{"v09.js": {Data: []byte("1")}, "v08.js": {Data: []byte("1")},
	"html.js": {Data: []byte("not the page's")}, ".keep": {}, "notes.txt": {Data: []byte("x")},
	"sub/secret.js": {Data: []byte("x")}}

func withAssets(c *limn.Config) { c.Assets = bundles }

// answer is a whole response.
type answer struct {
	*http.Response
	body []byte
}

func (a answer) problem(t *testing.T) recovery.Entry {
	t.Helper()
	var p struct {
		Status int
		Code   ui.Code
		Title  string
		Hint   string
	}
	if ct := a.Header.Get("Content-Type"); ct != "application/problem+json" {
		t.Fatalf("%s %s: %d %s, want a problem: %.300s", a.Request.Method, a.Request.URL, a.StatusCode, ct, a.body)
	}
	if err := json.Unmarshal(a.body, &p); err != nil {
		t.Fatal(err)
	}
	if p.Status != a.StatusCode {
		t.Errorf("the problem says %d, the answer %d", p.Status, a.StatusCode)
	}
	if p.Status >= 500 && p.Hint == "" {
		t.Errorf("%s does not say what to do", p.Code)
	}
	return recovery.Entry{Code: p.Code, Status: p.Status, Title: p.Title}
}

func (a answer) into(t *testing.T, v any) {
	t.Helper()
	limntest.Answer{Response: a.Response, Text: string(a.body)}.Into(t, v)
}

// client is one browser or program.
type client struct {
	*site
	*limntest.Client
}

// tap holds what all servers of these tests send against the published schemas.
var tap official.Tap

// visitor is somebody without a conversation.
func (s *site) visitor() *client {
	c := &client{s, limntest.NewClient(s.t, s.url)}
	c.HTTP.Transport = tap.Listen(checked{s.t, c.HTTP.Transport}, func(err error) { s.t.Error(err) })
	c.HTTP.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// program is a bearer client with a conversation.
func (s *site) program() *client {
	c := s.visitor()
	c.Create()
	return c
}

// as is a bearer client of this server in another one's conversation.
func (s *site) as(other *client) *client {
	c := s.visitor()
	c.HTTP.Jar, c.ID, c.Token = nil, other.ID, other.Token
	return c
}

// do sends a request; see limntest.Client.Request.
func (c *client) do(method, path, body string, headers ...string) answer {
	c.Helper()
	a := c.Do(method, path, body, headers...)
	return answer{a.Response, []byte(a.Text)}
}

func (c *client) send(r *http.Request) answer {
	c.Helper()
	a, err := c.Send(r)
	if err != nil {
		c.Fatal(err)
	}
	return answer{a.Response, []byte(a.Text)}
}

// post sends a form as a browser does.
func (c *client) post(path string, form url.Values, headers ...string) answer {
	c.Helper()
	headers = append([]string{"Content-Type", "application/x-www-form-urlencoded", "Accept",
		"text/html,application/xhtml+xml,*/*;q=0.8"}, headers...)
	return c.do("POST", path, form.Encode(), headers...)
}

func (c *client) say(text string) answer {
	c.Helper()
	a := c.Say(text)
	return answer{a.Response, []byte(a.Text)}
}

func (c *client) state() *ui.State { c.Helper(); return c.State() }

// leaf is the text of a draft leaf of a surface.
func (c *client) leaf(surface ui.Name, path ui.Path) string {
	c.Helper()
	sf := c.state().Surface(surface)
	if sf == nil {
		c.Fatalf("no surface %s", surface)
	}
	v, _ := sf.Get(path)
	return v.Text()
}

// checked holds every answer against docs/openapi.yaml.
type checked struct {
	t    *testing.T
	next http.RoundTripper
}

func (c checked) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := c.next.RoundTrip(r)
	if err != nil || resp.StatusCode == http.StatusOK && strings.HasSuffix(r.URL.Path, "/stream") {
		if err == nil {
			hold(c.t, r, resp, nil)
		}
		return resp, err
	}
	b, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(b))
	hold(c.t, r, resp, b)
	return resp, nil
}
