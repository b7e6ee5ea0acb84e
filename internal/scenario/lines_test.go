package scenario

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLines: records have lines of their own, long texts are cut, and without
// indents, cuts and the last line the bytes are those that went in.
func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("wörter, ", 60)
	for name, c := range map[string]struct{ in, want string }{
		"short":   {"{\"a\":[1,2]}\nplain\n", "{\"a\":[1,2]}\nplain\n"},
		"records": {`[{"id":"a","text":"b, c"},{"id":"d"}]`, "[\n {\"id\":\"a\",\"text\":\"b, c\"},\n {\"id\":\"d\"}\n]\n"},
		"members": {
			`{"op":"Set","path":"/\"[","values":[{"key":"a"},{"key":"b"}],"end":true}`,
			"{\n \"op\":\"Set\",\"path\":\"/\\\"[\",\n \"values\":[\n  {\"key\":\"a\"},\n  {\"key\":\"b\"}\n ],\n \"end\":true\n}\n",
		},
		"text":   {long, ""},
		"string": {`{"text":"` + long + `","list":["` + long + `"]}`, ""},
	} {
		got := string(Lines([]byte(c.in)))
		got = got[:strings.LastIndexByte(strings.TrimSuffix(got, "\n"), '\n')+1]
		if c.want != "" && got != c.want {
			t.Errorf("%s:\n%s, want\n%s", name, got, c.want)
		}
		var b strings.Builder
		for line := range strings.Lines(string(joined([]byte(got)))) {
			b.WriteString(strings.Trim(line, "\n"))
		}
		if c.want == "" && strings.ReplaceAll(b.String(), " ", "") != strings.ReplaceAll(c.in, " ", "") {
			t.Errorf("%s: other bytes:\n%s", name, got)
		}
		for line := range strings.Lines(got) {
			if n := utf8.RuneCountInString(line); n > Width+1 {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
	if bytes.Equal(Lines([]byte("a\n")), Lines([]byte("a"))) {
		t.Error("a missing newline makes no difference")
	}
}
