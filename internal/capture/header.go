package capture

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// maxPasted bounds how many pasted columns are looked at by name; CSV files
// with thousands of columns exist.
const maxPasted = 200

// findHeader looks for the first of five records where at least half of the
// cells name columns (facts C-1). Else the first record is one if it is like the
// names of columns and the record below is not: two names for at least half of
// its cells, or one above a column whose cells are all of another kind.
func findHeader(records [][]string, columns []ui.Field) (int, []string) {
	names := namesOf(columns)
	for i, r := range records[:min(len(records), 5)] {
		hits, cells := 0, 0
		for _, c := range r {
			if key := nameKey(c); key != "" {
				cells++
				if _, ok := names[key]; ok {
					hits++
				}
			}
		}
		if hits > 0 && hits*2 >= cells && (len(records) > i+1 || cells > 1) {
			return i, r
		}
		if cells > 1 && cells >= min(len(columns), 2) && i > 0 && cells >= filled(records[i-1]) {
			break // rows have begun
		}
	}
	if len(records) > 1 {
		hits, cells := likeNames(records[0], columns)
		below, _ := likeNames(records[1], columns)
		if below == 0 && (hits > 1 && hits*2 >= cells || hits > 0 && unlikeBelow(records)) {
			return 0, records[0]
		}
	}
	return -1, nil
}

// foreignHeader reports a first record in other words than the columns' names, such as
// those of another language: a cell for each column, without digits, and words where
// all cells below are numbers or dates, or words that head columns. "Unknown" is a cell.
func foreignHeader(records [][]string, columns []ui.Field, comma bool) bool {
	if len(records) < 3 || len(records[0]) < len(columns) || len(columns) > maxPasted {
		return false
	}
	letter := func(c string) bool { r, _ := utf8.DecodeRuneInString(c); return unicode.IsLetter(r) }
	first := records[0][:len(columns)]
	below, typed := grid{records: records[1:], comma: comma}, len(first) > 1 && prose.HeaderLike(first)
	for at, f := range columns {
		cell := strings.TrimSpace(records[0][at])
		if nameKey(cell) == "" || !letter(cell) || strings.ContainsAny(cell, "0123456789") {
			return false
		}
		if f.Type != ui.TypeNumber && f.Type != ui.TypeDate {
			continue
		}
		if slices.Contains(unknowns, fold(cell)) || convert(f, cell, columnHint{}).Code == "" {
			return false
		}
		if !below.typed(f, at) && !typed {
			return false
		}
		typed = true
	}
	return typed
}

// unknowns are what people put where they know no number and no date.
var unknowns = strings.Fields("n/a na none null nil unknown tbd tba tbc open pending later soon never free many few " +
	"several varies ? unbekannt offen keine desconocido ninguno inconnu aucun ignoto nessuno onbekend geen")

// headerBelow finds a header among or below the rows: two cells or more which all name
// columns.
func headerBelow(records [][]string, columns []ui.Field) int {
	if len(records) < 3 {
		return -1
	}
	names := namesOf(columns)
	other := func(cell string) bool { _, ok := names[nameKey(cell)]; return !ok }
	return slices.IndexFunc(records, func(r []string) bool { return len(r) > 1 && !slices.ContainsFunc(r, other) })
}

// filled counts the cells of a record that are not empty.
func filled(record []string) (n int) {
	for _, c := range record {
		if nameKey(c) != "" {
			n++
		}
	}
	return n
}

// unlikeBelow reports that the first record has words only, and is above a
// column of numbers or dates.
func unlikeBelow(records [][]string) bool {
	for _, c := range records[0] {
		if strings.ContainsAny(c, "0123456789") {
			return false
		}
	}
	g := grid{records: records[1:]}
	for at := range records[0][:min(len(records[0]), maxPasted)] {
		if g.typed(ui.Field{Type: ui.TypeNumber}, at) || g.typed(ui.Field{Type: ui.TypeDate}, at) {
			return true
		}
	}
	return false
}

// likeNames counts the columns some cell is like, and the cells.
func likeNames(record []string, columns []ui.Field) (hits, cells int) {
	record = record[:min(len(record), maxPasted)]
	for _, c := range record {
		if nameKey(c) != "" {
			cells++
		}
	}
	for _, f := range columns[:min(len(columns), maxPasted)] {
		if slices.ContainsFunc(record, func(c string) bool { return alike(f, c) }) {
			hits++
		}
	}
	return hits, cells
}

// namesOf maps the accepted names in a header to the columns they name.
func namesOf(columns []ui.Field) map[string]int {
	names := make(map[string]int, 2*len(columns))
	for i, f := range columns {
		for _, key := range [...]string{nameKey(f.Title()), nameKey(f.Name)} {
			if _, taken := names[key]; !taken && key != "" {
				names[key] = i
			}
		}
	}
	return names
}

// nameKey folds a header to its letters and digits: "**E-Mail**" and "e_mail"
// say the same.
func nameKey(s string) string {
	if len(s) > 200 {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, fold(s))
}

// alike reports that a header and the name of a column share their words: one
// has all the words of the other ("Vendor name", Vendor), or means the same.
func alike(f ui.Field, header string) bool {
	words := nameWords(header)
	if len(words) == 0 || len(words) > 5 {
		return false
	}
	for _, name := range [...]string{f.Title(), f.Name} {
		if have := nameWords(name); len(have) > 0 && (within(have, words) || within(words, have)) {
			return true
		}
	}
	return false
}

func within(all, of []string) bool {
	for _, w := range all {
		if !slices.ContainsFunc(of, func(o string) bool { return sameWord(w, o) }) {
			return false
		}
	}
	return true
}

func sameWord(a, b string) bool {
	if a == b || strings.TrimSuffix(a, "s") == strings.TrimSuffix(b, "s") {
		return true
	}
	for _, set := range synonyms {
		if slices.Contains(set, a) && slices.Contains(set, b) {
			return true
		}
	}
	return false
}

// synonyms.txt has words for one thing on each line.
//
//go:embed synonyms.txt
var synonymLines string

// synonyms are words headers use for one another. They make guesses the user is
// asked about, nothing more.
var synonyms = func() (sets [][]string) {
	for _, line := range strings.Split(strings.TrimSpace(synonymLines), "\n") {
		sets = append(sets, strings.Fields(line))
	}
	return sets
}()

// nameWords cuts a header into words: dueDate, due_date and "Due date:" alike.
func nameWords(s string) []string {
	if len(s) > 200 {
		return nil
	}
	var b strings.Builder
	lower := false
	for _, r := range s {
		if lower && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			r = ' '
		}
		b.WriteRune(r)
	}
	return strings.Fields(fold(b.String()))
}

// sources says which pasted column fills each declared one, or -1: as the user
// mapped them, by the names of the header, or by position.
func (g grid) sources(columns []ui.Field, mapping []string) []int {
	source := make([]int, len(columns))
	for i := range source {
		source[i] = i
		if mapping != nil || g.header != nil && !g.inOrder {
			source[i] = -1
		}
	}
	put := func(column, at int) {
		if source[column] < 0 {
			source[column] = at
		}
	}
	if mapping != nil {
		for at, name := range mapping {
			if c := slices.IndexFunc(columns, func(f ui.Field) bool { return f.Name == name }); c >= 0 {
				put(c, at)
			}
		}
		return source
	}
	names := namesOf(columns)
	for at, name := range g.header {
		if c, ok := names[nameKey(name)]; ok {
			put(c, at)
		}
	}
	// the corner of a table has no name: it is the only column that is missing
	corner := slices.IndexFunc(g.header, func(name string) bool { return strings.TrimSpace(name) == "" })
	if left := slices.Index(source, -1); corner == 0 && left >= 0 && !slices.Contains(source[left+1:], -1) {
		put(left, corner)
	}
	return source
}

// askHeaders asks about each unknown header and returns the guesses: for each
// declared column the pasted one that may be meant, or -1.
func (g grid) askHeaders(columns []ui.Field, source []int) (ask []Question, guess []int) {
	guess = make([]int, len(columns))
	for i := range guess {
		guess[i] = -1
	}
	var open []int // pasted columns without a place
	for at, name := range g.header[:min(len(g.header), maxPasted)] {
		if !slices.Contains(source, at) && nameKey(name) != "" {
			open = append(open, at)
		}
	}
	free := func(c int) bool { return source[c] < 0 && guess[c] < 0 }
	for _, fits := range [...]func(f ui.Field, at int) bool{
		func(f ui.Field, at int) bool { return alike(f, g.header[at]) },
		g.typed,
	} {
		for c, f := range columns {
			for _, at := range open {
				if free(c) && !slices.Contains(guess, at) && fits(f, at) {
					guess[c] = at
				}
			}
		}
	}
	for _, at := range open {
		q := Question{Row: -1, Code: CodeHeader, Raw: strings.TrimSpace(g.header[at])}
		if c := slices.Index(guess, at); c >= 0 {
			q.Col, q.Guess = columns[c].Name, columns[c].Title()
		}
		ask = append(ask, q)
	}
	return ask, guess
}

// typed reports that the cells of a pasted column give a declared type away:
// four of five fit it, which text always would.
func (g grid) typed(f ui.Field, at int) bool {
	switch f.Type {
	case ui.TypeText, ui.TypeLongText, ui.TypeTags, ui.TypeUpload:
		return false
	}
	fit, all := 0, 0
	some := grid{records: g.records[:min(len(g.records), 50)], comma: g.comma}
	hint := some.hints([]ui.Field{f}, []int{at})[0]
	for _, r := range some.records {
		if at < len(r) && strings.TrimSpace(r[at]) != "" {
			all++
			if code := convert(f, strings.TrimSpace(r[at]), hint).Code; code == "" || code == CodeAmbiguous {
				fit++
			}
		}
	}
	return all > 0 && fit*5 >= all*4
}
