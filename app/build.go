package app

import (
	"cmp"

	"github.com/limn-ui/limn/tool"
	"github.com/limn-ui/limn/ui"
)

// Opening is what a surface opens with; execute adds the nonce.
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

// TableSpec is what a table opens with beyond its declaration. A table that
// nobody declared has its columns here and the template "list".
type TableSpec struct {
	Title   string
	Columns []ui.Field
	MinRows int
	Rows    ui.Value // rows to start with; null = none
}

// OpenTable builds the opening of a declared table.
func (a *App) OpenTable(t Table, spec TableSpec) Opening {
	title, columns, help, minRows := t.Title, t.Columns, t.Help, t.MinRows
	if spec.Title != "" {
		title = spec.Title
	}
	if len(columns) == 0 {
		columns = spec.Columns
	}
	minRows = max(minRows, spec.MinRows)
	rows := &ui.Table{Rowset: ui.Rowset{Key: "rows", Path: ui.PathOf(ui.DraftRoot, t.Name), Label: title,
		Help: help, Columns: columns, MinRows: minRows}}
	params := ui.Map(ui.Pair{Key: "min_rows", Value: ui.Int(int64(minRows))})
	given := ui.Map()
	if !spec.Rows.IsNull() {
		given = ui.Map(ui.Pair{Key: t.Name, Value: spec.Rows})
	}
	return a.opening("table", t.Name, title, params, &ui.Column{Key: "main", Children: []ui.Node{rows}}, "", given)
}

// MapSpec is what a process map opens with.
type MapSpec struct {
	Title    string
	MinSteps int
	Steps    ui.Value // rows with name, owner, outcome
	Edges    ui.Value // rows with from, to, kind
}

// StepColumns are the columns of every process map: the required fields of the
// tool menu (decision logic §6.2).
func StepColumns() []ui.Field {
	return []ui.Field{
		{Name: "name", Label: "Step", Type: ui.TypeText, Required: true},
		{Name: "owner", Label: "Owner", Type: ui.TypeText, Required: true},
		{Name: "outcome", Label: "Outcome", Type: ui.TypeText, Required: true},
	}
}

// OpenMap builds the opening of a process map.
func (a *App) OpenMap(m Map, spec MapSpec) Opening {
	title := m.Title
	if spec.Title != "" {
		title = spec.Title
	}
	steps := &ui.Steps{Rowset: ui.Rowset{Key: "steps", Path: ui.PathOf(ui.DraftRoot, "steps"), Label: title,
		Help: m.Help, Columns: StepColumns(), MinRows: max(2, spec.MinSteps)}, Edges: ui.PathOf(ui.DraftRoot, "edges")}
	given := ui.Map()
	if !spec.Steps.IsNull() {
		given = ui.Map(ui.Pair{Key: "steps", Value: spec.Steps})
	}
	if !spec.Edges.IsNull() {
		given, _ = given.With(spec.Edges, "edges")
	}
	params := ui.Map(ui.Pair{Key: "min_steps", Value: ui.Int(int64(spec.MinSteps))})
	return a.opening("map", m.Name, title, params, &ui.Column{Key: "main", Children: []ui.Node{steps}}, "", given)
}

// opening frames the content with its buttons and fills the draft.
func (a *App) opening(kind, name, title string, params ui.Value, main *ui.Column, submit string, given ui.Value) Opening {
	words := a.cfg.Words
	root := ui.Nodes{main}
	if kind == "form" {
		main.Children = append(main.Children, &ui.Row{Key: "buttons", Children: []ui.Node{
			&ui.Button{Key: "submit", Label: cmp.Or(submit, words.Say("button.submit")), Primary: true, Action: ui.Action{Name: ui.ActionSubmit, Context: ui.SubmitContext(main)}},
			&ui.Button{Key: "cancel", Label: words.Say("button.cancel"), Action: ui.Action{Name: ui.ActionCancel}},
		}})
	} else {
		root = tool.SetPhase(root, tool.Phase{}, words)
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
	root := v.Nodes
	if v.Build != nil {
		root = v.Build(s)
	}
	o := Opening{Surface: ui.Name("view:" + v.Name), Title: v.Title, Root: root,
		Origin: ui.Origin{Kind: "view", Template: v.Name, Version: a.Version("view", v.Name)}}
	if len(root) == 1 && root[0] != nil {
		o.Draft = ui.BlankDraft(root[0], ui.Value{})
	}
	return o
}
