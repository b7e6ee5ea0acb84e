package html

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/tool"
	"github.com/limn-ui/limn/ui"
)

// TestToolStreams: pasted text comes, is shown and added to a table and to a
// process map by streams that end as a page drawn anew does, and keep what is
// typed elsewhere.
func TestToolStreams(t *testing.T) {
	t.Parallel()
	table := &ui.Table{Rowset: ui.Rowset{Key: "rows", Path: "/draft/list", Label: "People", Columns: []ui.Field{
		{Name: "name", Label: "Name", Type: ui.TypeText, Required: true}, {Name: "level", Label: "Level", Type: ui.TypeChoice, Options: []ui.Option{{Value: "High"}, {Value: "Low"}}}}}}
	steps := &ui.Steps{Rowset: ui.Rowset{Key: "steps", Path: tool.StepsPath, Label: "Process", Columns: capture.StepColumns()}}
	for text, of := range map[string]ui.Node{"Name\tLevel\nAnn\thigh\nBob\tmaybe\nCy\tLow\nDee\t": table, "Draft it -> Review it -> Send it": steps} {
		main := &ui.Column{Key: "main", Children: ui.Nodes{tool.Paste(nil, of, []string{tool.ModePaste, tool.ModeImport}), of}}
		if of == ui.Node(steps) {
			main.Children = append(main.Children, &ui.Diagram{Key: "picture", Label: "Process", Steps: tool.StepsPath, Edges: tool.EdgesPath}, tool.Edges(nil, ui.Rows()))
		}
		root := tool.SetPhase(ui.Nodes{main}, tool.Phase{}, nil)
		s, _ := step(ui.NewState("c"), &ui.Open{Surface: "tool", Nonce: "n", Title: "Tool", Root: root, Draft: ui.BlankDraft(root[0], ui.Value{})})
		frame := func(ops ...ui.Op) *ui.Surface {
			t.Helper()
			next, f := step(s, ops...)
			checkUpdate(t, s, next, f)
			s = next
			return s.Surface("tool")
		}
		sf := frame(&ui.Draft{Surface: "tool", Values: []ui.Leaf{{Path: tool.PastePath, Value: ui.String(text)}}})
		found, changes, ask := tool.Read(nil, sf, tool.Box(sf), 2000)
		if ask != nil {
			t.Fatal(ask)
		}
		sf = frame(&ui.Update{Surface: "tool", Root: tool.ShowFound(sf.Root, nil, found)}, &ui.Patch{Surface: "tool", Changes: changes})
		if page := string(AppendSurface(nil, sf, Options{})); !strings.Contains(page, "Add these") {
			t.Errorf("%s: no preview", text)
		}
		src, _ := tool.Kept(sf)
		taken, ask := tool.Take(nil, sf, src)
		if ask != nil {
			t.Fatal(ask)
		}
		sf = frame(&ui.Patch{Surface: "tool", Changes: append(taken.Changes, tool.Forget(src)...)}, &ui.Update{Surface: "tool", Root: tool.HideFound(sf.Root)},
			&ui.Errors{Surface: "tool", Errors: taken.Errors})
		rs := tool.Rows(sf)
		all, _ := sf.Get(rs.Path)
		if tool.EdgeRows(sf) != nil {
			frame(&ui.Update{Surface: "tool", Root: tool.SetParts(sf.Root, tool.Edges(nil, all))})
		}
		frame(&ui.Patch{Surface: "tool", Changes: []ui.PatchOne{{Do: ui.PatchMove, Path: rs.Path, Row: all.Records()[0].ID}}})
	}
}
