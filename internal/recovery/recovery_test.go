package recovery

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// declaredCodes finds the code of every constant of the module that is named
// Code… or code…, and of every Code member of a literal: the text by position.
func declaredCodes(t *testing.T) map[ui.Code]string {
	t.Helper()
	found, shape := map[ui.Code]string{}, regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)
	fset := token.NewFileSet()
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil && shape.MatchString(s) {
				found[ui.Code(s)] = fset.Position(lit.Pos()).String()
			}
		}
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "bench" ||
			d.Name() == "client" || d.Name() == "eval" || d.Name() == "cmd" ||
			strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2):
			// package client reports what a renderer does: its codes are a renderer's; no client ever
			// meets those of eval and cmd
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // not ours to report here: the build does
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if i < len(n.Values) && (strings.HasPrefix(name.Name, "Code") ||
						strings.HasPrefix(name.Name, "code")) {
						add(n.Values[i])
					}
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
					add(n.Value)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range a2ui.Codes() {
		found[ui.Code(c.Code)] = "a2ui.Codes"
	}
	return found
}

// known reports an entry of the code's own, or of a family.
func known(c ui.Code) bool {
	for _, e := range Default().All() {
		if prefix, family := strings.CutSuffix(string(e.Code), "*"); e.Code == c ||
			family && strings.HasPrefix(string(c), prefix) {
			return true
		}
	}
	return false
}

// Every code that is declared anywhere is known here.
func TestEveryCodeIsKnown(t *testing.T) {
	t.Parallel()
	found := declaredCodes(t)
	for _, c := range []ui.Code{ui.CodeLimit, "GATE_CLOSED", "A2UI_C2S_SURFACE_STALE", "HTTP_BUSY"} {
		if found[c] == "" {
			t.Errorf("the search does not find %s", c)
		}
	}
	for c, where := range found {
		if !known(c) {
			t.Errorf("%s: %s has no entry and no family", where, c)
		}
	}
	if known("NOBODY_DECLARED") {
		t.Error("everything is known")
	}
}

func TestEntries(t *testing.T) {
	t.Parallel()
	seen := map[ui.Code]bool{}
	for _, e := range Default().All() {
		if seen[e.Code] || e.Status < 200 || e.Status > 599 || e.Title == "" || e.Title[len(e.Title)-1] != '.' ||
			e.Do != Soft && e.Do != SurfaceFail && e.Do != Reset {
			t.Errorf("entry %+v", e)
		}
		if (e.Status >= 500) != (e.Hint != "") {
			t.Errorf("%s, %d: hint %q", e.Code, e.Status, e.Hint)
		}
		seen[e.Code] = true
	}
	all := Default().All()
	if len(all) != len(entries) {
		t.Errorf("All lists %d of %d", len(all), len(entries))
	}
	for i := range all[1:] {
		if all[i].Code >= all[i+1].Code {
			t.Errorf("%s stands before %s", all[i].Code, all[i+1].Code)
		}
	}
}

// The statuses and actions of the design.
func TestStatusAndActionOfEachCode(t *testing.T) {
	t.Parallel()
	table := Default()
	for _, c := range []struct {
		code   ui.Code
		status int
		do     Action
	}{
		{"A2UI_C2S_ENVELOPE_INVALID", 400, Soft}, {"A2UI_C2S_ACTION_FORBIDDEN", 403, Soft}, {"A2UI_C2S_SURFACE_STALE", 409, Soft}, {"A2UI_C2S_CONTEXT_TOO_LARGE", 413, Soft}, {"A2UI_C2S_NEW", 400, Soft},
		{"HTTP_NOT_FOUND", 404, Soft}, {"HTTP_KEY_REUSED", 422, Soft}, {"HTTP_TARGET_NOT_ENABLED", 406, Soft}, {"HTTP_BUSY", 429, Soft}, {"HTTP_DRAINING", 503, Soft},
		{"A2UI_S2C_ENVELOPE_INVALID", 500, Soft}, {"A2UI_S2C_COMPONENT_UNKNOWN", 500, SurfaceFail}, {"A2UI_S2C_COMPONENT_TYPE_CHANGED", 500, Reset}, {"A2UI_S2C_STREAM_DIFFERS", 500, Reset}, {"A2UI_S2C_BEGIN_ROOT", 500, SurfaceFail}, {"A2UI_S2C_LIMIT_BYTES", 500, SurfaceFail}, {"COMPILE_PANIC", 500, SurfaceFail}, {"CONVERSATION_ENDED", 410, Soft}, {"A2UI_S2C_NEW", 500, SurfaceFail},
		{"GATE_CLOSED", 200, Soft}, {"FIELD_REQUIRED", 200, Soft}, {"LLM_TIMEOUT", 200, Soft}, {"LLM_NEW", 200, Soft}, {"EFFECT_UNKNOWN", 200, Soft},
		{ui.CodeLimit, 413, Soft}, {"UI_SEQUENCE", 500, Soft}, {"STORE_NEW", 503, Soft}, {"NOBODY_DECLARED", 500, Soft}, {"", 500, Soft},
	} {
		e := table.For(c.code)
		if e.Code != c.code || e.Status != c.status || e.Do != c.do || e.Title == "" {
			t.Errorf("For(%q) = %+v, want %d %s", c.code, e, c.status, c.do)
		}
	}
}

// TestProblem: with whatever code a request ends, that is an error, and a failure
// of ours says what its caller can do, in an app's own words if it has some.
func TestProblem(t *testing.T) {
	t.Parallel()
	for _, code := range []ui.Code{"LLM_AUTH", "LLM_CONFIG_INVALID", "LLM_UNSUPPORTED"} { // another try is in vain
		if e := Default().For(code); e.Title != "The assistant is not set up correctly. Forms and tables still work." {
			t.Errorf("%s: %q", code, e.Title)
		}
	}
	mine := Default().Declared([]app.Code{{Code: "LLM_TIMEOUT", Status: 504, Hint: "Ask less."},
		{Code: "LLM_REFUSED", Status: 502}, {Code: "STORE_FAILED", Title: "Wait."}})
	for code, want := range map[ui.Code]Entry{
		"TURN_FAILED":      {Status: 500, Hint: report},
		"NOBODY_DECLARED":  {Status: 500, Hint: report},
		"LLM_TIMEOUT":      {Status: 504, Hint: "Ask less."},
		"LLM_REFUSED":      {Status: 502, Hint: report},
		"STORE_FAILED":     {Status: 503, Hint: Default().For("STORE_FAILED").Hint},
		"HTTP_NOT_FOUND":   {Status: 404},
		"A2UI_S2C_DATA_UP": {Status: 500, Hint: draw},
	} {
		if got := mine.Problem(code); got.Code != code || got.Status != want.Status || got.Hint != want.Hint {
			t.Errorf("%s: %+v, want %+v", code, got, want)
		}
	}
}

func TestWithReplacesEntries(t *testing.T) {
	t.Parallel()
	base := Default()
	mine := base.With(Entry{"GATE_CLOSED", 418, Soft, "No.", "", false}, Entry{"LLM_*", 502, Soft, "Model.", "", false},
		Entry{"LLM_QUOTA_*", 402, Soft, "Pay.", "", false})
	for code, status := range map[ui.Code]int{"GATE_CLOSED": 418, "LLM_NEW": 502, "LLM_QUOTA_DAY": 402,
		"LLM_TIMEOUT": 200, "FIELD_TYPE": 200} {
		if got := mine.For(code).Status; got != status {
			t.Errorf("%s: %d, want %d", code, got, status)
		}
	}
	if base.For("GATE_CLOSED").Status != 200 || base.For("LLM_NEW").Status != 200 ||
		base.For("LLM_QUOTA_DAY").Status != 200 {
		t.Error("With changed the table it was asked of")
	}
	if len(mine.All()) != len(base.All())+1 {
		t.Errorf("%d entries", len(mine.All()))
	}
}

func ExampleTable_With() {
	table := Default().With(Entry{Code: "GATE_CLOSED", Status: 200, Do: Soft, Title: "Wie gewünscht bleibt das zu."})
	fmt.Println(table.For("GATE_CLOSED").Title)
	e := table.For("A2UI_S2C_DATA_TYPE")
	fmt.Println(e.Code, e.Status, e.Do)
	// Output:
	// Wie gewünscht bleibt das zu.
	// A2UI_S2C_DATA_TYPE 500 surface_fail
}

// TestWorded: an app's words replace titles, of families and of all other codes too.
func TestWorded(t *testing.T) {
	t.Parallel()
	table := Default().Worded(ui.Words{"problem.HTTP_GONE": "Weg.", "problem.LLM_*": "Het model zwijgt.",
		"problem.*": "Er ging iets mis."})
	for code, want := range map[ui.Code]string{"HTTP_GONE": "Weg.", "LLM_STRANGE": "Het model zwijgt.",
		"NOBODY_DECLARED": "Er ging iets mis."} {
		if e := table.For(code); e.Title != want || !e.Worded {
			t.Errorf("%s: %q, worded %v, want %q", code, e.Title, e.Worded, want)
		}
	}
	if e := table.For("LLM_TIMEOUT"); e.Worded || e.Title != Default().For("LLM_TIMEOUT").Title {
		t.Errorf("a title that is not replaced: %+v", e)
	}
}
