package execute

import "testing"

// TestAccepts: a field takes what its list names, by type or family, and what a
// browser would run only by its own name.
func TestAccepts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		list []string
		typ  string
		want bool
	}{
		{nil, "image/png", true}, {nil, "text/html", false}, {nil, "image/svg+xml", false}, {nil, "TEXT/HTML; charset=utf-8", false},
		{[]string{"image/*"}, "image/png", true}, {[]string{"image/*"}, "image/svg+xml", false}, {[]string{"image/*"}, "text/plain", false},
		{[]string{"*/*"}, "application/pdf", true}, {[]string{"*/*"}, "text/html", false}, {[]string{"text/*"}, "text/xml", false},
		{[]string{"image/SVG+xml"}, "image/svg+xml", true}, {[]string{"text/html"}, "text/html", true}, {[]string{"text/html"}, "image/svg+xml", false},
		{[]string{"application/json"}, "application/json", true}, {[]string{"application/json"}, "text/plain", false}, {[]string{"im*"}, "image/png", false},
		{[]string{".pdf"}, "application/pdf", true}, {[]string{".PDF", ".csv"}, "application/pdf", true}, {[]string{".csv"}, "application/pdf", false},
		{[]string{".pdf"}, "text/html", false},
	} {
		if got := accepts(tt.list, "report.PDF", tt.typ); got != tt.want {
			t.Errorf("%q takes %s: %v", tt.list, tt.typ, got)
		}
	}
}

// TestAcceptsTextByName: CSV is plain text to whoever looks at its content alone.
func TestAcceptsTextByName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		accept, name, typ string
		want              bool
	}{
		{"text/csv", "a.CSV", "text/plain", true}, {"text/csv", "1.csv", "application/json", true},
		{"text/csv", "a.csv", "image/png", false}, {"text/csv", "a.txt", "text/plain", false},
		{"text/tab-separated-values", "a.tsv", "text/plain", true}, {"text/markdown", "a.md", "text/plain", true},
		{"text/plain", "a.csv", "text/plain", true}, {"application/json", "a.json", "text/plain", false},
	} {
		if got := accepts([]string{tt.accept}, tt.name, tt.typ); got != tt.want {
			t.Errorf("%s takes %s, %s: %v", tt.accept, tt.name, tt.typ, got)
		}
	}
}
