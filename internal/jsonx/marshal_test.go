package jsonx

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestUnmarshalWhatWasMarshaled: a value at the limits of Parse is read back, also inside others.
func TestUnmarshalWhatWasMarshaled(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]string{
		"depth":   strings.Repeat("[", 64) + strings.Repeat("]", 64),
		"entries": "[" + strings.Repeat("0,", 99_999) + "0]",
	} {
		v, err := Parse([]byte(one), Limits{})
		if err != nil {
			t.Fatal(name, err)
		}
		b, err := json.Marshal(OfArray(v, OfObject(Member{Key: "a", Value: v})))
		if err != nil {
			t.Fatal(name, err)
		}
		var back Value
		if err := json.Unmarshal(b, &back); err != nil || len(Append(nil, back)) != len(b) {
			t.Error(name, err)
		}
	}
}
