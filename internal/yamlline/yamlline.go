// Package yamlline finds the line of a fault in YAML that cannot be parsed. The
// library names the line before the one in which the block around it begins.
//
// In: the file, and the library's error. Out: the line of the fault, and the words.
// Callers: readers of what people write (app, internal/models, internal/eval/directives).
package yamlline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Bounds of the search: it parses the beginning of the file again and again.
const (
	maxFile = 256 << 10
	flow    = 8 // lines of a value that cannot be parsed before it is whole
)

// Split takes an error of the library apart, such as "yaml: line 3: …", of several
// the first. The line is from 1.
func Split(data []byte, err error) (line int, text string) {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:"))
	if n, _ := fmt.Sscanf(text, "line %d:", &line); n == 1 {
		_, text, _ = strings.Cut(text, ": ")
	}
	text, _, _ = strings.Cut(text, "\n")
	return of(data, line), text
}

// of returns the line after the longest beginning of the file that can be parsed,
// but none before the line that the library says. That one it is in a file that can
// be parsed, or is above 256 KiB.
func of(data []byte, said int) int {
	said = max(said, 1)
	if len(data) > maxFile || parses(data) {
		return said
	}
	ends := []int{0}
	for i, c := range data {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	good, bad := 0, len(ends)
	for bad-good > 1 {
		mid := (good + bad) / 2
		for at := mid; at < min(mid+flow, bad) && good < mid; at++ {
			if parses(data[:ends[at]]) {
				good = at
			}
		}
		if good < mid {
			bad = mid
		}
	}
	return max(said, bad)
}

// parses reports whether the library reads all documents. It may panic: then it
// does not.
func parses(data []byte) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		if err := dec.Decode(&doc); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}
