package route

import (
	"slices"
	"strconv"

	"github.com/limn-ui/limn/ui"
)

// CodePayload: the payload of a checkpoint was not written by this version. The
// session closes the tool and goes on in chat (facts R-62).
const CodePayload ui.Code = "ROUTE_PAYLOAD_INVALID"

// Value returns the parameters as a ui.Value, the payload of a checkpoint.
func (p *Params) Value() ui.Value {
	num := func(key string, n int) ui.Pair { return ui.Pair{Key: key, Value: ui.Int(int64(n))} }
	switch {
	case p == nil:
	case p.Table != nil:
		t := p.Table
		columns := make([]ui.Record, len(t.Columns))
		order := ""
		for i, f := range t.Columns {
			order = ui.OrderBetween(order, "")
			options, labels := make([]string, len(f.Options)), make([]string, len(f.Options))
			for k, o := range f.Options {
				options[k], labels[k] = o.Value, o.Text()
			}
			cells := []ui.Pair{
				ui.Pair{Key: "name", Value: ui.String(f.Name)}, ui.Pair{Key: "label", Value: ui.String(f.Label)},
				ui.Pair{Key: "type", Value: ui.String(string(f.Type))},
				ui.Pair{Key: "required", Value: ui.Bool(f.Required)},
				ui.Pair{Key: "options", Value: ui.Strings(options...)}}
			if !slices.Equal(options, labels) {
				cells = append(cells, ui.Pair{Key: "option_labels", Value: ui.Strings(labels...)})
			}
			columns[i] = ui.Record{ID: "c" + strconv.Itoa(i+1), Order: order, Cells: ui.Map(cells...)}
		}
		return ui.Map(ui.Pair{Key: "title", Value: ui.String(t.Title)},
			ui.Pair{Key: "columns", Value: ui.Rows(columns...)},
			num("min_rows", t.MinRows), num("starter_rows", t.StarterRows),
			ui.Pair{Key: "input_modes", Value: ui.Strings(t.InputModes...)},
			ui.Pair{Key: "summary_prompt", Value: ui.String(t.SummaryPrompt)}, num("stated", t.Stated),
			ui.Pair{Key: "approx", Value: ui.Bool(t.Approx)})
	case p.Map != nil:
		m := p.Map
		return ui.Map(ui.Pair{Key: "title", Value: ui.String(m.Title)},
			ui.Pair{Key: "required_fields", Value: ui.Strings(m.RequiredFields...)},
			ui.Pair{Key: "edge_types", Value: ui.Strings(m.EdgeTypes...)}, num("min_steps", m.MinSteps),
			ui.Pair{Key: "seed_nodes", Value: ui.Strings(m.SeedNodes...)}, num("stated", m.Stated))
	}
	return ui.Value{}
}

// ParamsOf reads what Value wrote for the tool. Errors have CodePayload.
func ParamsOf(tool string, v ui.Value) (*Params, error) {
	get := func(key string) ui.Value { x, _ := v.Get(key); return x }
	num := func(key string) int { f, _ := get(key).Float(); return int(max(0, min(f, maxStated))) }
	switch tool {
	case ui.ToolTable:
		t := &Table{Title: get("title").Text(), MinRows: num("min_rows"), StarterRows: num("starter_rows"),
			InputModes:    get("input_modes").List(),
			SummaryPrompt: get("summary_prompt").Text(), Stated: num("stated"), Approx: get("approx").True()}
		for _, r := range get("columns").Records() {
			cell := func(key string) ui.Value { x, _ := r.Cells.Get(key); return x }
			f := ui.Field{Name: cell("name").Text(), Label: cell("label").Text(),
				Type: ui.FieldType(cell("type").Text()), Required: cell("required").True()}
			labels := cell("option_labels").List()
			for k, o := range cell("options").List() {
				option := ui.Option{Value: o}
				if k < len(labels) && labels[k] != o {
					option.Label = labels[k]
				}
				f.Options = append(f.Options, option)
			}
			t.Columns = append(t.Columns, f)
		}
		p := &Params{Table: t}
		return p, p.check()
	case ui.ToolMap:
		m := &Map{Title: get("title").Text(), RequiredFields: get("required_fields").List(),
			EdgeTypes: get("edge_types").List(),
			MinSteps:  num("min_steps"), SeedNodes: get("seed_nodes").List(), Stated: num("stated")}
		p := &Params{Map: m}
		return p, p.check()
	}
	return nil, ui.Errorf(CodePayload, "", "no such tool")
}

// check holds parameters against the schema of the tool menu (seed §6); a tool
// of the app's own may ask for no rows at all, and the app says how many are the
// most. Errors have CodePayload.
func (p *Params) check() error {
	switch t, m := p.Table, p.Map; {
	case t != nil:
		if len(t.Columns) == 0 || len(t.InputModes) == 0 || t.Title == "" {
			return ui.Errorf(CodePayload, "columns", "a table needs a title, columns and a way to fill it")
		}
		for i, f := range t.Columns {
			if f.Name == "" || f.Type == ui.TypeChoice && len(f.Options) == 0 {
				return ui.Errorf(CodePayload, "columns/"+strconv.Itoa(i),
					"a column needs a name, and options for an enum")
			}
		}
	case m != nil && (m.MinSteps < 0 || m.MinSteps > maxSteps):
		return ui.Errorf(CodePayload, "min_steps", "a map has at most %d steps", maxSteps)
	case m != nil && (len(m.RequiredFields) == 0 || len(m.EdgeTypes) == 0 || m.Title == ""):
		return ui.Errorf(CodePayload, "required_fields", "a map needs a title, required fields and kinds of edges")
	}
	return nil
}
