package docsite

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// reader is Markdown as the hosts of repositories read it. HTML is left out.
var reader = goldmark.New(goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// page is a document.
type page struct {
	source, title, part string
	text                []byte
	doc                 ast.Node
	headings            []heading // of the second and third level
	sections            []section
}

// heading is a line of the page's table of contents.
type heading struct {
	ID, Text string
	Level    int
}

// section is a heading with what follows it up to the next one.
type section struct {
	id, title, text string
	links           []string // documents it links to as a whole, by source
}

func newPage(source string, src []byte) *page {
	p := &page{source: source, text: src}
	ids := parser.NewContext(parser.WithIDs(&anchors{}))
	p.doc = reader.Parser().Parse(text.NewReader(src), parser.WithContext(ids))
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			p.extend(n)
			continue
		}
		id, _ := h.AttributeString("id")
		s := section{id: fmt.Sprintf("%s", id), title: plain(h, src)}
		switch {
		case h.Level == 1 && p.title == "":
			p.title, s.id = s.title, ""
		case h.Level <= 3:
			p.headings = append(p.headings, heading{s.id, s.title, h.Level})
		}
		p.sections = append(p.sections, s)
	}
	return p
}

// extend adds a block to the section it is in.
func (p *page) extend(block ast.Node) {
	if len(p.sections) == 0 {
		p.sections = []section{{}}
	}
	s := &p.sections[len(p.sections)-1]
	s.text = strings.TrimSpace(s.text + " " + plain(block, p.text))
	for _, n := range links(block) {
		l := destination(n)
		u, err := url.Parse(string(*l))
		if err == nil && !u.IsAbs() && u.Fragment == "" && path.Ext(u.Path) == ".md" {
			s.links = append(s.links, path.Join(path.Dir(p.source), u.Path))
		}
	}
}

// plain returns the text of a node, with single spaces.
func plain(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(src))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.HTMLBlock:
			return ast.WalkSkipChildren, nil
		default:
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
				for i := 0; entering && n.IsRaw() && i < n.Lines().Len(); i++ {
					line := n.Lines().At(i)
					b.Write(line.Value(src))
				}
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// links are the links and pictures in a node.
func links(n ast.Node) (out []ast.Node) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && destination(n) != nil {
			out = append(out, n)
		}
		return ast.WalkContinue, nil
	})
	return out
}

// destination is where a link or picture has its address; nil for other nodes.
func destination(n ast.Node) *[]byte {
	switch n := n.(type) {
	case *ast.Link:
		return &n.Destination
	case *ast.Image:
		return &n.Destination
	}
	return nil
}

// render writes the HTML of a page, with its links as the site needs them.
func (s *site) render(p *page) ([]byte, error) {
	for _, n := range links(p.doc) {
		at := destination(n)
		to, err := s.resolve(p, string(*at))
		if err != nil {
			return nil, fmt.Errorf("%s links to %s: %w", p.source, *at, err)
		}
		file, id, _ := strings.Cut(string(*at), "#")
		if q := s.pages[path.Join(path.Dir(p.source), file)]; q != nil && plain(n, p.text) == file {
			n.RemoveChildren(n) // a link that reads as its file says the title instead
			n.AppendChild(n, ast.NewString([]byte(q.titleOf(id))))
		}
		*at = []byte(to)
	}
	var b bytes.Buffer
	err := reader.Renderer().Render(&b, p.text, p.doc)
	return b.Bytes(), err
}

// resolve turns an address in a document into one of the site.
func (s *site) resolve(p *page, address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.IsAbs() {
		return address, err
	}
	source := p.source
	if u.Path != "" {
		source = path.Join(path.Dir(p.source), u.Path)
	}
	if at := goSource(path.Dir(source)); path.Base(source) == "doc.go" && s.pages[at] != nil {
		source = at
	}
	if path.Ext(source) == ".md" {
		to, err := s.page(source)
		if err != nil {
			return "", err
		}
		if u.Fragment != "" && !to.has(u.Fragment) {
			return "", fmt.Errorf("%s has no heading #%s", source, u.Fragment)
		}
		u.Path = p.relative(to.target())
		return u.String(), nil
	}
	if info, err := os.Stat(filepath.Join(s.root, source)); err != nil || info.IsDir() {
		return "", fmt.Errorf("%s is no file", source)
	}
	s.files[source] = true
	u.Path = p.relative((&page{source: source}).target())
	return u.String(), nil
}

// has reports whether the page has a heading with the anchor.
func (p *page) has(id string) bool {
	found := false
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if at, ok := n.AttributeString("id"); ok && fmt.Sprintf("%s", at) == id {
			found = true
		}
		return ast.WalkContinue, nil
	})
	return found
}

// titleOf is the heading with the anchor, or the title of the page.
func (p *page) titleOf(id string) string {
	if i := slices.IndexFunc(p.sections, func(s section) bool { return s.id == id }); i >= 0 && id != "" {
		return p.sections[i].title
	}
	return p.title
}

// target is the path of the page in the site.
func (p *page) target() string {
	switch dir, name := path.Split(p.source); {
	case name == "README.md":
		return dir + "index.html"
	case path.Ext(name) == ".md":
		return dir + strings.TrimSuffix(name, ".md") + ".html"
	case isPicture(name):
		return p.source
	default:
		return p.source + ".html"
	}
}

// relative is the way from the page to a path of the site.
func (p *page) relative(to string) string {
	return strings.Repeat("../", strings.Count(p.source, "/")) + to
}

func (p *page) linkTo(q *page) *link {
	return &link{Href: p.relative(q.target()), Text: q.title, Here: p == q}
}

func isPicture(name string) bool {
	return slices.Contains([]string{".svg", ".png", ".webp"}, path.Ext(name))
}

// anchors makes the ids of headings as the hosts of repositories do.
type anchors struct{ used []string }

var noAnchor = regexp.MustCompile(`[^\w -]`)

// Generate makes an id that the page does not have yet.
func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	base := strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(string(value)), ""), " ", "-")
	id := base
	for i := 1; slices.Contains(a.used, id); i++ {
		id = fmt.Sprintf("%s-%d", base, i)
	}
	a.used = append(a.used, id)
	return []byte(id)
}

// Put notes an id that a document gives itself.
func (a *anchors) Put(value []byte) { a.used = append(a.used, string(value)) }
