package a2uicmd

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// read lists the pieces of an input: "line:offset raw", "!" for a problem, "|"
// before the first piece after a blank line.
func read(t *testing.T, r io.Reader) (out []string) {
	t.Helper()
	for p, err := range newSource(r).pieces() {
		if err != nil {
			return append(out, "error "+err.Error())
		}
		if p.turn {
			out = append(out, "|")
		}
		if p.problem != nil {
			where := placeOf(p, *p.problem)
			out = append(out, fmt.Sprintf("%d:%d !", where.line, where.column))
			continue
		}
		if !bytes.Equal(p.text[p.at:p.at+len(p.raw)], p.raw) {
			t.Errorf("the text at %d does not hold %q", p.at, p.raw)
		}
		out = append(out, fmt.Sprintf("%d %s", p.line, strings.Join(strings.Fields(string(p.raw)), "")))
	}
	return out
}

// TestPieces reads every kind of input, whole and byte by byte.
func TestPieces(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"nothing":             {"", nil},
		"blank":               {"\n \n", nil},
		"lines":               {"{\"a\":1}\n{\"b\":2}\n", []string{`1 {"a":1}`, `2 {"b":2}`}},
		"no last line end":    {"{\"a\":1}\n{\"b\":2}", []string{`1 {"a":1}`, `2 {"b":2}`}},
		"a blank line":        {"\n{\"a\":1}\r\n\r\n\r\n{\"b\":2}", []string{`2 {"a":1}`, "|", `5 {"b":2}`}},
		"a broken first line": {"{\"a\":\n{\"b\":2}\n{\"c\":3}\n", []string{`1 {"a":`, `2 {"b":2}`, `3 {"c":3}`}},
		"a list that broke":   {"{\"a\":[\n{\"b\":2}\n{\"c\":3}\n", []string{`1 {"a":[`, `2 {"b":2}`, `3 {"c":3}`}},
		"an open string":      {"{\"a\":\"b\n{\"b\":2}\n", []string{`1 {"a":"b`, `2 {"b":2}`}},
		"words":               {"hello\nworld\n", []string{`1 hello`, `2 world`}},
		"a byte order mark":   {"\ufeff{\"a\":1}\n", []string{"1:0 !", `1 {"a":1}`}},
		"indented lines":      {"  [{\"a\":1}]\n\t{\"b\":2}\n", []string{`1 {"a":1}`, `2 {"b":2}`}},
		"one value":           {"{\n \"a\": 1\n}\n", []string{`1 {"a":1}`}},
		"values":              {"{\n \"a\": 1\n}\n{\n \"b\": 2\n}", []string{`1 {"a":1}`, `4 {"b":2}`}},
		"an array":            {"[\n{\"a\":1},\n{\"b\":2}\n]", []string{`2 {"a":1}`, `3 {"b":2}`}},
		"an array in a line":  {"[{\"a\":1},{\"b\":2}]\n[{\"c\":3}]\n[]", []string{`1 {"a":1}`, `1 {"b":2}`, `2 {"c":3}`}},
		"a wrapper":           {"{\n\"name\":\"x\",\n\"messages\":[\n{\"a\":1},\n{\"b\":2}]}", []string{`4 {"a":1}`, `5 {"b":2}`}},
		"a wrapper in a line": {"{\"messages\":[{\"a\":1}],\"z\":[]}\n", []string{`1 {"a":1}`}},
		"a list among lines":  {"{\"a\":1}\n[{\"b\":2},{\"c\":3}]\n", []string{`1 {"a":1}`, `2 {"b":2}`, `2 {"c":3}`}},
		"messages twice":      {"{\"messages\":[{\"a\":1}],\n\"messages\":[{\"b\":2}]}", []string{`1 {"a":1}`, `2:1 !`}},
		"no list of messages": {"{\"messages\":7}\n", []string{`1 {"messages":7}`}},
		"a broken document":   {"{\n \"a\": 1,\n \"b\" 2\n}", []string{`3:6 !`}},
		"a broken list":       {"[\n {\"a\":1},\n {\"b\" 2}\n]", []string{`3:7 !`}},
		"a document cut off":  {"{\n \"a\": [1,\n 2", []string{`3:3 !`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, read(t, strings.NewReader(c.in))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(c.want, read(t, iotest.OneByteReader(strings.NewReader(c.in)))); diff != "" {
				t.Errorf("byte by byte (-want +got)\n%s", diff)
			}
		})
	}
}

// TestPiecesLong: long lines pass, too long ones are named, a read error ends.
func TestPiecesLong(t *testing.T) {
	t.Parallel()
	long := `{"a":"` + strings.Repeat("x", 300<<10) + `"}`
	got := read(t, strings.NewReader(long+"\n"+strings.Repeat("y", 1<<20)+"\n{}\n"))
	if want := []string{"1 " + long, "2:0 !", "3 {}"}; !cmp.Equal(got, want) {
		t.Errorf("got %d pieces, the last %.20q", len(got), got[len(got)-1])
	}
	got = read(t, io.MultiReader(strings.NewReader("{}\n"), iotest.ErrReader(io.ErrClosedPipe)))
	if want := []string{"1 {}", "error " + io.ErrClosedPipe.Error()}; !cmp.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPiecesAtOnce: a line is passed on before the next one is asked for.
func TestPiecesAtOnce(t *testing.T) {
	t.Parallel()
	in := &slowly{t: t, lines: []string{`{"a":1}`, `{"b":2}`, `{"c":3}`}}
	for p, err := range newSource(in).pieces() {
		if err != nil || in.passed >= in.given || string(p.raw) != in.lines[in.passed] {
			t.Fatalf("got %q, %v after %d of %d lines", p.raw, err, in.passed, in.given)
		}
		in.passed++
	}
	if in.passed != len(in.lines) {
		t.Errorf("got %d lines of %d", in.passed, len(in.lines))
	}
}

// slowly gives a line a read, and fails the test when it is asked for a line while
// another one was not passed on.
type slowly struct {
	t             *testing.T
	lines         []string
	given, passed int
}

func (s *slowly) Read(b []byte) (int, error) {
	if s.passed < s.given {
		s.t.Errorf("line %d is asked for, %d are passed on", s.given+1, s.passed)
	}
	if s.given == len(s.lines) {
		return 0, io.EOF
	}
	s.given++
	return copy(b, s.lines[s.given-1]+"\n"), nil
}

// FuzzPieces: any input is read to its end, and each piece is where it says.
func FuzzPieces(f *testing.F) {
	for _, seed := range []string{"", "[", "{\n", "{\"messages\":[", "{\"messages\":[{}],\n\"messages\":[{}]}",
		"{}\n\n[{},2]\n", "\xff\n{", "{\"a\":\n{}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		out := bytes.Join(bytes.Fields(in), nil)
		for _, s := range read(t, bytes.NewReader(in)) {
			if _, raw, ok := strings.Cut(s, " "); ok && raw != "!" && !bytes.Contains(out, []byte(raw)) {
				t.Errorf("%q is not in the input", raw)
			}
		}
	})
}
