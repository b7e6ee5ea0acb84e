// Typecheck loads packages, their tests and all that they import from source, and
// prints the faults of the main module: numbers that an int of GOARCH cannot hold, names
// that GOOS lacks. It compiles nothing, and reads only the declarations of other
// modules, so it takes far less than a build.
//
//	GOOS=linux GOARCH=386 typecheck ./...
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	here, err := os.Getwd()
	if err != nil {
		fail(err)
	}
	list, err := packages.Load(&packages.Config{
		Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			file, err := parser.ParseFile(fset, name, src, parser.AllErrors|parser.SkipObjectResolution)
			if file != nil && !strings.HasPrefix(name, here+string(filepath.Separator)) {
				dropBodies(file)
			}
			return file, err
		},
	}, os.Args[1:]...)
	if err != nil {
		fail(err)
	}
	faults := 0
	for _, p := range list {
		if strings.HasSuffix(p.ID, ".test") {
			continue // the generated main package of a test, whose bodies went, too
		}
		for _, e := range p.Errors {
			fmt.Fprintln(os.Stderr, e)
			faults++
		}
	}
	if faults > 0 {
		os.Exit(1)
	}
	fmt.Println(len(list), "packages hold")
}

// dropBodies removes the bodies of a file's functions. Its imports may be unused then:
// a fault of its package, which is not among those that are printed.
func dropBodies(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "typecheck:", err)
	os.Exit(1)
}
