package upstream_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/driver/memory"
	"github.com/limn-ui/limn/internal/foreign"
)

// TestAskedAgain: a client of a door that asks again for an answer, while it goes on or after it, gets also the surface
// that was shown before its end.
func TestAskedAgain(t *testing.T) {
	t.Parallel()
	const (
		a2a = `{"jsonrpc":"2.0","id":7,"method":"message/stream","params":{"message":{"kind":"message","messageId":"a","role":"user",` +
			`"parts":[{"kind":"text","text":"hi"}]}}}`
		agui = `{"threadId":"t","runId":"r","state":{},"tools":[],"context":[],"messages":[{"id":"m","role":"user","content":"hi"}]}`
		mcp  = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"say","arguments":{"text":"hi"},` +
			`"_meta":{"limn_key":"k","a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":` +
			`["https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"]}}}}}`
	)
	for _, c := range []struct{ door, body string }{{"a2a", a2a}, {"agui", agui}, {"mcp", mcp}} {
		t.Run(c.door, func(t *testing.T) {
			t.Parallel()
			gate := make(chan struct{})
			release := sync.OnceFunc(func() { close(gate) })
			defer release() // before the agent is closed
			f := speaks(t, func(w http.ResponseWriter, _ string) {
				w.Header().Set("Content-Type", "application/jsonl")
				io.WriteString(w, strings.Join(surface("First", "Oslo"), "\n")+"\n")
				w.(http.Flusher).Flush()
				<-gate
				io.WriteString(w, `{"text":"Done."}`+"\n")
			})
			d := openWith(t, fmt.Sprintf("agents: [{name: weather, title: Weather, url: %q}]\nfallback: weather\n", f.URL),
				limn.Config{Doors: []string{c.door}})
			srv := httptest.NewServer(d.handler)
			defer srv.Close()
			post := func(body, until string) (read string) {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				r, _ := http.NewRequestWithContext(ctx, "POST", srv.URL+"/"+c.door, strings.NewReader(body))
				r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
					"Authorization":    {"Bearer AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"},
					"X-A2a-Extensions": {"https://a2ui.org/a2a-extension/a2ui/v0.9"}}
				resp, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Error(err)
					return ""
				}
				defer resp.Body.Close()
				lines := bufio.NewScanner(resp.Body)
				lines.Buffer(nil, 1<<20)
				for lines.Scan() {
					if read += lines.Text() + "\n"; strings.Contains(read, until) {
						return read
					}
				}
				return read
			}
			const shown, over = "createSurface", "Done."
			if c.door == "mcp" { // it does not stream
				time.AfterFunc(300*time.Millisecond, release)
			} else {
				post(c.body, shown)
				if read := post(c.body, shown); !strings.Contains(read, shown) {
					t.Errorf("while it goes on: %s", read)
				}
				release()
			}
			post(c.body, over)
			read := post(c.body, "no end")
			if !strings.Contains(read, shown) || !strings.Contains(read, over) || len(f.got()) != 1 {
				t.Errorf("asked again: %s", read)
			}
			if _, id, ok := strings.Cut(read, `"kind":"task","id":"`); ok {
				id, _, _ = strings.Cut(id, `"`)
				got := post(`{"jsonrpc":"2.0","id":7,"method":"tasks/get","params":{"id":"`+id+`"}}`, "no end")
				if !strings.Contains(got, shown) || !strings.Contains(got, over) {
					t.Errorf("the task: %s", got)
				}
			}
		})
	}
}

// repeat sends a message under the same key each time.
func (d *desk) repeat(text, wait string) string {
	r := httptest.NewRequest("POST", "/v1/conversations/"+d.id+"/messages", strings.NewReader(`{"text":"`+text+`"}`))
	r.Header = http.Header{"Authorization": {"Bearer " + d.token}, "Content-Type": {"application/json"},
		"Idempotency-Key": {"pay"}, "Prefer": {wait}}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w.Body.String()
}

// TestBegunIsKept: words of the user that an agent was asked about when the gateway stopped go to no other one after
// it, though another agent has answered last since, or the file leads elsewhere. The agent is asked once more under
// the same key if it is idempotent, and else not at all.
func TestBegunIsKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, file, next string // of the second agent's prefix, before and after
		idempotent       bool
		want             string
		gone             bool // the fallback, afterwards
	}{
		"sticky":               {"pay now", "@bank", "@bank", false, "We do not know", false},
		"sticky, idempotent":   {"pay now", "@bank", "@bank", true, "Atlas: Paid.", false},
		"routed":               {"pay now", "@bank", "pay", false, "We do not know", false},
		"a prefix less":        {"@atlas pay now", "@bank", "@bank", false, "We do not know", false},
		"a prefix, idempotent": {"@atlas pay now", "@bank", "@bank", true, "Atlas: Paid.", false},
		"no route any more":    {"pay now", "@bank", "@bank", false, "We do not know", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arrived, over := make(chan struct{}, 2), make(chan struct{})
			atlas := speaks(t, func(w http.ResponseWriter, body string) {
				if strings.Contains(body, `pay now","a2ui`) {
					arrived <- struct{}{}
					<-over
					says(`{"text":"Paid."}`)(w, body)
				}
			})
			bank := speaks(t, says(`{"text":"Hello."}`))
			file := func(prefix, more, rest string) string {
				return fmt.Sprintf("agents: [{name: atlas, title: Atlas, url: %q, idempotent: %v}, {name: bank, url: %q}]\n"+
					"routes: [{prefix: %q, to: bank}%s]\n%s",
					atlas.URL, c.idempotent, bank.URL, prefix, more, rest)
			}
			rest := "fallback: atlas\nsticky: true\n"
			st := memory.New()
			d := open(t, file(c.file, `, {prefix: "@atlas", to: atlas}`, rest), st)
			d.repeat(c.text, "respond-async")
			<-arrived
			d.say("@bank hi")
			stop, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			d.srv.Close(stop) //nolint:errcheck // the run is not over
			close(over)
			if c.gone {
				rest = ""
			}
			next := open(t, file(c.next, "", rest), st)
			next.id, next.token = d.id, d.token
			answer := next.repeat(c.text, "wait=20")
			if said := next.said(1); !strings.Contains(said, c.want) || len(bank.got()) != 1 {
				t.Errorf("said %q, the other agent was asked %d times: %s", said, len(bank.got()), answer)
			}
			atlas.mu.Lock()
			defer atlas.mu.Unlock()
			if keys := atlas.keys; c.idempotent != (len(keys) == 2) || keys[0] != keys[len(keys)-1] {
				t.Errorf("asked under %v", keys)
			}
		})
	}
}

// TestGivenUpIsUnknown: a message that an agent was asked about, and at which the gateway stopped too often, is given
// up: the user reads that it is not known whether it was carried out.
func TestGivenUpIsUnknown(t *testing.T) {
	t.Parallel()
	arrived, over := make(chan struct{}, 8), make(chan struct{})
	atlas := speaks(t, func(http.ResponseWriter, string) {
		arrived <- struct{}{}
		<-over
	})
	t.Cleanup(func() { close(over) })
	yaml := fmt.Sprintf("agents: [{name: atlas, title: Atlas, url: %q, idempotent: true}]\nfallback: atlas\n", atlas.URL)
	st := memory.New()
	d := open(t, yaml, st)
	for range 3 {
		d.repeat("pay now", "respond-async")
		<-arrived
		stop, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		d.srv.Close(stop) //nolint:errcheck // the run is not over
		cancel()
		next := open(t, yaml, st)
		next.id, next.token = d.id, d.token
		d = next
	}
	answer := d.repeat("pay now", "wait=20")
	if said := d.said(0); said != "We do not know whether that was carried out. Please check before you try again." {
		t.Errorf("said %q: %s", said, answer)
	}
}

// TestShownTwoTriesBefore: a surface that the first try of a question has shown may be created again by the third, though
// the second shows nothing.
func TestShownTwoTriesBefore(t *testing.T) {
	t.Parallel()
	tries := 0
	atlas := speaks(t, func(w http.ResponseWriter, body string) {
		switch tries++; tries {
		case 1:
			w.Header().Set("Content-Type", "application/jsonl")
			io.WriteString(w, strings.Join(surface("First", "Oslo"), "\n")+"\n")
			w.(http.Flusher).Flush()
			time.Sleep(400 * time.Millisecond) // it is shown meanwhile
			panic(http.ErrAbortHandler)
		case 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			says(surface("Third", "Oslo")...)(w, body)
		}
	})
	d := one(t, atlas, ", idempotent: true")
	if said := d.say("begin"); said != "" || tries != 3 {
		t.Errorf("said %q after %d tries", said, tries)
	}
	if page := d.page(); !strings.Contains(page, "Third") {
		t.Errorf("page %s", page)
	}
}

// TestShownCountsOnce: what a try of a question has shown does not count when the agent says it again: neither after its
// connection broke, nor after the gateway was killed. What a click has changed on the surface meanwhile stays.
func TestShownCountsOnce(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{false, true} {
		t.Run(fmt.Sprint("killed=", killed), func(t *testing.T) {
			t.Parallel()
			var tries atomic.Int32
			clicked := make(chan struct{})
			f := speaks(t, func(w http.ResponseWriter, body string) {
				if strings.Contains(body, `"action"`) {
					says(fmt.Sprintf(data, "Booked"))(w, body)
					return
				}
				w.Header().Set("Content-Type", "application/jsonl")
				io.WriteString(w, strings.Join(surface("a < b", "Oslo"), "\n")+"\n")
				if w.(http.Flusher).Flush(); tries.Add(1) == 1 {
					<-clicked
					panic(http.ErrAbortHandler)
				}
				io.WriteString(w, `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/more","value":1}}`+"\n")
			})
			yaml := fmt.Sprintf("agents: [{name: weather, title: Weather, url: %q, idempotent: true}]\nfallback: weather\n", f.URL)
			st := memory.New()
			d := open(t, yaml, st)
			d.repeat("begin", "respond-async")
			d.until("format=a2ui&version=v0.9", `"weather:main#e=1"`)
			if w := d.press(a2ui.V09, d.shown(a2ui.V09), "weather:main#e=1"); w.Code != 200 {
				t.Errorf("a click meanwhile: %d %s", w.Code, w.Body)
			}
			if killed {
				stop, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
				d.srv.Close(stop) //nolint:errcheck // the run is not over
				cancel()
				next := open(t, yaml, st)
				next.id, next.token = d.id, d.token
				d = next
			}
			close(clicked)
			d.repeat("begin", "wait=20")
			sf := d.state().Surface("weather:main")
			if sf == nil || tries.Load() != 2 {
				t.Fatalf("%d tries: %+v", tries.Load(), d.state())
			}
			if now := foreign.Of(sf).Data; sf.Epoch != 1 || now.At("city").Text() != "Booked" || now.At("more").Str != "1" || d.said(1) != "" {
				t.Errorf("said %q; epoch %d with %v", d.said(1), sf.Epoch, now)
			}
		})
	}
}
