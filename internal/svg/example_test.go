package svg_test

import (
	"fmt"

	"github.com/limn-ui/limn/internal/svg"
	"github.com/limn-ui/limn/ui"
)

func Example() {
	row := func(id string, cells ...ui.Pair) ui.Record {
		return ui.Record{ID: id, Order: id, Cells: ui.Map(cells...)}
	}
	text := func(key, value string) ui.Pair { return ui.Pair{Key: key, Value: ui.String(value)} }
	steps := ui.Rows(row("s1", text("name", "Review invoice"), text("owner", "finance")),
		row("s2", text("name", "Sign off"), text("owner", "IT")))
	edges := ui.Rows(row("e1", text("from", "s1"), text("to", "s2"), text("kind", "approval")))

	p := svg.Read(steps, edges, false)
	for _, line := range p.Words(nil) {
		fmt.Println(line)
	}
	svg, err := p.SVG("The process", nil, svg.Alone)
	fmt.Println(string(svg[:4]), err)
	// Output:
	// Review invoice (finance) → Sign off (IT) [approval]
	// <svg <nil>
}

func ExampleChartWords() {
	n := &ui.Chart{Kind: ui.ChartBar, Label: "Sales", Unit: "€", Labels: []string{"May", "June"},
		Series: []ui.Series{{Name: "North", Values: []float64{1.5, -2}}}}
	fmt.Println(svg.Caption(n), svg.ChartWords(n, nil))
	// Output: Sales (€) [May: 1.5 June: -2]
}
