package route

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// SummaryTable is the summary_prompt of every table: how the reply to a complete
// submit sums it up.
const SummaryTable = "Summarise the table in two sentences."

// Template is the table that collects one kind of thing.
type Template struct {
	Nouns   []string // singular, lower case: "stakeholder"
	Title   string   // default: the noun as the user wrote it
	Columns []ui.Field
}

const (
	maxSteps  = 200
	maxStated = 1_000_000
	minRows   = 1 // where no count was stated, a table of one row may be submitted
)

func text(label string, required bool) ui.Field {
	return ui.Field{Name: strings.ToLower(strings.ReplaceAll(label, " ", "_")), Label: label, Type: ui.TypeText,
		Required: required}
}

func typed(label string, t ui.FieldType) ui.Field {
	f := text(label, false)
	f.Type = t
	return f
}

func choice(label string, options ...string) ui.Field {
	f := typed(label, ui.TypeChoice)
	for _, o := range options {
		f.Options = append(f.Options, ui.Option{Value: o})
	}
	return f
}

// templates are the built-in kinds; the last one, without nouns, is for the rest.
var templates = []Template{
	{[]string{"stakeholder"}, "Stakeholders",
		[]ui.Field{text("Name", true), text("Role", false), choice("Influence", "High", "Medium", "Low")}},
	{[]string{"risk", "hazard", "threat"}, "",
		[]ui.Field{text("Risk", true), text("Owner", false), choice("Impact", "High", "Medium", "Low"),
			choice("Likelihood", "High", "Medium", "Low")}},
	{[]string{"issue", "problem", "bug", "defect", "incident", "ticket", "complaint"}, "",
		[]ui.Field{text("Issue", true), text("Owner", false), choice("Priority", "High", "Medium", "Low"),
			choice("Status", "Open", "In progress", "Closed")}},
	{[]string{"vendor", "supplier", "provider", "contractor", "partner", "subcontractor"}, "",
		[]ui.Field{text("Name", true), text("Contact", false), text("Category", false)}},
	{[]string{"customer", "client", "lead", "prospect"}, "",
		[]ui.Field{text("Name", true), text("Contact", false), typed("Email", ui.TypeEmail)}},
	{[]string{"user", "employee", "person", "attendee", "participant", "member", "contact", "candidate", "guest",
		"speaker", "reviewer"}, "", []ui.Field{text("Name", true), typed("Email", ui.TypeEmail), text("Role", false)}},
	{[]string{"requirement", "feature", "story", "request"}, "",
		[]ui.Field{text("Requirement", true), choice("Priority", "Must", "Should", "Could"), text("Source", false)}},
	{[]string{"task", "action", "action item", "milestone", "deliverable"}, "",
		[]ui.Field{text("Task", true), text("Owner", false), typed("Due", ui.TypeDate)}},
	{[]string{"product", "sku", "part", "asset", "device"}, "",
		[]ui.Field{text("Name", true), text("Category", false), typed("Price", ui.TypeNumber)}},
	{[]string{"application", "app", "system", "server"}, "",
		[]ui.Field{text("Name", true), text("Owner", false), typed("URL", ui.TypeURL)}},
	{nil, AnyTitle, []ui.Field{text("Name", true), text("Notes", false)}},
}

// template finds the table for a noun: the app's templates first.
func (p Prefs) template(noun string) Template {
	for _, list := range [3][]Template{p.Nouns, p.Titled, templates} {
		for _, t := range list {
			if slices.Contains(t.Nouns, noun) {
				return t
			}
		}
	}
	return templates[len(templates)-1]
}

// has reports whether a list has a template for a noun.
func has(list []Template, noun string) bool {
	return slices.ContainsFunc(list, func(t Template) bool { return slices.Contains(t.Nouns, noun) })
}

// table builds the parameters of a table.
func (r *reading) table(c *candidate) *Params {
	noun, written := r.noun(c)
	if noun == "" || c.subject == "" && r.toolNoun(c.noun) == table {
		whole := r
		if c.rule == learnedTable {
			whole = read(r.message, r.prefs) // the sentence that asks for the table may be muted
		}
		noun, written = whole.mentioned()
	}
	tpl := r.prefs.template(noun)
	title := tpl.Title
	if written != "" && (title == "" || title == AnyTitle) {
		title = written
	} else if title == "" {
		title = prose.Capital(tpl.Nouns[0]) + "s"
	}
	t := &Table{Title: title, Columns: tpl.Columns, MinRows: min(max(c.n, minRows), r.prefs.rows()),
		InputModes:    []string{"paste", "inline"},
		SummaryPrompt: SummaryTable, Stated: min(c.n, maxStated), Approx: c.approx}
	if t.Seed = c.seed; t.Seed == "" && r.block.Rows > 0 && !r.block.Orders {
		t.Seed = r.block.Text
	}
	if probe := (candidate{}); t.Seed == "" && r.inlineList(&probe) {
		t.Seed = probe.seed
	}
	if c.upTo {
		t.MinRows, t.Approx = 3, true
	}
	if c.file || r.namesFile() {
		t.InputModes = append(t.InputModes, "import")
	}
	t.StarterRows = min(max(t.MinRows, 3), 20)
	return &Params{Table: t}
}

// namesFile reports a spreadsheet or another file the user has.
func (r *reading) namesFile() bool {
	for i := range r.t.Toks {
		if w := r.w(i); (r.class(i)&prose.Sheet != 0 || w == "file" || w == "datei" || w == "archivo" ||
			w == "fichier" || w == "arquivo" || w == "bestand") && !r.denies(i, true) {
			return true
		}
	}
	return false
}

// noun returns the singular noun of a candidate and the noun as a title.
func (r *reading) noun(c *candidate) (singular, title string) {
	if c.subject != "" {
		return c.subject, ""
	}
	if c.noun < 0 || c.noun >= len(r.t.Toks) {
		return "", ""
	}
	tok := r.t.Toks[c.noun]
	w := strings.TrimSuffix(tok.Word, "'s")
	singular = prose.Singular(w)
	if singular == "" {
		singular = w
	}
	if near := r.nearNoun(c.noun); near != "" {
		return near, ""
	}
	written := r.t.Src[tok.Start:tok.End]
	if utf8.RuneCountInString(written) > maxTitle {
		written = ""
	}
	if prev := c.noun - 1; prev >= 0 && r.prefs.template(r.t.Toks[prev].Word+" "+singular).Nouns != nil {
		singular = r.t.Toks[prev].Word + " " + singular
		written = r.t.Src[r.t.Toks[prev].Start:tok.End]
	}
	return singular, prose.Capital(written)
}

// mentioned returns the noun that a message asks a table for, and as a title, if there is a table for it: after the
// word for a table ("a table for our risks"), else before it ("the risks table", "put our risks into a table").
func (r *reading) mentioned() (singular, title string) {
	if r.t.CJK {
		return r.mentionedCJK(), ""
	}
	at := slices.IndexFunc(r.t.Toks, isTable)
	if at < 0 {
		at = len(r.t.Toks)
	} else if noun, written, ends := r.mentionedAfter(at); noun != "" {
		return noun, written
	} else if title := r.titleAfter(at); ends || title != "" {
		return "", title
	}
	for i := at - 1; i >= 0; i-- {
		noun, written := r.tableNoun(i)
		if has(r.prefs.Nouns, noun) || has(r.prefs.Titled, noun) || noun != "" && i == at-1 {
			return noun, written
		}
	}
	return "", ""
}

// mentionedAfter is mentioned after the word for a table: of nouns side by side the last ("customer risks"). ends is
// set if the table is for something that there is no table for: "a table of planets for our vans".
func (r *reading) mentionedAfter(at int) (singular, title string, ends bool) {
	other := false
	for i := at + 1; i < len(r.t.Toks) && r.t.Toks[i].Kind != prose.Stop; i++ {
		noun, written := r.tableNoun(i)
		switch {
		case noun != "":
			singular, title = noun, written
		case singular != "":
			return singular, title, true
		case other && r.relates(i):
			return "", "", true
		default:
			tok := r.t.Toks[i]
			item := tok.Kind == prose.Word && (tok.Class == 0 || tok.Class&prose.Item != 0)
			other = other || item && !r.denies(i, false)
		}
	}
	return singular, title, false
}

// The most characters and words of a title that a message gives.
const (
	maxTitle      = 40
	maxTitleWords = 3
)

// titleAfter is the title of a table for which there is no template: "a table of office chairs for the team" is
// "Office chairs". The words follow the word for a table and what relates them to it, end with a plural, and are
// not the first of several.
func (r *reading) titleAfter(at int) string {
	if !r.relates(at + 1) {
		return ""
	}
	first := at + 2
	for r.class(first)&(prose.Det|prose.Function) != 0 {
		first++
	}
	end := first
	const noun = prose.Item | prose.Core | prose.Plural | prose.Everyday
	for end < len(r.t.Toks) && r.t.Toks[end].Kind == prose.Word && r.class(end)&^noun == 0 {
		end++
	}
	rest := end // ", please"
	const courtesy = prose.Function | prose.Greet | prose.Yes
	for rest < len(r.t.Toks) && r.t.Toks[rest].Kind != prose.Stop &&
		(r.t.Toks[rest].Kind != prose.Word || r.class(rest)&courtesy != 0) {
		rest++
	}
	closed := rest == len(r.t.Toks) || r.t.Toks[rest].Kind == prose.Stop || r.relates(end)
	if end == first || end-first > maxTitleWords || !closed || !prose.PluralForm(r.t.Toks[end-1].Word) {
		return ""
	}
	title := ""
	for i, tok := range r.t.Toks[first:end] {
		switch {
		case i == 0:
		case tok.Hyphen:
			title += "-"
		default:
			title += " "
		}
		title += r.t.Src[tok.Start:tok.End]
	}
	if utf8.RuneCountInString(title) > maxTitle {
		return ""
	}
	return prose.Capital(title)
}

// tableNoun returns the noun at a token that there is a table for.
func (r *reading) tableNoun(i int) (singular, title string) {
	if tok := r.t.Toks[i]; tok.Class&prose.Function != 0 || isTable(tok) || r.denies(i, false) {
		return "", ""
	}
	if singular, title = r.noun(&candidate{noun: i}); r.prefs.template(singular).Nouns == nil {
		return "", ""
	}
	return singular, title
}

// isTable reports a word for a table.
func isTable(tok prose.Token) bool { return tok.Class&(prose.TableTool|prose.Sheet) != 0 }

// mentionedCJK is mentioned for text without spaces: 請求書の表. Only tables of the app have such nouns.
func (r *reading) mentionedCJK() string {
	for _, t := range slices.Concat(r.prefs.Nouns, r.prefs.Titled) {
		for _, noun := range t.Nouns {
			if utf8.RuneCountInString(noun) > 1 && noun[0] >= utf8.RuneSelf && strings.Contains(r.head(), noun) {
				return noun
			}
		}
	}
	return ""
}

// relates reports a word that begins what another noun belongs to: for, of, für, des.
func (r *reading) relates(i int) bool {
	if r.foreign() {
		return r.class(i)&prose.Function != 0 && r.class(i)&prose.Det == 0
	}
	return r.class(i)&prose.Prep != 0
}

// processMap builds the parameters of a map.
func (r *reading) processMap(c *candidate) *Params {
	m := &Map{Title: "Process", RequiredFields: []string{"step_name", "owner", "outcome"},
		EdgeTypes: []string{"sequence", "approval", "parallel"},
		MinSteps:  min(max(c.n, 2), maxSteps), SeedNodes: []string{}, Stated: c.n}
	for _, s := range c.flow.Steps {
		m.SeedNodes = append(m.SeedNodes, excerpt.Head(s.Name, 120))
	}
	return &Params{Map: m}
}

// knownNouns are nouns long enough to be recognised with one letter wrong.
var knownNouns = strings.Fields(
	"stakeholder supplier customer requirement dependency application contract employee participant attendee " +
		"department milestone assumption deliverable incident")

// nearNoun corrects one wrong, missing or extra letter of a common noun.
func (r *reading) nearNoun(i int) string {
	tok := r.t.Toks[i]
	if tok.Class&prose.Item != 0 || len(tok.Word) < 7 {
		return ""
	}
	w := prose.Singular(tok.Word)
	for _, n := range knownNouns {
		if n[0] == tok.Word[0] && w != n && oneEdit(w, n) {
			return n
		}
	}
	return ""
}

// oneEdit reports an edit distance of at most 1, by bytes.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i == len(a) || a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}
