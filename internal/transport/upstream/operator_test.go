package upstream_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
)

// TestOperatorAttends: an operator joins while an agent answers. An answer to words is stopped, one to a click goes on:
// the agent may have acted. The words of the user are the operator's from then on; the agent is asked about the next
// click, and its answer counts.
func TestOperatorAttends(t *testing.T) {
	t.Parallel()
	for _, during := range []string{"words", "a click"} {
		t.Run(during, func(t *testing.T) {
			t.Parallel()
			began, joined := make(chan bool, 1), make(chan bool)
			f := speaks(t, func(w http.ResponseWriter, body string) {
				switch {
				case strings.Contains(body, "begin"):
					says(surface("First", "Oslo")...)(w, body)
				case strings.Contains(body, "slow") || strings.Contains(body, `"context":{"city":"slow"}`):
					w.Header().Set("Content-Type", "application/jsonl")
					io.WriteString(w, `{"text":"Half."}`+"\n")
					w.(http.Flusher).Flush()
					began <- true
					if during == "a click" {
						<-joined
						io.WriteString(w, `{"text":" Whole."}`+"\n")
						return
					}
					var b [1]byte
					c, _, err := w.(http.Hijacker).Hijack()
					if err == nil {
						c.Read(b[:]) // until the gateway leaves
						c.Close()
					}
				default:
					says(`{"text":"Pressed."}`, fmt.Sprintf(data, "Rome"))(w, body)
				}
			})
			var who atomic.Value
			who.Store("ben")
			d := openWith(t, fmt.Sprintf("agents: [{name: weather, title: Weather, url: %q, transcript: none}]\nfallback: weather\n"+
				"operators: support\n", f.URL), limn.Config{
				Authenticate: func(*http.Request) (string, error) { return who.Load().(string), nil },
				Roles:        func(name string) []string { return map[string][]string{"anna": {"support"}}[name] }})
			d.say("begin")
			screen, answered := d.shown(a2ui.V09), make(chan string)
			go func() {
				if during == "words" {
					answered <- d.say("slow")
					return
				}
				if err := screen.Type("weather:main#e=1", "field", "slow"); err != nil {
					t.Error(err)
				}
				d.press(a2ui.V09, screen, "weather:main#e=1")
				answered <- ""
			}()
			<-began
			who.Store("anna")
			if w := d.do("POST", "/v1/conversations/"+d.id+"/operator", `{"name":"Anna"}`, nil); w.Code != 200 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			who.Store("ben")
			close(joined)
			<-answered
			asked := len(f.got())
			d.say("hello?")
			if len(f.got()) != asked {
				t.Errorf("the agent is asked %q", f.got()[asked:])
			}
			if screen = d.shown(a2ui.V09); screen.Type("weather:main#e=1", "field", "fast") != nil {
				t.Fatal("nothing can be typed")
			}
			if w := d.press(a2ui.V09, screen, "weather:main#e=1"); w.Code != 200 || len(f.got()) != asked+1 {
				t.Errorf("the click: %d %s, %d requests", w.Code, w.Body, len(f.got())-asked)
			}
			if said := d.said(0); !strings.HasSuffix(said, "Weather: Pressed.") || strings.Contains(said, "Half. Whole.") != (during != "words") ||
				strings.Contains(said, "Stopped.") {
				t.Errorf("said %q", said)
			}
			if v, _ := d.shown(a2ui.V09).Data("weather:main#e=1"); v.At("city").Text() != "Rome" {
				t.Errorf("shown %v", v)
			}
		})
	}
}

// TestOperatorDuringCall: an operator joins while an agent computes a function for a surface, whose result counts.
func TestOperatorDuringCall(t *testing.T) {
	t.Parallel()
	began, joined := make(chan bool, 1), make(chan bool)
	f := speaks(t, func(w http.ResponseWriter, body string) {
		if !strings.Contains(body, "callAgentFunction") {
			says(fmt.Sprintf(`{"version":"1.0","createSurface":{"surfaceId":"main","catalogId":%q,`+
				`"components":[{"id":"root","component":"Text","text":"a map"}]}}`, a2ui.Basic(a2ui.V10).ID))(w, body)
			return
		}
		began <- true
		<-joined
		says(`{"version":"1.0","agentFunctionResponse":{"functionCallId":"c1","value":12}}`)(w, body)
	})
	var who atomic.Value
	who.Store("ben")
	d := openWith(t, fmt.Sprintf("agents: [{name: atlas, url: %q, version: v1.0}]\nfallback: atlas\noperators: support\n", f.URL),
		limn.Config{Authenticate: func(*http.Request) (string, error) { return who.Load().(string), nil },
			Roles: func(name string) []string { return map[string][]string{"anna": {"support"}}[name] }})
	d.say("a map")
	answered := make(chan string)
	go func() {
		answered <- d.do("POST", "/v1/conversations/"+d.id+"/events", `{"version":"1.0","callAgentFunction":{`+
			`"surfaceId":"atlas:main#e=1","functionCallId":"c1","callFunction":{"@call":"distance","args":{}}}}`, nil).Body.String()
	}()
	<-began
	who.Store("anna")
	if w := d.do("POST", "/v1/conversations/"+d.id+"/operator", `{"name":"Anna"}`, nil); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	close(joined)
	if got := <-answered; !strings.Contains(got, `"value":12`) {
		t.Errorf("the client is told %s", got)
	}
}
