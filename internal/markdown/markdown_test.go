package markdown

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

func TestHTML(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"**Bold** and *soft*\nnext":           "<p><strong>Bold</strong> and <em>soft</em><br>next</p>",
		"# Title\n\ntext `a<b` ~~no~~":        "<h3>Title</h3><p>text <code>a&lt;b</code> <del>no</del></p>",
		"- a\n- b\n  1. c":                    "<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>",
		"3. x\n4. y":                          `<ol start="3"><li>x</li><li>y</li></ol>`,
		"> q":                                 "<blockquote><p>q</p></blockquote>",
		"```go\nif a < b {}\n```":             "<pre tabindex=\"0\"><code>if a &lt; b {}\n</code></pre>",
		"| a | b |\n|---|---|\n| 1 | <b> |":   `<div class="limn-scroll" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tr><td>1</td><td>&lt;b&gt;</td></tr></table></div>`,
		"[x](https://a.example/?q=1&r=2)":     `<p><a href="https://a.example/?q=1&amp;r=2" target="_blank" rel="noopener noreferrer nofollow">x</a></p>`,
		"<https://a.example>":                 `<p><a href="https://a.example" target="_blank" rel="noopener noreferrer nofollow">https://a.example</a></p>`,
		"![alt *x*](https://a.example/p.png)": `<p><a href="https://a.example/p.png" target="_blank" rel="noopener noreferrer nofollow">alt <em>x</em></a></p>`,
		"*a* &amp; \\*b\\*":                   "<p><em>a</em> &amp; *b*</p>",
		"a\n\n---\n\nb":                       "<p>a</p><hr><p>b</p>",
		"*x* <img src=x onerror=alert(1)>":    "<p><em>x</em> &lt;img src=x onerror=alert(1)&gt;</p>",
	} {
		if got, ok := HTML(in); got != want || !ok {
			t.Errorf("%q: %s\nwant %s", in, got, want)
		}
	}
	for _, in := range []string{"", "Hello.", "1 < 2", "Two\nlines, 20 of them - or so",
		strings.Repeat("> ", 20) + "deep", strings.Repeat("a*b* ", maxBytes)} {
		if got, ok := HTML(in); ok {
			t.Errorf("%.40q: %.80s", in, got)
		}
	}
}

// elements lists what HTML may write: elements and their attributes.
var elements = map[string][]string{"p": nil, "em": nil, "strong": nil, "del": nil, "code": nil, "pre": {"tabindex"},
	"ul": nil, "ol": {"start"}, "li": nil,
	"blockquote": nil, "h3": nil, "h4": nil, "h5": nil, "h6": nil, "hr": nil, "br": nil, "a": {"href", "target", "rel"}, "div": {"class", "tabindex"},
	"table": nil, "thead": nil, "tr": nil, "th": {"scope"}, "td": nil}

var allowed = regexp.MustCompile(`^(https?://[^/]|mailto:)`)

// safe holds what was written to the list of elements, as a browser tokenizes it.
func safe(t *testing.T, in, out string) {
	t.Helper()
	for z, open := html.NewTokenizer(strings.NewReader(out)), 0; ; {
		switch z.Next() {
		case html.ErrorToken:
			if z.Err() != io.EOF || open != 0 {
				t.Errorf("%q: %v, %d elements are open in %s", in, z.Err(), open, out)
			}
			return
		case html.StartTagToken:
			tag := z.Token()
			attrs, ok := elements[tag.Data]
			if !ok {
				t.Errorf("%q: element %q in %s", in, tag.Data, out)
			}
			for _, a := range tag.Attr {
				if !slices.Contains(attrs, a.Key) || a.Key == "href" && !allowed.MatchString(a.Val) {
					t.Errorf("%q: %s=%q in %s", in, a.Key, a.Val, out)
				}
			}
			if tag.Data != "br" && tag.Data != "hr" {
				open++
			}
		case html.EndTagToken:
			open--
		case html.CommentToken, html.DoctypeToken, html.SelfClosingTagToken:
			t.Errorf("%q: %s", in, out)
		}
	}
}

var hostile = []string{
	"*x* <script>alert(1)</script>", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>\n\n*x*", "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))",
	"[x](java&#115;cript:alert(1))", "[x](javascript&colon;alert(1))", "[x](java\tscript:alert(1))", "[x]( javascript:alert(1))", "[x](<javascript:alert(1)>)", "<javascript:alert(1)>",
	"[x](data:text/html,<script>alert(1)</script>)", "[x](vbscript:x)", "[x](file:///etc/passwd)", "[x](//evil.example)", "[x](/logout)", "[x](https:evil)", "[x](https://bank.example@evil.example)",
	`[x](https://a.example/"onmouseover="alert(1))`, `[x](https://a.example "title" onclick=alert(1))`, "[x](https://a.example/<script>)", "![x](javascript:alert(1))", `![x"onerror=alert(1)](https://a.example)`,
	"[*x](https://a.example)*", "`<script>`", "```\n</code></pre><script>alert(1)</script>\n```", "```\"><script>alert(1)</script>\nx\n```", "| <script> |\n|---|\n| </td><script>alert(1)</script> |",
	"&lt;script&gt;alert(1)&lt;/script&gt; *x*", "&#60;script&#62; *x*", "# <svg onload=alert(1)>", "> <iframe src=x>", "- <!-- *x*", "<!-- --> *x*", "<a href=javascript:alert(1)>*x*</a>",
	"*x* \\<script>", "[x]: javascript:alert(1)\n\n[x]", "<mailto:a@b.c>", "<a@b.c>", "*x* \x00<script>", "*x* \xff<script>", "**[a](https://x.example)[b](javascript:x)**", "[a](https://x.example/\u202e)", "[x](https://a.example/%0d%0aSet-Cookie:x)",
}

func TestHostile(t *testing.T) {
	t.Parallel()
	for _, in := range hostile {
		out, _ := HTML(in)
		safe(t, in, out)
	}
}

func FuzzHTML(f *testing.F) {
	for _, in := range hostile {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		out, _ := HTML(in)
		safe(t, in, out)
		if len(out) > 64*len(in)+1024 {
			t.Errorf("%d bytes of %d", len(out), len(in))
		}
	})
}

// TestMarks: a text with very many marks is not read, a long list of links is.
func TestMarks(t *testing.T) {
	t.Parallel()
	for unit, want := range map[string]bool{"[a](": false, "_a__b*": false, `[a]("x `: false, "a``b`": false,
		"- [A page](https://a.example/page)\n": true, "- **bold** words of `code`, no more\n": true} {
		n := min(maxBytes-10, 300*len(unit))
		if !want {
			n = maxBytes - 10
		}
		if _, ok := HTML("# a\n\n" + strings.Repeat(unit, n/len(unit))); ok != want {
			t.Errorf("%d times %q: rendered %v", n/len(unit), unit, ok)
		}
	}
	if _, ok := HTML("```json\n[" + strings.Repeat("[13.4, 52.5],\n", 900) + "]\n```"); !ok {
		t.Error("the points of a map as code are not rendered")
	}
}

// TestWorstCase: no text within the bounds takes long, or becomes much larger.
func TestWorstCase(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{">", "> ", "- ", "1. ", "*", "**a ", "*a _b ", "_a*", "[", "[a](", "![", "`", "`a``",
		"<", "<a:", "|", "|a", "~~", "~~a ", "\\", "&", "a\n", "\n\n- a", "#\n", "```\n", "|\n|-\n", "](", "[a](b)",
		"\n> - ", "\t", "* * ", "[](<", "[a](<b"} {
		in := strings.Repeat(unit, maxBytes/len(unit))
		began := time.Now()
		out, _ := HTML(in)
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%q takes %v", unit, took)
		} else if took > 50*time.Millisecond {
			t.Logf("%q takes %v", unit, took)
		}
		if len(out) > 64*len(in) {
			t.Errorf("%q: %d bytes of %d", unit, len(out), len(in))
		}
	}
	nested := ""
	for i := range 180 {
		nested += strings.Repeat("  ", i) + "- a\n"
	}
	out, _ := HTML(nested)
	safe(t, "nested lists", out)
	if n := strings.Count(out, "<ul>"); n > maxDepth {
		t.Errorf("lists nested %d deep", n)
	}
}
