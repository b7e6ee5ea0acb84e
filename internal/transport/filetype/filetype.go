// Package filetype finds the type of an uploaded file from its content, and whether
// its name and its sender say the same.
//
// In: bytes, a name, a declared media type. Out: a media type without parameters,
// or why the file does not match its name or declared type. Nothing is unpacked or run.
//
// Deviations: JSON is what parses as JSON, XML with an svg root is SVG, and an
// Office file is recognised by the part every such file has; the rest is
// http.DetectContentType.
//
// Caller: internal/transport/web.
package filetype

import (
	"bytes"
	encjson "encoding/json"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/limn-ui/limn/ui"
)

// CodeMismatch refuses a file that is not what its name or its sender says.
const CodeMismatch ui.Code = "UPLOAD_TYPE_MISMATCH"

const (
	json   = "application/json"
	text   = "text/plain"
	html   = "text/html"
	xml    = "text/xml"
	svg    = "image/svg+xml"
	zip    = "application/zip"
	binary = "application/octet-stream"
	office = "application/vnd.openxmlformats-officedocument."
	sheet  = office + "spreadsheetml.sheet"
	doc    = office + "wordprocessingml.document"
	slides = office + "presentationml.presentation"
)

// Of returns the media type of a file. Content that is neither known nor text is
// application/octet-stream.
func Of(body []byte) string {
	if utf8.Valid(body) && encjson.Valid(body) { // neither keeps anything of the body
		return json
	}
	t, _, _ := strings.Cut(http.DetectContentType(body), ";")
	switch {
	case t == zip:
		return officeOf(body)
	case t == text || t == xml || t == html:
		return markupOf(body, t)
	}
	return t
}

// officeOf distinguishes an Office file from another archive by the name of its main
// part, which is uncompressed in the archive.
func officeOf(body []byte) string {
	if !bytes.Contains(body, []byte("[Content_Types].xml")) {
		return zip
	}
	for _, kind := range []struct{ part, typ string }{{"xl/workbook.xml", sheet}, {"word/document.xml", doc},
		{"ppt/presentation.xml", slides}} {
		if bytes.Contains(body, []byte(kind.part)) {
			return kind.typ
		}
	}
	return zip
}

// markupOf finds the first element after the text that may precede it: text that a
// browser would run is markup, however it begins.
func markupOf(body []byte, t string) string {
	rest := bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), " \t\r\n\f")
	for len(rest) > 0 && rest[0] == '<' {
		end := ">"
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(rest, []byte("<?")):
			end = "?>"
		case !bytes.HasPrefix(rest, []byte("<!")):
			name := rest[1:min(len(rest), 65)]
			if i := bytes.IndexAny(name, " \t\r\n\f/>"); i >= 0 {
				name = name[:i]
			}
			_, local, prefixed := bytes.Cut(name, []byte(":"))
			if !prefixed {
				local = name
			}
			switch {
			case bytes.EqualFold(local, []byte("svg")):
				return svg
			case t == text && len(local) > 0 && letter(local[0]):
				return html // some element, which a browser would show as one
			}
			return t
		}
		_, after, closed := bytes.Cut(rest, []byte(end))
		if !closed {
			return t
		}
		rest = bytes.TrimLeft(after, " \t\r\n\f")
	}
	return t
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// may lists the types that a file with an extension, or with a declared type, may turn
// out to have. A name or type that is missing here is no evidence.
var may = map[string][]string{
	".png": {"image/png"}, ".gif": {"image/gif"}, ".jpg": {"image/jpeg"}, ".jpeg": {"image/jpeg"},
	".webp": {"image/webp"}, ".bmp": {"image/bmp"},
	".svg": {svg}, ".pdf": {"application/pdf"}, ".zip": {zip, sheet, doc, slides}, ".gz": {"application/x-gzip"},
	".xlsx": {sheet}, ".docx": {doc}, ".pptx": {slides},
	".json": {json, text}, ".txt": {text, json}, ".csv": {text, json}, ".tsv": {text, json}, ".md": {text, json, html},
	".html": {html, text}, ".htm": {html, text}, ".xml": {xml, svg, html, text},

	"image/png": {"image/png"}, "image/gif": {"image/gif"}, "image/jpeg": {"image/jpeg"}, "image/webp": {"image/webp"},
	"image/bmp": {"image/bmp"},
	svg:         {svg}, "application/pdf": {"application/pdf"}, json: {json, text}, sheet: {sheet}, doc: {doc},
	slides: {slides},
}

// Check compares a file's content with its name and with the type its sender
// declared. Types that systems give wrongly, such as those of text, are not held
// against it.
func Check(name, declared, is string) error {
	media, _, _ := mime.ParseMediaType(declared)
	for _, claim := range []string{strings.ToLower(path.Ext(name)), media} {
		if list, known := may[claim]; known && !slices.Contains(list, is) {
			return &ui.Error{Code: CodeMismatch, Path: "file",
				Message: "the file is of type " + is + ", which " + claim + " is not",
				Hint:    "save it in the format of its name"}
		}
	}
	return nil
}
