package worksheet

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

// Where a worksheet keeps what waits to be taken over. None of it is submitted.
const (
	PastePath   ui.Path = "/draft/paste"     // pasted text
	ImportPath  ui.Path = "/draft/import"    // id of an imported file
	MappingPath ui.Path = "/draft/paste_map" // c1, c2 … → name of a declared column, "" = leave out
	// the paste that was read: its mark, and the name and text of a file; dropped if it is not to be added
	ReadPath ui.Path = "/ui_state/paste"
)

// Reserved reports a name that no table can have: /draft/<name> is taken.
func Reserved(name string) bool {
	return slices.Contains([]ui.Path{PastePath, ImportPath, MappingPath}, ui.PathOf(ui.DraftRoot, name))
}

const (
	MaxPaste   = 512 << 10 // bytes of pasted text
	MaxColumns = 40        // pasted columns that can be read
)

// Ways of putting rows in (decision logic §6.1).
const (
	ModePaste  = "paste"
	ModeInline = "inline"
	ModeImport = "import"
)

// importTypes are the files that can be read as rows.
var importTypes = []string{".csv", ".tsv", ".txt", ".xlsx", "text/csv", "text/tab-separated-values", "text/plain",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}

// Paste is the part where text is pasted or a file is chosen, as far as modes
// say; nil without either. of is the Table or the Steps it fills.
func Paste(w ui.Words, of ui.Node, modes []string) ui.Node {
	part := &ui.Section{Key: "paste", Title: w.Say(mapWord("paste.title", of)), Fold: true}
	if slices.Contains(modes, ModePaste) {
		box := ui.Field{Name: "text", Label: w.Say(mapWord("paste.box", of)), Help: w.Say("paste.help"),
			Type: ui.TypeLongText, Max: strconv.Itoa(MaxPaste)}
		part.Children = append(part.Children, ui.InputFor(PastePath, box),
			&ui.Button{Key: "read", Label: w.Say("paste.read"),
				Action: ui.Action{Name: builtin.ActionPaste, Context: everything(of, nil)}})
	}
	if slices.Contains(modes, ModeImport) {
		file := ui.Field{Name: "import", Label: w.Say("paste.import"), Help: w.Say("paste.import.help"),
			Type: ui.TypeUpload, Accept: importTypes}
		part.Children = append(part.Children, ui.InputFor(ImportPath, file))
	}
	if part.Children == nil {
		return nil
	}
	return part
}

// mapWord is the word for a process map, where the one for tables does not do.
func mapWord(key string, of ui.Node) string {
	if _, ok := of.(*ui.Steps); ok {
		return key + ".map"
	}
	return key
}

// everything is the context of the buttons of the part: all cells the user may have
// typed in, so that rows which are not blank any more are not filled.
func everything(of ui.Node, columns []ui.Node) []ui.Context {
	rs := ui.RowsetOf(of)
	ctx := []ui.Context{{Key: "rows", Path: rs.Path}, {Key: "paste", Path: PastePath}}
	if _, ok := of.(*ui.Steps); ok {
		ctx = append(ctx, ui.Context{Key: "edges", Path: EdgesPath})
	}
	for _, c := range columns {
		ctx = append(ctx, ui.Context{Key: ui.NodeKey(c), Path: MappingPath.Join(ui.NodeKey(c))})
	}
	return ctx
}

// Found is a paste that was read and waits to be added. Exactly one of Table
// and Map is set.
type Found struct {
	File  string // its name, of an import
	Notes string // what there is to know about it
	Table *capture.Preview
	First []capture.Row // its first rows
	Map   *capture.Map
	Most  int // rows, or steps, that there can be
	Fits  int // that there is room for
}

func (f Found) rows() int {
	if f.Map != nil {
		return len(f.Map.Steps) + f.Map.More
	}
	return f.Table.Rows + f.Table.More
}

// ShowFound puts the preview of a paste into the part for pasting, instead of
// the one before.
func ShowFound(root ui.Nodes, w ui.Words, f Found) ui.Nodes {
	of, part := Filled(root), pasteOf(root)
	if of == nil || part == nil {
		return root
	}
	preview := &ui.Column{Key: "found"}
	add := func(n ...ui.Node) { preview.Children = append(preview.Children, n...) }
	var columns []ui.Node
	intro := func(list []string) {
		if len(list) > 0 {
			add(&ui.Text{Key: "intro", Text: w.Say(mapWord("paste.intro", of), "list", firstOf(list, 3, " / "))})
		}
	}
	if f.Map != nil {
		add(&ui.Text{Key: "sum", Text: f.sum(w, "paste.found.map", "")}, lines("first", stepLines(w, f.Map)))
		intro(f.Map.Intro)
	} else {
		add(&ui.Text{Key: "sum", Text: f.sum(w, "paste.found", w.Say("paste.form."+string(f.Table.Form)))})
		intro(f.Table.Intro)
		columns = mapping(w, f.Table, ui.RowsetOf(of))
		add(&ui.Text{Key: "which", Text: w.Say("paste.which")})
		add(columns...)
		add(lines("first", rowLines(f.First)))
	}
	if f.Notes != "" {
		add(&ui.Text{Key: "notes", Text: f.Notes, Small: true})
	}
	apply := Count(w, mapWord("paste.apply", of), f.rows())
	if n := f.rows(); n > f.Fits {
		over := Count(w, "paste.over", n, "max", strconv.Itoa(f.Fits))
		if f.Fits > 0 && canCut(of) {
			over = Count(w, "paste.cut", f.Fits, "max", strconv.Itoa(f.Most), "other", strconv.Itoa(n))
			apply = Count(w, "paste.apply.cut", f.Fits)
		}
		add(&ui.Notice{Key: "over", Tone: ui.ToneWarning, Text: over})
	}
	add(&ui.Row{Key: "buttons", Children: ui.Nodes{
		&ui.Button{Key: "apply", Label: apply,
			Action: ui.Action{Name: builtin.ActionPasteApply, Context: everything(of, columns)}},
		&ui.Button{Key: "drop", Label: w.Say("paste.drop"),
			Action: ui.Action{Name: builtin.ActionPasteDrop, Context: everything(of, columns)}},
	}})
	return SetParts(root, without(part, preview))
}

// canCut reports that the first rows of a paste are of use without the others: those
// of a table are, while the first steps of a process are none.
func canCut(of ui.Node) bool {
	_, ok := of.(*ui.Table)
	return ok
}

// HideFound takes the preview away.
func HideFound(root ui.Nodes) ui.Nodes {
	if part := pasteOf(root); part != nil {
		return SetParts(root, without(part))
	}
	return root
}

// without is the part without its preview, and with more after the rest.
func without(part *ui.Section, more ...ui.Node) *ui.Section {
	out := *part
	out.Children = append(slices.DeleteFunc(slices.Clone(part.Children),
		func(n ui.Node) bool { return ui.NodeKey(n) == "found" }), more...)
	return &out
}

func pasteOf(root ui.Nodes) *ui.Section {
	part, _ := Part(root, "paste").(*ui.Section)
	return part
}

// Filled is the Table or the Steps that a worksheet fills, or nil.
func Filled(root ui.Nodes) ui.Node {
	if steps := Part(root, "steps"); steps != nil {
		return steps
	}
	return Part(root, "rows")
}

func (f Found) sum(w ui.Words, key, form string) string {
	text := Count(w, key, f.rows(), "form", form)
	if f.Map != nil {
		text += " " + Count(w, "paste.found.edges", len(f.Map.Edges))
	}
	if f.File != "" {
		text = f.File + ": " + text
	}
	return text
}

// mapping asks of each pasted column which declared one it is.
func mapping(w ui.Words, p *capture.Preview, rs *ui.Rowset) []ui.Node {
	var options []ui.Option
	for _, c := range rs.Columns {
		options = append(options, ui.Option{Value: c.Name, Label: c.Title()})
	}
	var out []ui.Node
	for i, c := range p.Columns[:min(len(p.Columns), MaxColumns)] {
		label := w.Say("paste.column", "n", strconv.Itoa(i+1))
		if c.Header != "" {
			label += ": " + c.Header
		}
		f := ui.Field{Name: "c" + strconv.Itoa(i+1), Label: label, Type: ui.TypeChoice, Options: options}
		if len(c.Samples) > 0 {
			f.Help = w.Say("paste.samples", "list", strings.Join(c.Samples, " / "))
		}
		out = append(out, ui.InputFor(MappingPath.Join(f.Name), f))
	}
	return out
}

// mappingOf is the value of MappingPath that a preview begins with.
func mappingOf(p capture.Preview) ui.Value {
	v := ui.Map()
	for i, name := range p.Mapping()[:min(len(p.Columns), MaxColumns)] {
		v, _ = v.With(ui.String(name), "c"+strconv.Itoa(i+1))
	}
	return v
}

// firstRows and firstSteps are how many of them a preview shows.
const (
	FirstRows  = 5
	firstSteps = 20
)

// lines draws each line as a text: some clients lose line breaks.
func lines(key string, list []string) ui.Node {
	column := &ui.Column{Key: key}
	for i, text := range list {
		column.Children = append(column.Children, &ui.Text{Key: "l" + strconv.Itoa(i+1), Text: text, Small: true})
	}
	return column
}

func rowLines(rows []capture.Row) (lines []string) {
	for i, r := range rows[:min(len(rows), FirstRows)] {
		var cells []string
		for _, c := range r.Cells {
			cells = append(cells, excerpt.Runes(c.Raw, 60))
		}
		lines = append(lines, strconv.Itoa(i+1)+". "+strings.Join(cells, " · "))
	}
	return lines
}

func stepLines(w ui.Words, m *capture.Map) (lines []string) {
	for i, s := range m.Steps[:min(len(m.Steps), firstSteps)] {
		line := strconv.Itoa(i+1) + ". " + excerpt.Runes(s.Name, 80)
		if s.Owner != "" {
			line += " (" + excerpt.Runes(s.Owner, 40) + ")"
		}
		lines = append(lines, line)
	}
	for _, e := range m.Edges[:min(len(m.Edges), firstSteps)] {
		line := strconv.Itoa(e.From+1) + " → " + strconv.Itoa(e.To+1)
		if e.Kind != capture.Sequence {
			line += " (" + w.Say("edge."+string(e.Kind)) + ")"
		}
		if e.Guess() {
			line += " – " + guessText(w, m, e)
		}
		lines = append(lines, line)
	}
	if len(m.Steps) > firstSteps || len(m.Edges) > firstSteps {
		lines = append(lines, "…")
	}
	return lines
}

func firstOf(list []string, n int, sep string) string {
	var out []string
	for i, s := range list {
		if i == n {
			out = append(out, "…")
			break
		}
		out = append(out, excerpt.Runes(s, 80))
	}
	return strings.Join(out, sep)
}

// Count is a word with a number in it, {n}; the one for 1 has its own key,
// which ends in ".one".
func Count(w ui.Words, key string, n int, pairs ...string) string {
	if n == 1 {
		key += ".one"
	}
	return w.Say(key, append(pairs, "n", strconv.Itoa(n))...)
}
