// Package phrasing splits what people say into words, by which messages are compared with the phrases that
// an application declares.
//
// In: a message or a phrase. Out: its words. Callers: app, which declares phrases, and internal/turn.
package phrasing

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Words splits a text into words: lower case, NFC, apostrophes straight;
// letters, digits and inner apostrophes belong to words, everything else parts
// them.
func Words(s string) []string {
	s = strings.ToLower(norm.NFC.String(strings.ReplaceAll(s, "’", "'")))
	words := strings.FieldsFunc(s, func(r rune) bool {
		return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	for i := range words {
		words[i] = strings.Trim(words[i], "'") // quotes around a word
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}
