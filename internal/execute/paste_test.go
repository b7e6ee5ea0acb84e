package execute

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

var peopleColumns = []ui.Field{
	{Name: "name", Label: "Name", Type: ui.TypeText, Required: true},
	{Name: "level", Label: "Level", Type: ui.TypeChoice, Options: []ui.Option{{Value: "High"}, {Value: "Low"}}},
	{Name: "since", Label: "Since", Type: ui.TypeDate},
	{Name: "score", Label: "Score", Type: ui.TypeNumber},
}

// people is a conversation with a table and a process map open; the app takes
// 40 rows.
func people(t testing.TB) (Env, *ui.State) {
	t.Helper()
	a, err := app.New(app.Config{Name: "desk", Limits: ui.Limits{Rows: 40}})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	e := Env{App: a, Now: noon, Nonce: func() string { n++; return fmt.Sprintf("nonce%d", n) }}
	table := a.OpenTable(app.Table{Name: "list", Title: "People"},
		app.TableSpec{Table: route.Table{Columns: peopleColumns, MinRows: 3, StarterRows: 3}})
	process := a.OpenMap(app.Map{Name: "process", Title: "Process"}, app.MapSpec{})
	return e, apply(t, e, ui.NewState("c"), table.Op("n1"), process.Op("n2"))
}

const (
	list    = ui.Name("table:list")
	process = ui.Name("map:process")
)

// pressAt presses the button at a key path, with values typed before.
func pressAt(t testing.TB, e Env, s *ui.State, n ui.Name, at string, values ...ui.Leaf) (Step, *ui.State) {
	t.Helper()
	a, ok := s.Surface(n).ActionAt(ui.KeyPath(at))
	if !ok {
		t.Fatalf("no button at %s", at)
	}
	return press(t, e, s, n, a, values...)
}

func typedText(p ui.Path, text string) ui.Leaf { return ui.Leaf{Path: p, Value: ui.String(text)} }

// grid is the rows of a surface: id: cell|cell|…, each in a line.
func grid(s *ui.State, n ui.Name, p ui.Path) string {
	var b strings.Builder
	rs := rowsAt(s.Surface(n), p)
	for _, r := range s.Surface(n).Rows(rs) {
		b.WriteString(r.ID + ":")
		for _, c := range rs.Columns {
			v, _ := r.Cells.Get(c.Name)
			b.WriteString("|" + v.Text())
		}
		b.WriteString("\n")
	}
	return b.String()
}

func errorsOf(s *ui.State, n ui.Name) string {
	var b strings.Builder
	for _, e := range s.Surface(n).Errors {
		fmt.Fprintf(&b, "%s %s %s\n", e.Path, e.Code, e.Text)
	}
	return b.String()
}

func shownText(s *ui.State, n ui.Name) string {
	var b strings.Builder
	ui.Walk(worksheet.Part(s.Surface(n).Root, "paste"), func(_ ui.KeyPath, node ui.Node) bool {
		switch node := node.(type) {
		case *ui.Text:
			b.WriteString(node.Text + "\n")
		case *ui.Notice:
			b.WriteString("! " + node.Text + "\n")
		case *ui.Choice:
			v, _ := s.Surface(n).Get(node.Path)
			b.WriteString(node.Label + " = " + v.Text() + "\n")
		case *ui.Button:
			b.WriteString("[" + node.Label + "]\n")
		}
		return true
	})
	return b.String()
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got = strings.TrimSpace(got); got != strings.TrimSpace(want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
	}
}

// TestPaste follows a paste with a bad cell, an ambiguous date, a wrong choice
// and a column nobody declared from the box into the rows.
func TestPaste(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	text := "Team list\nName\tLevel\tSince\tScore\tPhone\nAnn\thigh\t2025-01-02\t7\t0123\nBob\tmaybe\t03/04/2025\ttwelve\t0456\n\tLow\t\t\t\nDee\tLow\t\t1,200\t"
	step, s := pressAt(t, e, s, list, "main/paste/read", typedText(worksheet.PastePath, text),
		typedText("/draft/list/r2/name", "Zoe"))
	if step.Outcome.Kind != ui.OutcomeDone ||
		step.Outcome.Message != "Please check the preview before you add it." {
		t.Errorf("read: %+v", step.Outcome)
	}
	same(t, "preview", shownText(s, list), `
[Preview]
4 rows found (tab-separated).
Skipped: Team list
Match each column. Choose “–” to skip one.
Column 1: Name = name
Column 2: Level = level
Column 3: Since = since
Column 4: Score = score
Column 5: Phone = 
1. Ann · high · 2025-01-02 · 7
2. Bob · maybe · 03/04/2025 · twelve
3.  · Low ·  · 
4. Dee · Low ·  · 1,200
[Add these 4 rows]
[Discard]`)
	same(t, "nothing is added yet", grid(s, list, "/draft/list"), "r1:||||\nr2:|Zoe|||\nr3:||||")
	step, s = pressAt(t, e, s, list, "main/paste/found/buttons/apply")
	same(t, "rows", grid(s, list, "/draft/list"),
		"r1:|Ann|High|2025-01-02|7\nr2:|Zoe|||\nr3:|Bob|maybe|2025-04-03|twelve\nr4:||Low||\nr5:|Dee|Low||1200")
	same(t, "errors", errorsOf(s, list), `
/draft/list/r3/level FIELD_OPTION Row 3: Level: choose one of the options. It was: maybe
/draft/list/r3/score FIELD_TYPE Row 3: Score must be a number.
/draft/list/r4/name FIELD_REQUIRED Row 4: Name is required.
/draft/list/r3/since FIELD_GUESS Row 3: Since: 03/04/2025 is read as 2025-04-03; it could also be 2025-03-04.`)
	want := "4 rows added, 4 cells to check, left out: Column 5: Phone."
	if step.Outcome.Message != want || s.Transcript[len(s.Transcript)-1].Text != want ||
		step.Outcome.Path != "/draft/list/r3/level" {
		t.Errorf("said %+v", step.Outcome)
	}
	if get(s, list, worksheet.PastePath) != `""` || worksheet.Waits(s.Surface(list)) ||
		shownText(s, list) != "[Preview]\n" {
		t.Errorf("left behind: %s %s %s", get(s, list, worksheet.PastePath), get(s, list, worksheet.ReadPath),
			shownText(s, list))
	}
}

// TestPasteMapping: the user says which column is which; what makes no sense is
// asked at the column, and nothing is added.
func TestPasteMapping(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	_, s = pressAt(t, e, s, list, "main/paste/read", typedText(worksheet.PastePath, "Ann;1;x\nBob;2;y\nCy;3;z"))
	apply := "main/paste/found/buttons/apply"
	step, next := pressAt(t, e, s, list, apply, typedText("/draft/paste_map/c1", "score"),
		typedText("/draft/paste_map/c2", "score"), typedText("/draft/paste_map/c3", "name"))
	if step.Outcome.Kind != ui.OutcomeAsked || step.Outcome.Path != "/draft/paste_map/c2" ||
		next.Surface(list).ErrorAt("/draft/paste_map/c2") != "Two columns are matched to Score. Skip one of them." {
		t.Errorf("twice: %+v", step.Outcome)
	}
	step, next = pressAt(t, e, s, list, apply, typedText("/draft/paste_map/c1", ""),
		typedText("/draft/paste_map/c2", ""), typedText("/draft/paste_map/c3", ""))
	if step.Outcome.Code != ui.CodeFieldRequired || grid(next, list, "/draft/list") != grid(s, list, "/draft/list") {
		t.Errorf("nothing chosen: %+v", step.Outcome)
	}
	_, s = pressAt(t, e, next, list, apply, typedText("/draft/paste_map/c1", ""),
		typedText("/draft/paste_map/c2", "score"), typedText("/draft/paste_map/c3", "name"))
	same(t, "rows", grid(s, list, "/draft/list"), "r1:|x|||1\nr2:|y|||2\nr3:|z|||3")
}

// TestPasteRefusals: what cannot be taken says why at the box, with the text
// still in it.
func TestPasteRefusals(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	lines := func(n int) string { return strings.Repeat("Ann\t1\n", n) }
	for name, c := range map[string]struct {
		text string
		code ui.Code
		say  string
	}{
		"empty":        {" \n\t", ui.CodeFieldRequired, "Please paste some text first."},
		"only a rule":  {"\n---\n", "", ""},
		"wide":         {strings.Repeat("x\t", 10_000) + "\n" + strings.Repeat("y\t", 10_000), ui.CodeLimit, "10001 columns are more than can be read; 40 are the most."},
		"more than it": {strings.Repeat("x", worksheet.MaxPaste), "", ""},
	} {
		step, next := pressAt(t, e, s, list, "main/paste/read", typedText(worksheet.PastePath, c.text))
		if c.code != "" && (step.Outcome.Kind != ui.OutcomeAsked || step.Outcome.Code != c.code ||
			next.Surface(list).ErrorAt(worksheet.PastePath) != c.say) {
			t.Errorf("%s: %+v", name, step.Outcome)
		}
		if v, _ := next.Surface(list).Get(worksheet.PastePath); v.Text() != c.text {
			t.Errorf("%s: the text is lost", name)
		}
	}
	_, s = pressAt(t, e, s, list, "main/paste/read", typedText(worksheet.PastePath, lines(41)),
		typedText("/draft/list/r1/name", "Zoe"))
	step, s := pressAt(t, e, s, list, "main/paste/found/buttons/apply", typedText(worksheet.PastePath, lines(39)))
	if step.Outcome.Kind != ui.OutcomeDone || !strings.Contains(step.Outcome.Message, "has changed since the preview") ||
		!strings.Contains(shownText(s, list), "39 rows found") {
		t.Errorf("another text: %+v\n%s", step.Outcome, shownText(s, list))
	}
	step, s = pressAt(t, e, s, list, "main/paste/found/buttons/apply")
	if rows := strings.Count(grid(s, list, "/draft/list"), "\n"); rows != 40 || step.Outcome.Kind != ui.OutcomeDone {
		t.Errorf("exactly full: %d rows, %+v", rows, step.Outcome)
	}
	_, s = pressAt(t, e, s, list, "main/paste/read", typedText(worksheet.PastePath, lines(2)))
	if step, s = pressAt(t, e, s, list, "main/paste/found/buttons/apply"); step.Outcome.Code != ui.CodeLimit ||
		s.Surface(list).ErrorAt(worksheet.PastePath) != "2 are too many: there is room for 0. Shorten the text, or remove some rows below." {
		t.Errorf("no room: %+v", step.Outcome)
	}
}

// TestPasteCut: of a paste that is longer than the table can be, the first rows are
// added; the preview and the answer say what the most is and that the rest is left out,
// and the text stays in the box without holding up a submit.
func TestPasteCut(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	text := ""
	for i := range 60 {
		text += fmt.Sprintf("Person %d\t%d\n", i+1, i)
	}
	step, s := pressAt(t, e, s, list, "main/paste/read", typedText(worksheet.PastePath, text),
		typedText("/draft/list/r1/name", "Zoe"))
	const cut = "! A table holds at most 40 rows, so only the first 39 of these 60 are added. " +
		"The others are left out: add them to another table."
	if got := shownText(s, list); !strings.Contains(got, cut) || !strings.Contains(got, "Add the first 39 rows") {
		t.Errorf("preview:\n%s", got)
	}
	step, s = pressAt(t, e, s, list, "main/paste/found/buttons/apply")
	if want := "39 rows added, 39 cells to check, 21 rows left out, as a table holds at most 40."; step.Outcome.Kind != ui.OutcomeDone ||
		!strings.HasPrefix(step.Outcome.Message, want) {
		t.Errorf("%+v, want %s", step.Outcome, want)
	}
	rows := strings.Split(strings.TrimSpace(grid(s, list, "/draft/list")), "\n")
	if len(rows) != 40 || !strings.Contains(rows[0], "Zoe") || !strings.Contains(rows[1], "Person 1|") ||
		!strings.Contains(rows[39], "Person 39|") {
		t.Errorf("%d rows: %v", len(rows), rows)
	}
	if get(s, list, worksheet.PastePath) != fmt.Sprintf("%q", text) || worksheet.Waits(s.Surface(list)) {
		t.Error("the rest is lost, or waits")
	}
	steps := strings.Repeat("Check it\n", 300)
	for i := range 300 {
		steps = strings.Replace(steps, "Check it", fmt.Sprint("Do ", i), 1)
	}
	_, s = pressAt(t, e, s, process, "main/paste/read", typedText(worksheet.PastePath, steps))
	if got := shownText(s, process); strings.Contains(got, "only the first") {
		t.Errorf("a process is cut:\n%s", got)
	}
}

func TestPasteDrop(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	_, s = pressAt(t, e, s, list, "main/paste/read", typedText(worksheet.PastePath, "Ann\nBob\nCy"))
	_, s = pressAt(t, e, s, list, "main/paste/found/buttons/drop", typedText("/draft/list/r1/name", "Zoe"))
	if shownText(s, list) != "[Preview]\n" || get(s, list, worksheet.PastePath) != `"Ann\nBob\nCy"` ||
		!strings.HasPrefix(grid(s, list, "/draft/list"), "r1:|Zoe") {
		t.Errorf("dropped: %s %s", shownText(s, list), get(s, list, worksheet.PastePath))
	}
}

// TestPasteProcess: process text becomes steps and connections; steps that are
// there already are not added again.
func TestPasteProcess(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	_, s = pressAt(t, e, s, process, "main/paste/read",
		typedText(worksheet.PastePath, "Draft the offer -> Review the offer -> Send the offer"))
	same(t, "preview", shownText(s, process),
		"[Preview]\n3 steps found. 2 connections found.\n1. Draft the offer\n2. Review the offer\n3. Send the offer\n1 → 2\n2 → 3\n[Add these 3 steps]\n[Discard]")
	step, s := pressAt(t, e, s, process, "main/paste/found/buttons/apply")
	same(t, "said", step.Outcome.Message, "3 steps added, 2 connections added.")
	same(t, "steps", grid(s, process, worksheet.StepsPath),
		"r1:|Draft the offer||\nr2:|Review the offer||\nr3:|Send the offer||")
	same(t, "edges", grid(s, process, worksheet.EdgesPath), "r1:|r1|r2|sequence|false\nr2:|r2|r3|sequence|false")
	_, s = pressAt(t, e, s, process, "main/paste/read",
		typedText(worksheet.PastePath, "Send the offer -> Sign the contract"))
	_, s = pressAt(t, e, s, process, "main/paste/found/buttons/apply")
	same(t, "steps, again", grid(s, process, worksheet.StepsPath),
		"r1:|Draft the offer||\nr2:|Review the offer||\nr3:|Send the offer||\nr4:|Sign the contract||")
	if got := grid(s, process, worksheet.EdgesPath); !strings.Contains(got, ":|r3|r4|") ||
		strings.Count(got, "\n") != 3 {
		t.Errorf("edges, again:\n%s", got)
	}
	step, s = pressAt(t, e, s, process, "main/paste/read", typedText(worksheet.PastePath, "Nothing of the kind."))
	if step.Outcome.Kind != ui.OutcomeAsked ||
		!strings.HasPrefix(s.Surface(process).ErrorAt(worksheet.PastePath), "I couldn’t find any steps in this text.") {
		t.Errorf("no process: %+v", step.Outcome)
	}
	e, s = people(t) // a table of steps is read as one, and its order is the sequence
	_, s = pressAt(t, e, s, process, "main/paste/read",
		typedText(worksheet.PastePath, "Step\tOwner\tOutcome\nDraft\tAnn\tA draft\nSend\tBob\tA letter"))
	_, s = pressAt(t, e, s, process, "main/paste/found/buttons/apply")
	same(t, "table of steps", grid(s, process, worksheet.StepsPath)+grid(s, process, worksheet.EdgesPath),
		"r1:|Draft|Ann|A draft\nr2:|Send|Bob|A letter\nr3:|||\nr1:|r1|r2|sequence|false")
}

// TestPasteLongProcess: of a process that is longer than a map can be nothing is added, and the box says how long it
// is: its first steps are of no use without the others.
func TestPasteLongProcess(t *testing.T) {
	t.Parallel()
	list := func(n int, line string) (out string) {
		for i := range n {
			out += fmt.Sprintf(line, i+1)
		}
		return out
	}
	for name, text := range map[string]string{
		"numbered":   list(500, "%[1]d. Team%[1]d does step %[1]d\n"),
		"owners":     list(500, "Team%[1]d: does step %[1]d\n"),
		"in a table": "Step\tOwner\n" + list(500, "Step %[1]d\tTeam%[1]d\n"),
	} {
		e, s := people(t)
		_, s = pressAt(t, e, s, process, "main/paste/read", typedText(worksheet.PastePath, text))
		if got := shownText(s, process); !strings.Contains(got, "500") || !strings.Contains(got, "too many") && !strings.Contains(got, "Shorten") {
			t.Errorf("%s: the preview says\n%.300s", name, got)
		}
		before := grid(s, process, worksheet.StepsPath)
		step, s := pressAt(t, e, s, process, "main/paste/found/buttons/apply")
		v, _ := s.Surface(process).Get(worksheet.PastePath)
		if step.Outcome.Code != ui.CodeLimit || grid(s, process, worksheet.StepsPath) != before || v.Text() != text ||
			!strings.HasPrefix(s.Surface(process).ErrorAt(worksheet.PastePath), "500 are too many: there is room for ") {
			t.Errorf("%s: %+v, %q", name, step.Outcome, s.Surface(process).ErrorAt(worksheet.PastePath))
		}
	}
}

// TestImport: a file is read as a paste is, beside what stands in the box.
func TestImport(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	file := func(pairs ...string) Click {
		ctx := ui.Map(ui.Pair{Key: "path", Value: ui.String(string(worksheet.ImportPath))})
		for i := 0; i < len(pairs); i += 2 {
			ctx, _ = ctx.With(ui.String(pairs[i+1]), pairs[i])
		}
		return Click{Surface: s.Surface(list), Action: ui.Action{Name: builtin.ActionAttach}, Context: ctx}
	}
	attach := func(c Click) (Step, *ui.State) {
		step, err := Action(e, s, c)
		if err != nil {
			t.Fatal(err)
		}
		return step, apply(t, e, s, step.Ops...)
	}
	s = apply(t, e, s, &ui.Draft{Surface: list, Values: []ui.Leaf{typedText(worksheet.PastePath, "typed before")}})
	step, next := attach(file("id", "u-1", "name", "x.bin", "code", "SHEET_TYPE", "why", "not a table"))
	if step.Outcome.Code != "SHEET_TYPE" || next.Surface(list).ErrorAt(
		worksheet.ImportPath) != "x.bin could not be read: not a table" ||
		get(next, list, worksheet.PastePath) != `"typed before"` {
		t.Errorf("unreadable: %+v", step.Outcome)
	}
	step, s = attach(file("id", "u-2", "name", "team.xlsx", "text", "sep=\t\nName\tScore\nAnn\t7\nBob\t8", "notes",
		"1 hidden row is included."))
	if step.Outcome.Kind != ui.OutcomeDone || get(s, list, worksheet.ImportPath) != `"u-2"` ||
		get(s, list, "/ui_state/uploads/u-2") != `"team.xlsx"` {
		t.Errorf("read: %+v", step.Outcome)
	}
	if got := shownText(s, list); !strings.Contains(got, "team.xlsx: 2 rows found") ||
		!strings.Contains(got, "1 hidden row") {
		t.Errorf("preview:\n%s", got)
	}
	_, s = pressAt(t, e, s, list, "main/paste/found/buttons/apply")
	same(t, "rows", grid(s, list, "/draft/list"), "r1:|Ann|||7\nr2:|Bob|||8\nr3:||||")
	if get(s, list, worksheet.PastePath) != `"typed before"` || get(s, list, worksheet.ImportPath) != `""` ||
		get(s, list, worksheet.ReadPath.Join("file")) != "null" {
		t.Errorf("afterwards: %s %s %s", get(s, list, worksheet.PastePath), get(s, list, worksheet.ImportPath),
			get(s, list, worksheet.ReadPath))
	}
}

// TestPasteWaits: a submit while pasted text waits shows it; added or dropped it
// stops nothing.
func TestPasteWaits(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	// unread, then shown
	for _, typed := range []ui.Leaf{typedText(worksheet.PastePath, "Ann\nBob\nCy"),
		typedText("/draft/list/r1/level", "Low")} {
		var step Step
		step, s = pressAt(t, e, s, list, "main/buttons/submit", typed)
		if step.Outcome.Kind != ui.OutcomeAsked || step.Outcome.Code != worksheet.CodeWaits ||
			step.Outcome.Path != worksheet.PastePath || !strings.Contains(shownText(s, list), "[Add these 3 rows]") {
			t.Errorf("waits: %+v\n%s", step.Outcome, shownText(s, list))
		}
	}
	_, added := pressAt(t, e, s, list, "main/paste/found/buttons/apply")
	_, dropped := pressAt(t, e, s, list, "main/paste/found/buttons/drop")
	for name, s := range map[string]*ui.State{"added": added, "dropped": dropped} {
		if step, _ := pressAt(t, e, s, list, "main/buttons/submit"); step.Outcome.Code == worksheet.CodeWaits {
			t.Errorf("%s: %+v", name, step.Outcome)
		}
	}
	step, _ := pressAt(t, e, dropped, list, "main/buttons/submit", typedText(worksheet.PastePath, "Dee"))
	if step.Outcome.Code != worksheet.CodeWaits {
		t.Errorf("another text after the one that was dropped: %+v", step.Outcome)
	}
}

// TestSeed: a table opens with the rows its message holds, whatever their form,
// and not with those it cannot take.
func TestSeed(t *testing.T) {
	t.Parallel()
	e, _ := people(t)
	for seed, want := range map[string]string{
		"Ann\nBob\nCy":                "r1:|Ann|||\nr2:|Bob|||\nr3:|Cy|||",
		"Ann, Bob and Cy":             "r1:|Ann|||\nr2:|Bob|||\nr3:|Cy|||",
		"- Ann: VP: Low: 7\n- Bob: x": "r1:|Ann|VP: Low: 7||\nr2:|Bob|x||\nr3:||||",
		strings.Repeat("Ann\n", 41):   "r1:||||\nr2:||||\nr3:||||",
		"":                            "r1:||||\nr2:||||\nr3:||||",
	} {
		params := route.Table{Title: "People", Columns: peopleColumns, MinRows: 3, StarterRows: 3, Seed: seed}
		ops, warnings := Tool(e, ui.NewState("c"),
			route.Decision{Action: route.ActionTool, Tool: ui.ToolTable, Params: &route.Params{Table: &params}},
			ui.Router{}, "We have some people.")
		if len(warnings) > 0 {
			t.Fatalf("%q: %s", seed, codes(warnings))
		}
		s := apply(t, e, ui.NewState("c"), ops...)
		same(t, seed, grid(s, list, "/draft/list"), want)
	}
}

// TestPastedColumns: a pasted table keeps the columns that its header names. A declared
// table is opened for it only if the header names its columns.
func TestPastedColumns(t *testing.T) {
	t.Parallel()
	a, err := app.New(app.Config{Name: "desk", Tables: []app.Table{{Name: "glossary", Title: "Glossary",
		Columns: []ui.Field{{Name: "term", Label: "Term", Type: ui.TypeText, Required: true},
			{Name: "meaning", Label: "Meaning", Type: ui.TypeText}}}}})
	if err != nil {
		t.Fatal(err)
	}
	e := Env{App: a, Now: noon, Nonce: func() string { return "n" }}
	for text, want := range map[string]string{
		"Task,Owner,Status\nWrite spec,Ann,open\nBuild,Ben,open\nShip,Cleo,done": "table:list Task Owner Status",
		"Vendor;Contact;Phone\nAcme;Ann;12\nInit;Ben;13\nHooli;Cleo;14":          "table:list Vendor Contact Phone",
		"Name,Phone\nAnn,0151 234\nBen,0151 345\nCleo,0151 456":                  "table:list Name Phone",
		"Term,Meaning\nAPR,annual rate\nNDA,secrecy\nPO,order":                   "table:glossary Term Meaning",
		"Term\tExplanation\nAPR\tannual rate\nNDA\tsecrecy\nPO\tpurchase order":  "table:glossary Term Meaning",
	} {
		d := route.Decide(text, ui.Router{}, e.Prefs, e.Now)
		ops, warnings := Tool(e, ui.NewState("c"), d, ui.Router{}, text)
		s := apply(t, e, ui.NewState("c"), ops...)
		if len(s.Surfaces) != 1 || len(warnings) > 0 {
			t.Errorf("%q opens %d surfaces, %s", text, len(s.Surfaces), codes(warnings))
			continue
		}
		got := string(s.Surfaces[0].Name)
		for _, c := range ui.RowsetOf(worksheet.Filled(s.Surfaces[0].Root)).Columns {
			got += " " + c.Title()
		}
		same(t, text, got, want)
	}
}

// TestLongCells: what is quoted of a paste is short, whatever was pasted.
func TestLongCells(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	long := strings.Repeat("😀", 5000)
	_, s = pressAt(t, e, s, list, "main/paste/read",
		typedText(worksheet.PastePath, "Name\tLevel\nAnn\t"+long+"\nBob\tLow\t"+long+"\t"+long))
	_, s = pressAt(t, e, s, list, "main/paste/found/buttons/apply")
	if len(s.Surface(list).Errors) != 1 { // the cells beyond are in columns that are left out, which is said
		t.Errorf("asked:\n%.500s", errorsOf(s, list))
	}
	for _, e := range s.Surface(list).Errors {
		if len(e.Text) > 2000 || !strings.Contains(e.Text, "😀…") {
			t.Errorf("%s: %d bytes", e.Path, len(e.Text))
		}
	}
}
