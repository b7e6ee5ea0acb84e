package worksheet

import (
	"slices"

	"github.com/limn-ui/limn/ui"
)

// PhasePath is where the phase of a worksheet is kept on its surface; nothing there
// means PhaseCapture.
const PhasePath ui.Path = "/ui_state/phase"

// The phases of a worksheet, in order (decision logic §9). Rows changed by a button in
// PhaseConfirm take the worksheet back to PhaseCapture.
const (
	PhaseCapture = "capture"
	PhaseCheck   = "check"
	PhaseConfirm = "confirm"
)

// toolParts are the keys of a worksheet's parts in the order they are drawn. Only
// rows, or steps, and buttons are always there.
var toolParts = []string{"help", "phases", "notes", "paste", "rows", "steps", "picture", "edges", "buttons"}

// SetParts returns the tree of a worksheet with parts replaced or put in their
// places; a part is known by its key. The tree it is given stays as it is.
func SetParts(root ui.Nodes, parts ...ui.Node) ui.Nodes {
	return withParts(root, parts, nil)
}

// DropParts returns the tree of a worksheet without the parts of these keys.
func DropParts(root ui.Nodes, keys ...string) ui.Nodes {
	return withParts(root, nil, keys)
}

func withParts(root ui.Nodes, parts []ui.Node, dropped []string) ui.Nodes {
	main, ok := root[0].(*ui.Column)
	if !ok {
		return root
	}
	isNew := func(key string) bool {
		return slices.ContainsFunc(parts, func(p ui.Node) bool { return ui.NodeKey(p) == key })
	}
	kids := slices.Clone(parts)
	for _, n := range main.Children {
		if key := ui.NodeKey(n); !isNew(key) && !slices.Contains(dropped, key) {
			kids = append(kids, n)
		}
	}
	slices.SortStableFunc(kids, func(a, b ui.Node) int {
		return slices.Index(toolParts, ui.NodeKey(a)) - slices.Index(toolParts, ui.NodeKey(b))
	})
	next := &ui.Column{Key: main.Key, Children: kids}
	sending(next)
	return ui.Nodes{next}
}

// Part returns the part of a worksheet with that key, or nil.
func Part(root ui.Nodes, key string) ui.Node {
	for _, top := range root {
		for _, n := range ui.Children(top) {
			if ui.NodeKey(n) == key {
				return n
			}
		}
	}
	return nil
}
