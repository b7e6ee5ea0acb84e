package a2uicmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/cmd/limn/term"
)

// recentBytes bounds the input that a report keeps, to show the line of a
// problem that only the end of a turn brings to light.
const recentBytes = 1 << 20

// findings prints the problems of one input as they are found, then a summary.
type findings struct {
	out      *bufio.Writer
	name     string
	most     int // problems to print; 0 = all
	style    style
	json     bool
	recent   []piece // the last pieces, at most recentBytes; see first
	first    int     // of recent that is still there
	size     int     // bytes of recent, roughly
	messages int
	surfaces int // created
	found    int
}

// shownProblem is a problem as --json prints it.
type shownProblem struct {
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	Code      string `json:"code"`
	Surface   string `json:"surface,omitempty"`
	Component string `json:"component,omitempty"`
	Path      string `json:"path,omitempty"`
	Message   string `json:"message"`
	Hint      string `json:"hint,omitempty"`
}

func newFindings(out *bufio.Writer, name string, most int, s style, asJSON bool) *findings {
	return &findings{out: out, name: name, most: most, style: s, json: asJSON}
}

// keep remembers a piece for later.
func (r *findings) keep(p piece) {
	if p.kept {
		r.recent = append(r.recent, p)
		return
	}
	if p.at == 0 && len(p.raw) == len(p.text) {
		p.text = bytes.Clone(p.text)
		p.raw = p.text
	}
	const self = 128 // bytes of a piece itself
	r.recent, r.size = append(r.recent, p), r.size+self+len(p.raw)
	for r.size > recentBytes && r.first < len(r.recent) {
		r.size -= self + len(r.recent[r.first].raw)
		r.recent[r.first] = piece{}
		r.first++
	}
	if 2*r.first > len(r.recent) {
		r.recent, r.first = slices.Delete(r.recent, 0, r.first), 0
	}
}

// now reports a problem of the piece at hand.
func (r *findings) now(p piece, problem a2ui.Problem) {
	if r.found++; r.most == 0 || r.found <= r.most {
		r.print(placeOf(p, problem), problem)
	}
}

// later reports problems of earlier pieces, named by their tags.
func (r *findings) later(list []a2ui.Problem) {
	for _, problem := range list {
		recent := r.recent[r.first:]
		i, ok := slices.BinarySearchFunc(recent, problem.Line, func(p piece, tag int) int { return p.tag - tag })
		if ok {
			problem.Line = 1
			r.now(recent[i], problem)
		} else {
			r.now(piece{line: problem.Line}, problem)
		}
	}
}

func (r *findings) print(where place, p a2ui.Problem) {
	if !r.json {
		r.style.problem(r.out, r.name, where, p)
		return
	}
	b, err := json.Marshal(shownProblem{where.line, where.column, string(p.Code), p.Surface, p.Component, p.Path,
		p.Message, p.Hint})
	if err != nil {
		return // texts always marshal
	}
	r.out.WriteString(map[bool]string{true: `{"problems":[` + "\n", false: ",\n"}[r.found == 1])
	r.out.Write(b)
}

// close prints the summary.
func (r *findings) close(d a2ui.Dialect) error {
	version := ""
	if d != 0 {
		version = d.String()
	}
	switch {
	case r.json:
		if r.found == 0 {
			r.out.WriteString(`{"problems":[`)
		}
		fmt.Fprintf(r.out, `],"found":%d,"messages":%d,"surfaces":%d,"version":%q}`+"\n", r.found, r.messages,
			r.surfaces, version)
	case r.found > 0:
		if r.most > 0 && r.found > r.most {
			fmt.Fprintf(r.out, "%s: %s not printed; --max 0 prints all\n", r.name,
				term.Count(r.found-r.most, "more problem"))
		}
		fmt.Fprintf(r.out, "%s: %s in %s\n", r.name, term.Count(r.found, "problem"), term.Count(r.messages, "message"))
	case r.messages == 0:
		fmt.Fprintf(r.out, "%s: no messages\n", r.name)
	default:
		fmt.Fprintf(r.out, "%s: ok: %s, %s, %s\n", r.name, term.Count(r.messages, "message"),
			term.Count(r.surfaces, "surface"), version)
	}
	return r.out.Flush()
}

// failed is close for a command whose output is something else.
func (r *findings) failed(d a2ui.Dialect) error {
	if err := r.close(d); err != nil || r.found == 0 {
		return err
	}
	return term.Problems{N: r.found}
}
