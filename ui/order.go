package ui

// Order strings sort rows. They are written in the digits a…z; between any two
// there is always a third, so a row moves without renumbering the others.
const (
	firstDigit = 'a'
	lastDigit  = 'z'
)

// OrderBetween returns an order string between lo and hi ("" = open end). When
// hi is not above lo it is ignored.
func OrderBetween(lo, hi string) string {
	if hi != "" && hi <= lo {
		hi = ""
	}
	var out []byte
	for i := 0; ; i++ {
		low, high := byte(firstDigit), byte(lastDigit)+1
		if i < len(lo) {
			low = lo[i]
		}
		if hi != "" && i < len(hi) {
			high = hi[i]
		}
		if low == high { // still the common prefix
			out = append(out, low)
			continue
		}
		step := (high - low) / 2
		if hi == "" && i < len(lo) { // at the open end grow slowly: the commonest case is append
			step = min(1, high-low-1)
		}
		if step > 0 {
			return string(append(out, low+step))
		}
		out = append(out, low)
		hi = ""
	}
}
