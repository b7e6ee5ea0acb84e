package archtest

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestGlossary holds the exported names to docs/glossary.md: none has a word of
// its column "instead of".
func TestGlossary(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	instead := glossary(t, filepath.Join(root, "docs", "glossary.md"))
	tree, err := Load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range tree.Packages {
		for _, f := range p.Files {
			if f.Test {
				continue
			}
			for _, name := range exported(f.Syntax) {
				where := strings.TrimPrefix(p.Dir+"."+name, ".")
				if word, ok := avoided(instead, name); ok && !slices.Contains(older[word], where) {
					t.Errorf("%s: %s has the word %q: docs/glossary.md says %q", f.Path, name, word, instead[word])
				}
			}
		}
	}
}

// glossary reads the table: each word to avoid, in lower case, with the word to use.
func glossary(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	row, word := regexp.MustCompile(`(?m)^\| ([^|]+) \| [^|]+ \| ([^|]*) \|$`), regexp.MustCompile("`([A-Z][a-zA-Z]+)`")
	for _, r := range row.FindAllStringSubmatch(string(text), -1) {
		for _, w := range word.FindAllStringSubmatch(r[2], -1) {
			out[strings.ToLower(w[1])] = r[1]
		}
	}
	if len(out) < 20 {
		t.Fatalf("only %d words to avoid are found in %s", len(out), file)
	}
	return out
}

// exported lists the exported names that a file declares: Name, Type.Method, Type.Field.
func exported(f *ast.File) []string {
	var out []string
	add := func(owner string, names ...*ast.Ident) {
		for _, n := range names {
			if n.IsExported() {
				out = append(out, owner+n.Name)
			}
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			owner := ""
			if d.Recv != nil {
				owner = receiver(d.Recv.List[0].Type) + "."
			}
			if owner == "" || ast.IsExported(owner) {
				add(owner, d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					add("", s.Names...)
				case *ast.TypeSpec:
					add("", s.Name)
					if s.Name.IsExported() {
						members(s.Type, func(n *ast.Ident) { add(s.Name.Name+".", n) })
					}
				}
			}
		}
	}
	return out
}

// members calls f for the fields of a struct and the methods of an interface.
func members(t ast.Expr, f func(*ast.Ident)) {
	var fields *ast.FieldList
	switch t := t.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	default:
		return
	}
	for _, field := range fields.List {
		for _, n := range field.Names {
			f(n)
		}
	}
}

// receiver is the name of a receiver's type, without pointer and parameters.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// avoided is the first word of a name, split at its capitals, that the glossary avoids.
// Only the last part of Type.Member is looked at: the type has a finding of its own.
func avoided(instead map[string]string, name string) (string, bool) {
	name = name[strings.LastIndexByte(name, '.')+1:]
	for _, word := range camel(name) {
		if _, ok := instead[word]; ok {
			return word, true
		}
	}
	return "", false
}

// camel splits a name into its words, in lower case: "HTTPServer" is http, server.
func camel(name string) (out []string) {
	r, start := []rune(name), 0
	for i := 1; i <= len(r); i++ {
		if i == len(r) || unicode.IsUpper(r[i]) &&
			(!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])) {
			out, start = append(out, strings.ToLower(string(r[start:i]))), i
		}
	}
	return out
}

// older are names from before the glossary, by word. A name that is gone is no
// finding, and a new name does not go in here.
var older = map[string][]string{
	// Names of stored records and of their JSON, or of what reads them.
	"drawing": {"Drawing", "internal/recovery.Drawing", "internal/turntrace.Drawing"},
	"print":   {"internal/prove.Page.Print", "internal/turntrace.Drawing.Print", "ui.Mark.Print", "ui.Fault.Print"},
	"sums":    {"ui.Event.Sums", "internal/turn.Ask.Sums"},
	"whole":   {"internal/endpoint.Whole"},         // an address in one piece
	"saying":  {"internal/eval/directives.Saying"}, // a scripted line of a scenario, not a delta
}
