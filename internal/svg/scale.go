package svg

import (
	"math"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// scale is the axis of values: from and to are round, in units of ten to some
// power, so that no difference of two values is too large for a number.
type scale struct {
	from, to, unit float64
	ticks          []tick
}

type tick struct {
	value float64
	text  string
}

// newScale finds about five round ticks around all values. Bars start at zero;
// lines do too, unless all values are close together far from it.
func newScale(n *ui.Chart, w ui.Words) scale {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range n.Series {
		for _, v := range s.Values {
			if !gap(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	largest := max(math.Abs(lo), math.Abs(hi))
	exp := exponent(largest)
	unit := math.Pow10(exp)
	lo, hi = lo/unit, hi/unit
	if near := hi-lo < 0.25*max(math.Abs(lo), math.Abs(hi)); n.Kind == ui.ChartBar || !near || lo == hi {
		lo, hi = min(lo, 0), max(hi, 0)
	}
	if lo == hi {
		hi = 1
	}
	s := scale{unit: unit}
	digit, power := roundStep((hi - lo) / 5)
	step := float64(digit) * math.Pow10(power)
	first, last := int(math.Floor(lo/step+1e-9)), int(math.Ceil(hi/step-1e-9))
	if n.Kind == ui.ChartBar && len(n.Series) == 1 { // room for the values
		if hi > 0 && float64(last)*step-hi < step/4 {
			last++
		}
		if lo < 0 && lo-float64(first)*step < step/4 {
			first--
		}
	}
	s.from, s.to = float64(first)*step, float64(last)*step
	for i := first; i <= last; i++ {
		// from its decimal digits: 3 times 0.1 is no 0.3
		v, err := strconv.ParseFloat(strconv.Itoa(i*digit)+"e"+strconv.Itoa(power+exp), 64)
		if err == nil {
			s.ticks = append(s.ticks, tick{v, Figure(w, v)})
		}
	}
	return s
}

// at is how far below the top a value is, of a height.
func (s scale) at(v float64, height int) int {
	return int(math.Round(float64(height) * ((s.to - v/s.unit) / (s.to - s.from))))
}

// exponent is the power of ten of a value, within what can be divided by.
func exponent(v float64) int {
	if v == 0 {
		return 0
	}
	_, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', 3, 64), "e")
	n, _ := strconv.Atoi(e)
	return min(max(n, -300), 300)
}

// roundStep is 1, 2 or 5 times a power of ten, at least v.
func roundStep(v float64) (digit, power int) {
	power = exponent(v)
	for _, digit = range []int{1, 2, 5} {
		if v <= float64(digit)*math.Pow10(power)*(1+1e-9) {
			return digit, power
		}
	}
	return 1, power + 1
}
