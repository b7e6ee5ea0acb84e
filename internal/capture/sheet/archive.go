package sheet

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"
)

// Bounds of a workbook beside Limits.
const (
	maxParts    = 5000      // entries of the archive
	maxToken    = 512 << 10 // bytes of one tag or text; a full cell of escaped characters has 400 KiB
	maxElements = 4 << 20   // XML elements that are looked at
	maxDepth    = 64        // elements around one another; a cell is 5 deep
	partHead    = 1 << 20   // bytes of the parts that list others
	partStyles  = 4 << 20   // bytes of the styles
)

// archive is an opened workbook. What is read of it counts for all parts together.
type archive struct {
	stop     func() error
	parts    map[string]*zip.File // by lower-case name without a leading slash
	unpacked int                  // bytes that may still be unpacked
	limit    int                  // of them, at the start
	elements int                  // elements that may still be read
}

func openArchive(data []byte, lim Limits) (*archive, error) {
	// The directory is read as a whole, and its own count may be wrong.
	if bytes.Count(data, []byte("PK\x01\x02")) > maxParts {
		return nil, tooLarge("workbook", "parts", maxParts)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, unreadable(err)
	}
	a := &archive{stop: lim.Stop, parts: map[string]*zip.File{}, unpacked: lim.Unpacked, limit: lim.Unpacked,
		elements: maxElements}
	for _, entry := range z.File {
		a.parts[partName(entry.Name)] = entry
	}
	return a, nil
}

// partName is how parts are compared: programs differ in case and in slashes.
func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/"))
}

func (a *archive) has(name string) bool { return a.parts[partName(name)] != nil }

// part reads the XML of one entry. visit gets start elements, end elements and
// text in order; an error of it ends the reading. At the end the checksum of the
// entry was right and every element was closed.
func (a *archive) part(name string, limit int, visit func(xml.Token) error) error {
	entry := a.parts[partName(name)]
	if entry == nil {
		return unreadable(errors.New("no part " + name))
	}
	limit = min(limit, a.unpacked)
	if entry.UncompressedSize64 > uint64(limit) {
		return tooLarge("unpacked workbook", "bytes", a.limit)
	}
	body, err := entry.Open()
	if err != nil {
		return unreadable(err)
	}
	defer body.Close()
	src := &source{archive: a, body: body, left: limit}
	src.buffered = bufio.NewReaderSize(readerFunc(src.fill), 32<<10)
	d := xml.NewDecoder(src)
	for depth := 0; ; {
		src.token = 0
		token, err := d.RawToken()
		if err == io.EOF && depth == 0 {
			return nil
		}
		if err != nil {
			if src.err != nil {
				return src.err
			}
			return unreadable(err)
		}
		switch token.(type) {
		case xml.StartElement:
			if a.elements--; a.elements < 0 {
				return tooLarge("workbook", "elements", maxElements)
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
		default:
			continue
		}
		if depth < 0 || depth > maxDepth {
			return unreadable(nil)
		}
		if err := visit(token); err != nil {
			return err
		}
	}
}

// source gives the XML decoder the bytes of an entry, and no more than maxToken of
// them for one token, since the decoder keeps a token in memory whole.
type source struct {
	archive  *archive
	body     io.Reader
	buffered *bufio.Reader
	left     int   // of this part
	token    int   // bytes since the last token
	err      error // why reading ended, if it was not the end
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// fill unpacks the next piece.
func (s *source) fill(p []byte) (int, error) {
	if err := s.archive.stop(); err != nil {
		s.err = tooSlow(err)
		return 0, s.err
	}
	n, err := s.body.Read(p)
	s.archive.unpacked -= n
	if s.left -= n; s.left < 0 {
		s.err = tooLarge("unpacked workbook", "bytes", s.archive.limit)
		return 0, s.err
	}
	if err != nil && err != io.EOF {
		s.err = unreadable(err)
		return n, s.err
	}
	return n, err
}

// ReadByte implements io.ByteReader, which keeps the decoder from reading ahead.
func (s *source) ReadByte() (byte, error) {
	if s.token++; s.token > maxToken {
		s.err = tooLarge("workbook", "bytes in one cell or tag", maxToken)
		return 0, s.err
	}
	return s.buffered.ReadByte()
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.buffered.Read(p[:min(len(p), 1)])
	s.token += n
	return n, err
}

// attribute returns the value of an attribute by its local name.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// flag reads an xsd:boolean.
func flag(e xml.StartElement, name string) bool {
	v := attribute(e, name)
	return v == "1" || v == "true"
}
