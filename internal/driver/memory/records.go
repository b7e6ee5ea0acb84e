package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/store"
)

type recordKey struct{ name, id string }

// saved is one record. Only its newest version has terms.
type saved struct {
	n        int64          // order of creation
	versions []store.Record // versions[i] is version i+1
}

func (r *saved) newest() store.Record { return r.versions[len(r.versions)-1] }

// bare returns a copy of a version without terms.
func bare(v store.Record) store.Record {
	v.Body, v.Terms = slices.Clone(v.Body), nil
	return v
}

// newest returns the newest version of a record and its owner; 0 if it does not exist.
func (s *driver) newest(name, id string) (version uint64, owner string, err error) {
	if r := s.saved[recordKey{name, id}]; r != nil {
		return uint64(len(r.versions)), r.versions[0].Owner, nil
	}
	return 0, "", nil
}

// save adds a version, which follows.
func (s *driver) save(v store.Record) {
	key := recordKey{v.Name, v.ID}
	r := s.saved[key]
	if r == nil {
		s.made++
		r = &saved{n: s.made}
		s.saved[key] = r
	} else {
		v.Created = r.versions[0].Created
		r.versions[len(r.versions)-1].Terms = nil
	}
	v.Created, v.At = store.Time(v.Created), store.Time(v.At)
	v.Body, v.Terms = slices.Clone(v.Body), store.SortTerms(v.Terms)
	r.versions = append(r.versions, v)
}

func (s *driver) PutRecord(ctx context.Context, r store.Record) error {
	err := s.do(ctx, func() error {
		if err := r.Validate(); err != nil {
			return err
		}
		if err := store.CheckNext([]store.Record{r}, s.newest); err != nil {
			return err
		}
		s.save(r)
		return nil
	})
	return act(err, "put record %q", r.ID)
}

func (s *driver) ReadRecord(ctx context.Context, name, id string, version uint64) (v store.Record, err error) {
	err = s.do(ctx, func() error {
		r := s.saved[recordKey{name, id}]
		if r == nil || version > uint64(len(r.versions)) {
			return store.ErrNotFound
		}
		if version == 0 {
			version = uint64(len(r.versions))
		}
		v = bare(r.versions[version-1])
		return nil
	})
	return v, act(err, "read record %q", id)
}

func (s *driver) RecordVersions(ctx context.Context, name, id string, before uint64,
	limit int) (list []store.Record, err error) {
	err = s.do(ctx, func() error {
		r := s.saved[recordKey{name, id}]
		if r == nil {
			return nil
		}
		size := 0
		for _, v := range slices.Backward(r.versions) {
			if (before == 0 || v.Version < before) && len(list) < store.Limit(limit) && size < builtin.MaxBodies {
				list, size = append(list, bare(v)), size+len(v.Body)
			}
		}
		return nil
	})
	return list, act(err, "list versions of record %q", id)
}

func (s *driver) DropRecord(ctx context.Context, name, id string, version uint64) error {
	err := s.do(ctx, func() error {
		r := s.saved[recordKey{name, id}]
		switch {
		case r == nil:
			return store.ErrNotFound
		case version != 0 && version != uint64(len(r.versions)):
			return store.ErrVersion
		}
		delete(s.saved, recordKey{name, id})
		return nil
	})
	return act(err, "drop record %q", id)
}

// FindRecords implements store.Store. It looks at every record.
func (s *driver) FindRecords(ctx context.Context, q store.Query) (list []store.Record, next string, err error) {
	type hit struct {
		store.Place
		record store.Record
	}
	order := func(a, b store.Place) int {
		c := cmp.Or(strings.Compare(a.Text, b.Text), cmp.Compare(a.At, b.At), cmp.Compare(a.N, b.N))
		if q.Desc {
			return -c
		}
		return c
	}
	err = s.do(ctx, func() error {
		if err := q.Validate(); err != nil {
			return err
		}
		after, err := q.Place()
		if err != nil {
			return err
		}
		var hits []hit
		for _, r := range s.saved {
			v := r.newest()
			text, sorted := first(v, q.Sort)
			p := store.Place{Text: text, At: v.At.UnixMicro(), N: r.n}
			if sorted && fits(v, q) && (after == nil || order(p, *after) > 0) {
				hits = append(hits, hit{p, v})
			}
		}
		slices.SortFunc(hits, func(a, b hit) int { return order(a.Place, b.Place) })
		size := 0
		for i, h := range hits {
			if i == store.Limit(q.Limit) || size >= builtin.MaxBodies {
				next = q.Cursor(hits[i-1].Place)
				break
			}
			list, size = append(list, bare(h.record)), size+len(h.record.Body)
		}
		return nil
	})
	return list, next, act(err, "find records of %q", q.Name)
}

// first returns the first text of v in the field that a list is sorted by, and whether
// it has one; without such a field all records are alike.
func first(v store.Record, field string) (text string, ok bool) {
	if field == "" {
		return "", true
	}
	for _, t := range v.Terms { // which are sorted
		if t.Field == field {
			return t.Text, true
		}
	}
	return "", false
}

func fits(v store.Record, q store.Query) bool {
	if v.Name != q.Name || q.Owner != "" && v.Owner != q.Owner {
		return false
	}
	for _, c := range q.Where {
		there := slices.ContainsFunc(v.Terms, func(t store.Term) bool { return t.Field == c.Field && holds(c, t.Text) })
		if there == (c.Op == store.Missing) {
			return false
		}
	}
	return true
}

func holds(c store.Condition, text string) bool {
	switch c.Op {
	case store.Equal:
		return text == c.Text
	case store.Prefix:
		return strings.HasPrefix(text, c.Text)
	case store.AtLeast:
		return text >= c.Text
	case store.AtMost:
		return text <= c.Text
	}
	return true // Missing: any
}

// ExportRecords implements store.Store. It copies everything but the bodies, which
// never change, under the lock.
func (s *driver) ExportRecords(ctx context.Context, each func([]store.Record) error) error {
	var all [][]store.Record
	err := s.do(ctx, func() error {
		for _, r := range s.saved {
			all = append(all, slices.Clone(r.versions))
		}
		return nil
	})
	if err != nil {
		return act(err, "export records")
	}
	slices.SortFunc(all, func(a, b []store.Record) int {
		return cmp.Or(strings.Compare(a[0].Name, b[0].Name), strings.Compare(a[0].ID, b[0].ID))
	})
	for _, versions := range all {
		if err := ctx.Err(); err != nil {
			return act(err, "export records")
		}
		for i := range versions {
			v := &versions[i]
			v.Body, v.Terms = slices.Clone(v.Body), slices.Clone(v.Terms)
		}
		if err := each(versions); err != nil {
			return act(err, "export record %q", versions[0].ID)
		}
	}
	return nil
}

func (s *driver) ImportRecord(ctx context.Context, versions []store.Record) error {
	err := s.do(ctx, func() error {
		if err := store.CheckVersions(versions); err != nil {
			return err
		}
		if s.saved[recordKey{versions[0].Name, versions[0].ID}] != nil {
			return store.ErrExists
		}
		for _, v := range versions {
			s.save(v)
		}
		return nil
	})
	return act(err, "import a record")
}
