package route

import (
	"fmt"
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Columns reads the columns that a model proposes for a table: names, or objects with
// name, type (text, number, enum, date, url; default text), required and options.
// The path of an error begins at the list.
func Columns(list jsonx.Value) ([]ui.Field, *ui.Error) { return columns(list, false) }

// columns reads them. With open, an enum without options, which the tool menu does not
// name, is text.
func columns(list jsonx.Value, open bool) ([]ui.Field, *ui.Error) {
	if list.Kind != jsonx.Array || len(list.Items) == 0 || len(list.Items) > 20 {
		return nil, ui.Errorf(CodeModel, "", "a table needs 1 to 20 columns")
	}
	var out []ui.Field
	taken := map[string]bool{}
	for i, c := range list.Items {
		at := fmt.Sprintf("/%d", i)
		label := c.At("name").Text()
		if c.Kind == jsonx.String {
			label = c.Str
		}
		name := keyOf(label, i)
		if label == "" || taken[name] {
			return nil, ui.Errorf(CodeModel, at+"/name", "a column needs a name of its own")
		}
		taken[name] = true
		f := ui.Field{Name: name, Label: label, Type: ui.TypeText, Required: c.At("required").Bool}
		switch t := c.At("type").Text(); t {
		case "", "text":
		case "number", "date", "url", "email", "boolean":
			f.Type = ui.FieldType(t)
		case "enum", "choice":
			f.Type = ui.TypeChoice
			if open && len(c.At("options").Items) == 0 {
				f.Type = ui.TypeText
			}
			for _, o := range c.At("options").Items {
				f.Options = append(f.Options, ui.Option{Value: o.Text()})
			}
		default:
			return nil, ui.Errorf(CodeModel, at+"/type", "unknown column type")
		}
		if err := f.Validate(); err != nil {
			return nil, &ui.Error{Code: CodeModel, Path: at, Message: "the column is not well declared", Err: err}
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
