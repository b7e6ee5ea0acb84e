package a2ui_test

import (
	"encoding/json"
	"html"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/limn-ui/limn/a2ui"
)

func TestEscape(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dialect           a2ui.Dialect
		variant, in, want string
	}{
		{a2ui.V09, "body", "hello, world.", "hello, world."},
		{a2ui.V09, "", "1. x", `1\. x`},
		{a2ui.V09, "", "1.5 kg", "1.5 kg"},
		{a2ui.V09, "body", "# x", `\# x`},
		{a2ui.V09, "body", "#1 of 3", "#1 of 3"},
		{a2ui.V09, "body", "*a*", `\*a\*`},
		{a2ui.V09, "body", "2 * 3", "2 * 3"},
		{a2ui.V09, "body", "snake_case and _it_", `snake_case and \_it\_`},
		{a2ui.V09, "body", "<b>", `\<b>`},
		{a2ui.V09, "body", "a < b", "a < b"},
		{a2ui.V09, "body", "[a](b)", `\[a](b)`},
		{a2ui.V09, "body", "[1] see", "[1] see"},
		{a2ui.V09, "body", "AT&T &amp; co", `AT&T \&amp; co`},
		{a2ui.V09, "body", "- item", `\- item`},
		{a2ui.V09, "body", "-5 °C", "-5 °C"},
		{a2ui.V09, "body", "a\nb", "a  \nb"},
		{a2ui.V09, "body", "a\n---", "a  \n\\---"},
		{a2ui.V09, "body", `C:\dir\_x`, `C:\dir\\\_x`},
		{a2ui.V09, "body", "~~no~~", `\~\~no\~\~`},
		{a2ui.V09, "body", "http://example.org/a_b", "http://example.org/a_b"},
		{a2ui.V09, "h1", "*a* # x", "*a* # x"},
		{a2ui.V09, "caption", "*a*", "*a*"},
		{a2ui.V08, "h1", "C #", `C \#`},
		{a2ui.V08, "h2", "a\nb", "a b"},
		{a2ui.V08, "caption", "*", `\*`},
		{a2ui.V08, "caption", `end\`, `end\\`},
		{a2ui.V08, "body", "+ x", `\+ x`},
		{a2ui.V10, "h2", "a\n*b*", `a \*b\*`},
	} {
		if got := a2ui.Escape(c.dialect, "Text", c.variant, "text", c.in); got != c.want {
			t.Errorf("Escape(%s, %q, %q) = %q, want %q", c.dialect, c.variant, c.in, got, c.want)
		}
	}
	if got := a2ui.Escape(a2ui.V08, "TextField", "", "label", "*a*"); got != "*a*" {
		t.Errorf("a label became %q", got)
	}
}

func TestGuard(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{`{"a":1}`: "{\"a\":1}\u200b", " [1] ": " [1] \u200b", "[": "[", "a": "a",
		"": ""} {
		if got := a2ui.Guard(a2ui.V08, in); got != want {
			t.Errorf("Guard(%q) = %q, want %q", in, got, want)
		}
		if got := a2ui.Guard(a2ui.V09, in); got != in {
			t.Errorf("v0.9: Guard(%q) = %q", in, got)
		}
	}
}

// FuzzEscape: plain words stay as they are, and removing the backslashes and the
// hard breaks gives the text back.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"hello, world.", "1. x", "# x", "*a*", "<b>", "[a](b)", "http://x.y", "a\n---", "\\*",
		"  x"} {
		f.Add(s)
	}
	plain := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9 ,.!?'"()%/:;äöüß€-]*$`)
	f.Fuzz(func(t *testing.T, in string) {
		for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
			for _, variant := range []string{"body", "h1", "caption"} {
				got := a2ui.Escape(d, "Text", variant, "text", in)
				if plain.MatchString(in) && got != in && got != strings.TrimSpace(in) {
					t.Errorf("%s %s: plain %q became %q", d, variant, in, got)
				}
				if a, b := letters(got), letters(in); a != b {
					t.Errorf("%s %s: %q became %q", d, variant, in, got)
				}
			}
		}
	})
}

// letters drops what Escape may add or normalise.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\\' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// TestEscapeAgainstMarkdownIt renders escaped random texts with the library the
// official clients use and expects the text itself.
func TestEscapeAgainstMarkdownIt(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("MARKDOWN_IT_DIR")
	if dir == "" {
		dir = filepath.Join("..", "web", "node_modules", "markdown-it")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("markdown-it is missing: %v (set MARKDOWN_IT_DIR)", err)
	}
	dir, _ = filepath.Abs(dir)
	type item struct{ Variant, In, Out string }
	var items []item
	rng := rand.New(rand.NewPCG(1, 2))
	alphabet := strings.Split(
		"a|b|x1| | |\n|\n|\t|*|*|**|_|__|`|``|[|]|(|)|](|]:|<|>|!|?|/|&|&amp;|&#35;|;|#|##|-|--|+|=|==|~|~~|\\|\\|.|1.|2)|:|é|\u00a0|http://x.y|<http://x.y>|\"|'|    |\u2014|—a", "|")
	alphabet = append(alphabet, "|", "|-|")
	for range 8_000 {
		var b strings.Builder
		for range 1 + rng.IntN(9) {
			b.WriteString(alphabet[rng.IntN(len(alphabet))])
		}
		for _, v := range []string{"body", "h1", "caption"} {
			items = append(items, item{v, b.String(), a2ui.Escape(a2ui.V08, "Text", v, "text", b.String())})
		}
	}
	in, _ := json.Marshal(items)
	cmd := exec.Command("node", "--input-type=module", "-e", `
		import {createRequire} from 'node:module'; import {readFileSync} from 'node:fs';
		const md = createRequire(import.meta.url)(process.argv[1])();
		const wrap = {body: s => s, h1: s => '# ' + s, caption: s => '*' + s + '*'};
		console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(i => md.render(wrap[i.Variant](i.Out)))));`, dir)
	cmd.Stdin = strings.NewReader(string(in))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("node did not run: %v", err)
	}
	var rendered []string
	if err := json.Unmarshal(out, &rendered); err != nil || len(rendered) != len(items) {
		t.Fatalf("%d results for %d texts: %v", len(rendered), len(items), err)
	}
	bad := 0
	for i, it := range items {
		if got, want := shown(rendered[i]), visible(it.In); got != want && want != "" {
			if bad++; bad < 20 {
				t.Errorf("%s %q escaped %q shows %q (%s)", it.Variant, it.In, it.Out, got, rendered[i])
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d texts are not literal", bad, len(items))
	}
}

var tags = regexp.MustCompile(`</?(p|h1|em)>|<br>`)

// shown is what a reader sees of rendered HTML. Any tag but those of the frame
// stays visible here, so that it fails.
func shown(s string) string { return visible(html.UnescapeString(tags.ReplaceAllString(s, " "))) }

func visible(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\u00a0", " ")), " ")
}

// TestObjectsThatLookLikeCalls: v0.9 cannot write an object that would be read as a call, whatever its args are.
func TestObjectsThatLookLikeCalls(t *testing.T) {
	t.Parallel()
	for _, args := range []a2ui.Value{a2ui.Path("/a"), a2ui.Call{Func: "f"}, a2ui.Template{Component: "c", Path: "/a"},
		a2ui.Event{Name: "e"}, a2ui.Object{{Name: "x", Value: a2ui.Path("/a")}}} {
		m := &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{{ID: "root", Type: "Dial", Props: []a2ui.Prop{
			{Name: "data", Value: a2ui.Object{{Name: "call", Value: a2ui.String("ring")}, {Name: "args", Value: args}}}}}}}
		if b, err := a2ui.AppendMessage(nil, a2ui.V09, m); err == nil {
			t.Errorf("%T: %s", args, b)
		}
	}
}
