package ui

import (
	"testing"

	"github.com/limn-ui/limn/internal/builtin"
)

// TestUploadAt: upload fields and cells of upload columns, of rows that are there;
// each has an action that removes its file.
func TestUploadAt(t *testing.T) {
	t.Parallel()
	s := &Surface{Root: Nodes{&Column{Key: "main", Children: Nodes{
		InputFor("/draft/shot", Field{Name: "shot", Type: TypeUpload}), InputFor("/draft/name", Field{Name: "name", Type: TypeText}),
		&Table{Rowset: Rowset{Key: "list", Path: "/draft/list", Columns: []Field{{Name: "scan", Type: TypeUpload}, {Name: "note", Type: TypeText}}}}}}},
		Draft: Map(Pair{Key: "list", Value: Rows(Record{ID: "r1", Order: "b", Cells: Map()})})}
	for p, at := range map[Path]KeyPath{"/draft/shot": "main/shot/!detach",
		"/draft/list/r1/scan": "main/list/r1/scan/!detach"} {
		a, found := s.ActionAt(at)
		if f := s.UploadAt(p); f == nil || f.Type != TypeUpload || !found || a.Name != builtin.ActionDetach ||
			a.Context[0].Value.Text() != string(p) {
			t.Errorf("%s: field %v, action %+v, %v", p, f, a, found)
		}
	}
	for _, p := range []Path{"/draft/name", "/draft/list", "/draft/list/r1", "/draft/list/r1/note",
		"/draft/list/r2/scan", "/draft/list/r1/scan/x", ""} {
		if s.UploadAt(p) != nil {
			t.Errorf("%q is an upload field", p)
		}
	}
	for _, at := range []KeyPath{"main/name/!detach", "main/list/r1/note/!detach", "main/list/r2/scan/!detach",
		"main/list/!detach"} {
		if a, found := s.ActionAt(at); found {
			t.Errorf("%s is %v", at, a)
		}
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0 bytes", 1023: "1023 bytes", 1024: "1 KiB", 1536: "1.5 KiB",
		8 << 20: "8 MiB", 5 << 30: "5 GiB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
