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
