package prose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/prose"
)

func TestQuantities(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{ // lo-hi use noun
		{"12 vendors", "12-12 count vendors"},
		{"1,200 SKUs", "1200-1200 count skus"},
		{"2k contacts", "2000-2000 count contacts"},
		{"1.5k contacts", "1500-1500 count contacts"},
		{"2.5 thousand contacts", "2500-2500 count contacts"},
		{"2.25k contacts", "2250-2250 count contacts"},
		{"2,125 contacts", "2125-2125 count contacts"},
		{"half a dozen risks", "6-6 count risks"},
		{"two dozen risks", "24-24 count risks"},
		{"dozens of risks", "24-24~ count risks"},
		{"one hundred and twenty offices", "120-120 count offices"},
		{"twenty-five risks", "25-25 count risks"},
		{"three thousand two hundred items", "3200-3200 count items"},
		{"10-15 risks", "10-15 count risks"},
		{"between 8 and 12 risks", "8-12 count risks"},
		{"two or three risks", "2-3 count risks"},
		{"14, maybe 15 risks", "14-15 count risks"},
		{"about 40 users", "40-40~ count users"},
		{"20 risks across 3 teams", "20-20 count risks|3-3 divided teams"},
		{"4 teams with 6 people each", "24-24 count people"},
		{"27 open issues on it", "27-27 count issues"},
		{"12 of our suppliers", "12-12 count suppliers"},
		{"at 3pm", "3-3 amount"},
		{"at 10:30", "10-10 amount"},
		{"3 years", "3-3 amount"},
		{"a 30-day trial", "30-30 shape"},
		{"$250,000", "250000-250000 amount"},
		{"60% done", "60-60 amount"},
		{"version 12.4", "12-12 amount"},
		{"ticket 4512 is", "4512-4512 name"},
		{"row 12, please", "12-12 name"},
		{"the 3rd one", "3-3 amount|1-1 bare"},
		{"555 0199", "555-555 amount|199-199 amount"},
		{"24/7", "24-24 amount"},
		{"2025-03-14", "2025-2025 amount"},
		{"300 invoices a day", "300-300 rate invoices"},
		{"in 2023 we", "2023-2023 amount"},
		{"5 March", "5-5 amount"},
		{"catch-22", "22-22 name"},
		{"about twenty", "20-20~ bare"},
		{"some risks", ""},
		{"१४ जोखिम", "14-14 count जोखिम"},
		{"20人", "20-20 count"},
		{"20年", ""},
		{"三十个供应商", "30-30 count"},
	} {
		text := prose.Read(c.text)
		var got []string
		for _, q := range text.Quantities() {
			s := fmt.Sprintf("%d-%d", q.Lo, q.Hi)
			if q.Approx {
				s += "~"
			}
			s += " " + []string{"count", "bare", "amount", "name", "rate", "divided", "shape"}[q.Use]
			if q.Noun >= 0 {
				s += " " + text.Toks[q.Noun].Word
			}
			got = append(got, s)
		}
		if g := strings.Join(got, "|"); g != c.want {
			t.Errorf("%q: %q, want %q", c.text, g, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		kind prose.BlockKind
		rows int
	}{
		{"| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", prose.Markdown, 2},
		{"Name\tRole\nA\tB\nC\tD\nE\tF", prose.Tabs, 3},
		{"a,b\nc,d\ne,f", prose.Commas, 3},
		{"Name;Role\na;b\nc;d\ne;f", prose.Commas, 3},
		{"- a\n* b\n• c", prose.Bullets, 3},
		{"1) a\n2) b\n3) c", prose.Bullets, 3},
		{"A – b – c\nD – e – f\nG – h – i", prose.Dashes, 3},
		{"Ana (CFO)\nBen (CIO)\nCho (COO)", prose.Pairs, 3},
		{"Jane Doe\nJohn Smith\nPriya Patel", prose.Plain3, 3},
		{"Our list:\n- a\n- b\n- c", prose.Bullets, 3},
		{`[{"a":1},{"a":2},{"b":{"c":3}}]`, prose.Records, 3},
		{"See:\n{\"list\": [{},\n {}, {}]}", prose.Records, 3},
		{"<TABLE><TR><TH>a<TR><TD>1<TR><TD>2<TR><TD>3</TABLE>\n", prose.Records, 3},
		{`[{"a":1},{"a":2},3]`, prose.NoBlock, 0},
		{"a,\"b\nc\",d\ne,\"f\n\ng\",h\ni,j,k", prose.Commas, 3},
		{"Right?\na,b\nc,d\ne,f\ng,h", prose.Commas, 4},
		{"one\ntwo", prose.NoBlock, 0},
		{"This is a sentence.\nAnd another one.\nAnd a third.", prose.NoBlock, 0},
		{"First, we talked, then left.\nIt was a good day, really.\nNobody, in fact, complained.", prose.NoBlock, 0},
		{"> - a\n> - b\n> - c", prose.NoBlock, 0},
	} {
		if b := prose.Lines(c.text); b.Kind != c.kind || b.Rows != c.rows {
			t.Errorf("%q: kind %d with %d rows, want %d with %d", c.text, b.Kind, b.Rows, c.kind, c.rows)
		}
	}
}

func TestMasking(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want int // masked tokens
	}{
		{`he said "a b" and left`, 1}, {"“a b” c", 1}, {"«a b» c", 1}, {"「a b」", 1}, {"run `a b`", 1}, {"```\na\n```", 1}, {"> quoted\nnot", 1},
		{`5" pipe`, 0}, {"don't", 0}, {"a > b", 0}, {"“unclosed", 0}, {"`unclosed", 0},
	} {
		n := 0
		text := prose.Read(c.text)
		for _, tok := range text.Toks {
			if tok.Kind == prose.Masked {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%q: %d masked, want %d", c.text, n, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"We have 12 risks.", "First a reviews, then b signs.", "A -> B\nif no: B -> A",
		"- a\n- b\n- c", "\xff\xfe", "三十个", "“a", "```"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := prose.Read(s)
		last := 0
		for _, tok := range text.Toks {
			if tok.Start < last || tok.End < tok.Start || tok.End > len(text.Src) {
				t.Fatalf("token %+v in %q", tok, s)
			}
			last = tok.End
		}
		for _, q := range text.Quantities() {
			if q.Lo > q.Hi || q.Hi > 1_000_000_000 || q.Noun >= len(text.Toks) {
				t.Fatalf("quantity %+v in %q", q, s)
			}
		}
		for _, flow := range []prose.Flow{text.Flow(), text.ArrowFlow(), text.StepList(nil),
			prose.FlowOfLines(strings.Split(s, "\n")), text.Process()} {
			for _, e := range flow.Edges {
				if e.From < 0 || e.To < 0 || e.From >= len(flow.Steps) || e.To >= len(flow.Steps) {
					t.Fatalf("edge %+v of %d steps in %q", e, len(flow.Steps), s)
				}
			}
		}
		prose.Lines(s)
	})
}

func ExampleText_Flow() {
	text := prose.Read("Before we ship, QA signs off the build.")
	for _, s := range text.Flow().Steps {
		fmt.Printf("%s (%s)\n", s.Name, s.Owner)
	}
	// Output:
	// Sign off the build (QA)
	// Ship ()
}
