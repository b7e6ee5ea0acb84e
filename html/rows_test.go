package html

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

const (
	big    = ui.Name("form:customer")
	pageAt = ui.Path("/ui_state/page_t")
)

func turn(s *ui.State, first int) (*ui.State, *ui.Frame) {
	return step(s, &ui.Patch{Surface: big, Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: pageAt,
		Value: ui.Int(int64(first))}}})
}

// numbers are the numbers of the rows of a drawing.
func (p page) numbers() (out []int) {
	for _, n := range p.all("tr") {
		if th := n.FirstChild; th != nil && th.Data == "th" && val(th, "scope") == "row" {
			k, _ := strconv.Atoi(th.FirstChild.Data)
			out = append(out, k)
		}
	}
	return out
}

// TestPages: a table is drawn a page at a time, and buttons without script lead to
// the other pages, from the first to the last.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows, first, from, to int
		prev, next            bool
	}{{0, 0, 1, 0, false, false}, {50, 0, 1, 50, false, false}, {51, 0, 1, 50, false, true},
		{51, 50, 51, 51, true, false}, {5000, 0, 1, 50, false, true}, {5000, 4950, 4951, 5000, true, false},
		{5000, 2500, 2501, 2550, true, true}, {120, 7000, 1, 50, false, true}} {
		s, _ := turn(opened(t, table(c.rows)), c.first)
		p := draw(t, s.Surface(big))
		got := p.numbers()
		if len(got) != c.to-c.from+1 || len(got) > 0 && (got[0] != c.from || got[len(got)-1] != c.to) {
			t.Errorf("%+v: rows %v", c, got)
		}
		text := fmt.Sprintf("Rows %d–%d of %d", c.from, c.to, c.rows)
		page := string(AppendSurface(nil, nil, s.Surface(big), testOptions))
		if many := c.rows > ui.PageRows; strings.Contains(page, text) != many ||
			strings.Contains(page, builtin.KeyPrev) != c.prev || strings.Contains(page, builtin.KeyNext) != c.next {
			t.Errorf("%+v: the pager is wrong: %s", c, page[strings.Index(page, "</table>"):])
		}
		for _, key := range []string{builtin.KeyPrev, builtin.KeyNext} {
			buttons := p.all("button", "value=c#main/t/"+key+":Button")
			if len(buttons) == 0 {
				continue
			}
			at, _ := ui.ParseComponentID(val(buttons[0], "value"))
			if a, ok := s.Surface(big).ActionAt(at); !ok || a.Name != builtin.ActionPage {
				t.Errorf("%+v: %s is no action of the surface", c, key)
			}
		}
	}
}

// TestPageStreams: streams turn pages, take rows in and out before, on and after the
// page, and end as a page drawn anew does; a change of one cell of 5,000 rows is small.
func TestPageStreams(t *testing.T) {
	t.Parallel()
	row := func(n int) ui.Path { return ui.Path("/draft/t").Join(fmt.Sprint("r", n)) }
	patch := func(list ...ui.PatchOne) ui.Op { return &ui.Patch{Surface: big, Changes: list} }
	set := func(n int) ui.Op {
		return patch(ui.PatchOne{Do: ui.PatchSet, Path: row(n).Join("a"), Value: ui.String("x")})
	}
	for name, c := range map[string]struct {
		rows, first int
		op          ui.Op
		most        int // bytes
	}{
		"a cell of the page":          {5000, 2500, set(2510), 1000},
		"a cell of another page":      {5000, 2500, set(1), 300},
		"a row before the page goes":  {5000, 2500, patch(ui.PatchOne{Do: ui.PatchDelete, Path: row(7)}), 20_000},
		"a row of the page goes":      {5000, 2500, patch(ui.PatchOne{Do: ui.PatchDelete, Path: row(2510)}), 20_000},
		"a row after the page goes":   {5000, 2500, patch(ui.PatchOne{Do: ui.PatchDelete, Path: row(5000)}), 1000},
		"a row comes before the page": {4900, 2500, patch(ui.PatchOne{Do: ui.PatchInsert, Path: "/draft/t", Row: "new", Before: "r1", Value: ui.Map()}), 20_000},
		"a page turns":                {5000, 2500, patch(ui.PatchOne{Do: ui.PatchSet, Path: pageAt, Value: ui.Int(0)}), 300_000},
		"it comes to have pages":      {50, 0, patch(ui.PatchOne{Do: ui.PatchAppend, Path: "/draft/t", Row: "new", Value: ui.Map()}), 2000},
		"it has no pages any more":    {51, 0, patch(ui.PatchOne{Do: ui.PatchDelete, Path: row(3)}), 20_000},
		"the last page loses its row": {51, 50, patch(ui.PatchOne{Do: ui.PatchDelete, Path: row(51)}), 200_000},
		"all rows go":                 {120, 50, patch(ui.PatchOne{Do: ui.PatchSet, Path: "/draft/t", Value: ui.Rows()}), 2000},
		"errors on every page": {120, 50, &ui.Errors{Surface: big, Errors: []ui.FieldError{{Path: row(1).Join("a"), Text: "first"},
			{Path: row(60).Join("b"), Text: "here"}, {Path: row(120).Join("c"), Text: "last"}}}, 3000},
	} {
		s0, _ := turn(opened(t, table(c.rows)), c.first)
		s1, f := step(s0, c.op)
		if s1 == nil {
			t.Fatalf("%s: the op is refused", name)
		}
		size := 0
		for _, s := range checkUpdate(t, s0, s1, f) {
			size += len(s)
		}
		if size == 0 || size > c.most {
			t.Errorf("%s: %d bytes, want at most %d", name, size, c.most)
		}
	}
}

// TestErrorsOfOtherPages: an error of a row on another page is a button that turns to
// it, and says to a script which control it is about.
func TestErrorsOfOtherPages(t *testing.T) {
	t.Parallel()
	s, _ := step(opened(t, table(5000)), &ui.Errors{Surface: big, Errors: []ui.FieldError{
		{Path: "/draft/t/r2/a", Text: "here"}, {Path: "/draft/t/r4321/b", Text: "there"}, {Path: "/draft/t/gone/b", Text: "gone"}}})
	sf := s.Surface(big)
	p := draw(t, sf)
	if links := p.all("a"); len(links) != 1 || links[0].FirstChild.Data != "here" {
		t.Errorf("%d links", len(links))
	}
	if val(p.all("a")[0], "data-row") != "1" || val(p.all("a")[0], "data-at") != "main/t" {
		t.Error("a link does not say its row")
	}
	buttons := p.all("button", "class=limn-show")
	if len(buttons) != 1 || buttons[0].FirstChild.Data != "there" || val(buttons[0], "data-row") != "4320" {
		t.Fatalf("%d buttons", len(buttons))
	}
	at, _ := ui.ParseComponentID(val(buttons[0], "value"))
	a, ok := sf.ActionAt(at)
	if first, _ := a.Context[len(a.Context)-1].Value.Float(); !ok || a.Name != builtin.ActionPage || first != 4300 {
		t.Errorf("the button does %+v", a)
	}
	if got := Target("/draft/t/r4321/b", sf); got != "" {
		t.Errorf("a cell of another page is drawn as %s", got)
	}
	s, _ = turn(s, 4300)
	if got := Target("/draft/t/r4321/b", s.Surface(big)); got != val(buttons[0], "data-target") || got == "" {
		t.Errorf("the cell is drawn as %q, the button says %q", got, val(buttons[0], "data-target"))
	}
}

// TestAppendRows: rows of any place are as their table draws them, each once and in
// its order.
func TestAppendRows(t *testing.T) {
	t.Parallel()
	s := opened(t, table(5000))
	sf := s.Surface(big)
	for _, c := range []struct {
		ask  Rows
		want []int
	}{
		{Rows{First: 0, Count: 3}, []int{1, 2, 3}},
		{Rows{First: 4998, Count: 10}, []int{4999, 5000}},
		{Rows{First: 5000, Count: 10}, nil},
		{Rows{First: 7000, Count: 10}, nil},
		{Rows{First: 10, Count: 2, Also: []string{"r4000", "r11", "r3", "none"}}, []int{3, 11, 12, 4000}},
	} {
		c.ask.Path = "/draft/t"
		b, n, ok := AppendRows(nil, sf, testOptions, c.ask)
		table := parse(t, append(append([]byte("<table><tbody>"), b...), "</tbody></table>"...))
		if got := table.numbers(); fmt.Sprint(got) != fmt.Sprint(c.want) || n != 5000 || !ok {
			t.Errorf("%+v: %v of %d, %v", c.ask, got, n, ok)
		}
	}
	all, _, _ := AppendRows(nil, sf, testOptions, Rows{Path: "/draft/t", Count: ui.PageRows})
	if !strings.Contains(string(AppendSurface(nil, nil, sf, testOptions)), string(all)) {
		t.Error("the rows of the first page are drawn in another way")
	}
	for _, p := range []ui.Path{"/draft", "/draft/t/r1", "/draft/nothing", ""} {
		if b, _, ok := AppendRows(nil, sf, testOptions, Rows{Path: p, Count: 5}); ok || len(b) > 0 {
			t.Errorf("%q is a table", p)
		}
	}
}

// TestBoundedDrawing: whatever a table holds, its drawing is that of a page.
func TestBoundedDrawing(t *testing.T) {
	t.Parallel()
	small, large := AppendSurface(nil, nil, table(100), testOptions), AppendSurface(nil, nil, table(5000), testOptions)
	if len(large) > len(small)+100 {
		t.Errorf("100 rows take %d bytes, 5,000 take %d", len(small), len(large))
	}
}
