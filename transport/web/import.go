package web

import (
	"errors"
	"strings"

	"github.com/limn-ui/limn/capture/sheet"
	draw "github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/tool"
	"github.com/limn-ui/limn/ui"
)

// attachEvent puts a stored file into the upload field that the fields of its
// post name. The file that a tool imports goes with its text, or with why it
// has none.
func attachEvent(blob *store.Blob, fields map[string]string) *ui.Event {
	context := []jsonx.Member{{Key: "id", Value: jsonx.Of(blob.ID)}, {Key: "name", Value: jsonx.Of(blob.Name)}, {Key: "type", Value: jsonx.Of(blob.Type)}}
	if ui.Path(fields[draw.FieldPath]) == tool.ImportPath {
		context = append(context, imported(blob)...)
	}
	return &ui.Event{V: ui.Version, Kind: ui.EventAction, Action: &ui.ActionEvent{
		Surface: fields[draw.FieldSurface], Nonce: fields[ingress.KeyNonce], Name: ui.ActionAttach, Form: true,
		Component: fields[draw.FieldPath], Context: jsonx.OfObject(context...)}}
}

func imported(blob *store.Blob) []jsonx.Member {
	text, info, err := sheet.Text(sheet.File{Name: blob.Name, MediaType: blob.Type, Data: blob.Body}, sheet.Limits{})
	if err == nil && len(text) > tool.MaxPaste {
		err = ui.Errorf(ui.CodeLimit, "", "the file holds more than %d KiB of text", tool.MaxPaste>>10)
	}
	if err != nil {
		var e *ui.Error
		if !errors.As(err, &e) {
			e = &ui.Error{Code: sheet.CodeUnreadable, Message: "the file cannot be read"}
		}
		return []jsonx.Member{{Key: "code", Value: jsonx.Of(string(e.Code))}, {Key: "why", Value: jsonx.Of(strings.TrimSpace(e.Message + ". " + e.Hint))}}
	}
	return []jsonx.Member{{Key: "text", Value: jsonx.Of(text)}, {Key: "notes", Value: jsonx.Of(strings.Join(info.Notes(), " "))}}
}
