package app

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// Opening is the first content of a surface; execute adds the nonce.
type Opening struct {
	Surface ui.Name
	Origin  ui.Origin
	Title   string
	Root    ui.Nodes
	Draft   ui.Value
}

// Op returns the op that opens the surface under a nonce.
func (o Opening) Op(nonce string) *ui.Open {
	return &ui.Open{Surface: o.Surface, Nonce: nonce, Origin: o.Origin, Title: o.Title, Root: o.Root, Draft: o.Draft}
}

// Openings builds the opening of every declared form, table and map, and of every view
// that needs no function, as they are at the beginning of a conversation.
func (a *App) Openings() (all []Opening) {
	for _, f := range a.cfg.Forms {
		all = append(all, a.OpenForm(f, ui.Map()))
	}
	for _, t := range a.cfg.Tables {
		all = append(all, a.OpenTable(t, TableSpec{}))
	}
	for _, m := range a.cfg.Maps {
		all = append(all, a.OpenMap(m, MapSpec{}))
	}
	for _, v := range a.cfg.Views {
		if v.Build == nil {
			all = append(all, a.OpenView(v, a.NewState("")))
		}
	}
	return all
}

// OpenForm builds the opening of a declared form, prefilled with draft values
// by field name; what no field declares is left out.
func (a *App) OpenForm(f Form, prefill ui.Value) Opening {
	var main, nodes ui.Nodes
	if f.Help != "" { // beside the fields, so that a field may be named help
		main = append(main, &ui.Text{Key: "help", Text: f.Help})
	}
	given := ui.Map()
	for _, field := range f.Fields {
		nodes = append(nodes, ui.InputFor(ui.PathOf(ui.DraftRoot, field.Name), field))
		if v, ok := prefill.Get(field.Name); ok && !v.IsNull() {
			given, _ = given.With(v, field.Name)
		}
	}
	return a.opening("form", f.Name, f.Title, ui.Map(), &ui.Column{Key: "main",
		Children: append(main, &ui.Column{Key: "fields", Children: nodes})}, f.Submit, given)
}

// TableSpec adds to the declaration of a table: the parameters of the tool menu,
// and rows. An undeclared table has its columns here; the zero value is fine for a
// declared one.
type TableSpec struct {
	route.Table
	Rows ui.Value // rows to start with; null = none
}

// OpenTable builds the opening of a table, declared or not. All it opened with
// is in Origin.Params, in the form of a checkpoint's payload.
func (a *App) OpenTable(t Table, spec TableSpec) Opening {
	p, words := spec.Table, a.cfg.Words
	p.Title = cmp.Or(p.Title, t.Title)
	if len(t.Columns) > 0 {
		p.Columns = t.Columns
	} else {
		p.Title, p.Columns = labelled(words, p.Title), labelledFields(words, p.Columns)
	}
	// The app's number is needed to submit; the announced one is expected, of what there can be.
	most := a.cfg.Limits.WithDefaults().Rows
	p.MinRows, p.Stated = min(max(t.MinRows, p.MinRows), most), min(p.Stated, most)
	if len(p.InputModes) == 0 {
		p.InputModes = []string{worksheet.ModePaste, worksheet.ModeInline, worksheet.ModeImport}
	}
	rows := &ui.Table{Rowset: ui.Rowset{Key: "rows", Path: ui.PathOf(ui.DraftRoot, t.Name), Label: p.Title,
		Help: t.Help, Columns: p.Columns, MinRows: max(t.MinRows, 1),
		Starter: min(cmp.Or(p.StarterRows, p.MinRows), most),
		MaxRows: a.cfg.Limits.Rows}}
	given := ui.Map()
	if !spec.Rows.IsNull() {
		given = ui.Map(ui.Pair{Key: t.Name, Value: spec.Rows})
	}
	main := &ui.Column{Key: "main", Children: parts(worksheet.Paste(words, rows, p.InputModes), rows)}
	return a.opening("table", t.Name, p.Title, (&route.Params{Table: &p}).Value(), main, "", given)
}

// minSteps is the least that makes a process.
const minSteps = 2

// MapSpec adds to the declaration of a process map: the parameters of the tool menu,
// steps and connections.
type MapSpec struct {
	route.Map
	Steps ui.Value // rows with name, owner, outcome
	Edges ui.Value // rows with from, to, kind, conditional
}

// OpenMap builds the opening of a process map, declared or not.
func (a *App) OpenMap(m Map, spec MapSpec) Opening {
	p, words := spec.Map, a.cfg.Words
	p.Title = labelled(words, cmp.Or(p.Title, m.Title))
	p.MinSteps = max(minSteps, p.MinSteps)
	if len(p.RequiredFields) == 0 {
		p.RequiredFields = []string{"step_name", "owner", "outcome"}
	}
	if len(p.EdgeTypes) == 0 {
		p.EdgeTypes = []string{string(capture.Sequence), string(capture.Approval), string(capture.Parallel)}
	}
	columns := labelledFields(words, capture.StepColumns())
	for i := range columns {
		columns[i].Required = slices.Contains(p.RequiredFields, columns[i].Name) || columns[i].Name == "name"
	}
	steps := &ui.Steps{Rowset: ui.Rowset{Key: "steps", Path: worksheet.StepsPath, Label: p.Title, Help: m.Help,
		Columns: columns,
		MinRows: minSteps, Starter: max(p.MinSteps, 3), MaxRows: capture.MaxSteps}}
	given := ui.Map()
	if !spec.Steps.IsNull() {
		given = ui.Map(ui.Pair{Key: worksheet.StepsPath.Last(), Value: spec.Steps})
	}
	if !spec.Edges.IsNull() {
		given, _ = given.With(spec.Edges, worksheet.EdgesPath.Last())
	}
	all, _ := ui.BlankDraft(steps, given).Get(worksheet.StepsPath.Last())
	main := &ui.Column{Key: "main", Children: parts(worksheet.Paste(words, steps, []string{worksheet.ModePaste}), steps,
		&ui.Diagram{Key: "picture", Label: p.Title, Steps: worksheet.StepsPath, Edges: worksheet.EdgesPath},
		worksheet.Edges(words, all))}
	return a.opening("map", m.Name, p.Title, (&route.Params{Map: &p}).Value(), main, "", given)
}

// labelled returns a label of Limn's own in the app's words; other labels stay.
func labelled(words ui.Words, label string) string {
	key := "label." + strings.ReplaceAll(strings.ToLower(label), " ", "_")
	if word := words.Say(key); word != ui.Words(nil).Say(key) {
		return word
	}
	return label
}

// labelledFields returns columns that no app declares with their labels, and those
// of their options, in the app's words.
func labelledFields(words ui.Words, fields []ui.Field) []ui.Field {
	fields = slices.Clone(fields)
	for i := range fields {
		f := &fields[i]
		f.Label, f.Options = labelled(words, f.Label), slices.Clone(f.Options)
		for j, o := range f.Options {
			if label := labelled(words, o.Text()); label != o.Text() {
				f.Options[j].Label = label
			}
		}
	}
	return fields
}

// parts leaves out those that are nil.
func parts(list ...ui.Node) ui.Nodes {
	return slices.DeleteFunc(ui.Nodes(list), func(n ui.Node) bool { return n == nil })
}

// opening frames the content with its buttons and fills the draft.
func (a *App) opening(kind, name, title string, params ui.Value, main *ui.Column, submit string,
	given ui.Value) Opening {
	words := a.cfg.Words
	root := ui.Nodes{main}
	if kind == "form" {
		main.Children = append(main.Children, &ui.Row{Key: "buttons", Children: []ui.Node{
			&ui.Button{Key: "submit", Label: cmp.Or(submit, words.Say("button.submit")), Primary: true,
				Action: ui.Action{Name: builtin.ActionSubmit, Context: ui.SubmitContext(main)}},
			&ui.Button{Key: "cancel", Label: words.Say("button.cancel"),
				Action: ui.Action{Name: builtin.ActionCancel, Context: ui.SubmitContext(main)}},
		}})
	} else {
		root = worksheet.SetPhase(root, worksheet.Phase{}, words)
	}
	return Opening{
		Surface: ui.Name(kind + ":" + name),
		Origin:  ui.Origin{Kind: kind, Template: name, Version: a.Version(kind, name), Params: params},
		Title:   title,
		Root:    root,
		Draft:   ui.BlankDraft(main, given),
	}
}

// OpenView builds the opening of a view from the state it shows.
func (a *App) OpenView(v View, s *ui.State) Opening {
	root := v.Root(s)
	o := Opening{Surface: ui.Name("view:" + v.Name), Title: v.Title, Root: root,
		Origin: ui.Origin{Kind: "view", Template: v.Name, Version: a.Version("view", v.Name)}}
	if len(root) == 1 && root[0] != nil {
		o.Draft = ui.BlankDraft(root[0], ui.Value{})
	}
	return o
}
