package a2ui_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

func ExampleNegotiate() {
	client := a2ui.Capabilities{Catalogs: []string{"https://a2ui.org/specification/v0_9/basic_catalog.json"}}
	id, err := a2ui.Negotiate(a2ui.CatalogID(a2ui.V09), a2ui.Aliases(), client)
	fmt.Println(id, err)
	_, err = a2ui.Negotiate("https://example.com/charts.json", nil, client)
	fmt.Println(errors.Is(err, a2ui.CapabilityCatalog))
	// Output:
	// https://a2ui.org/specification/v0_9/basic_catalog.json <nil>
	// true
}

func TestNegotiate(t *testing.T) {
	t.Parallel()
	aliases := map[string]string{"mine": "pinned", "": "pinned"}
	for want, catalogs := range map[string][]string{"pinned": {"mine", "pinned"}, "mine": {"other", "mine"}} {
		if id, err := a2ui.Negotiate("pinned", aliases, a2ui.Capabilities{Catalogs: catalogs}); id != want ||
			err != nil {
			t.Errorf("%v: %q, %v", catalogs, id, err)
		}
	}
	inline := []a2ui.Data{parse(t, `{"catalogId":"pinned"}`)}
	for _, c := range []a2ui.Capabilities{{}, {Catalogs: []string{"other"}},
		{Catalogs: []string{"other"}, Inline: inline}} {
		var p *a2ui.Problem
		if id, err := a2ui.Negotiate("pinned", aliases, c); id != "" || !errors.As(err, &p) || p.Hint == "" ||
			!errors.Is(err, a2ui.CapabilityCatalog) {
			t.Errorf("%v: %q, %v", c.Catalogs, id, err)
		}
	}
	for alias, id := range a2ui.Aliases() {
		if a2ui.CatalogID(a2ui.V09) != id && a2ui.CatalogID(a2ui.V10) != id {
			t.Errorf("%s is an alias of nothing: %s", alias, id)
		}
	}
}
