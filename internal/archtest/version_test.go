package archtest

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// dialects are the names by which a protocol version can be told: package
// a2ui's constants, and what they are called on the wire.
var (
	dialects     = []string{"V08", "V09", "V091", "V10RC", "V10"}
	dialectTexts = []string{"v0.8", "v0.9", "v0.9.1", "v1.0-rc", "v1.0", "0.8", "0.9", "0.9.1", "1.0"}
)

// versionExceptions are packages, with the reason, that may compare versions.
// Tests may too.
var versionExceptions = map[string]string{
	"a2ui":     "every difference between versions lives there",
	"cmd/limn": "reads the version flag",
}

func checkVersions(r *report) {
	r.each(false, func(pkg *Package, file *File) {
		for root := range versionExceptions {
			if within(pkg.Dir, root) {
				return
			}
		}
		called := "" // what the file calls package a2ui
		for _, imp := range file.imports() {
			if imp.Path == Module+"/a2ui" {
				called = imp.Name
			}
		}
		flag := func(e ast.Expr) {
			if name, ok := versionName(e, called); ok {
				r.at("version", file, e.Pos(),
					"compares with the protocol version %s: ask a2ui.Dialect.Features, or move the difference into a2ui/internal", name)
			}
		}
		ast.Inspect(file.Syntax, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.BinaryExpr:
				if slices.Contains([]token.Token{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ},
					n.Op) {
					flag(n.X)
					flag(n.Y)
				}
			case *ast.CaseClause:
				for _, e := range n.List {
					flag(e)
				}
			}
			return true
		})
	})
}

// versionName reports whether an expression names a protocol version.
func versionName(e ast.Expr, called string) (string, bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return versionName(e.X, called)
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		return e.Sel.Name, ok && called != "" && x.Name == called && slices.Contains(dialects, e.Sel.Name)
	case *ast.Ident:
		return e.Name, called == "." && slices.Contains(dialects, e.Name)
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil && slices.Contains(dialectTexts, text)
	}
	return "", false
}
