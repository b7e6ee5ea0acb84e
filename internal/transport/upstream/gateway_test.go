package upstream_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
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
