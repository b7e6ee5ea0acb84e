package storetest

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

// BenchmarkFind asks for a page of 50 records in many ways. exec runs a statement,
// whose arguments are written as ?, on the empty store that s is. LIMN_RECORDS says how
// many records there are: 2,000 without it.
func BenchmarkFind(b *testing.B, s store.Store, exec func(sql string, args ...any) error) {
	n := 2000
	if asked := os.Getenv("LIMN_RECORDS"); asked != "" {
		var err error
		if n, err = strconv.Atoi(asked); err != nil {
			b.Fatal(err)
		}
	}
	fill(b, n, exec)
	for _, c := range questions() {
		for _, desc := range []bool{true, false} {
			if desc != (c.q.Sort == "") {
				continue
			}
			b.Run(c.name, func(b *testing.B) {
				q := c.q
				q.Name, q.Desc, q.Limit = "order", desc, 50
				found := 0
				for i := 0; b.Loop(); i++ {
					list, next, err := s.FindRecords(b.Context(), q)
					if err != nil {
						b.Fatal(err)
					}
					found = len(list)
					q.After = ""
					if i%2 == 0 {
						q.After = next // the second page as often
					}
				}
				b.ReportMetric(float64(found), "records")
			})
		}
	}
}

type question struct {
	name string
	q    store.Query
}

func questions() []question {
	where := func(list ...store.Condition) store.Query { return store.Query{Where: list} }
	eq := func(field, text string) store.Condition {
		return store.Condition{Field: field, Op: store.Equal, Text: text}
	}
	prefix := func(text string) store.Condition {
		return store.Condition{Field: "word", Op: store.Prefix, Text: text}
	}
	sorted := func(q store.Query, field string) store.Query { q.Sort = field; return q }
	owned := func(q store.Query, owner string) store.Query { q.Owner = owner; return q }
	return []question{
		{"newest", store.Query{}},
		{"equal 25%", where(eq("status", "s1"))},
		{"equal 10%, sorted", sorted(where(eq("city", "c1")), "title")},
		{"equal 20 records", where(eq("customer", "k7"))},
		{"equal 20 records, sorted", sorted(where(eq("customer", "k7")), "title")},
		{"equal 1000 records, sorted", sorted(where(eq("group", "g7")), "title")},
		{"two equal 25% and 10%", where(eq("status", "s1"), eq("city", "c1"))},
		{"two equal 25%, none both", where(eq("status", "s1"), eq("status", "s2"))},
		{"two equal 25%, none both, sorted", sorted(where(eq("status", "s1"), eq("status", "s2")), "title")},
		{"prefix 25%, none missing", where(prefix("com"), store.Condition{Field: "status", Op: store.Missing})},
		{"two equal 25% and 20 records", where(eq("status", "s3"), eq("customer", "k7"))},
		{"two words", where(eq("word", "common1"), eq("word", "w10"))},
		{"prefix 25%", where(prefix("com"))},
		{"prefix 25% and equal 25%", where(prefix("com"), eq("status", "s0"))},
		{"prefix 4%", where(prefix("w12"))},
		{"prefix 0.44%", where(prefix("w123"))},
		{"prefix 0.44%, sorted", sorted(where(prefix("w123")), "title")},
		{"prefix 0.04%", where(prefix("w1234"))},
		{"prefix 0.04% and equal 25%", where(prefix("w1234"), eq("status", "s1"))},
		{"sorted", sorted(store.Query{}, "title")},
		{"sorted by words", sorted(store.Query{}, "word")},
		{"sorted, equal 25%", sorted(where(eq("status", "s1")), "title")},
		{"missing in 75%", where(store.Condition{Field: "rare", Op: store.Missing})},
		{"owner of 1000", owned(store.Query{}, "small")},
		{"owner of 1000, sorted", owned(sorted(store.Query{}, "title"), "small")},
		{"owner of 1000, equal 25%", owned(where(eq("status", "s1")), "small")},
		{"owner of half", owned(store.Query{}, "big")},
		{"owner of half, equal 25%", owned(where(eq("status", "s2")), "big")},
		{"owner of half, sorted", owned(sorted(store.Query{}, "title"), "big")},
	}
}

// fill adds n records by statements that both databases take.
func fill(b *testing.B, n int, exec func(sql string, args ...any) error) {
	series := fmt.Sprintf(`(WITH RECURSIVE s(i) AS (SELECT CAST(1 AS bigint) UNION ALL SELECT i + 1 FROM s WHERE i < %d)
		SELECT i FROM s) s`, n)
	run := func(sql string, args ...any) {
		if err := exec(sql, args...); err != nil {
			b.Fatal(sql, err)
		}
	}
	run(`DROP INDEX app_term_of`)
	run(fmt.Sprintf(`INSERT INTO app_record (name, id, version, owner, created, author, conv, event, at, fields, body)
		SELECT 'order', 'r' || i, 1,
			CASE WHEN i %% 2 = 0 THEN 'big' WHEN i %% (%d / 1000) = 1 THEN 'small' ELSE 'o' || (i %% 5003) END,
			1772366400000000 + i, 'a', 'c', 'e', 1772366400000000 + i / 2, ?, ? FROM `, max(n, 4000))+series,
		[]byte{}, make([]byte, 500))
	run(`CREATE TABLE bench (field bigint, text text, at bigint, n bigint)`)
	for _, t := range [][2]string{
		{"status", `'s' || (i * 7919 / 4 % 4)`},
		{"city", `'c' || (i * 104729 / 8 % 10)`},
		{"customer", fmt.Sprintf(`'k' || (i * 7919 %% %d)`, n/20)},
		{"group", fmt.Sprintf(`'g' || (i * 7919 %% %d)`, max(n/1000, 1))},
		{"title", `'t' || (i * 7919 % 1000003)`},
		{"word", `CASE WHEN i % 4 = 0 THEN 'common' || (i % 7) ELSE 'x' || (i % 7) END`},
		{"word", `'w' || (i * 7919 % 10007)`},
		{"word", `'w' || (i * 7907 / 3 % 10007)`},
		{"word", `'w' || (i * 7901 / 5 % 10007)`},
		{"word", `'w' || (i * 7883 / 7 % 10007)`},
	} {
		run(`INSERT INTO bench SELECT CAST(? AS bigint), `+t[1]+`, 1772366400000000 + i / 2, i FROM `+series,
			sqlstore.FieldOf("order", t[0]))
	}
	run(`INSERT INTO bench SELECT CAST(? AS bigint), 'x', 1772366400000000 + i / 2, i FROM `+series+` WHERE i % 4 = 0`,
		sqlstore.FieldOf("order", "rare"))
	run(`INSERT INTO app_term (field, text, at, n) SELECT DISTINCT field, text, at, n FROM bench ORDER BY 1, 2, 3, 4`)
	run(`DROP TABLE bench`)
	run(`CREATE INDEX app_term_of ON app_term (n, field, text)`)
}
