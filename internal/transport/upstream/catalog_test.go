package upstream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/store/memory"
)

// TestCatalogChanges: a surface of a catalog that the agent does not have any more, or of an agent that is gone, is
// shown in words to clients of each version, from the start of the gateway on.
func TestCatalogChanges(t *testing.T) {
	t.Parallel()
	catalog := func(id string) *a2ui.Catalog {
		c := *a2ui.Basic(a2ui.V09)
		c.ID, c.Protocol = id, a2ui.V09.Protocol()
		return &c
	}
	lines := surface("Speed", "Oslo")
	lines[0] = strings.Replace(lines[0], "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json", "https://gauges.example/1.json", 1)
	f := speaks(t, says(lines...))
	file := func(name, more string) string {
		return fmt.Sprintf("agents: [{name: %s, title: Weather, url: %q%s}]\nfallback: %[1]s\n", name, f.URL, more)
	}
	st := memory.New()
	first := open(t, file("weather", ", catalog: gauges.json"), st, catalog("https://gauges.example/1.json"))
	first.say("show")
	if err := first.srv.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*desk{
		"another catalog": open(t, file("weather", ", catalog: gauges.json"), st, catalog("https://gauges.example/2.json")),
		"none":            open(t, file("weather", ""), st),
		"another agent":   open(t, file("sun", ""), st),
	} {
		d.id, d.token = first.id, first.token
		for _, v := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
			said := ""
			if view, err := d.shown(v).Surface("weather:main#e=1"); err == nil {
				for n := range view.Root.All() {
					said += n.Text
				}
			}
			if !strings.Contains(said, "Speed") {
				t.Errorf("%s: clients of %s are shown %q", name, v, said)
			}
		}
	}
}
