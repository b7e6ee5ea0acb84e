package app

import (
	"context"
	"time"

	"github.com/limn-ui/limn/ui"
)

// RecordSpec says how the records of a form, table or map are listed, and who besides
// their owner may use them. Without one its records are kept all the same: each owner
// sees their own.
type RecordSpec struct {
	Name    string   // of the form, table or map
	Title   string   // for people, of several: Customers; default: the title of the form, table or map
	Phrases []string // what people call them: clients; "show all clients" lists them
	Fields  []string // the columns of the list; default: the first five that are no uploads
	Read    []string // the roles that see the records of others; Everyone: all
	Write   []string // the roles that also change and delete them

	// Fields of the form that the owner cannot fill in: those with a role of Deciders do,
	// who also see and change the records. A record with one of them is theirs alone.
	Decide    []string
	Deciders  []string
	DecideOwn bool // they may decide their own records, too
	Off       bool // nothing is kept
}

// Everyone is the role that all principals have, for the lists of a RecordSpec.
const Everyone = "everyone"

// Records are the records of the application that one principal may use. Errors are
// *ui.Error.
type Records interface {
	// List returns one page.
	List(ctx context.Context, q RecordQuery) (RecordPage, error)
	// Get returns a version, 0: the newest. CodeNoRecord if the record does not exist
	// or this principal may not see it.
	Get(ctx context.Context, name, id string, version uint64) (Record, error)
	// Versions lists the versions below before (0: all), newest first, at most 100. A
	// list ends early once it has 8 MiB; the last one ends with version 1.
	Versions(ctx context.Context, name, id string, before uint64) ([]Record, error)
	// Put saves r.Values as the version after r.Version, which is the newest one; 0
	// makes a record. Without r.ID it gets one, without r.Owner it belongs to the
	// principal. Put returns the saved version. CodeRecordChanged if the newest version is
	// another one. The values are not checked against the form.
	Put(ctx context.Context, r Record) (Record, error)
	// Delete removes a record with all of its versions. CodeRecordChanged if the newest
	// version is not version (0: any), or if one is saved meanwhile.
	Delete(ctx context.Context, name, id string, version uint64) error
}

// Record is one version of the values that a form, table or map saved.
type Record struct {
	Name         string // of the form, table or map
	ID           string
	Version      uint64 // from 1
	Owner        string // the id of the principal it belongs to
	Author       string // who saved this version: a name, or an opaque id
	Conversation string // where it was saved; "": by Put
	Created, At  time.Time
	Writable     bool // for the principal that asked; read only
	Values       ui.Value
}

// RecordPage is one page of a list.
type RecordPage struct {
	Records []Record
	Next    string // for RecordQuery.After; "": there are no more
}

// RecordQuery asks for records of one name. See ParseRecordQuery for its text.
type RecordQuery struct {
	Name   string
	Search string // words, the beginnings of which a record has
	Where  []RecordCondition
	Sort   string // a field; "": by the time of the newest version
	Desc   bool   // the greatest first
	After  string
	Limit  int // 1 to 200, default 50
}

// RecordCondition compares a field of a form, or one of the columns of RecordSpec.
type RecordCondition struct {
	Field string
	Op    string // eq, prefix, ge, le or missing
	Text  string // as people write it: 1200, 2026-11-20, High
}

// Codes of records.
const (
	CodeNoRecord      ui.Code = "RECORD_NOT_FOUND"
	CodeRecordChanged ui.Code = "RECORD_CHANGED"
	CodeRecordInvalid ui.Code = "RECORD_INVALID"
	CodeRecordQuery   ui.Code = "RECORD_QUERY_INVALID"
	CodeRecordDenied  ui.Code = "RECORD_DENIED"
)
