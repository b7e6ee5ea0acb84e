package jsonx

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in     string
		reason Reason
	}{
		{``, Syntax}, {`{`, Syntax}, {`{"a"}`, Syntax}, {`[1,]`, Syntax}, {`{"a":1,}`, Syntax},
		{`01`, Syntax}, {`1.`, Syntax}, {`-`, Syntax}, {`+1`, Syntax}, {`1e`, Syntax}, {`NaN`, Syntax},
		{`tru`, Syntax}, {`"a`, Syntax}, {"\"a\nb\"", Syntax}, {`"\x"`, Syntax}, {`"\u12"`, Syntax}, {`1 2`, Syntax},
		{`{"a":1,"a":2}`, Duplicate}, {`{"a":1,"\u0061":2}`, Duplicate},
		{"\"\xff\"", Encoding}, {`"\ud800"`, Encoding}, {`"\ud800\u0041"`, Encoding}, {"\"\\n\xff\"", Encoding},
		{strings.Repeat("[", 65), TooDeep}, {strings.Repeat("[", 10_000), TooDeep},
	} {
		_, err := Parse([]byte(c.in), Limits{})
		var e *Error
		if !errors.As(err, &e) || e.Reason != c.reason {
			t.Errorf("Parse(%.40q) = %v, want reason %d", c.in, err, c.reason)
		}
	}
}

func TestParseKeepsOrderAndNumbers(t *testing.T) {
	t.Parallel()
	const in = `{"b":1.50,"a":[true,null,"x\u00e9\ud83d\ude00\n"],"n":123456789012345678901234567890}`
	v, err := Parse([]byte(in), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(Append(nil, v)), `{"b":1.50,"a":[true,null,"xé😀\n"],"n":123456789012345678901234567890}`; got != want {
		t.Errorf("Append = %s, want %s", got, want)
	}
	if got, want := string(AppendCanonical(nil, v)),
		`{"a":[true,null,"xé😀\n"],"b":1.50,"n":123456789012345678901234567890}`; got != want {
		t.Errorf("AppendCanonical = %s, want %s", got, want)
	}
}

func TestLimitsAreInclusive(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		at, over string
		lim      Limits
		reason   Reason
	}{
		{"bytes", `"abc"`, `"abcd"`, Limits{Bytes: 5}, TooLarge},
		{"depth", `[[1]]`, `[[[1]]]`, Limits{Depth: 2}, TooDeep},
		{"entries", `[1,2]`, `[1,2,3]`, Limits{Entries: 2}, TooMany},
		{"string", `"abc"`, `"abcd"`, Limits{String: 3}, TooLarge},
		{"escaped string", `"\n\nc"`, `"\n\ncd"`, Limits{String: 3}, TooLarge},
	} {
		if _, err := Parse([]byte(c.at), c.lim); err != nil {
			t.Errorf("%s: at the limit: %v", c.name, err)
		}
		var e *Error
		if _, err := Parse([]byte(c.over), c.lim); !errors.As(err, &e) || e.Reason != c.reason {
			t.Errorf("%s: over the limit: %v, want reason %d", c.name, err, c.reason)
		}
	}
}

func TestWideObjectsFindDuplicates(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"k":0`)
	for i := range 40 {
		b.WriteString(`,"k` + string(rune('a'+i%26)) + strings.Repeat("x", i) + `":1`)
	}
	if _, err := Parse([]byte(b.String()+`}`), Limits{}); err != nil {
		t.Fatal(err)
	}
	var e *Error
	if _, err := Parse([]byte(b.String()+`,"k":1}`), Limits{}); !errors.As(err, &e) || e.Reason != Duplicate {
		t.Fatalf("got %v, want Duplicate", err)
	}
}

// FuzzParse: whatever we accept, encoding/json accepts with the same meaning,
// and what we write reads back to the same bytes.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e3,"x\u2028<"],"b":null}`, `"\ud83d\ude00"`, `[[],{}]`, "\"\xed\xa0\x80\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		v, err := Parse(in, Limits{})
		if err != nil {
			return
		}
		if !json.Valid(in) || !utf8.Valid(in) {
			t.Fatalf("accepted invalid JSON %q", in)
		}
		out := Append(nil, v)
		again, err := Parse(out, Limits{Bytes: 1 << 24, String: 1 << 24})
		if err != nil {
			t.Fatalf("own output %q: %v", out, err)
		}
		if string(Append(nil, again)) != string(out) {
			t.Fatalf("not stable: %q", out)
		}
	})
}

// TestEqual: members in any order, all else as it is.
func TestEqual(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]bool{
		{`{"a":1,"b":[true,{"c":null}]}`, `{"b":[true,{"c":null}],"a":1}`}: true,
		{`{"a":1,"b":2}`, `{"a":1,"c":2}`}:                                 false,
		{`{"a":1,"b":2}`, `{"b":1,"a":2}`}:                                 false,
		{`[1,2]`, `[2,1]`}:                                                 false,
		{`[1]`, `[1,1]`}:                                                   false,
		{`1`, `1.0`}:                                                       false,
		{`"1"`, `1`}:                                                       false,
		{`{}`, `[]`}:                                                       false,
		{`null`, `null`}:                                                   true,
	} {
		a, err := Parse([]byte(pair[0]), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := Parse([]byte(pair[1]), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if Equal(a, b) != want || Equal(b, a) != want {
			t.Errorf("%s and %s: %v", pair[0], pair[1], !want)
		}
	}
}
