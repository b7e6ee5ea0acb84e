package app

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// The actions of lists of records. Every app with records has them.
const (
	ActionRecords      = "limn.records"       // show a page
	ActionRecordEdit   = "limn.record_edit"   // open the form of a record
	ActionRecordDelete = "limn.record_delete" // delete it, after asking
)

// RecordList is the surface that lists the records of a name.
func RecordList(name string) ui.Name { return ui.Name("records:" + name) }

// maxCell bounds the text of a cell of a list, in bytes.
const maxCell = 120

// recordActions are the actions of lists of records.
func (a *App) recordActions() []Action {
	keys := func(names ...string) (out []ContextKey) {
		for _, n := range names {
			out = append(out, ContextKey{Key: n, Type: ui.TypeText})
		}
		return out
	}
	return []Action{
		{Name: ActionRecords, Context: keys("name", "query", "search"), Idempotent: true, Repeat: true,
			Handler: a.showRecords},
		{Name: ActionRecordEdit, Context: keys("name", "id"), Idempotent: true, Repeat: true, Handler: a.editRecord},
		{Name: ActionRecordDelete, Context: keys("name", "query", "id", "sure"), Idempotent: true, Repeat: true,
			Handler: a.deleteRecord},
	}
}

// showRecords lists records on their surface. Values: the name, a query as
// RecordQuery.Values has it, and what was typed into the search field.
func (a *App) showRecords(ctx context.Context, c Call) (Result, error) {
	q, err := recordQuery(c.Values)
	if err != nil {
		return Result{}, err
	}
	if search, ok := c.Values.Get("search"); ok {
		q.Search, q.After = search.Text(), ""
	}
	return a.listing(ctx, c, q, "")
}

func recordQuery(values ui.Value) (RecordQuery, error) {
	text := func(key string) string { v, _ := values.Get(key); return v.Text() }
	params, err := url.ParseQuery(text("query"))
	if err != nil {
		return RecordQuery{}, queryError("query", "want parameters of an address")
	}
	return ParseRecordQuery(text("name"), params)
}

// listing opens or updates the list of a query. The record with the id sure is asked
// about before it is deleted.
func (a *App) listing(ctx context.Context, c Call, q RecordQuery, sure string) (Result, error) {
	spec, ok := a.RecordSpec(q.Name)
	if !ok {
		return Result{}, &ui.Error{Code: CodeNoRecord, Path: "name", Message: "there are no records of that name"}
	}
	page, err := c.Records.List(ctx, q)
	if err != nil {
		return Result{}, err
	}
	name, root := RecordList(q.Name), a.recordList(spec, q, page, sure)
	if sf := c.State.Surface(name); sf != nil && sf.Status == ui.StatusOpen {
		return Result{Ops: ui.Ops{&ui.Update{Surface: name, Root: root}}}, nil
	}
	draft := ui.BlankDraft(root[0], ui.Map(ui.Pair{Key: "search", Value: ui.String(q.Search)}))
	said := a.cfg.Words.Say("records.shown", "label", spec.Title)
	if len(page.Records) == 0 {
		said = a.NoRecords(spec, q, page)
	}
	return Result{Text: said, Ops: ui.Ops{&ui.Open{Surface: name, Title: spec.Title, Root: root, Draft: draft,
		Origin: ui.Origin{Kind: "records", Template: q.Name}}}}, nil
}

// lister draws the list of a query.
type lister struct {
	*App
	spec RecordSpec
	q    RecordQuery
}

// recordList draws one page.
func (a *App) recordList(spec RecordSpec, q RecordQuery, page RecordPage, sure string) ui.Nodes {
	l := lister{a, spec, q}
	list := l.table()
	for i, r := range page.Records {
		list.Children = append(list.Children, l.row("r"+strconv.Itoa(i), r, r.ID == sure))
	}
	main := &ui.Column{Key: "main", Children: ui.Nodes{l.search(), list, l.pages(page.Next)}}
	if len(page.Records) == 0 {
		main.Children[1] = &ui.Text{Key: "empty", Text: a.NoRecords(spec, q, page)}
	}
	return ui.Nodes{main}
}

func (l lister) button(key, label, action string, pairs ...string) *ui.Button {
	b := &ui.Button{Key: key, Label: l.cfg.Words.Say(label), Action: ui.Action{Name: action, Repeat: true,
		Context: []ui.Context{{Key: "name", Value: ui.String(l.q.Name)}}}}
	for i := 0; i < len(pairs); i += 2 {
		b.Action.Context = append(b.Action.Context, ui.Context{Key: pairs[i], Value: ui.String(pairs[i+1])})
	}
	return b
}

// search is the field for words and its button, which holds the query of the page.
func (l lister) search() *ui.Row {
	path := ui.PathOf(ui.DraftRoot, "search")
	find := l.button("find", "records.find", ActionRecords, "query", l.q.Values().Encode())
	find.Action.Context = append(find.Action.Context, ui.Context{Key: "search", Path: path})
	field := ui.Field{Name: "search", Label: l.cfg.Words.Say("records.search"), Type: ui.TypeText}
	return &ui.Row{Key: "search", Children: ui.Nodes{ui.InputFor(path, field), find}}
}

func (l lister) table() *ui.List {
	return &ui.List{Key: "list", Label: l.spec.Title, Columns: l.RecordColumns(l.spec)}
}

// row is one record. sure asks whether to delete it.
func (l lister) row(key string, r Record, sure bool) *ui.Row {
	row, here := &ui.Row{Key: key}, l.q.Values().Encode()
	for i, text := range l.RecordCells(l.spec, r) {
		row.Children = append(row.Children, &ui.Text{Key: "c" + strconv.Itoa(i), Text: text})
	}
	switch {
	case !r.Writable:
	case sure:
		row.Children = append(row.Children,
			l.button("sure", "records.sure", ActionRecordDelete, "query", here, "id", r.ID, "sure", "yes"),
			l.button("keep", "records.keep", ActionRecords, "query", here))
	default:
		row.Children = append(row.Children, l.button("edit", "records.edit", ActionRecordEdit, "id", r.ID),
			l.button("delete", "records.delete", ActionRecordDelete, "query", here, "id", r.ID))
	}
	return row
}

// pages are the buttons to other pages, and the one that closes the list.
func (l lister) pages(after string) *ui.Row {
	row := &ui.Row{Key: "pages"}
	add := func(key, label, after string) {
		q := l.q
		q.After = after
		row.Children = append(row.Children, l.button(key, label, ActionRecords, "query", q.Values().Encode()))
	}
	if l.q.After != "" {
		add("first", "records.first", "")
	}
	if after != "" {
		add("next", "records.next", after)
	}
	row.Children = append(row.Children, &ui.Button{Key: "close", Label: l.cfg.Words.Say("records.close"),
		Action: ui.Action{Name: ui.ActionCancel}})
	return row
}

// RecordSaved is the content of an open list after a record was saved in its
// conversation: the record's row shows the new version, and a new record comes first in
// a list of all with the newest first. ok is false if the list stays as it is.
func (a *App) RecordSaved(list *ui.Surface, r Record) (root ui.Nodes, ok bool) {
	spec, known := a.RecordSpec(r.Name)
	main, whole := list.Root[0].(*ui.Column)
	if !known || !whole || len(main.Children) != 3 {
		return nil, false
	}
	q, err := listed(r.Name, main)
	if err != nil {
		return nil, false
	}
	l, changed := lister{a, spec, q}, *main
	table := l.table()
	if old, some := main.Children[1].(*ui.List); some {
		table.Children = slices.Clone(old.Children)
	}
	at := slices.IndexFunc(table.Children, func(row ui.Node) bool { return idOf(row) == r.ID })
	switch {
	case at >= 0:
		table.Children[at] = l.row(ui.NodeKey(table.Children[at]), r, false)
	case r.Version > 1 || q.After != "" || q.Sort != "" || !q.Desc || q.Search != "" || len(q.Where) > 0,
		len(table.Children) >= MaxRecords:
		return nil, false
	default:
		var first ui.Node = l.row("n"+strconv.Itoa(len(table.Children)), r, false)
		table.Children = slices.Insert(table.Children, 0, first)
	}
	changed.Children = ui.Nodes{main.Children[0], table, main.Children[2]}
	return ui.Nodes{&changed}, true
}

// listed is the query of the page that a list shows.
func listed(name string, main *ui.Column) (RecordQuery, error) {
	for n := range ui.All(main) {
		if b, ok := n.(*ui.Button); ok && b.Key == "find" {
			return recordQuery(ui.Map(ui.Pair{Key: "name", Value: ui.String(name)},
				ui.Pair{Key: "query", Value: contextOf(b, "query")}))
		}
	}
	return RecordQuery{}, queryError("query", "")
}

// idOf is the id of the record of a row; "" if nobody can change it here.
func idOf(row ui.Node) string {
	for n := range ui.All(row) {
		if b, ok := n.(*ui.Button); ok && b.Key != "keep" {
			return contextOf(b, "id").Text()
		}
	}
	return ""
}

func contextOf(b *ui.Button, key string) ui.Value {
	c, _ := find(b.Action.Context, key, func(c ui.Context) string { return c.Key })
	return c.Value
}

// NoRecords is the sentence for a page without records.
func (a *App) NoRecords(spec RecordSpec, q RecordQuery, page RecordPage) string {
	switch {
	case page.Next != "":
		return a.cfg.Words.Say("records.further")
	case q.Search == "" && len(q.Where) == 0 && q.After == "":
		return a.cfg.Words.Say("records.none", "label", spec.Title)
	}
	return a.cfg.Words.Say("records.empty")
}

// recordColumns are the fields that a list shows. A table or map, which has none, is
// shown by a summary of its rows.
func (a *App) recordColumns(spec RecordSpec) []ui.Field {
	fields := a.RecordFields(spec.Name)
	if len(fields) == 0 {
		return []ui.Field{{Name: rowsColumn, Label: spec.Title}}
	}
	var out []ui.Field
	for _, f := range fields {
		if slices.Contains(spec.Fields, f.Name) || len(spec.Fields) == 0 && f.Type != ui.TypeUpload && len(out) < 5 {
			out = append(out, f)
		}
	}
	return out
}

// rowsColumn is the column of a table or map; a field cannot have that name.
const rowsColumn = "#rows"

// RecordColumns are the headings of the lists of a spec.
func (a *App) RecordColumns(spec RecordSpec) (titles []string) {
	for _, f := range a.recordColumns(spec) {
		titles = append(titles, f.Title())
	}
	return append(titles, a.cfg.Words.Say("records.saved"))
}

// RecordCells are the texts of a record in the columns of RecordColumns.
func (a *App) RecordCells(spec RecordSpec, r Record) []string {
	return a.recordCells(a.recordColumns(spec), r)
}

func (a *App) recordCells(fields []ui.Field, r Record) (cells []string) {
	for _, f := range fields {
		v, _ := r.Values.Get(f.Name)
		text := f.Shown(a.cfg.Words, v)
		if f.Name == rowsColumn {
			text = a.rowsText(r.Values)
		}
		cells = append(cells, clipTo(text, maxCell))
	}
	return append(cells, r.At.UTC().Format("2006-01-02 15:04"))
}

// RecordSortFields are the fields of the columns of RecordColumns, "" for the time.
func (a *App) RecordSortFields(spec RecordSpec) (names []string) {
	if len(a.RecordFields(spec.Name)) > 0 {
		for _, f := range a.recordColumns(spec) {
			names = append(names, f.Name)
		}
		names = append(names, "")
	}
	return names
}

// RecordLines are the labels and values of a record, in words.
func (a *App) RecordLines(r Record) (lines [][2]string) {
	for _, f := range a.RecordFields(r.Name) {
		v, _ := r.Values.Get(f.Name)
		lines = append(lines, [2]string{f.Title(), f.Shown(a.cfg.Words, v)})
	}
	if len(lines) > 0 {
		return lines
	}
	for _, p := range r.Values.Pairs() {
		for i, row := range p.Value.Records() {
			var cells []string
			for _, c := range row.Cells.Pairs() {
				if text := (ui.Field{}).Shown(a.cfg.Words, c.Value); text != "" {
					cells = append(cells, text)
				}
			}
			lines = append(lines, [2]string{a.cfg.Words.Say("row.label", "label", p.Key, "n", strconv.Itoa(i+1)),
				strings.Join(cells, " · ")})
		}
	}
	return lines
}

// rowsText counts the rows of a table or map and names the first ones.
func (a *App) rowsText(values ui.Value) string {
	for _, p := range values.Pairs() {
		rows := p.Value.Records()
		if len(rows) == 0 || p.Key == "edges" {
			continue
		}
		var names []string
		for _, r := range rows[:min(3, len(rows))] {
			for _, cell := range r.Cells.Pairs() {
				if text := cell.Value.Text(); text != "" {
					names = append(names, text)
					break
				}
			}
		}
		return a.cfg.Words.Say("records.rows", "n", strconv.Itoa(len(rows)), "list", strings.Join(names, ", "))
	}
	return ""
}

func clipTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// editRecord opens the form of a record with its newest values.
func (a *App) editRecord(ctx context.Context, c Call) (Result, error) {
	text := func(key string) string { v, _ := c.Values.Get(key); return v.Text() }
	r, err := c.Records.Get(ctx, text("name"), text("id"), 0)
	if err != nil {
		return Result{}, err
	}
	o, ok := a.OpenRecord(r)
	if !ok || !r.Writable {
		return Result{}, &ui.Error{Code: CodeRecordDenied, Message: "this record is not yours to change"}
	}
	return Result{Ops: ui.Ops{o.Op("")}, Text: a.cfg.Words.Say("records.editing", "label", o.Title, "at",
		r.At.UTC().Format("2006-01-02 15:04"))}, nil
}

// deleteRecord asks first.
func (a *App) deleteRecord(ctx context.Context, c Call) (Result, error) {
	q, err := recordQuery(c.Values)
	if err != nil {
		return Result{}, err
	}
	id, _ := c.Values.Get("id")
	if sure, _ := c.Values.Get("sure"); sure.Text() == "" {
		return a.listing(ctx, c, q, id.Text())
	}
	err = c.Records.Delete(ctx, q.Name, id.Text(), 0)
	if err != nil && ui.CodeOf(err) != CodeNoRecord { // a retry finds it gone
		return Result{}, err
	}
	res, err := a.listing(ctx, c, q, "")
	res.Toast = a.cfg.Words.Say("records.deleted")
	return res, err
}

// RecordsFor returns the query that a message asks for in so many words: "show all
// customers", "list the clients". What it may name are the title, the name and the
// phrases of a RecordSpec. Only words of politeness or of asking may stand around
// it: anything else is for the router or the model. A phrase of several words, such as
// "Kunden zeigen", may be the whole message. "my" and "all" are the same list.
func (a *App) RecordsFor(message string) (RecordQuery, bool) {
	message = strings.TrimRight(message, ".!? \n")
	words := wordsOf(message)
	if len(message) > maxCommand || len(words) == 0 || strings.ContainsFunc(message, isStop) {
		return RecordQuery{}, false
	}
	for _, l := range a.recordNames {
		if l.whole && slices.Equal(words, l.words) || asksForRecords(words, l.words) {
			return RecordQuery{Name: l.record, Desc: true, Limit: DefaultRecords}, true
		}
	}
	return RecordQuery{}, false
}

// recordPhrase is a way to name records.
type recordPhrase struct {
	record string
	words  []string
	whole  bool // these words alone ask for the list
}

// recordPhrases are the ways to name the records of each spec: the declared phrases,
// the title, and the name of the form, in the plural where that differs. A phrase of
// several words can be a whole order.
func (a *App) recordPhrases() (list []recordPhrase) {
	plural := func(s string) string {
		if s == "" || strings.HasSuffix(s, "s") {
			return s
		}
		return s + "s"
	}
	for _, spec := range a.specs {
		declared, _ := find(a.cfg.Records, spec.Name, func(s RecordSpec) string { return s.Name })
		title := cmp.Or(declared.Title, plural(strings.Join(subject(spec.Title), " ")))
		for i, s := range append(slices.Clone(spec.Phrases), title, plural(spec.Name), spec.Name+" records") {
			words := wordsOf(strings.NewReplacer("_", " ", "-", " ").Replace(s))
			if len(words) > 0 {
				list = append(list, recordPhrase{spec.Name, words, i < len(spec.Phrases) && len(words) > 1})
			}
		}
	}
	return list
}

var (
	asks    = set("show list see view display find search all browse saved existing stored records")
	between = set("me us the our my of all every saved existing stored records list now again please just")
)

// asksForRecords reports an order to show what name names, and nothing else.
func asksForRecords(words, name []string) bool {
	i := 0
	for ; i+len(name) <= len(words) && !slices.Equal(words[i:i+len(name)], name); i++ {
	}
	if i+len(name) > len(words) {
		return false
	}
	around := append(slices.Clone(words[:i]), words[i+len(name):]...)
	asked := false
	for _, w := range around {
		asked = asked || asks[w]
		if !asks[w] && !between[w] && !leads[w] {
			return false
		}
	}
	return asked
}
