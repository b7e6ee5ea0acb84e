package deliver_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/ui"
)

// TestCallsInTheirCatalog: agents with functions of one name each have clients run the one of their own catalog. One
// that the application calls is of any.
func TestCallsInTheirCatalog(t *testing.T) {
	t.Parallel()
	catalog := func(id string) *a2ui.Catalog {
		return &a2ui.Catalog{ID: id, Functions: map[string]*a2ui.FunctionDef{"pick": {Name: "pick", Callers: a2ui.AgentOnly}}}
	}
	target := deliver.Target{A2UI: compile.Target{Dialect: a2ui.V10, Rules: &compile.Rules{
		Catalogs: map[string]*a2ui.Catalog{"atlas": catalog("https://b.example"), "bank": catalog("https://a.example")}}}}
	for name, want := range map[string]string{"agent:atlas": "https://b.example", "agent:bank": "https://a.example",
		"agent:other": "", "picked": "https://a.example"} {
		s := ui.NewState("c")
		s.Router.Calls = []ui.Action{{ID: "x", Name: name, Do: "pick"}}
		sent := (&deliver.Deliverer{}).Calls(target, nil, s)
		if len(sent) > 1 || (want == "") != (len(sent) == 0) || want != "" && !strings.Contains(string(sent[0]), want) {
			t.Errorf("%s: sent %s, want %q", name, sent, want)
		}
	}
}
