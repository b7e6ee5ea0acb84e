package capture

import (
	"regexp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// unquote takes the > of a quoted mail off the lines, where most have one.
func unquote(text string) string {
	lines := strings.Split(text, "\n")
	quoted := countWith(lines, func(l string) bool { return strings.HasPrefix(l, ">") })
	if quoted < 2 || quoted*2 < len(lines) {
		return text
	}
	for i, l := range lines {
		for strings.HasPrefix(l, ">") {
			l = strings.TrimPrefix(l[1:], " ")
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}

// unfence takes the marks of a block of code off: lines of "```" and a word.
func unfence(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	lines := strings.Split(text, "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool {
		word, ok := strings.CutPrefix(strings.TrimSpace(l), "```")
		return ok && !strings.ContainsAny(word, " `")
	})
	return strings.Join(lines, "\n")
}

// introduction takes "Hi, here are our vendors:" off the top: up to the first of
// the first lines that ends with a colon and has lines below it. Else a greeting with
// an empty line below it is one.
func introduction(text string) (intro []string, rest string) {
	rest = text
	for range 4 {
		line, below, more := strings.Cut(rest, "\n")
		trimmed := strings.TrimSpace(line)
		if _, bullet := prose.Bullet(trimmed); !more || bullet || strings.ContainsAny(line, "\t|") ||
			strings.TrimSpace(below) == "" {
			break
		}
		if trimmed != "" {
			intro = append(intro, trimmed)
		}
		rest = below
		if (strings.HasSuffix(trimmed, ":") || strings.HasSuffix(trimmed, "：")) && !quoted(text, len(text)-len(rest)) {
			return intro, rest
		}
	}
	if line, below, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(strings.TrimLeft(below, " "), "\n") &&
		prose.Greets(line) {
		intro = []string{strings.TrimSpace(line)}
		line, after, ok := strings.Cut(strings.TrimLeft(below, " \n"), "\n\n")
		if ok && remark(line) && !strings.Contains(line, "\n") {
			return append(intro, line), after // "Please find our vendors below."
		}
		return intro, below
	}
	return nil, text
}

// farewell takes "Thanks, Maud" off the end: a last paragraph of at most three lines
// that begins as one does who takes leave.
func farewell(text string) (rest string, leave []string) {
	end := len(strings.TrimRight(text, " \t\n"))
	at := end
	for range 4 {
		from := strings.LastIndexByte(text[:at], '\n') + 1
		line := strings.TrimSpace(text[from:at])
		switch {
		case line == "" && len(leave) > 0 && prose.TakesLeave(leave[0]) && !quoted(text, from):
			return text[:from], leave
		case line == "" || from == 0:
			return text, nil
		}
		leave = slices.Insert(leave, 0, line)
		at = from - 1
	}
	return text, nil
}

// quoted reports that a quoted cell begins before a place in a text and ends after it.
// A quote within a cell is only a mark: 5".
func quoted(text string, at int) bool {
	for i := 0; i < at; i++ {
		if text[i] != '"' {
			continue
		}
		before := strings.TrimRight(text[:i], " ")
		if before != "" && !strings.ContainsAny(before[len(before)-1:], ",;\t|\n") {
			continue
		}
		_, end, ok := quotedCell(text, i)
		if !ok || end > at {
			return ok
		}
		i = end - 1
	}
	return false
}

// remark reports a sentence that is no row.
func remark(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") ||
		strings.HasSuffix(s, ".") && strings.Count(s, " ") > 1
}

// between drops the lines before the first and after the last that ok accepts.
func between(lines []string, ok func(string) bool) (kept, around []string) {
	first, last := slices.IndexFunc(lines, ok), len(lines)-1
	for first >= 0 && !ok(lines[last]) {
		last--
	}
	if first < 0 {
		return lines, nil
	}
	for _, l := range slices.Concat(lines[:first], lines[last+1:]) {
		around = append(around, strings.TrimSpace(l))
	}
	return lines[first : last+1], around
}

// stamp is when a message of an exported chat was sent, its day apart, and the message.
var stamp = regexp.MustCompile(`^\[?((?:(\d{1,4}[./-]\d{1,2}[./-]\d{1,4}),? )?` +
	`\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?)(?:\] ?| - | )(.+)$`)

// chat reads the messages of an exported chat: who wrote them and what are the first
// columns. The day is for a column of dates, else the time is kept beside the row. A
// line without a time goes on with the message above.
func chat(lines []string, columns []ui.Field) (grid, bool) {
	sent := func(l string) []string { return stamp.FindStringSubmatch(strings.TrimSpace(l)) }
	if len(columns) < 2 || len(lines) < 2 || sent(lines[0]) == nil {
		return grid{}, false
	}
	g, when := grid{form: FormColons}, 1
	var names []string
	for _, f := range columns {
		if f.Type != ui.TypeDate {
			names = append(names, f.Title())
		}
	}
	if len(names) < 2 {
		return grid{}, false
	}
	g.header = []string{names[0], names[1], ""}
	if day := slices.IndexFunc(columns, func(f ui.Field) bool { return f.Type == ui.TypeDate }); day >= 0 {
		g.header[2], when = columns[day].Title(), 2
	}
	var more []string // lines of the last message
	join := func() {
		if last := len(g.records) - 1; len(more) > 0 {
			g.records[last][1] += "\n" + strings.Join(more, "\n")
			more = nil
		}
	}
	for _, l := range lines {
		message := sent(l)
		if message == nil {
			more = append(more, strings.TrimSpace(l))
			continue
		}
		join()
		who, what, ok := cutColon(message[3])
		if !ok {
			return grid{}, false
		}
		g.records = append(g.records, []string{who, what, message[when]})
	}
	join()
	return g, len(g.records)*2 > len(lines)
}

// spaces part the columns of a table that is aligned with them.
var spaces = regexp.MustCompile(` {2,}`)

// aligned reads a table whose columns are aligned with spaces: every line has as many
// cells between wide gaps, or the same gaps run through all lines. A part
// that ends in a mark belongs to a sentence, or to a list with spaces after its commas.
func aligned(lines []string) ([][]string, bool) {
	wide := countWith(lines, func(l string) bool { return strings.Contains(strings.TrimSpace(l), "  ") })
	if len(lines) < 2 || wide*3 < len(lines)*2 {
		return nil, false
	}
	lines = slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.Trim(l, "-= ") == "" })
	records := make([][]string, len(lines))
	even := true
	for i, l := range lines {
		records[i] = spaces.Split(strings.TrimSpace(l), -1)
		even = even && len(records[i]) == len(records[0])
	}
	if !even {
		records = gaps(lines)
	}
	marked := func(r []string) bool { return strings.ContainsAny(r[0][max(0, len(r[0])-1):], ",;:|.") }
	return records, len(records) > 1 && len(records[0]) > 1 && cellLike(records) &&
		!slices.ContainsFunc(records, marked)
}

// gaps cuts lines where two or more places are blank in all of them; nil for too many cells.
func gaps(lines []string) [][]string {
	rows := make([][]rune, len(lines))
	var filled []bool // by place
	for i, l := range lines {
		rows[i] = []rune(strings.TrimRight(l, " "))
		filled = append(filled, make([]bool, max(0, len(rows[i])-len(filled)))...)
		for at, r := range rows[i] {
			filled[at] = filled[at] || r != ' '
		}
	}
	var starts []int
	for at, full := range filled {
		if full && (at == 0 || !filled[at-1] && (len(starts) == 0 || !filled[at-2])) {
			starts = append(starts, at)
		}
	}
	if len(starts)*len(rows) > maxCells {
		return nil
	}
	records := make([][]string, len(rows))
	for i, row := range rows {
		for k, from := range starts {
			to := len(row)
			if k+1 < len(starts) {
				to = min(to, starts[k+1])
			}
			records[i] = append(records[i], strings.TrimSpace(string(row[min(from, to):to])))
		}
	}
	return records
}
