package sqlstore

import (
	"strings"
	"unicode/utf8"

	"github.com/limn-ui/limn/store"
)

// find is one call of Find.
type find struct {
	Database
	q     store.Query
	after *store.Place
	sql   strings.Builder
	args  []any
}

// source is what a list can be gathered from: the terms of a condition, or the records
// of an owner.
type source struct {
	where int // index in Query.Where; -1: the owner
	count int // matches, at most Few+1
}

// Find implements store.Records.FindRecords. Its plans:
//
//	equal    walk the terms of one equality, which are in order of time
//	gather   read all matches of the rarest condition, then sort
//	sorted   walk the terms of the field to sort by
//	newest   walk the records of the name, or of the owner, in order of time
//
// The last two are for questions that many records fit, or that have no condition.
// Whatever a plan does not begin with is looked up for each record that it meets.
func (d Database) Find(q store.Query) (list []store.Record, next string, err error) {
	f := &find{Database: d, q: q}
	if err := q.Validate(); err != nil {
		return nil, "", err
	}
	if f.after, err = q.Place(); err != nil {
		return nil, "", err
	}
	from, err := f.rarest()
	if err != nil {
		return nil, "", err
	}
	walk := true
	switch {
	case from != nil && from.where >= 0 && q.Where[from.where].Op == store.Equal && q.Sort == "":
		f.equal(from.where)
	case from != nil && from.count <= d.Few:
		f.gather(*from)
		walk = false
	case q.Sort != "":
		f.sorted()
	default:
		f.newest()
	}
	if walk && d.Walk != nil {
		if err := d.Walk(); err != nil {
			return nil, "", err
		}
	}
	limit := store.Limit(q.Limit)
	var last store.Place
	err = d.Query(f.sql.String(), f.args, func(scan func(...any) error) error {
		var key string
		r, err := d.record(scan, &key)
		if len(list) == limit {
			next = q.Cursor(last)
			return err
		}
		list = append(list, r.Record)
		last = store.Place{Text: key, At: r.At.UnixMicro(), N: r.n}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	return list, next, nil
}

// rarest counts what fits each condition, and the owner. It prefers the fewest; among
// those that many records fit, an equality. nil: there is nothing to begin with.
func (f *find) rarest() (best *source, err error) {
	var list []source
	for i, c := range f.q.Where {
		if c.Op != store.Missing {
			list = append(list, source{where: i})
		}
	}
	if f.q.Owner != "" {
		list = append(list, source{where: -1})
	}
	if len(list) == 0 {
		return nil, nil
	}
	c := &find{Database: f.Database, q: f.q}
	dest := make([]any, len(list))
	for i, s := range list {
		c.add([]string{"SELECT (", ", ("}[min(i, 1)] + "SELECT count(*) FROM (SELECT 1 AS one FROM ")
		c.source(s.where)
		c.add(" LIMIT ?) s)", f.Few+1)
		dest[i] = &list[i].count
	}
	err = f.Query(c.sql.String(), c.args, func(scan func(...any) error) error { return scan(dest...) })
	if err != nil {
		return nil, err
	}
	for i := range list {
		equal := list[i].where >= 0 && f.q.Where[list[i].where].Op == store.Equal
		if best == nil || list[i].count < best.count || list[i].count == best.count && equal {
			best = &list[i]
		}
	}
	return best, nil
}

func (f *find) add(sql string, args ...any) {
	f.sql.WriteString(sql)
	f.args = append(f.args, args...)
}

// source writes a table d with a WHERE clause: the terms that fit a condition, or the
// records of the owner.
func (f *find) source(where int) {
	if where < 0 {
		f.add("app_record d"+f.by("app_record_owner")+" WHERE d.name = ? AND d.owner = ?", f.Text(f.q.Name),
			f.Text(f.q.Owner))
		return
	}
	c := f.q.Where[where]
	f.add("app_term d WHERE d.field = ?", FieldOf(f.q.Name, c.Field))
	f.fits("d", c)
}

// fits writes that a term fits c.
func (f *find) fits(table string, c store.Condition) {
	text := " AND " + table + ".text "
	switch c.Op {
	case store.Equal:
		f.add(text+"= ?", c.Text)
	case store.AtLeast:
		f.add(text+">= ?", c.Text)
	case store.AtMost:
		f.add(text+"<= ?", c.Text)
	case store.Prefix:
		f.add(text+">= ?", c.Text)
		if end := after(c.Text); end != "" {
			f.add(text+"< ?", end)
		}
	}
}

// after is the least text above all that begin with prefix, byte by byte; "": there is
// none. It is UTF-8, as PostgreSQL wants.
func after(prefix string) string {
	for prefix != "" {
		r, size := utf8.DecodeLastRuneInString(prefix)
		prefix = prefix[:len(prefix)-size]
		switch {
		case r == 0xd7ff:
			return prefix + "\ue000" // no text has the surrogates between
		case r < utf8.MaxRune:
			return prefix + string(r+1)
		}
	}
	return ""
}

// others writes what the record numbered n must fit besides a condition and the owner.
func (f *find) others(n string, but int) {
	for i, c := range f.q.Where {
		if i == but {
			continue
		}
		not := ""
		if c.Op == store.Missing {
			not = "NOT "
		}
		f.add(" AND "+not+"EXISTS (SELECT 1 FROM app_term x"+f.by("app_term_of")+" WHERE x.n = "+n+" AND x.field = ?",
			FieldOf(f.q.Name, c.Field))
		f.fits("x", c)
		f.add(f.alone() + ")")
	}
}

// by names the index to use. PostgreSQL chooses well once it must not sort.
func (f *find) by(index string) string {
	if f.sqlite() {
		return " INDEXED BY " + index
	}
	return ""
}

// alone keeps PostgreSQL from making a join of a condition: it is then looked up record
// by record.
func (f *find) alone() string {
	if f.sqlite() {
		return ""
	}
	return " OFFSET 0"
}

func (f *find) sqlite() bool { return f.Walk == nil }

func (f *find) owner(table string) {
	if f.q.Owner != "" {
		f.add(" AND "+table+".owner = ?", f.Text(f.q.Owner))
	}
}

// from writes that the list begins after the cursor, where key, at and n are columns of
// a table; key is "" without a field to sort by.
func (f *find) from(key, at, n string) {
	if f.after == nil {
		return
	}
	than := ") > ("
	if f.q.Desc {
		than = ") < ("
	}
	if key == "" {
		f.add(" AND ("+at+", "+n+than+"?, ?)", f.after.At, f.after.N)
		return
	}
	f.add(" AND ("+key+", "+at+", "+n+than+"?, ?, ?)", f.after.Text, f.after.At, f.after.N)
}

// order writes the order of the list, by columns of one table.
func (f *find) order(columns ...string) {
	down := ""
	if f.q.Desc {
		down = " DESC"
	}
	f.add(" ORDER BY " + strings.Join(columns, down+", ") + down)
}

// limit writes that one more than a page is wanted, which tells that there is more.
func (f *find) limit() { f.add(" LIMIT ?", store.Limit(f.q.Limit)+1) }

const noKey = newestColumns + ", ''"

func (f *find) equal(where int) {
	f.add("SELECT "+noKey+" FROM app_term d CROSS JOIN app_record r WHERE r.n = d.n AND d.field = ?",
		FieldOf(f.q.Name, f.q.Where[where].Field))
	f.fits("d", f.q.Where[where])
	f.owner("r")
	f.others("d.n", where)
	f.from("", "d.at", "d.n")
	f.order("d.at", "d.n")
	f.limit()
}

func (f *find) gather(s source) {
	f.add("WITH d AS MATERIALIZED (SELECT DISTINCT d.n, d.at FROM ")
	f.source(s.where)
	f.add("), k AS MATERIALIZED (SELECT d.n, d.at")
	key := ""
	if f.q.Sort != "" {
		key = "k.first"
		f.add(", (SELECT min(x.text) FROM app_term x"+f.by("app_term_of")+" WHERE x.n = d.n AND x.field = ?) AS first",
			FieldOf(f.q.Name, f.q.Sort))
	}
	f.add(" FROM d WHERE 1 = 1")
	if s.where >= 0 && f.q.Owner != "" {
		f.add(" AND EXISTS (SELECT 1 FROM app_record o WHERE o.n = d.n AND o.owner = ?"+f.alone()+")", f.Text(f.q.Owner))
	}
	f.others("d.n", s.where)
	f.add("), page AS MATERIALIZED (SELECT * FROM k WHERE 1 = 1")
	columns := []string{"at", "n"}
	if key != "" {
		f.add(" AND k.first IS NOT NULL")
		columns = []string{"first", "at", "n"}
	}
	f.from(key, "k.at", "k.n")
	f.order(columns...)
	f.limit()
	f.add(") SELECT " + newestColumns + ", ")
	if key != "" {
		f.add("page.first")
	} else {
		f.add("''")
	}
	f.add(" FROM page CROSS JOIN app_record r WHERE r.n = page.n")
	for i := range columns {
		columns[i] = "page." + columns[i]
	}
	f.order(columns...)
}

func (f *find) sorted() {
	f.add("SELECT "+newestColumns+", s.text FROM app_term s CROSS JOIN app_record r WHERE r.n = s.n AND s.field = ?"+
		" AND NOT EXISTS (SELECT 1 FROM app_term x"+f.by("app_term_of")+
		" WHERE x.n = s.n AND x.field = s.field AND x.text < s.text"+f.alone()+")", FieldOf(f.q.Name, f.q.Sort))
	f.owner("r")
	f.others("s.n", -1)
	f.from("s.text", "s.at", "s.n")
	f.order("s.text", "s.at", "s.n")
	f.limit()
}

func (f *find) newest() {
	index := "app_record_at"
	if f.q.Owner != "" {
		index = "app_record_owner"
	}
	f.add("SELECT "+noKey+" FROM app_record r"+f.by(index)+" WHERE r.name = ?", f.Text(f.q.Name))
	f.owner("r")
	f.others("r.n", -1)
	f.from("", "r.at", "r.n")
	f.order("r.at", "r.n")
	f.limit()
}
