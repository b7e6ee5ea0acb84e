package a2ui_test

import (
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

// TestNearNames: a name that is a slip of one that exists is hinted at, in the
// words of the version.
func TestNearNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d               a2ui.Dialect
		component, hint string
	}{
		{a2ui.V09, `{"id":"root","component":"text","text":"x"}`, "did you mean Text?"},
		{a2ui.V09, `{"id":"root","component":"Texts","text":"x"}`, "did you mean Text?"},
		{a2ui.V09, `{"id":"root","component":"Hologram"}`, ""},
		{a2ui.V09, `{"id":"root","component":"Text","text":"x","varaint":"h1"}`, "did you mean variant?"},
		{a2ui.V09, `{"id":"root","component":"Text","text":"x","colour":"red"}`, ""},
		{a2ui.V09, `{"id":"root","component":"Text","text":{"call":"formatdate","args":{"value":"1","format":"y"}}}`, "did you mean formatDate?"},
		{a2ui.V09, `{"id":"root","component":"Text","text":{"call":"formatDate","args":{"value":"1","format":"y","fromat":"y"}}}`, "did you mean format?"},
		{a2ui.V08, `{"id":"r","component":{"MultipleChoices":{"selections":{"path":"/a"},"options":[]}}}`, "did you mean MultipleChoice?"},
		{a2ui.V08, `{"id":"r","component":{"Text":{"text":{"literalString":"x"},"usageHints":"h1"}}}`, "did you mean usageHint?"},
		{a2ui.V10, `{"id":"root","component":"CheckBox","label":"x","value":true,"check":[]}`, "did you mean @checks?"},
	} {
		batch := comps09(c.component)
		if c.d.Features().CreateLast {
			batch = comps08(c.component)
		}
		if c.d == a2ui.V10 {
			batch = `{"version":"1.0"` + batch[len(`{"version":"v0.9"`):]
		}
		v := a2ui.NewValidator(a2ui.Rules{Dialect: c.d, Partial: true})
		m, err := a2ui.DecodeMessageAs(c.d, []byte(batch))
		if err != nil {
			t.Fatal(err)
		}
		list := v.Check([]a2ui.Message{m})
		if len(list) != 1 || list[0].Hint != c.hint {
			t.Errorf("%s: %s\nwant the hint %q", c.component, sorted(list), c.hint)
		}
	}
}
