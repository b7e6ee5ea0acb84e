package route

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/prose"
)

// TestOrdersAreOfWords: what an order is read by has words only, no classes and no gaps. A gap
// before the end of a sentence is none: an order has to follow.
func TestOrdersAreOfWords(t *testing.T) {
	t.Parallel()
	for _, tongue := range tongues {
		for name, rule := range tongue.book.rules {
			for _, p := range rule.patterns {
				last := p.elems[len(p.elems)-1].op
				for _, e := range p.elems {
					gap := (e.op == opGap || e.op == opSeek) && last != opEnd
					class := e.op == opToken && (e.set.class != 0 || e.set.kinds != 0 || len(e.set.all) > 0)
					if name != "but" && (gap || class) {
						t.Errorf("%s: want words only; see knows", p.source)
					}
				}
			}
		}
	}
}

// TestUnknownWordIsNoOrder: a language without one of the words of a message reads no order in
// it, whatever its rules say: verbally leaves it out.
func TestUnknownWordIsNoOrder(t *testing.T) {
	t.Parallel()
	list, err := files.ReadDir("verbal")
	if err != nil {
		t.Fatal(err)
	}
	said := []string{"customer", "zebra", "顧客", "12", "👍"}
	for _, f := range list {
		text, err := files.ReadFile("verbal/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if _, example, ok := strings.Cut(line, " // "); ok {
				said = append(said, strings.TrimSpace(example))
			}
		}
	}
	open := []Open{{Surface: "form:visit", Kind: "form", Title: "Customer visit", Cancel: "Cancel"},
		{Surface: "form:k", Kind: "form", Title: "顧客", Submit: "送信", Cancel: "取消"}}
	r, left, orders := rand.New(rand.NewPCG(1, 2)), 0, 0
	for range 4000 {
		at := r.IntN(len(said))
		parts := []string{said[at]}
		for range r.IntN(3) { // of one language, mostly
			parts = append(parts, said[min(at+r.IntN(40), len(said)-1)])
		}
		message := strings.Join(parts[r.IntN(len(parts)):], []string{" ", ", ", ". ", ""}[r.IntN(4)])
		read := &reading{t: prose.Read(message), message: message}
		for _, tongue := range tongues {
			order := slices.ContainsFunc([]bool{false, true}, func(titlesFirst bool) bool {
				_, ok := read.hear(tongue, open, titlesFirst).whole(tongue, ControlSubmit)
				return ok
			})
			switch known := read.knows(tongue, open); {
			case order && !known:
				t.Errorf("%q is an order, but a word of it is not known", message)
			case order:
				orders++
			case !known:
				left++
			}
		}
	}
	if orders < 500 || left < 10_000 {
		t.Errorf("%d orders, %d languages left out: want many of both", orders, left)
	}
}
