package mcp

import (
	_ "embed"
	"io/fs"
	"net/url"
	"strings"

	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
	"github.com/limn-ui/limn/web"
)

// appURI is the address of the app.
const appURI = "ui://limn/surfaces"

// appMeta describes the app to a host: it loads nothing from anywhere.
var appMeta = map[string]any{"ui": map[string]any{"prefersBorder": true, "csp": map[string]any{}}}

//go:embed app.js
var appScript string

// appPage is the page of the app, complete: hosts let it load nothing.
func appPage() []byte {
	file := func(name string) string {
		b, _ := fs.ReadFile(web.Page(), name) // embedded
		return string(b)
	}
	return []byte(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" ` +
		`content="width=device-width"><title>Limn</title><style>` + file("limn.css") +
		`body{margin:0;padding:8px;background:transparent}</style></head><body><div hidden>` + file("icons.svg") +
		`</div><main id="limn"><p id="limn-status" role="status"></p><section id="limn-surfaces"></section></main>` +
		`<script>` + appScript + `</script></body></html>`)
}

// appCall answers a tool of the app.
func (v *visit) appCall(name string, arguments jsonx.Value) error {
	names := []string{"surface", "fields"}
	if name == toolSurface {
		names = names[:1]
	}
	if err := takes(arguments, names...); err != nil {
		return err
	}
	uri := arguments.At("surface").Text()
	conv, id, ok := parseURI(uri)
	if uri != "" && !ok {
		return wrong(invalidParams, "/params/arguments/surface", "not the address of a surface",
			"resources/list has those there are")
	}
	t, err := v.open(conv)
	if err != nil {
		return err
	}
	if name != toolSurface {
		e, err := posted(name, id, arguments.At("fields").Text(), v.Limits())
		if err != nil {
			return door.At(err, "/params/arguments/fields")
		}
		if err := t.take(e); err != nil {
			return err
		}
	} else {
		t.done, t.outcome.Kind = true, ui.OutcomeDone
	}
	return t.page(id)
}

// posted is the event of the fields of a form, as a browser would post them: a button that is
// pressed, or the values that were typed so far.
func posted(name, id, fields string, lim ingress.Limits) (*ui.Event, error) {
	if len(fields) > max(lim.Bytes, 1<<20) {
		return nil, &ui.Error{Code: ingress.CodeTooLarge, Message: "the fields are above the limit",
			Hint: "submit less at once"}
	}
	values, err := url.ParseQuery(fields)
	if err != nil {
		return nil, &ui.Error{Code: ingress.CodeEnvelope, Message: "the fields are not URL-encoded",
			Hint: "send them as a browser does"}
	}
	if name == toolDraft && values.Get("limn_component") == "" {
		values.Set("limn_component", "-")
	}
	e, err := ingress.DecodeForm(values, lim)
	if err != nil || name == toolSubmit {
		return e, err
	}
	model := jsonx.OfObject()
	for _, m := range e.Action.Context.Members { // paths below /draft
		model = with(model, ui.Path(m.Key).Segments(), m.Value)
	}
	return &ui.Event{V: ui.Version, Kind: ui.EventDraft,
		Model: jsonx.OfObject(jsonx.Member{Key: id, Value: model})}, nil
}

// with sets a value below an object.
func with(v jsonx.Value, at []string, value jsonx.Value) jsonx.Value {
	if len(at) == 0 {
		return value
	}
	was, _ := v.Get(at[0])
	if was.Kind != jsonx.Object {
		was = jsonx.OfObject()
	}
	next := jsonx.Member{Key: at[0], Value: with(was, at[1:], value)}
	for i, m := range v.Members {
		if m.Key == at[0] {
			v.Members[i] = next
			return v
		}
	}
	v.Members = append(v.Members, next)
	return v
}

// page answers with a surface as HTML, or with all of them.
func (t *turn) page(id string) error {
	o := t.html.HTML(t.now)
	o.Icons, o.Action, o.Uploads, o.Rows, o.Records = "#", "#", "", "", ""
	s := *t.now
	if id != "" {
		s.Surfaces = nil
		if sf := surface(t.now, id); sf != nil {
			s.Surfaces = []*ui.Surface{sf}
		} else if sf := sameName(t.now, id); sf != nil {
			s.Surfaces = []*ui.Surface{sf}
		}
	}
	drawn := string(html.AppendSnapshot(nil, &s, o))
	t.touched, t.gone, t.silent, t.drawnHTML = nil, nil, true, &drawn
	for _, sf := range s.Surfaces {
		t.touch(sf.Name)
	}
	return t.respond()
}

// sameName is the surface that took the place of one.
func sameName(s *ui.State, id string) *ui.Surface {
	name, _, _ := strings.Cut(id, "#")
	return s.Surface(ui.Name(name))
}
