package ui

import "strings"

// evenSpaces makes one of the spaces and apostrophes that numbers are grouped with.
var evenSpaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ", "'", " ", "’", " ", "−", "-")

// marks are how numbers are written: page.number without its digits.
func (w Words) marks() (group, point string, ok bool) {
	return strings.Cut(strings.TrimSuffix(strings.TrimPrefix(w.Say("page.number"), "1"), "5"), "234")
}

// DecimalComma reports a language that writes 1,5.
func (w Words) DecimalComma() bool {
	_, point, _ := w.marks()
	return point == ","
}

// readNumber returns the numbers that a text can mean, as canonical text. It reads the text
// as JSON writes numbers, and as the language of w does. If the two differ, as for 1.234 in
// German, the user has to choose.
func (w Words) readNumber(text string) (readings []Value) {
	if v, ok := Number(text); ok {
		readings = append(readings, v)
	}
	if v, ok := w.localNumber(text); ok && (len(readings) == 0 || !readings[0].Equal(v)) {
		readings = append(readings, v)
	}
	return readings
}

// localNumber reads 1.234,5 where page.number is so. Spaces group in every language.
func (w Words) localNumber(text string) (Value, bool) {
	group, point, ok := w.marks()
	if !ok {
		return Value{}, false
	}
	text = evenSpaces.Replace(text)
	rest, minus := strings.CutPrefix(text, "-")
	if !minus {
		rest = strings.TrimPrefix(rest, "+")
	}
	whole, frac, broken := strings.Cut(rest, point)
	if strings.Contains(whole, " ") {
		group = " "
	}
	whole, ok = ungrouped(whole, evenSpaces.Replace(group))
	if !ok || broken && !allDigits(frac) {
		return Value{}, false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if broken {
		whole += "." + frac
	}
	if minus {
		whole = "-" + whole
	}
	return Number(whole)
}

// ungrouped takes the marks out of digits in groups of three.
func ungrouped(s, group string) (string, bool) {
	parts := strings.Split(s, group)
	for i, p := range parts {
		if !allDigits(p) || i > 0 && len(p) != 3 || i == 0 && len(parts) > 1 && (len(p) > 3 || p[0] == '0') {
			return "", false
		}
	}
	return strings.Join(parts, ""), true
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// plainNumber writes a number with the decimal mark of the language and no others.
func (w Words) plainNumber(v Value) string {
	_, point, _ := w.marks()
	return strings.Replace(v.Text(), ".", point, 1)
}

// draftNumber is the text of a number that means the same in every language: 1.234 gets
// one more digit, since it is a thousand where a point groups. fromDraft takes it away.
func draftNumber(v Value) Value {
	if thousands(v.Text()) {
		return String(v.Text() + "0")
	}
	return String(v.Text())
}

func fromDraft(v Value) Value {
	if less, ok := strings.CutSuffix(v.Text(), "0"); ok && thousands(less) {
		v, _ = Number(less)
	}
	return v
}

// thousands reports a number such as 1.234, which may be grouped by a point.
func thousands(text string) bool {
	whole, frac, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	return len(frac) == 3 && len(whole) <= 3 && whole != "0" && allDigits(whole+frac)
}
