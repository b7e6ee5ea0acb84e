package turn_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// TestDataSize: a name takes 64 KiB of JSON as a program writes it, what is merged included,
// whatever the state adds to each row; one byte more is refused with the numbers.
func TestDataSize(t *testing.T) {
	t.Parallel()
	const most = 64 << 10
	rows := func(n int, row string) string { return "[" + strings.Repeat(row+",", n-1) + row + "]" }
	fill := func(s string, size int) string { // with a text in the place of %s
		return fmt.Sprintf(s, strings.Repeat("x", size-len(s)+2))
	}
	for _, c := range []struct {
		name, was, body string
		want            string // "" = it is kept
	}{
		{"many short rows", "", `{"c":` + rows(1200, `{"x":"0","y":"0"}`) + `}`, ""},
		{"the most", "", fill(`{"c":[{"x":"%s"},{}]}`, most), ""},
		{"one byte more", "", fill(`{"c":[{"x":"%s"},{}]}`, most+1), "65537 bytes under one name, the most is 65536"},
		{"the smallest rows", "", rows((most-1)/3, `{}`), ""},
		{"numbers of a list", "", rows((most-1)/2, `7`), ""},
		{"texts of a list", "", rows(most/4, `"t"`), "65537 bytes under one name, the most is 65536"},
		{"merged", fill(`{"a":"%s"}`, most/2), fill(`{"b":"%s"}`, most/2+1), ""},
		{"one byte more merged", fill(`{"a":"%s"}`, most/2), fill(`{"b":"%s"}`, most/2+2),
			"65537 bytes under one name, the most is 65536"},
	} {
		env := env(t)
		s := env.App.NewState("c")
		for i, body := range []string{c.was, c.body} {
			if body == "" {
				continue
			}
			e, err := ingress.DecodeData([]byte(`{"d":`+body+`}`), ingress.Limits{})
			if err != nil {
				t.Fatal(c.name, err)
			}
			e.ID, e.At = ui.EventID(fmt.Sprint("e", i)), noon
			got := step(t, env, s, turn.Received{Event: e})
			s = got.After
			if out := got.Frame.Outcome; body == c.body && (out.Detail != c.want || out.Code != "" != (c.want != "")) {
				t.Errorf("%s: %+v", c.name, out)
			}
		}
	}
}

// TestDataStored: what a state would hold is bounded too: under one name by the form that it
// keeps, and for all names by the limits of the state.
func TestDataStored(t *testing.T) {
	t.Parallel()
	const row, text = `{}`, `7`
	long := make([]ui.Record, 4000)
	for i := range long {
		long[i] = ui.Record{ID: fmt.Sprint("n", i), Order: strings.Repeat("V", 300)}
	}
	env := env(t)
	e := ingress.DataEvent("d", ui.Rows(long...))
	e.ID, e.At = "e", noon
	out := step(t, env, env.App.NewState("c"), turn.Received{Event: e}).Frame.Outcome
	if out.Code != ingress.CodeTooLarge || !strings.Contains(out.Detail, "with the ids of rows") {
		t.Errorf("one name: %+v", out)
	}
	for _, item := range []string{row, text} {
		list, err := ingress.DecodeValue([]byte("["+strings.Repeat(item+",", (64<<10-1)/(len(item)+1)-1)+item+"]"), ingress.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		s, n := env.App.NewState("c"), 0
		for ; out.Code == "" || n == 0; n++ {
			e := ingress.DataEvent(fmt.Sprint("d", n), list)
			e.ID, e.At = ui.EventID(fmt.Sprint("e", n)), noon
			got := step(t, env, s, turn.Received{Event: e})
			s, out = got.After, got.Frame.Outcome
		}
		if n < 8 || out.Code != ingress.CodeTooLarge || out.Detail != "the conversation holds too much data" {
			t.Errorf("%s: the last of %d names: %+v", item, n, out)
		}
	}
}
