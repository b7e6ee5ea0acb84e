package client

import (
	"slices"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

// TestListText: where data cannot hold a list, the choice reads its JSON text,
// in both modes, and writes a list when the user chooses.
func TestListText(t *testing.T) {
	t.Parallel()
	for _, mode := range []Mode{Strict, LikeWebCore} {
		for text, want := range map[string][]string{`["red"]`: {"red"}, `["red","light blue"]`: {"red", "light blue"},
			`[]`: nil} {
			c := New(a2ui.V08, mode)
			for _, m := range []a2ui.Message{
				&a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{
					{ID: "c#p", Type: "ChoicePicker", Props: []a2ui.Prop{{Name: "value", Value: a2ui.Path("/draft/p/v")},
						{Name: "options", Value: a2ui.Options{{Label: a2ui.String("Red"), Value: "red"}, {Label: a2ui.String("Blue"), Value: "light blue"}}}}}}},
				&a2ui.UpdateData{SurfaceID: "s", Path: "/draft/p", Value: jsonx.OfObject(jsonx.Member{Key: "v", Value: jsonx.Of(text)})},
				&a2ui.CreateSurface{SurfaceID: "s", Root: "c#p"},
			} {
				if err := c.Apply(m); err != nil {
					t.Fatal(err)
				}
			}
			view, err := c.Surface("s")
			if err != nil || len(view.Problems) > 0 {
				t.Fatalf("%s %s: %v %v", mode, text, err, view.Problems)
			}
			if got := chosen(view.Root); !slices.Equal(got, want) {
				t.Errorf("%s %s: chosen %q, want %q", mode, text, got, want)
			}
			if err := c.Choose("s", "c#p", "red"); err != nil {
				t.Fatal(err)
			}
			view, _ = c.Surface("s")
			if got := chosen(view.Root); !slices.Equal(got, []string{"red"}) {
				t.Errorf("%s: then chosen %q", mode, got)
			}
			data, _ := c.Data("s")
			if got := string(jsonx.Append(nil, data)); got != `{"draft":{"p":{"v":["red"]}}}` {
				t.Errorf("%s: data %s", mode, got)
			}
		}
	}
}

func chosen(s Shown) (out []string) {
	for _, o := range s.Options {
		if o.Selected {
			out = append(out, o.Value)
		}
	}
	return out
}
