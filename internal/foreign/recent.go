package foreign

import (
	"sync"
	"weak"

	"github.com/limn-ui/limn/ui"
)

// recent has the surfaces of the nodes that were read last: one turn reads the same node for its question, its
// answer and each version of A2UI.
var recent struct {
	sync.Mutex
	next int
	list [32]struct {
		node weak.Pointer[ui.Foreign] // nodes do not change
		read *Surface
	}
}

// recall returns a copy of what was read of a node, or nil.
func recall(n *ui.Foreign) *Surface {
	recent.Lock()
	defer recent.Unlock()
	w := weak.Make(n)
	for i := range recent.list {
		if one := &recent.list[i]; one.read != nil && one.node == w {
			s := *one.read
			return &s
		}
	}
	return nil
}

// remember keeps what was read of a node.
func remember(n *ui.Foreign, s *Surface) {
	recent.Lock()
	defer recent.Unlock()
	one := &recent.list[recent.next]
	recent.next = (recent.next + 1) % len(recent.list)
	kept := *s
	one.node, one.read = weak.Make(n), &kept
}
