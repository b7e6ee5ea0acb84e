package ui

import (
	"encoding/json"
	"testing"
)

// TestManyItems: a state with as many short items as its limits allow is read back.
func TestManyItems(t *testing.T) {
	t.Parallel()
	items := make([]string, 1_500_000)
	for i := range items {
		items[i] = "1"
	}
	was := Strings(items...)
	var is Value
	if err := json.Unmarshal(was.AppendJSON(nil), &is); err != nil || !is.Equal(was) {
		t.Errorf("%v", err)
	}
}

// What two values share is not compared.
func TestEqualShared(t *testing.T) {
	t.Parallel()
	v := Map(Pair{"leaf", Int(1)})
	for range 50 {
		v = Map(Pair{"a", v}, Pair{"b", Rows(Record{ID: "r1", Order: "a", Cells: v})})
	}
	if w, ok := v.With(Int(2), "c"); !v.Equal(v) || !ok || v.Equal(w) {
		t.Error("a value is not equal to itself alone")
	}
}
