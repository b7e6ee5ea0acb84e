package intent

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

func best(s Scores) (c Class) {
	for k := range s {
		if s[k] > s[c] {
			c = Class(k)
		}
	}
	return c
}

func TestScore(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]Class{
		"We have 45 suppliers and need contact and country of each.":            Table,
		"Can I freeze the other 4 portions of soup?":                            Chat,
		"First the clerk checks the form, then payroll pays it.":                Map,
		"First we got lost, then it rained, then the car died. What a day!":     Chat,
		"Wir haben 30 Schüler, ich muss Name und Telefon der Eltern eintragen.": Table,
		"次に課長が確認し、その後部長が承認します。":                                                 Map,
	} {
		if got := Score(message); best(got) != want {
			t.Errorf("%q: %v, want class %d to be the largest", message, got, want)
		}
	}
}

var update = flag.Bool("update", false, "write testdata/scores.txt, after learning again")

// TestScoreDetermin: every machine computes the same bits.
func TestScoreDetermin(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, message := range []string{"", "We have 45 suppliers.", "First A checks it, then B pays.", "Привет, как дела?",
		"猫が3匹います", strings.Repeat("long ", 1000)} {
		for _, odds := range Score(message) {
			fmt.Fprintf(&b, "%x ", math.Float64bits(odds))
		}
		b.WriteByte('\n')
	}
	if *update {
		if err := os.WriteFile("testdata/scores.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/scores.txt")
	if err != nil || b.String() != string(want) {
		t.Errorf("%v; the scores are\n%swant\n%s", err, b.String(), want)
	}
}

// TestBounds: a long message costs no more than its beginning and its end.
func TestBounds(t *testing.T) { // not in parallel: it counts allocations
	long := strings.Repeat("then the clerk checks the form, ", 1<<16)
	if n := len(Features(long)); n > 16*most {
		t.Errorf("%d features of %d bytes", n, len(long))
	}
	if n := testing.AllocsPerRun(10, func() { Score(long) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzScore(f *testing.F) {
	for _, seed := range []string{"", "?", "3.5", "1,", "o'clock", "l’ami'", "日本語3個", "\xff\xfe", "५ रोगी", strings.Repeat("é", 3000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		for c, odds := range Score(message) {
			if math.IsNaN(odds) || math.IsInf(odds, 0) {
				t.Errorf("class %d: %v", c, odds)
			}
		}
	})
}

// TestConcepts: words that mean alike are read alike, whatever their language.
func TestConcepts(t *testing.T) {
	t.Parallel()
	read := func(text string) []concept {
		var r reader
		r.all(text)
		return r.concepts[:r.meant]
	}
	for _, pair := range [][2]string{
		{"Please draw the process", "Bitte zeichne den Prozess"},
		{"first the nurse, then the doctor", "d'abord l'infirmière, ensuite le médecin"},
		{"record all customers", "registrar todos los clientes"},
		{"name, phone, address", "名前、電話、住所"},
		{"before, then, finally", "перед, потом, наконец"},
		{"draw a flowchart", "画流程图"},
	} {
		a, b := read(pair[0]), read(pair[1])
		if len(a) < 2 || !slices.Equal(a, b) {
			t.Errorf("%q is %v, %q is %v", pair[0], a, pair[1], b)
		}
	}
	used := 0
	for _, c := range known.values {
		if c != noConcept {
			used++
		}
	}
	if lines := strings.Count(conceptsText, "\n"); used > len(known.values)/2 || lines > 200 {
		t.Errorf("%d words in %d places, %d lines: make the table larger", used, len(known.values), lines)
	}
}
