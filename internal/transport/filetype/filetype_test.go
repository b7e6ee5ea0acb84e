package filetype_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/limn-ui/limn/internal/transport/filetype"
	"github.com/limn-ui/limn/ui"
)

const sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

func workbook(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	if err := excelize.NewFile().Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestOf: what a file is follows from its content, also where it begins as
// something else or hides its first element.
func TestOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ body, want string }{
		{`{"a":1}`, "application/json"}, {`not json`, "text/plain"}, {"\x89PNG\r\n\x1a\n", "image/png"}, {"GIF89a/*<script>*/", "image/gif"},
		{"%PDF-1.7", "application/pdf"}, {"\x00\x01\x02", "application/octet-stream"}, {"", "text/plain"},
		{"<!doctype html><script>", "text/html"}, {"  \n<script>alert(1)</script>", "text/html"}, {"<x-y onclick=alert(1)>", "text/html"},
		{"<!-- a --><x>", "text/html"}, {"1 < 2", "text/plain"}, {"< b", "text/plain"}, {"<3", "text/plain"},
		{"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "image/svg+xml"}, {"\xef\xbb\xbf <SVG>", "image/svg+xml"},
		{"<?xml version='1.0'?>\n<!DOCTYPE svg PUBLIC 'x'>\n<!-- <p> --><svg:svg>", "image/svg+xml"}, {"<?xml version='1.0'?><a/>", "text/xml"},
		{"<?xml " + strings.Repeat(" ", 2000) + "?><svg>", "image/svg+xml"},
		{workbook(t), sheet}, {"PK\x03\x04 nothing of an office", "application/zip"},
	} {
		if got := filetype.Of([]byte(tt.body)); got != tt.want {
			t.Errorf("%.40q: %s, want %s", tt.body, got, tt.want)
		}
	}
}

// TestCheck: a file that is something else than its name or its sender says is
// refused, also one that would be two things at once.
func TestCheck(t *testing.T) {
	t.Parallel()
	const png, page = "\x89PNG\r\n\x1a\n", "<html><script>alert(1)</script>"
	for _, tt := range []struct {
		name, declared, body string
		ok                   bool
	}{
		{"a.png", "image/png", png, true}, {"A.PNG", "", png, true}, {"a", "", page, true}, {"a.bin", "application/octet-stream", page, true},
		{"a.png", "image/png", page, false}, {"a.png", "", page, false}, {"a", "image/png", page, false}, {"a.html", "image/png", page, false},
		{"a.jpg", "image/jpeg", png, false}, {"a.png", "image/png", "<svg onload=alert(1)>", false}, {"a.png", "", "GIF89a", false},
		{"a.svg", "image/svg+xml", page, false}, {"a.json", "application/json", page, false}, {"a.json", "application/json", `{"a":1}`, true},
		{"a.json", "application/json", "cut off {", true}, {"a.txt", "text/plain", page, false}, {"a.csv", "text/csv", "MZ\x00\x01", false},
		{"a.csv", "application/vnd.ms-excel", "a,b\n1,2", true}, // as Windows declares it
		{"a.pdf", "application/pdf", "%PDF-1.7", true}, {"a.pdf", "application/pdf", "<script>/*%PDF-1.7*/", false},
		{"a.xlsx", sheet, workbook(t), true}, {"a.xlsx", sheet, "PK\x03\x04", false}, {"a.xlsx", sheet, page, false}, {"a.docx", "", workbook(t), false},
		{"a.png.html", "", page, true}, {"a.html.png", "", page, false}, {"a.md", "text/markdown", "<p align=center>", true},
		{"a.json", "application/json; charset=utf-8", `{}`, true}, {"a", "\x00", page, true},
	} {
		err := filetype.Check(tt.name, tt.declared, filetype.Of([]byte(tt.body)))
		if (err == nil) != tt.ok || err != nil && ui.CodeOf(err) != filetype.CodeMismatch {
			t.Errorf("%s, %s: %v", tt.name, tt.declared, err)
		}
	}
}

// FuzzOf: nothing panics, a type is always one, and markup never passes as an
// image a browser would only show.
func FuzzOf(f *testing.F) {
	for _, s := range []string{"<svg>", "<?xml?><!--", "PK\x03\x04[Content_Types].xmlxl/workbook.xml", "{", "<!",
		"<a:svg/>"} {
		f.Add(s, "a.png", "image/png")
	}
	f.Fuzz(func(t *testing.T, body, name, declared string) {
		is := filetype.Of([]byte(body))
		if strings.Count(is, "/") != 1 || strings.ContainsAny(is, "; ") {
			t.Errorf("%q is of type %q", body, is)
		}
		if strings.HasPrefix(strings.TrimSpace(body), "<") && filetype.Check("a.png", declared, is) == nil {
			t.Errorf("%q passes as an image", body)
		}
		_ = filetype.Check(name, declared, is)
	})
}
