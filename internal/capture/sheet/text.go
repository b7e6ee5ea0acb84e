package sheet

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// plain reads text files.
func plain(f File, lim Limits) (string, Info, error) {
	if len(f.Data) > 2*lim.Text { // UTF-16 has two bytes for most characters
		return "", Info{}, tooMuchText(lim)
	}
	text, encoding, ok := decode(f.Data)
	if !ok {
		return "", Info{}, noType()
	}
	if len(text) > lim.Text {
		return "", Info{}, tooMuchText(lim)
	}
	if !strings.Contains(text, "\n") { // the line ends of the first Macs
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	info := Info{Kind: Plain, Encoding: encoding}
	if strings.TrimSpace(text) == "" {
		return "", Info{}, empty()
	}
	sep := separatorOf(f)
	if sep == 0 {
		return text, info, nil
	}
	info.Kind = Separated
	declared := len(text) > 5 && strings.EqualFold(text[:4], "sep=") && (text[5] == '\n' || text[5] == '\r') &&
		text[4] < utf8.RuneSelf
	body := text
	switch {
	case declared:
		sep, body = text[4], text[5:]
	case sep == ',':
		sep = separator(text)
	}
	var err error
	if info.Rows, info.Columns, err = measure(body, sep, lim); err != nil {
		return "", Info{}, err
	}
	if !declared {
		text = "sep=" + string(rune(sep)) + "\n" + text
	}
	return text, info, nil
}

// decode brings text to UTF-8: by its byte order mark, as UTF-8, or as Windows-1252,
// which holds Latin-1. It refuses bytes that are not text.
func decode(data []byte) (text, encoding string, ok bool) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		out, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(data)
		return string(out), "utf-16", err == nil && bytes.IndexByte(out, 0) < 0
	case bytes.IndexByte(data, 0) >= 0:
		return "", "", false
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if utf8.Valid(data) {
		return string(data), "utf-8", !controls(data)
	}
	out, err := charmap.Windows1252.NewDecoder().Bytes(data)
	return string(out), "windows-1252", err == nil && !controls(out)
}

// controls reports control characters no text has: more than one in fifty.
func controls(data []byte) bool {
	n := 0
	for _, c := range data {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\v' {
			n++
		}
	}
	return n*50 > len(data)
}

// separator finds what separates the cells of a file: the mark that gives most
// of the first records the same number of cells, the more cells the better.
// Quotes are a sign, too: they enclose whole cells, unless none fit so.
func separator(text string) byte {
	if best, ok := separatorWith(text, false); ok {
		return best
	}
	best, _ := separatorWith(text, true)
	return best
}

func separatorWith(text string, lazy bool) (byte, bool) {
	best, most := byte(','), 0
	for _, sep := range []byte{',', ';', '\t', '|'} {
		counts := map[int]int{}
		rest := text[:min(len(text), guessed)]
		for range 50 {
			cells, after, ok := record(rest, sep, lazy)
			if !ok {
				break
			}
			if rest = after; cells > 1 {
				counts[cells]++
			}
		}
		for cells, n := range counts {
			if score := n*1000 + min(cells, 999); score > most {
				best, most = sep, score
			}
		}
	}
	return best, most > 0
}

// guessed is how much of a file is read to find its separator.
const guessed = 64 << 10

// record counts the cells of the first record of text as encoding/csv splits it,
// and returns what follows it. It keeps nothing, so that a line of separators
// costs no memory. Empty lines are passed over. ok is false at the end, and if not
// lazy, where a quote is in a wrong place.
func record(text string, sep byte, lazy bool) (cells int, rest string, ok bool) {
	for text != "" {
		if n := lineEnd(text); n > 0 {
			text = text[n:]
			continue
		}
		break
	}
	if text == "" {
		return 0, "", false
	}
	for i := 0; ; {
		cells++
		if i < len(text) && text[i] == '"' {
			if i, ok = quotedEnd(text, i+1, sep, lazy); !ok {
				return 0, "", false
			}
		} else {
			for i < len(text) && text[i] != sep && text[i] != '\n' {
				if text[i] == '"' && !lazy {
					return 0, "", false
				}
				i++
			}
		}
		if i == len(text) {
			return cells, "", true
		}
		i++
		if text[i-1] == '\n' {
			return cells, text[i:], true
		}
	}
}

// lineEnd is the length of the line end that text begins with, 0 without one.
func lineEnd(text string) int {
	switch {
	case text[0] == '\n', text == "\r":
		return 1
	case strings.HasPrefix(text, "\r\n"):
		return 2
	}
	return 0
}

// quotedEnd finds the separator, the line feed or the end after a cell in quotes,
// of which text[i] is the first character.
func quotedEnd(text string, i int, sep byte, lazy bool) (int, bool) {
	for {
		n := strings.IndexByte(text[i:], '"')
		if n < 0 {
			return len(text), lazy
		}
		i += n + 1
		switch {
		case i == len(text) || text[i] == sep || text[i] == '\n':
			return i, true
		case strings.HasPrefix(text[i:], "\r\n"):
			return i + 1, true
		case text[i:] == "\r":
			return len(text), true
		case text[i] == '"':
			i++
		case !lazy:
			return 0, false
		}
	}
}

// measure counts rows and columns and holds them against the limits.
func measure(text string, sep byte, lim Limits) (rows, columns int, err error) {
	if sep == '"' || sep == '\r' || sep == '\n' || sep == 0 {
		return 0, 0, unreadable(nil)
	}
	all := 0
	for {
		cells, rest, ok := record(text, sep, true)
		if !ok {
			return rows, columns, nil
		}
		text = rest
		rows++
		all += cells
		columns = max(columns, cells)
		switch {
		case columns > lim.Columns:
			return 0, 0, tooLarge("file", "columns", lim.Columns)
		case rows > lim.Rows:
			return 0, 0, tooLarge("file", "rows", lim.Rows)
		case all > lim.Cells:
			return 0, 0, tooLarge("file", "cells", lim.Cells)
		}
		if rows%1024 == 0 {
			if err := lim.Stop(); err != nil {
				return 0, 0, tooSlow(err)
			}
		}
	}
}
