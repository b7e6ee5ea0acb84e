package validate

import (
	"github.com/limn-ui/limn/a2ui/internal/datatree"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// surfaceRules checks createSurface and beginRendering, and whether a surface takes updates.
type surfaceRules struct{ *run }

// surface is a client's state of one surface.
type surface struct {
	open    bool   // created: createSurface, or beginRendering
	root    string // id of the root component; "" = not said yet
	catalog *wire.Catalog
	graph   *graph
	data    datatree.Tree
	bytes   int // weight of the components that are drawn; in Spec of all
}

// staged is the copy of a surface that a batch works on.
type staged struct {
	id string
	surface
	before     surface // as the client has it now
	alive      bool    // the client has it, or the batch made it
	created    bool    // in this batch
	components bool    // the batch has components since it was created
	changed    bool    // data was written
	shrunk     bool    // data went away, so older bindings are checked again
	ownData    bool
	lists      []listText
	kept       int // of lists, when those written over were dropped last
}

// stage returns the batch's copy of a surface.
func (r *run) stage(id string) *staged {
	if at, ok := r.places[id]; ok {
		return &r.touched[at]
	}
	if r.places != nil {
		r.places[id] = len(r.touched)
	} else {
		for i := range r.touched {
			if r.touched[i].id == id {
				return &r.touched[i]
			}
		}
	}
	st := staged{id: id}
	st.before, st.alive = r.v.surfaces[id]
	st.surface = st.before
	r.touched = append(r.touched, st)
	return &r.touched[len(r.touched)-1]
}

// undo reverts the changes of the batch to the graph of the client's surface.
func (st *staged) undo() {
	if g := st.before.graph; g != nil {
		g.rollback()
	}
}

// create handles createSurface and beginRendering.
func (r surfaceRules) create(st *staged, m *wire.CreateSurface) {
	r.literal(m.CatalogID)
	if st.alive && st.open && (r.Safe || !r.Features.CreateLast) {
		r.add(wire.BeginSurfaceDuplicate, "delete it first, or update it", "the surface is open")
		return
	}
	st.alive, st.open, st.created = true, true, true
	st.catalog = r.named(m)
	r.rootID(st, m.Root)
	if m.SendDataModel && r.Features.CreateLast {
		r.add(wire.EnvelopeInvalid, "", "this version cannot send the data model")
	}
	r.theme(st.catalog, m.Theme)
	r.inline(st, m)
}

// named finds the catalog that a surface names. Without a name the surface is
// made of the catalog every client has, or where parts can name their own, of
// none.
func (r surfaceRules) named(m *wire.CreateSurface) *wire.Catalog {
	c := r.find(m.CatalogID)
	switch {
	case c != nil:
	case m.CatalogID == "" && r.Features.CreateLast:
		c = r.Catalog
	case m.CatalogID == "" && r.Features.OwnCatalogs:
	default:
		r.at("catalogId", wire.BeginCatalog, "use "+r.Catalog.ID, "the catalog is %q", clip(m.CatalogID))
		c = r.Catalog
	}
	return c
}

// catalogOf returns the catalog of a surface that is not created yet, or was by
// another server: the one a later message of the batch names.
func (r surfaceRules) catalogOf(st *staged) *wire.Catalog {
	if r.Features.CreateLast && len(r.Catalogs) > 1 {
		for _, m := range r.rest {
			m, ok := m.(*wire.CreateSurface)
			if ok && m != nil && m.SurfaceID == st.id && r.Catalogs[m.CatalogID] != nil {
				return r.Catalogs[m.CatalogID]
			}
		}
	}
	return r.Catalog
}

func (r surfaceRules) rootID(st *staged, root string) {
	if st.root = r.Features.RootID; st.root == "" {
		st.root = root
	}
	switch {
	case st.root == "":
		r.at("root", wire.BeginMissingRoot, "", "the root component is not named")
	case root != "" && root != st.root:
		r.add(wire.BeginMissingRoot, "", "the root component must have the id %s, not %q", st.root, clip(root))
	}
}

// inline checks what v1.0 may create a surface with.
func (r surfaceRules) inline(st *staged, m *wire.CreateSurface) {
	if m.Components == nil && m.Data.Kind == jsonx.Null && m.Metadata.Kind == jsonx.Null {
		return
	}
	if !r.Features.Inline {
		r.add(wire.EnvelopeInvalid, "send them as messages of their own",
			"this version creates surfaces without components, data and metadata")
		return
	}
	if m.Metadata.Kind != jsonx.Null {
		r.push("metadata")
		r.meta().metadata(wire.Literal{Data: m.Metadata})
		r.pop()
	}
	if m.Data.Kind != jsonx.Null {
		r.push("dataModel")
		if m.Data.Kind != jsonx.Object {
			r.add(wire.DataValue, "", "a data model is an object, not %s", m.Data.Kind)
		} else if r.updates().dataValue(&m.Data, 0) {
			r.updates().put(st, "", m.Data)
		}
		r.pop()
	}
	if m.Components != nil {
		r.parts().components(st, m.Components)
	}
}

// theme checks the theme against the catalog's rows.
func (r surfaceRules) theme(c *wire.Catalog, theme wire.Data) {
	if theme.Kind == jsonx.Null {
		return
	}
	r.push("theme")
	defer r.pop()
	if !r.Features.Theme {
		r.add(wire.BeginTheme, "", "this version has no theme")
		return
	}
	if theme.Kind != jsonx.Object {
		r.add(wire.BeginTheme, "", "a theme is an object, not %s", theme.Kind)
		return
	}
	if key, dup := duplicate(theme.Members); dup {
		r.at(key, wire.BeginTheme, "", "%s stands twice", clip(key))
	}
	for i := range theme.Members {
		m := &theme.Members[i]
		r.push(m.Key)
		if problem := r.plainData(m.Value, r.Limits.DataDepth); problem != "" {
			r.add(wire.BeginTheme, "", "%s", problem)
		}
		r.literal(m.Key)
		switch row := themeRow(c, m.Key); {
		case row != nil:
			r.themeMember(row, m.Value)
		case c == nil || !c.ThemeOpen:
			r.add(wire.BeginTheme, "", "clients refuse the member %q", clip(m.Key))
		}
		r.pop()
	}
}

func themeRow(c *wire.Catalog, name string) *wire.PropDef {
	for i := 0; c != nil && i < len(c.Theme); i++ {
		if c.Theme[i].Name == name {
			return &c.Theme[i]
		}
	}
	return nil
}

// themeMember checks one known member; whatever is wrong is wrong with the theme.
func (r surfaceRules) themeMember(row *wire.PropDef, v wire.Data) {
	if !r.custom().try(row, plain(v), 0) {
		r.add(wire.BeginTheme, "", "%s must be %s, not %s", row.Name, wanted(row), describe(plain(v)))
	}
}

func hasKey(members []wire.Member, key string) bool {
	for i := range members {
		if members[i].Key == key {
			return true
		}
	}
	return false
}

// ready reports whether the surface takes updates, and makes it where updates may
// come first.
func (r surfaceRules) ready(st *staged) bool {
	if !st.alive {
		if !r.Features.CreateLast && !r.Partial {
			r.add(wire.BeginSurfaceUnknown, "create it first", "the surface was never created")
			return false
		}
		st.alive = true
		st.surface = surface{root: r.Features.RootID, catalog: r.catalogOf(st)}
	}
	if r.Features.CreateLast && st.created && (r.Safe || st.graph == nil && !r.Partial) {
		r.add(wire.BeginOrder, "begin rendering last", "the surface is filled after it is shown")
	}
	return true
}
