package decidecmd

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/route"
)

// ruleIDs finds every id of a rule in the sources of package route.
func ruleIDs(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../../internal/route/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no sources of package route", err)
	}
	shape := regexp.MustCompile(`^(control|gate|guardrail|pending|hard|soft|learned|chat|model)\.[a-z_]+$`)
	found, fset := map[string]string{}, token.NewFileSet()
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		controls := false
		ast.Inspect(tree, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok {
				if kind, ok := spec.Type.(*ast.Ident); ok {
					controls = kind.Name == "Control"
				}
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if controls && err == nil {
					text = "control." + text // "control." + string(d.Control)
				}
				if shape.MatchString(text) {
					found[text] = fset.Position(lit.Pos()).String()
				}
			}
			_, decl := n.(*ast.FuncDecl)
			controls = controls && !decl
			return true
		})
	}
	return found
}

// TestReasons: every rule has its sentence, and no sentence is left over.
func TestReasons(t *testing.T) {
	t.Parallel()
	ids := ruleIDs(t)
	for _, id := range []string{"hard.list_size", "control.opt_in", "gate.open", "pending.no"} {
		if ids[id] == "" {
			t.Errorf("the search does not find %s", id)
		}
	}
	for id, at := range ids {
		if route.Reasons()[id] == "" {
			t.Errorf("%s: %s has no sentence in reasons", at, id)
		}
	}
	for id, text := range route.Reasons() {
		if ids[id] == "" {
			t.Errorf("%s is no rule of package route", id)
		}
		if text != strings.TrimSpace(text) || strings.HasSuffix(text, ".") || strings.ToLower(text[:1]) != text[:1] {
			t.Errorf("%s: %q is no half sentence", id, text)
		}
	}
}
