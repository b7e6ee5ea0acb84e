package upstream_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store/memory"
)

// TestTwoAgents: two agents behind one conversation. Each is asked what it is for, its surface is
// shown to clients of every version, and a click goes to its owner, once, and to nobody else.
func TestTwoAgents(t *testing.T) {
	t.Parallel()
	weather := speaks(t, func(w http.ResponseWriter, body string) {
		if strings.Contains(body, `"action"`) {
			says(`{"text":"It rains"}`, fmt.Sprintf(data, "Bergen"))(w, body)
			return
		}
		says(append([]string{`{"text":"Where?"}`}, surface("Weather", "Oslo")...)...)(w, body)
	})
	orders := speaks(t, says(append([]string{`{"text":"Your orders."}`}, surface("Orders", "Rome")...)...))
	d := open(t, fmt.Sprintf(`
agents:
  - {name: weather, title: Weather, url: %q, icon: "https://example.com/w.png"}
  - {name: orders, title: Orders, url: %q}
routes:
  - {prefix: "@orders", to: orders}
  - {pattern: "(?i)weather", to: weather}
fallback: orders
`, weather.URL, orders.URL), nil)
	if said := d.say("What is the weather?"); said != "Weather: Where?" {
		t.Errorf("said %q", said)
	}
	if said := d.say("@orders: which are late?"); said != "Orders: Your orders." {
		t.Errorf("said %q", said)
	}
	if got := orders.got(); len(got) != 1 || !strings.Contains(got[0], `"text":"which are late?"`) {
		t.Fatalf("orders got %q", got)
	}
	for _, v := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
		c := d.shown(v)
		for _, id := range []string{"weather:main#e=1", "orders:main#e=1"} {
			if view, err := c.Surface(id); err != nil || !view.Ready {
				t.Errorf("%s does not show %s: %v", v, id, err)
			}
		}
	}
	c := d.shown(a2ui.V09)
	view, _ := c.Surface("weather:main#e=1")
	if view.Theme.At("agentDisplayName").Text() != "Weather" || view.Theme.At("iconUrl").Text() != "https://example.com/w.png" {
		t.Errorf("theme %+v", view.Theme)
	}
	if err := c.Type("weather:main#e=1", "field", "Bergen"); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the same click, sent twice
		if w := d.press(a2ui.V09, c, "weather:main#e=1"); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	got := weather.got()
	if len(got) != 2 || !strings.Contains(got[1], `"surfaceId":"main"`) || !strings.Contains(got[1], `"city":"Bergen"`) ||
		strings.Contains(got[1], "limn_") {
		t.Errorf("weather got %q", got)
	}
	if n := len(orders.got()); n != 1 {
		t.Errorf("the other agent was asked %d times", n)
	}
	if said := d.said(4); !strings.HasPrefix(said, "Weather: It rains") {
		t.Errorf("said %q", said)
	}
}

// TestChoose: a model chooses who answers, once, by what the agents are for. Where it fails or names nobody, the fallback
// answers, or nobody.
func TestChoose(t *testing.T) {
	t.Parallel()
	weather, orders := speaks(t, says(`{"text":"Sunny"}`)), speaks(t, says(`{"text":"Two are late."}`))
	file := fmt.Sprintf(`
agents:
  - {name: weather, title: Weather, url: %q, about: Rain and sun.}
  - {name: orders, title: Orders, url: %q, about: What was ordered.}
routes:
  - {prefix: "@weather", to: weather}
  - {choose: [weather, orders]}
`, weather.URL, orders.URL)
	for answer, want := range map[string]string{`{"to":"orders"}`: "Orders: Two are late.", `{"to":""}`: "Weather: Sunny",
		`{"to":"bank"}`: "Weather: Sunny", "no JSON": "Weather: Sunny", "": "Weather: Sunny"} {
		var asked []string
		model := limntest.Model(func(_ context.Context, r llm.Request) (llm.Reply, error) {
			asked = append(asked, r.System+fmt.Sprint(r.Messages))
			if answer == "" {
				panic("a fault of the model's client")
			}
			return llm.Reply{Text: answer}, nil
		})
		d := openWith(t, file+"fallback: weather\n", limn.Config{Router: model})
		if said := d.say("@weather now?"); said != "Weather: Sunny" || asked != nil {
			t.Errorf("a rule comes first: %q, asked %q", said, asked)
		}
		if said := d.say("what is late?"); said != want {
			t.Errorf("%s: said %q, want %q", answer, said, want)
		}
		if len(asked) != 1 || !strings.Contains(asked[0], "orders: Orders. What was ordered.") ||
			!strings.Contains(asked[0], "answered by: weather") || !strings.Contains(asked[0], "what is late?") {
			t.Errorf("the model was asked %q", asked)
		}
	}
	nobody := openWith(t, file, limn.Config{Router: limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
		return llm.Reply{Text: `{"to":""}`}, nil
	})})
	if said := nobody.say("what is late?"); !strings.HasPrefix(said, "Nobody here answers that.") {
		t.Errorf("said %q", said)
	}
}

// TestChosenOnce: after a restart the agent goes on that a model chose before it.
func TestChosenOnce(t *testing.T) {
	t.Parallel()
	arrived, over := make(chan bool, 3), make(chan bool)
	orders := speaks(t, func(w http.ResponseWriter, body string) {
		select {
		case <-over:
			says(`{"text":"Two are late."}`)(w, body)
		default:
			arrived <- true
			<-over
		}
	})
	weather := speaks(t, says(`{"text":"Sunny"}`))
	file := fmt.Sprintf(`
agents: [{name: weather, url: %q}, {name: orders, title: Orders, url: %q, idempotent: true}]
routes: [{choose: [weather, orders]}]
`, weather.URL, orders.URL)
	st := memory.New()
	choice := `{"to":"orders"}`
	model := limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) { return llm.Reply{Text: choice}, nil })
	d := openWith(t, file, limn.Config{Router: model, Store: st})
	post := func(d *desk, wait string) string { // the same message each time
		r := httptest.NewRequest("POST", "/v1/conversations/"+d.id+"/messages", strings.NewReader(`{"text":"what is late?"}`))
		r.Header = http.Header{"Authorization": {"Bearer " + d.token}, "Content-Type": {"application/json"},
			"Idempotency-Key": {"late"}, "Prefer": {wait}}
		w := httptest.NewRecorder()
		d.handler.ServeHTTP(w, r)
		return w.Body.String()
	}
	post(d, "respond-async")
	<-arrived
	stop, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	d.srv.Close(stop) //nolint:errcheck // the run is not over
	close(over)
	choice = `{"to":"weather"}`
	next := openWith(t, file, limn.Config{Router: model, Store: st})
	next.id, next.token = d.id, d.token
	answer := post(next, "wait=20")
	if said := next.said(0); said != "Orders: Two are late." || len(weather.got()) > 0 {
		t.Errorf("said %q, weather was asked %d times: %s", said, len(weather.got()), answer)
	}
}

// TestUnknownPropertyIsNotSaid: a property that clients leave out is a warning of the frame; the user reads nothing of it.
func TestUnknownPropertyIsNotSaid(t *testing.T) {
	t.Parallel()
	lines := surface("Sun", "Oslo")
	lines[1] = strings.Replace(lines[1], `"label":"City"`, `"label":"City","type":"text"`, 1)
	d := one(t, speaks(t, says(lines...)), "")
	said := d.say("sun?")
	frames := d.do("GET", "/v1/conversations/"+d.id+"/frames", "", nil).Body.String()
	if said != "" || d.state().Surface("weather:main") == nil || !strings.Contains(frames, "GATEWAY_PROPERTY") {
		t.Errorf("said %q: %s", said, frames)
	}
}
