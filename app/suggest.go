package app

import (
	"strings"

	"github.com/limn-ui/limn/internal/near"
	"github.com/limn-ui/limn/ui"
)

// suggest adds to an error which names are possible, the nearest one first.
func suggest(e *ui.Error, name string, possible []string) *ui.Error {
	if meant := near.Name(name, possible); meant != "" {
		e.Hint = "did you mean `" + meant + "`?"
	}
	if list := strings.Join(possible, ", "); list != "" {
		e.Hint = strings.TrimSpace(e.Hint + " possible: " + clipTo(list, 600))
	}
	return e
}

// clip shortens what was declared for a message.
func clip(s string) string { return clipTo(s, 60) }

func clipTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
