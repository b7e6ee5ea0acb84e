package capture

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// detect cuts text into cells by the first form that fits (facts §4), and sets
// the sentences around them apart.
func detect(text string, columns []ui.Field) grid {
	if g, ok := structured(text, columns); ok {
		return g
	}
	intro, text := introduction(text)
	g, ok := exported(text, columns)
	var leave []string
	if !ok {
		text, leave = farewell(text)
		g = cutForm(text, columns)
	}
	g.intro = slices.Concat(intro, g.intro, leave)
	if n := len(g.records) - 1; n > 1 && len(g.records[n]) == 1 && len(g.records[n-1]) > 1 && len(columns) > 1 &&
		(remark(g.records[n][0]) || strings.Contains(text, "\n\n"+g.records[n][0])) {
		g.intro = append(g.intro, strings.TrimSpace(g.records[n][0])) // "More will follow."
		g.records = g.records[:n]
	}
	return g
}

func cutForm(text string, columns []ui.Field) grid {
	lines := nonBlank(text)
	if piped, around := between(lines, func(l string) bool { return strings.Contains(l, "|") }); len(piped) > 1 {
		if records, ok := markdown(piped); ok {
			return grid{form: FormMarkdown, records: records, intro: around}
		}
	}
	if n := countWith(lines, func(s string) bool { return strings.Contains(s, "\t") }); n >= 2 ||
		n == 1 && len(lines) == 1 {
		return grid{form: FormTabs, records: readDelimited(text, '\t')}
	}
	if g, ok := chat(lines, columns); ok {
		return g
	}
	first, last, bullets := listed(lines)
	if records, ok := aligned(lines); ok && bullets < 2 {
		return grid{form: FormAligned, records: records}
	}
	if bullets*2 <= len(lines) && !(bullets > 2 && bullets == last-first+1) {
		if g, ok := delimited(text, columns); ok {
			return g
		}
	}
	if items, ok := prose.Outline(lines); ok {
		g := splitLines(items, len(columns))
		g.form = FormBullets
		return g
	}
	if bullets != 1 {
		if g, ok := nested(lines, columns, bullets == 0); ok {
			return g
		}
	}
	if bullets >= 2 || bullets == 1 && len(lines) <= 2 {
		items, intro := bulleted(lines)
		g := splitLines(items, len(columns))
		if commas, ok := commaCells(items, len(columns)); ok && g.form == FormLines {
			g.records = commas
		}
		g.form, g.intro = FormBullets, intro
		return g
	}
	if g, ok := labelled(lines, columns); ok {
		return g
	}
	return splitLines(lines, len(columns))
}

// bulleted strips the marks of a list. Sentences before and after it are no items,
// and nothing else is around a list of three or more whose items follow one
// another: a greeting, a signature.
func bulleted(lines []string) (items, intro []string) {
	first, last, marked := listed(lines)
	whole := marked > 2 && marked == last-first+1
	for i, l := range lines {
		item, ok := prose.Bullet(strings.TrimSpace(l))
		around := len(items) == 0 || i > last
		if !ok && around && (whole || remark(item) || strings.HasSuffix(item, ":")) {
			intro = append(intro, item)
			continue
		}
		items = append(items, item)
	}
	return items, intro
}

// listed finds the first and the last line with a bullet, and counts them. A day before its
// month is a bullet only if the lines count up: "3. April", "10. April".
func listed(lines []string) (first, last, marked int) {
	first = -1
	days, counts := 0, true
	for i, l := range lines {
		if item, ok := prose.Bullet(strings.TrimSpace(l)); ok {
			number, _, _ := strings.Cut(strings.TrimSpace(l), ".")
			day, numbered := natural(number)
			if counts = counts && day == marked+1; numbered && startsWithMonth(item) {
				days++
			}
			if first < 0 {
				first = i
			}
			last = i
			marked++
		}
	}
	if days == marked && !counts {
		return -1, 0, 0
	}
	return first, last, marked
}

// commaCells splits items at commas where most have the same number of cells,
// and no more than there are columns: "Maya, CFO, high".
func commaCells(items []string, columns int) ([][]string, bool) {
	records := make([][]string, len(items))
	for i, item := range items {
		records[i] = []string{item}
		if cells := readDelimited(amounts(item, false), ','); len(cells) > 0 { // "" has none
			records[i] = cells[0]
		}
	}
	uncovered(records)
	n, fields := modal(records, columns)
	return records, columns > 1 && fields > 1 && fields <= columns && n*3 >= len(items)*2 && cellLike(records)
}

// labelled reads records of lines that each name their column: "Name: Maya",
// "Role: CFO". A name seen before begins a new record.
func labelled(lines []string, columns []ui.Field) (grid, bool) {
	names := namesOf(columns)
	g := grid{form: FormColons}
	var record []string
	hits, distinct := 0, map[int]bool{}
	flush := func() {
		if record != nil {
			g.records = append(g.records, record)
		}
		record = nil
	}
	for _, l := range lines {
		label, cell, _ := cutColon(strings.TrimSpace(l))
		c, ok := names[nameKey(label)]
		if !ok || cell == "" {
			flush()
			g.records = append(g.records, make([]string, len(columns), len(columns)+1))
			g.records[len(g.records)-1] = append(g.records[len(g.records)-1], l)
			continue
		}
		hits++
		distinct[c] = true
		if record == nil || record[c] != "" {
			flush()
			record = make([]string, len(columns))
		}
		record[c] = cell
	}
	flush()
	return g, hits > 1 && hits*5 >= len(lines)*4 && (len(distinct) > 1 || len(columns) == 1 || hits == len(lines))
}

// exported reads cells that a program wrote: their separator is declared above them, or
// the first record names columns and all others have as many cells. Nothing in a cell
// then has another meaning.
func exported(text string, columns []ui.Field) (grid, bool) {
	text, leave := farewell(text)
	if d, rest, ok := declared(text); ok {
		return grid{form: formOf(d), records: readDelimited(rest, d), comma: d == ';', intro: leave}, true
	}
	if r, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " \n\"")); !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		return grid{}, false // another mark begins the text
	}
	first, _, _ := strings.Cut(text, "\n")
	for _, d := range []byte{'\t', ';', ','} { // commas and semicolons are in the cells of the others
		if strings.IndexByte(text, d) < 0 || d != '\t' && strings.Contains(first, " | ") {
			continue
		}
		records, ok := scanDelimited(text, d, true)
		if !ok || len(records) < 2 || len(records[0]) < 2 {
			continue
		}
		unlike := func(r []string) bool {
			_, bullet := prose.Bullet(strings.TrimSpace(r[0]))
			return bullet || len(r) != len(records[0])
		}
		if at, _ := findHeader(records, columns); at == 0 && !slices.ContainsFunc(records, unlike) {
			return grid{form: formOf(d), records: records, comma: d == ';', intro: leave}, true
		}
	}
	return grid{}, false
}

// formOf is the form of cells with a separator.
func formOf(d byte) Form {
	if d == '\t' {
		return FormTabs
	}
	return FormCSV
}

// declared reads the line Excel writes above separated cells: "sep=;".
func declared(text string) (d byte, rest string, ok bool) {
	if len(text) < 6 || !strings.EqualFold(text[:4], "sep=") || text[5] != '\n' || text[4] == '"' ||
		text[4] >= utf8.RuneSelf {
		return 0, text, false
	}
	return text[4], text[6:], true
}

func nonBlank(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}

func countWith(lines []string, f func(string) bool) (n int) {
	for _, l := range lines {
		if f(l) {
			n++
		}
	}
	return n
}

// markdown reads | a | b | lines; a separator line, three of them or a bar at the ends
// of all lines are needed.
func markdown(lines []string) ([][]string, bool) {
	pipes, rules, boxed := 0, 0, 0
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if len(l) > 2 && l[0] == '|' && l[len(l)-1] == '|' {
			boxed++
		}
		if strings.HasPrefix(l, "|") || strings.Contains(l, " | ") || rules > 0 && strings.Contains(l, "|") {
			pipes++
		}
		if rule(l) {
			rules++
			pipes = max(pipes, 2) // "Who|What" above it, and itself
		}
	}
	if pipes < 2 || rules == 0 && pipes < 3 && boxed < len(lines) || pipes*2 < len(lines) {
		return nil, false
	}
	var out [][]string
	for _, l := range lines {
		if l = strings.TrimSpace(l); rule(l) {
			continue
		}
		cells := pipeCells(l)
		for i, c := range cells {
			cells[i] = plain(strings.TrimSpace(c))
		}
		out = append(out, cells)
	}
	return out, true
}

// plain takes the marks of bold text and of code off a cell.
func plain(cell string) string {
	for _, mark := range [...]string{"**", "__", "`"} {
		if len(cell) > 2*len(mark) && strings.HasPrefix(cell, mark) && strings.HasSuffix(cell, mark) {
			if inner := cell[len(mark) : len(cell)-len(mark)]; !strings.Contains(inner, mark) {
				return inner
			}
		}
	}
	return cell
}

// rule reports |---|:-:| lines.
func rule(l string) bool {
	return (strings.Contains(l, "--") || strings.Contains(l, "-") && strings.Contains(l, "|")) &&
		strings.Trim(l, "|-: \t") == ""
}

func pipeCells(l string) []string {
	l = strings.TrimPrefix(l, "|")
	if strings.HasSuffix(l, "|") && !strings.HasSuffix(l, `\|`) {
		l = l[:len(l)-1]
	}
	var out []string
	var cell strings.Builder
	for i := 0; i < len(l); i++ {
		switch {
		case l[i] == '\\' && i+1 < len(l) && l[i+1] == '|':
			cell.WriteByte('|')
			i++
		case l[i] == '|':
			out = append(out, cell.String())
			cell.Reset()
		default:
			cell.WriteByte(l[i])
		}
	}
	return append(out, cell.String())
}

// delimited accepts commas or semicolons when at least two records have the
// same number of fields, or when there is a header.
func delimited(text string, columns []ui.Field) (grid, bool) {
	best, most := grid{}, 1
	if !strings.ContainsAny(text, ",;|") { // 张伟，采购部
		if !strings.ContainsAny(text, "，；｜") {
			text = strings.ReplaceAll(text, "、", ",")
		}
		text = strings.NewReplacer("，", ",", "；", ";", "｜", "|").Replace(text)
	}
	for _, d := range []byte{';', ',', '|'} {
		if strings.IndexByte(text, d) < 0 {
			continue
		}
		records := readDelimited(text, d)
		at, header := findHeader(records, columns)
		headed := at >= 0 && len(header) > 1
		if d == ',' && !headed {
			records = readDelimited(amounts(text, false), d)
			uncovered(records)
		}
		n, fields := modal(records, len(columns))
		if headed {
			n += len(records)
		}
		if fields < 2 || n < 2 || !headed && (len(columns) == 1 || n*2 < len(records) || !cellLike(records)) {
			continue
		}
		if d == '|' && n < len(records) { // in prose, a bar is a bar
			continue
		}
		if n > most {
			best, most = grid{form: FormCSV, records: records, comma: d == ';'}, n
		}
	}
	if records, ok := unlabelled(best.records, columns); ok {
		best.records = records
	}
	return best, most > 1
}

// commaNumber is a number with a comma in it, or several of one digit or more.
var commaNumber = regexp.MustCompile(`\d[\d.']*,[\d.,']*`)

// amounts covers the commas of amounts, which separate nothing: "Sales $8,000", "Sales: 8,000".
// In a line of items a number after words is an amount too: "Anna 38,5, Ben 40". After the same
// words again it belongs to a name: "Room 1,20", "Room 2,35".
func amounts(text string, items bool) string {
	var b strings.Builder
	names, last := map[string]bool{}, 0
	for _, run := range commaNumber.FindAllStringIndex(text, -1) {
		from, to := run[0], run[0]+len(strings.TrimRight(text[run[0]:run[1]], ".,'"))
		words := text[strings.LastIndexAny(text[:from], ",;|\n")+1 : from]
		mark, _ := utf8.DecodeLastRuneInString(words)
		_, comma := number(text[from:to], true)
		_, point := number(text[from:to], false)
		if !comma && !point || mark != ' ' && !unicode.Is(unicode.Sc, mark) ||
			!strings.ContainsFunc(words, unicode.IsLetter) {
			continue
		}
		name := strings.TrimSpace(words)
		if mark == ' ' && !items && !strings.HasSuffix(name, ":") {
			continue
		}
		end, _ := utf8.DecodeLastRuneInString(name)
		if names[name] && unicode.IsLetter(end) {
			return text
		}
		names[name] = true
		b.WriteString(text[last:from] + strings.ReplaceAll(text[from:to], ",", "\x00"))
		last = to
	}
	return b.String() + text[last:]
}

// uncovered puts the commas back that amounts covers.
func uncovered(records [][]string) {
	for _, r := range records {
		for i := range r {
			r[i] = strings.ReplaceAll(r[i], "\x00", ",")
		}
	}
}

// unlabelled reads cells that each name their column: "Name: Maya, Role: CFO".
func unlabelled(records [][]string, columns []ui.Field) ([][]string, bool) {
	names := namesOf(columns)
	out := make([][]string, len(records))
	for i, record := range records {
		out[i] = make([]string, len(columns))
		for _, cell := range record {
			label, rest, ok := cutColon(cell)
			if !ok {
				label, rest, ok = strings.Cut(cell, "=")
			}
			c, known := names[nameKey(label)]
			if !ok || !known {
				return nil, false
			}
			out[i][c] = strings.TrimSpace(rest)
		}
	}
	return out, true
}

// modal returns how many records have the commonest number of fields above
// one; where there are several columns, records with that many fields or more
// count together.
func modal(records [][]string, columns int) (n, fields int) {
	counts := map[int]int{}
	for _, r := range records {
		if columns > 1 && len(r) > columns {
			r = r[:columns]
		}
		if k := len(r); k > 1 {
			counts[k]++
			if counts[k] > n || counts[k] == n && k < fields {
				n, fields = counts[k], k
			}
		}
	}
	return n, fields
}

// cellLike reports that the cells are short enough to be cells, not clauses.
func cellLike(records [][]string) bool {
	cells, words := 0, 0
	for _, r := range records[:min(len(records), 50)] {
		for _, c := range r {
			cells++
			words += strings.Count(strings.TrimSpace(c), " ") + 1
		}
	}
	return words <= cells*5
}

// readDelimited reads RFC 4180: quoted cells may hold delimiters, line breaks
// and doubled quotes. A quote that never closes is an ordinary character.
func readDelimited(text string, d byte) [][]string {
	if records, ok := scanDelimited(text, d, true); ok {
		return records
	}
	records, _ := scanDelimited(text, d, false)
	return records
}

func scanDelimited(text string, d byte, quotes bool) ([][]string, bool) {
	var records [][]string
	var record []string
	flush := func() {
		if len(record) > 1 || strings.TrimSpace(record[0]) != "" {
			records = append(records, record)
		}
		record = make([]string, 0, len(record))
	}
	for i := 0; i <= len(text); {
		start := i
		for start < len(text) && text[start] == ' ' {
			start++
		}
		if quotes && start < len(text) && text[start] == '"' {
			cell, end, ok := quotedCell(text, start)
			if !ok {
				return nil, false
			}
			from := end
			for end < len(text) && text[end] != d && text[end] != '\n' { // "a" b: keep what follows
				end++
			}
			record, i = append(record, cell+text[from:end]), end
		} else {
			end := i
			for end < len(text) && text[end] != d && text[end] != '\n' {
				end++
			}
			record, i = append(record, text[i:end]), end
		}
		if i >= len(text) || text[i] == '\n' {
			flush()
			if i >= len(text) {
				break
			}
		}
		i++
	}
	return records, true
}

// quotedCell reads "…" at i; ok is false when it never closes.
func quotedCell(text string, i int) (cell string, end int, ok bool) {
	var b strings.Builder
	for j := i + 1; ; {
		k := strings.IndexByte(text[j:], '"')
		if k < 0 {
			return "", 0, false
		}
		b.WriteString(text[j : j+k])
		j += k + 1
		if j < len(text) && text[j] == '"' {
			b.WriteByte('"')
			j++
			continue
		}
		return b.String(), j, true
	}
}

// splitLines reads lines without delimiters: dashes with spaces, name (role),
// name: role, one inline list, or the lines as they are.
func splitLines(lines []string, columns int) grid {
	most := func(f func(string) []string) ([][]string, bool) {
		hits := 0
		records := make([][]string, len(lines))
		for i, l := range lines {
			records[i] = f(strings.TrimSpace(l))
			if len(records[i]) > 1 {
				hits++
			}
		}
		return records, hits > 0 && hits*2 >= len(lines)
	}
	var intro []string
	var items []string
	if len(lines) == 1 {
		lead, list := enumeration(lines[0])
		if items = inline(list); lead != "" {
			intro = []string{lead}
		}
	}
	if columns > 1 && len(lines) == 1 { // Ana (CFO), Ben (CIO)
		records := make([][]string, len(items))
		owned := 0
		for i, it := range items {
			if records[i] = parenCells(it); len(records[i]) > 1 {
				owned++
			}
		}
		if len(records) > 1 && owned*2 >= len(records) {
			return grid{form: FormInline, records: records, intro: intro}
		}
		if records, ok := pairs(inline(lines[0])); ok {
			return grid{form: FormInline, records: records}
		}
		if records, ok := sentences(inline(lines[0])); ok && columns == 2 {
			return grid{form: FormInline, records: records, bare: true}
		}
	}
	if columns > 1 {
		for _, try := range []struct {
			form Form
			f    func(string) []string
		}{{FormDashes, dashCells}, {FormDashes, slashCells}, {FormParens, parenCells}, {FormColons, colonCells}} {
			if records, ok := most(try.f); ok {
				return grid{form: try.form, records: records}
			}
		}
	}
	if len(items) > 1 {
		records := make([][]string, len(items))
		for i, it := range items {
			records[i] = []string{it}
		}
		return grid{form: FormInline, records: records, intro: intro}
	}
	records := make([][]string, len(lines))
	for i, l := range lines {
		records[i] = []string{strings.TrimSpace(l)}
	}
	return grid{form: FormLines, records: records}
}

// pairs reads "Ana: CFO; Ben: CIO".
func pairs(items []string) ([][]string, bool) {
	records := make([][]string, len(items))
	for i, it := range items {
		if records[i] = colonCells(it); len(records[i]) < 2 {
			return nil, false
		}
	}
	return records, len(items) > 1
}

// dashCells splits at dashes with spaces on both sides only: Jean-Luc stays.
func dashCells(l string) []string {
	return strings.Split(spacedDashes.Replace(l), "\x00")
}

var spacedDashes = strings.NewReplacer("\x00", " ", " – ", "\x00", " — ", "\x00", " - ", "\x00", " -- ", "\x00")

// slashCells splits at slashes with spaces on both sides: and/or stays.
func slashCells(l string) []string { return strings.Split(l, " / ") }

func parenCells(l string) []string {
	if name, role := prose.ParenOwner(l); role != "" {
		return []string{name, role}
	}
	return []string{l}
}

// colonCells splits at the first colon followed by a space; https:// stays.
func colonCells(l string) []string {
	if label, rest, ok := cutColon(l); ok && label != "" {
		return []string{label, rest}
	}
	return []string{l}
}

// cutColon cuts around the first colon with a space after it, or a full-width one.
func cutColon(l string) (before, after string, found bool) {
	before, after, found = strings.Cut(l, ": ")
	if left, right, ok := strings.Cut(l, "："); ok && (!found || len(left) < len(before)) {
		return left, right, true
	}
	return before, after, found
}

// enumeration sets the words before an enumeration apart: "Vendors:" or "Our
// vendors are".
func enumeration(l string) (lead, list string) {
	before, after, ok := cutColon(l)
	if words := strings.Count(before, " "); ok && !strings.ContainsAny(before, ",;、") &&
		(words < 4 || words < 12 && strings.ContainsAny(after, ",;、")) {
		return strings.TrimSpace(l[:len(l)-len(after)]), after
	}
	first := max(0, strings.IndexAny(l, ",;、"))
	for _, verb := range []string{" are ", " include ", " sind ", " sont ", " son ", " são ", " sono ", " zijn "} {
		if i := strings.LastIndex(l[:first], verb); i > 0 && strings.Count(l[:i], " ") < 8 {
			return strings.TrimSpace(l[:i+len(verb)]), l[i+len(verb):]
		}
	}
	return "", l
}

// inline splits "a, b and c" at commas, semicolons, 、 and the last and.
func inline(l string) []string {
	l = amounts(strings.TrimRight(strings.TrimSpace(l), "."), true)
	sep := ","
	if strings.Contains(l, ";") {
		sep = ";"
	} else if strings.ContainsAny(l, "、，") {
		l, sep = strings.ReplaceAll(l, "，", "、"), "、"
	}
	parts := strings.Split(l, sep)
	last := parts[len(parts)-1]
	for _, and := range []string{" and ", " & ", " und ", " et ", " y "} {
		if i := strings.LastIndex(last, and); i > 0 && len(parts) > 1 {
			parts = append(parts[:len(parts)-1], last[:i], last[i+len(and):])
			break
		}
	}
	var out []string
	for _, p := range parts {
		p = strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(p), "and "), "\x00", ",")
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}
