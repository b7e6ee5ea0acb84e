package svg

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// Figure writes a value as people read it, in the words w: no exponent where there is room, and of
// a fraction the 15 digits that hold in any sum. A gap is a dash.
func Figure(w ui.Words, v float64) string {
	if gap(v) {
		return "–"
	}
	if v != math.Trunc(v) {
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 15, 64), 64)
	}
	if a := math.Abs(v); a != 0 && (a >= 1e15 || a < 1e-6) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	text := strconv.FormatFloat(v+0, 'f', -1, 64) // +0: no minus before a zero
	if n, ok := ui.Number(text); ok {
		return (ui.Field{}).Shown(w, n)
	}
	return text
}

func gap(v float64) bool { return math.IsNaN(v) }

// ChartWords lists the values of a chart, one line a label, as "May: North 1.5,
// South 3"; one series goes without its name. The unit is in the Caption.
func ChartWords(n *ui.Chart, w ui.Words) []string {
	var out []string
	for i, label := range n.Labels {
		var values []string
		for _, s := range n.Series {
			v := Figure(w, s.Values[i])
			if name := shownText(s.Name); name != "" && len(n.Series) > 1 {
				v = name + " " + v
			}
			values = append(values, v)
		}
		out = append(out, shownText(label)+": "+strings.Join(values, ", "))
	}
	return out
}

// Caption is the label of a chart and the unit of its values.
func Caption(n *ui.Chart) string {
	if n.Unit == "" {
		return n.Label
	}
	return strings.TrimSpace(n.Label + " (" + n.Unit + ")")
}

// Size of a chart, and of the space around the plot.
const (
	chartWidth  = 480 * px
	chartWide   = 900 * px // with many labels
	plotHeight  = 220 * px
	swatch      = 22 * px
	legendLine  = 22 * px
	legendWidth = 190 * px // of a name, at most
)

// palette are colours that show on light and on dark, one after the other.
var palette = [...]string{"#3b7dd8", "#c7611b", "#2f8f5b", "#a353c4", "#b8405e", "#7a7f2a"}

// dashes distinguish series without colours; shapes and dashes together repeat
// after twelve.
var dashes = [...]string{"", "7 3", "2 3", "12 3 2 3"}

// ChartSVG draws a chart that ui.CheckTree admits; nil is nothing to draw.
func ChartSVG(n *ui.Chart, w ui.Words, style Style) []byte {
	if !shows(n) {
		return nil
	}
	if n.Kind == ui.ChartPie {
		return pie(n, w, style)
	}
	c := &chart{n: n, wide: chartWidth, scale: newScale(n, w), words: w}
	if many := len(n.Labels) * 40 * px; many > chartWidth {
		c.wide = min(many, chartWide)
	}
	for _, t := range c.scale.ticks {
		c.left = max(c.left, width(t.text, smallSize)+10*px)
	}
	c.legend()
	c.top = margin + c.legendHeight
	if n.Unit != "" {
		c.top += 20 * px
	}
	c.slot = (c.wide - c.left - margin) / len(n.Labels)
	c.names()
	c.s = newSVG(style, c.wide+margin, c.top+plotHeight+c.namesHeight+margin, Caption(n),
		strings.Join(ChartWords(n, w)[:min(len(n.Labels), 12)], "; "))
	c.renderLegend()
	c.axes()
	if n.Kind == ui.ChartLine {
		c.lines()
	} else {
		c.bars()
	}
	return c.s.close()
}

// shows reports that there is something to draw.
func shows(n *ui.Chart) bool {
	for _, s := range n.Series {
		for _, v := range s.Values {
			if v > 0 || n.Kind != ui.ChartPie && !gap(v) {
				return true
			}
		}
	}
	return false
}

// chart is a bar or line chart on its way.
type chart struct {
	n                         *ui.Chart
	s                         *svg
	scale                     scale
	words                     ui.Words
	wide, left, top, slot     int
	legendAt                  [][2]int
	legendNames               []string
	legendHeight, namesHeight int
	labels                    [][]string // lines
	each                      int        // every how many of them is drawn
}

// legend places the names of the series in rows; one alone needs none.
func (c *chart) legend() {
	if len(c.n.Series) < 2 {
		return
	}
	x, y := margin, margin
	for i, s := range c.n.Series {
		name := strings.Join(wrap(shownText(s.Name), smallSize, legendWidth, 1), "")
		if name == "" {
			name = strconv.Itoa(i + 1)
		}
		w := swatch + 6*px + width(name, smallSize) + 16*px
		if x > margin && x+w > c.wide {
			x, y = margin, y+legendLine
		}
		c.legendAt, c.legendNames = append(c.legendAt, [2]int{x, y}), append(c.legendNames, name)
		x += w
	}
	c.legendHeight = y - margin + legendLine + 4*px
}

func (c *chart) renderLegend() {
	for i, at := range c.legendAt {
		y := at[1] + 9*px
		if c.n.Kind == ui.ChartLine {
			c.s.series(i, ` fill="none" stroke-width="2"`)
			c.s.path("M", at[0], y, "L", at[0]+swatch, y)
			c.mark(i, at[0]+swatch/2, y)
		} else {
			c.bar(i, at[0], y-6*px, swatch, 12*px)
		}
		c.s.text("limn-chart-text", at[0]+swatch+6*px, at[1]+13*px, smallSize, "start", c.legendNames[i])
	}
	if c.n.Unit != "" {
		c.s.text("limn-chart-text", margin, c.top-10*px, smallSize, "start",
			strings.Join(wrap(shownText(c.n.Unit), smallSize, legendWidth, 1), ""))
	}
}

// names wraps the labels below the plot, and thins them where they are many. Those that are left
// have the room of the others, so that a date is not broken.
func (c *chart) names() {
	c.wrapNames(max(c.slot-8*px, 64*px))
	if c.each > 1 {
		c.wrapNames(c.each*c.slot - 8*px)
	}
}

func (c *chart) wrapNames(most int) {
	widest := 0
	c.labels, c.namesHeight = nil, 0
	for _, label := range c.n.Labels {
		lines := wrap(shownText(label), smallSize, most, 2)
		for _, line := range lines {
			widest = max(widest, width(line, smallSize))
		}
		c.labels = append(c.labels, lines)
		c.namesHeight = max(c.namesHeight, 8*px+len(lines)*tinyLine)
	}
	c.each = max(1, (widest+8*px+c.slot-1)/max(c.slot, 1))
}

func (c *chart) x(i int) int { return c.left + i*c.slot + c.slot/2 }

func (c *chart) y(v float64) int { return c.top + c.scale.at(v, plotHeight) }

func (c *chart) axes() {
	right := c.left + c.slot*len(c.n.Labels)
	for _, t := range c.scale.ticks {
		y, look := c.y(t.value), ` stroke-opacity=".18"`
		if t.value == 0 {
			look = ` stroke-opacity=".8"`
		}
		c.s.str(`<path class="limn-chart-grid" fill="none" stroke="currentColor"` + look)
		c.s.path("M", c.left, y, "L", right, y)
		c.s.text("limn-chart-text", c.left-6*px, y+4*px, smallSize, "end", t.text)
	}
	for i := 0; i < len(c.labels); i += c.each {
		for j, line := range c.labels[i] {
			x := c.x(i)
			if w := width(line, smallSize) / 2; x-w < 2*px { // not off the page
				x = w + 2*px
			} else if x+w > c.wide+margin-2*px {
				x = c.wide + margin - 2*px - w
			}
			c.s.text("limn-chart-text", x, c.top+plotHeight+16*px+j*tinyLine, smallSize, "middle", line)
		}
	}
}

func (c *chart) bars() {
	k := len(c.n.Series)
	group := c.slot * 3 / 4
	w := max(group/k-px, px/2)
	zero := c.y(0)
	said := k == 1 // the values are at the bars, where all of them have room
	for _, v := range c.n.Series[0].Values {
		said = said && width(Figure(c.words, v), smallSize) < c.slot
	}
	for i, s := range c.n.Series {
		for j, v := range s.Values {
			if gap(v) {
				continue
			}
			x, y := c.x(j)-group/2+i*group/k, c.y(v)
			c.bar(i, x, min(y, zero), w, abs(y-zero))
			if v < 0 || y < 16*px { // no room above a 0 where all others are below
				y += 17 * px
			}
			if said {
				c.s.text("limn-chart-text", c.x(j), y-4*px, smallSize, "middle", Figure(c.words, v))
			}
		}
	}
}

// bar is an outline, and in it a broad stroke whose dashes distinguish it.
func (c *chart) bar(i, x, y, w, h int) {
	if h < px {
		h = px
	}
	c.s.series(i, ` fill="none" stroke-width="`+thick(w)+`"`)
	c.s.path("M", x+w/2, y, "L", x+w/2, y+h)
	if dashes[i%len(dashes)] != "" && w > 3*px {
		c.s.f(`<rect class="limn-series limn-series-%s" fill="none" stroke="%s" x="%v" y="%v" width="%v" height="%v"/>`,
			strconv.Itoa(i), palette[i%len(palette)], x, y, w, h)
	}
}

func thick(w int) string { return strconv.Itoa(w/10) + "." + strconv.Itoa(w%10) }

func (c *chart) lines() {
	for i, s := range c.n.Series {
		every := max(1, len(s.Values)/40)
		var line []any
		var marks []int
		for j, v := range s.Values {
			if gap(v) {
				continue
			}
			command := "M"
			if j > 0 && !gap(s.Values[j-1]) {
				command = "L"
			}
			line = append(line, command, c.x(j), c.y(v))
			lone := command == "M" && (j+1 == len(s.Values) || gap(s.Values[j+1]))
			if lone || j%every == 0 {
				marks = append(marks, j)
			}
		}
		if len(line) > 3 {
			c.s.series(i, ` fill="none" stroke-width="2" stroke-linejoin="round"`)
			c.s.path(line...)
		}
		for _, j := range marks {
			c.mark(i, c.x(j), c.y(s.Values[j]))
		}
	}
}

// mark is the point of a series: a circle, a square, a triangle, a diamond.
func (c *chart) mark(i, x, y int) {
	const r = 4 * px
	c.s.filled(i, "")
	switch i % 4 {
	case 0:
		c.s.path("M", x-r, y, "C", x-r, y-r*4/3, " ", x+r, y-r*4/3, " ", x+r, y, "C", x+r, y+r*4/3, " ", x-r, y+r*4/3,
			" ", x-r, y)
	case 1:
		c.s.path("M", x-r, y-r, "L", x+r, y-r, "L", x+r, y+r, "L", x-r, y+r)
	case 2:
		c.s.path("M", x, y-r*5/4, "L", x+r*5/4, y+r, "L", x-r*5/4, y+r)
	default:
		c.s.path("M", x, y-r*4/3, "L", x+r*4/3, y, "L", x, y+r*4/3, "L", x-r*4/3, y)
	}
}

// filled begins a path that is filled with the colour of series i.
func (s *svg) filled(i int, more string) {
	s.f(`<path class="limn-series-mark limn-series-%s" fill="%s"%s`, strconv.Itoa(i), palette[i%len(palette)], more)
}

// series begins a path in the colour and the dashes of series i.
func (s *svg) series(i int, more string) {
	s.f(`<path class="limn-series limn-series-%s" stroke="%s"%s`, strconv.Itoa(i), palette[i%len(palette)], more)
	if dash := dashes[i%len(dashes)]; dash != "" {
		s.str(` stroke-dasharray="` + dash + `"`)
	}
}

// path ends a path element: commands as texts, each followed by two numbers.
func (s *svg) path(parts ...any) {
	s.str(` d="`)
	for i, p := range parts {
		switch p := p.(type) {
		case string:
			s.str(p)
		case int:
			if _, behind := parts[i-1].(int); behind {
				s.str(" ")
			}
			s.f("%v", p)
		}
	}
	s.str(`"/>`)
}

// slice is one piece of a pie.
type slice struct {
	name  string
	value float64
}

const maxSlices = 12

// pieces of a pie with a value above 0: the smallest share one when they are many.
func pieces(n *ui.Chart, w ui.Words) (out []slice, total float64) {
	values := n.Series[0].Values
	var order []int // the largest first
	for i, v := range values {
		if v > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[j], values[i]) })
	biggest := values[order[0]] // divided by, so that no sum is infinite
	rest := slice{name: w.Say("picture.other")}
	if len(order) > maxSlices {
		for _, i := range order[maxSlices-1:] {
			rest.value += values[i] / biggest
		}
		order = order[:maxSlices-1]
	}
	slices.Sort(order)
	for _, i := range order {
		out = append(out, slice{shownText(n.Labels[i]), values[i] / biggest})
		total += values[i] / biggest
	}
	if rest.value > 0 {
		out, total = append(out, rest), total+rest.value
	}
	return out, total
}

// pie numbers its pieces, so that the legend is read without colours.
func pie(n *ui.Chart, words ui.Words, style Style) []byte {
	list, total := pieces(n, words)
	const r, cx, cy = 90 * px, 120 * px, 124 * px
	height := max(cy*2, 2*margin+len(list)*legendLine)
	s := newSVG(style, chartWidth+16*px, height, Caption(n),
		strings.Join(ChartWords(n, words)[:min(len(n.Labels), 12)], "; "))
	at := func(share float64, radius int) (int, int) {
		sin, cos := math.Sincos(2 * math.Pi * share)
		return cx + int(math.Round(float64(radius)*sin)), cy - int(math.Round(float64(radius)*cos))
	}
	from, numbered, first := 0.0, -1.0, -1.0
	for i, p := range list {
		share := p.value / total
		opacity := ` fill-opacity="` + []string{"1", ".7"}[i/len(palette)%2] + `"`
		s.filled(i, opacity+` stroke="currentColor" stroke-opacity=".5"`)
		parts := []any{"M", cx, cy}
		steps := max(2, int(share*120)) // short straight lines look round
		for k := range steps + 1 {
			x, y := at(from+share*float64(k)/float64(steps), r)
			parts = append(parts, "L", x, y)
		}
		s.path(parts...)
		if middle := from + share/2; middle-numbered > 0.025 && (first < 0 || first+1-middle > 0.025) {
			x, y := at(middle, r+13*px)
			s.text("limn-chart-text", x, y+4*px, smallSize, "middle", strconv.Itoa(i+1))
			if numbered = middle; first < 0 {
				first = middle
			}
		}
		from += share
		y := height/2 - len(list)*legendLine/2 + i*legendLine
		const x = 262 * px
		s.filled(i, opacity)
		s.path("M", x, y+4*px, "L", x+12*px, y+4*px, "L", x+12*px, y+16*px, "L", x, y+16*px)
		name := strings.Join(wrap(p.name, smallSize, 140*px, 1), "")
		s.text("limn-chart-text", x+18*px, y+14*px, smallSize, "start", strconv.Itoa(i+1)+"  "+name+"  "+percent(share))
	}
	return s.close()
}

func percent(share float64) string {
	if p := math.Round(share * 100); p >= 1 {
		return strconv.Itoa(int(p)) + " %"
	}
	return "< 1 %"
}
