package capture_test

import (
	"flag"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/ui"
)

var update = flag.Bool("update", false, "rewrite what is read in testdata/*.txt")

// TestCorpus reads our own pastes and processes, half of them awkward.
func TestCorpus(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file  string
		parts int
		read  func(parts []string) string
		least int
	}{
		{"testdata/tables.txt", 3, func(p []string) string { return readTable(columnsOf(t, p[0]), strings.ReplaceAll(p[1], "␍", "\r")) }, 60},
		{"testdata/processes.txt", 2, func(p []string) string { return readProcess(p[0]) }, 60},
	} {
		b, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		head, cases, _ := strings.Cut(string(b), "\n==\n")
		out, n := head, 0
		for text := range strings.SplitSeq(cases, "\n==\n") {
			parts := strings.Split(text, "\n--\n")
			if len(parts) != c.parts {
				t.Fatalf("%s: %d parts in %q", c.file, len(parts), text)
			}
			got := strings.TrimSpace(c.read(parts[:len(parts)-1]))
			if want := strings.TrimSpace(parts[len(parts)-1]); want != got && !*update {
				t.Errorf("%s: %s\n(-want +got)\n%s", c.file, text, cmp.Diff(want, got))
			}
			out += "\n==\n" + strings.Join(parts[:len(parts)-1], "\n--\n") + "\n--\n" + got + "\n"
			n++
		}
		if n < c.least {
			t.Errorf("%s has %d cases", c.file, n)
		}
		if *update {
			if err := os.WriteFile(c.file, []byte(out), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

var columnSpec = regexp.MustCompile(`^([a-z_]+)(\*?):([a-z]+)(?:\(([^)]*)\))?$`)

// columnsOf reads "name*:text risk:choice(High|Low)".
func columnsOf(t *testing.T, spec string) []ui.Field {
	var columns []ui.Field
	for _, word := range strings.Fields(spec) {
		m := columnSpec.FindStringSubmatch(word)
		if m == nil {
			t.Fatalf("no column: %q", word)
		}
		f := ui.Field{Name: m[1], Label: strings.ToUpper(m[1][:1]) + strings.ReplaceAll(m[1][1:], "_", " "),
			Type: ui.FieldType(m[3]), Required: m[2] != ""}
		for _, o := range strings.FieldsFunc(m[4], func(r rune) bool { return r == '|' }) {
			f.Options = append(f.Options, ui.Option{Value: o})
		}
		columns = append(columns, f)
	}
	return columns
}

func readTable(columns []ui.Field, text string) string {
	r := capture.Table(text, columns)
	out := strings.ReplaceAll(show(r), "/", "\n  ")
	for _, q := range r.Questions {
		out += "\n? " + strconv.Itoa(q.Row) + " " + q.Text()
	}
	return out + aside(r.Intro)
}

func readProcess(text string) string {
	m := capture.Process(text)
	out := draw(m)
	for _, e := range m.Edges {
		also := map[capture.Other]string{capture.OtherAside: "the two could also run side by side.",
			capture.OtherBack: "the process could also go back from there."}[e.Other]
		if also != "" {
			out += "\n? " + m.Steps[e.To].Name + " is taken to follow " + m.Steps[e.From].Name + "; " + also
		}
	}
	return out + aside(m.Intro)
}

func aside(intro []string) string {
	if len(intro) == 0 {
		return ""
	}
	return "\n^ " + strings.Join(intro, "\n^ ")
}
