package directives

import (
	"bytes"
	_ "embed" // the page
	"fmt"
	"html/template"
	"math"
	"strings"
)

//go:embed report.gohtml
var page string

var pageTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"percent":  func(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) },
	"ms":       millis,
	"dollars":  dollars,
	"interval": func(r Row) string { return fmt.Sprintf("%.1f–%.1f", 100*r.Low, 100*r.High) },
}).Parse(page))

// HTML writes a report as one page that loads nothing, for light and dark screens.
func HTML(r Report) []byte {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, pageData{r, Stages(), matrixOf(r)}); err != nil {
		panic(err) // the page is part of the program, and b takes everything
	}
	return b.Bytes()
}

// pageData is the content of the page.
type pageData struct {
	Report
	Stages []Stage
	Matrix matrix
}

// label names a model in a mode.
func (r Row) label() string {
	if r.Mode == Ladder || r.Mode == "" {
		return r.Model
	}
	return r.Model + " · " + string(r.Mode)
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
