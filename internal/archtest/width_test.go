package archtest

import (
	"go/ast"
	"go/token"
	"strings"
	"unicode/utf8"
)

// widest is the most columns of a line; a tab is four.
const widest = 120

// checkWidth looks at the width of lines. The rows of a table (a composite literal
// of several lines) and lines with a long string are left alone: breaking them does
// not make them easier to read. Test files are not looked at.
func checkWidth(r *report) {
	r.each(false, func(pkg *Package, file *File) {
		if len(file.wide) == 0 {
			return
		}
		free := r.tablesAndStrings(file)
		for _, line := range file.wide {
			if !free[line] {
				r.findings = append(r.findings, Finding{"width", file.Path, line,
					"line of more than 120 columns: break it after an operator or a comma, or name a part of it"})
			}
		}
	})
}

// tablesAndStrings lists the lines that belong to a table or hold a long string.
func (r *report) tablesAndStrings(file *File) map[int]bool {
	const long = 40 // characters of a string
	free := map[int]bool{}
	lines := func(from, to token.Pos) (first, last int) {
		return r.tree.fset.Position(from).Line, r.tree.fset.Position(to).Line
	}
	ast.Inspect(file.Syntax, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.CompositeLit:
			for first, last := lines(n.Lbrace, n.Rbrace); first < last; first++ {
				free[first+1] = true
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && len(n.Value) > long {
				for first, last := lines(n.Pos(), n.End()); first <= last; first++ {
					free[first] = true
				}
			}
		}
		return true
	})
	return free
}

// wideLines lists the lines of a source that are too wide, from 1.
func wideLines(source string) (list []int) {
	n := 0
	for line := range strings.Lines(source) {
		n++
		line = strings.TrimRight(line, "\n")
		if utf8.RuneCountInString(line)+3*strings.Count(line, "\t") > widest {
			list = append(list, n)
		}
	}
	return list
}
