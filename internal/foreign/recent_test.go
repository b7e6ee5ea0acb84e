package foreign_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
)

// TestReadAgain: what is done to a surface is not done to what others read of its node, also while other nodes are
// read.
func TestReadAgain(t *testing.T) {
	t.Parallel()
	was := foreign.Open(a2ui.V09, &a2ui.CreateSurface{SurfaceID: "main", CatalogID: a2ui.CatalogID(a2ui.V09)})
	text := func(s string) *a2ui.UpdateComponents {
		return &a2ui.UpdateComponents{SurfaceID: "main", Components: []a2ui.Component{{ID: "root", Type: "Text",
			Props: []a2ui.Prop{{Name: "text", Value: a2ui.String(s)}}}}}
	}
	foreign.Fold(was, a2ui.V09, text("first"))
	node, err := was.Node()
	if err != nil {
		t.Fatal(err)
	}
	var want []a2ui.Message
	for i := range 100 {
		s, err := foreign.Read(node)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = s.Source()
		}
		if !reflect.DeepEqual(s.Source(), want) || s.Model().Kind != jsonx.Object || len(s.Model().Members) > 0 {
			t.Fatalf("reading %d: %v %v", i, s, err)
		}
		foreign.Fold(s, a2ui.V09, text(fmt.Sprint(i)))
		foreign.Fold(s, a2ui.V09, &a2ui.UpdateData{SurfaceID: "main", Path: "/v", Value: jsonx.Of("x")})
		s.Shown(jsonx.OfObject(jsonx.Member{Key: "w", Value: jsonx.Of("y")}))
		s.Settle()
		if reflect.DeepEqual(s.Source(), want) {
			t.Fatal("nothing was changed")
		}
		other := *node
		if other.ID = fmt.Sprint("other", i); i%2 == 0 {
			if s, err := foreign.Read(&other); err != nil || s.ID != other.ID {
				t.Fatalf("%v %v", s, err)
			}
		}
	}
}
