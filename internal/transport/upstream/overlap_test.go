package upstream_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

// overlapping opens a surface, and has a click on its button answered while an answer to words goes on: once slow calls
// click. A slow that reads from shown goes on when clients have been sent the text soon. It returns what was said to
// the words.
func overlapping(t *testing.T, more, soon string, slow func(write func(lines ...string), shown <-chan struct{},
	click func()), click ...string) (*desk, string) {
	t.Helper()
	began, clicked, shown := make(chan struct{}), make(chan struct{}), make(chan struct{})
	f := speaks(t, func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "application/jsonl")
		write := func(lines ...string) {
			io.WriteString(w, strings.Join(lines, "\n")+"\n")
			w.(http.Flusher).Flush()
		}
		switch {
		case strings.Contains(body, `"action"`):
			write(click...)
		case strings.Contains(body, "slow"):
			write(`{"text":"Slow."}`)
			slow(write, shown, func() {
				close(began)
				<-clicked
			})
		default:
			write(surface("First", "Oslo")...)
		}
	})
	d := one(t, f, more)
	d.say("begin")
	screen, answered := d.shown(a2ui.V09), make(chan string)
	go func() { answered <- d.say("slow") }()
	if soon != "" {
		d.until("format=a2ui&version=v0.9", soon)
	}
	close(shown)
	<-began
	if w := d.press(a2ui.V09, screen, "weather:main#e=1"); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	d.until("format=limn", "Clicked.")
	close(clicked)
	return d, <-answered
}

// parents is a change of the components of the surface main: some have others in them.
func parents(list ...string) string {
	var out []string
	for i := 0; i < len(list); i += 2 {
		out = append(out, fmt.Sprintf(`{"id":%q,"component":"Column","children":[%q]}`, list[i], list[i+1]))
	}
	return `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` + strings.Join(out, ",") + `]}}`
}

// TestOverlap: two answers of one agent that go on at once are held to the limits and to the surfaces as they are when
// each ends. What counts alone may not count after the other.
func TestOverlap(t *testing.T) {
	t.Parallel()
	named := func(id string) []string {
		return strings.Split(strings.ReplaceAll(strings.Join(surface(id, "Rome"), "\n"), `"main"`, `"`+id+`"`), "\n")
	}
	for name, c := range map[string]struct {
		more        string
		slow, click []string
		want        string // of the reason
		surfaces    int
	}{
		"a circle": {"", []string{parents("a", "b")}, []string{parents("root", "b", "b", "a", "a", "say")},
			"A2UI_S2C_COMPONENT_CYCLE", 1},
		"surfaces": {", limits: {surfaces: 2}", named("a"), named("b"), "more than 2 surfaces", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, said := overlapping(t, c.more, "", func(write func(...string), _ <-chan struct{}, click func()) {
				click()
				write(c.slow...)
			}, append(c.click, `{"text":"Clicked."}`)...)
			if !strings.Contains(said, c.want) {
				t.Errorf("said %q", said)
			}
			for _, id := range d.shown(a2ui.V09).Surfaces() {
				view, err := d.shown(a2ui.V09).Surface(id)
				if err != nil || len(view.Root.Children) == 0 {
					t.Errorf("%s: %v %+v", id, err, view.Root)
				}
			}
			if n := len(d.state().Surfaces); n != c.surfaces {
				t.Errorf("%d surfaces", n)
			}
		})
	}
}

// TestOverlapInOrder: what an answer has sent before another one ended is not written over that one, though it waits
// longer each time until it is shown.
func TestOverlapInOrder(t *testing.T) {
	t.Parallel()
	d, said := overlapping(t, "", "shown soon", func(write func(...string), shown <-chan struct{}, click func()) {
		write(fmt.Sprintf(data, "shown soon"))
		<-shown
		write(fmt.Sprintf(data, "shown later"))
		click()
	}, fmt.Sprintf(data, "clicked"), `{"text":"Clicked."}`)
	if v, _ := d.shown(a2ui.V09).Data("weather:main#e=1"); v.At("city").Text() != "clicked" {
		t.Errorf("%v is shown; said %q", v, said)
	}
}
