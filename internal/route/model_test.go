package route_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

func TestParseModel(t *testing.T) {
	t.Parallel()
	a, err := route.ParseModel(
		[]byte(` {"action":"tool","tool_name":"request_data_table","confidence":0.8,"title":"Hives","count":18} `))
	if err != nil || !reflect.DeepEqual(a, route.Answer{Action: route.ActionTool, Tool: ui.ToolTable, Confidence: 0.8,
		Title: "Hives", Count: 18}) {
		t.Errorf("%+v, %v", a, err)
	}
	for doc, path := range map[string]string{
		``: "", `null`: "", `[]`: "", `{}`: "", "```json\n{}\n```": "",
		`{"action":"tool","confidence":0.8}`:                                                              "/tool_name",
		`{"action":"dance","tool_name":null,"confidence":0.8}`:                                            "/action",
		`{"action":"tool","tool_name":"rm","confidence":0.8}`:                                             "/tool_name",
		`{"action":"chat","tool_name":7,"confidence":0.8}`:                                                "/tool_name",
		`{"action":"chat","tool_name":null,"confidence":"high"}`:                                          "/confidence",
		`{"action":"chat","tool_name":null,"confidence":1.01}`:                                            "/confidence",
		`{"action":"chat","tool_name":null,"confidence":1e309}`:                                           "/confidence",
		`{"action":"chat","tool_name":null,"confidence":-0.1}`:                                            "/confidence",
		`{"action":"chat","tool_name":null,"confidence":0.1,"params":{}}`:                                 "/params",
		`{"action":"chat","tool_name":null,"confidence":0.1,"count":1.5}`:                                 "/count",
		`{"action":"chat","tool_name":null,"confidence":0.1,"title":{}}`:                                  "/title",
		`{"action":"chat","tool_name":null,"confidence":0.1}x`:                                            "",
		`{"action":"chat","tool_name":null}`:                                                              "",
		`{"action":"chat","tool_name":null,"confidence":0.1,"title":"` + strings.Repeat("a", 5000) + `"}`: "",
	} {
		_, err := route.ParseModel([]byte(doc))
		e, ok := err.(*ui.Error)
		if !ok || e.Code != route.CodeModel || e.Path != path {
			t.Errorf("%.80s: %v", doc, err)
		}
	}
}

func schema(t testing.TB) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(route.ModelSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("answer.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("answer.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What ParseModel takes, the schema takes.
func FuzzParseModel(f *testing.F) {
	for _, s := range []string{`{"action":"tool","tool_name":"request_process_map","confidence":1,"count":3}`,
		`{"action":"chat","tool_name":null,"confidence":0}`,
		`{"action":"clarify","tool_name":"request_data_table","confidence":0.5,"title":null}`, `{`,
		`{"action":"chat","action":"tool"}`, "\xff"} {
		f.Add([]byte(s))
	}
	schema := schema(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := route.ParseModel(b)
		if err != nil {
			if ui.CodeOf(err) != route.CodeModel {
				t.Fatalf("%v", err)
			}
			return
		}
		var doc map[string]any
		if json.Unmarshal(b, &doc) != nil {
			t.Fatalf("no JSON: %q", b)
		}
		// may be left out; strict servers want every member
		for _, key := range []string{"tool_name", "title", "count"} {
			if _, named := doc[key]; !named {
				doc[key] = nil
			}
		}
		doc["params"], doc["rationale"] = nil, nil // more is taken than asked for
		if err := schema.Validate(doc); err != nil {
			t.Fatalf("%q: %v", b, err)
		}
		d := route.Admit(a, "We keep bees.", ui.Router{}, route.Prefs{}, noon)
		if err := lawful(d, "We keep bees.", ui.Router{}); err != nil {
			t.Fatalf("%q: %v", b, err)
		}
	})
}

func TestAdmit(t *testing.T) {
	t.Parallel()
	open := route.Answer{Action: route.ActionTool, Tool: ui.ToolTable, Confidence: 0.8, Title: "Hives", Count: 18}
	ask := route.Answer{Action: route.ActionClarify, Tool: ui.ToolMap, Confidence: 0.6}
	suppress := ui.Router{Guardrails: []ui.Guardrail{
		{ID: "g1", Pattern: "bee", Action: route.SuppressTool, Tool: ui.ToolTable, Enabled: true}}}
	for _, c := range []struct {
		name, message string
		answer        route.Answer
		state         ui.Router
		want, why     string
	}{
		{"opens", "We keep bees.", open, ui.Router{}, "table 18", "model.tool:n=18"},
		{"asks", "We keep bees.", ask, ui.Router{}, "clarify map", "model.clarify"},
		{"unsure tool asks", "We keep bees.", route.Answer{Action: route.ActionTool, Tool: ui.ToolMap, Confidence: 0.5}, ui.Router{}, "clarify map", "model.clarify"},
		{"a sure question is a question", "We keep bees.", route.Answer{Action: route.ActionClarify, Tool: ui.ToolTable, Confidence: 1}, ui.Router{}, "clarify table", "model.clarify"},
		{"under the threshold", "We keep bees.", route.Answer{Action: route.ActionTool, Tool: ui.ToolTable, Confidence: 0.44}, ui.Router{}, "chat", "model.chat"},
		{"chat", "We keep bees.", route.Answer{Action: route.ActionChat, Confidence: 0.9}, ui.Router{}, "chat", "model.chat"},
		{"an open tool", "We keep bees.", open, ui.Router{LastTool: ui.ToolMap, LastStatus: ui.StatusToolOpen}, "chat", "gate.open"},
		{"opted out", "We keep bees.", open, ui.Router{OptOut: ui.OptOut{All: true}}, "chat", "gate.opt_out_all"},
		{"opted out of it", "We keep bees.", open, ui.Router{OptOut: ui.OptOut{Tools: []string{ui.ToolTable}}}, "chat", "gate.opt_out_tool"},
		{"not this turn", "We keep bees.", open, ui.Router{OptOut: ui.OptOut{Once: []string{ui.ToolTable}}}, "chat", "gate.opt_out_tool"},
		{"canceled twice", "We keep bees.", open, ui.Router{Cancels: 2}, "chat", "gate.cancel_streak"},
		{"suppressed", "We keep bees.", open, suppress, "chat", "guardrail.suppress"},
		{"suppressed for others", "We keep cows.", open, suppress, "table 18", "model.tool:n=18"},
		{"refused in the message", "We keep bees, but no table please.", open, ui.Router{}, "chat", "chat.negation"},
		{"never a second question", "We keep bees.", ask, ui.Router{Pending: &ui.Pending{Tool: ui.ToolTable}}, "chat", "pending.unclear"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := route.Admit(c.answer, c.message, c.state, route.Prefs{}, noon)
			if got := describe(d); got != c.want || d.Rationale != c.why {
				t.Errorf("%s (%s), want %s (%s)", got, d.Rationale, c.want, c.why)
			}
		})
	}
	if d := route.Admit(open, "We keep bees.", ui.Router{}, route.Prefs{}, noon); d.Params.Table.Title != "Hives" ||
		d.Params.Table.MinRows != 18 {
		t.Errorf("%+v", d.Params.Table)
	}
	if d := decide("We keep bees in the garden.", ui.Router{}); !d.Open {
		t.Error("a plain statement is not open for a model")
	}
	for _, m := range []string{"We have 14 risks.", "hello", "What is a risk?", "Don't show me a table.",
		"Stop showing me tables."} {
		if decide(m, ui.Router{}).Open {
			t.Errorf("%q is open for a model", m)
		}
	}
	prompt := route.ModelPrompt(ui.Router{LastTool: canary, Preferred: canary, Pending: &ui.Pending{Subject: canary},
		Guardrails: []ui.Guardrail{{Pattern: canary}}})
	if strings.Contains(prompt, canary) || !strings.Contains(prompt, ui.ToolMap) {
		t.Errorf("prompt: %s", prompt)
	}
}

func ExampleAdmit() {
	answer, err := route.ParseModel(
		[]byte(`{"action":"tool","tool_name":"request_data_table","confidence":0.82,"title":"Beehives","count":18}`))
	if err != nil {
		fmt.Println(err)
	}
	d := route.Admit(answer, "Our orchard is full of beehives.", ui.Router{}, route.Prefs{}, time.Time{})
	fmt.Println(d.Action, d.Params.Table.Title, d.Params.Table.MinRows, d.Rationale)
	d = route.Admit(answer, "Our orchard is full of beehives.", ui.Router{OptOut: ui.OptOut{All: true}}, route.Prefs{},
		time.Time{})
	fmt.Println(d.Action, d.Rationale)
	// Output:
	// tool Beehives 18 model.tool:n=18
	// chat gate.opt_out_all
}

// TestParams: a model may answer as the tool menu says, with the tool's parameters.
// They are checked, and used where neither the app nor the message has any.
func TestParams(t *testing.T) {
	t.Parallel()
	const tool = `{"action":"tool","tool_name":"request_data_table","confidence":0.8,"rationale":"bees","params":`
	const steps = `{"action":"tool","tool_name":"request_process_map","confidence":0.8,"rationale":"swarm","params":`
	admit := func(doc string, prefs route.Prefs) *route.Params {
		t.Helper()
		a, err := route.ParseModel([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		return route.Admit(a, "We collect risks.", ui.Router{}, prefs, noon).Params
	}
	columns := `{"title":"Hives","columns":[{"name":"Hive","type":"text","required":true},{"name":"Frames","type":"number"}],` +
		`"min_rows":18,"starter_rows":5,"input_modes":["paste"],"summary_prompt":"Sum up."}}`
	p := admit(tool+columns, route.Prefs{}).Table
	if p.Title != "Hives" || p.MinRows != 18 || len(p.Columns) != 2 || p.Columns[0].Label != "Hive" ||
		!p.Columns[0].Required || p.Columns[1].Type != ui.TypeNumber {
		t.Errorf("%+v", p)
	}
	if p.StarterRows != 5 || p.SummaryPrompt != "Sum up." {
		t.Errorf("%+v", p)
	}
	if p := admit(tool+`{"columns":null,"seed_nodes":null}}`, route.Prefs{}).Table; len(p.Columns) == 0 {
		t.Error("a strict schema's null is no choice of Limn's")
	}
	if p := admit(tool+`{"columns":[{"name":"State","type":"enum"}]}}`, route.Prefs{}).Table; len(p.Columns) != 1 ||
		p.Columns[0].Type != ui.TypeText {
		t.Errorf("an enum without options: %+v", p.Columns)
	}
	own := route.Prefs{Nouns: []route.Template{{Title: "Risks", Nouns: []string{"risk"},
		Columns: []ui.Field{{Name: "queen", Type: ui.TypeText}}}}}
	if p := admit(tool+columns, own).Table; len(p.Columns) != 1 || p.Columns[0].Name != "queen" {
		t.Errorf("the columns of the app's own table are %+v", p.Columns)
	}
	if err := schema(t).Validate(map[string]any{"action": "tool", "tool_name": "request_data_table", "confidence": 1,
		"title": nil, "count": nil, "rationale": "bees", "params": map[string]any{"seed_nodes": nil,
			"columns": []any{map[string]any{"name": "Hive", "type": "text"}}}}); err != nil {
		t.Error(err)
	}
	m := admit(steps+`{"title":"Swarm","seed_nodes":["Find queen"," Move hive\n"],"min_steps":2,`+
		`"required_fields":["step_name"],"edge_types":["sequence"]}}`, route.Prefs{}).Map
	if !slices.Equal(m.RequiredFields, []string{"step_name"}) || !slices.Equal(m.EdgeTypes, []string{"sequence"}) {
		t.Errorf("%+v", m)
	}
	if m.Title != "Swarm" || !slices.Equal(m.SeedNodes, []string{"Find queen", "Move hive"}) {
		t.Errorf("%+v", m)
	}
	for doc, path := range map[string]string{
		tool + `7}`:                                        "/params",
		tool + `{"sql":"drop"}}`:                           "/params/sql",
		tool + `{"seed_nodes":["a"]}}`:                     "/params/seed_nodes",
		tool + `{"columns":[]}}`:                           "/params/columns",
		tool + `{"min_rows":-1}}`:                          "/params/min_rows",
		tool + `{"min_rows":1e9}}`:                         "/params/min_rows",
		steps + `{"edge_types":["loop"]}}`:                 "/params/edge_types",
		steps + `{"required_fields":["color"]}}`:           "/params/required_fields",
		steps + `{"seed_nodes":[7]}}`:                      "/params/seed_nodes",
		steps + `{"seed_nodes":"a->b"}}`:                   "/params/seed_nodes",
		tool + `{"columns":["A","a"]}}`:                    "/params/columns/1/name",
		tool + `{"columns":[{"name":"A","type":"blob"}]}}`: "/params/columns/0/type",
		`{"action":"chat","tool_name":null,"confidence":0.1,"rationale":"hi","params":{"title":"Bees"}}`: "/params",
		`{"action":"chat","tool_name":null,"confidence":0.1,"rationale":7}`:                              "/rationale",
	} {
		_, err := route.ParseModel([]byte(doc))
		if e, ok := err.(*ui.Error); !ok || e.Code != route.CodeModel || e.Path != path {
			t.Errorf("%s: %v", doc, err)
		}
	}
}
