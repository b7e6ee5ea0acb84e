package execute

import (
	"fmt"
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// columnsOf reads the columns of an undeclared table.
func columnsOf(list jsonx.Value) ([]ui.Field, error) {
	columns, fault := route.Columns(list)
	if fault != nil {
		return nil, &ui.Error{Code: CodePayload, Path: "/columns" + fault.Path, Message: fault.Message, Err: fault.Err}
	}
	return columns, nil
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
