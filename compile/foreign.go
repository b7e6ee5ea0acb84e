package compile

import (
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/ui"
)

// drawForeign draws the surface of another agent: its own components, in the version of
// the target.
func drawForeign(t Target, st *ui.State, s *ui.Surface, n *ui.Foreign) (*drawing, error) {
	d, err := newDrawing(t, st, s)
	if err != nil {
		return nil, err
	}
	if d.foreign, err = foreign.Read(n); err != nil {
		return nil, err
	}
	if own := d.rules.catalog(s.Name); !d.foreign.Basic() && (own == nil || own.ID != d.foreign.Catalog) {
		d.fail(CodeNotShown, "", "clients of A2UI %s do not have the catalog %q", t.Dialect, d.foreign.Catalog)
	}
	return &d, d.err
}

// as is how the surface is shown to the target.
func (d emission) as() foreign.As {
	return foreign.As{ID: d.id, Nonce: d.surface.Nonce, Rev: d.surface.Rev, To: d.target.Dialect,
		Catalog: d.target.Catalog, Agent: d.surface.Title, Icon: foreign.Icon(d.surface)}
}

// foreignCreate is create for the surface of another agent.
func (d emission) foreignCreate() []a2ui.Message {
	if d.made == nil {
		msgs, losses := d.foreign.Create(d.as())
		d.made = &foreignMade{msgs, losses}
	}
	d.lost(d.made.losses)
	return slices.Clone(d.made.msgs)
}

// foreignMade is the messages that create a surface: a turn needs them for those who follow and for those who come
// later.
type foreignMade struct {
	msgs   []a2ui.Message
	losses []a2ui.Loss
}

// foreignSince is since for the surface of another agent.
func (d emission) foreignSince(was *drawing) []a2ui.Message {
	msgs, losses := d.foreign.Since(was.foreign, was.emission().as(), d.as())
	d.lost(losses)
	return msgs
}

// lost warns of what users read, enter or send otherwise than the agent meant it.
func (d emission) lost(losses []a2ui.Loss) {
	for _, l := range losses {
		if l.What.Shown() {
			d.warn(CodeNotShown, l.Component+l.Path, string(l.What)+": "+l.Message)
		}
	}
}
