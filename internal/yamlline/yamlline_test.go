package yamlline_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/yamlline"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("  - {a: 1,\n     b: 2}\n  - c: |\n      text\n", 500)
	for name, tt := range map[string]struct {
		data string
		said int // by the library
		want int
	}{
		"indentation":           {"a:\n  - b: 1\n    c: 2\n   d: 3\n    e: 4\n", 1, 4},
		"a bracket":             {"a:\n  - b: 1\n    c: [1, 2\n    d: 3\n", 2, 3},
		"a quote":               {"a:\n  - b: \"1\n    c: 3\n    d: \"4\"\n", 3, 3},
		"a tab":                 {"a:\n  - b: 1\n\t  c: 2\n", 2, 3},
		"too much":              {"a:\n  b: 1\n]\n", 2, 3},
		"the first line":        {"[", 0, 1},
		"without a line break":  {"a: 1\n}", 0, 2},
		"a second document":     {"a: 1\n---\nb: [\n", 3, 3},
		"behind values of many": {"a:\n" + long + "   x: 1\n" + long, 1, 2002},
		"what the library says": {"a: 1\nb: 2\n", 2, 2},
		"above the bound":       {strings.Repeat("#", 300<<10) + "\n[", 1, 1},
	} {
		said := "no words of where"
		if tt.said > 0 {
			said = fmt.Sprintf("line %d: what: is it", tt.said)
		}
		words := said[strings.Index(said, ": ")+1:]
		if got, text := yamlline.Split([]byte(tt.data), errors.New("yaml: "+said)); got != tt.want ||
			text != strings.TrimSpace(words) {
			t.Errorf("%s: line %d, want %d; %q", name, got, tt.want, text)
		}
	}
	if line, text := yamlline.Split([]byte("a: 1\nb: 2\nc: 3\n"),
		errors.New("yaml: unmarshal errors:\n  line 2: first\n  line 3: second")); line != 2 || text != "first" {
		t.Errorf("%d %q", line, text)
	}
}
