package check

import (
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/datatree"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// surface is what a client knows of one surface. A committed one is never
// changed.
type surface struct {
	open  bool   // created: createSurface, or beginRendering
	root  string // id of the root component; "" = not said yet
	graph *graph
	data  datatree.Tree
}

// staged is the copy of a surface that a batch works on.
type staged struct {
	id string
	*surface
	created    bool // in this batch
	components bool // the batch has components since it was created
	ownGraph   bool // graph is ours to change
	ownData    bool
	shrunk     bool // data went away, so older bindings are checked again
	lists      []listText
}

// stage returns the batch's copy of a surface; its surface is nil when the
// client does not know it.
func (r *run) stage(id string) *staged {
	for _, st := range r.touched {
		if st.id == id {
			return st
		}
	}
	st := &staged{id: id}
	if base := r.known[id]; base != nil {
		copied := *base
		st.surface = &copied
	}
	r.touched = append(r.touched, st)
	return st
}

// create handles createSurface and beginRendering.
func (r *run) create(st *staged, m *wire.CreateSurface) {
	r.literal(m.CatalogID)
	if st.surface != nil && st.open && (r.Safe || !r.Features.CreateLast) {
		r.add(wire.BeginSurfaceDuplicate, "delete it first, or update it", "the surface is open")
		return
	}
	if st.surface == nil {
		st.surface = &surface{}
	}
	st.open, st.created = true, true
	if m.CatalogID != r.Catalog.ID && (m.CatalogID != "" || !r.Features.CreateLast) {
		r.push("catalogId")
		r.add(wire.BeginCatalog, "use "+r.Catalog.ID, "the catalog is %q", m.CatalogID)
		r.pop()
	}
	r.rootID(st, m.Root)
	if m.SendDataModel && r.Features.CreateLast {
		r.add(wire.EnvelopeInvalid, "", "this version cannot send the data model")
	}
	r.theme(m.Theme)
}

func (r *run) rootID(st *staged, root string) {
	if st.root = r.Features.RootID; st.root == "" {
		st.root = root
	}
	switch {
	case st.root == "":
		r.add(wire.BeginMissingRoot, "", "the root component is not named")
	case root != "" && root != st.root:
		r.add(wire.BeginMissingRoot, "", "the root component must have the id %s, not %q", st.root, root)
	}
}

// theme checks the theme against the catalog's rows.
func (r *run) theme(theme wire.Data) {
	if theme.Kind == jsonx.Null {
		return
	}
	r.push("theme")
	defer r.pop()
	if theme.Kind != jsonx.Object {
		r.add(wire.BeginTheme, "", "a theme is an object, not %s", theme.Kind)
		return
	}
	for i, m := range theme.Members {
		r.push(m.Key)
		if problem := r.plainData(m.Value, r.Limits.DataDepth); problem != "" {
			r.add(wire.BeginTheme, "", "%s", problem)
		}
		r.literal(m.Key)
		var def *wire.PropDef
		for j := range r.Catalog.Theme {
			if r.Catalog.Theme[j].Name == m.Key {
				def = &r.Catalog.Theme[j]
			}
		}
		switch {
		case hasKey(theme.Members[:i], m.Key):
			r.add(wire.BeginTheme, "", "%s stands twice", m.Key)
		case def == nil && !r.Catalog.ThemeOpen:
			r.add(wire.BeginTheme, "", "clients refuse the member %q", m.Key)
		case def != nil && m.Value.Kind != jsonx.String:
			r.add(wire.BeginTheme, "", "%s must be a string, not %s", m.Key, m.Value.Kind)
		case m.Key == "primaryColor" && !isColor(m.Value.Str):
			r.add(wire.BeginTheme, "write it as #RRGGBB", "the color is %.40q", m.Value.Str)
		case def != nil && def.URL:
			r.address(def, m.Value.Str)
		}
		r.pop()
	}
}

func isColor(s string) bool {
	return len(s) == 7 && s[0] == '#' && strings.Trim(s[1:], "0123456789abcdefABCDEF") == ""
}

func hasKey(members []wire.Member, key string) bool {
	for i := range members {
		if members[i].Key == key {
			return true
		}
	}
	return false
}

// ready tells whether the surface takes updates, and makes it where updates may
// come first.
func (r *run) ready(st *staged) bool {
	if st.surface == nil {
		if !r.Features.CreateLast && !r.Partial {
			r.add(wire.BeginSurfaceUnknown, "create it first", "the surface was never created")
			return false
		}
		st.surface = &surface{root: r.Features.RootID}
	}
	if r.Safe && r.Features.CreateLast && st.created {
		r.add(wire.BeginOrder, "begin rendering last", "the surface is filled after it is shown")
	}
	return true
}
