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
	var model tree
	for _, m := range e.Action.Context.Members { // paths below /draft
		model.set(ui.Path(m.Key).Segments(), m.Value)
	}
	return &ui.Event{V: ui.Version, Kind: ui.EventDraft,
		Model: jsonx.OfObject(jsonx.Member{Key: id, Value: model.object()})}, nil
}

// tree is an object that is built of many paths, or a value in it.
type tree struct {
	value jsonx.Value // without keys
	keys  []string    // in the order in which they came
	below map[string]*tree
}

// set sets the value at a path.
func (t *tree) set(at []string, value jsonx.Value) {
	for _, key := range at {
		next := t.below[key]
		if next == nil {
			if t.below == nil {
				t.below = map[string]*tree{}
			}
			next = &tree{}
			t.below[key], t.keys = next, append(t.keys, key)
		}
		t = next
	}
	*t = tree{value: value}
}

func (t *tree) object() jsonx.Value {
	members := make([]jsonx.Member, len(t.keys))
	for i, key := range t.keys {
		members[i].Key, members[i].Value = key, t.below[key].value
		if t.below[key].below != nil {
			members[i].Value = t.below[key].object()
		}
	}
	return jsonx.OfObject(members...)
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
