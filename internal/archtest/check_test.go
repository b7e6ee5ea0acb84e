package archtest

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
)

// Finding is one breach of one rule.
type Finding struct {
	Rule string // order, pure, module, version, shape or width
	File string // or the package's folder, when the whole package is meant
	Line int    // from 1; 0 when the whole file or package is meant
	Text string // what is wrong and what to do
}

// String gives "file:line: rule: text", the form editors jump to.
func (f Finding) String() string {
	if f.Line == 0 {
		return fmt.Sprintf("%s: %s: %s", f.File, f.Rule, f.Text)
	}
	return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.Rule, f.Text)
}

// Check holds the tree to every rule. The findings come sorted, so that two
// runs print the same.
func Check(tree *Tree) []Finding {
	r := &report{tree: tree}
	checkOrder(r)
	checkPure(r)
	checkModules(r)
	checkVersions(r)
	checkShape(r)
	checkWidth(r)
	slices.SortFunc(r.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(r.findings)
}

// report collects the findings of all rules.
type report struct {
	tree     *Tree
	findings []Finding
}

func (r *report) at(rule string, file *File, pos token.Pos, format string, args ...any) {
	r.findings = append(r.findings, Finding{rule, file.Path, r.tree.fset.Position(pos).Line,
		fmt.Sprintf(format, args...)})
}

func (r *report) whole(rule, place string, format string, args ...any) {
	r.findings = append(r.findings, Finding{rule, place, 0, fmt.Sprintf(format, args...)})
}

// each calls visit with every file of every package; tests says whether test
// files are visited too.
func (r *report) each(tests bool, visit func(*Package, *File)) {
	for _, pkg := range r.tree.Packages {
		for _, file := range pkg.Files {
			if tests || !file.Test {
				visit(pkg, file)
			}
		}
	}
}
