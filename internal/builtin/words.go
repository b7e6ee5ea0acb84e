package builtin

import (
	"iter"
	"maps"
	"slices"
)

// The words of each of Limn's own components, by the names that it knows them by.
var (
	gridWords = map[string]string{"add": "table.add", "remove": "table.remove", "restore": "table.restore",
		"up": "table.up", "down": "table.down", "page": "table.page",
		"row": "grid.row", "sort": "grid.sort", "problems": "grid.problems", "required": "required.mark",
		"fit": "script.paste"}
	processWords = map[string]string{"add": "steps.add", "step": "steps.step", "connect": "grid.connect",
		"connections": "edges.label", "follow": "grid.follow", "close": "grid.close", "list": "picture.words",
		"conditional": "edge.conditional", "empty": "picture.none", "link": "map.link", "insert": "map.insert",
		"connectTo": "map.to", "connecting": "map.connecting", "connected": "map.connected", "moved": "map.moved",
		"nobody": "map.nobody", "lanes": "map.lanes", "drag": "map.drag",
		"keys": "map.keys", "undo": "map.undo", "redo": "map.redo",
		"zoomIn": "map.zoom.in", "zoomOut": "map.zoom.out", "zoomNone": "map.zoom.none", "fit": "map.zoom.fit"}
	chartWords = map[string]string{"table": "grid.table", "empty": "picture.none", "label": "grid.label"}
)

// ComponentWords yields the names by which a component knows its words, and the keys of
// the words; each name once, always in the same order.
func ComponentWords(component string) iter.Seq2[string, string] {
	lists := []map[string]string{gridWords}
	switch component {
	case "Chart":
		lists = []map[string]string{chartWords}
	case "ProcessMap":
		lists = []map[string]string{processWords, gridWords}
	}
	return func(yield func(name, key string) bool) {
		seen := map[string]bool{}
		for _, words := range lists {
			for _, name := range slices.Sorted(maps.Keys(words)) {
				if !seen[name] && !yield(name, words[name]) {
					return
				}
				seen[name] = true
			}
		}
	}
}
