package a2ui

import (
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// The kinds of Data: Data.Kind is one of them.
const (
	DataNull   = jsonx.Null
	DataBool   = jsonx.Bool
	DataNumber = jsonx.Number
	DataString = jsonx.String
	DataArray  = jsonx.Array
	DataObject = jsonx.Object
)

// ParseData reads one JSON value. Numbers stay as they are written, members in
// their order; a key that appears twice and text that is not UTF-8 are refused
// with a *Problem that has the line and column.
func ParseData(b []byte) (Data, error) {
	lim := Limits{}.WithDefaults()
	v, err := jsonx.Parse(b, wire.JSONLimits(lim))
	if err != nil {
		return Data{}, wire.FromJSON(err, b, wire.DataValue, LimitBytes)
	}
	return v, nil
}

// AppendData writes v as compact JSON.
func AppendData(dst []byte, v Data) []byte { return jsonx.Append(dst, v) }

// TextData is a Data value that holds a text.
func TextData(s string) Data { return jsonx.Of(s) }
