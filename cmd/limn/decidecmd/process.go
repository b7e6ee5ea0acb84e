package decidecmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/svg"
	"github.com/limn-ui/limn/ui"
)

// process prints a process as steps and edges.
func (c Capture) process(t term.Terminal, name, text string) error {
	m := capture.Process(text)
	steps, edges := m.Rows()
	warnings := capture.Shown(capture.Validate(capture.Submission{Rows: steps, Edges: edges}))
	if c.SVG != "" {
		if err := c.picture(t, name, steps, edges); err != nil || c.SVG == "-" {
			return err
		}
	}
	return t.Show(c.JSON, newMapJSON(m, warnings), func(w io.Writer, style term.Style) {
		printMap(w, style, name, m, warnings)
	})
}

// picture writes the process as SVG.
func (c Capture) picture(t term.Terminal, name string, steps, edges ui.Value) error {
	svg, err := svg.Read(steps, edges, false).SVG("Process", nil, svg.Alone)
	var refused *ui.Error
	switch {
	case errors.As(err, &refused):
		return refuse(t, name, refused)
	case err != nil:
		return err
	case svg == nil:
		return refuse(t, name, &ui.Error{Code: codeNoSteps, Message: "no steps were found, so there is nothing to draw",
			Hint: "name them as in: First …, then …; or a -> b -> c"})
	case c.SVG == "-":
		_, err = t.Out.Write(append(svg, '\n'))
		return err
	}
	return os.WriteFile(c.SVG, append(svg, '\n'), 0o644)
}

func printMap(w io.Writer, style term.Style, name string, m capture.Map, warnings []capture.Warning) {
	place := func(id string) string {
		if n, err := strconv.Atoi(number(id)); err == nil && strings.HasPrefix(id, "e") && n <= len(m.Edges) {
			return edgeWords(m.Edges[n-1])
		}
		return "step " + number(id)
	}
	fmt.Fprintf(w, "%s: %s, %s\n", style.Paint(term.Bold, name), term.Count(len(m.Steps), "step"),
		term.Count(len(m.Edges), "edge"))
	var rows [][]string
	for i, s := range m.Steps {
		owner := ""
		if s.Owner != "" {
			owner = "by " + term.Clean(s.Owner)
		}
		rows = append(rows, []string{strconv.Itoa(i + 1), term.Clean(s.Name), owner})
	}
	widths := term.Fit(rows, style.Width-2)
	for _, row := range rows {
		fmt.Fprintln(w, " ", term.Line(row, widths, false))
	}
	s := facts{w, style}
	for i, e := range m.Edges {
		head := ""
		if i == 0 {
			head = "edges"
		}
		s.line(head, edgeWords(e))
	}
	for _, v := range warnings {
		s.line("warning", warn(v, place))
	}
}

// edgeWords describes an edge: "1 → 2", and its kind.
func edgeWords(e capture.Edge) string {
	text := fmt.Sprintf("%d → %d", e.From+1, e.To+1)
	if e.Kind == capture.Parallel {
		text = fmt.Sprintf("%d and %d", e.From+1, e.To+1)
	}
	if text += "  " + string(e.Kind); e.Conditional {
		text += ", conditional"
	}
	return text
}

// mapJSON is a process as --json prints it. From and to count from 0.
type mapJSON struct {
	Steps    []stepJSON    `json:"steps"`
	Edges    []edgeJSON    `json:"edges"`
	Warnings []warningJSON `json:"warnings"`
}

type stepJSON struct {
	Name    string `json:"step_name"`
	Owner   string `json:"owner"`
	Outcome string `json:"outcome"`
	Raw     string `json:"raw"`
}

type edgeJSON struct {
	From        int    `json:"from"`
	To          int    `json:"to"`
	Type        string `json:"type"`
	Conditional bool   `json:"conditional,omitempty"`
}

func newMapJSON(m capture.Map, warnings []capture.Warning) mapJSON {
	out := mapJSON{Steps: []stepJSON{}, Edges: []edgeJSON{}, Warnings: warningsJSON(warnings)}
	for _, s := range m.Steps {
		out.Steps = append(out.Steps, stepJSON(s))
	}
	for _, e := range m.Edges {
		out.Edges = append(out.Edges, edgeJSON{e.From, e.To, string(e.Kind), e.Conditional})
	}
	return out
}
