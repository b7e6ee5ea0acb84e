package compile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// TestWorksheetsCompileOnEveryTarget: a table and a process map, with pasted text shown and
// added, with questions at their cells and with their connections, are drawn
// validly on every target, and the same by updates as anew.
func TestWorksheetsCompileOnEveryTarget(t *testing.T) {
	eachTarget(t, func(t *testing.T, tg Target) {
		w := newWorld(t, tg)
		rows := &ui.Table{Rowset: ui.Rowset{Key: "rows", Path: "/draft/list", Label: "People", Columns: []ui.Field{
			{Name: "name", Label: "Name", Type: ui.TypeText, Required: true}, {Name: "level", Label: "Level", Type: ui.TypeChoice, Options: []ui.Option{{Value: "High"}, {Value: "Low"}}},
			{Name: "since", Label: "Since", Type: ui.TypeDate}, {Name: "score", Label: "Score", Type: ui.TypeNumber}}}}
		follow(t, w, rows, "",
			"Name\tLevel\tSince\tScore\tPhone\nAnn\thigh\t2025-01-02\t7\t0123\nBob\tmaybe\t03/04/2025\ttwelve\t\n"+
				strings.Repeat("Cy\tLow\t\t\t\n", 70))
		steps := &ui.Steps{Rowset: ui.Rowset{Key: "steps", Path: worksheet.StepsPath, Label: "Process",
			Columns: capture.StepColumns(), MaxRows: capture.MaxSteps}}
		follow(t, w, steps, worksheet.EdgesPath, "Draft the offer -> Review the offer -> Send the offer")
	})
}

// follow opens a tool, reads a text and adds it, one frame each.
func follow(t *testing.T, w *world, of ui.Node, edges ui.Path, text string) {
	t.Helper()
	name := ui.Name("table:" + ui.NodeKey(of))
	main := &ui.Column{Key: "main", Children: ui.Nodes{
		worksheet.Paste(nil, of, []string{worksheet.ModePaste, worksheet.ModeImport}), of}}
	if edges != "" {
		main.Children = append(main.Children,
			&ui.Diagram{Key: "picture", Label: "Process", Steps: worksheet.StepsPath, Edges: edges},
			worksheet.Edges(nil, ui.Rows()))
	}
	root := worksheet.SetPhase(ui.Nodes{main}, worksheet.Phase{}, nil)
	frame := func(what string, ops ...ui.Op) *ui.Surface {
		t.Helper()
		w.apply(ops...)
		w.same(fmt.Sprintf("%s: %s", name, what))
		return w.state.Surface(name)
	}
	frame("opened", &ui.Open{Surface: name, Nonce: "n", Title: "Tool", Root: root,
		Draft: ui.BlankDraft(root[0], ui.Value{})})
	sf := frame("pasted", &ui.Patch{Surface: name,
		Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: worksheet.PastePath, Value: ui.String(text)}}})
	found, changes, ask := worksheet.Read(nil, sf, worksheet.Box(sf), 2000)
	if ask != nil {
		t.Fatal(ask)
	}
	sf = frame("shown", &ui.Update{Surface: name, Root: worksheet.ShowFound(sf.Root, nil, found)},
		&ui.Patch{Surface: name, Changes: changes})
	src, ok := worksheet.Kept(sf)
	taken, ask := worksheet.Take(nil, sf, src, 2000)
	if ask != nil || !ok || taken.Rows < 3 {
		t.Fatalf("%v, %v, %+v", ok, ask, taken)
	}
	sf = frame("added", &ui.Patch{Surface: name, Changes: append(taken.Changes, worksheet.Forget(src)...)},
		&ui.Update{Surface: name, Root: worksheet.HideFound(sf.Root)},
		&ui.Errors{Surface: name, Errors: taken.Errors})
	rs := worksheet.Rows(sf)
	all, _ := sf.Get(rs.Path)
	if edges != "" {
		sf = frame("connected", &ui.Update{Surface: name, Root: worksheet.SetParts(sf.Root, worksheet.Edges(nil, all))})
		if drawn := w.client.Dump(sf.WireID()); w.target.rules().Catalogs == nil && !strings.Contains(drawn, "2 Review the offer") {
			t.Errorf("the connections do not offer the steps:\n%s", drawn)
		}
	} else if len(taken.Errors) == 0 {
		t.Error("nothing is asked")
	}
	first := all.Records()[0].ID
	frame("moved", &ui.Patch{Surface: name, Changes: []ui.PatchOne{
		{Do: ui.PatchMove, Path: rs.Path, Row: first, Before: all.Records()[2].ID}}})
	frame("submitted", &ui.Lock{Surface: name})
}
