package html

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// TestToolStreams: pasted text comes, is shown and added to a table and to a
// process map by streams that end as a page drawn anew does, and keep what is
// typed elsewhere.
func TestToolStreams(t *testing.T) {
	t.Parallel()
	table := &ui.Table{Rowset: ui.Rowset{Key: "rows", Path: "/draft/list", Label: "People", Columns: []ui.Field{
		{Name: "name", Label: "Name", Type: ui.TypeText, Required: true},
		{Name: "level", Label: "Level", Type: ui.TypeChoice, Options: []ui.Option{{Value: "High"}, {Value: "Low"}}}}}}
	steps := &ui.Steps{Rowset: ui.Rowset{Key: "steps", Path: worksheet.StepsPath, Label: "Process",
		Columns: capture.StepColumns()}}
	for text, of := range map[string]ui.Node{"Name\tLevel\nAnn\thigh\nBob\tmaybe\nCy\tLow\nDee\t": table,
		"Draft it -> Review it -> Send it": steps} {
		main := &ui.Column{Key: "main", Children: ui.Nodes{
			worksheet.Paste(nil, of, []string{worksheet.ModePaste, worksheet.ModeImport}), of}}
		if of == ui.Node(steps) {
			main.Children = append(main.Children,
				&ui.Diagram{Key: "picture", Label: "Process", Steps: worksheet.StepsPath, Edges: worksheet.EdgesPath},
				worksheet.Edges(nil, ui.Rows()))
		}
		root := worksheet.SetPhase(ui.Nodes{main}, worksheet.Phase{}, nil)
		s, _ := step(ui.NewState("c"), &ui.Open{Surface: "tool", Nonce: "n", Title: "Tool", Root: root,
			Draft: ui.BlankDraft(root[0], ui.Value{})})
		frame := func(ops ...ui.Op) *ui.Surface {
			t.Helper()
			next, f := step(s, ops...)
			checkUpdate(t, s, next, f)
			s = next
			return s.Surface("tool")
		}
		sf := frame(&ui.Draft{Surface: "tool", Values: []ui.Leaf{{Path: worksheet.PastePath, Value: ui.String(text)}}})
		found, changes, ask := worksheet.Read(nil, sf, worksheet.Box(sf), 2000)
		if ask != nil {
			t.Fatal(ask)
		}
		sf = frame(&ui.Update{Surface: "tool", Root: worksheet.ShowFound(sf.Root, nil, found)},
			&ui.Patch{Surface: "tool", Changes: changes})
		if page := string(AppendSurface(nil, nil, sf, Options{})); !strings.Contains(page, "Add these") {
			t.Errorf("%s: no preview", text)
		}
		src, _ := worksheet.Kept(sf)
		taken, ask := worksheet.Take(nil, sf, src, 2000)
		if ask != nil {
			t.Fatal(ask)
		}
		sf = frame(&ui.Patch{Surface: "tool", Changes: append(taken.Changes, worksheet.Forget(src)...)},
			&ui.Update{Surface: "tool", Root: worksheet.HideFound(sf.Root)},
			&ui.Errors{Surface: "tool", Errors: taken.Errors})
		rs := worksheet.Rows(sf)
		all, _ := sf.Get(rs.Path)
		if worksheet.EdgeRows(sf) != nil {
			frame(&ui.Update{Surface: "tool", Root: worksheet.SetParts(sf.Root, worksheet.Edges(nil, all))})
		}
		frame(&ui.Patch{Surface: "tool", Changes: []ui.PatchOne{
			{Do: ui.PatchMove, Path: rs.Path, Row: all.Records()[0].ID}}})
	}
}
