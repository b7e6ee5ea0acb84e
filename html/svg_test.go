package html

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/ui"
)

// TestPictures: a process and a chart are drawn with a name and with words for
// who does not see them, on an answered surface too.
func TestPictures(t *testing.T) {
	t.Parallel()
	row := func(id string, pairs ...string) ui.Record {
		cells := ui.Map()
		for i := 0; i < len(pairs); i += 2 {
			cells, _ = cells.With(ui.String(pairs[i+1]), pairs[i])
		}
		return ui.Record{ID: id, Order: id, Cells: cells}
	}
	steps := ui.Rows(row("s1", "name", "Review <b>", "owner", "Finance"), row("s2", "name", "Sign off"))
	edges := ui.Rows(row("e1", "from", "s1", "to", "s2", "kind", "approval"))
	s := surface(&ui.Diagram{Key: "d", Label: "The process", Steps: "/draft/steps", Edges: "/draft/edges"},
		&ui.Chart{Key: "c", Kind: ui.ChartPie, Label: "Budget", Unit: "€", Labels: []string{"Rent", "Food"},
			Series: []ui.Series{{Name: "2026", Values: []float64{3, 1.5}}}},
		&ui.Diagram{Key: "none", Label: "Later", Steps: "/draft/other"}, &ui.Chart{Key: "empty", Kind: ui.ChartBar})
	s.Draft = ui.Map(ui.Pair{Key: "steps", Value: steps}, ui.Pair{Key: "edges", Value: edges})
	for _, status := range []ui.Status{ui.StatusOpen, ui.StatusSubmitted} {
		s.Status = status
		p := draw(t, s)
		pictures := p.all("svg", "role=img")
		if len(pictures) != 2 || len(p.all("", "class=limn-step-box")) != 2 ||
			len(p.all("", "class=limn-edge-approval")) != 1 {
			t.Fatalf("%s: %d pictures", status, len(pictures))
		}
		for i, want := range []string{"The process", "Budget (€)"} {
			if title := pictures[i].FirstChild; title.Data != "title" || text(title) != want {
				t.Errorf("%s: picture %d is called %q", status, i, text(title))
			}
		}
		lines := p.all("li")
		if got := text(lines[len(lines)-2]); got != "Review <b> (Finance) \u200e→ Sign off [approval]" {
			t.Errorf("%s: in words %q", status, got)
		}
		if got := text(p.all("tbody")[0]); got != "Rent3Food1.5" {
			t.Errorf("%s: values %q", status, got)
		}
		if got := text(p.root); strings.Count(got, "Nothing to draw yet.") != 3 { // a picture and words, a picture
			t.Errorf("%s: without data %q", status, got)
		}
	}
}

// TestUnnamedChart: its picture, its table and its column have the name of the surface.
func TestUnnamedChart(t *testing.T) {
	t.Parallel()
	p := draw(t, surface(&ui.Chart{Key: "c", Kind: ui.ChartBar, Unit: "€", Labels: []string{"May"},
		Series: []ui.Series{{Values: []float64{3}}}}))
	if got := text(p.one("title")); got != "Customer (€)" {
		t.Errorf("the picture is called %q", got)
	}
	if got := text(p.one("figcaption")); got != "(€)" {
		t.Errorf("caption %q", got)
	}
	if got := text(p.one("th", "scope=col")); got != "Customer (€)" {
		t.Errorf("the column is called %q", got)
	}
	p.one("div", "class=limn-scroll", "tabindex=0", "aria-label=Customer")
}

// TestTooLargeForAPicture: it is said, and the words are all there.
func TestTooLargeForAPicture(t *testing.T) {
	t.Parallel()
	var steps []ui.Record
	for range 210 {
		steps = append(steps, ui.Record{ID: "s" + strings.Repeat("x", len(steps)%60) +
			strings.Repeat("y", len(steps)/60), Order: "b",
			Cells: ui.Map(ui.Pair{Key: "name", Value: ui.String("Step")})})
	}
	s := surface(&ui.Diagram{Key: "d", Label: "D", Steps: "/draft/steps"})
	s.Draft = ui.Map(ui.Pair{Key: "steps", Value: ui.Rows(steps...)})
	p := draw(t, s)
	if got := text(p.root); len(p.all("svg")) != 0 || len(p.all("li")) != 209 ||
		!strings.Contains(got, "Too much for a picture") {
		t.Errorf("%d pictures, %d lines: %.200q", len(p.all("svg")), len(p.all("li")), got)
	}
}
