package ui

import (
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// CheckSurface checks the draft of a surface against what its inputs declare.
// It returns the typed values to commit ("" becomes absent, blank rows are left
// out), keyed as the draft is, and every error in drawing order.
func CheckSurface(s *Surface, w Words) (values Value, errs []FieldError) {
	values = Map()
	for n := range All(s.Tree()) {
		if in := InputOf(n); in != nil {
			draft, _ := s.Get(in.Path)
			typed, e := in.Check(draft, in.Title(), w)
			if e != nil {
				e.Path = in.Path
				errs = append(errs, *e)
			}
			if !typed.IsNull() {
				values, _ = values.With(typed, in.Path.Segments()[1:]...)
			}
		}
		if rs := RowsetOf(n); rs != nil {
			rows, more := rs.check(s, w)
			errs = append(errs, more...)
			values, _ = values.With(rows, rs.Path.Segments()[1:]...)
		}
		if st, ok := n.(*Steps); ok && st.Edges != "" {
			if edges, ok := s.Get(st.Edges); ok {
				values, _ = values.With(edges, st.Edges.Segments()[1:]...)
			}
		}
	}
	return values, errs
}

func (rs *Rowset) check(s *Surface, w Words) (Value, []FieldError) {
	var errs []FieldError
	var kept []Record
	for i, r := range s.Rows(rs) {
		if rs.Blank(r.Cells) {
			continue
		}
		cells := Map()
		for _, c := range rs.Columns {
			draft, _ := r.Cells.Get(c.Name)
			label := w.Say("row.label", "label", c.Title(), "n", itoa(i+1))
			typed, e := c.Check(draft, label, w)
			if e != nil {
				e.Path = rs.CellPath(r.ID, c.Name)
				errs = append(errs, *e)
			}
			if !typed.IsNull() {
				cells, _ = cells.With(typed, c.Name)
			}
		}
		kept = append(kept, Record{r.ID, r.Order, cells})
	}
	if rs.MaxRows > 0 && len(kept) > rs.MaxRows {
		text := w.Say("rows.many", "label", rs.Label, "max", itoa(rs.MaxRows), "n", itoa(len(kept)))
		errs = append(errs, FieldError{Path: rs.Path, Code: codeFieldRows, Text: text})
	}
	if len(kept) < rs.MinRows {
		text := w.Say("rows.few", "label", rs.Label, "min", itoa(rs.MinRows), "n", itoa(len(kept)))
		errs = append(errs, FieldError{Path: rs.Path, Code: codeFieldRows, Text: text})
	}
	return Rows(kept...), errs
}

// Blank reports an untouched row: every cell empty or at its default.
func (rs *Rowset) Blank(cells Value) bool {
	for _, c := range rs.Columns {
		if v, ok := cells.Get(c.Name); ok && !v.Empty() && !v.Equal(c.Blank()) &&
			(v.kind != StringValue || strings.TrimSpace(v.s) != "") {
			return false
		}
	}
	return true
}

// Check converts a draft value to the declared type. An empty optional value
// is null. On error the value is null and the text names label.
func (f Field) Check(draft Value, label string, w Words) (Value, *FieldError) {
	fail := func(code Code, key string) (Value, *FieldError) {
		return Value{}, &FieldError{Code: code, Text: w.Say(key, "label", label, "min", f.Min, "max", f.Max)}
	}
	text := strings.TrimSpace(draft.Text())
	empty := text == ""
	if f.Type == TypeBoolean {
		empty = !draft.True()
	}
	if empty && f.Required {
		return fail(CodeFieldRequired, "field.required")
	}
	if empty && f.Type != TypeBoolean {
		return Value{}, nil
	}
	switch f.Type {
	case TypeBoolean:
		return Bool(draft.True()), nil
	case TypeNumber, TypeSlider:
		return f.checkNumber(draft, label, w, fail)
	case TypeEmail:
		if a, err := mail.ParseAddress(text); err != nil || a.Address != text {
			return fail(CodeFieldType, "field.email")
		}
		return f.checkText(text, fail)
	case TypeURL:
		if !WebURL(text) {
			return fail(CodeFieldType, "field.url")
		}
		return f.checkText(text, fail)
	case TypeDate, TypeTime, TypeDateTime:
		return f.checkTime(text, fail)
	case TypeChoice:
		if !f.hasOption(draft.Text()) {
			return fail(CodeFieldOption, "field.option")
		}
		return String(draft.Text()), nil
	case TypeChoices, TypeTags:
		return f.checkList(draft, fail)
	case TypeUpload:
		return String(text), nil
	}
	return f.checkText(draft.Text(), fail)
}

type failFunc func(code Code, key string) (Value, *FieldError)

func (f Field) hasOption(v string) bool {
	return slices.ContainsFunc(f.Options, func(o Option) bool { return o.Value == v })
}

func (f Field) checkNumber(draft Value, label string, w Words, fail failFunc) (Value, *FieldError) {
	text := strings.TrimSpace(draft.Text())
	readings := w.readNumber(text)
	if draft.Kind() == NumberValue { // of a slider: nothing typed in a language
		readings = []Value{draft}
	}
	if len(readings) == 2 {
		return Value{}, &FieldError{Code: CodeFieldType, Text: w.Say("field.reading", "label", label, "raw", text,
			"guess", w.plainNumber(readings[0]), "other", w.plainNumber(readings[1]))}
	}
	if len(readings) == 0 {
		return fail(CodeFieldType, "field.number")
	}
	v := fromDraft(readings[0])
	n, fits := v.Float()
	if !fits {
		return fail(CodeFieldType, "field.number")
	}
	if lo, err := strconv.ParseFloat(f.Min, 64); err == nil && n < lo {
		return fail(codeFieldRange, "field.min")
	}
	if hi, err := strconv.ParseFloat(f.Max, 64); err == nil && n > hi {
		return fail(codeFieldRange, "field.max")
	}
	return v, nil
}

// layouts are what each type accepts, the canonical one first.
var layouts = map[FieldType][]string{
	TypeDate: {"2006-01-02", "2006-01-02T15:04:05Z07:00"},
	TypeTime: {"15:04", "15:04:05"},
	TypeDateTime: {"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00",
		"2006-01-02T15:04:05.999Z07:00"},
}

func (f Field) checkTime(text string, fail failFunc) (Value, *FieldError) {
	if f.Type == TypeDateTime { // spreadsheets write a space
		text = strings.Replace(text, " ", "T", 1)
	}
	iso, ok := f.isoTime(text)
	if !ok {
		return fail(CodeFieldType, "field."+string(f.Type))
	}
	if lo, ok := f.isoTime(f.Min); ok && iso < lo {
		return fail(codeFieldRange, "field.min")
	}
	if hi, ok := f.isoTime(f.Max); ok && iso > hi {
		return fail(codeFieldRange, "field.max")
	}
	return String(iso), nil
}

// isoTime converts the accepted spellings of a date, time or datetime to the one form
// that is stored; such texts compare as the times do.
func (f Field) isoTime(text string) (string, bool) {
	for _, layout := range layouts[f.Type] {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Format(layouts[f.Type][0]), true
		}
	}
	return "", false
}

func (f Field) checkList(draft Value, fail failFunc) (Value, *FieldError) {
	list := f.Draft(draft).List()
	if f.Type == TypeTags {
		list = splitTags(draft.Text())
	}
	for _, v := range list {
		if f.Type == TypeChoices && !f.hasOption(v) {
			return fail(CodeFieldOption, "field.option")
		}
	}
	switch f.outside(len(list)) {
	case -1:
		return fail(codeFieldLength, "field.few")
	case 1:
		return fail(codeFieldLength, "field.many")
	}
	return Strings(list...), nil
}

// outside returns -1 for a length below Min, 1 for one above Max, else 0.
func (f Field) outside(n int) int {
	if lo, err := strconv.Atoi(f.Min); err == nil && n < lo {
		return -1
	}
	if hi, err := strconv.Atoi(f.Max); err == nil && n > hi {
		return 1
	}
	return 0
}

// splitTags reads comma separated text: trimmed, empty and repeated tags left out.
func splitTags(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range strings.Split(text, ",") {
		if t = strings.TrimSpace(t); t != "" && !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// WebURL reports an address that may become a link or an image: absolute, http
// or https, with a host, and nothing that programs read differently: no control
// character, space or backslash, and no user name that looks like the host.
func WebURL(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c == 0x7f || c == '\\' {
			return false
		}
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil &&
		utf8.ValidString(s)
}

func (f Field) checkText(text string, fail failFunc) (Value, *FieldError) {
	switch f.outside(utf8.RuneCountInString(text)) {
	case -1:
		return fail(codeFieldLength, "field.short")
	case 1:
		return fail(codeFieldLength, "field.long")
	}
	if f.Pattern != "" {
		if re, err := regexp.Compile(f.Pattern); err != nil || !re.MatchString(text) {
			return fail(CodeFieldPattern, "field.pattern")
		}
	}
	return String(text), nil
}
