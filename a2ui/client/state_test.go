package client

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/a2ui"
)

// TestState: what a client holds can be read, by surface.
func TestState(t *testing.T) {
	t.Parallel()
	theme := parse(`{"primaryColor":"#00ff00"}`)
	c := start(t, a2ui.V09, Strict,
		&a2ui.CreateSurface{SurfaceID: "s", CatalogID: "k", Theme: theme, SendDataModel: true}, create("other"),
		comps("s", comp("root", "Card", "child", a2ui.Ref("a")), comp("a", "Text", "text", "x")), data("s", "/n", `1`),
		data("other", "/n", `2`))
	got, ok := c.State("s")
	want := State{Created: true, CatalogID: "k", Root: "root", Theme: theme, SendDataModel: true,
		Data:       parse(`{"n":1}`),
		Components: []a2ui.Component{comp("a", "Text", "text", "x"), comp("root", "Card", "child", a2ui.Ref("a"))}}
	if diff := cmp.Diff(want, got, cmp.Transformer("json", asJSON)); diff != "" || !ok {
		t.Errorf("known %v (-want +got)\n%s", ok, diff)
	}
	if _, ok := c.State("nobody"); ok {
		t.Error("an unknown surface has a state")
	}
	if diff := cmp.Diff([]a2ui.Member{{Key: "s", Value: parse(`{"n":1}`)}}, c.DataModels(),
		cmp.Transformer("json", asJSON)); diff != "" {
		t.Errorf("the models of the surfaces that asked (-want +got)\n%s", diff)
	}
}

// TestApplyAll: a message that fails does not stop the turn, and a clone takes
// all or none.
func TestApplyAll(t *testing.T) {
	t.Parallel()
	c := start(t, a2ui.V09, Strict, create("s"))
	before, twin := c.ExactHash("s"), c.Clone()
	failed := twin.ApplyAll([]a2ui.Message{data("s", "/a", `1`), data("none", "/a", `1`), data("s", "/b", `2`),
		create("t")})
	if len(failed) != 1 || failed[0].Code != stateError || failed[0].Surface != "none" {
		t.Errorf("failed %v", failed)
	}
	if d, _ := twin.Data("s"); asJSON(d) != `{"a":1,"b":2}` {
		t.Errorf("the clone holds %s", asJSON(d))
	}
	if c.ExactHash("s") != before || len(c.Surfaces()) != 1 {
		t.Error("the clone changed what it was made from")
	}
}

// TestCatalogs: a client takes the component types of its catalogs and draws
// those it knows nothing of as Unknown.
func TestCatalogs(t *testing.T) {
	t.Parallel()
	chart := comp("root", "Chart")
	custom := &a2ui.Catalog{ID: "charts", Components: map[string]*a2ui.ComponentDef{"Chart": {Name: "Chart"}}}
	for _, c := range []struct {
		cfg  Config
		want Code
	}{
		{Config{Dialect: a2ui.V09}, validationError},
		{Config{Dialect: a2ui.V09, AnyComponent: true}, ""},
		{Config{Dialect: a2ui.V09, Catalogs: []*a2ui.Catalog{a2ui.Basic(a2ui.V09), custom}}, validationError},
		{Config{Dialect: a2ui.V09, Catalogs: []*a2ui.Catalog{custom}}, ""},
	} {
		r := With(c.cfg)
		apply(t, r, &a2ui.CreateSurface{SurfaceID: "s", CatalogID: r.Capabilities().Catalogs[0]})
		if got := codeOf(r.Apply(comps("s", chart))); got != c.want {
			t.Errorf("%+v: code %q, want %q", c.cfg, got, c.want)
		}
	}
	if diff := cmp.Diff([]string{a2ui.CatalogID(a2ui.V09), "charts"}, With(Config{Dialect: a2ui.V09,
		Catalogs: []*a2ui.Catalog{a2ui.Basic(a2ui.V09), custom}}).Capabilities().Catalogs); diff != "" {
		t.Error(diff)
	}
}

func TestResolvePath(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"/a", "/l/0", "/a"}, {"a", "/l/0", "/l/0/a"}, {"a", "/l/0/", "/l/0/a"}, {"a", "", "/a"}, {"a", "/", "/a"},
		{"", "/l/0", "/l/0"}, {".", "/l/0", "/l/0"}, {"", "", "/"}, {"", "/", "/"},
	} {
		if got := ResolvePath(c[0], c[1]); got != c[2] {
			t.Errorf("ResolvePath(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
