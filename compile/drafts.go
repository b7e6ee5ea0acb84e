package compile

import (
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

// Drafts returns what clients of v0.9 and later bind at the paths of inputs and cells: of
// each path that has one. A list is an object with builtin.ListMember.
func Drafts(st *ui.State, sf *ui.Surface, paths []ui.Path) (map[ui.Path]a2ui.Data, error) {
	d, err := newDrawing(Target{Dialect: a2ui.V09}, st, sf)
	if err != nil {
		return nil, err
	}
	out := make(map[ui.Path]a2ui.Data, len(paths))
	fields := fieldsOf(sf)
	for _, p := range paths {
		f, ok := fields[p]
		if !ok {
			f, ok = fields[column(p)]
		}
		v, there := d.get(p)
		if !ok || !there {
			continue
		}
		val, _ := d.values().inputData(f, v)
		if val.Kind == kindArray {
			val = a2ui.Data{Kind: kindObject, Members: []a2ui.Member{{Key: builtin.ListMember, Value: val}}}
		}
		out[p] = val
	}
	return out, nil
}

// fieldsOf maps the path of each input to its field, and that of each rowset with a column
// below it to the field of the column.
func fieldsOf(sf *ui.Surface) map[ui.Path]*ui.Field {
	fields := map[ui.Path]*ui.Field{}
	for n := range ui.All(sf.Tree()) {
		if in := ui.InputOf(n); in != nil {
			fields[in.Path] = &in.Field
		}
		if rs := ui.RowsetOf(n); rs != nil {
			for i := range rs.Columns {
				fields[rs.Path.Join(rs.Columns[i].Name)] = &rs.Columns[i]
			}
		}
	}
	return fields
}

// column is the path of a cell without its row.
func column(p ui.Path) ui.Path {
	keys := p.Segments()
	if len(keys) < 3 {
		return ""
	}
	at := ui.Path("")
	for i, key := range keys {
		if i != len(keys)-2 {
			at = at.Join(key)
		}
	}
	return at
}
