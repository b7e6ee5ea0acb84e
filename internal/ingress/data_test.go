package ingress

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/ui"
)

func TestDecodeValue(t *testing.T) {
	for _, tt := range [][2]string{
		{`{"total":12.50,"open":true,"who":"Ann","gone":null}`, `{"gone":null,"open":true,"total":12.50,"who":"Ann"}`},
		{`{"days":["Mon","Tue"],"n":[1,2.5]}`, `{"days":["Mon","Tue"],"n":["1","2.5"]}`},
		{`[{"id":"a","n":1},{"n":2},{"id":"A b"}]`, `{"$rows":[` +
			`{"id":"a","order":"n","cells":{"id":"a","n":1}},{"id":"n2","order":"o","cells":{"n":2}},` +
			`{"id":"n3","order":"p","cells":{"id":"A b"}}]}`},
		{`[]`, `[]`},
		{`7`, `7`},
	} {
		v, err := DecodeValue([]byte(tt[0]), Limits{})
		if got := string(v.AppendJSON(nil)); err != nil || got != tt[1] {
			t.Errorf("%s: %s, want %s (%v)", tt[0], got, tt[1], err)
		}
	}
}

func TestDecodeDataFaults(t *testing.T) {
	for body, want := range map[string]ui.Code{
		``:                           CodeData,
		`[]`:                         CodeData,
		`{}`:                         CodeData,
		`{"sales":`:                  CodeData,
		`{"Total":1} /Total`:         CodeData,
		`{"sales":{"Total":1}}`:      CodeData,
		`{"sales":[1,{}]}`:           CodeData,
		`{"sales":[{},1]}`:           CodeData,
		`{"sales":[{"id":"n2"},{}]}`: CodeData,
		`{"sales":[[1]]}`:            CodeData,
		`{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}`:   CodeData,
		`{"sales":"` + strings.Repeat("x", 1<<20) + `"}`: CodeTooLarge,
	} {
		_, err := DecodeData([]byte(body), Limits{})
		if e := ui.AsError(err, "", ""); ui.CodeOf(err) != want || e.Hint == "" {
			t.Errorf("%.60s: %v, hint %q", body, err, e.Hint)
		}
	}
}

// FuzzDecodeData: what is taken can be stored, read again and merged.
func FuzzDecodeData(f *testing.F) {
	f.Add([]byte(`{"sales":{"total":12,"days":["Mon"],"rows":[{"id":"a","n":1},{}]}}`))
	f.Add([]byte(`{"a":null,"b":{"$rows":[]}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := DecodeData(body, Limits{})
		if c := ui.CodeOf(err); c != "" && c != CodeData && c != CodeTooLarge {
			t.Fatalf("fault %v", err)
		}
		if err != nil {
			return
		}
		b, err := ui.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ui.DecodeEvent(b)
		if err != nil || !again.Data.Equal(e.Data) {
			t.Fatalf("%v: %s", err, b)
		}
		ui.Map().Merge(e.Data)
	})
}
