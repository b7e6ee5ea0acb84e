package client_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
)

// TestDrawingsAreBounded: the bytes, the checks and the lists of a drawing end at a bound, and the drawing says so.
func TestDrawingsAreBounded(t *testing.T) {
	t.Parallel()
	long, zeros := strings.Repeat("long ", 12<<10), "["+strings.Repeat("0,", 18_999)+"0]"
	for name, row := range map[string]string{
		"text":      fmt.Sprintf(`"component":"Text","text":%q`, `*\*`+long),
		"label":     `"component":"CheckBox","label":{"path":"/long"},"value":true`,
		"value":     `"component":"TextField","label":"x","value":{"path":"/long"}`,
		"words":     `"component":"Dial","title":{"path":"/long"},"text":{"path":"/long"}`,
		"selection": `"component":"ChoicePicker","options":[{"label":"x","value":"x"}],"value":{"path":"/l"}`,
		"checks": `"component":"TextField","label":"x","value":"y","checks":[` + strings.Repeat(`{"condition":false,"message":"no"},`, 2000) +
			`{"condition":false,"message":"no"}]`,
		"lists": `"component":"TextField","label":"x","value":"y","checks":[{"condition":{"call":"length","args":{"value":` +
			zeros + `,"min":1}},"message":"no"}]`,
	} {
		c := client.With(client.Config{Dialect: a2ui.V09, AnyComponent: true, Forgiving: true})
		for _, raw := range []string{
			`{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"` + a2ui.CatalogID(a2ui.V09) + `"}}`,
			`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/","value":{"l":` + zeros + `,"long":"` + long + `"}}}`,
			`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"List",` +
				`"children":{"componentId":"t","path":"/l"}},{"id":"t",` + row + `}]}}`,
		} {
			if err := c.Feed([]byte(raw)); err != nil {
				t.Fatal(name, err)
			}
		}
		view, err := c.Surface("s")
		if err != nil {
			t.Fatal(err)
		}
		rows := len(view.Root.Children)
		if rows > 1500 || !strings.Contains(fmt.Sprint(view.Problems), "does not end") {
			t.Errorf("%s: %d rows, %v", name, rows, view.Problems)
		}
	}
}

// TestCallsAreBounded: what the functions of one drawing put together, and what they match, ends at a bound, and the
// drawing says so.
func TestCallsAreBounded(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct{ component, value string }{
		"texts":    {`"component":"Text","text":{"call":"formatString","args":{"value":%q}}`, strings.Repeat("${/big}", 1000)},
		"patterns": {`"component":"TextField","label":"x","value":{"path":"/big"},"checks":[{"condition":{"call":"regex","args":{"value":{"path":"/big"},"pattern":%q}},"message":"no"}]`, `(a*)*(a{1,900})*(b{1,900})$`},
		"input":    {`"component":"TextField","label":"x","value":{"path":"/big"},"validationRegexp":%q`, `(a*)*(a{1,900})*(b{1,900})$`},
	} {
		var list, ids []string
		for i := range 60 {
			ids = append(ids, fmt.Sprintf("%q", fmt.Sprint("c", i)))
			list = append(list, fmt.Sprintf(`{"id":"c%d",`+one.component+`}`, i, one.value))
		}
		c := client.New(a2ui.V09, client.Strict)
		for _, raw := range []string{
			`{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"` + a2ui.CatalogID(a2ui.V09) + `"}}`,
			`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/big","value":"` + strings.Repeat("a", 60_000) + `"}}`,
			`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Column","children":[` +
				strings.Join(ids, ",") + `]},` + strings.Join(list, ",") + `]}}`,
		} {
			m, err := a2ui.DecodeMessageAs(a2ui.V09, []byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			c.Apply(m)
		}
		view, err := c.Surface("s")
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for n := range view.Root.All() {
			size += len(n.Text)
		}
		if size > 2<<20 || !strings.Contains(fmt.Sprint(view.Problems), "too much work") {
			t.Errorf("%s: %d bytes of text, %v", name, size, view.Problems)
		}
	}
}

// TestExpressionsAreBounded: values that a drawing looks up and computes cost work, also where each list is short.
func TestExpressionsAreBounded(t *testing.T) {
	t.Parallel()
	keys := make([]string, 18_000)
	for i := range keys {
		keys[i] = fmt.Sprintf(`"k%d":true`, i)
	}
	nested := `{"path":"/yes"}`
	for range 3 {
		nested = `{"call":"and","args":{"values":[` + strings.Repeat(nested+",", 8) + nested + `]}}`
	}
	for name, one := range map[string]struct {
		rows      int
		condition string
	}{
		"lookups": {990, `{"call":"and","args":{"values":[` + strings.Repeat(`{"path":"/wide/k17999"},`, 99) + `true]}}`},
		"nested":  {18_000, nested},
	} {
		c := client.With(client.Config{Dialect: a2ui.V09, AnyComponent: true, Forgiving: true})
		for _, raw := range []string{
			`{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"` + a2ui.CatalogID(a2ui.V09) + `"}}`,
			`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/","value":{"yes":true,"wide":{` + strings.Join(keys, ",") +
				`},"list":[` + strings.Repeat("0,", one.rows-1) + `0]}}}`,
			`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"List",` +
				`"children":{"componentId":"t","path":"/list"}},{"id":"t","component":"TextField","label":"x","value":"y",` +
				`"checks":[{"condition":` + one.condition + `,"message":"no"}]}]}}`,
		} {
			if err := c.Feed([]byte(raw)); err != nil {
				t.Fatal(name, err)
			}
		}
		view, err := c.Surface("s")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(fmt.Sprint(view.Problems), "too much work") {
			t.Errorf("%s: %.300v", name, view.Problems)
		}
	}
}
