package docsite

import (
	"bytes"
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	module  = "github.com/limn-ui/limn"
	goIndex = "docs/go/README.md"
)

// goPackage is a package that programs may import.
type goPackage struct {
	*doc.Package
	short   string // its path below the module, or limn
	source  string
	anchors map[string]string    // of its types, functions and methods, by name or Type.Name
	means   map[string]*doc.Type // the types of our packages that aliases denote, by alias
}

// packages reads packages below a folder.
type packages struct {
	root string
	fset *token.FileSet
}

// writePackages documents the packages that programs import, from their comments, a
// page each, and a page that lists them.
func writePackages(root string) (map[string][]byte, error) {
	r, all := packages{root, token.NewFileSet()}, map[string]*goPackage{}
	err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			return err
		}
		_, own := os.Stat(filepath.Join(dir, "go.mod"))
		if name := d.Name(); rel != "." && (own == nil || strings.HasPrefix(name, ".") ||
			slices.Contains([]string{"internal", "cmd", "examples", "testdata", "node_modules"}, name)) {
			return filepath.SkipDir
		}
		p, files, err := r.read(path.Join(module, filepath.ToSlash(rel)))
		if err == nil && p != nil {
			all[p.ImportPath], err = r.describe(p, files)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	index := bytes.NewBufferString("# Go packages\n\nWhat a program may import, from the comments in the code." +
		"\n\n| package | |\n|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p := all[name]
		fmt.Fprintf(index, "| [%s](%s) | %s |\n", p.short, path.Base(p.source), cell(p.Synopsis(p.Doc)))
		if out[p.source], err = p.page(r.fset, all); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	out[goIndex] = index.Bytes()
	return out, nil
}

// goSource is the source of the page of a package.
func goSource(short string) string { return "docs/go/" + strings.ReplaceAll(short, "/", "-") + ".md" }

// read reads a package as it is on Linux; nil if it is a command or has no code.
func (r packages) read(name string) (*doc.Package, []*ast.File, error) {
	dir := filepath.Join(r.root, strings.TrimPrefix(name, module))
	list, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, nil, err
	}
	ctx := gobuild.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = "linux", "amd64", false
	var files []*ast.File
	code := false
	for _, file := range list {
		if ok, err := ctx.MatchFile(dir, filepath.Base(file)); err != nil || !ok {
			if err != nil {
				return nil, nil, err
			}
			continue
		}
		f, err := parser.ParseFile(r.fset, file, nil, parser.ParseComments)
		if err != nil {
			return nil, nil, err
		}
		if f.Name.Name == "main" {
			return nil, nil, nil
		}
		code = code || !strings.HasSuffix(file, "_test.go")
		files = append(files, f)
	}
	if !code {
		return nil, nil, nil
	}
	p, err := doc.NewFromFiles(r.fset, files, name)
	return p, files, err
}

// describe gives a package its page, with the methods of the types that its aliases
// denote, and an anchor for each thing on it.
func (r packages) describe(p *doc.Package, files []*ast.File) (*goPackage, error) {
	short := strings.TrimPrefix(p.ImportPath, path.Dir(module)+"/")
	short = strings.TrimPrefix(short, path.Base(module)+"/")
	g := &goPackage{p, short, goSource(short), map[string]string{}, map[string]*doc.Type{}}
	ids := &anchors{}
	note := func(name, title string) { g.anchors[name] = string(ids.Generate([]byte(title), 0)) }
	values := func(at string, list []*doc.Value) {
		for _, v := range list {
			for _, name := range v.Names {
				g.anchors[name] = at
			}
		}
	}
	values("constants", p.Consts)
	values("variables", p.Vars)
	for _, f := range p.Funcs {
		note(f.Name, funcTitle(f))
	}
	for _, t := range p.Types {
		if err := r.follow(g, t, files); err != nil {
			return nil, err
		}
		note(t.Name, typeTitle(t))
		values(g.anchors[t.Name], slices.Concat(t.Consts, t.Vars))
		for _, f := range t.Funcs {
			note(f.Name, funcTitle(f))
		}
		for _, f := range t.Methods {
			note(t.Name+"."+f.Name, funcTitle(f))
		}
	}
	return g, nil
}

// follow records the type that an alias denotes, if it is in a package of ours.
func (r packages) follow(g *goPackage, t *doc.Type, files []*ast.File) error {
	spec, ok := t.Decl.Specs[0].(*ast.TypeSpec)
	if !ok || !spec.Assign.IsValid() {
		return nil
	}
	of, ok := spec.Type.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	at := r.fset.Position(spec.Pos()).Filename
	for _, f := range files {
		if r.fset.Position(f.Pos()).Filename != at {
			continue
		}
		for _, i := range f.Imports {
			from := strings.Trim(i.Path.Value, `"`)
			name := path.Base(from)
			if i.Name != nil {
				name = i.Name.Name
			}
			if id, ok := of.X.(*ast.Ident); !ok || id.Name != name || !strings.HasPrefix(from, module+"/") {
				continue
			}
			p, _, err := r.read(from)
			if err != nil {
				return err
			}
			for _, meant := range p.Types {
				if meant.Name == of.Sel.Name {
					g.means[t.Name], t.Methods = meant, meant.Methods
				}
			}
		}
	}
	return nil
}

func typeTitle(t *doc.Type) string { return "type " + t.Name }

func funcTitle(f *doc.Func) string {
	if f.Recv == "" {
		return "func " + f.Name
	}
	return fmt.Sprintf("func (%s) %s", f.Recv, f.Name)
}

// page writes the document of a package.
func (p *goPackage) page(fset *token.FileSet, all map[string]*goPackage) ([]byte, error) {
	w := &goWriter{goPackage: p, fset: fset, all: all}
	fmt.Fprintf(&w.b, "# package %s\n\n```go\nimport %q\n```\n\n", p.short, p.ImportPath)
	w.text(p.Doc)
	w.examples(p.Examples)
	w.values("Constants", p.Consts)
	w.values("Variables", p.Vars)
	w.funcs("##", p.Funcs)
	for _, t := range p.Types {
		fmt.Fprintf(&w.b, "\n## %s\n\n", typeTitle(t))
		w.code(t.Decl)
		w.text(t.Doc)
		if is := p.means[t.Name]; is != nil {
			w.code(is.Decl)
			w.text(is.Doc)
		}
		w.values("", slices.Concat(t.Consts, t.Vars))
		w.examples(t.Examples)
		w.funcs("###", slices.Concat(t.Funcs, t.Methods))
	}
	return w.b.Bytes(), w.err
}

// goWriter writes the page of a package.
type goWriter struct {
	*goPackage
	fset *token.FileSet
	all  map[string]*goPackage
	b    bytes.Buffer
	err  error
}

// text writes a comment, with links for the names in brackets.
func (w *goWriter) text(text string) {
	printer := w.Printer()
	printer.HeadingLevel, printer.HeadingID = 4, func(*comment.Heading) string { return "" }
	printer.DocLinkURL = w.link
	w.b.Write(printer.Markdown(w.Parser().Parse(text)))
	w.b.WriteByte('\n')
}

// link returns the address of a name in a comment; a field has the address of its type.
func (w *goWriter) link(to *comment.DocLink) string {
	p := w.goPackage
	if to.ImportPath != "" && to.ImportPath != w.ImportPath {
		if p = w.all[to.ImportPath]; p == nil {
			return to.DefaultURL("https://pkg.go.dev/")
		}
	}
	at := p.anchors[to.Name]
	if to.Recv != "" {
		at = p.anchors[to.Recv]
		if method := p.anchors[to.Recv+"."+to.Name]; method != "" {
			at = method
		}
	}
	if at != "" {
		at = "#" + at
	}
	if p == w.goPackage {
		return at
	}
	return path.Base(p.source) + at
}

func (w *goWriter) funcs(level string, list []*doc.Func) {
	for _, f := range list {
		fmt.Fprintf(&w.b, "\n%s %s\n\n", level, funcTitle(f))
		w.code(f.Decl)
		w.text(f.Doc)
		w.examples(f.Examples)
	}
}

func (w *goWriter) values(title string, list []*doc.Value) {
	if title != "" && len(list) > 0 {
		fmt.Fprintf(&w.b, "\n## %s\n\n", title)
	}
	for _, v := range list {
		w.code(v.Decl)
		w.text(v.Doc)
	}
}

func (w *goWriter) examples(list []*doc.Example) {
	for _, e := range list {
		w.b.WriteString("\nExample")
		if e.Suffix != "" {
			fmt.Fprintf(&w.b, " (%s)", e.Suffix)
		}
		w.b.WriteString(":\n\n")
		w.text(e.Doc)
		w.code(&printer.CommentedNode{Node: e.Code, Comments: e.Comments})
		if e.Output != "" {
			fmt.Fprintf(&w.b, "It prints\n\n```text\n%s\n```\n", strings.TrimSpace(e.Output))
		}
	}
}

// code writes a declaration without its comment and body, or the code of an example.
func (w *goWriter) code(node any) {
	switch n := node.(type) {
	case *ast.GenDecl:
		n.Doc = nil
		node = &printer.CommentedNode{Node: n, Comments: commentsIn(n)}
	case *ast.FuncDecl:
		n.Doc, n.Body = nil, nil
	}
	var b bytes.Buffer
	if err := format.Node(&b, w.fset, node); err != nil && w.err == nil {
		w.err = err
	}
	text := strings.TrimSpace(b.String())
	if inner, ok := strings.CutPrefix(text, "{\n"); ok { // a block
		text = strings.ReplaceAll(strings.TrimSuffix("\n"+inner, "\n}"), "\n\t", "\n")
		text, _, _ = strings.Cut(text, "\n// Output:")
	}
	fmt.Fprintf(&w.b, "```go\n%s\n```\n\n", strings.Trim(text, "\n"))
}

// commentsIn are the comments of the parts of a declaration.
func commentsIn(n ast.Node) (out []*ast.CommentGroup) {
	ast.Inspect(n, func(n ast.Node) bool {
		if c, ok := n.(*ast.CommentGroup); ok {
			out = append(out, c)
		}
		return true
	})
	return out
}
