package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/limn-ui/limn/ui"
)

// drawingVersion grows whenever the same surface is drawn differently.
const drawingVersion = 1

// Fingerprint names, in 8 hex digits, everything but the State that decides
// what a target is sent: this package's drawing, the target, its rules, and
// app, the declaration of the application. Two equal fingerprints draw equal
// bytes, up to what Rules.Allowed refuses.
func Fingerprint(t Target, app string) string {
	r := t.Rules
	if r == nil {
		r = &zeroRules
	}
	parts := []string{strconv.Itoa(drawingVersion), t.Dialect.String(), t.Catalog, strconv.Itoa(int(t.Flags)), r.Base, app}
	limits, _ := json.Marshal(r.Limits) // a struct of ints
	parts = append(parts, string(limits))
	if c := r.Catalog; c != nil {
		parts = append(parts, c.ID)
		for _, name := range slices.Sorted(maps.Keys(c.Components)) {
			parts = append(parts, name)
			for _, p := range c.Components[name].Props {
				parts = append(parts, p.Name)
			}
		}
		parts = append(append(parts, "functions"), slices.Sorted(maps.Keys(c.Functions))...)
	}
	words := ui.DefaultWords()
	maps.Copy(words, r.Words)
	for _, key := range slices.Sorted(maps.Keys(words)) {
		parts = append(parts, key, words[key])
	}
	b, _ := json.Marshal(parts) // strings: unambiguous
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:4])
}
