package limn

import (
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// TestLimitsDocument holds docs/limits.md to the defaults in code: every limit that an
// application can set has its row.
func TestLimitsDocument(t *testing.T) {
	t.Parallel()
	page := string(limntest.Must(os.ReadFile("docs/limits.md")))
	_, first, _ := strings.Cut(page, "## What a conversation holds")
	first, second, _ := strings.Cut(first, "## What an A2UI client is sent")
	second, _, _ = strings.Cut(second, "\n## ")
	check := func(section string, limits any) {
		v := reflect.ValueOf(limits)
		for i := range v.NumField() {
			key := strings.ToLower(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(v.Type().Field(i).Name, "${1}_$2"))
			row := regexp.MustCompile("(?m)^\\| `" + key + "` \\| .* \\| (\\d+) \\|").FindStringSubmatch(section)
			if want := strconv.FormatInt(v.Field(i).Int(), 10); row == nil || row[1] != want {
				t.Errorf("%T %s: the page has %q, want %s", limits, key, row, want)
			}
		}
	}
	check(first, ui.Limits{}.WithDefaults())
	check(second, a2ui.Limits{}.WithDefaults())
}

// TestA2UILimits: a limit of the application's file holds for what its clients are sent.
func TestA2UILimits(t *testing.T) {
	t.Parallel()
	for limit, standIn := range map[string]bool{"1000": false, "8": true} {
		a := limntest.Must(app.Load("f.yaml", []byte("name: t\na2ui_limits: {components: "+limit+"}\nforms:\n"+
			"  - {name: f, fields: [{name: a}, {name: b}, {name: c}]}\n")))
		drawings := limntest.Must(Config{App: a, Targets: []string{"v0.9"}}.Drawings(nil))
		f, _ := a.Form("f")
		s, _, err := ui.Apply(a.NewState("c"), &ui.Frame{Seq: 1, Ops: ui.Ops{a.OpenForm(f, ui.Map()).Op("n")}}, ui.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := compile.Snapshot(drawings[0].A2UI, s)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(b.Warnings()) > 0; got != standIn {
			t.Errorf("components %s: %v", limit, b.Warnings())
		}
	}
}
