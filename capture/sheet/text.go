package sheet

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// plain reads text files.
func plain(f File, lim Limits) (string, Info, error) {
	text, encoding, ok := decode(f.Data)
	if !ok {
		return "", Info{}, noType()
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
	declared := len(text) > 5 && strings.EqualFold(text[:4], "sep=") && (text[5] == '\n' || text[5] == '\r') && text[4] < utf8.RuneSelf
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

// decode brings text to UTF-8: by its byte order mark, as UTF-8, or as
// Windows-1252, which holds Latin-1. It refuses what is no text.
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
// Quotes tell, too: they stand around whole cells, unless none fit so.
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
		r := reader(text, sep)
		r.LazyQuotes = lazy
		counts := map[int]int{}
		for range 50 {
			record, err := r.Read()
			if err != nil {
				break
			}
			if len(record) > 1 {
				counts[len(record)]++
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

func reader(text string, sep byte) *csv.Reader {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = rune(sep), true, -1, true
	return r
}

// measure counts rows and columns and holds them against the limits.
func measure(text string, sep byte, lim Limits) (rows, columns int, err error) {
	if sep == '"' || sep == '\r' || sep == '\n' || sep == 0 {
		return 0, 0, unreadable(nil)
	}
	r := reader(text, sep)
	cells := 0
	for {
		record, err := r.Read()
		if err == io.EOF {
			return rows, columns, nil
		}
		if err != nil {
			return 0, 0, unreadable(err)
		}
		rows++
		cells += len(record)
		columns = max(columns, len(record))
		switch {
		case columns > lim.Columns:
			return 0, 0, tooLarge("file", "columns", lim.Columns)
		case rows > lim.Rows:
			return 0, 0, tooLarge("file", "rows", lim.Rows)
		case cells > lim.Cells:
			return 0, 0, tooLarge("file", "cells", lim.Cells)
		}
	}
}
