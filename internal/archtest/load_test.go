package archtest

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Module is the import path of the tree that the rules are written for.
const Module = "github.com/limn-ui/limn"

// Tree is a parsed module.
type Tree struct {
	Packages []*Package // sorted by Dir
	fset     *token.FileSet
}

// Package is one folder with Go files in it.
type Package struct {
	Dir   string // slash-separated, relative to the module's root, "" for the root
	Files []*File
}

// File is one parsed Go file.
type File struct {
	Path   string // slash-separated, relative to the module's root
	Test   bool   // a _test.go file, or one that is never built ("//go:build ignore")
	Syntax *ast.File
	wide   []int // lines that are too wide, from 1
}

// Load parses every Go file of the module at the root of fsys. It follows no
// build tags: a file for another system is held to the same rules. A file that
// does not parse is an error.
func Load(fsys fs.FS) (*Tree, error) {
	tree := &Tree{fset: token.NewFileSet()}
	byDir := map[string]*Package{}
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != "." && skipped(fsys, name) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasPrefix(path.Base(name), "_") ||
			strings.HasPrefix(path.Base(name), ".") {
			return nil
		}
		file, err := tree.parse(fsys, name)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		if dir == "." {
			dir = ""
		}
		if byDir[dir] == nil {
			byDir[dir] = &Package{Dir: dir}
			tree.Packages = append(tree.Packages, byDir[dir])
		}
		byDir[dir].Files = append(byDir[dir].Files, file)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load the source tree: %w", err)
	}
	slices.SortFunc(tree.Packages, func(a, b *Package) int { return strings.Compare(a.Dir, b.Dir) })
	return tree, nil
}

// skipped reports whether the folder is no part of the module, such as one with a go.mod of
// its own.
func skipped(fsys fs.FS, dir string) bool {
	switch base := path.Base(dir); {
	case base == "testdata", base == "node_modules", base == "vendor":
		return true
	case strings.HasPrefix(base, "."), strings.HasPrefix(base, "_"):
		return true
	}
	_, err := fs.Stat(fsys, path.Join(dir, "go.mod"))
	return err == nil
}

func (t *Tree) parse(fsys fs.FS, name string) (*File, error) {
	source, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	syntax, err := parser.ParseFile(t.fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &File{
		Path:   name,
		Test:   strings.HasSuffix(name, "_test.go") || neverBuilt(syntax),
		Syntax: syntax,
		wide:   wideLines(string(source)),
	}, nil
}

// neverBuilt reports whether the file has the line "//go:build ignore".
func neverBuilt(syntax *ast.File) bool {
	for _, group := range syntax.Comments {
		if group.Pos() > syntax.Package {
			return false
		}
		for _, line := range group.List {
			if !constraint.IsGoBuild(line.Text) {
				continue
			}
			expr, err := constraint.Parse(line.Text)
			tag, ok := expr.(*constraint.TagExpr)
			return err == nil && ok && tag.Tag == "ignore"
		}
	}
	return false
}

// Import is one import statement.
type Import struct {
	Path string
	Name string // as the file calls it: the given name, else the last element that is no version
	Pos  token.Pos
}

// imports lists a file's import statements in source order.
func (f *File) imports() []Import {
	var out []Import
	for _, spec := range f.Syntax.Imports {
		full, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has checked it
		}
		name := path.Base(full)
		if isMajor(name) {
			name = path.Base(path.Dir(full))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		out = append(out, Import{Path: full, Name: name, Pos: spec.Pos()})
	}
	return out
}

// isMajor reports whether an import path's element is a major version: v2, v3.
func isMajor(element string) bool {
	digits, ok := strings.CutPrefix(element, "v")
	if !ok {
		return false
	}
	_, err := strconv.Atoi(digits)
	return err == nil
}

// local returns the folder of a package of this module, and whether it is one.
func local(importPath string) (string, bool) {
	if importPath == Module {
		return "", true
	}
	return strings.CutPrefix(importPath, Module+"/")
}

// outside reports whether the import comes from another module.
func outside(importPath string) bool {
	if _, ok := local(importPath); ok {
		return false
	}
	first, _, _ := strings.Cut(importPath, "/")
	return strings.Contains(first, ".")
}

// within reports whether dir is root or lies below it.
func within(dir, root string) bool {
	return dir == root || strings.HasPrefix(dir, root+"/")
}

// show names a package in findings.
func show(dir string) string {
	if dir == "" {
		return "limn (the root)"
	}
	return dir
}
