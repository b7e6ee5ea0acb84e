package sheet

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"
)

// partLimits bound single parts of a workbook, because the library keeps these
// as trees of structs, many times their size.
var partLimits = map[string]int{
	"xl/sharedstrings.xml": 24 << 20,
	"xl/styles.xml":        2 << 20,
	"[content_types].xml":  1 << 20,
}

// maxParts bounds the entries of an archive that are looked at.
const maxParts = 5000

// unpack reads the parts of a workbook that hold cells, within the limits, and
// packs them again without compression for the library, which believes sizes
// and ignores checksums.
func unpack(data []byte, lim Limits) ([]byte, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, unreadable(err)
	}
	if len(archive.File) > maxParts {
		return nil, tooLarge("workbook", "parts", maxParts)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	left, book := lim.Unpacked, false
	for _, entry := range archive.File {
		name := strings.ToLower(strings.ReplaceAll(entry.Name, `\`, "/"))
		if !holdsCells(name) {
			continue
		}
		book = book || strings.HasPrefix(name, "xl/workbook")
		limit := left
		if own, ok := partLimits[name]; ok {
			limit = min(left, own)
		} else if strings.HasPrefix(name, "xl/workbook") || strings.HasSuffix(name, ".rels") {
			limit = min(left, 1<<20)
		}
		part, err := readPart(entry, limit)
		if err != nil {
			return nil, err
		}
		left -= len(part)
		to, err := w.CreateHeader(&zip.FileHeader{Name: entry.Name, Method: zip.Store})
		if err == nil {
			_, err = to.Write(part)
		}
		if err != nil {
			return nil, unreadable(err)
		}
	}
	if !book {
		return nil, noType() // another kind of archive: .ods, .docx, .xlsb, .zip
	}
	if err := w.Close(); err != nil {
		return nil, unreadable(err)
	}
	return out.Bytes(), nil
}

func holdsCells(name string) bool {
	switch name {
	case "[content_types].xml", "_rels/.rels", "xl/styles.xml", "xl/sharedstrings.xml":
		return true
	}
	if rest, ok := strings.CutPrefix(name, "xl/_rels/workbook"); ok { // also workbook2.xml, as some programs write
		return strings.HasSuffix(rest, ".xml.rels")
	}
	return strings.HasSuffix(name, ".xml") && (strings.HasPrefix(name, "xl/worksheets/") || strings.HasPrefix(name, "xl/workbook"))
}

// readPart unpacks one entry to the end, so that its checksum is checked.
func readPart(entry *zip.File, limit int) ([]byte, error) {
	if entry.UncompressedSize64 > uint64(limit) {
		return nil, tooLarge("unpacked workbook", "bytes", limit)
	}
	r, err := entry.Open()
	if err != nil {
		return nil, unreadable(err)
	}
	part, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err := errors.Join(err, r.Close()); err != nil {
		return nil, unreadable(err)
	}
	if len(part) > limit {
		return nil, tooLarge("unpacked workbook", "bytes", limit)
	}
	return part, nil
}
