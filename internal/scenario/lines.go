package scenario

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Width is the number of columns that no line of a scenario exceeds.
const Width = 200

// continued starts a line that goes on where the line above it stops.
const continued = "↪ "

// records are the beginnings of the JSON objects that each get a separate line:
// components, ops, directives and entries of data.
var records = []string{`{"node":`, `{"id":`, `{"key":`, `{"type":`, `{"op":`}

// Lines writes a section so that a person can read its difference. A line of
// JSON is opened, one space a level, until each of its parts holds one record
// and fits in Width; the members of an object that hold no object share lines.
// Any other long line, or a long string, is cut after its last space that fits,
// and goes on in the next line after "↪ ". The last line has the size and
// the hash of the exact bytes, so that every change of them is a difference.
func Lines(data []byte) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(line) > 0 && (line[0] == '{' || line[0] == '[') && json.Valid(line) {
			out = appendJSON(out, string(line), 0)
		} else {
			out = appendText(out, string(line))
		}
	}
	return fmt.Appendf(out, "%d bytes, sha256 %x\n", len(data), sha256.Sum256(data))
}

// appendJSON writes a part of a JSON text: a value, with the key before it and
// the comma after it, if any.
func appendJSON(out []byte, part string, depth int) []byte {
	indent := strings.Repeat(" ", depth)
	head, members, tail := split(part)
	if len(members) == 0 || whole(part, depth) {
		return appendText(out, indent+part)
	}
	out = appendText(out, indent+head)
	shared := ""
	for _, member := range members {
		small := strings.HasSuffix(head, "{") && !strings.Contains(member, "{")
		if shared != "" && (!small || !fits(shared+member, depth+1)) {
			out = appendJSON(out, shared, depth+1)
			shared = ""
		}
		if small && fits(member, depth+1) {
			shared += member
		} else {
			out = appendJSON(out, member, depth+1)
		}
	}
	if shared != "" {
		out = appendText(out, indent+" "+shared)
	}
	return appendText(out, indent+tail)
}

// whole reports whether a part of a JSON text is written on one line.
func whole(part string, depth int) bool {
	for _, start := range records {
		if strings.Count(part, start) > 1 {
			return false
		}
	}
	return fits(part, depth)
}

func fits(text string, depth int) bool {
	return depth+utf8.RuneCountInString(text) <= Width
}

// split takes the outermost array or object of a part of a JSON text apart: what
// comes before its members, the members with their commas, and what comes after.
// Without an array or object there are no members.
func split(part string) (head string, members []string, tail string) {
	depth, start, quoted := 0, 0, false
	for i := 0; i < len(part); i++ {
		switch c := part[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			if depth == 1 {
				head, start = part[:i+1], i+1
			}
		case c == '}' || c == ']':
			depth--
			if depth == 0 {
				if i > start {
					members = append(members, part[start:i])
				}
				return head, members, part[i:]
			}
		case c == ',' && depth == 1:
			members = append(members, part[start:i+1])
			start = i + 1
		}
	}
	return "", nil, part
}

// appendText writes a line, cut where it is longer than Width.
func appendText(out []byte, line string) []byte {
	for utf8.RuneCountInString(line) > Width {
		end := len(string([]rune(line)[:Width]))
		if space := strings.LastIndexByte(line[:end], ' '); space > end/2 {
			end = space + 1
		}
		out = append(append(out, line[:end]...), '\n')
		line = continued + line[end:]
	}
	return append(append(out, line...), '\n')
}

// joined undoes the cuts of appendText.
func joined(data []byte) []byte {
	return bytes.ReplaceAll(data, []byte("\n"+continued), nil)
}
