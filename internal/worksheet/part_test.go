package worksheet

import (
	"testing"

	"github.com/limn-ui/limn/ui"
)

// TestParts: parts of a tool come and go in their places, and the tree that is
// shared with stored states stays as it is.
func TestParts(t *testing.T) {
	t.Parallel()
	root := ui.Nodes{&ui.Column{Key: "main", Children: ui.Nodes{&ui.Table{Rowset: ui.Rowset{Key: "rows"}},
		&ui.Row{Key: "buttons"}}}}
	keys := func(root ui.Nodes) (out string) {
		for _, n := range ui.Children(root[0]) {
			out += ui.NodeKey(n) + " "
		}
		return out
	}
	with := SetParts(root, &ui.Text{Key: "notes", Text: "b"}, &ui.Row{Key: "buttons"}, &ui.Text{Key: "phases"})
	if got := keys(with); got != "phases notes rows buttons " {
		t.Errorf("with parts: %s", got)
	}
	again := SetParts(with, &ui.Text{Key: "notes", Text: "c"})
	if got := ui.Children(again[0])[1].(*ui.Text).Text; got != "c" || keys(again) != keys(with) {
		t.Errorf("replaced: %s, text %s", keys(again), got)
	}
	if got := keys(DropParts(again, "notes", "phases")); got != "rows buttons " {
		t.Errorf("without: %s", got)
	}
	if got := keys(root); got != "rows buttons " {
		t.Errorf("the given tree changed: %s", got)
	}
}
