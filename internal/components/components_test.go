package components

import (
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

func TestCatalogs(t *testing.T) {
	list := Dialects()
	if len(list) == 0 {
		t.Fatal("no version has the catalog")
	}
	for _, d := range list {
		c := For(d)
		if !c.Fits(d.Protocol()) || c.ID != ID(d) || c.Document.ID() != c.ID {
			t.Errorf("%s: id %q, protocol %q", d, c.ID, c.Protocol)
		}
		for _, name := range Names() {
			def := c.Components[name]
			if def == nil || len(def.Props) < 3 || def.Open {
				t.Fatalf("%s: %s is %+v", d, name, def)
			}
		}
		for name := range a2ui.Basic(d).Components {
			if c.Components[name] == nil {
				t.Errorf("%s lacks the basic %s", d, name)
			}
		}
		for name := range a2ui.Basic(d).Functions {
			if c.Functions[name] == nil {
				t.Errorf("%s lacks the basic function %s", d, name)
			}
		}
	}
	if For(a2ui.V08) != nil {
		t.Error("v0.8 has a catalog, though its data hold no lists")
	}
}

func TestNamed(t *testing.T) {
	for file, id := range map[string]string{"v0_9.json": ID(a2ui.V09), "v1_0.json": ID(a2ui.V10), "v0_8.json": "",
		"v0_9_1.json": "", "v1_0-rc.json": "", "x": "", "": ""} {
		got := ""
		if c := Named(file); c != nil {
			got = c.ID
		}
		if got != id {
			t.Errorf("%s: %q, want %q", file, got, id)
		}
	}
}
