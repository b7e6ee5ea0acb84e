package components

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
)

//go:embed limn.json
var own []byte

// Names are the components that the basic catalog does not have.
func Names() []string { return []string{"DataGrid", "ProcessMap", "Fold", "Chart"} }

// Catalog is Limn's own catalog for one version.
type Catalog struct {
	*a2ui.Catalog
	Document *catalog.Document
}

// ID is the id of the catalog for clients of a dialect: one for all that share a basic catalog.
func ID(d a2ui.Dialect) string { return builtin.Catalogs + File(d) }

// File is the last part of the id.
func File(d a2ui.Dialect) string {
	if d.Features().Inline {
		return "v1_0.json"
	}
	return "v0_9.json"
}

// For returns the catalog for clients of a dialect. It returns nil for v0.8, which has no
// objects in properties, and no lists in data.
func For(d a2ui.Dialect) *Catalog { return all()[d] }

var all = sync.OnceValue(func() map[a2ui.Dialect]*Catalog {
	out := map[a2ui.Dialect]*Catalog{}
	for d := a2ui.V08; a2ui.Basic(d) != nil; d++ {
		if d.Features().FlatData {
			continue
		}
		c, err := build(d)
		if err != nil {
			panic(fmt.Sprintf("Limn's catalog for %s: %v", d, err)) // a test builds all of them
		}
		out[d] = c
	}
	return out
})

// build puts the components beside those of the basic catalog.
func build(d a2ui.Dialect) (*Catalog, error) {
	mine, err := jsonx.Parse(own, jsonx.Limits{})
	if err != nil {
		return nil, err
	}
	basic := catalog.Describe(a2ui.Basic(d), d).Data()
	components := basic.At("components")
	sample := components.At("Divider")
	for _, c := range mine.At("components").Members {
		components.Members = append(components.Members, a2ui.Member{Key: c.Key, Value: like(sample, c)})
	}
	whole := jsonx.OfObject(a2ui.Member{Key: "catalogId", Value: jsonx.Of(ID(d))},
		a2ui.Member{Key: "components", Value: components}, a2ui.Member{Key: "$defs", Value: mine.At("$defs")})
	for _, m := range basic.Members {
		if m.Key == "functions" || m.Key == d.Features().ThemeMember {
			whole.Members = append(whole.Members, m)
		}
	}
	doc, err := catalog.NewDocument(whole, catalog.Options{Dialect: d})
	if err != nil {
		return nil, err
	}
	if doc, err = catalog.NewDocument(doc.Schema(), catalog.Options{Dialect: d}); err != nil {
		return nil, err
	}
	tables, err := doc.Compile()
	return &Catalog{tables, doc}, err
}

// like gives a component the frame that those of the basic catalog have in this version:
// what all components share, and whether other properties are allowed.
func like(sample a2ui.Data, c a2ui.Member) a2ui.Data {
	out := jsonx.OfObject()
	for _, m := range sample.Members {
		switch m.Key {
		case "properties":
			all := jsonx.OfObject(a2ui.Member{Key: "component",
				Value: jsonx.OfObject(a2ui.Member{Key: "const", Value: jsonx.Of(c.Key)})},
				a2ui.Member{Key: "weight", Value: m.Value.At("weight")})
			all.Members = append(all.Members, c.Value.At("properties").Members...)
			m.Value = all
		case "required":
			m.Value = jsonx.OfArray(append([]a2ui.Data{jsonx.Of("component")}, c.Value.At("required").Items...)...)
		}
		out.Members = append(out.Members, m)
	}
	out.Members = append(out.Members, a2ui.Member{Key: "description", Value: c.Value.At("description")})
	return out
}

// Named returns the catalog whose id ends in file, nil for none.
func Named(file string) *Catalog {
	d, err := a2ui.ParseDialect(strings.ReplaceAll(strings.TrimSuffix(file, ".json"), "_", "."))
	if err != nil || For(d) == nil || File(d) != file {
		return nil
	}
	return For(d)
}

// Dialects lists the versions that have the catalog, in order.
func Dialects() []a2ui.Dialect { return slices.Sorted(maps.Keys(all())) }
