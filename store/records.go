package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/builtin"
)

// Records keeps the values that the forms, tables and maps of an application saved, beside
// the logs of their conversations. A record has versions: a change adds one, the earlier
// ones are kept.
//
// The store never reads a body. It finds a record by the terms of its newest version.
type Records interface {
	// PutRecord adds a version. Commit.Records does so in the transaction of a turn.
	// ErrVersion if the newest version is not r.Version-1; that of a record that does
	// not exist is 0. ErrInvalid if r does not validate, or has another owner.
	PutRecord(ctx context.Context, r Record) error
	// ReadRecord returns a version without its terms; version 0 is the newest one.
	// ErrNotFound.
	ReadRecord(ctx context.Context, name, id string, version uint64) (Record, error)
	// RecordVersions lists the versions below before (0: all), newest first, without
	// terms, at most limit (see Page). A list ends early once its bodies have 8 MiB; the
	// last one ends with version 1. Empty if there are no such versions.
	RecordVersions(ctx context.Context, name, id string, before uint64, limit int) ([]Record, error)
	// DropRecord removes a record with all of its versions. ErrVersion if the newest one
	// is not version (0: any), ErrNotFound if there is no such record.
	DropRecord(ctx context.Context, name, id string, version uint64) error
	// FindRecords lists the newest versions that fit q, without terms. With next as
	// q.After the list goes on; "" was the last page. A page may be shorter than asked,
	// or empty, before the last: a call looks at a bounded number of records, and ends
	// once their bodies have 8 MiB.
	// ErrInvalid if q does not validate, or if q.After is not a next of the same question.
	FindRecords(ctx context.Context, q Query) (list []Record, next string, err error)

	// ExportRecords calls each with all versions of every record, ascending, with the
	// terms of the newest (by field and text, each once), ordered by name and id, all as
	// of one moment. It does not block writers. An error of each ends it and is returned.
	ExportRecords(ctx context.Context, each func(versions []Record) error) error
	// ImportRecord adds a record with all of its versions, or nothing. ErrExists if
	// there is one of that name and id, ErrInvalid if versions contradict each other.
	ImportRecord(ctx context.Context, versions []Record) error
}

// Record is one version of the values that a form, table or map saved.
type Record struct {
	Name    string    // of the form, table or map; 1..128 bytes
	ID      string    // unique among the records of that name; 1..128 bytes
	Version uint64    // dense from 1
	Owner   string    // the principal it belongs to, the same in all versions
	Created time.Time // as the first version says
	// Of this version.
	Author       string    // who saved it
	Conversation string    // where; "": none
	Event        string    // by which event; "": none
	At           time.Time // when
	Body         []byte    // the values; not empty
	Terms        []Term    // for FindRecords; at most 128
}

// Term is one thing that a record is found by: its text in one field. A record may have
// several in a field, such as the words of a text.
type Term struct {
	Field string // 1..128 bytes
	Text  string // at most 128 bytes of UTF-8 without NUL; compared byte by byte
}

// Query asks for the records of one name.
type Query struct {
	Name  string
	Owner string      // "": of all
	Where []Condition // all of them hold; at most 8
	Sort  string      // the field whose first text orders the list; those without one are left out. "": by At
	Desc  bool        // the greatest first
	After string      // the next of the page before; "": from the top
	Limit int         // see Page
}

// Condition is about the terms of a record in one field.
type Condition struct {
	Field string
	Op    Op
	Text  string // not of Missing
}

// Op says how a term fits a Condition.
type Op string

// The ops of a Condition.
const (
	Equal   Op = "eq"
	Prefix  Op = "prefix"
	AtLeast Op = "ge"
	AtMost  Op = "le"
	Missing Op = "missing" // there is no term in that field
)

// Validate reports, as ErrInvalid, what makes r unusable.
func (r Record) Validate() error {
	for what, id := range map[string]string{"record name": r.Name, "record id": r.ID} {
		if err := checkID(what, id); err != nil {
			return err
		}
	}
	if r.Version == 0 || len(r.Body) == 0 || len(r.Terms) > builtin.MaxTerms {
		return fmt.Errorf("%w: record %q, version %d, with %d bytes and %d terms", ErrInvalid, r.ID, r.Version,
			len(r.Body), len(r.Terms))
	}
	for _, t := range r.Terms {
		if err := checkTerm(t.Field, t.Text); err != nil {
			return err
		}
	}
	return nil
}

// Validate reports, as ErrInvalid, what makes q unusable.
func (q Query) Validate() error {
	if err := checkID("record name", q.Name); err != nil {
		return err
	}
	if len(q.Where) > builtin.MaxWhere {
		return fmt.Errorf("%w: %d conditions, limit %d", ErrInvalid, len(q.Where), builtin.MaxWhere)
	}
	for _, c := range q.Where {
		switch c.Op {
		case Equal, Prefix, AtLeast, AtMost, Missing:
		default:
			return fmt.Errorf("%w: unknown op %q", ErrInvalid, c.Op)
		}
		if err := checkTerm(c.Field, c.Text); err != nil {
			return err
		}
	}
	if q.Sort != "" {
		return checkTerm(q.Sort, "")
	}
	return nil
}

// CheckVersions reports, as ErrInvalid, why versions are not all of one record.
func CheckVersions(versions []Record) error {
	if len(versions) == 0 {
		return fmt.Errorf("%w: a record without versions", ErrInvalid)
	}
	for i, v := range versions {
		if err := v.Validate(); err != nil {
			return err
		}
		first := versions[0]
		if v.Name != first.Name || v.ID != first.ID || v.Owner != first.Owner || v.Version != uint64(i+1) {
			return fmt.Errorf("%w: version %d of record %q where version %d of %q was due", ErrInvalid, v.Version, v.ID,
				i+1, first.ID)
		}
	}
	return nil
}

// CheckNext reports, as ErrVersion or ErrInvalid, the first record of list that does not
// follow the version before it. newest returns the newest kept version of a record, 0 if
// it does not exist, and its owner. A list may have several versions of a record.
func CheckNext(list []Record, newest func(name, id string) (version uint64, owner string, err error)) error {
	type key struct{ name, id string }
	seen := map[key]Record{}
	for _, r := range list {
		prior, ok := seen[key{r.Name, r.ID}]
		if !ok {
			var err error
			if prior.Version, prior.Owner, err = newest(r.Name, r.ID); err != nil {
				return err
			}
		}
		if err := r.follows(prior.Version, prior.Owner); err != nil {
			return err
		}
		seen[key{r.Name, r.ID}] = r
	}
	return nil
}

// follows reports as ErrVersion that the newest version before r is not the given one
// (0: none), and as ErrInvalid that its owner is another.
func (r Record) follows(version uint64, owner string) error {
	switch {
	case r.Version != version+1:
		return fmt.Errorf("record %q: version %d after %d: %w", r.ID, r.Version, version, ErrVersion)
	case version > 0 && r.Owner != owner:
		return fmt.Errorf("%w: version %d of record %q has another owner", ErrInvalid, r.Version, r.ID)
	}
	return nil
}

// SortTerms returns a sorted copy of list in which each term is once.
func SortTerms(list []Term) []Term {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Term) int {
		return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Text, b.Text))
	})
	return slices.Compact(list)
}

func checkTerm(field, text string) error {
	if err := checkID("field of a term", field); err != nil {
		return err
	}
	if len(text) > builtin.MaxTerm || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return fmt.Errorf("%w: term of %d bytes in field %q, want at most %d of UTF-8 without NUL", ErrInvalid,
			len(text), field, builtin.MaxTerm)
	}
	return nil
}
