package webhook_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/transport/webhook"
	"github.com/limn-ui/limn/ui"
)

// TestThroughAnApp submits a form whose on_submit is a webhook, over HTTP: what
// the receiver gets, and what each of its answers does.
func TestThroughAnApp(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status  int
		answer  string
		outcome ui.OutcomeKind
		code    ui.Code
		locked  bool
		says    string // in the transcript
		opened  ui.Name
	}{
		"a text":             {200, `{"text":"Welcome, Ada."}`, ui.OutcomeDone, "", true, "Welcome, Ada.", ""},
		"nothing":            {204, ``, ui.OutcomeDone, "", true, "Saved. Thank you.", ""},
		"markup":             {200, `{"text":"<script>x</script>"}`, ui.OutcomeDone, "", true, "<script>x</script>", ""},
		"field errors":       {200, `{"errors":[{"path":"/draft/name","code":"FIELD_TAKEN","text":"Ada is taken."}]}`, ui.OutcomeAsked, "FIELD_TAKEN", false, "Ada is taken.", ""},
		"directives":         {200, `{"text":"Next.","directives":[{"type":"ui.show_form","payload":{"name":"next"}}]}`, ui.OutcomeDone, "", true, "Next.", "form:next"},
		"unknown directives": {200, `{"text":"Next.","directives":[{"type":"ui.explode","payload":{}}]}`, ui.OutcomeDone, "DIRECTIVE_UNKNOWN_TYPE", true, "cannot do, so it was not done (ui.explode)", ""},
		"500":                {500, `{"text":"no"}`, ui.OutcomeFailed, "ACTION_FAILED", false, "That did not work.", ""},
		"a redirect":         {302, ``, ui.OutcomeFailed, "ACTION_FAILED", false, "That did not work.", ""},
		"no JSON":            {200, `<html>`, ui.OutcomeFailed, "EFFECT_UNKNOWN", false, "We do not know whether that was carried out.", ""},
		"a key twice":        {200, `{"text":"Yes.","text":"No."}`, ui.OutcomeFailed, "EFFECT_UNKNOWN", false, "We do not know whether that was carried out.", ""},
		"too much":           {200, `{"text":"` + strings.Repeat("x", 1<<20) + `"}`, ui.OutcomeFailed, "EFFECT_UNKNOWN", false, "We do not know whether that was carried out.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int32
			var got struct {
				Key, Conversation, Action, Surface string
				Values                             map[string]any
			}
			receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				calls.Add(1)
				if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
					t.Error(err)
				}
				if got.Key == "" || got.Key != r.Header.Get("Webhook-Id") {
					t.Errorf("key %q, webhook-id %q", got.Key, r.Header.Get("Webhook-Id"))
				}
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(tt.status)
				io.WriteString(w, tt.answer)
			}))
			t.Cleanup(receiver.Close)
			s := newSubmitter(t, receiver.URL)
			out := s.submit(url.Values{"/draft/name": {"Ada"}, "/draft/age": {"36"}})
			if out.Kind != tt.outcome || out.Code != tt.code {
				t.Errorf("outcome %+v, want %s %s", out, tt.outcome, tt.code)
			}
			want := map[string]any{"name": "Ada", "age": 36.0}
			if diff := cmp.Diff(want, got.Values); diff != "" || got.Action != "sync" || got.Surface != "form:guest" ||
				got.Conversation != s.id {
				t.Errorf("call %+v (-want +got):\n%s", got, diff)
			}
			if n := calls.Load(); n != 1 {
				t.Errorf("%d calls, want 1", n)
			}
			state := s.state()
			sf := state.Surface("form:guest")
			if locked := sf.Status == ui.StatusSubmitted; locked != tt.locked {
				t.Errorf("status %s", sf.Status)
			}
			if name, _ := sf.Get("/draft/name"); name.Text() != "Ada" {
				t.Errorf("the draft holds %q", name.Text())
			}
			if last := state.Transcript[len(state.Transcript)-1].Text; !strings.Contains(last, tt.says) {
				t.Errorf("said %q, want %q", last, tt.says)
			}
			if tt.opened != "" && state.Surface(tt.opened) == nil {
				t.Errorf("%s was not opened", tt.opened)
			}
		})
	}
}

// TestCutConnection: a receiver does the work of a submit and closes the connection,
// which was used before, without an answer. Only a webhook that is declared
// idempotent is called again, and under the same key.
func TestCutConnection(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		idempotent bool
		again      int // the status of the answer to a second call; 0 closes the connection
		calls      int
		outcome    ui.OutcomeKind
		code       ui.Code
	}{
		"once":                       {false, 200, 1, ui.OutcomeFailed, "EFFECT_UNKNOWN"},
		"idempotent":                 {true, 200, 2, ui.OutcomeDone, ""},
		"idempotent, then ill":       {true, 500, 2, ui.OutcomeFailed, "EFFECT_UNKNOWN"},
		"idempotent, then cut again": {true, 0, 2, ui.OutcomeFailed, "EFFECT_UNKNOWN"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex // guards calls
			var calls []string
			client := webhook.New(local)
			receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				switch key := r.Header.Get("Idempotency-Key"); {
				case key == "first":
				case len(calls) > 0 && tt.again > 0:
					calls = append(calls, key)
					w.WriteHeader(tt.again)
				default:
					calls = append(calls, key)
					panic(http.ErrAbortHandler)
				}
			}))
			t.Cleanup(receiver.Close)
			if _, err := client.Post(t.Context(), app.Webhook{URL: receiver.URL}, "first", []byte("{}")); err != nil {
				t.Fatal(err)
			}
			s := newSubmitterAt(t, app.Action{Webhook: &app.Webhook{URL: receiver.URL, Secret: "s"},
				Idempotent: tt.idempotent}, client)
			out := s.submit(url.Values{"/draft/name": {"Ada"}, "/draft/age": {"36"}})
			if out.Kind != tt.outcome || out.Code != tt.code {
				t.Errorf("outcome %+v, want %s %s", out, tt.outcome, tt.code)
			}
			mu.Lock()
			defer mu.Unlock()
			if len(calls) != tt.calls || calls[0] != calls[len(calls)-1] {
				t.Errorf("calls under %q, want %d under one key", calls, tt.calls)
			}
			transcript := s.state().Transcript
			if last := transcript[len(transcript)-1].Text; tt.code != "" && !strings.HasPrefix(last, "We do not know whether") {
				t.Errorf("said %q", last)
			}
		})
	}
}

// submitter is a browser at an app whose form calls a webhook.
type submitter struct {
	t         *testing.T
	handler   http.Handler
	id, token string
}

func newSubmitter(t *testing.T, hookURL string) *submitter {
	t.Helper()
	return newSubmitterAt(t, app.Action{Webhook: &app.Webhook{URL: hookURL, Secret: "s"}}, webhook.New(local))
}

func newSubmitterAt(t *testing.T, sync app.Action, client *webhook.Client) *submitter {
	t.Helper()
	sync.Name = "sync"
	a, err := app.New(app.Config{Name: "guests",
		Forms: []app.Form{
			{Name: "guest", OnSubmit: "sync", Fields: []ui.Field{{Name: "name", Type: ui.TypeText, Required: true}, {Name: "age", Type: ui.TypeNumber}}},
			{Name: "next", Fields: []ui.Field{{Name: "seat", Type: ui.TypeText}}},
		},
		Actions: []app.Action{sync}})
	if err != nil {
		t.Fatal(err)
	}
	srv, err := limn.New(limn.Config{App: a, Webhook: client.Post})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close(t.Context()) })
	s := &submitter{t: t, handler: srv.Handler()}
	var made struct{ ID, Token string }
	s.do("POST", "/v1/conversations", "", "", &made)
	s.id, s.token = made.ID, made.Token
	s.do("POST", "/v1/conversations/"+s.id+"/messages", "application/json", `{"text":"add a guest"}`, nil)
	return s
}

func (s *submitter) do(method, path, contentType, body string, into any) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequest(method, path, bytes.NewReader([]byte(body)))
	if s.token != "" {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Prefer", "wait=10")
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	if into != nil {
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			s.t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	return w
}

func (s *submitter) state() *ui.State {
	s.t.Helper()
	var st ui.State
	if err := json.Unmarshal(s.do("GET", "/v1/conversations/"+s.id+"/state", "", "", nil).Body.Bytes(), &st); err != nil {
		s.t.Fatal(err)
	}
	return &st
}

// submit posts the form as a page does and returns the outcome of its frame.
func (s *submitter) submit(v url.Values) ui.Outcome {
	s.t.Helper()
	sf := s.state().Surface("form:guest")
	if sf == nil {
		s.t.Fatal("no form")
	}
	v.Set("limn_surface", sf.WireID())
	v.Set("limn_nonce", sf.Nonce)
	v.Set("limn_rev", strconv.FormatUint(sf.Rev, 10))
	ui.Walk(sf.Tree(), func(at ui.KeyPath, n ui.Node) bool {
		if b, ok := n.(*ui.Button); ok && b.Action.Name == builtin.ActionSubmit {
			v.Set("limn_component", "c#"+string(at)+":Button")
		}
		return true
	})
	if w := s.do("POST", "/c/"+s.id+"/actions", "application/x-www-form-urlencoded", v.Encode(), nil); w.Code != http.StatusSeeOther {
		s.t.Fatalf("%d %s", w.Code, w.Body)
	}
	var log struct{ Frames []ui.Frame }
	s.do("GET", "/v1/conversations/"+s.id+"/frames", "", "", &log)
	return log.Frames[len(log.Frames)-1].Outcome
}
