package markup

import (
	"reflect"
	"testing"
)

func TestTable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		rows     [][]string
		headed   bool
	}{
		{"header", `<table><tr><th>Name</th><th>Role</th></tr><tr><td>Ana &amp; Co</td><td></td></tr></table>`,
			[][]string{{"Name", "Role"}, {"Ana & Co", ""}}, true},
		{"no header", `Hi, <b>see</b>: <TABLE><TR><TD>a<td>b<tr><td>c</table> bye`, [][]string{{"a", "b"}, {"c"}}, false},
		{"rows alone", `<tr><td>a<br>b</td></tr>`, [][]string{{"a b"}}, false},
		{"inside a cell", `<table><tr><td>a <table><tr><td>b</td></tr></table> c</td></tr></table>`, [][]string{{"a b c"}}, false},
		{"the first", `<table><tr><td>a</td></tr></table><table><tr><td>b</td></tr></table>`, [][]string{{"a"}}, false},
		{"list", `<ul><li>oak<li>ash &amp; yew</li></ul>`, [][]string{{"oak"}, {"ash & yew"}}, false},
		{"list in a cell", `<table><tr><td><ul><li>a</li></ul></td><td>b</td></tr></table>`, [][]string{{"a", "b"}}, false},
		{"none", `a < b and <thing> here`, nil, true},
	} {
		rows, headed, ok := Table(c.in)
		if !reflect.DeepEqual(rows, c.rows) || ok && headed != c.headed || ok != (c.rows != nil) {
			t.Errorf("%s: %q, headed %t, %t", c.name, rows, headed, ok)
		}
	}
}

func FuzzTable(f *testing.F) {
	f.Add(`<table><tr><th>a</th></tr><tr><td>&lt;</td></tr></table>`)
	f.Add(`<tr><td><table></td>`)
	f.Fuzz(func(t *testing.T, in string) {
		rows, _, _ := Table(in)
		n := 0
		for _, r := range rows {
			n += len(r)
		}
		if n > MaxCells+1 || n > len(in) {
			t.Errorf("%d cells of %d bytes", n, len(in))
		}
	})
}
