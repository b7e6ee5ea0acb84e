package foreign_test

import (
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
)

// TestListsOfV08: a list of the data that a client of v0.8 sends as an object is one for the agent.
func TestListsOfV08(t *testing.T) {
	t.Parallel()
	data, err := a2ui.ParseData([]byte(`{"empty":[],"two":["a","b"],"rows":[{"tags":["x"]}],"map":{"0":"a"},"deep":{"list":[1]},"text":"a","nulls":[null,{"n":null},null]}`))
	if err != nil {
		t.Fatal(err)
	}
	s := foreign.Open(a2ui.V09, &a2ui.CreateSurface{SurfaceID: "main", Data: data})
	for _, c := range []struct{ path, sent, want string }{
		{"/empty", `{}`, `[]`},
		{"/empty", `["h"]`, `["h"]`},
		{"/empty", `{"0":"h","1":"w"}`, `["h","w"]`},
		{"/two", `{"1":"a"}`, `{"1":"a"}`},
		{"/rows", `{"0":{"tags":{"0":"y"}},"1":{"tags":[]}}`, `[{"tags":["y"]},{"tags":[]}]`},
		{"/map", `{"0":"b"}`, `{"0":"b"}`},
		{"/deep", `{"list":{"0":2},"more":{}}`, `{"list":[2],"more":{}}`},
		{"/nulls", `{"1":{"m":1}}`, `[null,{"m":1,"n":null},null]`},
		{"/nulls", `{}`, `[null]`},
		{"/nulls", `{"0":1,"1":{"n":2},"3":4}`, `[1,{"n":2},null,4]`},
		{"/nulls", `{"4":1}`, `{"4":1}`},
		{"/text", `{}`, `{}`},
		{"/none", `{}`, `{}`},
		{"two", `{}`, `{}`}, // in a row of a list
	} {
		v, err := a2ui.ParseData([]byte(c.sent))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(jsonx.Append(nil, s.Received(a2ui.Path(c.path), v))); got != c.want {
			t.Errorf("%s at %s is %s, want %s", c.sent, c.path, got, c.want)
		}
	}
}
