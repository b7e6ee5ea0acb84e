package archtest

import (
	"path"
	"slices"
	"strings"
)

// vague names say nothing of what a package holds.
var vague = []string{"util", "utils", "common", "helper", "helpers", "type", "types", "manager", "managers"}

func checkShape(r *report) {
	for _, pkg := range r.tree.Packages {
		sources, documented := false, false
		for _, file := range pkg.Files {
			if file.Test {
				continue
			}
			sources = true
			name := file.Syntax.Name.Name
			if slices.Contains(vague, name) && name != path.Base(pkg.Dir) {
				r.whole("shape", file.Path, "package name %q says nothing of what it holds", name)
			}
			if file.Syntax.Doc != nil && strings.TrimSpace(file.Syntax.Doc.Text()) != "" {
				documented = true
			}
		}
		if slices.Contains(vague, path.Base(pkg.Dir)) {
			r.whole("shape", pkg.Dir, "package name %q says nothing of what it holds", path.Base(pkg.Dir))
		}
		if sources && !documented {
			r.whole("shape", show(pkg.Dir),
				"no package comment: say in doc.go what comes in, what goes out, and who calls it")
		}
	}
}
