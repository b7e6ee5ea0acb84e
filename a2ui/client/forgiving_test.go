package client_test

import (
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/jsonx"
)

// TestForgiving: what is inconsistent is an error, and a Forgiving renderer makes
// sense of it; its drawings end.
func TestForgiving(t *testing.T) {
	t.Parallel()
	text := func(id, s string) a2ui.Component {
		return a2ui.Component{ID: id, Type: "Text", Props: []a2ui.Prop{{Name: "text", Value: a2ui.String(s)}}}
	}
	card := func(id, child string) a2ui.Component {
		return a2ui.Component{ID: id, Type: "Card", Props: []a2ui.Prop{{Name: "child", Value: a2ui.Ref(child)}}}
	}
	for name, c := range map[string]struct {
		m    a2ui.Message
		want func(client.State) bool
	}{
		"an id twice": {&a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{text("root", "a"), text("root", "b")}},
			func(s client.State) bool {
				return len(s.Components) == 1 && s.Components[0].Props[0].Value == a2ui.String("b")
			}},
		"a circle": {&a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{card("root", "x"), card("x", "root")}},
			func(s client.State) bool { return len(s.Components) == 2 }},
		"a path without its slash": {&a2ui.UpdateData{SurfaceID: "s", Path: "a/b", Value: jsonx.Of("x")},
			func(s client.State) bool { return len(s.Data.Members) == 1 }},
		"an answer nobody waits for": {&a2ui.Reply{CallID: "c"}, func(client.State) bool { return true }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, forgiving := range []bool{false, true} {
				r := client.With(client.Config{Dialect: a2ui.V10, Forgiving: forgiving})
				if err := r.Apply(&a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V10)}); err != nil {
					t.Fatal(err)
				}
				if err := r.Apply(c.m); (err == nil) != forgiving {
					t.Errorf("forgiving %t: %v", forgiving, err)
				}
				r.Dump("s")
				r.Nodes("s")
				if state, _ := r.State("s"); forgiving && !c.want(state) {
					t.Errorf("holds %+v", state)
				}
			}
		})
	}
}

// TestCallNeedsItsArguments: a call without an argument that its function requires
// is an error, not a condition that is not met; a path to nothing is none.
func TestCallNeedsItsArguments(t *testing.T) {
	t.Parallel()
	r := client.New(a2ui.V09, client.Strict)
	if err := r.Apply(&a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V09)}); err != nil {
		t.Fatal(err)
	}
	if v, err := r.Evaluate("s", "", a2ui.Call{Func: "email"}); err == nil {
		t.Errorf("email without value is %v", v)
	}
	if _, err := r.Evaluate("s", "", a2ui.Call{Func: "email",
		Args: []a2ui.Prop{{Name: "value", Value: a2ui.Path("/nothing")}}}); err != nil {
		t.Error(err)
	}
}

// TestDeletedRoot: v1.0 deletes the whole model with null; what stays is what a
// surface without data has.
func TestDeletedRoot(t *testing.T) {
	t.Parallel()
	r := client.New(a2ui.V10, client.Strict)
	for _, line := range []string{
		`{"version":"1.0","createSurface":{"surfaceId":"s","dataModel":{"a":1}}}`,
		`{"version":"1.0","updateDataModel":{"surfaceId":"s","path":"/","value":null}}`,
		`{"version":"1.0","updateDataModel":{"surfaceId":"s","path":"/b/c","value":1}}`,
	} {
		if err := r.Feed([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if state, _ := r.State("s"); state.Data.Kind.String() != "object" {
			t.Errorf("after %s the model is a %s", line, state.Data.Kind)
		}
	}
}
