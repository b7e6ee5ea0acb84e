package inspect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/jsonx"
)

// drawn draws a JSON value.
func drawn(t *rapid.T, depth int) jsonx.Value {
	most := 5
	if depth == 0 {
		most = 3
	}
	switch rapid.IntRange(0, most).Draw(t, "kind") {
	case 0:
		return jsonx.Value{}
	case 1:
		return jsonx.Value{Kind: jsonx.Bool, Bool: rapid.Bool().Draw(t, "bool")}
	case 2:
		return jsonx.Value{Kind: jsonx.Number, Str: strconv.Itoa(rapid.IntRange(0, 3).Draw(t, "number"))}
	case 3:
		return jsonx.Of(rapid.SampledFrom([]string{"", "a", "b/c", "~"}).Draw(t, "text"))
	case 4:
		v := jsonx.Value{Kind: jsonx.Array}
		for range rapid.IntRange(0, 5).Draw(t, "items") {
			v.Items = append(v.Items, drawn(t, depth-1))
		}
		return v
	}
	v := jsonx.Value{Kind: jsonx.Object}
	for _, key := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "b", "c/d", "~1", ""}), rapid.ID).Draw(t, "keys") {
		v.Members = append(v.Members, jsonx.Member{Key: key, Value: drawn(t, depth-1)})
	}
	return v
}

// patch carries out differences: what is removed goes last, so that indexes hold.
func patch(v jsonx.Value, list []Difference) jsonx.Value {
	for _, d := range list {
		if d.Op != Removed {
			v = at(v, keys(d.Path), d)
		}
	}
	for _, d := range slices.Backward(list) {
		if d.Op == Removed {
			v = at(v, keys(d.Path), d)
		}
	}
	return v
}

func keys(path string) (list []string) {
	if path == "" {
		return nil
	}
	for _, k := range strings.Split(path[1:], "/") {
		list = append(list, strings.NewReplacer("~1", "/", "~0", "~").Replace(k))
	}
	return list
}

func at(v jsonx.Value, path []string, d Difference) jsonx.Value {
	if len(path) == 0 {
		return *d.After
	}
	if v.Kind == jsonx.Array {
		i, _ := strconv.Atoi(path[0])
		v.Items = slices.Clone(v.Items)
		switch {
		case len(path) == 1 && d.Op == Added:
			v.Items = slices.Insert(v.Items, i, *d.After)
		case len(path) == 1 && d.Op == Removed:
			v.Items = slices.Delete(v.Items, i, i+1)
		default:
			v.Items[i] = at(v.Items[i], path[1:], d)
		}
		return v
	}
	v.Members = slices.Clone(v.Members)
	i := slices.IndexFunc(v.Members, func(m jsonx.Member) bool { return m.Key == path[0] })
	switch {
	case len(path) == 1 && d.Op == Added:
		v.Members = append(v.Members, jsonx.Member{Key: path[0], Value: *d.After})
	case len(path) == 1 && d.Op == Removed:
		v.Members = slices.Delete(v.Members, i, i+1)
	default:
		v.Members[i].Value = at(v.Members[i].Value, path[1:], d)
	}
	return v
}

// The differences lead from the value before to the value after, and there are none between
// equal values.
func TestDiffLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawn(t, 3), drawn(t, 3)
		if got := patch(before, Diff(before, after)); !jsonx.Equal(got, after) {
			t.Fatalf("from %s\nto %s\nleads %v to %s", show(before), show(after), Diff(before, after), show(got))
		}
		if list := Diff(after, after); len(list) > 0 {
			t.Fatalf("%s differs from itself: %v", show(after), list)
		}
	})
}

func show(v jsonx.Value) string { return string(jsonx.Append(nil, v)) }

// A new item at the beginning of a list is one difference, whatever follows it.
func TestDiffOfLists(t *testing.T) {
	t.Parallel()
	before, after := jsonx.Value{Kind: jsonx.Array}, jsonx.Value{Kind: jsonx.Array}
	after.Items = append(after.Items, jsonx.Of("new"))
	for i := range 50 {
		before.Items = append(before.Items, jsonx.Of(fmt.Sprint(i)))
		after.Items = append(after.Items, jsonx.Of(fmt.Sprint(i)))
	}
	list := Diff(before, after)
	if len(list) != 1 || list[0].Path != "/0" || list[0].Op != Added || list[0].After.Str != "new" {
		t.Errorf("%+v", list)
	}
}

// A value is cut to the bounds, and says what was left out.
func TestClip(t *testing.T) {
	t.Parallel()
	list := jsonx.Value{Kind: jsonx.Array}
	for range maxItems + 7 {
		list.Items = append(list.Items, jsonx.Of(strings.Repeat("x", maxString+1)))
	}
	out, more := clip(list)
	if len(out.Items) != maxItems+1 || out.Items[maxItems].Str != "… and 7 more" || more != maxItems+1 ||
		!strings.HasSuffix(out.Items[0].Str, "… (4097 bytes)") {
		t.Errorf("%d items, %d places, %.40s", len(out.Items), more, out.Items[maxItems].Str)
	}
	wide := jsonx.Value{Kind: jsonx.Array}
	for range maxItems {
		wide.Items = append(wide.Items, jsonx.Value{Kind: jsonx.Array, Items: list.Items[:maxItems]})
	}
	out, _ = clip(jsonx.OfObject(jsonx.Member{Key: "a", Value: wide}, jsonx.Member{Key: "b", Value: wide}))
	if n := count(out); n > maxEntries+3*maxItems {
		t.Errorf("%d entries are left", n)
	}
	if same, more := clip(jsonx.OfObject(jsonx.Member{Key: "a", Value: jsonx.Of("b")})); more != 0 || show(same) != `{"a":"b"}` {
		t.Errorf("a small value became %s", show(same))
	}
}

func count(v jsonx.Value) int {
	n := 1
	for _, item := range v.Items {
		n += count(item)
	}
	for _, m := range v.Members {
		n += count(m.Value)
	}
	return n
}
