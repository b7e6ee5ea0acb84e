package a2ui_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// TestExpressionsReadAlike: the validator reads the ${…} of a text as clients do.
func TestExpressionsReadAlike(t *testing.T) {
	t.Parallel()
	check := func(t interface{ Errorf(string, ...any) }, text string) {
		_, err := wire.ParseFormat(text, wire.FormatRules{})
		problems := a2ui.Validate(a2ui.Rules{Dialect: a2ui.V10RC, Profile: a2ui.Safe}, []a2ui.Message{
			&a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V10RC)},
			&a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{{ID: "root", Type: "Text", Props: []a2ui.Prop{
				{Name: "text", Value: a2ui.Call{Func: "formatString", Args: []a2ui.Prop{{Name: "value", Value: a2ui.String(text)}}}}}}}}})
		refused := slices.ContainsFunc(problems, func(p a2ui.Problem) bool { return strings.Contains(p.Message, "cannot be read") })
		if refused != (err != nil) {
			t.Errorf("%q: clients say %v, the validator %v", text, err, problems)
		}
	}
	for _, text := range []string{"${.5}", "${+1}", "${-.5}", "${1e+5}", "${1.2.3}", "${1a}", "${-a}", "${f(a:1,)}", "${f(a:1 b:2)}",
		"${“x”}", "${é}", "${\u00a0a}", "${(}", "${()}", "${true(a:1)}", "${true/x}", "${}", "${f(é:1)}", "${a@b}", "${@index()}",
		strings.Repeat("${", 50) + strings.Repeat("}", 50), strings.Repeat("${", 101) + strings.Repeat("}", 101)} {
		check(t, text)
	}
	piece := rapid.SampledFrom([]string{"${", "}", "{", "(", ")", ",", ":", "a", "f", "1", ".", "-", "+", "e", "'", `"`, `\`, " ",
		"@", "/", "~0", "é", "“", "true", "null", "\u00a0"})
	rapid.Check(t, func(t *rapid.T) {
		check(t, "${"+strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")+"}")
	})
}
