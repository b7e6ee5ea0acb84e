package app

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

// Bounds of a RecordQuery.
const (
	defaultRecords = 50
	maxRecords     = 200
)

// ParseRecordQuery reads a query of the records of one name from the parameters of an
// address:
//
//	q       words; a record has a word that begins with each
//	filter  FIELD:OP:TEXT, such as status:eq:Open; the op is eq, prefix, ge, le or missing; may repeat
//	sort    a field, with - before it the greatest first; default -saved, the newest first
//	after   next of the page before
//	limit   1 to 200; default 50
func ParseRecordQuery(name string, v url.Values) (RecordQuery, error) {
	q := RecordQuery{Name: name, Search: v.Get("q"), After: v.Get("after"), Limit: defaultRecords}
	if sort := v.Get("sort"); sort == "" || sort == "-saved" {
		q.Desc = true
	} else if sort != "saved" {
		q.Sort, q.Desc = strings.TrimPrefix(sort, "-"), strings.HasPrefix(sort, "-")
	}
	if limit := v.Get("limit"); limit != "" {
		n, err := strconv.Atoi(limit)
		if err != nil || n < 1 || n > maxRecords {
			return q, queryError("limit", "want a number from 1 to "+strconv.Itoa(maxRecords))
		}
		q.Limit = n
	}
	for _, f := range v["filter"] {
		parts := strings.SplitN(f, ":", 3)
		if len(parts) == 2 && parts[1] == "missing" {
			parts = append(parts, "")
		}
		if len(parts) != 3 || !slices.Contains(RecordOps(), parts[1]) {
			return q, queryError("filter",
				"want FIELD:OP:TEXT, such as status:eq:Open; OP is eq, prefix, ge, le or missing")
		}
		q.Where = append(q.Where, RecordCondition{Field: parts[0], Op: parts[1], Text: parts[2]})
	}
	if len(q.Where) > builtin.MaxFilters || len(strings.Fields(q.Search)) > builtin.MaxSearchWords {
		return q, &ui.Error{Code: CodeRecordQuery, Path: "filter", Message: notQuery, Err: builtin.ErrConditions,
			Hint: "at most " + strconv.Itoa(builtin.MaxFilters) + " filters and " +
				strconv.Itoa(builtin.MaxSearchWords) + " words"}
	}
	return q, nil
}

// RecordOps returns the comparisons of a RecordCondition.
func RecordOps() []string { return []string{"eq", "prefix", "ge", "le", "missing"} }

const notQuery = "this is no query of records"

func queryError(path, hint string) error {
	return &ui.Error{Code: CodeRecordQuery, Path: path, Message: notQuery, Hint: hint}
}

// Values returns the parameters of an address that ParseRecordQuery reads as q.
func (q RecordQuery) Values() url.Values {
	v := url.Values{}
	set := func(key, value string) {
		if value != "" {
			v.Set(key, value)
		}
	}
	set("q", q.Search)
	set("after", q.After)
	sort := q.Sort
	if sort == "" {
		sort = "saved"
	}
	if q.Desc {
		sort = "-" + sort
	}
	if sort != "-saved" {
		v.Set("sort", sort)
	}
	for _, c := range q.Where {
		v.Add("filter", c.Field+":"+c.Op+":"+c.Text)
	}
	if q.Limit != 0 && q.Limit != defaultRecords {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	return v
}
