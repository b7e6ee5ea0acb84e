package route

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/prose"
)

// Every line of the rules has an example, and matches it.
func TestRulesMatchTheirExamples(t *testing.T) {
	t.Parallel()
	examples(t, rules, nil)
	for _, v := range tongues {
		examples(t, v.book, v)
	}
}

func examples(t *testing.T, book *rulebook, v *tongue) {
	for name, r := range book.rules {
		for k := 0; k < len(r.patterns); {
			source, end := r.patterns[k].source, k
			for end < len(r.patterns) && r.patterns[end].source == source {
				end++
			}
			_, example, _ := strings.Cut(source, " // ")
			if example == "" {
				t.Errorf("%s: no example", source)
			} else if !matchesAny(v, r.patterns[k:end], example) {
				t.Errorf("%s (rule %s) does not match its example", source, name)
			}
			k = end
		}
	}
}

// matchesAny reports that one of the patterns matches somewhere in the text.
func matchesAny(v *tongue, patterns []pattern, text string) bool {
	r := &reading{t: prose.Read(text)}
	r.number(rules)
	if v != nil {
		r = r.hear(v, []Open{{Title: "Widget"}}, false)
	}
	n := len(r.ids)
	ends := []int{n}
	for i := range r.ids {
		if r.t.Toks[i].Mark != 0 {
			ends = append(ends, i)
		}
	}
	for _, p := range patterns {
		for _, b := range ends {
			for i := 0; i <= b; i++ {
				if r.match(p.elems, i, b) >= 0 {
					return true
				}
			}
		}
	}
	return false
}

// A fault in the rules is reported with its file and line.
func TestRuleFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"  stray\n", "x.txt:1: a pattern outside a rule"},
		{"rule\n", "x.txt:1: want the name of a new rule"},
		{"a:\n  x\na:\n  y\n", "x.txt:3: want the name of a new rule"},
		{"a:\n  @Nothing\n", `x.txt:2: unknown class "Nothing"`},
		{"a:\n  x $set\n", "x.txt:2: no set $set"},
		{"a:\n  {b}\n", `x.txt:2: no rule "b"`},
		{"a:\n  x {a}\n  {a}\n", "rule a calls itself"},
		{"a:\n  ..x y\n", `x.txt:2: "..x": "x" is no number`},
		{"a:\n  <y:x\n", `x.txt:2: "y:x": the distance is no number`},
		{"a:\n  x||y\n", "x.txt:2: an empty alternative"},
		{"a:\n  x|{b}\n", `x.txt:2: "{b}" is no word`},
	} {
		_, err := readRules(map[string]string{"x.txt": c.text})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// Every rule and every set is used.
func TestRulesUsed(t *testing.T) {
	t.Parallel()
	books := []*rulebook{rules}
	for _, v := range tongues {
		books = append(books, v.book)
	}
	for _, book := range books {
		called := map[*rule]bool{}
		for _, r := range book.rules {
			for _, p := range r.patterns {
				for _, e := range p.elems {
					called[e.rule] = true
				}
			}
		}
		for name, r := range book.rules {
			if !called[r] && !book.named[name] {
				t.Errorf("nobody uses the rule %s", name)
			}
		}
	}
}
