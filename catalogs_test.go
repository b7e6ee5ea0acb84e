package limn

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

const brandID = "https://brand.example/catalog.json"

// brand is a catalog of v0.9 with an id of its own.
func brand(components ...string) *a2ui.Catalog {
	c := *a2ui.Basic(a2ui.V09)
	if len(components) > 0 {
		c = *c.Prune(components...)
	}
	c.ID, c.Protocol = brandID, a2ui.V09.Protocol()
	return &c
}

const twoForms = `name: t
catalogs: {"form:a": "` + brandID + `"}
forms:
  - {name: a, fields: [{name: x}]}
  - {name: b, fields: [{name: x}]}
`

// TestCatalogs: a surface has the catalog that the application names, in the version it is
// for; others, and other versions, have the basic one.
func TestCatalogs(t *testing.T) {
	t.Parallel()
	a := limntest.Must(app.Load("f.yaml", []byte(twoForms)))
	c := Config{App: a, Targets: []string{"v0.9", "v0.8"}, Catalogs: []*a2ui.Catalog{brand()}}
	s := a.NewState("c")
	for _, f := range a.Config().Forms {
		frame := &ui.Frame{Seq: s.Seq + 1, Ops: ui.Ops{a.OpenForm(f, ui.Map()).Op("n")}}
		next, _, err := ui.Apply(s, frame, ui.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	for _, d := range limntest.Must(c.Drawings(nil)) {
		batches := limntest.Must(compile.Snapshot(d.A2UI, s))
		got := map[string]string{}
		for _, m := range batches.Messages() {
			if m, ok := m.(*a2ui.CreateSurface); ok {
				got[m.SurfaceID] = m.CatalogID
			}
		}
		basic := a2ui.CatalogID(d.A2UI.Dialect)
		own := brandID
		if d.Name == "v0.8" {
			own = basic
		}
		if got["form:a#e=1"] != own || got["form:b#e=1"] != basic {
			t.Errorf("%s: %v", d.Name, got)
		}
	}
	for why, catalogs := range map[string][]*a2ui.Catalog{
		"has none with the id":                  nil,
		"cannot draw form:a in A2UI v0.9: A2UI": {brand("Column", "Row", "Text", "Button")},
	} {
		c.Catalogs = catalogs
		_, err := New(c)
		if e, ok := errors.AsType[*ConfigError](err); !ok || e.Field != "Catalogs" || !strings.Contains(e.Why, why) {
			t.Errorf("want %q, got %v", why, err)
		}
	}
}

// TestCatalogsOfClients: a client that lists its catalogs must know those of all surfaces.
func TestCatalogsOfClients(t *testing.T) {
	t.Parallel()
	a := limntest.Must(app.Load("f.yaml", []byte(twoForms)))
	c := limntest.Serve(t, limntest.Must(New(Config{App: a, Catalogs: []*a2ui.Catalog{brand()}}))).Create()
	basic := "catalog=" + a2ui.CatalogID(a2ui.V09)
	for query, want := range map[string]int{basic + "&catalog=" + brandID: http.StatusOK, basic: http.StatusNotAcceptable,
		"": http.StatusOK} {
		if got := c.Do("GET", "/v1/conversations/"+c.ID+"/a2ui?version=v0.9&"+query, ""); got.StatusCode != want {
			t.Errorf("%s: %d, want %d: %s", query, got.StatusCode, want, got.Text)
		}
	}
}
