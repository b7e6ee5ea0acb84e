package ui

// Order strings sort rows. They are written in the digits a…z; between any two
// there is always a third, so a row moves without renumbering the others.
const (
	firstDigit = 'a'
	lastDigit  = 'z'
)

// OrderBetween returns an order string between lo and hi ("" = open end). When
// hi is not above lo it is ignored. lo and hi are valid orders; so is the
// result: digits a…z that do not end in a, before which there would be no room.
func OrderBetween(lo, hi string) string {
	if hi != "" && hi <= lo {
		hi = ""
	}
	if hi == "" {
		if next, ok := orderAfter(lo); ok {
			return next
		}
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

// orderAfter counts on behind lo without end, for appending is the commonest
// case: behind k leading z's stand k digits that count, so that 2,000 rows
// appended one by one need six digits, not a hundred and fifty. One z and less
// is left to OrderBetween, which has room there.
func orderAfter(lo string) (string, bool) {
	k := 0
	for k < len(lo) && lo[k] == lastDigit {
		k++
	}
	if k < 2 {
		return "", false
	}
	count := make([]byte, k)
	for i := range count {
		count[i] = firstDigit
		if k+i < len(lo) {
			count[i] = lo[k+i]
		}
	}
	for i := k - 1; ; i-- {
		if count[i] < lastDigit {
			count[i]++
			break
		}
		count[i] = firstDigit
		if i == k-1 { // never end in the first digit
			count[i]++
		}
	}
	return lo[:k] + string(count), true
}

// validOrder reports what OrderBetween makes and takes; "" stands for none.
func validOrder(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < firstDigit || s[i] > lastDigit {
			return false
		}
	}
	return s == "" || len(s) <= maxOrder && s[len(s)-1] != firstDigit
}

// maxOrder bounds what a stored order can be: as many digits as rows that were
// all put at the same place need.
const maxOrder = 4096
