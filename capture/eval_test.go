package capture_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/limn-ui/limn/capture"
	"github.com/limn-ui/limn/ui"
)

const evalFile = "../../shared/eval/capture.jsonl"

type evalLine struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Input   string `json:"input"`
	Stated  int    `json:"stated_count"`
	Approx  bool   `json:"approx"`
	Columns []struct {
		Name     string   `json:"name"`
		Type     string   `json:"type"`
		Required bool     `json:"required"`
		Options  []string `json:"options"`
	} `json:"columns"`
}

func (l evalLine) fields() []ui.Field {
	var out []ui.Field
	for _, c := range l.Columns {
		f := ui.Field{Name: strings.ToLower(c.Name), Label: c.Name, Type: ui.FieldType(c.Type), Required: c.Required}
		if c.Type == "enum" {
			f.Type = ui.TypeChoice
		}
		for _, o := range c.Options {
			f.Options = append(f.Options, ui.Option{Value: o})
		}
		out = append(out, f)
	}
	return out
}

func predict(l evalLine) map[string]any {
	out := map[string]any{"id": l.ID}
	sub := capture.Submission{Stated: l.Stated, Approx: l.Approx}
	if l.Kind == "table" {
		rows := capture.Table(l.Input, l.fields())
		label := map[string]any{"": nil}
		for _, f := range rows.Columns {
			label[f.Name] = f.Label
		}
		records := []map[string]any{}
		for _, r := range rows.Rows {
			rec := map[string]any{}
			for c, f := range rows.Columns {
				rec[f.Label] = json.RawMessage(r.Cells[c].Value.AppendJSON(nil))
			}
			records = append(records, rec)
		}
		errs := []map[string]any{}
		for _, e := range rows.Errors {
			errs = append(errs, map[string]any{"row": e.Row, "col": label[e.Col], "code": e.Code})
		}
		out["rows"], out["errors"] = records, errs
		sub.Columns, sub.Rows = rows.Columns, rows.Value()
	} else {
		m := capture.Process(l.Input)
		steps, edges := []map[string]any{}, []map[string]any{}
		for _, s := range m.Steps {
			steps = append(steps, map[string]any{"step_name": s.Name, "owner": s.Owner})
		}
		for _, e := range m.Edges {
			edges = append(edges, map[string]any{"from": e.From, "to": e.To, "type": e.Kind})
		}
		out["steps"], out["edges"] = steps, edges
		sub.Rows, sub.Edges = m.Rows()
	}
	surfaced := []string{}
	for _, w := range capture.Shown(capture.Validate(sub)) {
		surfaced = append(surfaced, w.Check)
	}
	out["surfaced"] = surfaced
	return out
}

// TestEval reads every labelled paste. With CAPTURE_EVAL_OUT=file it writes the
// predictions in the form score_capture.py reads; the scorer has the figures.
func TestEval(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(evalFile)
	if err != nil {
		t.Skipf("the labelled pastes are missing: %v", err)
	}
	var pred bytes.Buffer
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		var l evalLine
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(predict(l))
		if err != nil {
			t.Fatal(err)
		}
		pred.Write(append(line, '\n'))
	}
	if out := os.Getenv("CAPTURE_EVAL_OUT"); out != "" {
		if err := os.WriteFile(out, pred.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
