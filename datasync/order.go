package datasync

import (
	"strings"
)

// Positions of list items are base-62 fractions of variable length, compared byte by
// byte. The first letter says how many digits are before the point: a to z one to 26,
// Z to A the same below zero; digits after them are the fraction, without a last 0.
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// longKey is the length in bytes above which the list should get new positions.
const longKey = 64

// KeyBetween returns a position after a and before b; "" for a is the beginning, for b
// the end. ok is false if no position fits: a is not before b, or one of them was not
// made here. The neighbours then need new positions; see Keys.
func KeyBetween(a, b string) (key string, ok bool) {
	if a != "" && !validKey(a) || b != "" && !validKey(b) || a != "" && b != "" && a >= b {
		return "", false
	}
	switch {
	case a == "" && b == "":
		return "a0", true
	case a == "":
		whole := b[:wholeSize(b)]
		if len(b) > len(whole) { // the whole number is before b itself
			if whole != smallest {
				return whole, true
			}
			return whole + midpoint("", b[len(whole):]), true
		}
		lower, ok := addOne(whole, -1)
		if lower == smallest {
			lower += midpoint("", "")
		}
		return lower, ok
	case b == "":
		whole := a[:wholeSize(a)]
		if next, ok := addOne(whole, 1); ok {
			return next, true
		}
		return whole + midpoint(a[len(whole):], ""), true
	}
	whole, other := a[:wholeSize(a)], b[:wholeSize(b)]
	if whole == other {
		return whole + midpoint(a[len(whole):], b[len(other):]), true
	}
	if next, ok := addOne(whole, 1); ok && next < b {
		return next, true
	}
	return whole + midpoint(a[len(whole):], ""), true
}

// Keys returns n positions in order after a and before b, all short; nil where KeyBetween
// finds none.
func Keys(a, b string, n int) []string {
	if n <= 0 {
		return nil
	}
	if b == "" || a == "" && n < 64 {
		return keysInARow(a, b, n)
	}
	middle, ok := KeyBetween(a, b)
	if !ok {
		return nil
	}
	left, right := Keys(a, middle, n/2), Keys(middle, b, n-n/2-1)
	if n/2 > 0 && left == nil || n-n/2-1 > 0 && right == nil {
		return nil
	}
	return append(append(left, middle), right...)
}

// keysInARow counts up from a or, towards b, down.
func keysInARow(a, b string, n int) []string {
	list := make([]string, n)
	for i := range list {
		at := i
		if b != "" {
			at = n - 1 - i
		}
		key, ok := KeyBetween(a, b)
		if !ok {
			return nil
		}
		list[at] = key
		if b == "" {
			a = key
		} else {
			b = key
		}
	}
	return list
}

// LongKey reports whether a position has grown so long that its list should get new ones.
func LongKey(key string) bool { return len(key) > longKey }

// smallest has no whole number below it, and is no position itself.
const smallest = "A00000000000000000000000000"

// wholeSize is the length of the whole number of a key; 0 if the key has no valid head.
func wholeSize(key string) int {
	switch c := key[0]; {
	case 'a' <= c && c <= 'z':
		return int(c-'a') + 2
	case 'A' <= c && c <= 'Z':
		return int('Z'-c) + 2
	}
	return 0
}

func validKey(key string) bool {
	n := wholeSize(key)
	if n == 0 || len(key) < n || key == smallest || len(key) > n && key[len(key)-1] == '0' {
		return false
	}
	for _, c := range []byte(key) {
		if strings.IndexByte(digits, c) < 0 {
			return false
		}
	}
	return true
}

// midpoint returns a fraction between a and b, of which "" is the least and the most.
func midpoint(a, b string) string {
	if b != "" { // keep the common prefix; a continues with zeros
		n := 0
		for n < len(b) && digitAt(a, n) == b[n] {
			n++
		}
		if n > 0 {
			return b[:n] + midpoint(a[min(n, len(a)):], b[n:])
		}
	}
	low, high := 0, len(digits)
	if a != "" {
		low = strings.IndexByte(digits, a[0])
	}
	if b != "" {
		high = strings.IndexByte(digits, b[0])
	}
	switch {
	case high-low > 1:
		return digits[(low+high+1)/2 : (low+high+1)/2+1]
	case len(b) > 1:
		return b[:1]
	case a != "":
		return digits[low:low+1] + midpoint(a[1:], "")
	}
	return digits[low:low+1] + midpoint("", "")
}

func digitAt(a string, i int) byte {
	if i < len(a) {
		return a[i]
	}
	return '0'
}

// addOne adds 1 or -1 to a whole number, and lets it grow by a digit; false at the ends.
func addOne(whole string, step int) (string, bool) {
	head, b := whole[0], []byte(whole[1:])
	for i := len(b) - 1; i >= 0; i-- {
		d := strings.IndexByte(digits, b[i]) + step
		if 0 <= d && d < len(digits) {
			b[i] = digits[d]
			return string(head) + string(b), true
		}
		b[i] = digits[(d+len(digits))%len(digits)]
	}
	fill := byte('0') // the carry goes to the head
	if step < 0 {
		fill = 'z'
	}
	switch {
	case step > 0 && head == 'z', step < 0 && head == 'A':
		return "", false
	case step > 0 && head == 'Z':
		return "a0", true
	case step < 0 && head == 'a':
		return "Zz", true
	}
	head += byte(step) // a byte wraps: -1 is 255
	size := wholeSize(string(head)) - 1
	for len(b) < size {
		b = append(b, fill)
	}
	return string(head) + string(b[:size]), true
}
