package capture

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// MaxSteps bounds a map; lines beyond it are counted and not read.
const MaxSteps = 200

// Map is a process. From and To of an Edge are indices into Steps.
type Map struct {
	Steps []Step
	Edges []Edge
	More  int      // steps that were not read
	Intro []string // lines that name no step: "This is how we hire:"
}

// Step is one step. Name is the action with its object, in the base form
// ("Review the invoice"); Owner is who does it, as written, without article
// ("finance"); Outcome is left to the user; Raw is the text it came from.
type Step struct {
	Name, Owner, Outcome, Raw string
}

// Kind is the kind of an Edge.
type Kind string

// The kinds of an Edge.
const (
	Sequence Kind = "sequence"
	Approval Kind = "approval" // into a step that approves, signs off or authorises
	Parallel Kind = "parallel" // a fork, or siblings without a common predecessor
)

// Edge leads from one step to another. A conditional one ("if rejected") may
// close a loop without being a contradiction. Other is set where the text leaves
// the edge open and it is the best guess: two clauses joined by "and" could run side by
// side, and after an exception the process could go back.
type Edge struct {
	From, To    int
	Kind        Kind
	Conditional bool
	Other       Other
}

// Other is the alternative to a guessed edge.
type Other string

// The alternatives to a guessed edge.
const (
	OtherAside Other = "parallel" // the two steps could run side by side
	OtherBack  Other = "back"     // after the exception the process could go back to where it branched off
)

// Guess reports an edge the text leaves open.
func (e Edge) Guess() bool { return e.Other != "" }

// Process reads a process: arrows, lines that each name a step, sentences with
// markers, "the steps are a, b and c", or sentences that each order something.
// A text without any of them gives an empty Map.
func Process(text string) Map {
	t := prose.Read(unquote(text))
	if m, ok := stepTable(t.Src); ok {
		return m
	}
	flow, more := t.ArrowFlow(), 0
	if len(flow.Edges) == 0 {
		if lines := stepLines(t.Src); len(lines) >= 2 {
			more = max(0, len(lines)-MaxSteps)
			flow = prose.FlowOfLines(lines[:len(lines)-more])
		} else {
			flow = t.Process()
		}
	}
	m := Map{More: more, Intro: unread(t.Src, flow)}
	for _, s := range flow.Steps {
		m.Steps = append(m.Steps, Step{Name: s.Name, Owner: s.Owner, Raw: s.Raw})
	}
	for _, e := range flow.Edges {
		kind := Sequence
		switch {
		case e.Parallel:
			kind = Parallel
		case flow.Steps[e.To].Approves:
			kind = Approval
		}
		other := map[prose.Doubt]Other{prose.MaybeAside: OtherAside, prose.MaybeBack: OtherBack}[e.Doubt]
		m.Edges = append(m.Edges, Edge{e.From, e.To, kind, e.Conditional, other})
	}
	return m
}

// stepTable reads a table whose header names the columns of a map: one step a
// row, one after the other.
func stepTable(text string) (Map, bool) {
	rows := Table(text, StepColumns())
	if !rows.Header || !rows.Form.Tabular() || len(rows.Columns) == 0 {
		return Map{}, false
	}
	m := Map{Intro: rows.Intro, More: max(0, len(rows.Rows)+rows.More-MaxSteps)}
	for _, r := range rows.Rows[:min(len(rows.Rows), MaxSteps)] {
		text := func(column int) string { return cmp.Or(r.Cells[column].Raw, r.Cells[column].Guess) }
		name := text(0)
		if name == "" {
			continue
		}
		if n := len(m.Steps); n > 0 {
			kind := Sequence
			if t := prose.Read(name); t.Approves() {
				kind = Approval
			}
			m.Edges = append(m.Edges, Edge{From: n - 1, To: n, Kind: kind})
		}
		m.Steps = append(m.Steps, Step{Name: name, Owner: text(1), Outcome: text(2), Raw: name})
	}
	return m, len(m.Steps) >= 2
}

// unread returns the lines and sentences that no step was read from.
func unread(text string, flow prose.Flow) []string {
	var out []string
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' }) {
		for part := range strings.SplitAfterSeq(line, ". ") {
			part = strings.TrimSpace(part)
			item, _ := prose.Bullet(part)
			read := func(raw string) bool {
				return raw != "" && (strings.Contains(part, raw) || item != "" && strings.HasSuffix(raw, ": "+item))
			}
			owner := titleOf(part)
			if owner != "" && slices.ContainsFunc(flow.Steps, func(s prose.Step) bool { return s.Owner == owner }) {
				continue // "Sales:" above what sales does
			}
			if strings.Trim(part, ".-*)(0123456789 ") != "" && !slices.ContainsFunc(flow.Taken, read) {
				out = append(out, part)
			}
		}
		if len(out) > MaxSteps {
			break
		}
	}
	return out
}

// stepLines returns bulleted or numbered lines without their marks.
func stepLines(text string) []string {
	var items []string
	lines := nonBlank(text)
	if items, ok := prose.Outline(lines); ok {
		return items
	}
	if len(lines) == 1 { // "Sales: does the quote. Legal: reviews it."
		if parts := strings.SplitAfter(lines[0], ". "); len(parts) > 1 {
			lines = parts
		}
	}
	titles := titles(lines)
	heading, labelled := "", 0
	for i, line := range lines {
		line = strings.TrimSpace(line)
		item, ok := prose.Bullet(line)
		label, rest, colon := strings.Cut(strings.Replace(line, "：", ":", 1), ":")
		lane := colon && strings.Count(label, " ") < 3
		switch {
		case ok && heading != "":
			items = append(items, heading+": "+item)
		case ok:
			items = append(items, item)
		case lane && rest == "" && label == strings.ToLower(label) && strings.Contains(label, " ") &&
			label != strings.ToUpper(label): // "please map this:"
		case lane && rest == "": // "Sales:" above what sales does
			heading = titleOf(label)
		case titles[i]:
			heading = titleOf(line)
		case lane:
			labelled++
		}
	}
	if labelled > 1 && labelled == len(lines) { // "Sales: collects the order"
		if items, ok := counted(lines); ok {
			return items
		}
		return lines
	}
	switch {
	case len(items) < 2 && len(lines) == 1:
		return prose.Numbered(text)
	case len(items) == 0 && labelled == 0 && prose.ActingCJK(lines):
		return lines
	}
	return items
}

// titles finds the lines "Sales" or "## Sales" above what sales does: short, without
// a mark, above one that has a mark. One alone is the title of all.
func titles(lines []string) map[int]bool {
	found := map[int]bool{}
	for i, line := range lines[:max(len(lines)-1, 0)] {
		_, marked := prose.Bullet(strings.TrimSpace(line))
		_, above := prose.Bullet(strings.TrimSpace(lines[i+1]))
		if !marked && above && strings.Count(titleOf(line), " ") < 3 {
			found[i] = true
		}
	}
	if len(found) < 2 {
		return nil
	}
	return found
}

// titleOf returns the title that a line gives to those below it.
func titleOf(line string) string {
	return strings.TrimRight(strings.TrimLeft(strings.Trim(strings.TrimSpace(line), "*_"), "# "), ":： ")
}

// counted takes the labels off lines where they only count: "Шаг 1: …", "第一步：…".
func counted(lines []string) (items []string, ok bool) {
	first := ""
	for _, line := range lines {
		label, rest, _ := cutColon(strings.TrimSpace(line))
		word := strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) || strings.ContainsRune("一二三四五六七八九十", r) {
				return -1
			}
			return r
		}, label)
		if word == label || len(items) > 0 && word != first {
			return nil, false
		}
		first, items = word, append(items, strings.TrimSpace(rest))
	}
	return items, true
}

// Rows returns the map as the two values a Steps node binds: steps with the
// cells name, owner and outcome (row ids s1, s2, …), edges with the cells from,
// to (row ids of steps), kind, and conditional where it holds (e1, e2, …).
func (m Map) Rows() (steps, edges ui.Value) {
	records := make([]ui.Record, len(m.Steps))
	for i, s := range m.Steps {
		records[i] = ui.Record{ID: rowID('s', i), Order: rowOrder(i),
			Cells: ui.Map(pair("name", s.Name), pair("owner", s.Owner), pair("outcome", s.Outcome))}
	}
	steps = ui.Rows(records...)
	records = make([]ui.Record, len(m.Edges))
	for i, e := range m.Edges {
		cells := []ui.Pair{pair("from", rowID('s', e.From)), pair("to", rowID('s', e.To)), pair("kind", string(e.Kind))}
		if e.Conditional {
			cells = append(cells, ui.Pair{Key: "conditional", Value: ui.Bool(true)})
		}
		records[i] = ui.Record{ID: rowID('e', i), Order: rowOrder(i), Cells: ui.Map(cells...)}
	}
	return steps, ui.Rows(records...)
}

func pair(key, value string) ui.Pair { return ui.Pair{Key: key, Value: ui.String(value)} }

// StepColumns are the columns of a process map.
func StepColumns() []ui.Field {
	return []ui.Field{
		{Name: "name", Label: "Step", Type: ui.TypeText, Required: true},
		{Name: "owner", Label: "Owner", Type: ui.TypeText, Required: true},
		{Name: "outcome", Label: "Outcome", Type: ui.TypeText, Required: true},
	}
}

func rowID(prefix byte, i int) string { return string(prefix) + strconv.Itoa(i+1) }

// rowOrder returns the i-th of MaxRows order strings, with room between any two;
// appending with ui.OrderBetween would let them grow. Those that do not fit into
// three digits sort after all that do.
func rowOrder(i int) string {
	const fit = 26 * 26 * 26
	if i >= fit {
		return "zzzz" + rowOrder(i-fit)
	}
	return string([]byte{'a' + byte(i/676), 'a' + byte(i/26%26), 'a' + byte(i%26), 'n'})
}
