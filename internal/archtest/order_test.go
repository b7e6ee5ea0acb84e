package archtest

import (
	"path"
	"slices"
	"strings"
)

func checkOrder(r *report) {
	for _, pkg := range r.tree.Packages {
		if _, ok := place(pkg.Dir); !ok {
			r.whole("order", pkg.Dir,
				"package is not in the tree: add it to rungs in internal/archtest/tree_test.go, below all it imports and above all its callers")
		}
	}
	r.each(false, func(pkg *Package, file *File) {
		for _, imp := range file.imports() {
			if target, ok := local(imp.Path); ok {
				if text := refuse(pkg.Dir, target); text != "" {
					r.at("order", file, imp.Pos, "%s", text)
				}
			}
		}
	})
	checkRootReach(r)
	checkChain(r)
}

// checkChain follows the imports down from every package. A change at the end of a long chain
// may reach every package of it.
func checkChain(r *report) {
	imports := map[string][]string{}
	r.each(false, func(pkg *Package, file *File) {
		for _, imp := range file.imports() {
			if target, ok := local(imp.Path); ok {
				imports[pkg.Dir] = append(imports[pkg.Dir], target)
			}
		}
	})
	below := map[string][]string{} // package → the longest chain that it begins
	var chain func(dir string) []string
	chain = func(dir string) []string {
		if c, ok := below[dir]; ok {
			return c
		}
		below[dir] = []string{dir} // of a circle, which the order refuses
		longest := []string(nil)
		for _, target := range imports[dir] {
			if c := chain(target); len(c) > len(longest) {
				longest = c
			}
		}
		below[dir] = append([]string{dir}, longest...)
		return below[dir]
	}
	var longest []string
	for _, pkg := range r.tree.Packages {
		if c := chain(pkg.Dir); len(c) > len(longest) {
			longest = c
		}
	}
	if len(longest) > maxChain {
		for i, dir := range longest {
			longest[i] = show(dir)
		}
		r.whole("order", longest[0], "%d packages import each other in a row, at most %d may: %s", len(longest),
			maxChain, strings.Join(longest, " → "))
	}
}

// refuse says why one package may not import another, or nothing if it may.
func refuse(from, to string) string {
	at, known := place(from)
	target, ok := place(to)
	if !known {
		return "" // reported once, for the package
	}
	if !ok {
		return show(to) + " is not in the tree: add it to rungs in internal/archtest/tree_test.go"
	}
	if target >= len(rungs) && target > at {
		return show(to) + " is a program: nothing above it imports it"
	}
	if target == at && at < len(rungs) {
		return show(from) + " imports " + show(to) +
			", which stands on the same rung: siblings never import each other, move what they share to their port"
	}
	if target > at {
		return show(from) + " imports " + show(to) +
			", which stands below it: a package imports only what stands above it"
	}
	for owner, allowed := range narrow {
		if within(from, owner) && !within(to, owner) && !slices.Contains(allowed, to) {
			return show(from) + " imports " + show(to) + ": " + owner +
				" may import nothing else of this module than its table in tree_test.go says"
		}
	}
	isKit := func(dir string) bool { return slices.Contains(kits, dir) }
	if isKit(to) && !isKit(from) && !slices.ContainsFunc(kitUsers,
		func(user string) bool { return within(from, user) }) {
		return show(from) + " imports the test kit " + to + ": only tests do"
	}
	return ""
}

// checkRootReach follows the imports of package limn and of a2ui through the
// module: neither may reach a module that is an SDK, nor package limn an
// adapter that it must be given.
func checkRootReach(r *report) {
	for _, start := range []string{"", "a2ui"} {
		via := map[string]string{start: ""} // reached package → the one that imports it
		queue := []string{start}
		for len(queue) > 0 {
			dir := queue[0]
			queue = queue[1:]
			i := slices.IndexFunc(r.tree.Packages, func(p *Package) bool { return p.Dir == dir })
			if i < 0 {
				continue
			}
			for _, file := range r.tree.Packages[i].Files {
				if file.Test {
					continue
				}
				for _, imp := range file.imports() {
					if m, ok := moduleOf(imp.Path); ok && m.sdk {
						r.at("order", file, imp.Pos,
							"%s reaches the SDK %s through %s: take a port and let cmd/limn inject the adapter",
							show(start), m.path, show(dir))
					}
					target, ok := local(imp.Path)
					if !ok {
						continue
					}
					if start == "" && slices.Contains(ports, path.Dir(target)) && !slices.Contains(kits, target) &&
						!slices.Contains(rootAdapters, target) {
						r.at("order", file, imp.Pos, "%s reaches the adapter %s: it may reach only %v", show(start),
							target, rootAdapters)
					}
					if _, seen := via[target]; !seen {
						via[target] = dir
						queue = append(queue, target)
					}
				}
			}
		}
	}
}
