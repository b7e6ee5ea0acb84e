package deliver_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/deliver"
)

func TestParseCursor(t *testing.T) {
	t.Parallel()
	log, print := strings.Repeat("a", 16), "0123cdef"
	for s, ok := range map[string]bool{
		log + ".0." + print:                      true,
		log + ".12." + print:                     true,
		log + ".12-0." + print:                   true,
		log + ".9223372036854775807-99." + print: true,
		log + ".0-1." + print:                    false,
		log + ".9223372036854775808." + print:    false,
		log + ".01." + print:                     false,
		log + ".1-01." + print:                   false,
		log + ".1--1." + print:                   false,
		log + ".+1." + print:                     false,
		log + ".." + print:                       false,
		strings.ToUpper(log) + ".1." + print:     false,
		log[1:] + ".1." + print:                  false,
		log + ".1." + print[1:]:                  false,
		log + ".1." + print + ".":                false,
		log + ".1":                               false,
		"":                                       false,
	} {
		c, got := deliver.ParseCursor(s)
		if got != ok || ok && c.String() != s {
			t.Errorf("%q: %+v %v", s, c, got)
		}
	}
}

func FuzzParseCursor(f *testing.F) {
	f.Add("aaaaaaaaaaaaaaaa.12-3.01234567")
	f.Add("aaaaaaaaaaaaaaaa.12.01234567")
	f.Fuzz(func(t *testing.T, s string) {
		if c, ok := deliver.ParseCursor(s); ok && (c.String() != s || len(s) > 64) {
			t.Errorf("%q is read as %q", s, c)
		}
	})
}
