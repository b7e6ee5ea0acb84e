package capture

import (
	"regexp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/capture/markup"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// structured reads the forms that other programs write: a table of HTML, a list of
// JSON, the recipients of a mail. Their header, where they have one, is certain.
func structured(text string, columns []ui.Field) (grid, bool) {
	text = strings.TrimSpace(text)
	if rows, headed, ok := markup.Table(text); ok {
		g := grid{form: FormHTML, records: rows}
		if headed && len(rows) > 1 {
			g.header, g.records = rows[0], rows[1:]
		}
		return g, true
	}
	for _, try := range [...]string{text, objects(text), afterColon(text), objects(afterColon(text))} {
		if g, ok := jsonRecords(try); ok {
			return g, true
		}
	}
	return recipients(text, columns)
}

// afterColon is what follows a first line that ends with a colon: "Here is the export:".
func afterColon(text string) string {
	line, rest, _ := strings.Cut(text, "\n")
	if line = strings.TrimSpace(line); strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：") {
		return strings.TrimSpace(rest)
	}
	return ""
}

// objects makes a list of lines that are an object each.
func objects(text string) string {
	if !strings.HasPrefix(text, "{") || !strings.Contains(text, "}\n{") {
		return ""
	}
	return "[" + strings.ReplaceAll(text, "}\n{", "},\n{") + "]"
}

// maxJSON bounds the JSON that is read.
var maxJSON = jsonx.Limits{Bytes: 8 << 20, Depth: 16}

// jsonRecords reads a list of objects, whose keys are the header, or of lists; also
// as the only list in an object.
func jsonRecords(text string) (grid, bool) {
	if text == "" || text[0] != '[' && text[0] != '{' {
		return grid{}, false
	}
	v, err := jsonx.Parse([]byte(text), maxJSON)
	if err != nil {
		return grid{}, false
	}
	if v.Kind == jsonx.Object {
		v = onlyList(v)
	}
	g := grid{form: FormJSON}
	at := map[string]int{}
	cells := 0
	for _, item := range v.Items {
		width := len(g.header)
		for _, m := range item.Members {
			if _, known := at[m.Key]; !known {
				at[m.Key] = len(g.header)
				g.header = append(g.header, m.Key)
			}
			width = max(width, len(g.header))
		}
		if cells += width; cells > maxCells {
			return grid{}, false
		}
		record := make([]string, width)
		for _, m := range item.Members {
			record[at[m.Key]] = cellText(m.Value)
		}
		for _, cell := range item.Items {
			record = append(record, cellText(cell))
		}
		if item.Kind != jsonx.Object && item.Kind != jsonx.Array {
			record = append(record, cellText(item))
		}
		g.records = append(g.records, record)
	}
	return g, len(g.records) > 0
}

// onlyList returns the list in an object, or the object as the only item of one.
func onlyList(v jsonx.Value) (list jsonx.Value) {
	lists := 0
	for _, m := range v.Members {
		if m.Value.Kind == jsonx.Array {
			list = m.Value
			lists++
		}
	}
	if lists != 1 {
		return jsonx.OfArray(v)
	}
	return list
}

// cellText is a value as a person would write it into a cell.
func cellText(v jsonx.Value) string {
	switch v.Kind {
	case jsonx.Null:
		return ""
	case jsonx.String:
		return v.Str
	case jsonx.Array:
		parts := make([]string, len(v.Items))
		for i, item := range v.Items {
			parts[i] = cellText(item)
		}
		return strings.Join(parts, ", ")
	}
	return string(jsonx.Append(nil, v))
}

// recipient is "Ana Lima <ana@example.org>", or the address alone; recipientLabel the
// word that a mail has before them ("To:", "An:"); recipientEnd where one ends.
var (
	recipient      = regexp.MustCompile(`^(?:"?([^<>@"]+?)"?\s*<([^<>@\s]+@[^<>@\s]+)>|<?([^<>@\s,]+@[^<>@\s,]+)>?)$`)
	recipientLabel = regexp.MustCompile(`(?m)^\s*[\p{L}\p{M}]+\s*[:：]`)
	recipientEnd   = regexp.MustCompile(`;|\n|(>|@[^<>\s,]+)\s*,`)
)

// recipients reads the addresses that a mail program lists. The name goes to the
// first column without addresses, the address to the first column with them.
func recipients(text string, columns []ui.Field) (grid, bool) {
	if !strings.Contains(text, "@") || !strings.Contains(text, ">") || len(columns) < 2 {
		return grid{}, false
	}
	isMail := func(f ui.Field) bool { return alike(f, "email") || f.Type == ui.TypeEmail }
	mail := max(slices.IndexFunc(columns, isMail), 0)
	name := slices.IndexFunc(columns, func(f ui.Field) bool { return !isMail(f) })
	if !isMail(columns[mail]) || name < 0 {
		name, mail = 0, 1
	}
	g := grid{form: FormInline}
	text = recipientEnd.ReplaceAllString(recipientLabel.ReplaceAllString(text, ""), "$1\n")
	for part := range strings.SplitSeq(text, "\n") {
		part = strings.TrimSpace(part)
		if item, ok := prose.Bullet(part); ok {
			part = item
		}
		found := recipient.FindStringSubmatch(part)
		if found == nil && part != "" {
			return grid{}, false
		}
		if found != nil {
			record := make([]string, max(name, mail)+1)
			record[name], record[mail] = found[1], found[2]+found[3]
			g.records = append(g.records, record)
		}
	}
	return g, len(g.records) > 0
}

// nested reads a list whose items have items below them, which are the other
// cells of the row: by the name of the column before a colon, or in order. What begins
// an item may be the day of a date, which stays: "3. April 2025".
func nested(lines []string, columns []ui.Field, days bool) (grid, bool) {
	names := namesOf(columns)
	g := grid{form: FormBullets}
	outer, inner := -1, 0
	taken := map[int]bool{} // columns that a label names
	type cell struct {
		column int // -1 = without a label
		text   string
	}
	var rows [][]cell
	for _, l := range lines {
		item, bullet := prose.Bullet(strings.TrimSpace(l))
		if days {
			item = strings.TrimSpace(l)
		}
		indent := len(l) - len(strings.TrimLeft(l, " \t"))
		switch {
		case outer < 0 && bullet:
			outer = indent
			fallthrough
		case bullet && indent <= outer:
			rows = append(rows, []cell{{-1, item}})
		case outer < 0:
			g.intro = append(g.intro, strings.TrimSpace(l))
		case indent > outer && len(rows) > 0:
			one := cell{-1, item}
			if label, rest, ok := strings.Cut(strings.Replace(item, "：", ":", 1), ":"); ok {
				if c, known := names[nameKey(label)]; known {
					one, taken[c] = cell{c, strings.TrimSpace(rest)}, true
				}
			}
			rows[len(rows)-1] = append(rows[len(rows)-1], one)
			inner++
		default:
			g.intro = append(g.intro, strings.TrimSpace(l))
		}
	}
	if len(rows) < 1 || inner < len(rows) || len(columns) < 2 {
		return grid{}, false
	}
	for _, cells := range rows {
		record, next := make([]string, len(columns)), 0
		for _, c := range cells {
			if c.column < 0 {
				for next < len(columns) && taken[next] {
					next++
				}
				c.column = next
				next++
			}
			if c.column < len(record) {
				record[c.column] = c.text
			} else {
				record = append(record, c.text)
			}
		}
		g.records = append(g.records, record)
	}
	return g, true
}

// sentences reads "Anna is PM, Bob does QA and Chen runs ops" for two columns.
func sentences(items []string) ([][]string, bool) {
	records := make([][]string, len(items))
	for i, item := range items {
		who, what, ok := prose.Statement(item)
		if !ok {
			return nil, false
		}
		records[i] = []string{who, what}
	}
	return records, len(items) > 1
}
