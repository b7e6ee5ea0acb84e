package ui

import "testing"

// TestMerge has the examples of RFC 7396, appendix A, that a Value can hold.
func TestMerge(t *testing.T) {
	for _, tt := range [][3]string{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":"foo"}`, `"bar"`, `"bar"`},
		{`{"a":"foo"}`, `null`, `null`},
		{`{"e":null}`, `{"a":1}`, `{"a":1,"e":null}`},
		{`["a","b"]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
		{`{"a":{"$rows":[{"id":"r1","order":"n","cells":{"x":1}}]}}`, `{"a":{"r1":2}}`, `{"a":{"r1":2}}`},
	} {
		var v, patch Value
		if err := v.UnmarshalJSON([]byte(tt[0])); err != nil {
			t.Fatal(err)
		}
		if err := patch.UnmarshalJSON([]byte(tt[1])); err != nil {
			t.Fatal(err)
		}
		if got := string(v.Merge(patch).AppendJSON(nil)); got != tt[2] {
			t.Errorf("%s with %s: %s, want %s", tt[0], tt[1], got, tt[2])
		}
		if was := string(v.AppendJSON(nil)); was != tt[0] {
			t.Errorf("the value became %s", was)
		}
	}
}
