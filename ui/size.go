package ui

import (
	"math"
	"strconv"
)

// Size returns a number of bytes as people read it, such as "8 MiB" or "1.5 KiB".
func Size(bytes int64) string {
	n, unit := float64(bytes), "bytes"
	for _, next := range []string{"KiB", "MiB", "GiB"} {
		if n < 1024 {
			break
		}
		n, unit = n/1024, next
	}
	return strconv.FormatFloat(math.Round(n*10)/10, 'f', -1, 64) + " " + unit
}
