package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// supplied is one catalog that a case brings: its document and what the product
// compiled from it.
type supplied struct {
	doc json.RawMessage
	*a2ui.Catalog
}

// catalogFields are the members that bring catalogs.
var catalogFields = []string{"catalog", "catalogs", "catalogPath", "catalogPaths", "catalogSchema"}

// supplied returns the catalogs of a case for one dialect, none when the case
// only names a version.
func (c *testCase) supplied(d a2ui.Dialect) ([]supplied, error) {
	docs, err := c.catalogDocs()
	if err != nil {
		return nil, err
	}
	var list []supplied
	for _, doc := range docs {
		compiled, err := compileAs(doc.json, doc.dialect(d))
		if err != nil {
			return nil, fmt.Errorf("catalog: %w", err)
		}
		list = append(list, supplied{doc.json, compiled})
	}
	return list, nil
}

// catalogDoc is a document and the folder of the specification it stands in, ""
// for others.
type catalogDoc struct {
	json   json.RawMessage
	folder string
}

// dialect is the version of the folder when it is not the one of the case, d: the
// documents there do not all say it.
func (doc catalogDoc) dialect(d a2ui.Dialect) a2ui.Dialect {
	for _, folder := range specFolders {
		if folder.name == doc.folder && folder.dialect.Features() != d.Features() {
			return folder.dialect
		}
	}
	return d
}

// catalogDocs collects the documents of all the places a case may have them in.
func (c *testCase) catalogDocs() (docs []catalogDoc, err error) {
	add := func(raw json.RawMessage) error { // a document, or the path of one
		var name string
		doc := catalogDoc{json: raw}
		if json.Unmarshal(raw, &name) == nil {
			if doc.json, err = os.ReadFile(c.path(name)); err != nil {
				return err
			}
			doc.folder, _, _ = strings.Cut(strings.TrimPrefix(name, "../spec/"), "/")
		}
		docs = append(docs, doc)
		return nil
	}
	if raw := c.get("catalog"); raw != nil {
		var inline map[string]json.RawMessage
		if json.Unmarshal(raw, &inline) != nil { // a path
			err = add(raw)
		} else if schema := field(inline, "catalogSchema"); schema != nil {
			err = errors.Join(known(inline, "version", "protocolVersion", "s2cSchema", "commonTypesSchema",
				"catalogSchema"), add(schema))
		} else if inline["catalogId"] != nil || inline["components"] != nil || inline["functions"] != nil ||
			inline["theme"] != nil {
			err = add(raw)
		} else {
			err = known(inline, "version", "protocolVersion", "s2cSchema", "commonTypesSchema")
		}
	}
	if raw := field(c.Raw, "catalogSchema"); raw != nil && err == nil {
		err = add(raw)
	}
	if raw := field(c.Raw, "catalogPath"); raw != nil && err == nil {
		err = add(raw)
	}
	for _, name := range []string{"catalogPaths", "catalogs"} {
		raw := field(c.Raw, name)
		if raw == nil || err != nil {
			continue
		}
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			var byID map[string]json.RawMessage
			if err = json.Unmarshal(raw, &byID); err != nil {
				break
			}
			for _, id := range slices.Sorted(maps.Keys(byID)) {
				list = append(list, byID[id])
			}
		}
		for _, item := range list {
			if err == nil {
				err = add(item)
			}
		}
	}
	return docs, err
}

var compiledCatalogs sync.Map // dialect and document → *a2ui.Catalog

// compileAs compiles a document for the dialect it names, else for d.
func compileAs(doc json.RawMessage, d a2ui.Dialect) (*a2ui.Catalog, error) {
	var head struct{ ProtocolVersion string }
	_ = json.Unmarshal(doc, &head)
	if head.ProtocolVersion != "" {
		own, err := dialectOf(withV(head.ProtocolVersion), "")
		if err != nil {
			return nil, err
		}
		if own.Protocol() != d.Protocol() {
			d = own
		}
	}
	key := d.String() + string(doc)
	if made, ok := compiledCatalogs.Load(key); ok {
		return made.(*a2ui.Catalog), nil
	}
	compiled, err := compile(doc, d)
	if err == nil {
		compiledCatalogs.Store(key, compiled)
	}
	return compiled, err
}

// compile is catalog.Compile with an id for the documents that have none, such as
// the one of v0.8.
func compile(doc json.RawMessage, d a2ui.Dialect) (*a2ui.Catalog, error) {
	var head struct{ CatalogID string }
	if _ = json.Unmarshal(doc, &head); head.CatalogID != "" {
		return catalog.Compile(doc, d)
	}
	document, err := catalog.DecodeDocument(doc, catalog.Options{Dialect: d, ID: "of the case"})
	if err != nil {
		return nil, err
	}
	return document.Compile()
}

// permissive is the catalog of cases that bring none: the basic one with every
// property optional and others allowed, and whatever other types are named.
func permissive(d a2ui.Dialect, types map[string]bool) *a2ui.Catalog {
	out := *a2ui.Basic(d)
	out.Components = map[string]*a2ui.ComponentDef{}
	for name, def := range a2ui.Basic(d).Components {
		copied := *def
		copied.Open, copied.Props = true, slices.Clone(def.Props)
		for i := range copied.Props {
			copied.Props[i].Required = false
		}
		out.Components[name] = &copied
	}
	for name := range types {
		if out.Components[name] == nil {
			out.Components[name] = &a2ui.ComponentDef{Name: name, Open: true, Props: []a2ui.PropDef{
				{Name: "child", Kind: wire.Child}, {Name: "children", Kind: wire.Children}}}
		}
	}
	return &out
}

// unknownID tells ids that cases mean as not registered (README §1).
func unknownID(id string) bool {
	for _, prefix := range []string{"unknown-", "missing-", "non_existent", "unregistered"} {
		if strings.HasPrefix(id, prefix) {
			return true
		}
	}
	return false
}

// rulesFor are the rules that messages of a case are held against: its catalogs,
// and the ids its surfaces name as aliases of the first.
func rulesFor(d a2ui.Dialect, list []supplied, msgs []a2ui.Message) a2ui.Rules {
	r := a2ui.Rules{Dialect: d}
	types := map[string]bool{}
	for _, m := range msgs {
		for _, c := range components(m) {
			types[c.Type] = true
		}
	}
	own := map[string]bool{}
	for _, one := range list {
		own[one.ID] = true
		r.Catalogs = append(r.Catalogs, one.Catalog)
	}
	if len(list) == 0 {
		r.Catalogs = []*a2ui.Catalog{permissive(d, types)}
	}
	r.Catalog, r.Catalogs = r.Catalogs[0], r.Catalogs[1:]
	r.Aliases = map[string]string{}
	if d.Features().OwnCatalogs && !own["basic"] { // calls may name it
		basic := *a2ui.Basic(d)
		basic.ID = "basic"
		r.Catalogs = append(r.Catalogs, &basic)
		own["basic"] = true
	}
	for _, m := range msgs {
		if create, ok := m.(*a2ui.CreateSurface); ok && create.CatalogID != "" && !own[create.CatalogID] && !unknownID(create.CatalogID) {
			r.Aliases[create.CatalogID] = r.Catalog.ID
		}
	}
	return r
}

// components are those that a message brings.
func components(m a2ui.Message) []a2ui.Component {
	switch m := m.(type) {
	case *a2ui.CreateSurface:
		return m.Components
	case *a2ui.UpdateComponents:
		return m.Components
	}
	return nil
}

// inlineForm is a catalog document as capabilities carry it.
func inlineForm(doc json.RawMessage, d a2ui.Dialect) (a2ui.Data, error) {
	decoded, err := catalog.DecodeDocument(doc, catalog.Options{Dialect: d})
	if err != nil {
		return a2ui.Data{}, err
	}
	return decoded.Inline(), nil
}
