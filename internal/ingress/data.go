package ingress

import (
	"strconv"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// CodeData is data of the application that no view could show.
const CodeData ui.Code = "DATA_INVALID"

// TopicID is the id of the conversation that has the newest value of a topic.
func TopicID(name string) string { return "topic:" + name }

// maxDataDepth is how deep data of the application may be nested: paths have 8 segments.
const maxDataDepth = 7

// DecodeData reads a JSON object of names and their data, to be merged into the
// data there. Errors are CodeData and CodeTooLarge, with the path of the fault.
func DecodeData(body []byte, lim Limits) (*ui.Event, error) {
	v, err := DecodeValue(body, lim)
	if err != nil {
		return nil, err
	}
	if v.Kind() != ui.MapValue || v.Empty() {
		return nil, &ui.Error{Code: CodeData, Message: "want an object of names and their data",
			Hint: `send {"sales":{"total":12}}`}
	}
	return &ui.Event{V: ui.Version, Kind: ui.EventData, Data: v, Merge: true}, nil
}

// DataEvent is the event that replaces the data of one name.
func DataEvent(name string, v ui.Value) *ui.Event {
	return &ui.Event{V: ui.Version, Kind: ui.EventData, Data: ui.Map(ui.Pair{Key: name, Value: v})}
}

// DecodeValue reads data of the application, any JSON with names for keys. A list holds
// texts, or numbers, which become texts, or objects, which become rows: their ids are
// their members id where that is a name, else they are numbered.
func DecodeValue(body []byte, lim Limits) (ui.Value, error) {
	lim = lim.withDefaults()
	v, err := jsonx.Parse(body, lim.json())
	if err != nil {
		err = jsonError(err)
		if ui.CodeOf(err) == CodeEnvelope {
			err = &ui.Error{Code: CodeData, Message: "not JSON", Hint: "send one JSON value", Err: err}
		}
		return ui.Value{}, err
	}
	return dataOf("", v, maxDataDepth)
}

func dataOf(at string, v jsonx.Value, depth int) (ui.Value, error) {
	switch v.Kind {
	case jsonx.Array:
		return listOf(at, v.Items, depth)
	case jsonx.Object:
		return mapOf(at, v, depth)
	}
	return ui.ValueOf(v)
}

func mapOf(at string, v jsonx.Value, depth int) (ui.Value, error) {
	if depth == 0 {
		return ui.Value{}, dataError(at, "nested too deep", "views show what is up to "+strconv.Itoa(maxDataDepth)+
			" levels deep")
	}
	pairs := make([]ui.Pair, len(v.Members))
	for i, m := range v.Members {
		if !ui.ValidKey(m.Key) {
			return ui.Value{}, dataError(at, "a name that no view can refer to",
				"names are a-z, then up to 63 of a-z, 0-9, _ and -")
		}
		child, err := dataOf(at+"/"+m.Key, m.Value, depth-1)
		if err != nil {
			return ui.Value{}, err
		}
		pairs[i] = ui.Pair{Key: m.Key, Value: child}
	}
	return ui.Map(pairs...), nil
}

func listOf(at string, items []jsonx.Value, depth int) (ui.Value, error) {
	if len(items) > 0 && items[0].Kind == jsonx.Object {
		return rowsOf(at, items, depth)
	}
	texts := make([]string, len(items))
	for i, item := range items {
		if item.Kind != jsonx.String && item.Kind != jsonx.Number {
			return ui.Value{}, mixed(at + "/" + strconv.Itoa(i))
		}
		texts[i] = item.Str
	}
	return ui.Strings(texts...), nil
}

func rowsOf(at string, items []jsonx.Value, depth int) (ui.Value, error) {
	rows, taken, order := make([]ui.Record, len(items)), make(map[string]bool, len(items)), ""
	for i, item := range items {
		here := at + "/" + strconv.Itoa(i)
		if item.Kind != jsonx.Object {
			return ui.Value{}, mixed(here)
		}
		cells, err := mapOf(here, item, depth-1)
		if err != nil {
			return ui.Value{}, err
		}
		id := item.At("id").Text()
		if !ui.ValidKey(id) || taken[id] {
			id = "n" + strconv.Itoa(i+1)
		}
		if taken[id] {
			return ui.Value{}, dataError(here, "two rows have the same id", "give each row an id of its own")
		}
		taken[id], order = true, ui.OrderBetween(order, "")
		rows[i] = ui.Record{ID: id, Order: order, Cells: cells}
	}
	return ui.Rows(rows...), nil
}

func mixed(at string) error {
	return dataError(at, "a list of different things", "a list holds texts, numbers or objects, all of one kind")
}

func dataError(at, message, hint string) error {
	return &ui.Error{Code: CodeData, Path: at, Message: message, Hint: hint}
}
