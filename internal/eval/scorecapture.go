package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/capture"
)

// CaptureScore counts as score_capture.py does.
type CaptureScore struct {
	Tables     Share             `json:"tables"` // fully right
	Maps       Share             `json:"maps"`   // fully right
	Cells      Share             `json:"cells"`
	Errors     Overlap           `json:"errors"`
	Steps      Overlap           `json:"steps"`
	Edges      Overlap           `json:"edges"`
	Validators Share             `json:"validators"`
	Unexpected int               `json:"unexpected_warnings"`
	Formats    []CaptureCategory `json:"formats"` // in the order they come up
	ErrorCodes Confusion         `json:"error_codes"`
	EdgeTypes  Confusion         `json:"edge_types"`
	Failures   []CaptureFailure  `json:"failures"` // not fully right
}

// Share is a part of a whole.
type Share struct {
	Right int `json:"right"`
	Of    int `json:"of"`
}

func (s *Share) add(right bool) bool {
	s.Of++
	count(&s.Right, right)
	return right
}

// Overlap is what two sets have in common.
type Overlap struct {
	Both int `json:"both"`
	Got  int `json:"got"`
	Want int `json:"want"`
}

// Precision is the part of what came that is right.
func (o Overlap) Precision() float64 { return float64(o.Both) / float64(max(1, o.Got)) }

// Recall is the found part of the expected values.
func (o Overlap) Recall() float64 { return float64(o.Both) / float64(max(1, o.Want)) }

// CaptureCategory counts the cases of one kind and format.
type CaptureCategory struct {
	Name string `json:"name"`
	Share
}

// CaptureFailure is a case that is not fully right, with its faults.
type CaptureFailure struct {
	ID     string   `json:"id"`
	Format string   `json:"format"`
	Wrong  []string `json:"wrong"`
}

// ScoreCapture scores predictions against their cases, by id; of several with
// one id the last counts, here and there. A case without a prediction is wrong.
func ScoreCapture(cases []CaptureCase, predictions []Captured) CaptureScore {
	by := make(map[string]Captured, len(predictions))
	for _, p := range predictions {
		by[p.ID] = p
	}
	out := CaptureScore{Formats: []CaptureCategory{}, Failures: []CaptureFailure{}}
	for _, c := range unique(cases) {
		var wrong faults
		p, full := by[c.ID], &out.Maps
		if c.Kind == KindTable {
			full = &out.Tables
			out.table(c.Expect, p, &wrong)
		} else {
			out.process(c.Expect, p, &wrong)
		}
		out.warnings(c.Expect, p, &wrong)
		ok := full.add(len(wrong) == 0)
		out.category(strings.TrimSpace(c.Kind + " " + c.Format)).add(ok)
		if !ok {
			slices.Sort(wrong)
			out.Failures = append(out.Failures, CaptureFailure{c.ID, c.Format, wrong})
		}
	}
	return out
}

// unique keeps the last case of each id, at the place of the first.
func unique(cases []CaptureCase) []CaptureCase {
	at := make(map[string]int, len(cases))
	out := make([]CaptureCase, 0, len(cases))
	for _, c := range cases {
		if i, seen := at[c.ID]; seen {
			out[i] = c
			continue
		}
		at[c.ID] = len(out)
		out = append(out, c)
	}
	return out
}

func (out *CaptureScore) category(name string) *Share {
	i := slices.IndexFunc(out.Formats, func(c CaptureCategory) bool { return c.Name == name })
	if i < 0 {
		i = len(out.Formats)
		out.Formats = append(out.Formats, CaptureCategory{Name: name})
	}
	return &out.Formats[i].Share
}

// faults describes the faults of one case.
type faults []string

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

func (out *CaptureScore) table(x CaptureExpect, p Captured, wrong *faults) {
	if len(p.Rows) != len(x.Rows) {
		wrong.add("%d rows, want %d", len(p.Rows), len(x.Rows))
	}
	bad := 0
	for i, row := range x.Rows {
		for title, want := range row {
			if !out.Cells.add(i < len(p.Rows) && same(p.Rows[i][title], want)) {
				bad++
			}
		}
	}
	if bad > 0 {
		wrong.add("%d wrong cells", bad)
	}
	want, got := places[cellPlace]{}, places[cellPlace]{}
	for _, e := range x.Errors {
		want.put(placeOf(e), e.Code)
	}
	for _, e := range p.Errors {
		got.put(placeOf(e), e.Code)
	}
	compare(want, got, &out.Errors, &out.ErrorCodes, wrong)
}

// cellPlace is a cell, or with the column "" a row.
type cellPlace struct {
	row int
	col string
}

func placeOf(e CellError) cellPlace {
	if e.Col == nil {
		return cellPlace{row: e.Row}
	}
	return cellPlace{e.Row, "column " + *e.Col}
}

func (out *CaptureScore) process(x CaptureExpect, p Captured, wrong *faults) {
	match := matchSteps(x.Steps, p.Steps)
	out.Steps.Both += len(match)
	out.Steps.Got += len(p.Steps)
	out.Steps.Want += len(x.Steps)
	if len(match) != len(p.Steps) || len(match) != len(x.Steps) {
		wrong.add("%d of %d steps, want %d", len(match), len(p.Steps), len(x.Steps))
	}
	type ends struct{ from, to int }
	want, got := places[ends]{}, places[ends]{}
	for _, e := range x.Edges {
		want.put(ends{e.From, e.To}, e.Type)
	}
	for _, e := range p.Edges {
		at := ends{match.of(e.From), match.of(e.To)}
		if turned := (ends{at.to, at.from}); e.Type == string(capture.Parallel) && !want[at][e.Type] &&
			want[turned][e.Type] {
			at = turned // a parallel edge has no direction
		}
		got.put(at, e.Type)
	}
	compare(want, got, &out.Edges, &out.EdgeTypes, wrong)
}

// matching leads from a predicted step to the expected one.
type matching map[int]int

func (m matching) of(i int) int {
	if at, ok := m[i]; ok {
		return at
	}
	return -1
}

// matchSteps gives each expected step, in order, the first predicted one that is
// free and fits.
func matchSteps(want []StepMatch, got []Step) matching {
	m := matching{}
	for i, x := range want {
		for k, s := range got {
			if _, used := m[k]; !used && x.fits(s) {
				m[k] = i
				break
			}
		}
	}
	return m
}

func (x StepMatch) fits(s Step) bool {
	for _, word := range x.Match {
		if !strings.Contains(strings.ToLower(s.Name), strings.ToLower(word)) {
			return false
		}
	}
	return strings.Contains(strings.ToLower(s.Owner), strings.ToLower(x.Owner))
}

// warnings judges the checks that are shown. Missing fields are never
// unexpected: the errors of the cells say the same.
func (out *CaptureScore) warnings(x CaptureExpect, p Captured, wrong *faults) {
	for _, v := range x.Validators {
		if !out.Validators.add(slices.Contains(p.Surfaced, v.Type) == v.Surfaced) {
			wrong.add("%s shown: %v", v.Type, !v.Surfaced)
		}
	}
	for _, name := range p.Surfaced {
		counted := name == capture.Duplicates || name == capture.Contradictions || name == capture.Coverage
		if counted && !slices.ContainsFunc(x.Validators, func(v Validation) bool { return v.Type == name }) {
			out.Unexpected++
			wrong.add("unexpected %s", name)
		}
	}
}

// places has the names at each place.
type places[P comparable] map[P]map[string]bool

func (m places[P]) put(at P, name string) {
	if m[at] == nil {
		m[at] = map[string]bool{}
	}
	m[at][name] = true
}

// nothing is the label of an absent value in a Confusion.
const nothing = "–"

// compare counts the names that both have at a place, and pairs those that only
// one of them has.
func compare[P comparable](want, got places[P], o *Overlap, c *Confusion, wrong *faults) {
	for at, names := range want {
		missing, extra := without(names, got[at]), without(got[at], names)
		o.Both += len(names) - len(missing)
		for name := range names {
			if got[at][name] {
				c.add(name, name)
			}
		}
		for i := range max(len(missing), len(extra)) {
			w, g := nthOr(missing, i), nthOr(extra, i)
			c.add(w, g)
			wrong.add("%s, want %s", g, w)
		}
		o.Want += len(names)
	}
	for at, names := range got {
		o.Got += len(names)
		if want[at] == nil {
			for name := range names {
				c.add(nothing, name)
				wrong.add("%s, want %s", name, nothing)
			}
		}
	}
}

// without lists the names in a that are not in b, sorted.
func without(a, b map[string]bool) (out []string) {
	for name := range a {
		if !b[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func nthOr(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return nothing
}

// same compares two JSON values: numbers by value, nothing equals null. (In Python,
// true also equals 1.)
func same(a, b json.RawMessage) bool {
	x, okX := plain(a)
	y, okY := plain(b)
	return okX && okY && equal(x, y)
}

func plain(raw json.RawMessage) (v any, ok bool) {
	if raw == nil {
		return nil, true
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return v, dec.Decode(&v) == nil
}

func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, errX := a.Float64()
		y, errY := b.Float64()
		return a == b || errX == nil && errY == nil && math.Abs(x-y) < 1e-9
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if w, ok := b[k]; !ok || !equal(v, w) {
				return false
			}
		}
		return true
	}
	return a == b
}
