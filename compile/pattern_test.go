package compile

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/ui"
)

// patterns are forms that mean the same in Go and in a browser, each with the
// way it is written under the v flag.
var patterns = []struct{ re2, v string }{
	{`^[A-Z]{2,3}\d+$`, `^[A-Z]{2,3}\d+$`},
	{`^[+0-9][0-9 ()/-]{4,24}$`, `^[+0-9][0-9 \(\)\/\-]{4,24}$`},
	{`[^/|{}]`, `[^\/\|\{\}]`},
	{`[-a-c]`, `[\-a-c]`},
	{`[\w-]`, `[\w\-]`},
	{`[\w-.]`, `[\w\-.]`},
	{`[a\-c]`, `[a\-c]`},
	{`a\-b`, `a-b`},
	{`[!!&&]`, `[\!!\&&]`},
	{`a{`, `a\{`},
	{`a{,2}`, `a\{,2\}`},
	{`a}`, `a\}`},
	{`]`, `\]`},
	{`[\]x]`, `[\]x]`},
	{`(?:a|b)\.c`, `(?:a|b)\.c`},
	{`\[a\]`, `\[a\]`},
}

var samples = []string{"", "AB1", "ABCD12", "+49 30 1234", "(0)/12-34", "a-b", "-", "a/b", "|", "{", "}", "a{", "a{,2}",
	"a}", "]", "x", "b.c", "[a]", "!", "&", "é", ".",
	"1e3", " -0.5 ", "1e", "007", "1,5", "+1", "2E+10", "1e-2"}

func TestUnicodeSets(t *testing.T) {
	t.Parallel()
	for _, p := range patterns {
		if got := unicodeSets(p.re2); got != p.v {
			t.Errorf("%s: %s, want %s", p.re2, got, p.v)
		}
	}
}

// TestPatternsInABrowser compares Go's verdicts with those of a browser, which
// reads the pattern of an input under the v flag, anchored.
func TestPatternsInABrowser(t *testing.T) {
	t.Parallel()
	node := officialNode(t)
	d := drawing{medium: medium{f: a2ui.V08.Features()}}
	var all [][2]string // pattern, sample
	var want []bool
	for _, f := range fieldsWithPatterns() {
		for _, s := range samples {
			all = append(all, [2]string{d.checks().regexp(&f, "x"), s})
			pattern := f.Pattern
			if f.Type == ui.TypeNumber {
				pattern = numberPattern
			}
			want = append(want, s == "" || pattern == "" || regexp.MustCompile(pattern).MatchString(s))
		}
	}
	in, _ := json.Marshal(all)
	out, err := exec.CommandContext(t.Context(), node, "-e",
		`const all = JSON.parse(process.argv[1]); console.log(JSON.stringify(all.map(([p, s]) => new RegExp('^(?:' + p + ')$', 'v').test(s))))`, string(in)).Output()
	var got []bool
	if err == nil {
		err = json.Unmarshal(out, &got)
	}
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v: %s", err, out)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s on %q: %t in a browser, want %t", all[i][0], all[i][1], got[i], want[i])
		}
	}
}

func fieldsWithPatterns() (out []ui.Field) {
	for _, p := range patterns {
		out = append(out, ui.Field{Type: ui.TypeText, Pattern: p.re2})
	}
	return append(out, ui.Field{Type: ui.TypeText}, ui.Field{Type: ui.TypeNumber})
}
