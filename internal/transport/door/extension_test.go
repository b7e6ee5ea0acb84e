package door_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// TestSpeaks: what capabilities name under extensions is used if the application offers it,
// for the version they are of, and else answered with what it offers.
func TestSpeaks(t *testing.T) {
	t.Parallel()
	a, err := app.New(app.Config{Name: "t", Extensions: []string{app.DataSync}})
	if err != nil {
		t.Fatal(err)
	}
	for extensions, want := range map[string]string{
		`"x":1`: "", `"extensions":[]`: "", `"extensions":["data-sync/1"]`: "shares",
		`"extensions":["data-sync/1","data-sync/1"]`: "shares", `"extensions":["x/1"]`: "refused",
		`"extensions":["data-sync/1","x/1"]`: "refused", `"extensions":[7]`: "refused", `"extensions":7`: "",
		`"extensions":[` + strings.Repeat(`"data-sync/1",`, 1000) + `"data-sync/1"]`: "shares",
	} {
		caps, err := a2ui.DecodeCapabilities([]byte(`{"v0.9":{"supportedCatalogIds":[],`+extensions+`}}`), a2ui.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := door.Speaks(a, deliver.Target{A2UI: compile.Target{Dialect: a2ui.V09}}, caps)
		switch refused := ui.CodeOf(err) == recovery.CodeExtension; {
		case refused != (want == "refused") || !refused && err != nil || got.Syncs != (want == "shares") && !refused:
			t.Errorf("%.60s: %v, %v; want %q", extensions, got.Syncs, err, want)
		case refused && !strings.Contains(ui.AsError(err, "", "").Hint, app.DataSync):
			t.Errorf("%s: it does not say what is known: %v", extensions, err)
		}
		if other, err := door.Speaks(a, deliver.Target{A2UI: compile.Target{Dialect: a2ui.V10}}, caps); other.Syncs || err != nil {
			t.Errorf("%s: of another version: %v", extensions, err)
		}
	}
	caps, err := a2ui.DecodeCapabilities([]byte(`{"v0.8":{"supportedCatalogIds":[],"extensions":["data-sync/1"]}}`), a2ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := door.Speaks(a, deliver.Target{A2UI: compile.Target{Dialect: a2ui.V08}}, caps); ui.CodeOf(err) != recovery.CodeExtension ||
		!strings.Contains(err.Error(), "is not offered for this drawing") {
		t.Errorf("v0.8: %v", err)
	}
}
