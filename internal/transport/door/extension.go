package door

import (
	"slices"
	"strconv"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/turn"
)

// memberExtensions is the member of a client's capabilities that names the extensions to A2UI
// that it knows.
const memberExtensions = "extensions"

// Extended is a drawing for clients of extensions to A2UI. path says where they are named. Of
// one that the application does not offer, or not for that drawing, the error names those known.
func Extended(a *app.App, t deliver.Target, path string, names ...string) (deliver.Target, error) {
	for i, name := range names {
		switch {
		case slices.Contains(names[:i], name):
		case !slices.Contains(a.Config().Extensions, name) || t.HTML == nil && !t.A2UI.Dialect.Features().BareValues:
			return t, turn.NoExtension(a, path, name)
		default:
			t.Syncs = true // the only one there is
		}
	}
	return t, nil
}

// Speaks is Extended by the capabilities that a client sent for the version of a drawing.
func Speaks(a *app.App, t deliver.Target, caps map[a2ui.Dialect]a2ui.Capabilities) (deliver.Target, error) {
	for _, m := range caps[t.A2UI.Dialect].Extra {
		if m.Key != memberExtensions {
			continue
		}
		for i, v := range m.Value.Items {
			path := "capabilities/" + memberExtensions + "/" + strconv.Itoa(i)
			var err error
			if t, err = Extended(a, t, path, v.Text()); err != nil || v.Kind != jsonx.String || i == mostCatalogs {
				return t, err
			}
		}
	}
	return t, nil
}
