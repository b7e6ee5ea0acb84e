package execute

import (
	"fmt"
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// columnsOf reads the columns of an undeclared table: objects with
// name, type (text, number, enum, date, url; default text), required, options.
func columnsOf(list jsonx.Value) ([]ui.Field, error) {
	if list.Kind != jsonx.Array || len(list.Items) == 0 || len(list.Items) > 20 {
		return nil, ui.Errorf(CodePayload, "/columns", "a table needs 1 to 20 columns")
	}
	var out []ui.Field
	taken := map[string]bool{}
	for i, c := range list.Items {
		at := fmt.Sprintf("/columns/%d", i)
		label := c.At("name").Text()
		if c.Kind == jsonx.String {
			label = c.Str
		}
		name := keyOf(label, i)
		if label == "" || taken[name] {
			return nil, ui.Errorf(CodePayload, at+"/name", "a column needs a name of its own")
		}
		taken[name] = true
		f := ui.Field{Name: name, Label: label, Type: ui.TypeText, Required: c.At("required").Bool}
		switch t := c.At("type").Text(); t {
		case "", "text":
		case "number", "date", "url", "email", "boolean":
			f.Type = ui.FieldType(t)
		case "enum", "choice":
			f.Type = ui.TypeChoice
			for _, o := range c.At("options").Items {
				f.Options = append(f.Options, ui.Option{Value: o.Text()})
			}
		default:
			return nil, ui.Errorf(CodePayload, at+"/type", "unknown column type")
		}
		if err := f.Validate(); err != nil {
			return nil, &ui.Error{Code: CodePayload, Path: at, Message: "the column is not well declared", Err: err}
		}
		out = append(out, f)
	}
	return out, nil
}

// keyOf makes a key from a label: lower-case ASCII letters and digits, other
// runs become '_'.
func keyOf(label string, i int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(label) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	key := strings.Trim(b.String(), "_")
	if len(key) > 40 {
		key = key[:40]
	}
	if !ui.ValidKey(key) {
		return fmt.Sprintf("c%d", i+1)
	}
	return key
}

// rowsOf reads rows given as objects by column name or label, or as lists of
// cells in column order. A member id names the row.
func rowsOf(list jsonx.Value, columns []ui.Field) (ui.Value, error) {
	var records []ui.Record
	order, taken := "", map[string]bool{}
	for _, item := range list.Items { // given ids first: a made one must not take theirs
		id := item.At("id").Text()
		if ui.ValidKey(id) && taken[id] {
			return ui.Value{}, ui.Errorf(CodePayload, "/rows", "two rows have the id %.64q", id)
		}
		taken[id] = true
	}
	for i, item := range list.Items {
		at := fmt.Sprintf("/rows/%d", i)
		cells := ui.Map()
		for j, c := range columns {
			raw := jsonx.Value{}
			switch item.Kind {
			case jsonx.Array:
				if j < len(item.Items) {
					raw = item.Items[j]
				}
			case jsonx.Object:
				raw = cellOf(item, c)
			default:
				return ui.Value{}, ui.Errorf(CodePayload, at, "a row is an object or a list of cells")
			}
			v, err := ui.ValueOf(raw)
			if err != nil || v.Kind() == ui.MapValue || v.Kind() == ui.RowsValue {
				return ui.Value{}, &ui.Error{Code: CodePayload, Path: at,
					Message: "a cell is a string, a number or a boolean", Err: err}
			}
			if !v.IsNull() {
				cells, _ = cells.With(c.Draft(v), c.Name)
			}
		}
		order = ui.OrderBetween(order, "")
		id := item.At("id").Text()
		if !ui.ValidKey(id) {
			id = worksheet.FreeRow(taken, i+1)
		}
		records = append(records, ui.Record{ID: id, Order: order, Cells: cells})
	}
	return ui.Rows(records...), nil
}

func cellOf(item jsonx.Value, c ui.Field) jsonx.Value {
	for _, m := range item.Members {
		if m.Key == c.Name || strings.EqualFold(m.Key, c.Label) {
			return m.Value
		}
	}
	return jsonx.Value{}
}
