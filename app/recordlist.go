package app

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/phrasing"
	"github.com/limn-ui/limn/ui"
)

// recordList is the surface that lists the records of a name.
func recordList(name string) ui.Name { return ui.Name("records:" + name) }

// maxCell bounds the text of a cell of a list, in bytes.
const maxCell = 120

// RecordLists describes the records of an app: which there are, how they are listed, and
// which messages and actions show them. It is immutable and safe for concurrent use.
type RecordLists struct {
	app     *App
	specs   []RecordSpec
	phrases []spoken
	actions []Action
}

func newRecordLists(a *App) *RecordLists {
	ls := &RecordLists{app: a, specs: recordSpecs(a.cfg)}
	ls.phrases = recordPhrases(ls.specs, a.cfg.Records)
	keys := func(names ...string) (out []ContextKey) {
		for _, n := range names {
			out = append(out, ContextKey{Key: n, Type: ui.TypeText})
		}
		return out
	}
	ls.actions = []Action{
		{Name: builtin.ActionRecords, Context: keys("name", "query", "search"), Idempotent: true, Repeat: true,
			Handler: ls.show},
		{Name: builtin.ActionRecordEdit, Context: keys("name", "id"), Idempotent: true, Repeat: true, Handler: ls.edit},
		{Name: builtin.ActionRecordDelete, Context: keys("name", "query", "id", "sure", "version"),
			Idempotent: true, Repeat: true, Handler: ls.delete},
	}
	return ls
}

// recordSpecs lists the records that an app can have: of its forms, tables and maps.
func recordSpecs(cfg Config) (out []RecordSpec) {
	add := func(name, title string) {
		spec, _ := find(cfg.Records, name, func(s RecordSpec) string { return s.Name })
		if spec.Name = name; spec.Title == "" {
			spec.Title = title
		}
		if !spec.Off {
			out = append(out, spec)
		}
	}
	for _, f := range cfg.Forms {
		add(f.Name, f.Title)
	}
	for _, t := range cfg.Tables {
		add(t.Name, t.Title)
	}
	for _, m := range cfg.Maps {
		add(m.Name, m.Title)
	}
	return out
}

// Specs lists the specs in the order of declaration: forms, tables, maps. It must not be
// changed.
func (ls *RecordLists) Specs() []RecordSpec { return ls.specs }

// Spec returns the spec of the records of a form, table or map. ok is false if
// there are none.
func (ls *RecordLists) Spec(name string) (RecordSpec, bool) {
	return find(ls.specs, name, func(s RecordSpec) string { return s.Name })
}

// Fields returns the fields that the values of records have: those of a form, or
// none for a table or map, whose values are rows.
func (ls *RecordLists) Fields(name string) []ui.Field {
	f, _ := ls.app.Form(name)
	return f.Fields
}

// open builds the opening of the form, table or map that edits a version of a
// record. Submitting it saves the next one.
func (ls *RecordLists) open(r Record) (o Opening, ok bool) {
	if f, found := ls.app.Form(r.Name); found {
		o, ok = ls.app.OpenForm(f, r.Values), true
	} else if t, found := ls.app.Table(r.Name); found {
		rows, _ := r.Values.Get(t.Name)
		o, ok = ls.app.OpenTable(t, TableSpec{Rows: rows}), true
	} else if m, found := ls.app.Map(r.Name); found {
		steps, _ := r.Values.Get("steps")
		edges, _ := r.Values.Get("edges")
		o, ok = ls.app.OpenMap(m, MapSpec{Steps: steps, Edges: edges}), true
	}
	o.Origin.Record = ui.RecordRef{ID: r.ID, Version: r.Version, Owner: r.Owner}
	if spec, _ := ls.Spec(r.Name); len(spec.Decide) > 0 {
		o.Origin.Params = r.Values // a submit is compared with them
	}
	return o, ok
}

// Decides returns the field by which it takes a decider to save values over those that were
// saved before (null: none); "" if it takes none.
func (ls *RecordLists) Decides(name string, was, values ui.Value) string {
	spec, _ := ls.Spec(name)
	for _, key := range spec.Decide {
		f, _ := find(ls.Fields(name), key, func(f ui.Field) string { return f.Name })
		before, given := was.Get(key)
		now, _ := values.Get(key)
		if given && !blank(before, f.Default) || !now.Equal(before) && !blank(now, f.Default) {
			return key
		}
	}
	return ""
}

// blank reports a value that decides nothing.
func blank(v, start ui.Value) bool { return v.IsNull() || v.Empty() || v.Equal(start) }

// show lists records on their surface. Values: the name, a query as
// RecordQuery.Values has it, and the text of the search field.
func (ls *RecordLists) show(ctx context.Context, c Call) (Result, error) {
	q, err := recordQuery(c.Values)
	if err != nil {
		return Result{}, err
	}
	if search, ok := c.Values.Get("search"); ok {
		q.Search, q.After = search.Text(), ""
	}
	return ls.listing(ctx, c, q, "")
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
func (ls *RecordLists) listing(ctx context.Context, c Call, q RecordQuery, sure string) (Result, error) {
	spec, ok := ls.Spec(q.Name)
	if !ok {
		return Result{}, &ui.Error{Code: CodeNoRecord, Path: "name", Message: "there are no records of that name"}
	}
	page, err := c.Records.List(ctx, q)
	if err != nil {
		return Result{}, err
	}
	name, root := recordList(q.Name), ls.page(spec, q, page, sure)
	if sf := c.State.Surface(name); sf != nil && sf.Status == ui.StatusOpen {
		return Result{Ops: ui.Ops{&ui.Update{Surface: name, Root: root}}}, nil
	}
	draft := ui.BlankDraft(root[0], ui.Map(ui.Pair{Key: "search", Value: ui.String(q.Search)}))
	said := ls.app.cfg.Words.Say("records.shown", "label", spec.Title)
	if len(page.Records) == 0 {
		said = ls.Empty(spec, q, page)
	}
	return Result{Text: said, Ops: ui.Ops{&ui.Open{Surface: name, Title: spec.Title, Root: root, Draft: draft,
		Origin: ui.Origin{Kind: "records", Template: q.Name}}}}, nil
}

// lister draws the list of a query.
type lister struct {
	*RecordLists
	spec RecordSpec
	q    RecordQuery
}

// page draws one page.
func (ls *RecordLists) page(spec RecordSpec, q RecordQuery, page RecordPage, sure string) ui.Nodes {
	l := lister{ls, spec, q}
	list := l.table()
	for i, r := range page.Records {
		list.Children = append(list.Children, l.row("r"+strconv.Itoa(i), r, r.ID == sure))
	}
	main := &ui.Column{Key: "main", Children: ui.Nodes{l.search(), list, l.pages(page.Next)}}
	if len(page.Records) == 0 {
		main.Children[1] = &ui.Text{Key: "empty", Text: ls.Empty(spec, q, page)}
	}
	return ui.Nodes{main}
}

func (l lister) button(key, label, action string, pairs ...string) *ui.Button {
	b := &ui.Button{Key: key, Label: l.app.cfg.Words.Say(label), Action: ui.Action{Name: action, Repeat: true,
		Context: []ui.Context{{Key: "name", Value: ui.String(l.q.Name)}}}}
	for i := 0; i < len(pairs); i += 2 {
		b.Action.Context = append(b.Action.Context, ui.Context{Key: pairs[i], Value: ui.String(pairs[i+1])})
	}
	return b
}

// search is the field for words and its button, which holds the query of the page.
func (l lister) search() *ui.Row {
	path := ui.PathOf(ui.DraftRoot, "search")
	find := l.button("find", "records.find", builtin.ActionRecords, "query", l.q.Values().Encode())
	find.Action.Context = append(find.Action.Context, ui.Context{Key: "search", Path: path})
	field := ui.Field{Name: "search", Label: l.app.cfg.Words.Say("records.search"), Type: ui.TypeText}
	return &ui.Row{Key: "search", Children: ui.Nodes{ui.InputFor(path, field), find}}
}

func (l lister) table() *ui.List {
	return &ui.List{Key: "list", Label: l.spec.Title, Columns: l.Columns(l.spec)}
}

// row is one record. sure asks whether to delete it.
func (l lister) row(key string, r Record, sure bool) *ui.Row {
	row, here := &ui.Row{Key: key}, l.q.Values().Encode()
	for i, text := range l.Cells(l.spec, r) {
		row.Children = append(row.Children, &ui.Text{Key: "c" + strconv.Itoa(i), Text: text})
	}
	switch {
	case !r.Writable:
	case sure:
		row.Children = append(row.Children,
			l.button("sure", "records.sure", builtin.ActionRecordDelete, "query", here, "id", r.ID, "sure", "yes",
				"version", strconv.FormatUint(r.Version, 10)),
			l.button("keep", "records.keep", builtin.ActionRecords, "query", here))
	default:
		row.Children = append(row.Children, l.button("edit", "records.edit", builtin.ActionRecordEdit, "id", r.ID),
			l.button("delete", "records.delete", builtin.ActionRecordDelete, "query", here, "id", r.ID))
	}
	return row
}

// pages are the buttons to other pages, and the one that closes the list.
func (l lister) pages(after string) *ui.Row {
	row := &ui.Row{Key: "pages"}
	add := func(key, label, after string) {
		q := l.q
		q.After = after
		row.Children = append(row.Children, l.button(key, label, builtin.ActionRecords, "query", q.Values().Encode()))
	}
	if l.q.After != "" {
		add("first", "records.first", "")
	}
	if after != "" {
		add("next", "records.next", after)
	}
	row.Children = append(row.Children, &ui.Button{Key: "close", Label: l.app.cfg.Words.Say("records.close"),
		Action: ui.Action{Name: builtin.ActionCancel}})
	return row
}

// Saved updates the list of the records that a state has open after a record was saved
// in its conversation: the record's row shows the new version, and a new record comes
// first in a list of all with the newest first. Nil: nothing changes.
func (ls *RecordLists) Saved(s *ui.State, r Record) *ui.Update {
	list := s.Surface(recordList(r.Name))
	if list == nil || list.Status != ui.StatusOpen {
		return nil
	}
	spec, known := ls.Spec(r.Name)
	main, whole := list.Root[0].(*ui.Column)
	if !known || !whole || len(main.Children) != 3 {
		return nil
	}
	q, err := listed(r.Name, main)
	if err != nil {
		return nil
	}
	l, changed := lister{ls, spec, q}, *main
	table := l.table()
	if old, some := main.Children[1].(*ui.List); some {
		table.Children = slices.Clone(old.Children)
	}
	at := slices.IndexFunc(table.Children, func(row ui.Node) bool { return idOf(row) == r.ID })
	switch {
	case at >= 0:
		table.Children[at] = l.row(ui.NodeKey(table.Children[at]), r, false)
	case r.Version > 1 || q.After != "" || q.Sort != "" || !q.Desc || q.Search != "" || len(q.Where) > 0,
		len(table.Children) >= maxRecords:
		return nil
	default:
		var first ui.Node = l.row("n"+strconv.Itoa(len(table.Children)), r, false)
		table.Children = slices.Insert(table.Children, 0, first)
	}
	changed.Children = ui.Nodes{main.Children[0], table, main.Children[2]}
	return &ui.Update{Surface: list.Name, Root: ui.Nodes{&changed}}
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

// idOf returns the id of the record in a row, from its buttons; "" if it has none.
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

// Empty is the sentence for a page without records.
func (ls *RecordLists) Empty(spec RecordSpec, q RecordQuery, page RecordPage) string {
	switch {
	case page.Next != "":
		return ls.app.cfg.Words.Say("records.further")
	case q.Search == "" && len(q.Where) == 0 && q.After == "":
		return ls.app.cfg.Words.Say("records.none", "label", spec.Title)
	}
	return ls.app.cfg.Words.Say("records.empty")
}

// columns are the fields that a list shows. A table or map, which has none, is
// shown by a summary of its rows.
func (ls *RecordLists) columns(spec RecordSpec) []ui.Field {
	fields := ls.Fields(spec.Name)
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

// Columns are the headings of the lists of a spec.
func (ls *RecordLists) Columns(spec RecordSpec) (titles []string) {
	for _, f := range ls.columns(spec) {
		titles = append(titles, f.Title())
	}
	return append(titles, ls.app.cfg.Words.Say("records.saved"))
}

// Cells are the texts of a record in the columns of Columns.
func (ls *RecordLists) Cells(spec RecordSpec, r Record) []string {
	return ls.cells(ls.columns(spec), r)
}

func (ls *RecordLists) cells(fields []ui.Field, r Record) (cells []string) {
	for _, f := range fields {
		v, _ := r.Values.Get(f.Name)
		text := f.Shown(ls.app.cfg.Words, v)
		if f.Name == rowsColumn {
			text = ls.rowsText(r.Values)
		}
		cells = append(cells, excerpt.Of(text, maxCell))
	}
	return append(cells, ls.app.cfg.Words.Date(r.At))
}

// SortFields are the fields of the columns of Columns, "" for the time.
func (ls *RecordLists) SortFields(spec RecordSpec) (names []string) {
	if len(ls.Fields(spec.Name)) > 0 {
		for _, f := range ls.columns(spec) {
			names = append(names, f.Name)
		}
		names = append(names, "")
	}
	return names
}

// Lines are the labels and values of a record, in words.
func (ls *RecordLists) Lines(r Record) (lines [][2]string) {
	for _, f := range ls.Fields(r.Name) {
		v, _ := r.Values.Get(f.Name)
		lines = append(lines, [2]string{f.Title(), f.Shown(ls.app.cfg.Words, v)})
	}
	if len(lines) > 0 {
		return lines
	}
	for _, p := range r.Values.Pairs() {
		for i, row := range p.Value.Records() {
			var cells []string
			for _, c := range row.Cells.Pairs() {
				if text := (ui.Field{}).Shown(ls.app.cfg.Words, c.Value); text != "" {
					cells = append(cells, text)
				}
			}
			lines = append(lines, [2]string{ls.app.cfg.Words.Say("row.label", "label", p.Key, "n", strconv.Itoa(i+1)),
				strings.Join(cells, " · ")})
		}
	}
	return lines
}

// Rows are records as the rows that views show: numbers as they are, everything
// else as people read it. The cell saved is the time.
func (ls *RecordLists) Rows(name string, list []Record) ui.Value {
	fields := ls.Fields(name)
	rows, order := make([]ui.Record, len(list)), ""
	for i, r := range list {
		order = ui.OrderBetween(order, "")
		cells := []ui.Pair{{Key: "saved", Value: ui.String(ls.app.cfg.Words.Date(r.At))}}
		for _, f := range fields {
			v, _ := r.Values.Get(f.Name)
			if v.Kind() != ui.NumberValue {
				v = ui.String(excerpt.Of(f.Shown(ls.app.cfg.Words, v), maxCell))
			}
			cells = append(cells, ui.Pair{Key: f.Name, Value: v})
		}
		if len(fields) == 0 {
			cells = append(cells, ui.Pair{Key: "rows", Value: ui.String(ls.rowsText(r.Values))})
		}
		rows[i] = ui.Record{ID: "r" + strconv.Itoa(i+1), Order: order, Cells: ui.Map(cells...)}
	}
	return ui.Rows(rows...)
}

// rowsText counts the rows of a table or map and names the first ones.
func (ls *RecordLists) rowsText(values ui.Value) string {
	for _, p := range values.Pairs() {
		rows := p.Value.Records()
		if len(rows) == 0 || p.Key == "edges" {
			continue
		}
		var names []string
		for _, r := range rows[:min(3, len(rows))] {
			for _, cell := range r.Cells.Pairs() {
				if text := (ui.Field{}).Shown(ls.app.cfg.Words, cell.Value); text != "" {
					names = append(names, text)
					break
				}
			}
		}
		return ls.app.cfg.Words.Say("records.rows", "n", strconv.Itoa(len(rows)), "list", strings.Join(names, ", "))
	}
	return ""
}

// edit opens the form of a record with its newest values.
func (ls *RecordLists) edit(ctx context.Context, c Call) (Result, error) {
	text := func(key string) string { v, _ := c.Values.Get(key); return v.Text() }
	r, err := c.Records.Get(ctx, text("name"), text("id"), 0)
	if err != nil {
		return Result{}, err
	}
	o, ok := ls.open(r)
	if !ok || !r.Writable {
		return Result{}, &ui.Error{Code: CodeRecordDenied, Message: "this record is not yours to change"}
	}
	return Result{Ops: ui.Ops{o.Op("")}, Text: ls.app.cfg.Words.Say("records.editing", "label", o.Title, "at",
		ls.app.cfg.Words.Date(r.At))}, nil
}

// delete asks first, and again if the record was saved since.
func (ls *RecordLists) delete(ctx context.Context, c Call) (Result, error) {
	q, err := recordQuery(c.Values)
	if err != nil {
		return Result{}, err
	}
	id, _ := c.Values.Get("id")
	if sure, _ := c.Values.Get("sure"); sure.Text() == "" {
		return ls.listing(ctx, c, q, id.Text())
	}
	shown, _ := c.Values.Get("version")
	version, _ := strconv.ParseUint(shown.Text(), 10, 63)
	err = c.Records.Delete(ctx, q.Name, id.Text(), version)
	if ui.CodeOf(err) == CodeRecordChanged {
		res, err := ls.listing(ctx, c, q, id.Text())
		res.Text = ls.app.cfg.Words.Say("problem.RECORD_CHANGED")
		return res, err
	}
	if err != nil && ui.CodeOf(err) != CodeNoRecord { // a retry finds it gone
		return Result{}, err
	}
	res, err := ls.listing(ctx, c, q, "")
	res.Toast = ls.app.cfg.Words.Say("records.deleted")
	return res, err
}

// For returns the query that a message asks for in so many words: "show all
// customers", "list the clients". It knows the title, the name and the phrases of each
// RecordSpec. All other words of the message must be polite or ask for something; else
// the message is for the router or the model. A phrase of several words, such as
// "Kunden zeigen", may be the whole message. "my" and "all" are the same list.
func (ls *RecordLists) For(message string) (RecordQuery, bool) {
	n, ok := named(ls.phrases, message)
	if !ok {
		return RecordQuery{}, false
	}
	return RecordQuery{Name: n.of, Desc: true, Limit: defaultRecords}, true
}

// spoken is a way to name records or a view.
type spoken struct {
	of    string
	words []string
	whole bool // these words alone ask for it
}

// namesOf are the ways to name something: its phrases, then other names. A phrase of
// several words can be a whole order.
func namesOf(of string, phrases []string, others ...string) (list []spoken) {
	for i, s := range append(slices.Clone(phrases), others...) {
		words := phrasing.Words(strings.NewReplacer("_", " ", "-", " ").Replace(s))
		if len(words) > 0 {
			list = append(list, spoken{of, words, i < len(phrases) && len(words) > 1})
		}
	}
	return list
}

// recordPhrases are the ways to name the records of each spec: the declared phrases,
func recordPhrases(specs, declared []RecordSpec) (list []spoken) {
	plural := func(s string) string {
		if s == "" || strings.HasSuffix(s, "s") {
			return s
		}
		return s + "s"
	}
	for _, spec := range specs {
		own, _ := find(declared, spec.Name, func(s RecordSpec) string { return s.Name })
		title := cmp.Or(own.Title, plural(strings.Join(subject(spec.Title), " ")))
		list = append(list, namesOf(spec.Name, spec.Phrases, title, plural(spec.Name), spec.Name+" records")...)
	}
	return list
}

var (
	asks = set("show open list see view display find search browse bring give " +
		"all saved existing stored records")
	between = set("me us the our my of all every saved existing stored records list now again please just")
)

// named returns the name by which a message asks for something: the one that is the whole message, or the first one
// in a message of one sentence.
func named(list []spoken, message string) (spoken, bool) {
	if len(message) > maxCommand {
		return spoken{}, false
	}
	words := phrasing.Words(message)
	i := slices.IndexFunc(list, func(n spoken) bool { return n.whole && slices.Equal(words, n.words) })
	if i < 0 && !strings.ContainsFunc(strings.TrimRight(message, ".!? \n"), isStop) {
		i = slices.IndexFunc(list, func(n spoken) bool { return n.in(words) })
	}
	if i < 0 {
		return spoken{}, false
	}
	return list[i], true
}

// in reports words that ask for the named thing, and say nothing else.
func (n spoken) in(words []string) bool {
	i := 0
	for ; i+len(n.words) <= len(words) && !slices.Equal(words[i:i+len(n.words)], n.words); i++ {
	}
	if i+len(n.words) > len(words) {
		return false
	}
	around := append(slices.Clone(words[:i]), words[i+len(n.words):]...)
	asked := false
	for _, w := range around {
		asked = asked || asks[w]
		if !asks[w] && !between[w] && !leads[w] {
			return false
		}
	}
	return asked
}
