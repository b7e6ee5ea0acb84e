package capture

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// Surfaced is the confidence from which a warning is shown (seed §10).
const Surfaced = 0.80

// The names of the checks.
const (
	MissingRequired = "missing_required_fields"
	Duplicates      = "duplicate_entries"
	Contradictions  = "contradictory_sequences"
	Coverage        = "low_coverage"
)

// Submission is the input of the checks: the submitted rows of a table, or the
// submitted steps and edges of a map.
type Submission struct {
	Columns []ui.Field
	Rows    ui.Value
	Edges   ui.Value // null for tables
	Stated  int      // the count the user gave; 0 = none
	Approx  bool     // it was "about N"
}

// Warning is one finding. Rows and Edges name the rows and edges at fault, by id.
type Warning struct {
	Check      string
	Confidence float64
	Rows       []string
	Edges      []string
	Column     string // missing_required_fields
	Have, Want int    // low_coverage
}

// Validator is one check of a submission (decision logic §10). The checks are independent:
// callers may run them side by side.
type Validator struct {
	Name  string
	Check func(Submission) []Warning
}

// Validators lists all of them, in the order of their findings.
func Validators() []Validator {
	return []Validator{{MissingRequired, MissingRequiredFields}, {Duplicates, DuplicateEntries},
		{Contradictions, ContradictorySequences}, {Coverage, LowCoverage}}
}

// Find returns what v finds. If v panics it finds nothing, and panicked is called.
func (v Validator) Find(s Submission, panicked func()) (out []Warning) {
	defer func() {
		if recover() != nil {
			out = nil
			panicked()
		}
	}()
	return v.Check(s)
}

// Validate runs all validators, one after the other, since pure packages start no
// goroutines. A panic in one hides the findings of no other.
func Validate(s Submission) []Warning { return run(Validators(), s) }

func run(list []Validator, s Submission) (out []Warning) {
	for _, v := range list {
		out = append(out, v.Find(s, func() {})...)
	}
	return out
}

// Shown keeps the warnings that are certain enough to show.
func Shown(all []Warning) []Warning {
	return slices.DeleteFunc(slices.Clone(all), func(w Warning) bool { return w.Confidence < Surfaced })
}

// MissingRequiredFields finds filled rows without a required cell; one warning
// per column.
func MissingRequiredFields(s Submission) []Warning {
	var out []Warning
	for _, f := range s.Columns {
		if !f.Required {
			continue
		}
		w := Warning{Check: MissingRequired, Confidence: 1, Column: f.Name}
		for _, r := range s.Rows.Records() {
			if v, _ := r.Cells.Get(f.Name); !emptyRow(r) && blankCell(v) {
				w.Rows = append(w.Rows, r.ID)
			}
		}
		if len(w.Rows) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// DuplicateEntries finds rows that are equal after folding (0.99) and rows with
// an equal key (0.85). The key is the first required column, else the first one; of
// names in two columns, surname and first name, it is both.
func DuplicateEntries(s Submission) []Warning {
	key := keyColumns(s.Columns)
	rows := make([]keyed, 0, len(s.Rows.Records()))
	var all []byte
	for _, r := range s.Rows.Records() {
		if emptyRow(r) {
			continue
		}
		k := keyed{id: r.ID}
		all = all[:0]
		for i, f := range s.Columns {
			v, _ := r.Cells.Get(f.Name)
			cell := fold(v.Text())
			switch {
			case !slices.Contains(key, i):
			case k.key == "":
				k.key = cell
			default:
				k.key += "\x00" + cell
			}
			all = append(append(all, cell...), 0)
		}
		k.all = string(all)
		rows = append(rows, k)
	}
	full := group(rows, func(k keyed) string { return k.all }, 0.99)
	out := full
	for _, w := range group(rows, func(k keyed) string { return k.key }, 0.85) {
		if !slices.ContainsFunc(full, func(f Warning) bool { return slices.Equal(f.Rows, w.Rows) }) {
			out = append(out, w)
		}
	}
	return out
}

type keyed struct{ id, all, key string }

// keyColumns are the first required column, else the first one, and with a part of
// people's names the others.
func keyColumns(columns []ui.Field) (key []int) {
	if len(columns) == 0 {
		return nil
	}
	first := max(0, slices.IndexFunc(columns, func(f ui.Field) bool { return f.Required }))
	named := partOfName(columns[first])
	for i, f := range columns {
		if i == first || named && partOfName(f) {
			key = append(key, i)
		}
	}
	return key
}

// partOfName reports a column that has a part of people's names.
func partOfName(f ui.Field) bool {
	return slices.ContainsFunc([]string{f.Title(), f.Name}, func(name string) bool {
		return slices.Contains(namesInParts, strings.Join(nameWords(name), " "))
	})
}

var namesInParts = []string{"name", "surname", "last name", "family name", "lastname", "first name", "given name",
	"firstname", "forename", "middle name", "nachname", "familienname", "vorname", "nom", "nom de famille", "prénom",
	"apellido", "apellidos", "nombre", "cognome", "nome", "sobrenome", "achternaam", "voornaam", "nazwisko", "imię",
	"фамилия", "имя", "姓", "名", "soyadı", "adı", "soyad", "ad"}

// group warns of rows with the same text, in the order their second row shows it.
func group(rows []keyed, of func(keyed) string, confidence float64) []Warning {
	first := make(map[string]int, len(rows)) // text → its first row, or -1 - its warning
	var out []Warning
	for i, r := range rows {
		text := of(r)
		if strings.Trim(text, "\x00") == "" {
			continue
		}
		at, seen := first[text]
		switch {
		case !seen:
			first[text] = i
		case at >= 0:
			first[text] = -1 - len(out)
			out = append(out, Warning{Check: Duplicates, Confidence: confidence, Rows: []string{rows[at].id, r.id}})
		default:
			out[-1-at].Rows = append(out[-1-at].Rows, r.id)
		}
	}
	return out
}

// LowCoverage compares the filled rows with the count the user stated.
func LowCoverage(s Submission) []Warning {
	if s.Stated <= 0 {
		return nil
	}
	have := 0
	for _, r := range s.Rows.Records() {
		if !emptyRow(r) {
			have++
		}
	}
	if have >= s.Stated {
		return nil
	}
	w := Warning{Check: Coverage, Have: have, Want: s.Stated}
	few := have*10 < s.Stated*8
	switch {
	case !s.Approx && few:
		w.Confidence = 0.90
	case !s.Approx:
		w.Confidence = 0.85
	case few:
		w.Confidence = 0.82
	default:
		w.Confidence = 0.50
	}
	return []Warning{w}
}

// Text describes a warning in English, with numbers only: for logs and as a fallback
// where ui.Words has no text.
func (w Warning) Text() string {
	switch w.Check {
	case Coverage:
		return strconv.Itoa(w.Have) + " of " + strconv.Itoa(w.Want) + " are filled in"
	case MissingRequired:
		return strconv.Itoa(len(w.Rows)) + " rows lack " + w.Column
	case Duplicates:
		return strconv.Itoa(len(w.Rows)) + " rows look the same"
	}
	return strconv.Itoa(len(w.Edges)) + " edges contradict each other"
}

// CellPlace is one cell of submitted rows.
type CellPlace struct {
	Row, Column string // row id, column name
	Code        string // as CellError.Code
}

// blankCell reports a cell that is not filled in: empty, or spaces only.
func blankCell(v ui.Value) bool {
	return v.Empty() || v.Kind() == ui.StringValue && strings.TrimSpace(v.Text()) == ""
}

// emptyRow reports a row without any entry. A false checkbox or a zero is the
// state such a cell starts in.
func emptyRow(r ui.Record) bool {
	for _, p := range r.Cells.Pairs() {
		if !blankCell(p.Value) && !(p.Value.Kind() == ui.BoolValue && !p.Value.True()) &&
			!(p.Value.Kind() == ui.NumberValue && p.Value.Equal(ui.Int(0))) {
			return false
		}
	}
	return true
}
