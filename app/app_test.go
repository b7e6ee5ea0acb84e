package app_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden returns the wanted text, and rewrites it first under -update.
func golden(t *testing.T, name, got string) string {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(want)
}

// TestOpenings: what each declared thing opens with, as JSON.
func TestOpenings(t *testing.T) {
	t.Parallel()
	a, err := app.New(inGo())
	if err != nil {
		t.Fatal(err)
	}
	cfg := a.Config()
	rows := ui.Rows(ui.Record{ID: "r1", Order: "m", Cells: ui.Map(ui.Pair{Key: "risk", Value: ui.String("flood")})})
	var b strings.Builder
	for _, o := range []app.Opening{
		a.OpenForm(cfg.Forms[0], ui.Map(ui.Pair{Key: "company", Value: ui.String("Acme")}, ui.Pair{Key: "size", Value: ui.Int(4)}, ui.Pair{Key: "nobody", Value: ui.Int(1)})),
		a.OpenTable(cfg.Tables[0], app.TableSpec{Table: route.Table{Title: "Top risks", MinRows: 4}, Rows: rows}),
		a.OpenMap(cfg.Maps[0], app.MapSpec{Map: route.Map{MinSteps: 3}}),
		a.OpenView(cfg.Views[0], nil),
	} {
		fmt.Fprintf(&b, "-- %s %q %s/%s %s --\n", o.Surface, o.Title, o.Origin.Kind, o.Origin.Template,
			o.Origin.Params.AppendJSON(nil))
		ui.Walk(o.Root[0], func(at ui.KeyPath, n ui.Node) bool {
			node, err := ui.Nodes{n}.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			node = node[1 : len(node)-1]
			if len(ui.Children(n)) > 0 { // what is below comes on its own lines
				node = []byte(strings.TrimPrefix(fmt.Sprintf("%T", n), "*ui."))
			}
			fmt.Fprintf(&b, "%s %s\n", at, node)
			return true
		})
		fmt.Fprintf(&b, "draft %s\n", o.Draft.AppendJSON(nil))
	}
	if diff := cmp.Diff(golden(t, "openings.txt", b.String()), b.String()); diff != "" {
		t.Errorf("openings (-want +got):\n%s", diff)
	}
}

// TestNewFaults: what only Go can get wrong; the rest stands in TestLoadFaults.
func TestNewFaults(t *testing.T) {
	t.Parallel()
	fixed := ui.Nodes{&ui.Column{Key: "main"}}
	build := func(*ui.State) ui.Nodes { return fixed }
	for _, tt := range []struct {
		name   string
		change func(*app.Config)
		want   string
	}{
		{"view with both", func(c *app.Config) { c.Views = []app.View{{Name: "v", Build: build, Nodes: fixed}} }, "APP_INVALID at views[0]: view \"v\" needs either"},
		{"two roots", func(c *app.Config) {
			c.Views = []app.View{{Name: "v", Nodes: ui.Nodes{&ui.Column{Key: "a"}, &ui.Column{Key: "b"}}}}
		}, "APP_INVALID at views[0].nodes//root"},
		{"missing node", func(c *app.Config) {
			c.Views = []app.View{{Name: "v", Nodes: ui.Nodes{&ui.Column{Key: "a", Children: ui.Nodes{nil}}}}}
		}, "APP_INVALID at views[0].nodes/a"},
		{"input in a view", func(c *app.Config) {
			c.Views = []app.View{{Name: "v", Nodes: ui.Nodes{ui.InputFor("/draft/a", ui.Field{Name: "a", Type: "nope"})}}}
		}, "APP_INVALID at views[0].nodes/a.type: unknown field type"},
		{"table in a view", func(c *app.Config) {
			c.Views = []app.View{{Name: "v", Nodes: ui.Nodes{&ui.Table{Rowset: ui.Rowset{Key: "t", Path: "/draft/t", Columns: []ui.Field{{Name: "prototype", Type: ui.TypeText}}}}}}}
		}, "APP_INVALID at views[0].nodes/t[0].name: field name"},
		{"two views", func(c *app.Config) { c.Views = []app.View{{Name: "v", Build: build}, {Name: "v", Build: build}} }, "APP_DUPLICATE at views[1].name: two views"},
		{"too many options", func(c *app.Config) {
			c.Limits.Options = 1
			c.Forms = []app.Form{{Name: "f", Fields: []ui.Field{{Name: "a", Type: ui.TypeChoice, Options: []ui.Option{{Value: "a"}, {Value: "b"}}}}}}
		}, "UI_LIMIT at forms[0].fields[0].options"},
		{"untyped field", func(c *app.Config) { c.Forms = []app.Form{{Name: "f", Fields: []ui.Field{{Name: "a"}}}} }, "APP_INVALID at forms[0].fields[0].type"},
		{"guardrail twice", func(c *app.Config) {
			g := ui.Guardrail{ID: "g", Pattern: "x", Action: "force_tool", Tool: ui.ToolMap}
			c.Guardrails = []ui.Guardrail{g, g}
		}, "APP_DUPLICATE at guardrails[1].id"},
		{"guardrail with a strange id", func(c *app.Config) { c.Guardrails = []ui.Guardrail{{ID: "No tables"}} }, "APP_INVALID at guardrails[0].id"},
		{"guardrail that is no pattern", func(c *app.Config) {
			c.Guardrails = []ui.Guardrail{{ID: "g", Pattern: "(", Action: "force_tool", Tool: ui.ToolMap}}
		}, "APP_INVALID at guardrails[0].pattern: not a regular expression"},
		{"too many guardrails", func(c *app.Config) {
			for i := range 51 {
				c.Guardrails = append(c.Guardrails, ui.Guardrail{ID: fmt.Sprint("g", i), Pattern: "x", Action: "force_tool", Tool: ui.ToolMap})
			}
		}, "APP_INVALID at guardrails[50]"},
		{"rounds of an unknown tool", func(c *app.Config) { c.Tools.MaxIterations = map[string]int{"request_tabel": 1} }, "APP_DANGLING at tools.max_iterations.request_tabel"},
		{"too many rounds", func(c *app.Config) { c.Tools.MaxIterations = map[string]int{ui.ToolMap: 11} }, "APP_INVALID at tools.max_iterations.request_process_map"},
		{"an unknown preferred tool", func(c *app.Config) { c.Tools.Preferred = "form" }, "APP_DANGLING at tools.preferred_ui"},
		{"no answer", func(c *app.Config) { c.Actions = []app.Action{{Name: "a"}} }, "APP_INVALID at actions[0]: action \"a\" needs exactly one"},
		{"obscured column", func(c *app.Config) {
			c.Tables = []app.Table{{Name: "t", Columns: []ui.Field{{Name: "pin", Type: ui.TypeText, Obscured: true}}}}
		}, "APP_INVALID at tables[0].columns[0].obscured"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cfg := app.Config{Name: "x"}
			tt.change(&cfg)
			_, err := app.New(cfg)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			var e *ui.Error
			if err != nil && !errors.As(err, &e) {
				t.Errorf("%T is no *ui.Error", err)
			}
		})
	}
}

// TestVersions: a change of what is drawn changes the version of that template
// and the fingerprint, nothing else does.
func TestVersions(t *testing.T) {
	t.Parallel()
	base, err := app.New(inGo())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name          string
		change        func(*app.Config)
		print         bool
		kind, changed string
	}{
		{"nothing", func(*app.Config) {}, false, "", ""},
		{"phrase", func(c *app.Config) { c.Forms[0].Phrases = nil }, false, "", ""},
		{"noun", func(c *app.Config) { c.Tables[0].Nouns = []string{"peril"} }, false, "", ""},
		{"instructions", func(c *app.Config) { c.Instructions = "Be long." }, false, "", ""},
		{"empty list", func(c *app.Config) { c.Forms[0].Fields[0].Options, c.Maps[0].Title = nil, "" }, true, "map", "process"},
		{"field", func(c *app.Config) { c.Forms[0].Fields[0].Label = "Firm" }, true, "form", "customer"},
		{"column", func(c *app.Config) { c.Tables[0].Columns[0].Required = false }, true, "table", "risks"},
		{"view title", func(c *app.Config) { c.Views[0].Title = "All" }, true, "view", "overview"},
		{"word", func(c *app.Config) { c.Words = ui.Words{"button.submit": "Go"} }, true, "", ""},
		{"limit", func(c *app.Config) { c.Limits.Rows = 7 }, true, "", ""},
	} {
		cfg := inGo()
		tt.change(&cfg)
		a, err := app.New(cfg)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if got := a.Fingerprint() != base.Fingerprint(); got != tt.print {
			t.Errorf("%s: fingerprint changed: %v, want %v", tt.name, got, tt.print)
		}
		for kind, name := range map[string]string{"form": "customer", "table": "risks", "map": "process",
			"view": "overview"} {
			if got := a.Version(kind, name) != base.Version(kind, name); got != (kind == tt.kind && name == tt.changed) {
				t.Errorf("%s: version of %s %s changed: %v", tt.name, kind, name, got)
			}
		}
	}
}

func TestNewCopies(t *testing.T) {
	t.Parallel()
	cfg := app.Config{Name: "x", Forms: []app.Form{{Name: "f", Fields: []ui.Field{{Name: "a", Type: ui.TypeText}}}},
		Agents: []app.Agent{{Name: "a"}}}
	a, err := app.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Title != "" || cfg.Forms[0].Title != "" {
		t.Error("New wrote into the caller's Config")
	}
	if cfg.Agents[0].Name = "b"; a.Config().Agents[0].Name != "a" {
		t.Error("the app has the caller's list of agents")
	}
}

func TestAllowed(t *testing.T) {
	t.Parallel()
	a, err := app.New(inGo())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"limn.submit": true, "limn.page": true, "limn.other": false, "check": true,
		"nope": false, "": false} {
		if got := a.Allowed(name); got != want {
			t.Errorf("Allowed(%q) = %v", name, got)
		}
	}
}

func ExampleNew() {
	a, err := app.New(app.Config{Name: "shop", Forms: []app.Form{{Name: "customer", Fields: []ui.Field{
		{Name: "company", Label: "Company", Type: ui.TypeText, Required: true}}}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	form, _ := a.Form("customer")
	o := a.OpenForm(form, ui.Map())
	fmt.Println(o.Surface, string(o.Draft.AppendJSON(nil)))
	// Output: form:customer {"company":""}
}
