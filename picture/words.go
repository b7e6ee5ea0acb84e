package picture

import (
	"math"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// Figure writes a value as people read it: no exponent where there is room.
func Figure(v float64) string {
	if a := math.Abs(v); a != 0 && (a >= 1e15 || a < 1e-6) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// ChartWords lists the values of a chart, one line a label, as "May: North 1.5,
// South 3"; one series goes without its name. The unit is said by the caller,
// beside the chart's label.
func ChartWords(n *ui.Chart) []string {
	var out []string
	for i, label := range n.Labels {
		var values []string
		for _, s := range n.Series {
			v := Figure(s.Values[i])
			if name := oneLine(s.Name); name != "" && len(n.Series) > 1 {
				v = name + " " + v
			}
			values = append(values, v)
		}
		out = append(out, oneLine(label)+": "+strings.Join(values, ", "))
	}
	return out
}

// Caption is the label of a chart and the unit of its values.
func Caption(n *ui.Chart) string {
	if n.Unit == "" {
		return oneLine(n.Label)
	}
	return oneLine(n.Label + " (" + n.Unit + ")")
}
