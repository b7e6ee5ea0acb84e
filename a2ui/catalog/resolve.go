package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Host is the agent's side of a negotiation: its catalogs, in the order it prefers, cut
// down as it wants them, and whether a client may bring its own. The zero value accepts
// none.
type Host struct {
	Catalogs      []*Document
	AcceptsInline bool
}

// Resolve returns the catalogs that are active for a client: those of the host
// that the client names, in the client's order and each once, then the inline
// catalogs of the client, if the host accepts them. Names that the host does not
// have are passed over; an inline catalog with the id of one that is active is
// dropped. nil capabilities, of a client that says nothing, activate all catalogs
// of the host in its order.
//
// An inline catalog loses its instructions: they would instruct the model
// in the name of the host.
//
// The error is an *Error: the host has none of the catalogs that the client names,
// or an inline catalog is invalid.
//
// Resolve serves hosts whose model picks among catalogs. Limn itself pins one
// catalog and only checks that the client has it: see a2ui.Negotiate.
func (h Host) Resolve(c *a2ui.Capabilities) ([]*Document, error) {
	if c == nil {
		return append([]*Document{}, h.Catalogs...), nil
	}
	var active []*Document
	have := map[string]bool{}
	for _, id := range c.Catalogs {
		if d := h.find(id); d != nil && !have[id] {
			have[id] = true
			active = append(active, d)
		}
	}
	inline, err := h.inline(c)
	if err != nil {
		return nil, err
	}
	for _, d := range inline {
		if !have[d.id] {
			have[d.id] = true
			active = append(active, d)
		}
	}
	if len(active) == 0 {
		return nil, h.nothing(c)
	}
	return active, nil
}

// Select returns the one catalog of a v0.8 or v0.9 client, by the rules of the
// agent libraries of these versions: the first that the client names and the host
// has; the host's first if the client names none. Inline catalogs are laid over
// it, and then a client that names only strange ones gets the host's first too.
//
// The error is an *Error: the host has no catalog, none that the client names, or
// accepts no inline catalogs and the client sent some.
func (h Host) Select(c *a2ui.Capabilities) (*Document, error) {
	if len(h.Catalogs) == 0 {
		return nil, &Error{Keyword: "supportedCatalogIds", Message: "the host has no catalog"}
	}
	if c == nil {
		return h.Catalogs[0], nil
	}
	if len(c.Inline) > 0 && !h.AcceptsInline {
		return nil, &Error{Keyword: "inlineCatalogs",
			Message: "the client sends inline catalogs, and the host accepts none"}
	}
	selected := h.first(c.Catalogs)
	switch {
	case selected == nil && len(c.Catalogs) > 0 && len(c.Inline) == 0:
		return nil, h.nothing(c)
	case selected == nil:
		selected = h.Catalogs[0]
	}
	for _, data := range c.Inline {
		d, err := NewDocument(data, Options{ID: selected.id, Dialect: selected.dialect})
		if err != nil {
			return nil, err
		}
		selected = selected.Over(d)
	}
	return selected, nil
}

// Over returns the catalog with the components and functions of another one
// added; they replace those of the same name.
func (d *Document) Over(top *Document) *Document {
	out := d.data
	for _, kind := range []struct {
		place, union string
		own, more    []a2ui.Member
	}{{"components", "anyComponent", d.Components(), top.Components()},
		{"functions", "anyFunction", d.Functions(), top.Functions()}} {
		if len(kind.more) == 0 {
			continue
		}
		all := over(kind.own, kind.more)
		out = set(out, kind.place, jsonx.OfObject(all...))
		defs := out.At("$defs")
		if _, ok := defs.Get(kind.union); ok {
			out = set(out, "$defs", set(defs, kind.union, unionOf(kind.place, all)))
		}
	}
	return d.with(out)
}

// over returns the members with those of top in place of the ones of the same
// name, the new ones at the end.
func over(members, top []a2ui.Member) []a2ui.Member {
	out := slices.Clone(members)
	at := make(map[string]int, len(out)+len(top))
	for i, m := range out {
		at[m.Key] = i
	}
	for _, m := range top {
		if i, ok := at[m.Key]; ok {
			out[i].Value = m.Value
			continue
		}
		at[m.Key] = len(out)
		out = append(out, m)
	}
	return out
}

func (h Host) inline(c *a2ui.Capabilities) ([]*Document, error) {
	if !h.AcceptsInline {
		return nil, nil
	}
	var out []*Document
	for i, data := range c.Inline {
		d, err := NewDocument(data, Options{})
		if err != nil {
			return nil, fmt.Errorf("inline catalog %d: %w", i, err)
		}
		out = append(out, d.with(drop(d.data, "instructions")))
	}
	return out, nil
}

func (h Host) find(id string) *Document {
	for _, d := range h.Catalogs {
		if d.id == id {
			return d
		}
	}
	return nil
}

func (h Host) first(ids []string) *Document {
	for _, id := range ids {
		if d := h.find(id); d != nil {
			return d
		}
	}
	return nil
}

// nothing is the error of a negotiation that leaves no catalog.
func (h Host) nothing(c *a2ui.Capabilities) error {
	own := make([]string, len(h.Catalogs))
	for i, d := range h.Catalogs {
		own[i] = d.id
	}
	return &Error{Keyword: "supportedCatalogIds",
		Message: fmt.Sprintf("the client has none of the host's catalogs (%s); it has %s", some(own), some(c.Catalogs))}
}

// some lists ids, the first five of many.
func some(ids []string) string {
	switch {
	case len(ids) == 0:
		return "none"
	case len(ids) > 5:
		return strings.Join(ids[:5], ", ") + " and others"
	}
	return strings.Join(ids, ", ")
}
