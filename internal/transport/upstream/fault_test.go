package upstream_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// one is a gateway with one agent, with more of its entry.
func one(t *testing.T, f *fake, more string) *desk {
	return open(t, fmt.Sprintf(`
agents: [{name: weather, title: Weather, url: %q%s}]
fallback: weather
`, f.URL, more), memory.New())
}

// TestOutcomes: what the user reads, and how often the agent is asked, whatever it does.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	cut := func(w http.ResponseWriter, _ string) {
		w.Header().Set("Content-Type", "application/jsonl")
		w.Write([]byte(`{"text":"Half"}` + "\n"))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	for name, c := range map[string]struct {
		answer  func(http.ResponseWriter, string)
		more    string
		asked   int
		says    string
		outcome ui.OutcomeKind
	}{
		"fine":                   {says(`{"text":"Sunny"}`), "", 1, "Weather: Sunny", ui.OutcomeDone},
		"cut":                    {cut, "", 1, "We do not know whether that was carried out", ui.OutcomeDone},
		"cut, idempotent":        {cut, ", idempotent: true", 3, "We do not know whether that was carried out", ui.OutcomeDone},
		"500":                    {func(w http.ResponseWriter, _ string) { w.WriteHeader(500) }, "", 1, "We do not know whether", ui.OutcomeFailed},
		"503":                    {func(w http.ResponseWriter, _ string) { w.WriteHeader(503) }, "", 3, "Weather does not answer", ui.OutcomeFailed},
		"400":                    {func(w http.ResponseWriter, _ string) { w.WriteHeader(400) }, "", 1, "Weather does not answer", ui.OutcomeFailed},
		"a redirect":             {func(w http.ResponseWriter, _ string) { w.Header().Set("Location", "/x"); w.WriteHeader(302) }, "", 1, "Weather does not answer", ui.OutcomeFailed},
		"303":                    {func(w http.ResponseWriter, _ string) { w.WriteHeader(303) }, "", 1, "We do not know whether", ui.OutcomeFailed},
		"409":                    {func(w http.ResponseWriter, _ string) { w.WriteHeader(409) }, "", 1, "We do not know whether", ui.OutcomeFailed},
		"with a byte order mark": {says("\uFEFF" + `{"text":"Sunny"}`), "", 1, "Weather: Sunny", ui.OutcomeDone},
		"nothing":                {says(), "", 1, "Weather had nothing to say.", ui.OutcomeDone},
		"a line above the limit": {says(`{"text":"Sunny"}`, `{"text":"`+strings.Repeat("x", 2<<20)+`"}`), ", idempotent: true", 1, "Weather: Sunny\nSomething that Weather sent cannot be shown, and was left out.", ui.OutcomeDone},
		"a message is broken":    {says(append([]string{`{"version":"v0.9","createSurface":{}}`, `{"text":"Sunny"}`}, surface("x", "y")...)...), "", 1, "Weather: Sunny\nSomething that Weather sent cannot be shown, and was left out.", ui.OutcomeDone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := speaks(t, c.answer)
			d := one(t, f, c.more)
			if said := d.say("sun?"); !strings.Contains(said, c.says) {
				t.Errorf("said %q, want %q", said, c.says)
			}
			if n := len(f.got()); n != c.asked {
				t.Errorf("asked %d times, want %d", n, c.asked)
			}
			for _, key := range f.keys {
				if key == "" || key != f.keys[0] {
					t.Errorf("keys %q", f.keys)
				}
			}
		})
	}
}

// TestMayHaveBeen: once a try may have been carried out, no later answer says that nothing was.
func TestMayHaveBeen(t *testing.T) {
	t.Parallel()
	n := 0
	f := speaks(t, func(w http.ResponseWriter, _ string) {
		if n++; n == 1 {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	if said := one(t, f, ", idempotent: true").say("sun?"); !strings.Contains(said, "We do not know") || n != 3 {
		t.Errorf("after %d tries: %q", n, said)
	}
}

// TestRetryAfter: an agent that asks to be left alone is asked again no sooner, and not at all if no time is left
// for that.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		after, says  string
		asked        int
		least, below time.Duration
	}{
		"seconds":  {"1", "Weather: Sunny", 2, time.Second, 9 * time.Second},
		"a date":   {"", "Weather: Sunny", 2, time.Second, 9 * time.Second},
		"too long": {"99", "Weather does not answer", 1, 0, 9 * time.Second},
		"no pause": {"soon", "Weather: Sunny", 2, 0, 9 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			f := speaks(t, func(w http.ResponseWriter, body string) {
				if n++; n == 1 {
					date := time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat)
					w.Header().Set("Retry-After", cmp.Or(c.after, date))
					w.WriteHeader(http.StatusTooManyRequests)
					return
				}
				says(`{"text":"Sunny"}`)(w, body)
			})
			d, began := one(t, f, ", time: 9s"), time.Now()
			if said := d.say("sun?"); !strings.Contains(said, c.says) || n != c.asked {
				t.Errorf("said %q after %d requests", said, n)
			}
			if took := time.Since(began); took < c.least || took > c.below {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestNoRest: the page behind an address is not the rest of an answer.
func TestNoRest(t *testing.T) {
	t.Parallel()
	f := speaks(t, func(w http.ResponseWriter, body string) {
		if body == "" { // GET
			w.Header().Set("Content-Type", "text/plain")
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Write([]byte("id: 7\ndata: {\"text\":\"Half\"}\n\n"))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	if said := one(t, f, "").say("sun?"); !strings.Contains(said, "We do not know") {
		t.Errorf("said %q", said)
	}
}

// TestOneBadEvent: an event that cannot be read costs that event.
func TestOneBadEvent(t *testing.T) {
	t.Parallel()
	for protocol, events := range map[string][]string{
		"a2a": {`{"jsonrpc":"2.0","id":1,"result":{"kind":"artifact-update","taskId":"t","artifact":{"parts":` +
			`[{"kind":"text","text":"Sunny"}]}}}`, "ping",
			`{"jsonrpc":"2.0","id":1,"result":{"kind":"status-update","taskId":"t","final":true,"status":{"state":"completed"}}}`},
		"agui": {`{"type":"TEXT_MESSAGE_CONTENT","delta":"Sunny"}`, "ping", `{"type":"RUN_FINISHED"}`},
	} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			f := speaks(t, func(w http.ResponseWriter, _ string) {
				w.Header().Set("Content-Type", "text/event-stream")
				for _, e := range events {
					fmt.Fprintf(w, "data: %s\n\n", e)
				}
			})
			said := one(t, f, ", protocol: "+protocol).say("sun?")
			if said != "Weather: Sunny\nSomething that Weather sent cannot be shown, and was left out. "+
				"The reason: A2UI_S2C_ENVELOPE_INVALID line 1:1: unexpected character 'p'" {
				t.Errorf("said %q", said)
			}
		})
	}
}

// TestLineEnds: events end as soon as their last line has, in CR, LF or both.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	f := speaks(t, func(w http.ResponseWriter, _ string) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, part := range []string{"id: 7\rdata: {\"text\":\r", "data: \"Sunny\"}\r", "\r", "\n",
			"data: {\"text\":\" and\"}\r\n", "\rdata: {\"text\":\" warm\"}\n\rdata: [DONE]\r\n\r"} {
			w.Write([]byte(part))
			w.(http.Flusher).Flush()
		}
		<-release
	})
	t.Cleanup(func() { close(release) })
	d := one(t, f, ", time: 2s")
	d.say("sun?")
	if frames := d.do("GET", "/v1/conversations/"+d.id+"/frames", "", nil).Body.String(); !strings.Contains(frames, "Sunny and warm") {
		t.Errorf("frames %s", frames)
	}
}

// TestParagraphs: the words of each message are a paragraph; the pieces of one message are joined as they are.
func TestParagraphs(t *testing.T) {
	t.Parallel()
	words := func(id, text string) string {
		return fmt.Sprintf(`{"type":"TEXT_MESSAGE_CONTENT","messageId":%q,"delta":%q}`, id, text)
	}
	result := func(r string) string { return `{"jsonrpc":"2.0","id":1,"result":` + r + `}` }
	artifact := func(id string, texts ...string) string {
		var parts []string
		for _, text := range texts {
			parts = append(parts, fmt.Sprintf(`{"kind":"text","text":%q}`, text))
		}
		return result(fmt.Sprintf(`{"kind":"artifact-update","taskId":"t","append":true,"artifact":{"artifactId":%q,"parts":[%s]}}`,
			id, strings.Join(parts, ",")))
	}
	for name, c := range map[string]struct {
		protocol, says string
		events         []string
	}{
		"agui": {"agui", "Sunny.\n\nAnd warm.", []string{`{"type":"TEXT_MESSAGE_START","messageId":"1"}`, words("1", "Sun"),
			words("1", "ny."), `{"type":"TEXT_MESSAGE_END","messageId":"1"}`, words("2", "And "), words("2", "warm."),
			`{"type":"RUN_FINISHED"}`}},
		"agui in chunks": {"agui", "Sunny.\n\nAnd warm.", []string{
			`{"type":"TEXT_MESSAGE_CHUNK","messageId":"1","delta":"Sun"}`, `{"type":"TEXT_MESSAGE_CHUNK","delta":"ny."}`,
			`{"type":"TEXT_MESSAGE_CHUNK","messageId":"2","delta":"And warm."}`, `{"type":"RUN_FINISHED"}`}},
		"agui in the end": {"agui", "Sunny.", []string{`{"type":"MESSAGES_SNAPSHOT","messages":[` +
			`{"id":"1","role":"user","content":"sun?"},{"id":"2","role":"assistant","content":"Sunny."}]}`,
			`{"type":"RUN_FINISHED"}`}},
		"agui twice": {"agui", "Sunny.", []string{words("2", "Sunny."), `{"type":"MESSAGES_SNAPSHOT","messages":[` +
			`{"id":"2","role":"assistant","content":"Sunny."}]}`, `{"type":"RUN_FINISHED"}`}},
		"agui in parts": {"agui", "Sunny.\nSomething that Weather sent cannot be shown, and was left out. The reason: " +
			"a change of an activity (ACTIVITY_DELTA): send an ACTIVITY_SNAPSHOT", []string{words("2", "Sunny."),
			`{"type":"ACTIVITY_DELTA","messageId":"x","patch":[]}`, `{"type":"RUN_FINISHED"}`}},
		"a2a": {"a2a", "Sunny.\n\nAnd warm.\n\nThat is all.", []string{artifact("a", "Sun", "ny"), artifact("a", "."),
			artifact("b", "And warm."), result(`{"kind":"status-update","taskId":"t","final":true,"status":{"state":` +
				`"completed","message":{"messageId":"m","parts":[{"kind":"text","text":"That is"},` +
				`{"kind":"text","text":" all."}]}}}`)}},
		"a2a twice": {"a2a", "Sunny.", []string{artifact("a", "Sun", "ny"), artifact("a", "."),
			result(`{"kind":"status-update","taskId":"t","final":true,"status":{"state":"completed","message":` +
				`{"messageId":"m","parts":[{"kind":"text","text":"Sunny."}]}}}`)}},
		"mcp": {"mcp, tool: say", "Sunny.\n\nAnd warm.", []string{
			result(`{"content":[{"type":"text","text":"Sunny."},{"type":"text","text":"And warm."}]}`)}},
		"a2ui": {"a2ui", "Sunny.", []string{`{"text":"Sun"}`, `{"text":"ny."}`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := speaks(t, func(w http.ResponseWriter, _ string) {
				w.Header().Set("Content-Type", "text/event-stream")
				for _, e := range c.events {
					fmt.Fprintf(w, "data: %s\n\n", e)
				}
			})
			if said := one(t, f, ", protocol: "+c.protocol).say("sun?"); said != "Weather: "+c.says {
				t.Errorf("said %q", said)
			}
		})
	}
}

// TestReasons: the user reads why an agent failed, as one line without links, and is offered to try again where
// nothing was done.
func TestReasons(t *testing.T) {
	t.Parallel()
	const refused, failed, unknown = "Weather could not do that: ", "Weather reports an error: ",
		"\n\nWe do not know whether that was carried out. Please check before you try again."
	task := func(state string) string {
		return `{"jsonrpc":"2.0","id":1,"result":{"kind":"status-update","taskId":"t","final":true,"status":{"state":"` + state +
			`","message":{"parts":[{"kind":"text","text":"[Log in](https://evil.example)\n\u202eor\u0007 not."}]}}}}`
	}
	long := strings.Repeat("x", 300)
	for name, c := range map[string]struct {
		protocol, media string
		status          int
		body, says      string
		again           bool
	}{
		"rejected":  {"a2a", "", 200, task("rejected"), refused + "(Log in)(https://evil.example) or not.", true},
		"no login":  {"a2a", "", 200, task("auth-required"), refused + "(Log in)(https://evil.example) or not.", true},
		"canceled":  {"a2a", "", 200, task("canceled"), failed + "(Log in)(https://evil.example) or not." + unknown, false},
		"failed":    {"a2a", "", 200, task("failed"), failed + "(Log in)(https://evil.example) or not." + unknown, false},
		"run error": {"agui", "", 200, `{"type":"RUN_ERROR","message":"No."}`, failed + "No." + unknown, false},
		"after words": {"agui", "text/event-stream", 200, "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"delta\":\"Half\"}\n\n" +
			"data: {\"type\":\"RUN_ERROR\",\"message\":\"No.\"}\n\n", "Weather: Half\n" + failed + "No." + unknown, false},
		"rpc":          {"a2a", "", 200, `{"error":{"code":-32602,"message":"No."}}`, refused + "No.", true},
		"rpc inside":   {"a2a", "", 200, `{"error":{"code":-32603,"message":"No."}}`, failed + "No." + unknown, false},
		"400 in words": {"a2ui", "text/plain; charset=utf-8", 400, "No.\n", refused + "No.", true},
		"422":          {"a2ui", "application/problem+json", 422, `{"title":"x","detail":"No."}`, refused + "No.", true},
		"403":          {"a2ui", "application/json", 403, `{"error":"` + long + `"}`, refused + long[:200] + "…", true},
		"404 page":     {"a2ui", "text/html", 404, "<p>No.", "Weather does not answer at the moment. Please try again later.", true},
		"500":          {"a2ui", "application/json", 500, `{"error":"No."}`, unknown[2:], false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := speaks(t, func(w http.ResponseWriter, _ string) {
				w.Header().Set("Content-Type", cmp.Or(c.media, "application/json"))
				w.WriteHeader(c.status)
				w.Write([]byte(c.body))
			})
			d := one(t, f, ", protocol: "+c.protocol)
			if said := d.say("sun?"); said != c.says {
				t.Errorf("said %q, want %q", said, c.says)
			}
			if again := len(d.state().Surfaces) > 0; again != c.again || len(f.got()) != 1 {
				t.Errorf("offered %v after %d requests", again, len(f.got()))
			}
		})
	}
}

// TestRefusalsAreAnswers: an agent that says no is there.
func TestRefusalsAreAnswers(t *testing.T) {
	t.Parallel()
	n := 0
	f := speaks(t, func(w http.ResponseWriter, body string) {
		if n++; n <= 6 {
			w.WriteHeader(http.StatusUnprocessableEntity)
			return
		}
		says(`{"text":"Sunny"}`)(w, body)
	})
	d := one(t, f, "")
	for range 6 {
		d.say("sun?")
	}
	if said := d.say("sun?"); said != "Weather: Sunny" {
		t.Errorf("said %q", said)
	}
}

// TestAskedTwice: an agent that gets the word back knows its own surface, and has a key for each question; what
// another one opened meanwhile is taken.
func TestAskedTwice(t *testing.T) {
	t.Parallel()
	n := 0
	var a, b *fake
	a = speaks(t, func(w http.ResponseWriter, body string) {
		if n++; n == 1 {
			says(append(surface("One", "Oslo"), `{"handover":{"to":"b"}}`)...)(w, body)
			return
		}
		says(`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[{"id":"say","component":"Text",`+
			`"text":"Two"}]}}`)(w, body)
	})
	b = speaks(t, says(append(surface("Mine", "Rome"), `{"handover":{"to":"a"}}`)...))
	d := open(t, fmt.Sprintf("ids: refuse\nagents: [{name: a, url: %q}, {name: b, url: %q}]\nfallback: a\n", a.URL, b.URL), nil)
	said := d.say("go")
	if strings.Count(said, "was left out") != 1 || !strings.Contains(said, "Something that b sent") {
		t.Errorf("said %q", said)
	}
	if ids := d.shown(a2ui.V09).Surfaces(); len(ids) != 1 || !strings.HasPrefix(ids[0], "a:") {
		t.Errorf("surfaces %v", ids)
	}
	if dump := d.shown(a2ui.V09).Dump(d.shown(a2ui.V09).Surfaces()[0]); !strings.Contains(dump, "Two") {
		t.Errorf("the second answer is lost: %s", dump)
	}
	if got := a.got(); len(got) != 2 || !strings.Contains(got[1], `"surfaces":["main"]`) || a.keys[0] == a.keys[1] {
		t.Errorf("asked %q with the keys %q", got, a.keys)
	}
}

// TestCanceledIsNoFailure: questions that users cancel do not count against an agent.
func TestCanceledIsNoFailure(t *testing.T) {
	t.Parallel()
	asked, release := make(chan struct{}), make(chan struct{})
	f := speaks(t, func(w http.ResponseWriter, body string) {
		if strings.Contains(body, `"text":"slow"`) {
			asked <- struct{}{}
			<-release
			return
		}
		says(`{"text":"Sunny"}`)(w, body)
	})
	t.Cleanup(func() { close(release) })
	d := one(t, f, "")
	for range 6 {
		done := make(chan struct{})
		go func() {
			defer close(done)
			d.do("POST", "/v1/conversations/"+d.id+"/messages", `{"text":"slow"}`, nil)
		}()
		select {
		case <-asked:
		case <-done:
			t.Fatal("the agent is not asked any more")
		}
		if w := d.do("POST", "/v1/conversations/"+d.id+"/cancel", "", nil); w.Code >= 300 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		<-done
	}
	if said := d.say("sun?"); said != "Weather: Sunny" {
		t.Errorf("said %q", said)
	}
}

// TestRPCErrors: an error of JSON-RPC says that nothing was done, unless the agent had begun or failed inside.
func TestRPCErrors(t *testing.T) {
	t.Parallel()
	const failed = `{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":"no"}}`
	begun := `{"jsonrpc":"2.0","id":1,"result":{"kind":"status-update","taskId":"t","status":{"state":"working"}}}`
	for name, c := range map[string]struct {
		events []string
		says   string
	}{
		"no such method":     {[]string{fmt.Sprintf(failed, -32601)}, "Weather could not do that: no"},
		"failed inside":      {[]string{fmt.Sprintf(failed, -32603)}, "We do not know"},
		"after it has begun": {[]string{begun, fmt.Sprintf(failed, -32602)}, "We do not know"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := speaks(t, func(w http.ResponseWriter, _ string) {
				w.Header().Set("Content-Type", "text/event-stream")
				for _, e := range c.events {
					fmt.Fprintf(w, "data: %s\n\n", e)
				}
			})
			if said := one(t, f, ", protocol: a2a").say("sun?"); !strings.Contains(said, c.says) {
				t.Errorf("said %q", said)
			}
		})
	}
}

// TestOldAgent: what an agent of v0.8 changes stays a surface for clients of v0.8, and one that it begins before
// the components are there is shown.
func TestOldAgent(t *testing.T) {
	t.Parallel()
	const begin = `{"beginRendering":{"surfaceId":"main","root":"root"}}`
	parts := func(text string) string {
		return `{"surfaceUpdate":{"surfaceId":"main","components":[` +
			`{"id":"root","component":{"Column":{"children":{"explicitList":["say","go"]}}}},` +
			`{"id":"say","component":{"Text":{"text":{"literalString":"` + text + `"}}}},` +
			`{"id":"lab","component":{"Text":{"text":{"literalString":"Go"}}}},` +
			`{"id":"go","component":{"Button":{"child":"lab","action":{"name":"go"}}}}]}}`
	}
	for name, lines := range map[string][]string{"in order": {parts("One"), begin}, "begun first": {begin, parts("One")}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			f := speaks(t, func(w http.ResponseWriter, body string) {
				if n++; n == 1 {
					says(lines...)(w, body)
					return
				}
				says(parts("Two"))(w, body)
			})
			d := one(t, f, ", version: v0.8")
			d.say("show")
			for _, v := range []a2ui.Dialect{a2ui.V08, a2ui.V09} {
				c := d.shown(v)
				if ids := c.Surfaces(); len(ids) != 1 || !strings.Contains(c.Dump(ids[0]), "One") {
					t.Fatalf("%s: %v", v, ids)
				}
			}
			d.press(a2ui.V08, d.shown(a2ui.V08), d.shown(a2ui.V08).Surfaces()[0])
			if frames := d.do("GET", "/v1/conversations/"+d.id+"/frames", "", nil).Body.String(); strings.Contains(frames, "StandIn") {
				t.Errorf("it was words for a while: %s", frames)
			}
			c := d.shown(a2ui.V08)
			if dump := c.Dump(c.Surfaces()[0]); !strings.Contains(dump, "Two") || !strings.Contains(dump, "button") {
				t.Errorf("after a click: %s", dump)
			}
		})
	}
}

// TestNamed: clients of v0.9 read who a surface is from, whatever version its agent speaks; and from no agent
// itself.
func TestNamed(t *testing.T) {
	t.Parallel()
	const own = `"agentDisplayName":"Your Bank","iconUrl":"https://bank.example/i.png"`
	for version, lines := range map[string][]string{
		"v0.8": {`{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"root","component":{"Text":{"text":{"literalString":"Hi"}}}}]}}`,
			`{"beginRendering":{"surfaceId":"main","root":"root","styles":{"primaryColor":"#112233"}}}`},
		"v0.9": {strings.Replace(create, `"sendDataModel":true`, `"theme":{"primaryColor":"#112233",`+own+`}`, 1),
			`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[{"id":"root","component":"Text","text":"Hi"}]}}`},
		"v1.0": {`{"version":"v1.0","createSurface":{"surfaceId":"main","catalogId":"https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json",` +
			`"components":[{"id":"root","component":"Text","text":"Hi"}]}}`},
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			d := one(t, speaks(t, says(lines...)), ", icon: https://example.com/w.png, version: "+version)
			d.say("show")
			for _, v := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
				view, err := d.shown(v).Surface("weather:main#e=1")
				if err != nil || !view.Ready {
					t.Fatalf("%s: %v", v, err)
				}
				name, icon := view.Theme.At("agentDisplayName").Text(), view.Theme.At("iconUrl").Text()
				if v == a2ui.V09 && (name != "Weather" || icon != "https://example.com/w.png") || v != a2ui.V09 && name+icon != "" {
					t.Errorf("%s: theme %+v", v, view.Theme)
				}
			}
		})
	}
}

// TestAgentThatNeverEnds: an agent that answers slowly, or without end, is cut off by its deadline and its
// limits; the user reads it, and the others are not held up.
func TestAgentThatNeverEnds(t *testing.T) {
	t.Parallel()
	endless := speaks(t, func(w http.ResponseWriter, _ string) {
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			if _, err := fmt.Fprintf(w, "data: %s\n\n", fmt.Sprintf(data, strings.Repeat("x", 1000))); err != nil {
				return
			}
		}
	})
	slow := make(chan struct{})
	loris := speaks(t, func(w http.ResponseWriter, _ string) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Write([]byte("data: {"))
		w.(http.Flusher).Flush()
		<-slow
	})
	t.Cleanup(func() { close(slow) })
	quick := speaks(t, says(`{"text":"Here."}`))
	d := open(t, fmt.Sprintf(`
agents: [{name: endless, url: %q}, {name: loris, url: %q, time: 1s}, {name: quick, url: %q}]
routes: [{prefix: "@endless", to: endless}, {prefix: "@loris", to: loris}, {prefix: "@both", to: [loris, quick]}]
fallback: quick
`, endless.URL, loris.URL, quick.URL), nil)
	if said := d.say("@endless go"); !strings.Contains(said, "endless") {
		t.Errorf("endless: %q", said)
	}
	if said := d.say("@loris go"); !strings.Contains(said, "We do not know") {
		t.Errorf("slow: %q", said)
	}
	if said := d.say("@both go"); !strings.Contains(said, "We do not know") || !strings.HasSuffix(said, "quick: Here.") {
		t.Errorf("one of two: %q", said)
	}
}

// TestFileChanges: surfaces of agents that are in the file no more, or speak another version now. A desk opens the
// same conversation with each file.
func TestFileChanges(t *testing.T) {
	t.Parallel()
	st := memory.New()
	f := speaks(t, func(w http.ResponseWriter, body string) {
		switch {
		case strings.Contains(body, `"action"`):
			says(`{"version":"v1.0","updateDataModel":{"surfaceId":"main","path":"/city","value":"Rome"}}`)(w, body)
		case strings.Contains(body, "restyle"):
			says(`{"version":"v1.0","updateComponents":{"surfaceId":"main","components":[{"id":"say","component":"Text","text":"New"}]}}`)(w, body)
		default:
			says(surface("Old", "Oslo")...)(w, body)
		}
	})
	other := speaks(t, says(`{"text":"Here."}`))
	file := "agents: [{name: other, title: Other, url: %q}%s]\nfallback: %s\nsticky: true\n"
	weather := fmt.Sprintf(", {name: weather, title: Weather, url: %q, version: %%s}", f.URL)
	d := open(t, fmt.Sprintf(file, other.URL, fmt.Sprintf(weather, "v0.9"), "weather"), st)
	d.say("begin")
	screen := d.shown(a2ui.V09)

	gone := d.again(fmt.Sprintf(file, other.URL, "", "other"), st)
	if w := gone.press(a2ui.V09, screen, "weather:main#e=1"); w.Code != 410 || !strings.Contains(w.Body.String(), "GATEWAY_GONE") {
		t.Errorf("its agent is gone: %d %s", w.Code, w.Body)
	}
	if said := gone.say("hello"); said != "Other: Here." {
		t.Errorf("who answered last is gone: %q", said)
	}

	newer := gone.again(fmt.Sprintf(file, other.URL, fmt.Sprintf(weather, "v1.0"), "weather"), st)
	if w := newer.press(a2ui.V09, screen, "weather:main#e=1"); w.Code != 200 {
		t.Errorf("its agent speaks another version: %d %s", w.Code, w.Body)
	}
	got := f.got()
	if last := got[len(got)-1]; !strings.Contains(last, `"message":{"version":"1.0","action":`) ||
		!strings.Contains(last, `"surfaceId":"main"`) || !strings.Contains(last, `"city":"Oslo"`) {
		t.Errorf("it is sent %s", last)
	}
	newer.say("restyle")
	view, err := newer.shown(a2ui.V08).Surface("weather:main#e=1")
	if text := fmt.Sprint(view.Root); err != nil || !strings.Contains(text, "New") || !strings.Contains(text, "Rome") {
		t.Errorf("after an update of the other version: %v %v", text, err)
	}
	fresh := newer.shown(a2ui.V09)
	older := newer.again(fmt.Sprintf(file, other.URL, fmt.Sprintf(weather, "v0.8"), "weather"), st)
	asked := len(f.got())
	if w := older.press(a2ui.V09, fresh, "weather:main#e=1"); w.Code != 200 || len(f.got()) != asked+1 {
		t.Errorf("its agent speaks v0.8: %d %s", w.Code, w.Body)
	}
	left := older.again(fmt.Sprintf(file, other.URL, "", "other"), st)
	if w := left.press(a2ui.V09, fresh, "weather:main#e=1"); w.Code != 200 {
		t.Errorf("a click that was answered: %d %s", w.Code, w.Body)
	}
}

// TestBreaker: an agent that fails again and again is not asked any more for a while.
func TestBreaker(t *testing.T) {
	t.Parallel()
	f := speaks(t, func(w http.ResponseWriter, _ string) { w.WriteHeader(500) })
	d := one(t, f, "")
	for range 7 {
		d.say("sun?")
	}
	if n := len(f.got()); n != 5 {
		t.Errorf("asked %d times, want 5", n)
	}
	if said := d.say("sun?"); !strings.Contains(said, "Weather does not answer at the moment") {
		t.Errorf("said %q", said)
	}
}

// TestBadAddresses: a surface that leads to a script is not sent to any client; its words stand in its place.
func TestBadAddresses(t *testing.T) {
	t.Parallel()
	lines := surface("x", "Oslo")
	lines[1] = strings.Replace(lines[1], `{"id":"say","component":"Text","text":"x"}`,
		`{"id":"say","component":"Image","url":"javascript:alert(1)"}`, 1)
	d := one(t, speaks(t, says(lines...)), "")
	d.say("sun?")
	for _, v := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
		sent := d.do("GET", "/v1/conversations/"+d.id+"/a2ui?version="+v.String(), "", nil).Body.String()
		if strings.Contains(sent, "javascript") || !strings.Contains(sent, "This cannot be shown here") {
			t.Errorf("%s is sent %s", v, sent)
		}
	}
}

// TestHandOver: an agent hands the user over to another one, which answers.
func TestHandOver(t *testing.T) {
	t.Parallel()
	bank := speaks(t, says(`{"text":"Paid."}`))
	first := speaks(t, says(`{"text":"The bank does that."}`, `{"handover":{"to":"bank","text":"pay it"}}`))
	d := open(t, fmt.Sprintf(`
agents: [{name: front, title: Front, url: %q}, {name: bank, title: Bank, url: %q}]
fallback: front
sticky: true
`, first.URL, bank.URL), nil)
	if said := d.say("My PIN is 1234."); said != "Front: The bank does that.\nBank: Paid." {
		t.Errorf("said %q", said)
	}
	if got := bank.got(); len(got) != 1 || !strings.Contains(got[0], `"text":"pay it"`) ||
		strings.Contains(got[0], "The bank does that") {
		t.Errorf("the bank got %q", got)
	}
	if said := d.say("again"); said != "Bank: Paid." {
		t.Errorf("who answered last: %q", said)
	}
	if got := bank.got(); strings.Contains(got[1], "1234") || !strings.Contains(got[1], "Paid.") {
		t.Errorf("the bank reads what it was not asked: %s", got[1])
	}
	same := speaks(t, says(`{"handover":{"to":"bank"}}`))
	d = open(t, fmt.Sprintf(`
agents: [{name: front, title: Front, url: %q}, {name: bank, title: Bank, url: %q}]
fallback: front
sticky: true
`, same.URL, bank.URL), nil)
	d.say("Pay 7.")
	d.say("Again.")
	if got := bank.got(); !strings.Contains(got[3], "Pay 7.") {
		t.Errorf("the bank lacks what it was asked: %s", got[3])
	}
}

// TestForeignActions: an action for a surface that nobody owns, of another conversation, of another epoch, or
// with a nonce of another surface, is refused, and no agent is asked.
func TestForeignActions(t *testing.T) {
	t.Parallel()
	f := speaks(t, says(surface("x", "Oslo")...))
	d, other := one(t, f, ""), one(t, f, "")
	d.say("sun?")
	other.say("sun?")
	nonce := d.state().Surface("weather:main").Nonce
	act := func(id, nonce, name, component string) string {
		return fmt.Sprintf(`{"version":"v0.9","action":{"name":%q,"surfaceId":%q,"sourceComponentId":%q,`+
			`"timestamp":"2026-11-27T08:00:00Z","context":{"city":"x","limn_nonce":%q,"limn_rev":1}}}`, name, id, component, nonce)
	}
	asked := len(f.got())
	for name, body := range map[string]string{
		"no owner":           act("nobody:main#e=1", nonce, "go", "go"),
		"no id of ours":      act("main", nonce, "go", "go"),
		"another epoch":      act("weather:main#e=2", nonce, "go", "go"),
		"another nonce":      act("weather:main#e=1", "00", "go", "go"),
		"of a replay":        act("weather:main#e=1", other.state().Surface("weather:main").Nonce, "go", "go"),
		"an unknown action":  act("weather:main#e=1", nonce, "transfer", "go"),
		"no action is there": act("weather:main#e=1", nonce, "go", "say"),
	} {
		w := d.do("POST", "/v1/conversations/"+d.id+"/events", body, nil)
		if w.Code < 400 || !strings.Contains(w.Body.String(), `"code":"A2UI_C2S_`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if n := len(f.got()); n != asked {
		t.Errorf("agents were asked %d times more", n-asked)
	}
}

// TestStaleClick: a click on a surface whose buttons the agent has changed since does not count; one on a surface
// whose data alone changed does.
func TestStaleClick(t *testing.T) {
	t.Parallel()
	answer := surface("x", "Oslo")
	f := speaks(t, func(w http.ResponseWriter, body string) {
		switch {
		case strings.Contains(body, `"text":"buttons"`):
			says(fmt.Sprintf(components, "other"))(w, body)
		case strings.Contains(body, `"text":"data"`):
			says(fmt.Sprintf(data, "Rome"))(w, body)
		default:
			says(answer...)(w, body)
		}
	})
	d := one(t, f, "")
	d.say("begin")
	screen := d.shown(a2ui.V09)
	d.say("data")
	if w := d.press(a2ui.V09, screen, "weather:main#e=1"); w.Code != 200 {
		t.Errorf("only data changed: %d %s", w.Code, w.Body)
	}
	screen = d.shown(a2ui.V09)
	d.say("buttons")
	if w := d.press(a2ui.V09, screen, "weather:main#e=1"); w.Code != 409 {
		t.Errorf("the buttons changed: %d %s", w.Code, w.Body)
	}
}

// TestClickIsNotHandedOn: what a client sent about a surface stays with its owner, which may hand the user over by
// words alone.
func TestClickIsNotHandedOn(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"", "look after them"} {
		bank := speaks(t, says(`{"text":"Hello."}`))
		first := speaks(t, func(w http.ResponseWriter, body string) {
			if strings.Contains(body, `"action"`) {
				says(fmt.Sprintf(`{"handover":{"to":"bank","text":%q}}`, words))(w, body)
				return
			}
			says(surface("x", "S3CRET")...)(w, body)
		})
		d := open(t, fmt.Sprintf(`
agents: [{name: front, url: %q}, {name: bank, url: %q}]
fallback: front
`, first.URL, bank.URL), nil)
		d.say("begin")
		d.press(a2ui.V09, d.shown(a2ui.V09), "front:main#e=1")
		got := strings.Join(bank.got(), "\n")
		if strings.Contains(got, "S3CRET") || strings.Contains(got, "action") || words != "" != (got != "") {
			t.Errorf("with words %q the other agent got %q", words, got)
		}
	}
}

// TestLogSaysWhy: the log says why an agent failed, in words of the gateway.
func TestLogSaysWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ protocol, body, want string }{
		{"agui", `{"type":"RUN_ERROR","message":"SECRET"}`, "the run failed"},
		{"agui", `{"type":"RUN_STARTED"}`, "the answer broke off"},
		{"a2a", `{"error":{"code":-32603,"message":"SECRET"}}`, "the agent failed"},
	} {
		f := speaks(t, func(w http.ResponseWriter, _ string) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, c.body)
		})
		var log bytes.Buffer
		d := openWith(t, fmt.Sprintf(`{agents: [{name: weather, url: %q, protocol: %s}], fallback: weather}`, f.URL, c.protocol),
			limn.Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
		d.say("sun?")
		if err := d.srv.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if said := log.String(); !strings.Contains(said, c.want) || strings.Contains(said, "SECRET") {
			t.Errorf("%s: the log says %s", c.body, said)
		}
	}
}

// TestEndIsNotSaid: where the end of an answer is that of its connection, one that stops in the middle of an event, or
// before the first, may have been cut off.
func TestEndIsNotSaid(t *testing.T) {
	t.Parallel()
	const unknown = "We do not know whether that was carried out. Please check before you try again."
	for name, c := range map[string]struct{ media, body, says string }{
		"nothing":           {"text/event-stream", "", unknown},
		"no lines":          {"application/jsonl", "\n", unknown},
		"half an event":     {"text/event-stream", "data: {\"text\":\"Half\"}\n\ndata: {\"te", "Weather: Half\nWeather: " + unknown},
		"half a line":       {"application/jsonl", "{\"text\":\"Half\"}\n{\"te", "Weather: Half\nWeather: " + unknown},
		"whole":             {"text/event-stream", "data: {\"text\":\"Sunny\"}\n\n", "Weather: Sunny"},
		"without a line":    {"text/event-stream", "data: {\"text\":\"Sunny\"}", "Weather: Sunny"},
		"lines":             {"application/jsonl", "{\"text\":\"Sunny\"}", "Weather: Sunny"},
		"nothing, and said": {"text/event-stream", "data: [DONE]\n\n", "Weather had nothing to say."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := speaks(t, func(w http.ResponseWriter, _ string) {
				conn, _, err := w.(http.Hijacker).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				fmt.Fprintf(conn, "HTTP/1.0 200 OK\r\nContent-Type: %s\r\n\r\n%s", c.media, c.body)
				conn.Close()
			})
			if said := one(t, f, "").say("sun?"); said != c.says {
				t.Errorf("said %q, want %q", said, c.says)
			}
		})
	}
	f := speaks(t, says())
	if said := one(t, f, "").say("sun?"); said != "Weather had nothing to say." {
		t.Errorf("an empty answer with an end: said %q", said)
	}
}
