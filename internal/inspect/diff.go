package inspect

import (
	"strconv"

	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Kinds of a Difference, with the names of RFC 6902.
const (
	Added    = "add"
	Removed  = "remove"
	Replaced = "replace"
)

// Difference is one place in which two JSON values differ.
type Difference struct {
	Path   string       `json:"path"` // JSON Pointer into the value after; of Removed, into the one before
	Op     string       `json:"op"`
	Before *jsonx.Value `json:"before,omitempty"`
	After  *jsonx.Value `json:"after,omitempty"`
}

// maxDifferences bounds the differences that are listed.
const maxDifferences = 500

// Diff lists where two values differ, in the order of the value after. In lists it skips the
// common beginning and the common end, and compares the rest item by item.
func Diff(before, after jsonx.Value) []Difference {
	var d differ
	d.value("", before, after)
	return d.list
}

type differ struct{ list []Difference }

func (d *differ) add(path, op string, before, after *jsonx.Value) {
	d.list = append(d.list, Difference{path, op, before, after})
}

func (d *differ) value(path string, a, b jsonx.Value) {
	switch {
	case a.Kind == jsonx.Object && b.Kind == jsonx.Object:
		d.object(path, a, b)
	case a.Kind == jsonx.Array && b.Kind == jsonx.Array:
		d.array(path, a.Items, b.Items)
	case !jsonx.Equal(a, b):
		d.add(path, Replaced, &a, &b)
	}
}

func (d *differ) object(path string, a, b jsonx.Value) {
	was := make(map[string]jsonx.Value, len(a.Members))
	for _, m := range a.Members {
		was[m.Key] = m.Value
	}
	for i := range b.Members {
		m := b.Members[i]
		if before, ok := was[m.Key]; ok {
			d.value(join(path, m.Key), before, m.Value)
			delete(was, m.Key)
		} else {
			d.add(join(path, m.Key), Added, nil, &m.Value)
		}
	}
	for i := range a.Members {
		m := a.Members[i]
		if _, gone := was[m.Key]; gone {
			d.add(join(path, m.Key), Removed, &m.Value, nil)
		}
	}
}

func (d *differ) array(path string, a, b []jsonx.Value) {
	from := 0
	for from < len(a) && from < len(b) && jsonx.Equal(a[from], b[from]) {
		from++
	}
	enda, endb := len(a), len(b)
	for enda > from && endb > from && jsonx.Equal(a[enda-1], b[endb-1]) {
		enda, endb = enda-1, endb-1
	}
	for i := from; i < enda || i < endb; i++ {
		at := join(path, strconv.Itoa(i))
		switch {
		case i >= endb:
			d.add(at, Removed, &a[i], nil)
		case i >= enda:
			d.add(at, Added, nil, &b[i])
		default:
			d.value(at, a[i], b[i])
		}
	}
}

func join(path, key string) string { return string(jsonptr.AppendSegment([]byte(path), key)) }
