package records

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Bounds of the terms of one record, together at most builtin.MaxTerms.
const (
	maxWords  = 64
	maxFields = builtin.MaxTerms - maxWords
)

// wordsField has the words of a record. No field of a form has that name.
const wordsField = "#words"

// terms returns the terms that a record is found by.
func terms(a *app.App, name string, values ui.Value) (out []store.Term) {
	for _, f := range a.RecordLists().Fields(name) {
		v, _ := values.Get(f.Name)
		texts := []string{v.Text()}
		if v.Kind() == ui.StringsValue {
			texts = v.List()
		}
		for _, text := range texts {
			if text = sortable(f, text); text != "" && len(out) < maxFields {
				out = append(out, store.Term{Field: f.Name, Text: text})
			}
		}
	}
	var words []string
	for _, word := range wordsOf(texts(values, nil)) {
		if len(words) == maxWords {
			break
		}
		if !slices.Contains(words, word) {
			words = append(words, word)
			out = append(out, store.Term{Field: wordsField, Text: word})
		}
	}
	return out
}

// texts appends all texts in a value.
func texts(v ui.Value, out []string) []string {
	for _, p := range v.Pairs() {
		out = texts(p.Value, out)
	}
	for _, r := range v.Records() {
		out = texts(r.Cells, out)
	}
	out = append(out, v.List()...)
	if v.Kind() == ui.StringValue || v.Kind() == ui.NumberValue {
		out = append(out, v.Text())
	}
	return out
}

// wordsOf splits texts into words of lower case. Combining marks, such as the vowels of
// Hindi, belong to the letter before them.
func wordsOf(texts []string) (out []string) {
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(text, between) {
			if word = strings.TrimLeftFunc(word, unicode.IsMark); word != "" {
				out = append(out, folded(word))
			}
		}
	}
	return out
}

func between(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

// folded is text without regard to case, cut to the length of a term.
func folded(text string) string {
	text = strings.ToLower(strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")))
	if len(text) > builtin.MaxTerm {
		text = strings.ToValidUTF8(text[:builtin.MaxTerm], "")
	}
	return text
}

// sortable is a value of a field, as text that sorts as the values do.
func sortable(f ui.Field, text string) string {
	if f.Type == ui.TypeNumber || f.Type == ui.TypeSlider {
		n, ok := ui.Number(strings.TrimSpace(text))
		x, fits := n.Float()
		if !ok || !fits {
			return ""
		}
		bits := math.Float64bits(x)
		if x < 0 {
			bits = ^bits
		} else {
			bits |= 1 << 63
		}
		return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, bits))
	}
	return folded(text)
}
