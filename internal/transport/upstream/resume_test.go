package upstream_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

// cutting is an agent whose first answer is cut off. rest answers what is asked for after that.
func cutting(t *testing.T, first []string, rest func(w http.ResponseWriter, r *http.Request, body string)) (*fake, *[]string) {
	t.Helper()
	var mu sync.Mutex
	var asked []string
	f := &fake{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		mu.Lock()
		asked = append(asked, r.Method+" "+r.Header.Get("Last-Event-ID")+" "+string(b))
		n := len(asked)
		mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		if n > 1 {
			rest(w, r, string(b))
			return
		}
		io.WriteString(w, strings.Join(first, ""))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(f.Close)
	return f, &asked
}

// TestResume: an answer that is cut off is taken up where it ended, by an agent that numbers its events: it is asked
// once, and each event counts once.
func TestResume(t *testing.T) {
	t.Parallel()
	event := func(id int, data string) string { return fmt.Sprintf("id: %d\ndata: %s\n\n", id, data) }
	lines := surface("x", "Oslo")
	f, asked := cutting(t, []string{event(1, `{"text":"One "}`), event(2, lines[0]), event(3, lines[1]), "id: 4\ndata: {\"te"},
		func(w http.ResponseWriter, r *http.Request, _ string) {
			if r.Method != http.MethodGet || r.Header.Get("Last-Event-ID") != "3" || r.Header.Get("Idempotency-Key") == "" {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			io.WriteString(w, event(4, `{"text":"two"}`)+event(5, lines[2]))
		})
	d := one(t, f, "")
	if said := d.say("sun?"); said != "Weather: One two" || len(*asked) != 2 {
		t.Errorf("said %q after %q", said, *asked)
	}
	if d.state().Surface("weather:main") == nil {
		t.Error("the surface is lost")
	}
	cuts := 0
	f, asked = cutting(t, []string{event(1, `{"text":"One "}`)}, func(w http.ResponseWriter, _ *http.Request, _ string) {
		if cuts++; cuts == 2 {
			io.WriteString(w, event(2, `{"text":"three"}`))
			return
		}
		io.WriteString(w, "data: {\"text\":\"two \"}\n\n") // without an id, the last one holds
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	if said := one(t, f, "").say("sun?"); said != "Weather: One two three" || !strings.HasPrefix((*asked)[len(*asked)-1], "GET 1 ") {
		t.Errorf("cut off twice: said %q after %q", said, *asked)
	}
	f, asked = cutting(t, []string{event(1, `{"text":"One "}`)}, func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.WriteHeader(http.StatusNotFound)
	})
	if said := one(t, f, "").say("sun?"); !strings.Contains(said, "We do not know") {
		t.Errorf("the rest is gone: said %q", said)
	}
	for _, one := range (*asked)[1:] {
		if !strings.HasPrefix(one, "GET 1 ") {
			t.Errorf("asked %q", one)
		}
	}
}

// TestResubscribe: a task of A2A whose stream is cut off is subscribed to again, or fetched once it is over; what it
// repeats counts once, and the message is sent once.
func TestResubscribe(t *testing.T) {
	t.Parallel()
	event := func(result string) string { return `data: {"jsonrpc":"2.0","id":1,"result":` + result + "}\n\n" }
	artifact := func(text string) string {
		return `{"artifactId":"a","parts":[{"kind":"text","text":"` + text + `"}]}`
	}
	task := func(state string, texts ...string) string {
		var list []string
		for _, text := range texts {
			list = append(list, artifact(text))
		}
		return `{"kind":"task","id":"t1","contextId":"c","status":{"state":"` + state + `"},"artifacts":[` +
			strings.Join(list, ",") + `]}`
	}
	update := func(text string) string {
		return event(`{"kind":"artifact-update","taskId":"t1","contextId":"c","append":true,"artifact":` + artifact(text) + `}`)
	}
	const done = `{"kind":"status-update","taskId":"t1","contextId":"c","status":{"state":"completed"},"final":true}`
	for name, rest := range map[string]func(w http.ResponseWriter, r *http.Request, body string){
		"it goes on": func(w http.ResponseWriter, _ *http.Request, body string) {
			if strings.Contains(body, `"method":"tasks/resubscribe","params":{"id":"t1"}`) {
				io.WriteString(w, event(task("working", "Ha", "Ha "))+update("Ha")+event(done))
			}
		},
		"all again": func(w http.ResponseWriter, _ *http.Request, body string) {
			io.WriteString(w, event(task("submitted"))+update("Ha")+update("Ha ")+update("Ha")+event(done))
		},
		"it is over": func(w http.ResponseWriter, _ *http.Request, body string) {
			if strings.Contains(body, "tasks/resubscribe") {
				io.WriteString(w, `data: {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"it is over"}}`+"\n\n")
				return
			}
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":`+task("completed", "Ha", "Ha ", "Ha")+`}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, asked := cutting(t, []string{event(task("submitted")), update("Ha"), update("Ha ")}, rest)
			if said := one(t, f, ", protocol: a2a").say("sun?"); said != "Weather: HaHa Ha" {
				t.Errorf("said %q after %q", said, *asked)
			}
			if n := strings.Count(strings.Join(*asked, "\n"), "message/stream"); n != 1 {
				t.Errorf("sent %d times", n)
			}
		})
	}
}

// TestKeyOfOneRequest: requests with one Idempotency-Key are the same request, so that a server or a proxy may answer
// each with the answer to the first.
func TestKeyOfOneRequest(t *testing.T) {
	t.Parallel()
	task := `data: {"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t","contextId":"c","status":{"state":"%s"}}}` + "\n\n"
	for name, c := range map[string]struct {
		agent  string
		effect string // of the requests that have a key
		answer func(w http.ResponseWriter, body string)
	}{
		"mcp": {", protocol: mcp", "tools/call", byHand(t, func(body string) string {
			if strings.Contains(body, `"tools/list"`) {
				return `{"tools":[{"name":"say"},{"name":"go"}]}`
			}
			text, _ := json.Marshal("[" + strings.Join(surface("Shop", "Oslo"), ",") + "]")
			return `{"content":[{"type":"resource","resource":{"uri":"a2ui://x","mimeType":"application/a2ui+json","text":` + string(text) + `}}]}`
		}).answer},
		"a task goes on": {", protocol: a2a", "message/stream", func(w http.ResponseWriter, body string) {
			w.Header().Set("Content-Type", "text/event-stream")
			if strings.Contains(body, `"tasks/`) {
				fmt.Fprintf(w, task, "completed")
				return
			}
			fmt.Fprintf(w, task, "working")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}},
		"a task is gone": {", protocol: a2a", "message/stream", func(w http.ResponseWriter, body string) {
			w.Header().Set("Content-Type", "text/event-stream")
			if strings.Contains(body, `"taskId":"t"`) {
				io.WriteString(w, `data: {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Task not found"}}`+"\n\n")
				return
			}
			fmt.Fprintf(w, task, "input-required")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := speaks(t, c.answer)
			d := one(t, f, c.agent)
			d.say("sun?")
			d.say("and rain?")
			if c.effect == "tools/call" {
				screen := d.shown(a2ui.V09)
				d.press(a2ui.V09, screen, screen.Surfaces()[0])
			}
			first, keyed := map[string]string{}, 0
			for i, key := range f.keys {
				body := f.bodies[i]
				if (key != "") != strings.Contains(body, c.effect) || key != "" && first[key] != "" && first[key] != body {
					t.Errorf("the key %q is of %s and %s", key, first[key], body)
				}
				if key != "" {
					first[key], keyed = body, keyed+1
				}
			}
			if keyed < 2 {
				t.Errorf("%d requests of %d have a key", keyed, len(f.keys))
			}
		})
	}
}

// TestInputRequired: a task of A2A that waits for its user goes on with the next message, and one that waits no more
// is begun anew.
func TestInputRequired(t *testing.T) {
	t.Parallel()
	status := func(task, state, text string) string {
		return `{"jsonrpc":"2.0","id":1,"result":{"kind":"status-update","taskId":"` + task + `","contextId":"c","final":true,"status":{"state":"` +
			state + `","message":{"kind":"message","messageId":"m","parts":[{"kind":"text","text":"` + text + `"}]}}}}`
	}
	lost := 0
	f := speaks(t, func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case !strings.Contains(body, `"taskId":"t"`):
			io.WriteString(w, status("t", "input-required", "Which day?"))
		case lost != 0:
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":"Task t is in a terminal state"}}`, lost)
		default:
			io.WriteString(w, status("t", "completed", "Booked."))
		}
	})
	d := one(t, f, ", protocol: a2a")
	for i, one := range []struct {
		lost int
		want string
	}{{0, "Which day?"}, {0, "Booked."}, {0, "Which day?"}, {-32001, "Which day?"}, {-32602, "Which day?"},
		{-32600, "Which day?"}, {-32004, "Which day?"}} {
		lost = one.lost
		if said := d.say("next"); said != "Weather: "+one.want {
			t.Errorf("%d: said %q, want %q", i, said, one.want)
		}
	}
	for _, body := range f.got()[1:] {
		if !strings.Contains(body, `"contextId":"c"`) {
			t.Errorf("without the context: %s", body)
		}
	}
}
