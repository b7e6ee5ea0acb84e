// Package locale chooses languages: the only one of Limn that knows how their tags relate.
package locale

import (
	"slices"

	"golang.org/x/text/language"
)

// Prefer returns the one of the offered languages that the value of an Accept-Language
// header prefers, such as de for "de-AT, en;q=0.5"; the first one if it prefers none.
func Prefer(header string, offered []string) string {
	wanted, _, err := language.ParseAcceptLanguage(header)
	if err != nil || len(wanted) == 0 {
		return offered[0]
	}
	tags := make([]language.Tag, len(offered))
	for i, lang := range offered {
		tags[i] = language.Make(lang)
	}
	_, at, sure := language.NewMatcher(tags).Match(wanted...)
	if sure < language.High {
		return offered[0]
	}
	return offered[at]
}

// rightToLeft are the scripts that are written from right to left.
var rightToLeft = []string{"Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg"}

// Direction is how a language is written, as the dir attribute of HTML: ltr or rtl.
func Direction(lang string) string {
	script, _ := language.Make(lang).Script()
	if slices.Contains(rightToLeft, script.String()) {
		return "rtl"
	}
	return "ltr"
}
