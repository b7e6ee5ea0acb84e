// Package draft is the form of a user's entries in the data of a drawing, where it is
// not that of a ui.Value. Drawings write it, and ingress reads it back.
//
// In: a value of a field. Out: its text or key in the data, and back.
//
// Callers: compile, internal/ingress.
package draft

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// The parts added to a date or a time for clients that show moments only.
const (
	midnight = "T00:00"
	epochDay = "1970-01-01T"
)

// Moment makes a date or a time a moment of local time; other texts stay. The official
// client of v0.8 reads a date as UTC and shows it in local time.
func Moment(t ui.FieldType, text string) string {
	switch {
	case t == ui.TypeDate && len(text) == len("2006-01-02") && text[4] == '-':
		return text + midnight
	case t == ui.TypeTime && len(text) >= len("15:04") && text[2] == ':':
		return epochDay + text
	}
	return text
}

// FromMoment restores a date or time from its form for a client that shows moments
// only; other texts stay. Ingress reads drafts with it.
func FromMoment(t ui.FieldType, text string) string {
	switch t {
	case ui.TypeDate:
		return strings.TrimSuffix(text, midnight)
	case ui.TypeTime:
		return strings.TrimPrefix(text, epochDay)
	}
	return text
}

// OptionKey is the data key of an option of choices that are drawn as one
// CheckBox each: the value itself if it is made of ASCII letters, digits, '-'
// and '_', at most 64 and not starting with '_'; else '_' and its FNV-1a hash
// (64 bits, hex). Ingress reads the map with it.
func OptionKey(value string) string {
	plain := value != "" && len(value) <= 64 && value[0] != '_'
	for i := 0; i < len(value) && plain; i++ {
		c := value[i]
		plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
	}
	switch value { // names that JavaScript objects inherit
	case "constructor", "prototype":
		plain = false
	}
	if plain {
		return value
	}
	h := fnv.New64a()
	h.Write([]byte(value))
	return "_" + strconv.FormatUint(h.Sum64(), 16)
}
