package metrics_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/trace/metrics"
	"github.com/limn-ui/limn/ui"
)

var update = flag.Bool("update", false, "write the table of metrics in docs/operations.md")

const docsFile = "../../docs/operations.md"

// TestDocs holds the table of docs/operations.md against everything that a
// server counts.
func TestDocs(t *testing.T) {
	m := metrics.New()
	labels := map[string]string{}
	for _, s := range trace.Specs() {
		var values, names []string
		for _, l := range s.Labels {
			may := "a stable code or empty"
			if l.May != nil {
				may = strings.Join(l.May, ", ")
			}
			values, names = append(values, append(l.May, "")[0]), append(names, fmt.Sprintf("`%s`: %s", l.Name, may))
		}
		labels["limn_"+string(s.Name)] = strings.Join(names, "; ")
		m.Series(s.Name, values...).Add(1)
	}
	for _, name := range []trace.Name{trace.RouterDecision, trace.ToolOpened, trace.ToolSubmitted, trace.ToolCanceled,
		trace.WarningShown, trace.OptOutChanged} {
		m.Emit(trace.Event{Name: name, Action: "tool", Tool: ui.ToolTable, Type: "low_coverage", Confidence: 0.5})
	}
	var rows []string
	for _, h := range regexp.MustCompile(
		`# HELP (limn_\w+) .*\n# TYPE \w+ \w+\n(?:limn_\w+\{(.*?)\} )?`).FindAllStringSubmatch(scrape(m), -1) {
		if _, ok := labels[h[1]]; !ok {
			var names []string
			for _, l := range regexp.MustCompile(`(\w+)="`).FindAllStringSubmatch(h[2], -1) {
				if l[1] != "le" {
					names = append(names, "`"+l[1]+"`")
				}
			}
			labels[h[1]] = strings.Join(names, ", ")
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s |\n", h[1], labels[h[1]]))
	}
	slices.Sort(rows)
	want := "| metric | labels |\n|---|---|\n" + strings.Join(rows, "")
	doc, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	const opening, closing = "<!-- metrics: written by go test ./trace/metrics -run TestDocs -update -->\n",
		"<!-- /metrics -->"
	before, rest, ok := strings.Cut(string(doc), opening)
	got, after, ok2 := strings.Cut(rest, closing)
	if !ok || !ok2 {
		t.Fatalf("%s has no table of metrics", docsFile)
	}
	if *update {
		if err := os.WriteFile(docsFile, []byte(before+opening+want+closing+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s is old; run go test ./trace/metrics -run TestDocs -update (-want +got):\n%s", docsFile, diff)
	}
}
