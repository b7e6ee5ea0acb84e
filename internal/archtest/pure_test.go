package archtest

import (
	"go/ast"
	"slices"
	"strings"
)

// pure lists the packages, with all below them, whose results depend on their
// arguments alone.
var pure = []string{
	"internal/jsonx", "internal/jsonptr", "internal/limits",
	"ui", "a2ui", "datasync", "html", "compile",
	"internal/directive", "internal/prose", "internal/route", "internal/capture", "internal/svg", "internal/worksheet",
	"internal/execute", "internal/recovery", "internal/ingress", "internal/turn", "internal/draft", "internal/inspect",
	"internal/foreign", "internal/gateway",
}

// impure are the standard packages that a pure package may not import. An entry
// covers what lies below it, unless stillPure lists that.
var impure = map[string]string{
	"context":       "context",
	"crypto/rand":   "randomness",
	"database":      "file",
	"expvar":        "log",
	"hash/maphash":  "randomness",
	"io/fs":         "file",
	"io/ioutil":     "file",
	"log":           "log",
	"math/rand":     "randomness",
	"net":           "network",
	"os":            "file",
	"path/filepath": "file",
	"plugin":        "file",
	"runtime":       "machine",
	"sync":          "lock",
	"syscall":       "machine",
	"testing":       "tests",
	"unsafe":        "machine",
}

// stillPure are exceptions from impure: they only parse text.
var stillPure = []string{"net/mail", "net/url", "net/netip"}

// handed are imports that one pure package may have because it only works on
// what its caller hands over: a2ui/catalog reads an fs.FS argument.
var handed = map[string]string{"a2ui/catalog": "io/fs"}

// impureNames are the names of otherwise pure packages that a pure package may
// not use, called or not.
var impureNames = map[string]map[string]string{
	"time": {
		"After": "clock", "AfterFunc": "clock", "NewTicker": "clock", "NewTimer": "clock", "Now": "clock",
		"Since": "clock", "Sleep": "clock", "Tick": "clock", "Until": "clock",
		"LoadLocation": "file", "Local": "machine",
	},
	"fmt": {
		"Print": "log", "Printf": "log", "Println": "log",
		"Scan": "file", "Scanf": "file", "Scanln": "file",
	},
}

func checkPure(r *report) {
	r.each(false, func(pkg *Package, file *File) {
		owner := slices.IndexFunc(pure, func(root string) bool { return within(pkg.Dir, root) })
		if owner < 0 {
			return
		}
		watched := map[string]map[string]string{} // local name → names not to use
		for _, imp := range file.imports() {
			if kind, bad := impureImport(imp.Path); bad && handed[pkg.Dir] != imp.Path {
				r.at("pure", file, imp.Pos, "pure package %s imports %s (%s)", pkg.Dir, imp.Path, kind)
			}
			if names, ok := impureNames[imp.Path]; ok {
				watched[imp.Name] = names
			}
			if imp.Name == "." {
				r.at("pure", file, imp.Pos, "pure package %s has a dot import of %s, which hides what it uses", pkg.Dir,
					imp.Path)
			}
		}
		ast.Inspect(file.Syntax, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.GoStmt:
				r.at("pure", file, n.Pos(), "pure package %s starts a goroutine", pkg.Dir)
			case *ast.SelectStmt:
				r.at("pure", file, n.Pos(), "pure package %s waits in a select", pkg.Dir)
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok {
					if kind, bad := watched[x.Name][n.Sel.Name]; bad {
						r.at("pure", file, n.Pos(), "pure package %s uses %s.%s (%s): take it as an argument", pkg.Dir,
							x.Name, n.Sel.Name, kind)
					}
				}
			}
			return true
		})
	})
}

// impureImport says what a pure package may not have of an import.
func impureImport(importPath string) (kind string, bad bool) {
	if slices.Contains(stillPure, importPath) {
		return "", false
	}
	for p := importPath; p != ""; p = parent(p) {
		if kind, bad := impure[p]; bad {
			return kind, true
		}
	}
	return "", false
}

// parent cuts the last element off an import path.
func parent(importPath string) string {
	i := strings.LastIndexByte(importPath, '/')
	return importPath[:max(i, 0)]
}
