// Package markdown renders the text of a model as HTML that is safe in a page.
//
// In: text of any origin. Out: HTML made of the elements below and nothing else:
// paragraphs, emphasis, code, lists, quotes, tables, headings from h3 on, rules,
// and links to http, https and mailto addresses. Raw HTML is text, an image is a
// link, and reference links are not read. A line break is a line break.
//
// Callers: deliver for the transcript of a page, html for texts. Only this package imports goldmark.
package markdown

import (
	"bufio"
	"bytes"
	stdhtml "html"
	"net/url"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Bounds. A text beyond one of them is shown as it is written.
const (
	maxBytes = 16 << 10
	maxDepth = 16     // of nested blocks
	maxCells = 10_000 // of tables, counted as lines × the most bars of a line

	// What may open a link, and what may open emphasis or code. Those without an end take time that
	// grows with their square.
	maxBrackets = 1000
	maxMarks    = 2000
)

// blocks reads everything of CommonMark but raw HTML and reference links, which
// could make much output of little input.
var blocks = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
		))),
	goldmark.WithExtensions(extension.Table, extension.Strikethrough),
).Parser()

// HTML renders a text. It reports false for a text in which nothing would look
// other than it is written, or that is beyond the bounds: show that as text.
func HTML(s string) (string, bool) {
	if !strings.ContainsAny(s, "*_`#[<|>~-+=\\&0123456789") || len(s) > maxBytes || costly(s) {
		return "", false
	}
	src := []byte(s)
	doc := blocks.Parse(text.NewReader(src))
	if plain(doc) {
		return "", false
	}
	r := &renderer{src: src}
	r.w = bufio.NewWriter(&r.out)
	r.children(doc, 0)
	r.w.Flush() //nolint:errcheck // to memory
	return r.out.String(), true
}

// costly reports a text that takes long to read, is nested deeply within a line, or whose tables
// could be much larger than it is.
func costly(s string) bool {
	lines, bars, brackets, marks := 0, 0, 0, 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			brackets++
		case '*', '_', '`', '~':
			marks++
		}
	}
	if brackets > maxBrackets || marks > maxMarks {
		return true
	}
	for line := range strings.Lines(s) {
		lines, bars = lines+1, max(bars, strings.Count(line, "|"))
		depth := 0
		for i := 0; i < len(line) && strings.IndexByte(" \t>-*+.)0123456789", line[i]) >= 0; i++ {
			if line[i] == '>' || i > 0 && line[i] == ' ' && strings.IndexByte("-*+.)", line[i-1]) >= 0 {
				depth++
			}
		}
		if depth > maxDepth {
			return true
		}
	}
	return lines*bars > maxCells
}

// plain reports a document of one paragraph without anything in it but text.
func plain(doc ast.Node) bool {
	p := doc.FirstChild()
	if p == nil || doc.ChildCount() != 1 || p.Kind() != ast.KindParagraph {
		return p == nil
	}
	for n := p.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != ast.KindText {
			return false
		}
	}
	return true
}

type renderer struct {
	src []byte
	out bytes.Buffer
	w   *bufio.Writer
}

func (r *renderer) children(n ast.Node, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.node(c, depth+1)
	}
}

func (r *renderer) put(s string) { r.w.WriteString(s) } //nolint:errcheck // to memory

func (r *renderer) in(open, close string, n ast.Node, depth int) {
	if depth > maxDepth { // only its text
		open, close = "", " "
	}
	r.put(open)
	r.children(n, depth)
	r.put(close)
}

func (r *renderer) node(n ast.Node, depth int) {
	switch n := n.(type) {
	case *ast.Paragraph:
		r.in("<p>", "</p>", n, depth)
	case *ast.Heading:
		h := "h" + strconv.Itoa(min(n.Level+2, 6))
		r.in("<"+h+">", "</"+h+">", n, depth)
	case *ast.Blockquote:
		r.in("<blockquote>", "</blockquote>", n, depth)
	case *ast.List:
		switch {
		case !n.IsOrdered():
			r.in("<ul>", "</ul>", n, depth)
		case n.Start == 1:
			r.in("<ol>", "</ol>", n, depth)
		default:
			r.in(`<ol start="`+strconv.Itoa(n.Start)+`">`, "</ol>", n, depth)
		}
	case *ast.ListItem:
		r.in("<li>", "</li>", n, depth)
	case *ast.ThematicBreak:
		r.put("<hr>")
	case *ast.CodeBlock:
		r.code(n)
	case *ast.FencedCodeBlock:
		r.code(n)
	case *extast.Table:
		r.in(`<div class="limn-scroll" tabindex="0"><table>`, "</table></div>", n, depth)
	case *extast.TableHeader:
		r.in("<thead><tr>", "</tr></thead>", n, depth)
	case *extast.TableRow:
		r.in("<tr>", "</tr>", n, depth)
	case *extast.TableCell:
		if n.Parent().Kind() == extast.KindTableHeader {
			r.in(`<th scope="col">`, "</th>", n, depth)
		} else {
			r.in("<td>", "</td>", n, depth)
		}
	default:
		r.inline(n, depth)
	}
}

func (r *renderer) inline(n ast.Node, depth int) {
	switch n := n.(type) {
	case *ast.Text:
		html.DefaultWriter.Write(r.w, n.Segment.Value(r.src))
		if n.SoftLineBreak() || n.HardLineBreak() {
			r.put("<br>")
		}
	case *ast.String:
		r.put(stdhtml.EscapeString(string(n.Value)))
	case *ast.CodeSpan:
		r.put("<code>")
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				r.put(stdhtml.EscapeString(strings.ReplaceAll(string(t.Segment.Value(r.src)), "\n", " ")))
			}
		}
		r.put("</code>")
	case *ast.Emphasis:
		if n.Level >= 2 {
			r.in("<strong>", "</strong>", n, depth)
		} else {
			r.in("<em>", "</em>", n, depth)
		}
	case *extast.Strikethrough:
		r.in("<del>", "</del>", n, depth)
	case *ast.Link:
		open, close := anchor(n.Destination)
		r.in(open, close, n, depth)
	case *ast.Image:
		open, close := anchor(n.Destination)
		r.in(open, close, n, depth)
	case *ast.AutoLink:
		open, close := "", ""
		if n.AutoLinkType == ast.AutoLinkURL {
			open, close = anchor(n.URL(r.src))
		}
		r.put(open + stdhtml.EscapeString(string(n.Label(r.src))) + close)
	default:
		r.children(n, depth)
	}
}

// code writes the lines of a block. It can be scrolled, so it can have focus.
func (r *renderer) code(n ast.Node) {
	r.put(`<pre tabindex="0"><code>`)
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		r.put(stdhtml.EscapeString(string(line.Value(r.src))))
	}
	r.put("</code></pre>")
}

// anchor returns the marks of a link, or none if its address is not allowed.
// What is written is the address that was looked at.
func anchor(dest []byte) (open, close string) {
	dest = util.ResolveNumericReferences(util.ResolveEntityNames(util.UnescapePunctuations(dest)))
	u, err := url.Parse(string(dest))
	if err != nil {
		return "", ""
	}
	switch u.Scheme {
	case "http", "https":
		if u.Host == "" || u.User != nil { // https://bank.example@other.example reads like another host
			return "", ""
		}
	case "mailto":
	default:
		return "", ""
	}
	return `<a href="` + stdhtml.EscapeString(u.String()) + `" target="_blank" rel="noopener noreferrer nofollow">`,
		"</a>"
}
