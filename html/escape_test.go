package html

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/limn-ui/limn/ui"
)

// hostile is a surface that holds x wherever a string can stand.
func hostile(x string) *ui.Surface {
	s := everything()
	keys := []string{}
	for n := range ui.All(s.Tree()) {
		switch n := n.(type) {
		case *ui.Heading:
			n.Text = x
		case *ui.Text:
			n.Text = x
		case *ui.Image:
			n.Alt = x
			if ui.WebURL(x) {
				n.URL = x
			}
		case *ui.Icon:
			n.Name, n.Label = x, x
		case *ui.Stat:
			n.Label, n.Value, n.Note = x, x, x
		case *ui.Progress:
			n.Label = x
		case *ui.Notice:
			n.Text = x
		case *ui.Diagram:
			n.Label = x
		case *ui.Chart:
			n.Label, n.Unit, n.Labels[0], n.Series[0].Name = x, x, x, x
		case *ui.Section:
			n.Title = x
		case *ui.Tab:
			n.Title = x
		case *ui.Button:
			n.Label = x
		}
		if in := ui.InputOf(n); in != nil {
			foul(&in.Field, x)
			keys = append(keys, in.Path.Last())
		}
		if rs := ui.RowsetOf(n); rs != nil {
			rs.Label, rs.Help = x, x
			for i := range rs.Columns {
				foul(&rs.Columns[i], x)
			}
		}
	}
	for _, k := range keys {
		s.Draft, _ = s.Draft.With(ui.String(x), k)
	}
	s.Draft, _ = s.Draft.With(ui.Strings(x), "f_choices")
	s.Draft, _ = s.Draft.With(ui.String(x), "people", "r1", "f_text")
	s.Title, s.Nonce = x, x
	s.Errors = []ui.FieldError{{Path: "/draft/f_text", Text: x}, {Path: ui.Path(x), Text: x}}
	return s
}

func foul(f *ui.Field, x string) {
	f.Label, f.Help, f.Placeholder, f.Min, f.Max, f.Step, f.Accept = x, x, x, x, x, x, []string{x}
	for i := range f.Options {
		f.Options[i] = ui.Option{Value: fmt.Sprint(x, i), Label: x}
	}
}

// skeleton is the tags and attribute names of a drawing, in order.
func skeleton(t testing.TB, s *ui.Surface, o Options) string {
	var b strings.Builder
	for n := range parse(t, AppendSurface(nil, nil, s, o)).root.Descendants() {
		if n.Type == html.CommentNode || n.Type == html.DoctypeNode {
			t.Fatalf("a comment: %q", n.Data)
		}
		if n.Type != html.ElementNode || n.Data == "br" {
			continue
		}
		if !inPicture(n) { // what is in one is the law of package picture
			b.WriteString("<" + n.Data)
		}
		for _, a := range n.Attr {
			if !inPicture(n) {
				b.WriteString(" " + a.Key)
			}
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" {
				t.Fatalf("attribute %q", a.Key)
			}
			if (a.Key == "src" || a.Key == "href") && !ui.WebURL(a.Val) && !strings.HasPrefix(a.Val, "#") {
				t.Fatalf("%s=%q", a.Key, a.Val)
			}
		}
		if !inPicture(n) {
			b.WriteString(">")
		}
	}
	return b.String()
}

func inPicture(n *html.Node) bool {
	for up := n.Parent; up != nil; up = up.Parent {
		if up.Data == "svg" && up.Parent.Data == "div" {
			return true
		}
	}
	return false
}

func FuzzHostileStrings(f *testing.F) {
	for _, x := range []string{"plain", `"><script>alert(1)</script>`, `' onload='x`, "</textarea><b>",
		"</option></select><i>", "javascript:alert(1)", "a\x00b\u0085\ufffe",
		"\xff\xfe", "<!--", "]]>", "&lt;", "&#60;b&#62;", "\r\n\t", "</template></turbo-stream>", "https://a/\"x",
		"HTTPS://a", "\u202e"} {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, x string) {
		same := "plain" // a string that leaves out what an empty one leaves out
		if x == "" || ui.WebURL(x) || strings.HasPrefix(x, "/draft/") {
			return // these change the structure by right
		}
		o := Options{Action: x, Uploads: x, Words: ui.Words{"surface.locked": x, "required.mark": x, "choice.none": x,
			"tags.help": x, "table.add": x, "upload.remove": x, "upload.limit": x, "upload.large": x}, MaxUpload: 1}
		for _, status := range []ui.Status{ui.StatusOpen, ui.StatusSubmitted, ui.StatusExpired} {
			bad, good := hostile(x), hostile(same)
			bad.Status, good.Status = status, status
			if got, want := skeleton(t, bad, o), skeleton(t, good, Options{Uploads: same, MaxUpload: 1}); got != want {
				t.Fatalf("%q changes the structure:\n got %s\nwant %s", x, got, want)
			}
		}
		before, after := &ui.State{Surfaces: []*ui.Surface{hostile(same)}},
			&ui.State{Surfaces: []*ui.Surface{hostile(x)}}
		for _, s := range Update(before, after, nil, o) {
			if el := parse(t, []byte(s)).root.FirstChild; el.Data != "turbo-stream" || el.NextSibling != nil {
				t.Fatalf("%q leaves its stream: %s", x, s)
			}
		}
	})
}

// FuzzEscape: what a parser reads back is the string, apart from characters
// HTML cannot hold.
func FuzzEscape(f *testing.F) {
	f.Add("a<b>&\"'\n\r\t\x00\u0080é€😀\xff")
	f.Fuzz(func(t *testing.T, x string) {
		var want strings.Builder
		for _, r := range x { // each bad byte is one U+FFFD
			if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r <= 0x9f || r&0xfffe == 0xfffe {
				r = utf8.RuneError
			}
			want.WriteRune(r)
		}
		p := parse(t, append(appendEscaped([]byte(`<p title="`), x), `"></p>`...))
		if got := val(p.root.FirstChild, "title"); got != want.String() {
			t.Errorf("attribute %q read as %q, want %q", x, got, want.String())
		}
		p = parse(t, append(appendEscaped([]byte(`<p>`), x), `</p>`...))
		if got := text(p.root.FirstChild); got != want.String() {
			t.Errorf("text %q read as %q, want %q", x, got, want.String())
		}
	})
}

func TestWebURL(t *testing.T) {
	t.Parallel()
	for u, want := range map[string]bool{
		"https://example.com/a": true, "HTTP://x": true, "": false, "/a": false, "//x/a": false, "javascript:alert(1)": false, "java\nscript://x": false,
		"data:image/png;base64,x": false, "https:///x": false, "https://": false, " https://x": false, `https:\\x`: false, "mailto:a@b": false, "file://x": false,
	} {
		if ui.WebURL(u) != want {
			t.Errorf("ui.WebURL(%q) = %v", u, !want)
		}
	}
}

// TestIdentIsInjective on strings that a careless encoding would confuse.
func TestIdentIsInjective(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, s := range []string{"a/b", "aSb", "a:b", "aCb", "a_b", "a-b", "X2f", "/", "~1", "é", "Ã©", "a", ""} {
		id := string(appendIdent(nil, s))
		if other, ok := seen[id]; ok {
			t.Errorf("%q and %q are both %q", s, other, id)
		}
		seen[id] = s
	}
}
