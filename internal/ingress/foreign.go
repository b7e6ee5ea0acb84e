package ingress

import (
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Models reads the data models of surfaces of other agents that ask for them, as a client shows them.
func Models(s *ui.State, model jsonx.Value) (ops ui.Ops) {
	for _, m := range model.Members {
		name, epoch, err := ui.ParseWireID(m.Key)
		sf := s.Surface(name)
		if err != nil || sf == nil || sf.Epoch != epoch || sf.Status != ui.StatusOpen || m.Value.Kind != jsonx.Object {
			continue
		}
		n := foreign.Of(sf)
		if n == nil {
			continue
		}
		asked, err := foreign.Read(n)
		if err != nil || !asked.Send {
			continue
		}
		next := *n
		if next.Model = asked.Sent(m.Value); jsonx.Equal(next.Model, n.Model) {
			continue
		}
		after := *asked
		if after.ClientData = next.Model; after.MovedRows(asked) { // by a component of another catalog
			next.Moved = sf.Rev + 1
		}
		ops = append(ops, &ui.Update{Surface: name, Root: ui.Nodes{&next}, Live: true})
	}
	return ops
}
