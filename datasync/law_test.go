package datasync_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/datasync"
)

var start = time.Date(2026, 1, 12, 16, 0, 0, 0, time.UTC)

// source draws numbers; rapid shrinks them, the torture run does not.
type source func(n int) int

func drawn(t *rapid.T) source {
	return func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }
}

// write draws an edit with paths of few keys, so that edits meet.
func (s source) write() datasync.Update {
	u := datasync.Update{Path: "/"}
	if depth := (s(9) + 2) / 3; depth > 0 { // the root seldom
		var keys []string
		for range depth {
			keys = append(keys, string(rune('a'+s(3))))
		}
		u.Path = "/" + strings.Join(keys, "/")
	}
	switch s(8) {
	case 0, 1:
		u.Value = "null"
	case 2:
		u.Value = `{"a":1,"b":{"c":2}}`
	case 3:
		u.Value = `{}`
	case 4:
		u.Pos = []string{"a0", "a0V", "a1"}[s(3)]
	case 5:
		u.Value, u.Pos = fmt.Sprint(s(3)), []string{"a0", "a1"}[s(2)]
	default:
		u.Value = fmt.Sprint(s(100))
	}
	return u
}

// history draws stamped updates of several actors.
func (s source) history() (list []datasync.Update) {
	for i := range 2 + s(12) {
		u := s.write()
		u.Stamp = datasync.Stamp{Time: start.UnixMilli() + int64(s(4)), Count: i, Actor: string(rune('p' + s(3)))}
		list = append(list, u)
	}
	return list
}

// lists are the paths whose order is compared.
var lists = []string{"/", "/a", "/b", "/c", "/a/b", "/b/c"}

// state is all that can be seen of a document.
func state(d *datasync.Doc) string {
	out := string(d.JSON())
	for _, path := range lists {
		out += fmt.Sprint("\n", path, d.Order(path))
	}
	return out
}

// reference is what all updates together make, the slow way: of each path the last value
// and position, without those that a later value above them has replaced.
func reference(all []datasync.Update) string {
	values, positions := map[string]datasync.Update{}, map[string]datasync.Update{}
	replaced := func(u datasync.Update) bool {
		return slices.ContainsFunc(all, func(v datasync.Update) bool {
			return v.Value != "" && v.Stamp.After(u.Stamp) && datasync.Below(u.Path, v.Path)
		})
	}
	for _, u := range all {
		if replaced(u) {
			continue
		}
		if u.Value != "" && !values[u.Path].Stamp.After(u.Stamp) {
			values[u.Path] = u
		}
		if (u.Pos != "" || u.Unplace || u.Value == "null") && !positions[u.Path].Stamp.After(u.Stamp) {
			positions[u.Path] = u
		}
	}
	var build func(path string, base any, has bool) (any, bool)
	build = func(path string, base any, has bool) (any, bool) {
		if u, ok := values[path]; ok {
			base, has = nil, u.Value != "null"
			_ = json.Unmarshal([]byte(u.Value), &base)
		}
		object, isObject := base.(map[string]any)
		out, live := map[string]any{}, false
		below := map[string]bool{}
		for _, m := range []map[string]datasync.Update{values, positions} {
			for p := range m {
				if datasync.Below(p, path) {
					key, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(p, path), "/"), "/")
					below[key] = true
				}
			}
		}
		for key, v := range object {
			if !below[key] {
				out[key] = v
			}
		}
		for key := range below {
			was, had := object[key]
			if v, ok := build(strings.TrimSuffix(path, "/")+"/"+key, was, had); ok {
				out[key], live = v, true
			}
		}
		if !isObject && !live {
			return base, has
		}
		return out, true
	}
	root, _ := build("/", nil, false)
	text, _ := json.Marshal(root)
	out := string(text)
	for _, path := range lists {
		v, ok := root, true
		for _, key := range strings.FieldsFunc(path, func(r rune) bool { return r == '/' }) {
			object, _ := v.(map[string]any)
			if v, ok = object[key]; !ok {
				break
			}
		}
		object, _ := v.(map[string]any)
		ids := []string{}
		for key := range object {
			here := strings.TrimSuffix(path, "/") + "/" + key
			there := false
			for up, rest := here, []string(nil); ; { // the nearest value at it or above it
				if u, ok := values[up]; ok {
					var v any
					_ = json.Unmarshal([]byte(u.Value), &v)
					there = u.Value != "null"
					for _, k := range rest {
						m, _ := v.(map[string]any)
						v, there = m[k]
					}
					break
				}
				if up == "/" {
					break
				}
				cut := strings.LastIndexByte(up, '/')
				up, rest = cmp.Or(up[:cut], "/"), append([]string{up[cut+1:]}, rest...)
			}
			if there || positions[here].Pos != "" {
				ids = append(ids, key)
			}
		}
		slices.SortFunc(ids, func(a, b string) int {
			p, q := positions[strings.TrimSuffix(path, "/")+"/"+a], positions[strings.TrimSuffix(path, "/")+"/"+b]
			switch {
			case p.Pos == "" && q.Pos == "":
				return strings.Compare(a, b)
			case p.Pos == "":
				return 1
			case q.Pos == "":
				return -1
			}
			return cmp.Or(strings.Compare(p.Pos, q.Pos), p.Stamp.Compare(q.Stamp), strings.Compare(a, b))
		})
		out += fmt.Sprint("\n", path, ids)
	}
	return out
}

func apply(t interface{ Fatal(...any) }, d *datasync.Doc, list ...datasync.Update) {
	if _, err := d.Apply(datasync.Batch{Updates: list}); err != nil {
		t.Fatal(err)
	}
}

// TestAnyOrder: in whatever order, however often and in whatever batches updates come,
// they make the same, which is what the reference makes.
func TestAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		all := s.history()
		a, b := datasync.New(datasync.Limits{}), datasync.New(datasync.Limits{})
		apply(t, a, all...)
		mixed := slices.Concat(rapid.Permutation(all).Draw(t, "order"), rapid.Permutation(all).Draw(t, "again"))
		for len(mixed) > 0 {
			n := min(len(mixed), 1+s(4))
			apply(t, b, mixed[:n]...)
			mixed = mixed[n:]
		}
		if x, y := state(a), state(b); x != y || x != reference(all) {
			t.Fatalf("%v\none\n%s\nother\n%s\nreference\n%s", all, x, y, reference(all))
		}
		if x, y := a.Delta("s", "p", nil), b.Delta("s", "p", nil); fmt.Sprint(x.Updates) != fmt.Sprint(y.Updates) {
			t.Fatalf("%v\n%v", x.Updates, y.Updates)
		}
		if done, _ := b.Apply(datasync.Batch{Updates: all}); len(done.Paths) > 0 {
			t.Fatalf("once more, and %v are others", done.Paths)
		}
	})
}

// TestExactPathsDiverge: the rule of the proposal, the last writer of exactly one path,
// fails TestAnyOrder.
func TestExactPathsDiverge(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	s := source(random.IntN)
	for range 1000 {
		all := s.history()
		last := map[string]datasync.Update{}
		for _, u := range all {
			if u.Value != "" && !last[u.Path].Stamp.After(u.Stamp) {
				last[u.Path] = u
			}
		}
		var flat []datasync.Update
		for _, u := range last {
			u.Stamp = datasync.Stamp{Time: int64(len(u.Path)), Actor: "p"} // nothing replaces what is below
			flat = append(flat, u)
		}
		d := datasync.New(datasync.Limits{})
		apply(t, d, flat...)
		if !strings.HasPrefix(reference(all), string(d.JSON())+"\n") {
			return
		}
	}
	t.Error("the laws do not tell exact paths from whole ones")
}

// TestSnapshot: a document that is stored and loaded is the same, also for what comes.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		d := datasync.New(datasync.Limits{})
		apply(t, d, s.history()...)
		e, err := datasync.Load(d.Snapshot(), datasync.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		more := s.history()
		apply(t, d, more...)
		apply(t, e, more...)
		if state(d) != state(e) || !bytes.Equal(d.Snapshot(), e.Snapshot()) {
			t.Fatalf("%s\n%s", state(d), state(e))
		}
		b := d.Delta("s", "p", nil)
		packed, err := b.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		var c datasync.Batch
		if err := c.UnmarshalBinary(packed); err != nil {
			t.Fatal(err)
		}
		f, err := datasync.ParseBatch(c.AppendJSON(nil), datasync.Limits{})
		if err != nil || !bytes.Equal(f.AppendJSON(nil), b.AppendJSON(nil)) {
			t.Fatalf("%v\n%s\n%s", err, f.AppendJSON(nil), b.AppendJSON(nil))
		}
	})
}

// TestMergeLaws: to merge documents is idempotent, commutative and associative, only adds,
// and makes what the updates of all make.
func TestMergeLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		all := s.history()
		var parts [3][]datasync.Update // with what several have
		for _, u := range all {
			for i := range parts {
				if s(2) == 0 {
					parts[i] = append(parts[i], u)
				}
			}
		}
		doc := func(i int) *datasync.Doc {
			d := datasync.New(datasync.Limits{Updates: len(all)})
			apply(t, d, parts[i]...)
			return d
		}
		merged := func(a, b *datasync.Doc) *datasync.Doc {
			if _, err := a.Merge(b); err != nil {
				t.Fatal(err)
			}
			return a
		}
		same := func(law string, a, b *datasync.Doc) {
			if !bytes.Equal(a.Snapshot(), b.Snapshot()) {
				t.Fatalf("%s: %v\n%s\n%s", law, parts, state(a), state(b))
			}
		}
		same("idempotent", merged(doc(0), doc(0)), doc(0))
		same("commutative", merged(doc(0), doc(1)), merged(doc(1), doc(0)))
		same("associative", merged(merged(doc(0), doc(1)), doc(2)), merged(doc(0), merged(doc(1), doc(2))))
		ab := merged(doc(0), doc(1))
		same("only grows", merged(merged(doc(0), doc(1)), doc(0)), ab)
		if !ab.Seen().Contains(doc(0).Seen()) || !ab.Seen().Contains(doc(1).Seen()) {
			t.Fatalf("seen %v", ab.Seen())
		}
		if want := reference(slices.Concat(parts[0], parts[1])); state(ab) != want {
			t.Fatalf("%s\n%s", state(ab), want)
		}
	})
}

// TestEveryFew: all two and three writes of four kinds at a path, above it, below it and beside
// it, in all orders of their stamps and of their coming, make what the reference makes.
func TestEveryFew(t *testing.T) {
	t.Parallel()
	var kinds []datasync.Update
	for _, path := range []string{"/a", "/a/b", "/a/b/c", "/a/d"} {
		for _, u := range []datasync.Update{{Value: `{"b":{"c":1},"c":2,"d":3}`}, {Value: "4"}, {Value: "null"}, {Pos: "a0"}} {
			u.Path = path
			kinds = append(kinds, u)
		}
	}
	orders := [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	check := func(list ...datasync.Update) {
		for i := range list { // the first is the earliest
			list[i].Stamp = datasync.Stamp{Time: start.UnixMilli(), Count: i, Actor: string(rune('p' + i))}
			list[i].Pos = strings.Repeat(list[i].Pos, 1+i)
		}
		want := reference(list)
		for _, order := range orders {
			d := datasync.New(datasync.Limits{})
			for _, i := range order {
				if i < len(list) {
					apply(t, d, list[i])
				}
			}
			if got := state(d); got != want {
				t.Fatalf("%v in the order %v\n%s\nreference\n%s", list, order, got, want)
			}
		}
	}
	for _, a := range kinds {
		for _, b := range kinds {
			check(a, b)
			for _, c := range kinds {
				check(a, b, c)
			}
		}
	}
}
