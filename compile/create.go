package compile

import (
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// emission makes the messages that bring a client from one drawing to the next.
type emission struct{ *drawing }

// create is the messages that make the surface appear in a client that does not
// have it, in the order its clients need.
func (d emission) create() []a2ui.Message {
	if d.foreign != nil {
		return d.foreignCreate()
	}
	begin := &a2ui.CreateSurface{SurfaceID: d.id, CatalogID: d.catalogID()}
	begin.SendDataModel = d.rules.SendData && d.f.DataModelMember != "" && len(fieldsOf(d.surface)) > 0
	if accent := d.rules.Accent; accent != "" && d.f.Theme && d.themed() {
		begin.Theme = jsonx.OfObject(a2ui.Member{Key: "primaryColor", Value: jsonx.Of(accent)})
	}
	comps := &a2ui.UpdateComponents{SurfaceID: d.id, Components: d.comps}
	if d.f.CreateLast {
		begin.Root = d.rootID()
		out := make([]a2ui.Message, 1, 4)
		out[0] = comps
		return append(d.send(out, "", &d.data), begin)
	}
	return append(d.send([]a2ui.Message{begin}, "", &d.data), comps)
}

// themed reports a catalog whose clients take the main colour: the basic one, and one of
// the application's own that says so.
func (d emission) themed() bool {
	own := d.own()
	return own == nil || slices.ContainsFunc(own.Theme, func(p a2ui.PropDef) bool { return p.Name == "primaryColor" })
}

// own is the catalog of the surface, nil for the basic one.
func (d emission) own() *a2ui.Catalog {
	if d.standIn && foreign.Of(d.surface) != nil {
		return nil
	}
	return d.rules.catalog(d.surface.Name)
}

func (d emission) catalogID() string {
	if own := d.own(); own != nil {
		return own.ID
	}
	if d.target.Catalog != "" {
		return d.target.Catalog
	}
	return a2ui.CatalogID(d.target.Dialect)
}

// send appends the messages that write t at path.
func (d emission) send(out []a2ui.Message, path string, t *tree) []a2ui.Message {
	if !d.f.FlatData {
		return append(out, d.write(path, d.plainData(t)))
	}
	if t.kids == nil {
		return append(out, d.write(path, d.wrap(t.leaf.val)))
	}
	return d.sendFlat(out, path, t)
}

// write is one UpdateData; the whole model is written as "/".
func (d emission) write(path string, v a2ui.Data) a2ui.Message {
	if path == "" {
		path = "/"
	}
	return &a2ui.UpdateData{SurfaceID: d.id, Path: path, Value: v}
}

// plainData is a tree as one value.
func (d emission) plainData(t *tree) a2ui.Data {
	if t.kids == nil {
		return d.wrap(t.leaf.val)
	}
	out := a2ui.Data{Kind: kindObject, Members: make([]a2ui.Member, len(t.kids))}
	for i, k := range t.kids {
		out.Members[i] = a2ui.Member{Key: k.key, Value: d.plainData(k)}
	}
	return out
}

// wrap puts a leaf under the leaf key, where there is one.
func (d emission) wrap(v a2ui.Data) a2ui.Data {
	if d.f.LeafKey == "" {
		return v
	}
	return a2ui.Data{Kind: kindObject, Members: []a2ui.Member{{Key: d.f.LeafKey, Value: v}}}
}

// sendFlat writes a container with its leaves in one message, then each container below
// it in a separate message: a message holds only one level.
func (d emission) sendFlat(out []a2ui.Message, path string, t *tree) []a2ui.Message {
	leaves := d.leavesOf(t)
	if path != "" && (len(leaves.Members) > 0 || len(t.kids) == 0) {
		out = append(out, d.write(path, leaves))
	}
	return d.sendBelow(out, path, t)
}

func (d emission) sendBelow(out []a2ui.Message, path string, t *tree) []a2ui.Message {
	for _, k := range t.kids {
		if k.kids != nil {
			out = d.sendFlat(out, joinPath(path, k.key), k)
		}
	}
	return out
}

// leavesOf is the object of the leaves directly in a container.
func (d emission) leavesOf(t *tree) a2ui.Data {
	out := a2ui.Data{Kind: kindObject, Members: make([]a2ui.Member, 0, len(t.kids))}
	for _, k := range t.kids {
		if k.kids == nil {
			out.Members = append(out.Members, a2ui.Member{Key: k.key, Value: d.wrap(k.leaf.val)})
		}
	}
	return out
}

func joinPath(path, key string) string { return string(jsonptr.AppendSegment([]byte(path), key)) }
