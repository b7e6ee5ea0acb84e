package ui

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/words"
)

// Words are the texts Limn itself shows to users, each under a key. An app can
// replace any of them; {label}, {min}, {max}, {n} and {list} are filled in, and
// about pasted text {raw} and {form}, and {guess} and {other} readings of it; about
// a tool that did not open {other} ("the table") and {own} ("a table"); about an agent
// that failed its {reason}.
type Words map[string]string

// DefaultWords returns a copy of the built-in texts in English.
func DefaultWords() Words { return maps.Clone(english) }

// WordLanguages are the languages of the built-in texts, English first.
func WordLanguages() []string { return slices.Clone(words.Languages) }

var english = Words(words.In(words.English))

// Say returns the text under key, from w or else the built-in one, with the
// pairs name, value filled in. The built-in one is in the language that w has under
// page.lang, if Limn has that, else in English. An unknown key is returned as it is.
func (w Words) Say(key string, pairs ...string) string {
	s, ok := w.text(key)
	if !ok {
		return key
	}
	if !strings.Contains(s, "{") {
		return s
	}
	out := make([]byte, 0, len(s)+64)
	for i := 0; i < len(s); i++ {
		if value, size, ok := named(s[i:], pairs); ok {
			out = append(out, value...)
			i += size - 1
		} else {
			out = append(out, s[i])
		}
	}
	return string(out)
}

func (w Words) text(key string) (string, bool) {
	if s, ok := w[key]; ok {
		return s, true
	}
	if lang, ok := w["page.lang"]; ok {
		if s, ok := words.In(lang)[key]; ok {
			return s, true
		}
	}
	s, ok := english[key]
	return s, ok
}

// Fingerprint changes with what Say returns, whatever the key: 64 hex digits.
func (w Words) Fingerprint() string {
	parts := []string{words.Fingerprint(words.English), words.Fingerprint(w["page.lang"])}
	for _, key := range slices.Sorted(maps.Keys(w)) {
		parts = append(parts, key, w[key])
	}
	sum := sha256.Sum256([]byte(fmt.Sprintf("%q", parts))) // unambiguous
	return hex.EncodeToString(sum[:])
}

// Date is a time in UTC, in the form of the words and with their names of months.
func (w Words) Date(t time.Time) string { return w.moment("page.date", t.UTC()) }

// moment is a time in the layout under key.
func (w Words) moment(key string, t time.Time) string {
	text := t.Format(w.Say(key))
	if months := strings.Fields(w.Say("page.months")); len(months) == 12 {
		text = strings.Replace(text, t.Format("Jan"), months[t.Month()-1], 1)
	}
	return text
}

// typed is the text of a value of a type as people write it: dates in their order, numbers
// with their signs. A text of another form stays.
func (w Words) typed(t FieldType, text string) string {
	switch t {
	case TypeNumber:
		return w.number(text)
	case TypeDate:
		if at, err := time.Parse(time.DateOnly, text); err == nil {
			return w.moment("page.day", at)
		}
	case TypeDateTime:
		if at, err := time.Parse("2006-01-02T15:04", text); err == nil {
			return w.moment("page.date", at)
		}
	}
	return text
}

// read is the way back from typed, and from dates in figures as the language writes them. A
// number that means two things means that of the language. A text of another form stays.
func (w Words) read(t FieldType, text string) string {
	switch t {
	case TypeNumber, TypeSlider:
		if list := w.readNumber(text); len(list) > 0 {
			return list[len(list)-1].Text()
		}
	case TypeDate:
		if at, ok := w.readMoment(text, "page.day", "page.day.figures"); ok {
			return at.Format(time.DateOnly)
		}
	case TypeDateTime:
		if at, ok := w.readMoment(text, "page.date"); ok {
			return at.Format("2006-01-02T15:04")
		}
		if at, ok := w.readMoment(text, "page.day", "page.day.figures"); ok {
			return at.Format(time.DateOnly) // the beginning of that day
		}
	}
	return text
}

// readMoment reads a text in one of the layouts under keys.
func (w Words) readMoment(text string, keys ...string) (time.Time, bool) {
	text = strings.Join(strings.Fields(text), " ")
	english := w.inEnglish(text)
	for _, key := range keys {
		layout, from := w.Say(key), text
		if strings.Contains(layout, "Jan") {
			from = english
		}
		if at, err := time.Parse(layout, from); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// inEnglish is a text with the English name of the month that it has.
func (w Words) inEnglish(text string) string {
	low := strings.ToLower(text)
	for i, name := range strings.Fields(w.Say("page.months")) {
		if at := strings.Index(low, strings.ToLower(name)); at >= 0 && i < 12 && len(low) == len(text) {
			return text[:at] + time.Month(1 + i).String()[:3] + text[at+len(name):]
		}
	}
	return text
}

// maxYear is the longest number, in digits, that may be a year: it is not grouped.
const maxYear = 4

// number is a decimal number with the signs of page.number.
func (w Words) number(text string) string {
	whole, rest, broken := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if !allDigits(whole) || broken && !allDigits(rest) {
		return text
	}
	group, point, ok := w.marks()
	if !ok {
		return text
	}
	var b strings.Builder
	b.WriteString(text[:strings.Index(text, whole)])
	for i, d := range whole {
		if i > 0 && len(whole) > maxYear && (len(whole)-i)%3 == 0 {
			b.WriteString(group)
		}
		b.WriteRune(d)
	}
	if broken {
		b.WriteString(point + rest)
	}
	return b.String()
}

// named returns the value of the "{name}" that s begins with, and its length.
func named(s string, pairs []string) (value string, size int, ok bool) {
	if s[0] != '{' {
		return "", 0, false
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if rest, ok := strings.CutPrefix(s[1:], pairs[i]); ok && strings.HasPrefix(rest, "}") {
			return pairs[i+1], len(pairs[i]) + 2, true
		}
	}
	return "", 0, false
}
