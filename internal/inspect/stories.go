package inspect

import (
	"fmt"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
)

// openers are the directives that open what an application declares, by the kind of surface.
var openers = map[string]string{"form": directive.TypeShowForm, "table": directive.TypeShowTable,
	"map": directive.TypeShowMap, "view": directive.TypeShowView}

// Stories are envelopes that open each surface of the application, and messages to begin with.
func (env Env) Stories() (list []Story) {
	for _, o := range env.App.Openings() {
		list = append(list, Story{"This application", o.Title, Source{Kind: KindDirectives, Text: opener(o)}})
	}
	return append(list, Story{"A2UI", "A greeting", Source{Kind: KindA2UI, Text: greeting}})
}

func opener(o app.Opening) string {
	return fmt.Sprintf(`{
  "assistant_text": "",
  "directives": [
    {"type": %q, "payload": {"name": %q}}
  ]
}
`, openers[o.Origin.Kind], o.Origin.Template)
}

const greeting = `[
  {"version": "v0.9", "createSurface": {"surfaceId": "hello",
    "catalogId": "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}},
  {"version": "v0.9", "updateComponents": {"surfaceId": "hello", "components": [
    {"id": "root", "component": "Column", "children": ["title", "name"]},
    {"id": "title", "component": "Text", "text": "Hello", "variant": "h1"},
    {"id": "name", "component": "TextField", "label": "Your name", "value": {"path": "/name"}}
  ]}},
  {"version": "v0.9", "updateDataModel": {"surfaceId": "hello", "path": "/name", "value": "Ada"}}
]
`
