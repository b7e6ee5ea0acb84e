package sqlstore

import (
	"strings"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/builtin"
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

// source is one way to gather a list: from the terms of a condition, or from the records
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
// Whatever a plan does not begin with is looked up for each record that it meets; a
// walk ends after Most of them, with a shorter page.
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
	var end *store.Place
	switch {
	case from != nil && from.where >= 0 && q.Where[from.where].Op == store.Equal && q.Sort == "":
		end, err = f.walk(f.equal(from.where))
	case from != nil && from.count <= d.Few:
		f.gather(*from)
	case q.Sort != "":
		end, err = f.walk(f.sorted())
	default:
		end, err = f.walk(f.newest())
	}
	if err != nil {
		return nil, "", err
	}
	limit, size := store.Limit(q.Limit), 0
	var last store.Place
	err = d.page(f.sql.String(), f.args, func(scan func(...any) error) error {
		if len(list) == limit || size >= builtin.MaxBodies {
			next = q.Cursor(last)
			return errFull
		}
		var key string
		r, err := d.record(scan, &key)
		list, size = append(list, r.Record), size+len(r.Body)
		last = store.Place{Text: key, At: r.At.UnixMicro(), N: r.n}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	if next == "" && end != nil {
		next = q.Cursor(*end)
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
		c.source(s.where, "")
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

// source writes a table d, with others beside it, and a WHERE clause: the terms that fit
// a condition, or the records of the owner.
func (f *find) source(where int, beside string) {
	if where < 0 {
		f.add("app_record d"+f.by("app_record_owner")+beside+" WHERE d.name = ? AND d.owner = ?", f.Text(f.q.Name),
			f.Text(f.q.Owner))
		return
	}
	c := f.q.Where[where]
	f.add("app_term d"+beside+" WHERE d.field = ?", FieldOf(f.q.Name, c.Field))
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

// others writes the conditions on the record numbered n, except one of them and the owner.
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
	switch {
	case f.after == nil:
	case f.q.Desc:
		f.compare(key, at, n, "<", *f.after)
	default:
		f.compare(key, at, n, ">", *f.after)
	}
}

// until writes that the list ends at a place.
func (f *find) until(key, at, n string, end store.Place) {
	than := "<="
	if f.q.Desc {
		than = ">="
	}
	f.compare(key, at, n, than, end)
}

func (f *find) compare(key, at, n, than string, p store.Place) {
	if key == "" {
		f.add(" AND ("+at+", "+n+") "+than+" (?, ?)", p.At, p.N)
		return
	}
	f.add(" AND ("+key+", "+at+", "+n+") "+than+" (?, ?, ?)", p.Text, p.At, p.N)
}

// order writes the order of the list, by columns of one table.
func (f *find) order(columns ...string) {
	down := ""
	if f.q.Desc {
		down = " DESC"
	}
	f.add(" ORDER BY " + strings.Join(columns, down+", ") + down)
}

// limit asks for one row more than a page: if it comes, there is a next page.
func (f *find) limit() { f.add(" LIMIT ?", store.Limit(f.q.Limit)+1) }

// walk is a plan that goes along an index.
type walk struct {
	table string              // that has the index: d or s (terms), or r (records)
	key   string              // its column to sort by; "": by time
	but   int                 // the condition that it begins with; -1: none
	rows  func(*find, string) // writes the table, with others beside it, and a WHERE clause
}

// walk writes the statement of a plan. end is where it stops if not all that it meets
// has to fit; nil: where the index does.
func (f *find) walk(w walk) (end *store.Place, err error) {
	if f.Walk != nil {
		if err := f.Walk(); err != nil {
			return nil, err
		}
	}
	columns := []string{w.table + ".at", w.table + ".n"}
	key := "''"
	if w.key != "" {
		key = w.key
		columns = append([]string{key}, columns...)
	}
	begun := 0
	if w.but >= 0 {
		begun = 1
	}
	terms := w.table != "r"
	if len(f.q.Where) > begun || terms && f.q.Owner != "" {
		if end, err = f.end(w, key, columns); err != nil {
			return nil, err
		}
	}
	beside := ""
	if terms {
		beside = " CROSS JOIN app_record r"
	}
	f.add("SELECT " + newestColumns + ", " + key + " FROM ")
	w.rows(f, beside)
	if terms {
		f.add(" AND r.n = " + w.table + ".n")
		f.owner("r")
	}
	if w.key != "" { // a record is where its first text is
		f.add(" AND NOT EXISTS (SELECT 1 FROM app_term x" + f.by("app_term_of") +
			" WHERE x.n = s.n AND x.field = s.field AND x.text < s.text" + f.alone() + ")")
	}
	f.others(w.table+".n", w.but)
	f.from(w.key, w.table+".at", w.table+".n")
	if end != nil {
		f.until(w.key, w.table+".at", w.table+".n", *end)
	}
	f.order(columns...)
	f.limit()
	return end, nil
}

// end is the place of the last record that a walk may look at; nil if the index ends
// before.
func (f *find) end(w walk, key string, columns []string) (end *store.Place, err error) {
	g := &find{Database: f.Database, q: f.q, after: f.after}
	g.add("SELECT " + key + ", " + w.table + ".at, " + w.table + ".n FROM ")
	w.rows(g, "")
	g.from(w.key, w.table+".at", w.table+".n")
	g.order(columns...)
	g.add(" LIMIT 1 OFFSET ?", g.Most-1)
	err = g.Query(g.sql.String(), g.args, func(scan func(...any) error) error {
		end = &store.Place{}
		return scan(&end.Text, &end.At, &end.N)
	})
	return end, err
}

func (f *find) equal(where int) walk {
	return walk{table: "d", but: where, rows: func(g *find, beside string) { g.source(where, beside) }}
}

func (f *find) gather(s source) {
	f.add("WITH d AS MATERIALIZED (SELECT DISTINCT d.n, d.at FROM ")
	f.source(s.where, "")
	f.add("), k AS MATERIALIZED (SELECT d.n, d.at")
	key := ""
	if f.q.Sort != "" {
		key = "k.first"
		f.add(", (SELECT min(x.text) FROM app_term x"+f.by("app_term_of")+" WHERE x.n = d.n AND x.field = ?) AS first",
			FieldOf(f.q.Name, f.q.Sort))
	}
	f.add(" FROM d WHERE 1 = 1")
	if s.where >= 0 && f.q.Owner != "" {
		f.add(" AND EXISTS (SELECT 1 FROM app_record o WHERE o.n = d.n AND o.owner = ?"+f.alone()+")",
			f.Text(f.q.Owner))
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

func (f *find) sorted() walk {
	return walk{table: "s", key: "s.text", but: -1, rows: func(g *find, beside string) {
		g.add("app_term s"+beside+" WHERE s.field = ?", FieldOf(g.q.Name, g.q.Sort))
	}}
}

func (f *find) newest() walk {
	index := "app_record_at"
	if f.q.Owner != "" {
		index = "app_record_owner"
	}
	return walk{table: "r", but: -1, rows: func(g *find, beside string) {
		g.add("app_record r"+g.by(index)+beside+" WHERE r.name = ?", g.Text(g.q.Name))
		g.owner("r")
	}}
}
