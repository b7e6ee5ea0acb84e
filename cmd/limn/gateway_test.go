package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// counter is an agent that shows one button and counts the clicks and calls of clients, by their keys.
type counter struct {
	*httptest.Server
	mu      sync.Mutex
	clicks  map[string]int // key → how often it was sent; guarded by mu
	arrived chan struct{}  // gets one for each click
	hold    bool           // the next click waits until it is cut off; guarded by mu
}

const counterSurface = `{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}
{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[{"id":"root","component":"Button","child":"l","action":{"event":{"name":"go","context":{}}}},{"id":"l","component":"Text","text":"Go"}]}}
`

// counterSurface10 is a surface of v1.0, on which clients call functions.
const counterSurface10 = `{"version":"1.0","createSurface":{"surfaceId":"main","catalogId":"https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json","components":[{"id":"root","component":"Text","text":"a map"}]}}
`

// counterClick is the click on its button, for the nonce of the surface.
const counterClick = `{"version":"v0.9","action":{"name":"go","surfaceId":"counter:main#e=1",` +
	`"sourceComponentId":"root","timestamp":"2026-11-27T08:00:00Z","context":{"limn_nonce":%q,"limn_rev":1}}}`

func newCounter(t *testing.T) *counter {
	c := &counter{clicks: map[string]int{}, arrived: make(chan struct{}, 16)}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/jsonl")
		call := strings.Contains(string(body), `"callAgentFunction"`)
		switch {
		case call || strings.Contains(string(body), `"action"`):
		case strings.Contains(string(body), `"a2uiRendererCapabilities"`):
			io.WriteString(w, counterSurface10)
			return
		default:
			io.WriteString(w, counterSurface)
			return
		}
		c.mu.Lock()
		c.clicks[r.Header.Get("Idempotency-Key")]++
		hold := c.hold
		c.hold = false
		c.mu.Unlock()
		c.arrived <- struct{}{}
		if hold {
			<-r.Context().Done() // the gateway is gone
			return
		}
		if call {
			io.WriteString(w, `{"version":"1.0","agentFunctionResponse":{"functionCallId":"c1","value":12}}`+"\n")
			return
		}
		io.WriteString(w, `{"text":"Counted."}`+"\n")
	}))
	t.Cleanup(c.Close)
	return c
}

// TestCrashGateway: a click on the surface of an agent is carried out once, or the user is told that it is
// not known, however the gateway dies: while the agent works, or right after the click was answered.
// Surfaces and words are there again without the agent.
func TestCrashGateway(t *testing.T) {
	t.Parallel()
	for _, idempotent := range []bool{true, false} {
		for _, late := range []bool{true, false} {
			t.Run(fmt.Sprintf("idempotent %v, agent at work %v", idempotent, late), func(t *testing.T) {
				t.Parallel()
				agent := newCounter(t)
				agent.hold = late
				start := gatewayOf(t, agent, fmt.Sprintf("idempotent: %v", idempotent))
				s := start()
				c, path := asks(t, s)
				nonce, _ := stateOf(t, c, s.base)
				click := json.RawMessage(fmt.Sprintf(counterClick, nonce))
				if late {
					go c.post(s.base, path+"/events", "", click) //nolint:errcheck // it dies with the server
					<-agent.arrived
				} else if status, out, err := c.post(s.base, path+"/events", "", click); err != nil || status/100 != 2 {
					t.Fatal(status, out, err)
				}
				s.kill()
				s = start()
				defer s.kill()
				status, _, err := c.post(s.base, path+"/events", "", click) // the client sends it again
				if err != nil || status/100 != 2 {
					t.Fatalf("after the crash: %d, %v", status, err)
				}
				said, until := "", time.Now().Add(time.Minute)
				for !strings.Contains(said, "Counted") && !strings.Contains(said, "not know") && time.Now().Before(until) {
					if nonce, said = stateOf(t, c, s.base); nonce == "" {
						t.Fatal("the surface is gone")
					}
				}
				agent.mu.Lock()
				defer agent.mu.Unlock()
				n := 0
				for _, times := range agent.clicks {
					n += times
				}
				unknown := strings.Contains(said, "We do not know")
				switch {
				case len(agent.clicks) > 1, !idempotent && n > 1:
					t.Errorf("carried out under %v", agent.clicks)
				case idempotent && (unknown || strings.Count(said, "Counted") != 1):
					t.Errorf("said %q after %d requests", said, n)
				case late && !idempotent && !unknown:
					t.Errorf("said %q: it is not known", said)
				}
			})
		}
	}
}

// gatewayOf returns how to start a gateway with one agent, again and again on the same store.
func gatewayOf(t *testing.T, agent *counter, more string) (start func() *server) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes; run without -short")
	}
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "gateway.yaml")
	yaml := fmt.Sprintf("agents: [{name: counter, title: Counter, url: %q, %s}]\nfallback: counter\n", agent.URL, more)
	if err := os.WriteFile(file, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	return func() *server {
		return started(t, exec.Command(bin, "gateway", file, "--addr", "127.0.0.1:0", "--log", "error",
			"--store", "sqlite:"+filepath.Join(dir, "limn.db")))
	}
}

// asks begins a conversation in which the agent shows its surface, and returns its address.
func asks(t *testing.T, s *server) (c *browser, path string) {
	t.Helper()
	c = &browser{http: &http.Client{Timeout: time.Minute}}
	_, out, err := c.post(s.base, "/v1/conversations", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.token, c.id = out["token"].(string), out["id"].(string)
	path = "/v1/conversations/" + c.id
	status, out, err := c.post(s.base, path+"/messages", "", map[string]string{"text": "go"})
	if err != nil || status != 200 {
		t.Fatal(status, out, err)
	}
	return c, path
}

// TestCrashGatewayCall: a client's call of a function of an agent, at which the agent works when the gateway
// dies, is made once more under the same key if the agent is idempotent, and else never again: then the client
// is told that the outcome is not known.
func TestCrashGatewayCall(t *testing.T) {
	t.Parallel()
	for idempotent, want := range map[bool]string{true: `"value":12`, false: `"code":"EFFECT_UNKNOWN"`} {
		t.Run(fmt.Sprintf("idempotent %v", idempotent), func(t *testing.T) {
			t.Parallel()
			agent := newCounter(t)
			agent.hold = true
			start := gatewayOf(t, agent, fmt.Sprintf("version: v1.0, idempotent: %v", idempotent))
			s := start()
			c, path := asks(t, s)
			call := json.RawMessage(`{"version":"1.0","callAgentFunction":{"surfaceId":"counter:main#e=1",` +
				`"functionCallId":"c1","callFunction":{"@call":"distance","args":{}}}}`)
			go c.post(s.base, path+"/events", "", call) //nolint:errcheck // it dies with the server
			<-agent.arrived
			s.kill()
			s = start()
			defer s.kill()
			for range 2 { // the client sends it again, and gets the same answer each time
				status, out, err := c.post(s.base, path+"/events", "", call)
				for until := time.Now().Add(time.Minute); status == http.StatusAccepted && time.Now().Before(until); {
					status, out, err = c.post(s.base, path+"/events", "", call)
				}
				b, _ := json.Marshal(out)
				if err != nil || status != http.StatusOK || !strings.Contains(string(b), want) {
					t.Errorf("after the crash: %d %s %v, want %s", status, b, err, want)
				}
			}
			agent.mu.Lock()
			defer agent.mu.Unlock()
			n := 0
			for _, times := range agent.clicks {
				n += times
			}
			if most := map[bool]int{true: 2, false: 1}[idempotent]; len(agent.clicks) != 1 || n != most {
				t.Errorf("called under %v, want %d times under one key", agent.clicks, most)
			}
		})
	}
}

// stateOf is the nonce of the agent's surface, and what was said by the assistant.
func stateOf(t *testing.T, c *browser, base string) (nonce, said string) {
	t.Helper()
	req, err := http.NewRequest("GET", base+"/v1/conversations/"+c.id+"/state", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	resp, err := c.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var s struct {
		Surfaces   []struct{ Name, Nonce string }
		Transcript []struct{ Role, By, Text string }
	}
	if err := json.NewDecoder(resp.Body).Decode(&s); err != nil {
		t.Fatal(err)
	}
	for _, sf := range s.Surfaces {
		if sf.Name == "counter:main" {
			nonce = sf.Nonce
		}
	}
	for _, e := range s.Transcript {
		if e.Role == "assistant" {
			said += e.Text + "\n"
		}
	}
	return nonce, strings.TrimSpace(said)
}
