package svg

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/ui"
)

// checkChart holds a chart to its page, and returns its elements.
func checkChart(t tester, n *ui.Chart, style Style) []element {
	t.Helper()
	b := ChartSVG(n, ui.Words{}, style)
	if b == nil {
		return nil
	}
	all := parse(t, b)
	page := rect{0, 0, all[0].num(t, "width"), all[0].num(t, "height")}
	for _, e := range all {
		switch e.name {
		case "text":
			size := e.num(t, "font-size")
			w, x := float64(width(e.text, int(size*px)))/px, e.num(t, "x")
			switch e.attr["text-anchor"] {
			case "middle":
				x -= w / 2
			case "end":
				x -= w
			}
			if r := (rect{x, e.num(t, "y") - size, w, size}); !r.within(page, 1) {
				t.Errorf("the text %q at %+v is off the page %+v", e.text, r, page)
			}
		case "path":
			for _, at := range points(t, e.attr["d"]) {
				if at[0] < 0 || at[0] > page.w || at[1] < 0 || at[1] > page.h {
					t.Fatalf("a line leaves the page %+v at %v", page, at)
				}
			}
		case "rect":
			if e.attr["width"] == "100%" {
				continue
			}
			if r := (rect{e.num(t, "x"), e.num(t, "y"), e.num(t, "width"), e.num(t, "height")}); !r.within(page, 0.5) {
				t.Errorf("a bar %+v leaves the page %+v", r, page)
			}
		}
	}
	return all
}

func TestChartsAreLegible(t *testing.T) {
	t.Parallel()
	for name, c := range charts {
		t.Run(name, func(t *testing.T) { checkChart(t, c, Alone) })
	}
}

// TestDeterminismOfCharts: any chart that CheckTree admits is drawn on its page,
// twice the same.
func TestDeterminismOfCharts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := &ui.Chart{Key: "c", Kind: rapid.SampledFrom([]ui.ChartKind{ui.ChartBar, ui.ChartLine, ui.ChartPie}).Draw(
			rt, "kind"),
			Label: "Values", Unit: rapid.SampledFrom([]string{"", "€", "thousand euros and a few cents more"}).Draw(rt,
				"unit")}
		text := rapid.SampledFrom([]string{"", "May", "A rather long label of a value",
			"Überprüfungsausschusssitzungsprotokoll", "<b>", "请求审批采购订单"})
		value := rapid.OneOf(rapid.Float64Range(-10, 10), rapid.Float64(),
			rapid.SampledFrom([]float64{0, 1, -1, 1e308, -1e308, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e15,
				0.1, math.Copysign(0, -1)}))
		for range rapid.IntRange(0, 40).Draw(rt, "labels") {
			n.Labels = append(n.Labels, text.Draw(rt, "label"))
		}
		for range rapid.IntRange(0, 12).Draw(rt, "series") {
			if n.Kind == ui.ChartPie && len(n.Series) == 1 {
				break
			}
			s := ui.Series{Name: text.Draw(rt, "name")}
			for range n.Labels {
				v := value.Draw(rt, "value")
				if n.Kind == ui.ChartPie {
					v = math.Abs(v)
				}
				s.Values = append(s.Values, v)
			}
			n.Series = append(n.Series, s)
		}
		if ui.CheckTree(ui.Nodes{n}, ui.Limits{}) != nil {
			rt.Skip("too many values")
		}
		checkChart(rt, n, Inline)
		if first := ChartSVG(n, ui.Words{}, Inline); string(first) != string(ChartSVG(n, ui.Words{}, Inline)) {
			rt.Errorf("drawn again it differs")
		}
	})
}

func TestTicks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind   ui.ChartKind
		values []float64
		want   string
	}{
		{ui.ChartLine, []float64{0, 10}, "0 2 4 6 8 10"}, {ui.ChartLine, []float64{-3, 7}, "-4 -2 0 2 4 6 8"},
		{ui.ChartLine, []float64{0.1, 0.3}, "0 0.1 0.2 0.3"}, {ui.ChartLine, []float64{1000, 1003}, "1000 1001 1002 1003"},
		{ui.ChartBar, []float64{1000, 1003}, "0 500 1000 1500"}, {ui.ChartLine, []float64{0, 0}, "0 0.2 0.4 0.6 0.8 1"},
		{ui.ChartLine, []float64{5}, "0 1 2 3 4 5"}, {ui.ChartLine, []float64{-23456, 0}, "-25,000 -20,000 -15,000 -10,000 -5000 0"},
		{ui.ChartLine, []float64{0, 3e20}, "0 1e+20 2e+20 3e+20"}, {ui.ChartLine, []float64{-1e308, 1e308}, "-1e+308 -5e+307 0 5e+307 1e+308"},
	} {
		var got []string
		for _, tick := range newScale(&ui.Chart{Kind: c.kind, Series: []ui.Series{{Values: c.values}}}, nil).ticks {
			got = append(got, tick.text)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%v (-want +got)\n%s", c.values, diff)
		}
	}
}

// TestChartBelowZero: the 0 of a chart whose bars all go down stands on the page.
func TestChartBelowZero(t *testing.T) {
	t.Parallel()
	checkChart(t, &ui.Chart{Key: "c", Kind: ui.ChartBar, Label: "Loss", Labels: []string{"May", "June"},
		Series: []ui.Series{{Name: "North", Values: []float64{-1, 0}}}}, Inline)
}

func TestChartWords(t *testing.T) {
	t.Parallel()
	n := &ui.Chart{Label: "Sales", Unit: "€", Labels: []string{"May", "June"},
		Series: []ui.Series{{Name: "North", Values: []float64{1.5, -2}}, {Name: "South", Values: []float64{0, 1e21}}}}
	if diff := cmp.Diff([]string{"May: North 1.5, South 0", "June: North -2, South 1e+21"}, ChartWords(n, nil)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := Caption(n); got != "Sales (€)" {
		t.Errorf("caption %q", got)
	}
	// the parts of a pie are all of it, and at most twelve
	list, total := pieces(charts["slices"], ui.Words{})
	sum := 0.0
	for _, p := range list {
		sum += p.value
	}
	if len(list) != maxSlices || math.Abs(sum-total) > 1e-9 || list[len(list)-1].name != "Other" {
		t.Errorf("%d pieces of %v, %v: %v", len(list), total, sum, list)
	}
	for _, empty := range []*ui.Chart{{Kind: ui.ChartBar},
		{Kind: ui.ChartPie, Labels: []string{"a"}, Series: []ui.Series{{Values: []float64{0}}}}} {
		if b := ChartSVG(empty, ui.Words{}, Alone); b != nil {
			t.Errorf("drawn of nothing: %s", b)
		}
	}
}

// TestPiecesOfEqualSize: of many values the largest keep their pieces.
func TestPiecesOfEqualSize(t *testing.T) {
	t.Parallel()
	values := append(slices.Repeat([]float64{1}, 12), 60, 40)
	list, total := pieces(&ui.Chart{Labels: months(14), Series: []ui.Series{{Values: values}}}, ui.Words{})
	var got []float64
	for _, p := range list {
		got = append(got, math.Round(p.value*60))
	}
	if diff := cmp.Diff([]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 60, 40, 3}, got); diff != "" || math.Round(total*60) != 112 {
		t.Errorf("of %v (-want +got)\n%s", total, diff)
	}
}

// TestChartGaps: where a series has no value there is no point, and no line over the gap.
func TestChartGaps(t *testing.T) {
	t.Parallel()
	none := math.NaN()
	for _, kind := range []ui.ChartKind{ui.ChartBar, ui.ChartLine, ui.ChartPie} {
		n := &ui.Chart{Key: "c", Kind: kind, Labels: months(5), Series: []ui.Series{{Values: []float64{3, none, 4, 5, none}}}}
		if err := ui.CheckTree(ui.Nodes{n}, ui.Limits{}); err != nil {
			t.Fatal(err)
		}
		marks, lines := 0, ""
		for _, e := range checkChart(t, n, Inline) {
			if e.is("limn-series-mark") {
				marks++
			} else if e.is("limn-series") {
				lines += e.attr["d"]
			}
		}
		if want := map[ui.ChartKind]int{ui.ChartLine: 3, ui.ChartPie: 6}[kind]; marks != want { // a pie's in its legend, too
			t.Errorf("%s: %d marks, want %d", kind, marks, want)
		}
		if want := map[ui.ChartKind]int{ui.ChartBar: 3, ui.ChartLine: 2}[kind]; strings.Count(lines, "M") != want {
			t.Errorf("%s: drawn as %s", kind, lines)
		}
		if got := ChartWords(n, nil)[1]; got != "February: –" {
			t.Errorf("in words %q", got)
		}
		n.Series[0].Values = []float64{none, none, none, none, none}
		if b := ChartSVG(n, nil, Inline); b != nil {
			t.Errorf("%s of nothing: %s", kind, b)
		}
	}
}

// TestDatesOfCharts: a date below the plot is not broken.
func TestDatesOfCharts(t *testing.T) {
	t.Parallel()
	n := &ui.Chart{Key: "c", Kind: ui.ChartLine}
	for i := range 12 {
		n.Labels = append(n.Labels, fmt.Sprintf("2024-05-%02d", i+1))
	}
	n.Series = []ui.Series{{Values: wave(12, func(i int) float64 { return float64(i) })}}
	whole := 0
	for _, e := range checkChart(t, n, Inline) {
		if e.name == "text" && strings.HasPrefix(e.text, "2024") && len(e.text) != len("2024-05-01") {
			t.Errorf("a label %q", e.text)
		} else if e.name == "text" && strings.HasPrefix(e.text, "2024") {
			whole++
		}
	}
	if whole < 4 {
		t.Errorf("%d labels", whole)
	}
}

// TestNamesOfFewBars: every bar has its name where there is room below it, of two lines.
func TestNamesOfFewBars(t *testing.T) {
	t.Parallel()
	n := &ui.Chart{Key: "c", Kind: ui.ChartBar, Labels: []string{"Dienstleistungen", "Personalkosten", "Marketing",
		"Infrastruktur", "Verschiedenes"}}
	n.Series = []ui.Series{{Values: wave(5, func(i int) float64 { return float64(i) })}}
	all := checkChart(t, n, Inline)
	for _, label := range n.Labels {
		if !slices.ContainsFunc(all, func(e element) bool {
			return e.name == "text" && strings.HasPrefix(e.text, label[:8])
		}) {
			t.Errorf("no name of %s", label)
		}
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{100. / 3: "33.3333333333333", 0.1 + 0.2 + 1e-17: "0.3", -2: "-2",
		123456789012345: "123,456,789,012,345", 1234567890123.45: "1,234,567,890,123.45", 1e-9: "1e-09",
		0.000123456789012345: "0.000123456789012345"} {
		if got := Figure(ui.Words{}, v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}

func FuzzChart(f *testing.F) {
	f.Add(`"><script>`, "]]>", 1.0, -2.0)
	f.Add("a\x00\xff", "\u202e", 1e308, 5e-324)
	f.Fuzz(func(t *testing.T, label, unit string, a, b float64) {
		for _, kind := range []ui.ChartKind{ui.ChartBar, ui.ChartLine, ui.ChartPie} {
			n := &ui.Chart{Key: "c", Kind: kind, Label: label, Unit: unit, Labels: []string{label, unit},
				Series: []ui.Series{{Name: label, Values: []float64{a, b}}, {Name: unit, Values: []float64{b, a}}}}
			if kind == ui.ChartPie {
				n.Series = n.Series[:1]
			}
			if ui.CheckTree(ui.Nodes{n}, ui.Limits{}) == nil {
				checkChart(t, n, Inline)
			}
		}
	})
}
