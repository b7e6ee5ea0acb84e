package archtest

import (
	"path"
	"slices"
	"strings"
)

const (
	maxLines = 600 // of a file, tests too; generated files excepted
	maxFiles = 15  // of a package, without its tests
)

// vague names say nothing of what a package holds.
var vague = []string{"util", "utils", "common", "helper", "helpers", "type", "types", "manager", "managers"}

func checkShape(r *report) {
	for _, pkg := range r.tree.Packages {
		files, documented := 0, false
		for _, file := range pkg.Files {
			if file.Lines > maxLines && !file.Generated {
				r.whole("shape", file.Path, "%d lines, at most %d: split it by what it holds", file.Lines, maxLines)
			}
			if file.Test {
				continue
			}
			files++
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
		if files > maxFiles {
			r.whole("shape", show(pkg.Dir), "%d files without tests, at most %d: the package holds more than one thing", files, maxFiles)
		}
		if files > 0 && !documented {
			r.whole("shape", show(pkg.Dir), "no package comment: say in doc.go what comes in, what goes out, and who calls it")
		}
	}
}
