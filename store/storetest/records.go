package storetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/store"
)

// Find checks only what FindRecords answers. A driver runs it once more with its
// other plans, and where a call looks at few records.
func Find(t *testing.T, open func(t *testing.T) store.Store) {
	su := &suite{open: open, short: true}
	su.run(t, "find", recordQueries)
	su.run(t, "pages", recordPages)
	su.run(t, "cursors", recordCursors)
}

// item is a version of a record; its body differs from all others.
func item(name, id string, version uint64, terms ...store.Term) store.Record {
	return store.Record{
		Name: name, ID: id, Version: version, Owner: "ada", Created: begin, Author: fmt.Sprint("author ", version),
		Conversation: "c1", Event: fmt.Sprint("e", version), At: begin.Add(time.Duration(version) * time.Second),
		Body: fmt.Appendf([]byte{0, 0xff}, "%s/%s/%d", name, id, version), Terms: terms,
	}
}

// back is r as a store hands it out, but for its terms.
func back(r store.Record) store.Record {
	r.Created, r.At, r.Terms = r.Created.UTC(), r.At.UTC(), nil
	return r
}

func (f *fixture) put(list ...store.Record) {
	f.Helper()
	for _, r := range list {
		f.ok(f.PutRecord(f.ctx, r))
	}
}

// version is the newest version of a record, 0 if it does not exist.
func (f *fixture) version(name, id string) uint64 {
	f.Helper()
	r, err := f.ReadRecord(f.ctx, name, id, 0)
	if errors.Is(err, store.ErrNotFound) {
		return 0
	}
	f.ok(err)
	return r.Version
}

// found lists the ids of the records that fit q.
func (f *fixture) found(q store.Query) (ids []string) {
	f.Helper()
	for {
		list, next, err := f.FindRecords(f.ctx, q)
		f.ok(err)
		for _, r := range list {
			ids = append(ids, r.ID)
		}
		if q.After = next; next == "" || !f.su.short {
			f.same(next, "")
			return ids
		}
	}
}

// everyRecordCall checks that each method for records ends with an error.
func (f *fixture) everyRecordCall(ctx context.Context, want error) {
	f.Helper()
	r := item("n", "a", 1)
	_, read := f.ReadRecord(ctx, "n", "a", 0)
	_, list := f.RecordVersions(ctx, "n", "a", 0, 0)
	_, _, find := f.FindRecords(ctx, store.Query{Name: "n"})
	for _, err := range []error{f.PutRecord(ctx, r), read, list, f.DropRecord(ctx, "n", "a", 0), find,
		f.ExportRecords(ctx, func([]store.Record) error { return nil }),
		f.ImportRecord(ctx, []store.Record{r})} {
		f.fails(err, want)
	}
}

func recordVersions(f *fixture) {
	red, blue := store.Term{Field: "colour", Text: "red"}, store.Term{Field: "colour", Text: "blue"}
	one, two, three := item("order", "a", 1, red, red), item("order", "a", 2, blue), item("order", "a", 3)
	f.fails(f.PutRecord(f.ctx, two), store.ErrVersion)
	f.put(one)
	f.fails(f.PutRecord(f.ctx, one), store.ErrVersion)
	f.fails(f.PutRecord(f.ctx, three), store.ErrVersion)
	two.Created = begin.Add(time.Hour) // the first version says when
	f.put(two)
	two.Created = begin
	other := three
	other.Owner = "bob"
	f.fails(f.PutRecord(f.ctx, other), store.ErrInvalid)
	f.put(item("order", "b", 1, red), item("bill", "a", 1, blue))

	read := func(version uint64, want store.Record) {
		f.Helper()
		got, err := f.ReadRecord(f.ctx, "order", "a", version)
		f.ok(err)
		f.same(got, back(want))
	}
	read(0, two)
	read(1, one)
	read(2, two)
	where := func(text string) store.Query {
		return store.Query{Name: "order", Where: []store.Condition{{Field: "colour", Op: store.Equal, Text: text}}}
	}
	f.same(f.found(where("red")), []string{"b"}) // the terms of the newest version count
	f.same(f.found(where("blue")), []string{"a"})
	f.put(three)
	f.same(f.found(where("blue")), []string{})
	f.same(f.found(store.Query{Name: "order"}), []string{"b", "a"})

	versions := func(before uint64, limit int, want ...store.Record) {
		f.Helper()
		got, err := f.RecordVersions(f.ctx, "order", "a", before, limit)
		f.ok(err)
		f.same(got, want)
	}
	versions(0, 0, back(three), back(two), back(one))
	versions(0, 2, back(three), back(two))
	versions(2, 0, back(one))
	versions(1, 0)
	for _, at := range []struct {
		name, id string
		version  uint64
	}{{"order", "a", 4}, {"order", "c", 0}, {"bill", "b", 0}, {"none", "a", 1}} {
		_, err := f.ReadRecord(f.ctx, at.name, at.id, at.version)
		f.fails(err, store.ErrNotFound)
	}
	none, err := f.RecordVersions(f.ctx, "none", "a", 0, 0)
	f.ok(err)
	f.same(len(none), 0)

	dropVersions(f, one)
}

// dropVersions drops order a, which has three versions with the first one's terms, and order b.
func dropVersions(f *fixture, one store.Record) {
	f.fails(f.DropRecord(f.ctx, "order", "c", 0), store.ErrNotFound)
	f.fails(f.DropRecord(f.ctx, "order", "a", 2), store.ErrVersion)
	f.ok(f.DropRecord(f.ctx, "order", "a", 3))
	none, err := f.RecordVersions(f.ctx, "order", "a", 0, 0)
	f.ok(err)
	f.same(len(none), 0)
	f.ok(f.DropRecord(f.ctx, "order", "b", 0))
	red := store.Query{Name: "order", Where: []store.Condition{{Field: "colour", Op: store.Equal, Text: "red"}}}
	f.same(f.found(red), []string{})
	f.same(f.version("bill", "a"), uint64(1)) // others stay
	one.Owner = "bob"
	f.put(one) // its name is free again
	f.same(f.found(red), []string{"a"})
}

// recordCopies: a store keeps copies and gives copies out, of any bytes.
func recordCopies(f *fixture) {
	red := store.Term{Field: "colour", Text: "red"}
	where := store.Query{Name: "order", Where: []store.Condition{{Field: "colour", Op: store.Equal, Text: "red"}}}
	mine := item("order", "mine", 1, red)
	f.put(item("order", "a", 1, red))
	f.put(mine)
	want := back(mine)
	want.Body = bytes.Clone(mine.Body)
	clear(mine.Body) // the store must have kept a copy
	mine.Terms[0].Text = "other"
	for range 2 {
		got, err := f.ReadRecord(f.ctx, "order", "mine", 0)
		f.ok(err)
		f.same(got, want)
		clear(got.Body)
		list, _, err := f.FindRecords(f.ctx, where)
		f.ok(err)
		f.same(list[1], want)
		clear(list[1].Body)
	}

	strange := item("\xff\x00\x01", "\x01\x00\xfe", 1, store.Term{Field: "\x00\xff", Text: "\x01"},
		store.Term{Field: "f"})
	strange.Owner, strange.Author = "\xffo", "\x00a"
	f.put(strange)
	got, err := f.ReadRecord(f.ctx, strange.Name, strange.ID, 1)
	f.ok(err)
	f.same(got, back(strange))
	f.same(f.found(store.Query{Name: strange.Name, Owner: strange.Owner, Sort: "\x00\xff",
		Where: []store.Condition{{Field: "f", Op: store.Equal}}}), []string{strange.ID})
}

// recordBounds: every entry refuses a record out of bounds and takes one at the bound.
func recordBounds(f *fixture) {
	for what, broken := range map[string]func(*store.Record){
		"no name":       func(r *store.Record) { r.Name = "" },
		"no id":         func(r *store.Record) { r.ID = "" },
		"long id":       func(r *store.Record) { r.ID = strings.Repeat("x", 129) },
		"version 0":     func(r *store.Record) { r.Version = 0 },
		"no body":       func(r *store.Record) { r.Body = nil },
		"many terms":    func(r *store.Record) { r.Terms = make([]store.Term, builtin.MaxTerms+1) },
		"no field":      func(r *store.Record) { r.Terms = []store.Term{{Text: "x"}} },
		"long term":     func(r *store.Record) { r.Terms = []store.Term{{Field: "f", Text: strings.Repeat("x", 129)}} },
		"term with NUL": func(r *store.Record) { r.Terms = []store.Term{{Field: "f", Text: "\x00"}} },
		"no UTF-8":      func(r *store.Record) { r.Terms = []store.Term{{Field: "f", Text: "\xff"}} },
	} {
		r := item("broken", "a", 1)
		broken(&r)
		f.create(what)
		for _, err := range []error{f.PutRecord(f.ctx, r), f.ImportRecord(f.ctx, []store.Record{r}),
			f.Append(f.ctx, what, store.Commit{Frame: []byte("x"), Records: []store.Record{r}})} {
			if !errors.Is(err, store.ErrInvalid) {
				f.Errorf("%s: %v, want ErrInvalid", what, err)
			}
		}
	}
	most := item("most", "a", 1)
	for i := range builtin.MaxTerms {
		text := strings.Repeat("€", 41) + fmt.Sprintf("%05d", i)
		most.Terms = append(most.Terms, store.Term{Field: strings.Repeat("f", 128), Text: text})
	}
	f.put(most)
	f.same(f.found(store.Query{Name: "most", Where: []store.Condition{
		{Field: strings.Repeat("f", 128), Op: store.Equal, Text: most.Terms[77].Text}}}), []string{"a"})
}

// recordsWithFrames: a frame and its records are there together, or not at all.
func recordsWithFrames(f *fixture) {
	id := f.create("c1")
	f.put(item("order", "a", 1))
	commit := func(expect uint64, list ...store.Record) error {
		return f.Append(f.ctx, id, store.Commit{Expect: expect, Frame: frameBody(expect + 1), Records: list})
	}
	heads := func(frames, a, b uint64) {
		f.Helper()
		f.same([]uint64{f.head(id).Seq, f.version("order", "a"), f.version("order", "b")}, []uint64{frames, a, b})
	}
	f.ok(commit(0, item("order", "b", 1), item("order", "a", 2), item("order", "b", 2)))
	heads(1, 2, 2)

	// Refused for the sake of the records: there is no frame.
	f.fails(commit(1, item("order", "b", 3), item("order", "a", 2)), store.ErrVersion)
	f.fails(commit(1, item("order", "a", 3), item("order", "a", 3)), store.ErrVersion)
	f.fails(commit(1, item("order", "c", 2)), store.ErrVersion)
	stolen := item("order", "a", 3)
	stolen.Owner = "bob"
	f.fails(commit(1, item("order", "b", 3), stolen), store.ErrInvalid)
	event := rec("e1", "k1")
	f.fails(f.Append(f.ctx, id, store.Commit{Expect: 1, Frame: frameBody(2), Record: &event, Answer: []byte("no"),
		Snapshot: []byte("s"), Outbox: []store.Job{{ID: "j", Due: begin}},
		Records: []store.Record{item("order", "b", 9)}}), store.ErrVersion)
	heads(1, 2, 2)
	f.same(f.head(id).SnapshotSeq, uint64(0))
	n, _, err := f.Waiting(f.ctx)
	f.ok(err)
	f.same(n, 0)

	// Refused for another reason: there is no record, and the other reason comes first.
	f.fails(commit(0, item("order", "a", 3)), store.ErrConflict)
	f.fails(commit(0, item("order", "a", 9)), store.ErrConflict)
	f.fails(f.Append(f.ctx, "nowhere", store.Commit{Frame: frameBody(1),
		Records: []store.Record{item("order", "a", 3)}}), store.ErrNotFound)
	f.fails(f.Append(f.ctx, id, store.Commit{Expect: 1, Frame: frameBody(2), Event: "e1",
		Records: []store.Record{item("order", "a", 3)}}), store.ErrNotFound)
	heads(1, 2, 2)

	f.ok(f.Append(f.ctx, id, store.Commit{Expect: 1, Frame: frameBody(2), Record: &event, Answer: []byte("yes"),
		Records: []store.Record{item("order", "a", 3), item("order", "c", 1)}}))
	heads(2, 3, 2)
	f.fails(f.Append(f.ctx, id, store.Commit{Expect: 2, Frame: frameBody(3), Record: &event,
		Records: []store.Record{item("order", "a", 4)}}), store.ErrExists)
	heads(2, 3, 2)
}

var (
	drawnFields = []string{"a", "b", "c"}
	drawnTexts  = []string{"", "a", "aa", "ab", "abc", "b", "B", "é", "ée", "z", "\x01x", "z\U0010ffff", "\U0010ffff",
		"\U0010ffff\U0010ffff", "\ud7ff", "\ue000"}
)

func draw[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// drawnRecord has terms of a few texts, so that many conditions hold, and times of
// which many are the same.
func drawnRecord(r *rand.Rand, id string) store.Record {
	v := item(draw(r, "n", "n", "n", "m"), id, 1)
	v.Owner, v.At = draw(r, "ada", "bob", "\xffeve"), begin.Add(time.Duration(r.IntN(8))*time.Microsecond)
	for range r.IntN(7) {
		v.Terms = append(v.Terms, store.Term{Field: draw(r, drawnFields...), Text: draw(r, drawnTexts...)})
	}
	return v
}

func drawnQuery(r *rand.Rand) store.Query {
	q := store.Query{Name: draw(r, "n", "n", "n", "m", "none"), Owner: draw(r, "", "", "ada", "\xffeve", "nobody"),
		Sort: draw(r, "", "", "a", "b", "none"), Desc: draw(r, true, false)}
	for range draw(r, 0, 1, 1, 2, 2, 3) {
		q.Where = append(q.Where, store.Condition{Field: draw(r, drawnFields...), Text: draw(r, drawnTexts...),
			Op: draw(r, store.Equal, store.Equal, store.Prefix, store.Prefix, store.AtLeast, store.AtMost,
				store.Missing)})
	}
	return q
}

// naive is the answer to q: list is in order of creation.
func naive(list []store.Record, q store.Query) (ids []string) {
	texts := func(r store.Record, field string) (in []string) {
		for _, t := range r.Terms {
			if t.Field == field {
				in = append(in, t.Text)
			}
		}
		return in
	}
	holds := func(r store.Record, c store.Condition) bool {
		in := texts(r, c.Field)
		switch c.Op {
		case store.Missing:
			return len(in) == 0
		case store.Equal:
			return slices.Contains(in, c.Text)
		case store.Prefix:
			return slices.ContainsFunc(in, func(s string) bool { return strings.HasPrefix(s, c.Text) })
		case store.AtLeast:
			return slices.ContainsFunc(in, func(s string) bool { return bytes.Compare([]byte(s), []byte(c.Text)) >= 0 })
		}
		return slices.ContainsFunc(in, func(s string) bool { return bytes.Compare([]byte(s), []byte(c.Text)) <= 0 })
	}
	var fit []store.Record
	for _, r := range list {
		if r.Name == q.Name && (q.Owner == "" || r.Owner == q.Owner) && (q.Sort == "" || len(texts(r, q.Sort)) > 0) &&
			!slices.ContainsFunc(q.Where, func(c store.Condition) bool { return !holds(r, c) }) {
			fit = append(fit, r)
		}
	}
	slices.SortStableFunc(fit, func(a, b store.Record) int {
		byText := 0
		if q.Sort != "" {
			byText = strings.Compare(slices.Min(texts(a, q.Sort)), slices.Min(texts(b, q.Sort)))
		}
		return cmp.Or(byText, a.At.Compare(b.At))
	})
	if q.Desc {
		slices.Reverse(fit)
	}
	for _, r := range fit {
		ids = append(ids, r.ID)
	}
	return ids
}

// recordQueries: through pages of any size the answer is the naive one.
func recordQueries(f *fixture) {
	r := rand.New(rand.NewPCG(1, 2))
	var list []store.Record
	for i := range 80 {
		list = append(list, drawnRecord(r, fmt.Sprint("r", i)))
		f.put(list[i])
	}
	for range 30 { // later versions have other terms
		v := &list[r.IntN(len(list))]
		next := drawnRecord(r, v.ID)
		next.Name, next.Owner, next.Version = v.Name, v.Owner, v.Version+1
		*v = next
		f.put(next)
	}
	several := 0
	for range 400 {
		q := drawnQuery(r)
		want := naive(list, q)
		if len(want) > 1 && len(q.Where) > 0 {
			several++
		}
		q.Limit = draw(r, 1, 3, 10, 0)
		var got []string
		for pages := 0; ; pages++ {
			page, next, err := f.FindRecords(f.ctx, q)
			f.ok(err)
			for _, v := range page {
				i := slices.IndexFunc(list, func(o store.Record) bool { return o.ID == v.ID })
				f.same(v, back(list[i]))
				got = append(got, v.ID)
			}
			if next == "" {
				break
			}
			if len(page) > store.Limit(q.Limit) || len(page) != q.Limit && !f.su.short || pages > len(list) {
				f.Fatalf("%+v: a page of %d that is not the last", q, len(page))
			}
			q.After = next
		}
		if d := diff(got, want); d != "" {
			f.Fatalf("%+v (-want +got)\n%s", q, d)
		}
	}
	if several < 50 {
		f.Fatalf("only %d questions have several answers", several)
	}
}

// recordBodies: a list ends once it has 8 MiB, and goes on where it ended.
func recordBodies(f *fixture) {
	large := func(id string, version uint64) store.Record {
		r := item("n", id, version, store.Term{Field: "word", Text: "be"})
		r.Body = bytes.Repeat(r.Body[:1], 3<<20)
		return r
	}
	for n := range uint64(5) {
		f.put(large("1", n+1), large(fmt.Sprint(n+2), 1))
	}
	var versions []int
	for before := uint64(0); before != 1; {
		list, err := f.RecordVersions(f.ctx, "n", "1", before, 0)
		f.ok(err)
		if len(list) == 0 {
			f.Fatal("an empty list before version 1")
		}
		versions, before = append(versions, len(list)), list[len(list)-1].Version
	}
	f.same(versions, []int{3, 2})
	for _, q := range []store.Query{{Name: "n"}, {Name: "n", Desc: true}, {Name: "n", Sort: "word"},
		{Name: "n", Where: []store.Condition{{Field: "word", Op: store.Prefix, Text: "b"}}}} {
		var pages []int
		for next := "-"; next != ""; q.After = next {
			var list []store.Record
			var err error
			list, next, err = f.FindRecords(f.ctx, q)
			f.ok(err)
			pages = append(pages, len(list))
		}
		f.same(pages, []int{3, 3})
	}
}

func recordPages(f *fixture) {
	word := func(text string) store.Term { return store.Term{Field: "word", Text: text} }
	f.put(item("n", "1", 1, word("to"), word("be")), item("n", "2", 1, word("or"), word("not")),
		item("n", "3", 1, word("to"), word("be"), word("or")), item("n", "4", 1))
	where := func(op store.Op, text string) []store.Condition {
		return []store.Condition{{Field: "word", Op: op, Text: text}}
	}
	for _, c := range []struct {
		q    store.Query
		want []string
	}{
		{store.Query{Where: where(store.Equal, "or")}, []string{"2", "3"}},
		{store.Query{Where: append(where(store.Equal, "to"), where(store.Equal, "be")...), Desc: true},
			[]string{"3", "1"}},
		{store.Query{Where: where(store.Prefix, "n")}, []string{"2"}},
		{store.Query{Where: where(store.Prefix, "")}, []string{"1", "2", "3"}}, // each once
		{store.Query{Where: where(store.Missing, "")}, []string{"4"}},
		{store.Query{Where: where(store.AtLeast, "p")}, []string{"1", "3"}},
		{store.Query{Sort: "word"}, []string{"1", "3", "2"}}, // by be, be, not
		{store.Query{Sort: "word", Desc: true}, []string{"2", "3", "1"}},
	} {
		c.q.Name = "n"
		f.same(f.found(c.q), c.want)
	}

	// What begins with a text ends where UTF-8 goes on, also above a gap and at its end.
	for i, text := range []string{"\ud7ff", "\ud7ffx", "\ue000", "a\U0010ffff", "a\U0010ffffx", "b", "\U0010ffffx"} {
		f.put(item("edges", fmt.Sprint(i), 1, word(text)))
	}
	for text, want := range map[string][]string{"\ud7ff": {"0", "1"}, "a\U0010ffff": {"3", "4"}, "\U0010ffff": {"6"}} {
		f.same(f.found(store.Query{Name: "edges", Where: where(store.Prefix, text)}), want)
	}

	// Many at once, the limit of a page included.
	for i := range store.Page + 1 {
		f.put(item("many", fmt.Sprint(i), 1))
	}
	page, next, err := f.FindRecords(f.ctx, store.Query{Name: "many", Limit: 2 * store.Page})
	f.ok(err)
	f.same(len(page), store.Page)
	page, next, err = f.FindRecords(f.ctx, store.Query{Name: "many", After: next})
	f.ok(err)
	f.same([]any{len(page), next}, []any{1, ""})
}

// recordCursors: a cursor belongs to its question.
func recordCursors(f *fixture) {
	where := func(op store.Op, text string) []store.Condition {
		return []store.Condition{{Field: "word", Op: op, Text: text}}
	}
	f.put(item("n", "2", 1, store.Term{Field: "word", Text: "or"}, store.Term{Field: "word", Text: "not"}),
		item("n", "3", 1, store.Term{Field: "word", Text: "be"}, store.Term{Field: "word", Text: "or"}))
	q := store.Query{Name: "n", Owner: "ada", Where: where(store.Prefix, "o"), Sort: "word", Limit: 1}
	page, next, err := f.FindRecords(f.ctx, q)
	f.ok(err)
	f.same(page[0].ID, "3")
	q.After, q.Limit = next, 7 // another size is the same question
	page, last, err := f.FindRecords(f.ctx, q)
	f.ok(err)
	f.same(page[0].ID, "2")
	if !f.su.short {
		f.same(last, "")
	}
	for what, change := range map[string]func(*store.Query){
		"another name":      func(q *store.Query) { q.Name = "m" },
		"another owner":     func(q *store.Query) { q.Owner = "bob" },
		"another condition": func(q *store.Query) { q.Where = where(store.Prefix, "t") },
		"another op":        func(q *store.Query) { q.Where = where(store.Equal, "o") },
		"no condition":      func(q *store.Query) { q.Where = nil },
		"another order":     func(q *store.Query) { q.Sort = "" },
		"backwards":         func(q *store.Query) { q.Desc = true },
		"cut off":           func(q *store.Query) { q.After = next[:11] },
		"no cursor":         func(q *store.Query) { q.After = "next" },
		"many conditions":   func(q *store.Query) { q.Where = slices.Repeat(q.Where, builtin.MaxWhere+1) },
		"no name of all":    func(q *store.Query) { q.Name = "" },
		"unknown op":        func(q *store.Query) { q.Where = where("like", "o") },
		"no UTF-8":          func(q *store.Query) { q.Where = where(store.Equal, "\xff") },
	} {
		q := q
		q.Where = slices.Clone(q.Where)
		change(&q)
		if _, _, err := f.FindRecords(f.ctx, q); !errors.Is(err, store.ErrInvalid) {
			f.Errorf("%s: %v, want ErrInvalid", what, err)
		}
	}
}

func (f *fixture) exportedRecords() (all [][]store.Record) {
	f.Helper()
	f.ok(f.ExportRecords(f.ctx, func(versions []store.Record) error {
		all = append(all, versions)
		return nil
	}))
	return all
}

func recordArchives(f *fixture) {
	f.same(len(f.exportedRecords()), 0)
	r := rand.New(rand.NewPCG(3, 4))
	var want [][]store.Record
	for i := range 230 { // more than a driver reads at once
		var versions []store.Record
		for version := range 1 + uint64(i%3) {
			v := item("n", fmt.Sprintf("%03d", i), version+1, drawnRecord(r, "").Terms...)
			v.Terms = append(v.Terms, store.Term{Field: "\x00\xff", Text: fmt.Sprint(version)}, store.Term{Field: "ö"})
			if version == uint64(i%3) {
				v.Terms = store.SortTerms(v.Terms)
			}
			versions = append(versions, v)
		}
		want = append(want, versions)
	}
	for _, i := range r.Perm(len(want)) {
		f.ok(f.ImportRecord(f.ctx, want[i]))
	}
	for _, versions := range want {
		for i, v := range versions {
			terms := v.Terms
			versions[i] = back(v)
			if i == len(versions)-1 {
				versions[i].Terms = terms
			}
		}
	}
	f.same(f.exportedRecords(), want)
	f.fails(f.ImportRecord(f.ctx, want[7]), store.ErrExists)
	second := store.Condition{Field: "\x00\xff", Op: store.Equal, Text: "2"}
	f.same(len(f.found(store.Query{Name: "n", Where: []store.Condition{second}})), 76)
	f.put(item("n", "000", 2), item("m", "z", 1)) // it goes on
	f.same(f.exportedRecords()[0][0].Name, "m")

	enough := errors.New("enough")
	n := 0
	f.fails(f.ExportRecords(f.ctx, func([]store.Record) error { n++; return enough }), enough)
	f.same(n, 1)
	f.ok(f.ExportRecords(f.ctx, func(versions []store.Record) error {
		if n++; n == 2 { // each may use the store, and does not see what comes later
			f.put(item("zzz", "a", 1))
		}
		f.same(versions[0].Name == "zzz", false)
		return nil
	}))

	for what, broken := range map[string][]store.Record{
		"none":          {},
		"a gap":         {item("b", "a", 1), item("b", "a", 3)},
		"no first":      {item("b", "a", 2)},
		"two ids":       {item("b", "a", 1), item("b", "b", 2)},
		"two names":     {item("b", "a", 1), item("c", "a", 2)},
		"not one's own": {item("b", "a", 1), {Name: "b", ID: "a", Version: 2, Owner: "bob", Body: []byte("x")}},
	} {
		if err := f.ImportRecord(f.ctx, broken); !errors.Is(err, store.ErrInvalid) {
			f.Errorf("%s: %v, want ErrInvalid", what, err)
		}
	}
	f.same(f.version("b", "a"), uint64(0))
}

// recordRaces lets n writers save one version, with or without a frame, many times:
// exactly one wins, and its record is found.
func recordRaces(f *fixture) {
	const n = 12
	for i := range n {
		f.create(fmt.Sprint("c", i))
	}
	heads := make([]uint64, n)
	for version := range uint64(8) {
		errs := make([]error, n)
		together(n, func(i int) {
			a := item("n", "a", version+1, store.Term{Field: "by", Text: fmt.Sprint(i)})
			b := item("n", "b", version+1, a.Terms...)
			switch i % 3 {
			case 0:
				errs[i] = f.PutRecord(f.ctx, a)
			case 1:
				errs[i] = f.Append(f.ctx, fmt.Sprint("c", i), store.Commit{Expect: heads[i], Frame: []byte("x"),
					Records: []store.Record{a, b}})
			default:
				errs[i] = f.Append(f.ctx, fmt.Sprint("c", i), store.Commit{Expect: heads[i], Frame: []byte("x"),
					Records: []store.Record{b, a}})
			}
		})
		winner := -1
		for i, err := range errs {
			switch {
			case err == nil && winner < 0:
				winner = i
			case err == nil:
				f.Fatalf("version %d: %d and %d both won", version+1, winner, i)
			default:
				f.fails(err, store.ErrVersion)
			}
		}
		if winner < 0 {
			f.Fatalf("version %d: nobody won", version+1)
		}
		if winner%3 == 0 {
			f.put(item("n", "b", version+1, store.Term{Field: "by", Text: fmt.Sprint(winner)}))
		} else {
			heads[winner]++
		}
		f.same([]uint64{f.version("n", "a"), f.version("n", "b")}, []uint64{version + 1, version + 1})
		f.same(len(f.found(store.Query{Name: "n", Where: []store.Condition{
			{Field: "by", Op: store.Equal, Text: fmt.Sprint(winner)}}})), 2)
		for i := range n {
			f.same(f.head(fmt.Sprint("c", i)).Seq, heads[i])
		}
	}
}
