package directives

import (
	"bytes"
	_ "embed" // the page
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
)

//go:embed report.gohtml
var page string

var pageTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"percent":  func(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) },
	"ms":       millis,
	"dollars":  dollars,
	"interval": func(r Row) string { return fmt.Sprintf("%.1f–%.1f", 100*r.Low, 100*r.High) },
	"before":   func(x int) int { return x - 10 },
	"after":    func(x int) int { return x + 10 },
	"beside":   func(width float64) float64 { return plotLeft + width + 8 },
	"lift":     func(y int) int { return y - 8 },
}).Parse(page))

// HTML draws a report: one page that loads nothing, for light and dark screens.
// Next to each plot is a table with its numbers.
func HTML(r Report) []byte {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, pageOf(r)); err != nil {
		panic(err) // the page is part of the program, and b takes everything
	}
	return b.Bytes()
}

// pageData is the content of the page.
type pageData struct {
	Report
	Stages  []Stage
	Success bars
	Latency strips
	Failing bars
	Matrix  matrix
}

func pageOf(r Report) pageData {
	return pageData{Report: r, Stages: Stages(), Success: success(r.Models), Latency: latency(r.Models),
		Failing: failing(r.Failures), Matrix: matrixOf(r)}
}

// label names a row of a plot.
func (r Row) label() string {
	if r.Mode == Ladder || r.Mode == "" {
		return r.Model
	}
	return r.Model + " · " + string(r.Mode)
}

// Geometry of the plots, in pixels of the drawing.
const (
	plotLeft  = 298 // where bars begin, after the labels
	plotWide  = 430
	plotRight = plotLeft + plotWide
	rowHigh   = 30
	maxLabel  = 32 // characters, of which one in capitals takes nine pixels
)

// bars is a plot of horizontal bars from 0 to a full width.
type bars struct {
	Width, Height int
	Left, Right   int
	Axis          int // y where ticks end
	Ticks         []tick
	Bars          []bar
}

type tick struct {
	X    float64
	Text string
}

type bar struct {
	Label, Full, Value string
	Y, TextY           int
	Width              float64
	Low, High          float64 // ends of the whisker; both 0 = none
	Mid                int
}

func success(rows []Row) bars {
	b := bars{Left: plotLeft, Right: plotRight, Width: plotRight + 90, Axis: len(rows)*rowHigh + 6,
		Height: len(rows)*rowHigh + 34}
	for _, p := range []int{0, 25, 50, 75, 100} {
		b.Ticks = append(b.Ticks, tick{plotLeft + plotWide*float64(p)/100, fmt.Sprintf("%d %%", p)})
	}
	for i, r := range rows {
		b.Bars = append(b.Bars, bar{Label: short(r.label()), Full: r.label(),
			Value: fmt.Sprintf("%.1f %%", 100*r.Rate()), Y: i*rowHigh + 6, TextY: i*rowHigh + 20, Mid: i*rowHigh + 15,
			Width: plotWide * r.Rate(), Low: plotLeft + plotWide*r.Low, High: plotLeft + plotWide*r.High})
	}
	return b
}

// failing sums up failures by stage and code.
func failing(list []Failure) bars {
	type key struct {
		stage Stage
		code  string
	}
	var keys []key
	n := map[key]int{}
	for _, f := range list {
		k := key{f.Stage, string(f.Code)}
		if n[k] == 0 {
			keys = append(keys, k)
		}
		n[k] += f.N
	}
	slices.SortStableFunc(keys, func(a, b key) int { return n[b] - n[a] })
	b := bars{Left: plotLeft, Right: plotRight, Width: plotRight + 90, Height: len(keys)*rowHigh + 8}
	for i, k := range keys {
		b.Bars = append(b.Bars, bar{Label: short(k.code), Full: string(k.stage) + ": " + k.code,
			Value: fmt.Sprintf("%d · %s", n[k], k.stage), Y: i*rowHigh + 6, TextY: i*rowHigh + 20,
			Width: 0.8 * plotWide * float64(n[k]) / float64(n[keys[0]])})
	}
	return b
}

// strips is a histogram for each row, over one logarithmic axis of time.
type strips struct {
	Width, Height int
	Left, Right   int
	Axis          int // y of the axis
	Ticks         []tick
	Strips        []strip
}

type strip struct {
	Label, Full string
	TextY, Base int
	Columns     []column
	P50, P95    float64 // x
	Words       string
	Top         int
}

type column struct{ X, Y, Width, Height float64 }

const stripHigh = 46

func latency(rows []Row) strips {
	s := strips{Left: plotLeft, Right: plotRight, Width: plotRight + 90, Axis: len(rows)*stripHigh + 6}
	s.Height = s.Axis + 28
	least, most := math.Inf(1), 1.0
	for _, r := range rows {
		for _, ms := range r.ms {
			least, most = min(least, max(ms, 0.1)), max(most, ms)
		}
	}
	from, to := math.Floor(math.Log10(min(least, most))), math.Ceil(math.Log10(most))
	if to <= from {
		to = from + 1
	}
	at := func(ms float64) float64 { return plotLeft + plotWide*(math.Log10(max(ms, 0.1))-from)/(to-from) }
	for e := from; e <= to; e++ {
		s.Ticks = append(s.Ticks, tick{at(math.Pow(10, e)), millis(math.Pow(10, e))})
	}
	const columns = 43
	for i, r := range rows {
		base := (i+1)*stripHigh - 4
		st := strip{Label: short(r.label()), Full: r.label(), TextY: base - 12, Base: base, Top: base - stripHigh + 12,
			P50: at(r.P50), P95: at(r.P95),
			Words: fmt.Sprintf("half within %s, 95 %% within %s, all within %s", millis(r.P50), millis(r.P95),
				millis(r.Max))}
		var n [columns]int
		for _, ms := range r.ms {
			n[min(columns-1, int((at(ms)-plotLeft)/plotWide*columns))]++
		}
		highest := slices.Max(n[:])
		for k, c := range n {
			if c > 0 {
				h := max(2, float64(c)/float64(highest)*(stripHigh-14))
				w := float64(plotWide) / columns
				st.Columns = append(st.Columns, column{plotLeft + float64(k)*w + 0.5, float64(base) - h, w - 1, h})
			}
		}
		s.Strips = append(s.Strips, st)
	}
	return s
}

// matrix has a cell for each scenario and each model in each mode.
type matrix struct {
	Heads []string
	Rows  []matrixRow
}

type matrixRow struct {
	Scenario string
	Cells    []matrixCell
}

type matrixCell struct {
	Text  string
	Class string // how it looks
}

func matrixOf(r Report) (m matrix) {
	at := map[string]int{}
	for i, row := range r.Models {
		at[row.label()] = i
		m.Heads = append(m.Heads, row.label())
	}
	rows := map[string]int{}
	for _, s := range r.Scenarios {
		i, ok := rows[s.Scenario]
		if !ok {
			i = len(m.Rows)
			rows[s.Scenario] = i
			m.Rows = append(m.Rows, matrixRow{s.Scenario, make([]matrixCell, len(m.Heads))})
		}
		class := "some"
		switch s.OK {
		case s.N:
			class = "all"
		case 0:
			class = "none"
		}
		m.Rows[i].Cells[at[s.label()]] = matrixCell{fmt.Sprintf("%d/%d", s.OK, s.N), class}
	}
	return m
}

// short cuts a label, in the middle: both ends distinguish models.
func short(s string) string {
	if r := []rune(s); len(r) > maxLabel {
		return string(r[:maxLabel/2]) + "…" + string(r[len(r)-maxLabel/2+1:])
	}
	return s
}

// millis writes a time for people.
func millis(ms float64) string {
	switch {
	case ms >= 9950:
		return fmt.Sprintf("%.0f s", ms/1000)
	case ms >= 995:
		return fmt.Sprintf("%.1f s", ms/1000)
	case ms >= 9.95 || ms == math.Trunc(ms):
		return fmt.Sprintf("%.0f ms", ms)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", ms), ".0") + " ms"
}

func dollars(r Row) string {
	switch {
	case r.Unpriced && r.Cost > 0:
		return fmt.Sprintf("above $%.4f", r.Cost)
	case r.Unpriced:
		return "–"
	}
	return fmt.Sprintf("$%.4f", r.Cost)
}
