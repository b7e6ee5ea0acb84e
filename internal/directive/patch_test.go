package directive_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

func parse(t testing.TB, s string) jsonx.Value {
	t.Helper()
	v, err := jsonx.Parse([]byte(s), jsonx.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

func TestParseOps(t *testing.T) {
	t.Parallel()
	set := func(p ui.Path, v ui.Value) ui.PatchOne { return ui.PatchOne{Do: ui.PatchSet, Path: p, Value: v} }
	cells := ui.Map(ui.Pair{Key: "who", Value: ui.String("Ada")})
	tests := []struct {
		name, in string
		want     []ui.PatchOne
		strict   bool // passes in strict mode too
	}{
		{"set", `[{"op":"set","path":"/draft/name","value":"x"}]`, []ui.PatchOne{set("/draft/name", ui.String("x"))}, true},
		{"strict schema form", `[{"op":"delete","path":"/draft/name","value":null,"before":null,"row":null}]`, []ui.PatchOne{{Do: ui.PatchDelete, Path: "/draft/name"}}, true},
		{"RFC 6902 names", `[{"op":"replace","path":"/draft/a","value":1},{"op":"remove","path":"/draft/b"},{"op":"add","path":"/draft/c","value":true}]`,
			[]ui.PatchOne{set("/draft/a", ui.Int(1)), {Do: ui.PatchDelete, Path: "/draft/b"}, set("/draft/c", ui.Bool(true))}, false},
		{"missing verb", `[{"path":"/draft/a","value":"x"}]`, []ui.PatchOne{set("/draft/a", ui.String("x"))}, false},
		{"missing slash", `[{"op":"set","path":"draft/a","value":"x"}]`, []ui.PatchOne{set("/draft/a", ui.String("x"))}, false},
		{"segment path", `[{"op":"set","path":"a/b","value":"x"}]`, []ui.PatchOne{set("/draft/a/b", ui.String("x"))}, false},
		{"ui_state without slash", `[{"op":"set","path":"ui_state/step","value":2}]`, []ui.PatchOne{set("/ui_state/step", ui.Int(2))}, false},
		{"fragment", `[{"op":"set","path":"#/draft/a","value":"x"}]`, []ui.PatchOne{set("/draft/a", ui.String("x"))}, false},
		{"one for a list", `{"op":"set","path":"/draft/a","value":"x"}`, []ui.PatchOne{set("/draft/a", ui.String("x"))}, false},
		{"as a JSON string", `"[{\"op\":\"set\",\"path\":\"/draft/a\",\"value\":\"x\"}]"`, []ui.PatchOne{set("/draft/a", ui.String("x"))}, false},
		{"null empties", `[{"op":"set","path":"/draft/a","value":null}]`, []ui.PatchOne{set("/draft/a", ui.String(""))}, false},
		{"list of strings", `[{"op":"set","path":"/draft/a","value":["x","y"]}]`, []ui.PatchOne{set("/draft/a", ui.Strings("x", "y"))}, true},
		{"numbers in a list", `[{"op":"set","path":"/draft/a","value":[1,"y"]}]`, []ui.PatchOne{set("/draft/a", ui.Strings("1", "y"))}, false},
		{"append", `[{"op":"append","path":"/draft/tags","value":"x"}]`, []ui.PatchOne{{Do: ui.PatchAppend, Path: "/draft/tags", Value: ui.String("x")}}, true},
		{"add to the end", `[{"op":"add","path":"/draft/tags/-","value":"x"}]`, []ui.PatchOne{{Do: ui.PatchAppend, Path: "/draft/tags", Value: ui.String("x")}}, false},
		{"add at an index", `[{"op":"add","path":"/draft/tags/0","value":"x"}]`, []ui.PatchOne{{Do: ui.PatchInsert, Path: "/draft/tags", Before: "0", Value: ui.String("x")}}, false},
		{"append several", `[{"op":"append","path":"/draft/tags","value":["x","y"]}]`,
			[]ui.PatchOne{{Do: ui.PatchAppend, Path: "/draft/tags", Value: ui.String("x")}, {Do: ui.PatchAppend, Path: "/draft/tags", Value: ui.String("y")}}, false},
		{"append a row", `[{"op":"append","path":"/draft/people","value":{"who":"Ada"},"row":"ada"}]`, []ui.PatchOne{{Do: ui.PatchAppend, Path: "/draft/people", Row: "ada", Value: cells}}, true},
		{"append a row, strict form", `[{"op":"append","path":"/draft/people","value":[{"field":"who","value":"Ada"}],"before":null,"row":null}]`, []ui.PatchOne{{Do: ui.PatchAppend, Path: "/draft/people", Value: cells}}, true},
		{"append a row with its id", `[{"op":"append","path":"/draft/people","value":{"id":"ada","who":"Ada"}}]`, []ui.PatchOne{{Do: ui.PatchAppend, Path: "/draft/people", Row: "ada", Value: cells}}, false},
		{"insert before a row", `[{"op":"insert","path":"/draft/people","value":null,"before":"r2"}]`, []ui.PatchOne{{Do: ui.PatchInsert, Path: "/draft/people", Before: "r2"}}, true},
		{"rows", `[{"op":"set","path":"/draft/people","value":[{"id":"ada","who":"Ada"},{"who":"Ada"}]}]`,
			[]ui.PatchOne{set("/draft/people", ui.Rows(ui.Record{ID: "ada", Order: "n", Cells: cells}, ui.Record{ID: "r1", Order: "o", Cells: cells}))}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, warnings, err := directive.ParseOps(parse(t, tt.in), false)
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Fatalf("(-want +got):\n%s%v", diff, err)
			}
			if tt.strict != (len(warnings) == 0) {
				t.Errorf("warnings: %v", warnings)
			}
			for _, w := range warnings {
				if w.Code != directive.CodeCoerced {
					t.Errorf("warning %v", w)
				}
			}
			if _, _, err := directive.ParseOps(parse(t, tt.in), true); (err == nil) != tt.strict {
				t.Errorf("strict: %v", err)
			}
		})
	}
}

func TestParseOpsRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, path string }{
		{`[]`, ""}, {`null`, ""}, {`7`, ""}, {`"no json"`, ""}, {`[7]`, "/0"},
		{`[{"op":"test","path":"/draft/a","value":1}]`, "/0/op"},
		{`[{"op":"move","path":"/draft/a","from":"/draft/b"}]`, "/0/op"},
		{`[{"op":"set","path":"/draft/a"}]`, "/0/value"},
		{`[{"op":"set","value":1}]`, "/0/path"},
		{`[{"op":"set","path":"/committed/customer/name","value":1}]`, "/0/path"},
		{`[{"op":"set","path":"/other/name","value":1}]`, "/0/path"},
		{`[{"op":"set","path":"/name","value":1}]`, "/0/path"},
		{`[{"op":"set","path":"/draft","value":{}}]`, "/0/path"},
		{`[{"op":"set","path":"/ui_state/rev","value":9}]`, "/0/path"},
		{`[{"op":"set","path":"/ui_state/rev/x","value":9}]`, "/0/path"},
		{`[{"op":"set","path":"/draft/__proto__","value":9}]`, "/0/path"},
		{`[{"op":"set","path":"/draft/a/../b","value":9}]`, "/0/path"},
		{`[{"op":"set","path":"/draft/rows/0/name","value":9}]`, "/0/path"},
		{`[{"op":"set","path":"/draft/Name","value":9}]`, "/0/path"},
		{`[{"op":"delete","path":"/draft/tags/1"}]`, "/0/path"},
		{`[{"op":"set","path":"/draft/a","value":[[1]]}]`, "/0/value"},
		{`[{"op":"set","path":"/draft/a","value":{"b":{"c":1}}}]`, "/0/value/b"},
		{`[{"op":"set","path":"/draft/a","value":{"Bad Key":1}}]`, "/0/value/Bad Key"},
		{`[{"op":"set","path":"/draft/a","value":[{"id":"x"},{"id":"x"}]}]`, "/0/value/1/id"},
		{`[{"op":"set","path":"/draft/a","value":[{"id":"../x"}]}]`, "/0/value/0/id"},
		{`[{"op":"set","path":"/draft/a","value":1,"before":"r1"}]`, "/0/before"},
		{`[{"op":"set","path":"/draft/a","value":1,"row":"r1"}]`, "/0/row"},
		{`[{"op":"append","path":"/draft/a","value":{"x":1},"row":"R 1"}]`, "/0/row"},
		{`[{"op":"set","path":"/draft/a","value":1,"extra":1}]`, "/0"},
	} {
		_, _, err := directive.ParseOps(parse(t, tt.in), false)
		var e *ui.Error
		if e, _ = err.(*ui.Error); e == nil || e.Code != directive.CodePayloadInvalid || e.Path != tt.path {
			t.Errorf("%s: %v, want an error at %q", tt.in, err, tt.path)
		}
	}
}
