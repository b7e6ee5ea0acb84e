package web_test

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
)

// supported is a server whose users sign in by a header; anna is an operator.
func supported(t *testing.T) *site { return start(t, withOperators) }

func withOperators(c *limn.Config) {
	cfg := c.App.Config()
	cfg.Operators = []string{"support"}
	c.App = limntest.Must(app.New(cfg))
	c.Authenticate = func(r *http.Request) (string, error) { return r.Header.Get("User"), nil }
	c.Roles = func(name string) []string { return map[string][]string{"anna": {"support"}}[name] }
}

// TestOperatorAPI: an operator finds a conversation, joins, writes and leaves; others are
// refused, and the owner may have the assistant back.
func TestOperatorAPI(t *testing.T) {
	t.Parallel()
	s := supported(t)
	p := s.visitor()
	p.json("POST", "/v1/conversations", "", 201, "User", "ben").into(t, &p)
	p.json("POST", "/v1/-/messages", `{"text":"My printer is on fire"}`, 200, "User", "ben", "Prefer", "wait=10")
	for path, body := range map[string]string{"/v1/-/operator": `{"name":"Eve"}`, "/v1/-/operator/messages": `{"text":"x"}`} {
		p.refuses("the owner", p.json("POST", path, body, 403, "User", "ben"), 403, "OPERATOR_DENIED")
		p.refuses("somebody", p.json("POST", path, body, 404, "User", "eve"), 404, "HTTP_NOT_FOUND")
	}
	p.refuses("somebody", p.json("GET", "/v1/operator/conversations", "", 403, "User", "eve"), 403, "OPERATOR_DENIED")
	var all listing
	p.json("GET", "/v1/operator/conversations?q=printer", "", 200, "User", "anna").into(t, &all)
	if len(all.Conversations) != 1 || all.Conversations[0].ID != p.ID {
		t.Fatalf("anna finds %+v", all)
	}
	p.refuses("too early", p.json("POST", "/v1/-/operator/messages", `{"text":"x"}`, 409, "User", "anna"), 409, "OPERATOR_AWAY")
	p.json("POST", "/v1/-/operator", `{"name":"Anna from support"}`, 200, "User", "anna")
	for range 2 {
		p.json("POST", "/v1/-/operator/messages", `{"text":"Leave the room."}`, 200, "User", "anna", "Idempotency-Key", "k1")
	}
	a := p.post("/c/-/operator", url.Values{"do": {"x"}}, "User", "anna", "Accept", "application/json")
	p.refuses("another order", a, 400, "A2UI_C2S_ENVELOPE_INVALID")
	waits := func() int {
		got := p.json("GET", "/v1/operator/conversations", "", 200, "User", "anna").body
		page := p.json("GET", "/operator", "", 200, "User", "anna").body
		n := strings.Count(string(got), `"waiting":"`)
		if strings.Count(string(page), "<li data-waiting>") != n ||
			strings.Contains(string(page), "One user waits for an answer.") != (n == 1) {
			t.Errorf("the list has %d that wait, the page is %s", n, page)
		}
		return n
	}
	if n := waits(); n != 0 {
		t.Errorf("%d users wait after an answer", n)
	}
	p.json("POST", "/v1/-/messages", `{"text":"I did"}`, 200, "User", "ben", "Prefer", "wait=10")
	if n := waits(); n != 1 {
		t.Errorf("%d users wait after a question", n)
	}
	state := string(p.json("GET", "/v1/-/state", "", 200, "User", "ben").body)
	if strings.Count(state, `"by":"Anna from support","text":"Leave the room."`) != 1 {
		t.Errorf("the state is %s", state)
	}
	p.json("DELETE", "/v1/-/operator", "", 200, "User", "ben")
	p.refuses("after that", p.json("POST", "/v1/-/operator/messages", `{"text":"x"}`, 409, "User", "anna"), 409, "OPERATOR_AWAY")
}

// TestOperatorPages: the same without script, for the operator and the user.
func TestOperatorPages(t *testing.T) {
	t.Parallel()
	s := supported(t)
	p := s.visitor()
	p.json("POST", "/v1/conversations", "", 201, "User", "ben").into(t, &p)
	p.json("POST", "/v1/-/messages", `{"text":"My printer is on fire"}`, 200, "User", "ben", "Prefer", "wait=10")
	see := func(user, path string, wants map[string]bool) {
		t.Helper()
		got := string(p.json("GET", path, "", 200, "User", user).body)
		for text, want := range wants {
			if strings.Contains(got, text) != want {
				t.Errorf("%s at %s: %q is %v", user, path, text, !want)
			}
		}
	}
	press := func(user string, status int, form url.Values) {
		t.Helper()
		if a := p.post("/c/-/operator", form, "User", user); a.StatusCode != status {
			t.Errorf("%s posts %v: %d %s", user, form, a.StatusCode, a.body)
		}
	}
	see("ben", "/c/-", map[string]bool{"All conversations": false, "limn-operator": false, `id="limn-attended"`: true, "ben answers": false})
	see("anna", "/operator", map[string]bool{"My printer is on fire": true, "answers here": false})
	see("anna", "/c/-", map[string]bool{"All conversations": true, `name="do" value="attend"`: true, `name="do" value="say"`: false, `id="limn-shared"`: false})
	p.json("GET", "/operator", "", 403, "User", "ben")
	press("anna", 303, url.Values{"do": {"attend"}, "name": {"Anna"}})
	see("anna", "/c/-", map[string]bool{"You answer here as Anna.": true, `name="do" value="say"`: true})
	press("anna", 303, url.Values{"do": {"say"}, "text": {"Leave the room."}, "limn_key": {"page"}})
	press("anna", 303, url.Values{"do": {"say"}, "text": {"Leave the room."}, "limn_key": {"page"}})
	see("ben", "/c/-", map[string]bool{"Anna answers here.": true, `<strong class="limn-by">Anna</strong>`: true,
		`name="do" value="dismiss"`: true, "Anna joined this conversation": true})
	see("anna", "/operator", map[string]bool{"Anna answers here.": true})
	press("anna", 303, url.Values{"do": {"leave"}})
	see("ben", "/c/-", map[string]bool{"Anna left.": true, "Anna answers here.": false})
	press("eve", 404, url.Values{"do": {"attend"}})
}

// TestOperatorChanges: an operator's page hears of a message in a conversation of another
// user; nobody else may listen, and the stream ends with the server's.
func TestOperatorChanges(t *testing.T) {
	t.Parallel()
	s := supported(t)
	p := s.visitor()
	p.json("POST", "/v1/conversations", "", 201, "User", "ben").into(t, &p)
	p.json("GET", "/operator/changes", "", 403, "User", "ben")
	req := limntest.Must(http.NewRequestWithContext(t.Context(), "GET", s.url+"/operator/changes", nil))
	req.Header.Set("User", "anna")
	stream := limntest.Must(http.DefaultClient.Do(req))
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	lines.Scan() // the hint for reconnects: the server listens
	p.json("POST", "/v1/-/messages", `{"text":"My printer is on fire"}`, 200, "User", "ben", "Prefer", "wait=10")
	for lines.Scan() && lines.Text() == "" {
	}
	if lines.Text() != "data: changed" {
		t.Errorf("the stream says %q, %v", lines.Text(), lines.Err())
	}
	s.srv.Close(t.Context()) //nolint:errcheck // the stream says how it went
	for lines.Scan() {
	}
	if err := lines.Err(); err != nil {
		t.Errorf("the stream ended with %v", err)
	}
}

// deadlined is a response that knows its deadline.
type deadlined struct {
	*httptest.ResponseRecorder
	until time.Time
}

func (d *deadlined) SetWriteDeadline(until time.Time) error {
	d.until = until
	return nil
}

// TestOperatorChangesLast: between two events no deadline passes, which HTTP/2 would reset the
// stream at, and the stream of one who is no operator any more ends.
func TestOperatorChangesLast(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		var dismissed atomic.Bool
		cfg := limn.Config{App: desk(t)}
		withOperators(&cfg)
		roles := cfg.Roles
		cfg.Roles = func(name string) []string {
			if dismissed.Load() {
				return nil
			}
			return roles(name)
		}
		srv := limntest.Must(limn.New(cfg))
		defer srv.Close(context.Background()) //nolint:errcheck // nothing runs
		w, ended := &deadlined{ResponseRecorder: httptest.NewRecorder()}, make(chan bool)
		go func() {
			r := httptest.NewRequest("GET", "/operator/changes", nil)
			r.Header.Set("User", "anna")
			srv.Handler().ServeHTTP(w, r)
			close(ended)
		}()
		time.Sleep(time.Minute) // of the bubble's clock
		synctest.Wait()
		if beats := strings.Count(w.Body.String(), ":\n\n"); beats != 2 || !w.until.IsZero() {
			t.Errorf("%d beats, then a deadline of %v", beats, w.until)
		}
		dismissed.Store(true)
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Error("the stream goes on")
		}
	})
}
