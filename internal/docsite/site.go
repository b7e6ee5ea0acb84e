package docsite

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed assets
var assets embed.FS

var layout = template.Must(template.ParseFS(assets, "assets/page.html"))

// contents is the document that lists the others.
const contents = "docs/README.md"

// part is a section of the navigation.
type part struct {
	title string
	pages []*page
}

// site collects facts about the documents while they are read.
type site struct {
	root  string
	pages map[string]*page // by source, such as docs/http.md
	parts []part
	order []*page         // as a reader goes through them
	files map[string]bool // files of the repository that pages link to

	generated []string // sources of the pages that come from code
}

// Build makes the files of the site, by path, from the repository in the folder root.
func Build(root string) (map[string][]byte, error) {
	s := &site{root: root, pages: map[string]*page{}, files: map[string]bool{}}
	if err := s.readAll(); err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	if err := s.writePages(out); err != nil {
		return nil, err
	}
	if err := s.writeFiles(out); err != nil {
		return nil, err
	}
	return out, s.writeAssets(out)
}

// readAll reads the documents and puts them in order.
func (s *site) readAll() error {
	written, err := writePackages(s.root)
	if err != nil {
		return err
	}
	for source, write := range generated {
		if written[source], err = write(s.root); err != nil {
			return fmt.Errorf("write %s: %w", source, err)
		}
	}
	for source, text := range written {
		s.pages[source] = newPage(source, text)
	}
	s.generated = slices.SortedFunc(maps.Keys(written), func(x, y string) int {
		return cmp.Compare(strings.TrimSuffix(x, ".md"), strings.TrimSuffix(y, ".md"))
	})
	for _, source := range []string{"README.md", contents} {
		if _, err := s.page(source); err != nil {
			return err
		}
	}
	s.order = []*page{s.pages["README.md"], s.pages[contents]}
	for _, p := range s.pages[contents].sections[1:] {
		if err := s.addPart(p); err != nil {
			return err
		}
	}
	return s.noneLeft()
}

// addPart makes a section of the table of contents a part of the navigation.
func (s *site) addPart(of section) error {
	in := part{title: of.title}
	add := func(source string) error {
		p, err := s.page(source)
		if err != nil || slices.Contains(s.order, p) {
			return err
		}
		p.part = in.title
		in.pages, s.order = append(in.pages, p), append(s.order, p)
		return nil
	}
	for _, source := range of.links {
		if err := add(source); err != nil {
			return err
		}
		if path.Base(source) != "README.md" {
			continue
		}
		more, err := s.list(path.Dir(source))
		if err != nil {
			return err
		}
		for _, m := range more {
			if err := add(m); err != nil {
				return err
			}
		}
	}
	for _, source := range s.generated {
		if in.title == "Reference" {
			if err := add(source); err != nil {
				return err
			}
		}
	}
	s.parts = append(s.parts, in)
	return nil
}

// page reads a document once.
func (s *site) page(source string) (*page, error) {
	if p := s.pages[source]; p != nil {
		return p, nil
	}
	text, err := os.ReadFile(filepath.Join(s.root, source))
	if err != nil {
		return nil, err
	}
	s.pages[source] = newPage(source, text)
	return s.pages[source], nil
}

// list names the documents of a folder.
func (s *site) list(folder string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(s.root, folder, "*.md"))
	for i, f := range found {
		found[i] = path.Join(folder, filepath.Base(f))
	}
	return found, err
}

// noneLeft makes sure that each document is in the navigation.
func (s *site) noneLeft() error {
	for _, folder := range []string{"docs", "docs/howto", "docs/adr"} {
		list, err := s.list(folder)
		if err != nil {
			return err
		}
		for _, source := range list {
			if !slices.Contains(s.order, s.pages[source]) {
				return fmt.Errorf("%s is not in %s: link it there", source, contents)
			}
		}
	}
	return nil
}

// link is a link as the template writes it.
type link struct {
	Href, Text string
	Here       bool
}

// view is the data of the template.
type view struct {
	Title, Part, Root string
	Body              template.HTML
	Parts             []navPart
	TOC               []heading
	Prev, Next        *link
}

type navPart struct {
	Title string
	Links []link
}

// writePages renders every page that the navigation has, and those they link to.
func (s *site) writePages(out map[string][]byte) error {
	for done := map[*page]bool{}; len(done) < len(s.pages); {
		for _, source := range slices.Sorted(maps.Keys(s.pages)) {
			p := s.pages[source]
			if done[p] {
				continue
			}
			done[p] = true
			var b bytes.Buffer
			body, err := s.render(p)
			if err != nil {
				return err
			}
			if err := layout.Execute(&b, s.view(p, body)); err != nil {
				return err
			}
			out[p.target()] = b.Bytes()
		}
	}
	return nil
}

// nested reports a page that the navigation shows only beside its siblings: one in a
// folder with a README.
func (s *site) nested(p *page) bool {
	index := path.Join(path.Dir(p.source), "README.md")
	return strings.Contains(path.Dir(p.source), "/") && p.source != index && s.pages[index] != nil
}

func (s *site) view(p *page, body []byte) view {
	v := view{Title: p.title, Part: p.part, Body: template.HTML(body), TOC: p.headings, Root: p.relative("")}
	for _, in := range s.parts {
		nav := navPart{Title: in.title}
		for _, q := range in.pages {
			if own := path.Dir(q.source) == path.Dir(p.source); s.nested(q) && !own {
				continue
			}
			nav.Links = append(nav.Links, *p.linkTo(q))
		}
		v.Parts = append(v.Parts, nav)
	}
	if i := slices.Index(s.order, p); i >= 0 {
		if i > 0 {
			v.Prev = p.linkTo(s.order[i-1])
		}
		if i+1 < len(s.order) {
			v.Next = p.linkTo(s.order[i+1])
		}
	}
	return v
}

// writeFiles adds the files that pages link to: pictures as they are, sources as pages.
func (s *site) writeFiles(out map[string][]byte) error {
	for name := range s.files {
		b, err := os.ReadFile(filepath.Join(s.root, name))
		if err != nil {
			return err
		}
		if isPicture(name) {
			out[name] = b
			continue
		}
		p := &page{source: name, title: name}
		var text, page bytes.Buffer
		template.HTMLEscape(&text, b)
		body := fmt.Sprintf("<h1>%s</h1>\n<pre><code>%s</code></pre>\n", template.HTMLEscapeString(name), &text)
		if err := layout.Execute(&page, s.view(p, []byte(body))); err != nil {
			return err
		}
		out[p.target()] = page.Bytes()
	}
	return nil
}

// entry is a section of a page in the index of the search.
type entry struct {
	URL   string `json:"u"`
	Page  string `json:"p"`
	Title string `json:"t"`
	Text  string `json:"x"`
}

// writeAssets adds the look, which has the colours of the chat page, and the search.
func (s *site) writeAssets(out map[string][]byte) error {
	limn, err := os.ReadFile(filepath.Join(s.root, "web/page/limn.css"))
	if err != nil {
		return err
	}
	variables, _, ok := strings.Cut(string(limn), "\n}\n")
	if !ok {
		return fmt.Errorf("web/page/limn.css does not begin with its variables")
	}
	own, err := assets.ReadFile("assets/site.css")
	if err != nil {
		return err
	}
	out["site.css"] = append([]byte(variables+"\n}\n\n"), own...)
	if out["search.js"], err = assets.ReadFile("assets/search.js"); err != nil {
		return err
	}
	var index []entry
	for _, p := range s.order {
		for _, sec := range p.sections {
			u := p.target()
			if sec.id != "" {
				u += "#" + sec.id
			}
			index = append(index, entry{u, p.title, sec.title, sec.text})
		}
	}
	out["search.json"], err = json.Marshal(index)
	return err
}
