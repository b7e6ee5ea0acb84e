package web_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// guests is an app with a form and a table.
func guests(t *testing.T, change func(*app.Config)) *limntest.Client {
	t.Helper()
	cfg := app.Config{Name: "t",
		Forms: []app.Form{{Name: "guest", Title: "Guest", Phrases: []string{"a guest"}, Fields: []ui.Field{
			{Name: "name", Type: ui.TypeText}, {Name: "vip", Type: ui.TypeBoolean},
			{Name: "days", Type: ui.TypeChoices, Options: []ui.Option{{Value: "mon"}, {Value: "tue"}}}}}},
		Tables: []app.Table{{Name: "list", Title: "List", Columns: []ui.Field{{Name: "item", Type: ui.TypeText}}}}}
	change(&cfg)
	a, err := app.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c := limntest.Serve(t, limntest.Must(limn.New(limn.Config{App: a}))).Create()
	c.Say("a guest")
	if c.State().Surface("form:guest") == nil {
		t.Fatal("no form")
	}
	return c
}

func (c jsonClient) post(path, body string) limntest.Answer {
	c.Helper()
	return c.Do("POST", "/v1/conversations/"+c.ID+path, body, "Content-Type", "application/json")
}

type jsonClient struct{ *limntest.Client }

func draft(c *limntest.Client, path string) string {
	c.Helper()
	v, _ := c.State().Surface("form:guest").Get(ui.Path(path))
	return v.Text()
}

// TestDataModels: what a client shows counts before what it says, in both spellings and in
// each place; what is not a value of ours does not.
func TestDataModels(t *testing.T) {
	t.Parallel()
	c := jsonClient{guests(t, func(cfg *app.Config) { cfg.SendDataModel = true })}
	model := func(name, data string) string {
		return fmt.Sprintf(`"%s":{"version":"v0.9","surfaces":{"form:guest#e=1":{"draft":%s,"ui_state":{"rev":99}},`+
			`"form:other#e=3":{"draft":{"name":"x"}},"agent-2":{"name":"x"}}}`, name, data)
	}
	for _, tt := range []struct{ path, body, want string }{
		{"/messages", `{"text":"hello","metadata":{` + model("a2uiClientDataModel", `{"name":"Ada","vip":true,"days":["tue"]}`) + `}}`, "Ada"},
		{"/messages", `{"text":"hello",` + model("a2uiRendererDataModel", `{"name":"Bo","vip":false}`) + `}`, "Bo"},
		{"/events", `{"version":"v0.9","error":{"code":"OTHER","surfaceId":"form:guest#e=1","path":"/","message":"m"},` +
			model("a2uiClientDataModel", `{"name":"Cy"}`) + `}`, "Cy"},
	} {
		if got := c.post(tt.path, tt.body); got.StatusCode != 200 && got.StatusCode != 202 {
			t.Errorf("%s %.80s: %d %s", tt.path, tt.body, got.StatusCode, got.Text)
		}
		if got := draft(c.Client, "/draft/name"); got != tt.want {
			t.Errorf("after %.80s the name is %.20q, want %q", tt.body, got, tt.want)
		}
	}
	if vip := draft(c.Client, "/draft/vip") + draft(c.Client, "/draft/days"); vip != "falsetue" {
		t.Errorf("the other values are %q", vip)
	}
	for body, code := range map[string]string{ // the user decides by what is shown: it is not left out
		model("a2uiClientDataModel", `{"name":["a","b"],"vip":true}`):              "A2UI_C2S_ENVELOPE_INVALID",
		model("a2uiClientDataModel", `{"name":"`+strings.Repeat("x", 70_000)+`"}`): "A2UI_C2S_CONTEXT_TOO_LARGE",
	} {
		got := c.post("/messages", `{"text":"okay, submit the form",`+body+`}`)
		if got.StatusCode < 400 || !strings.Contains(got.Text, code) || !strings.Contains(got.Text, "/surfaces/form:guest#e=1/draft/name") {
			t.Errorf("%.80s: %d %s", body, got.StatusCode, got.Text)
		}
		if name, sf := draft(c.Client, "/draft/name"), c.State().Surface("form:guest"); name != "Cy" || sf.Status != ui.StatusOpen {
			t.Errorf("after %.80s: %q, %s", body, name, sf.Status)
		}
	}
	for _, bad := range []string{
		`{"text":"x","metadata":[]}`, `{"text":"x","a2uiClientDataModel":{}}`, `{"text":"x","extra":1}`,
		`{"text":"x","a2uiClientDataModel":{"version":"v0.8","surfaces":{}}}`,
		`{"text":"x","a2uiClientDataModel":{"version":"v0.9","surfaces":{"form:guest#e=1":[]}}}`,
		`{"text":"x",` + model("a2uiClientDataModel", `{}`) + `,"metadata":{` + model("a2uiRendererDataModel", `{}`) + `}}`,
	} {
		if got := c.post("/messages", bad); got.StatusCode != 400 || !strings.Contains(got.Text, `"path"`) {
			t.Errorf("%s: %d %s", bad, got.StatusCode, got.Text)
		}
	}
	// a key that is seen again is about what was shown the first time
	say := func(name string) limntest.Answer {
		return c.Do("POST", "/v1/conversations/"+c.ID+"/messages", `{"text":"hi",`+model("a2uiClientDataModel", `{"name":"`+name+`"}`)+`}`,
			"Content-Type", "application/json", "Idempotency-Key", "k1", "Prefer", "wait=5")
	}
	say("Dee")
	c.post("/messages", `{"text":"hello",`+model("a2uiClientDataModel", `{"name":"Eve"}`)+`}`)
	say("Dee")
	if got := draft(c.Client, "/draft/name"); got != "Eve" {
		t.Errorf("a retry took the name back to %q", got)
	}
	for version, want := range map[string]bool{"v0.9": true, "v0.8": false} {
		got := c.Do("GET", "/v1/conversations/"+c.ID+"/a2ui?version="+version, "").Text
		if strings.Contains(got, `"sendDataModel":true`) != want {
			t.Errorf("%s: %.200s", version, got)
		}
	}
}

// TestOpening: a conversation can be created with its first message.
func TestOpening(t *testing.T) {
	t.Parallel()
	c := guests(t, func(*app.Config) {})
	var made struct{ ID, Event string }
	got := c.Do("POST", "/v1/conversations", `{"text":"a guest","metadata":{"a2uiClientDataModel":{"version":"v1.0","surfaces":{}}}}`,
		"Content-Type", "application/json", "Prefer", "wait=5")
	got.Into(t, &made)
	if got.StatusCode != 201 || made.Event == "" {
		t.Fatalf("%d %s", got.StatusCode, got.Text)
	}
	if state := c.Do("GET", "/v1/conversations/"+made.ID+"/state", ""); !strings.Contains(state.Text, "form:guest") {
		t.Errorf("the state is %.300s", state.Text)
	}
	for body, status := range map[string]int{"": 201, "{}": 201, "null": 201, `{"metadata":{}}`: 201, `{"capabilities":{}}`: 400, `[]`: 400, `{`: 400,
		`{"text":""}`: 400} {
		if got := c.Do("POST", "/v1/conversations", body, "Content-Type", "application/json"); got.StatusCode != status {
			t.Errorf("%q: %d %s, want %d", body, got.StatusCode, got.Text, status)
		}
	}
}

// sharer is one client that shares drafts.
type sharer struct {
	jsonClient
	replica *datasync.Replica
	stream  *limntest.Stream
	mode    string // when to send
	plain   bool   // its messages have no version, as the proposal has it
}

const form = "form:guest#e=1"

// proposal is the schemas of A2UI's proposal for synchronisation, where they are.
var proposal = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	const at = "https://a2ui.dev/specification/0.9/"
	dir, c := filepath.Join("..", "..", "..", "..", "shared", "spec", "data_sync_proposal"), jsonschema.NewCompiler()
	out := map[string]*jsonschema.Schema{"server_to_client.json": nil, "client_to_server.json": nil}
	for _, name := range append(slices.Collect(maps.Keys(out)), "common_types.json") {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		doc, bad := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err = cmp.Or(err, bad, c.AddResource(at+name, doc)); err != nil {
			return nil, err
		}
	}
	// of components nothing is asked here
	if err := c.AddResource(at+"standard_catalog.json", map[string]any{"$defs": map[string]any{"anyComponent": true}}); err != nil {
		return nil, err
	}
	for name := range out {
		s, err := c.Compile(at + name)
		if err != nil {
			return nil, err
		}
		out[name] = s
	}
	return out, nil
})

// proposed holds a message of the extension against the proposal, which has no version in it.
func proposed(t testing.TB, schema, line string) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	m := v.(map[string]any)
	delete(m, "version")
	data, _ := m["updateDataModel"].(map[string]any)
	if m["dataModelChanged"] == nil && m["watchDataModel"] == nil && data["actorId"] == nil {
		return // of A2UI itself
	}
	schemas, err := proposal()
	if err != nil {
		t.Fatal(err)
	}
	if s := schemas[schema]; s != nil {
		if err := s.Validate(m); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestProposal: the cases of the proposal hold, but for one that was never right, and so do the
// parts of an answer that is cut.
func TestProposal(t *testing.T) {
	t.Parallel()
	schemas, err := proposal()
	if err != nil {
		t.Fatal(err)
	}
	if schemas == nil {
		t.Skip("needs the proposal's schemas in ../shared/spec/data_sync_proposal")
	}
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "shared", "spec", "data_sync_proposal", "client_messages.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases struct {
		Tests []struct {
			Description string
			Valid       bool
			Data        any
		}
	}
	if err := json.Unmarshal(b, &cases); err != nil || len(cases.Tests) == 0 {
		t.Fatalf("%v, %d cases", err, len(cases.Tests))
	}
	for _, c := range cases.Tests {
		bad := c.Description == "Valid dataModelChanged message" // of an earlier draft of the proposal
		if err := schemas["client_to_server.json"].Validate(c.Data); (err == nil) != (c.Valid && !bad) {
			t.Errorf("%s: %v", c.Description, err)
		}
	}
	r, err := datasync.Open(datasync.Options{Surface: "s", Actor: "a", Limits: datasync.Limits{Updates: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for i, u := range []datasync.Update{{Path: "/x", Value: `{"y":[1]}`, Pos: "a0"}, {Path: "/z", Value: "null"}} {
		if err := r.Edit(u); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Flush(time.Unix(int64(i), 0), nil); err != nil {
			t.Fatal(err)
		}
	}
	got, err := r.Receive(datasync.Batch{Actor: "b"}, time.Unix(2, 0))
	if err != nil || len(got.Answer) != 2 {
		t.Fatal(err, got.Answer)
	}
	for _, b := range got.Answer {
		proposed(t, "client_to_server.json", `{"dataModelChanged":`+string(b.AppendJSON(nil))+`}`)
		proposed(t, "server_to_client.json", `{"updateDataModel":`+string(b.AppendJSON(nil))+`}`)
	}
}

func newSharer(t *testing.T, c *limntest.Client, actor string) *sharer {
	t.Helper()
	r, err := datasync.Open(datasync.Options{Surface: form, Actor: actor, Role: datasync.Renderer})
	if err != nil {
		t.Fatal(err)
	}
	s := &sharer{jsonClient: jsonClient{c}, replica: r, stream: c.Open("/v1/conversations/" + c.ID + "/stream?version=v0.9&format=a2ui&extension=" + app.DataSync)}
	s.read(t)
	s.watches(t)
	return s
}

// watches reads until the server says when to send.
func (s *sharer) watches(t *testing.T) string {
	t.Helper()
	for s.mode = ""; s.mode == ""; {
		s.read(t)
	}
	return s.mode
}

// read takes the next event of the stream; plain lists the paths that it sends plainly.
func (s *sharer) read(t *testing.T) (plain []string) {
	t.Helper()
	for _, line := range s.stream.Must().Data {
		proposed(t, "server_to_client.json", line)
		var m struct {
			UpdateDataModel json.RawMessage
			WatchDataModel  struct{ Configurations []struct{ Mode string } }
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		var to struct{ Path, ActorID string }
		if len(m.UpdateDataModel) > 0 {
			_ = json.Unmarshal(m.UpdateDataModel, &to)
		}
		for _, rule := range m.WatchDataModel.Configurations {
			s.mode = rule.Mode
		}
		switch {
		case to.ActorID != "":
			s.receive(t, m.UpdateDataModel)
		case to.Path != "":
			plain = append(plain, to.Path)
		}
	}
	return plain
}

func (s *sharer) receive(t *testing.T, body []byte) {
	t.Helper()
	b, err := datasync.ParseBatch(body, datasync.Limits{})
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	if got, err := s.replica.Receive(b, time.Now()); err != nil || got.Ask {
		t.Fatalf("receive %s: %+v, %v", body, got, err)
	}
}

func (s *sharer) flush(t *testing.T) datasync.Batch {
	t.Helper()
	b, err := s.replica.Flush(time.Now(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (s *sharer) send(b datasync.Batch) limntest.Answer {
	s.Helper()
	message := `{"version":"v0.9","dataModelChanged":` + string(b.AppendJSON(nil)) + `}`
	if s.plain {
		message = strings.Replace(message, `"version":"v0.9",`, "", 1)
	}
	proposed(s, "client_to_server.json", message)
	return s.post("/events", message)
}

// merges sends a batch and returns the bodies of the messages in the answer.
func (s *sharer) merges(t *testing.T, b datasync.Batch) (bodies []json.RawMessage) {
	t.Helper()
	var answer struct {
		Messages []struct{ UpdateDataModel json.RawMessage }
	}
	s.send(b).Into(t, &answer)
	for _, m := range answer.Messages {
		bodies = append(bodies, m.UpdateDataModel)
	}
	return bodies
}

func (s *sharer) types(t *testing.T, path, value string) {
	t.Helper()
	if err := s.replica.Edit(datasync.Update{Path: path, Value: value}); err != nil {
		t.Fatal(err)
	}
}

func (s *sharer) shows() string { return string(s.replica.View().JSON()) }

// TestShared: two clients type into one form, the server writes too, and all come to hold
// the same; a client that does not share sees none of it.
func TestShared(t *testing.T) {
	t.Parallel()
	c := guests(t, func(cfg *app.Config) { cfg.Extensions = []string{app.DataSync} })
	ann := newSharer(t, c, "r-ann")
	if ann.mode != "onAction" {
		t.Errorf("alone: %s", ann.mode)
	}
	bob := newSharer(t, c, "r-bob")
	bob.plain = true
	if now := ann.watches(t); now != "onChanged" || bob.mode != now {
		t.Errorf("together: %s, %s", now, bob.mode)
	}
	plain := c.Open("/v1/conversations/" + c.ID + "/stream?version=v0.9&format=a2ui")
	plain.Must()

	ann.types(t, "/draft/name", `"Ada"`)
	if got := ann.send(ann.flush(t)); got.StatusCode != 200 {
		t.Fatalf("%d %s", got.StatusCode, got.Text)
	}
	ann.read(t)
	bob.read(t)
	if got := strings.Join(plain.Must().Data, " "); strings.Contains(got, "hlc") || strings.Contains(got, "Ada") {
		t.Errorf("a plain client gets %s", got)
	}
	bob.types(t, "/draft/days", `{"@list":["tue"]}`)
	if got := bob.send(bob.flush(t)); got.StatusCode != 200 {
		t.Fatalf("%d %s", got.StatusCode, got.Text)
	}
	ann.read(t)
	bob.read(t)
	want := `{"draft":{"days":{"@list":["tue"]},"name":"Ada"}}`
	if ann.shows() != want || bob.shows() != want || draft(c, "/draft/name") != "Ada" || draft(c, "/draft/days") != "tue" {
		t.Fatalf("they show\n%s\n%s", ann.shows(), bob.shows())
	}

	// a user without the extension writes: by a data model
	ann.post("/messages", `{"text":"hello","a2uiClientDataModel":{"version":"v0.9","surfaces":{"`+form+
		`":{"draft":{"name":"Cy"},"ui_state":{"rev":99}}}}}`)
	ann.read(t)
	bob.read(t)
	if want := `{"draft":{"days":{"@list":["tue"]},"name":"Cy"}}`; ann.shows() != want || bob.shows() != want {
		t.Fatalf("they show\n%s\n%s", ann.shows(), bob.shows())
	}

	// a message that was lost, sent again by the answer to a question
	bob.types(t, "/draft/name", `"Dee"`)
	lost := bob.flush(t)
	bob.types(t, "/draft/vip", `true`)
	next := bob.flush(t)
	answer := bob.merges(t, next)
	if got := draft(c, "/draft/vip") + draft(c, "/draft/name"); got != "trueCy" {
		t.Fatalf("the server has %s", got)
	}
	if len(answer) != 1 {
		t.Fatalf("the answer to a batch after a lost one is %s", answer)
	}
	b, err := datasync.ParseBatch(answer[0], datasync.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := bob.replica.Receive(b, time.Now())
	if err != nil || got.Ask || len(got.Answer) != 1 || len(got.Answer[0].Updates) != 2 {
		t.Fatalf("the question %s leads to %+v, %v", answer, got, err)
	}
	if answer := bob.merges(t, got.Answer[0]); len(answer) != 0 {
		t.Errorf("the answer to the answer is %s", answer)
	}
	if answer := bob.merges(t, bob.replica.Hello()); len(answer) != 0 {
		t.Errorf("the answer to a needless question is %s", answer)
	}
	bob.send(lost) // after all: it changes nothing any more
	if got := draft(c, "/draft/name"); got != "Dee" {
		t.Errorf("the name is %q", got)
	}
	late := newSharer(t, c, "r-late")
	if want := `{"draft":{"days":{"@list":["tue"]},"name":"Dee","vip":true}}`; late.shows() != want {
		t.Errorf("who comes later shows %s", late.shows())
	}
	seq := c.State().Seq
	bob.send(next)
	if c.State().Seq != seq {
		t.Error("writes that are known made a frame")
	}
}

// TestSharedRefused: what is not a client's to write is refused as a whole.
func TestSharedRefused(t *testing.T) {
	t.Parallel()
	c := guests(t, func(cfg *app.Config) { cfg.Extensions = []string{app.DataSync} })
	ann := newSharer(t, c, "r-ann")
	now := time.Now().UTC()
	stamp := func(at time.Time, actor string) string {
		return datasync.Stamp{Time: at.UnixMilli(), Actor: actor}.String()
	}
	batch := func(surface, actor, path, value, hlc string) string {
		return fmt.Sprintf(`{"version":"v0.9","dataModelChanged":{"surfaceId":%q,"actorId":%q,"updates":[{"path":"/draft/vip","value":true,`+
			`"hlc":%q},{"path":%q,"value":%s,"hlc":%q}],"versions":{}}}`, surface, actor, stamp(now, actor), path, value, hlc)
	}
	for _, tt := range []struct{ name, body, code string }{
		{"a name of ours", batch(form, "limn.agent", "/draft/name", `"x"`, stamp(now, "limn.agent")), "SYNC_ACTOR_INVALID"},
		{"another's write", batch(form, "r-a", "/draft/name", `"x"`, stamp(now, "r-b")), "SYNC_ACTOR_INVALID"},
		{"the future", batch(form, "r-a", "/draft/name", `"x"`, stamp(now.Add(time.Hour), "r-a")), "SYNC_CLOCK_AHEAD"},
		{"committed data", batch(form, "r-a", "/committed/guest", `"x"`, stamp(now, "r-a")), "SYNC_PATH_INVALID"},
		{"no input", batch(form, "r-a", "/draft/none", `"x"`, stamp(now, "r-a")), "SYNC_PATH_INVALID"},
		{"a list", batch(form, "r-a", "/draft/days", `["tue"]`, stamp(now, "r-a")), "SYNC_VALUE_INVALID"},
		{"another type", batch(form, "r-a", "/draft/name", `{"a":1}`, stamp(now, "r-a")), "A2UI_C2S_ENVELOPE_INVALID"},
		{"too long", batch(form, "r-a", "/draft/name", `"`+strings.Repeat("x", 70_000)+`"`, stamp(now, "r-a")), "A2UI_C2S_CONTEXT_TOO_LARGE"},
		{"no time", batch(form, "r-a", "/draft/name", `"x"`, "zzz"), "SYNC_STAMP_INVALID"},
		{"another form", batch("form:guest#e=7", "r-a", "/draft/name", `"x"`, stamp(now, "r-a")), "A2UI_C2S_SURFACE_STALE"},
		{"v0.8", strings.Replace(batch(form, "r-a", "/draft/name", `"x"`, stamp(now, "r-a")), "v0.9", "v0.8", 1), "A2UI_C2S_ENVELOPE_INVALID"},
		{"no version that is one", strings.Replace(batch(form, "r-a", "/draft/name", `"x"`, stamp(now, "r-a")), `"v0.9"`, `null`, 1), "A2UI_C2S_ENVELOPE_INVALID"},
		{"two messages", strings.Replace(batch(form, "r-a", "/draft/name", `"x"`, stamp(now, "r-a")), `"version"`, `"action":{},"version"`, 1),
			"A2UI_C2S_ENVELOPE_INVALID"},
		{"a flood", `{"version":"v0.9","dataModelChanged":{"surfaceId":"` + form + `","actorId":"r-a","updates":[` +
			strings.TrimSuffix(strings.Repeat(`{"path":"/draft/name","value":"x","hlc":"`+stamp(now, "r-a")+`"},`, 1001), ",") + `],"versions":{}}}`, "SYNC_LIMIT"},
	} {
		if got := ann.post("/events", tt.body); got.StatusCode/100 != 4 || !strings.Contains(got.Text, tt.code) {
			t.Errorf("%s: %d %.300s, want %s", tt.name, got.StatusCode, got.Text, tt.code)
		}
	}
	if got := draft(c, "/draft/vip"); got != "false" {
		t.Errorf("a part of a refused batch counts: %s", got)
	}
	ann.types(t, "/draft/name", `"Ada"`)
	ann.send(ann.flush(t))
	known := c.State().Surface("form:guest").Stamps["/draft/name"].At
	forged := fmt.Sprintf(`{"version":"v0.9","dataModelChanged":{"surfaceId":%q,"actorId":"r-b","updates":[{"path":"/draft/days",`+
		`"value":{"@list":["mon"]},"hlc":%q}],"versions":{}}}`, form, known)
	if got := ann.post("/events", forged); got.StatusCode != 200 || draft(c, "/draft/days") != "" {
		t.Errorf("a write with the stamp of another's: %d %s, the days are %q", got.StatusCode, got.Text, draft(c, "/draft/days"))
	}
	got := c.Do("GET", "/v1/conversations/"+c.ID+"/stream?extension=data-sync/9", "")
	if got.StatusCode != 406 || !strings.Contains(got.Text, "it offers data-sync/1") {
		t.Errorf("an unknown extension: %d %s", got.StatusCode, got.Text)
	}
	without := jsonClient{guests(t, func(*app.Config) {})}
	if got := without.post("/events", batch(form, "r-a", "/draft/name", `"x"`, stamp(now, "r-a"))); got.StatusCode != 406 ||
		!strings.Contains(got.Text, "A2UI_C2S_EXTENSION_UNKNOWN") {
		t.Errorf("an app without it: %d %s", got.StatusCode, got.Text)
	}
}

// TestSharedTurns: the application's writes reach those who share as writes, never plainly,
// and words that are typed and not sent stay over them.
func TestSharedTurns(t *testing.T) {
	t.Parallel()
	fill := func(context.Context, app.Call) (app.Result, error) {
		patch, err := jsonx.ParseString(`{"surface":"form:guest","ops":[{"op":"set","path":"/draft/name","value":"Cy"},`+
			`{"op":"set","path":"/draft/vip","value":true}]}`, jsonx.Limits{})
		return app.Result{Directives: []directive.Directive{{Type: directive.TypePatch, Payload: patch}}}, err
	}
	c := guests(t, func(cfg *app.Config) {
		cfg.Extensions = []string{app.DataSync}
		cfg.Actions = []app.Action{{Name: "fill", Handler: fill}}
		cfg.Messages = []app.MessageRoute{{Phrases: []string{"fill it in"}, Action: "fill"}}
	})
	ann := newSharer(t, c, "r-ann")
	ann.types(t, "/draft/name", `"Ada"`)
	c.Say("fill it in")
	plain := ann.read(t)
	if slices.Contains(plain, "/draft/name") || slices.Contains(plain, "/draft/vip") {
		t.Errorf("sent plainly: %v", plain)
	}
	if got, want := ann.shows(), `{"draft":{"name":"Ada","vip":true}}`; got != want {
		t.Errorf("shows %s, want %s", got, want)
	}
	sf := c.State().Surface("form:guest")
	if w := sf.Stamps["/draft/vip"]; w.Actor() != builtin.ActorApp || w.Rev != sf.Rev || draft(c, "/draft/name") != "Cy" {
		t.Errorf("the stamp is %+v, the name %q", w, draft(c, "/draft/name"))
	}
	ann.send(ann.flush(t))
	if draft(c, "/draft/name") != "Ada" {
		t.Errorf("what was typed does not win: %q", draft(c, "/draft/name"))
	}
}
