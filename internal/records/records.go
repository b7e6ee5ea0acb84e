package records

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Book is the records of an application in a store.
type Book struct {
	Store store.Records
	App   *app.App
	Now   func() time.Time
	Roles func(principal string) []string // of a name that signed in; nil: no roles
	Saved func(name string)               // called after Put and Delete; nil: no call
}

// Viewer is who uses records.
type Viewer struct {
	Owner string // as conversation.Owner has it
	Name  string // the name that signed in; "": none
	All   bool   // the program itself: everything is allowed
}

// Of returns the records that a frame of a conversation saves.
func Of(a *app.App, conversation string, e *ui.Event, f *ui.Frame) (out []store.Record) {
	for _, op := range f.Ops {
		c, ok := op.(*ui.Commit)
		if !ok || c.Record.ID == "" {
			continue
		}
		owner := e.Principal
		if c.Record.Owner != "" {
			owner = c.Record.Owner
		}
		author := e.User
		if author == "" {
			author = e.Principal
		}
		out = append(out, store.Record{Name: c.Form, ID: c.Record.ID, Version: c.Record.Version, Owner: owner,
			Created: f.At, At: f.At, Author: author, Conversation: conversation, Event: string(e.ID),
			Body: c.Values.AppendJSON(nil), Terms: terms(a, c.Form, c.Values)})
	}
	return out
}

// For returns the records as far as v may use them.
func (b *Book) For(v Viewer) app.Records { return desk{b, v} }

type desk struct {
	*Book
	who Viewer
}

// may reports whether the viewer has one of the roles.
func (d desk) may(roles []string) bool {
	return d.who.All || d.May(d.who.Name, roles)
}

// May reports whether a name that signed in ("": none) has one of the roles.
func (b *Book) May(name string, roles []string) bool {
	if slices.Contains(roles, app.Everyone) {
		return true
	}
	if name == "" || b.Roles == nil || len(roles) == 0 {
		return false
	}
	return slices.ContainsFunc(b.Roles(name), func(r string) bool { return slices.Contains(roles, r) })
}

// decides reports whether the viewer may fill in the fields under decide.
func (d desk) decides(spec app.RecordSpec, owner string) bool {
	return d.who.All || (spec.DecideOwn || owner != d.who.Owner) && d.may(spec.Deciders)
}

func (d desk) spec(name string) (app.RecordSpec, error) {
	spec, ok := d.App.RecordLists().Spec(name)
	if !ok {
		return spec, &ui.Error{Code: app.CodeNoRecord, Path: "name", Message: "there are no records of that name",
			Hint: "it is the name of a form, table or map of the application"}
	}
	return spec, nil
}

func (d desk) sees(spec app.RecordSpec, r store.Record) bool {
	return d.who.Owner != "" && r.Owner == d.who.Owner || d.seesAll(spec)
}

func (d desk) changes(spec app.RecordSpec, r store.Record) bool {
	return d.who.Owner != "" && r.Owner == d.who.Owner || d.may(spec.Write) || d.may(spec.Deciders)
}

// seesAll reports whether the viewer sees the records of others.
func (d desk) seesAll(spec app.RecordSpec) bool {
	return d.may(spec.Read) || d.may(spec.Write) || d.may(spec.Deciders)
}

func (d desk) record(spec app.RecordSpec, r store.Record) (app.Record, error) {
	out := app.Record{Name: r.Name, ID: r.ID, Version: r.Version, Owner: r.Owner, Author: r.Author,
		Conversation: r.Conversation, Created: r.Created, At: r.At, Writable: d.changes(spec, r)}
	if err := out.Values.UnmarshalJSON(r.Body); err != nil {
		return out, &ui.Error{Code: conversation.CodeStore, Message: "a record cannot be read", Err: err}
	}
	if out.Writable && d.App.RecordLists().Decides(r.Name, out.Values, out.Values) != "" {
		out.Writable = d.decides(spec, r.Owner)
	}
	return out, nil
}

func (d desk) records(spec app.RecordSpec, list []store.Record) ([]app.Record, error) {
	out := make([]app.Record, len(list))
	for i, r := range list {
		var err error
		if out[i], err = d.record(spec, r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Query returns the query of the store for a query of records with these fields. It refuses one
// that cannot be read.
func Query(fields []ui.Field, q app.RecordQuery) (store.Query, error) {
	ask := store.Query{Name: q.Name, Sort: q.Sort, Desc: q.Desc, After: q.After, Limit: q.Limit}
	field := func(path, name string) (ui.Field, error) {
		var names []string
		for _, f := range fields {
			if f.Name == name {
				return f, nil
			}
			names = append(names, f.Name)
		}
		return ui.Field{}, &ui.Error{Code: app.CodeRecordQuery, Path: path,
			Message: "there is no field of that name", Hint: "want one of: " + strings.Join(names, ", ")}
	}
	if q.Sort != "" {
		if _, err := field("sort", q.Sort); err != nil {
			return ask, err
		}
	}
	for _, c := range q.Where {
		f, err := field("filter", c.Field)
		if err != nil {
			return ask, err
		}
		text := sortable(f, option(f, c.Text))
		if isNumber := f.Type == ui.TypeNumber || f.Type == ui.TypeSlider; isNumber && text == "" &&
			strings.TrimSpace(c.Text) != "" {
			return ask, &ui.Error{Code: app.CodeRecordQuery, Path: "filter",
				Message: "the text for " + c.Field + " is no number", Hint: "write it with digits: 12.5"}
		}
		ask.Where = append(ask.Where, store.Condition{Field: c.Field, Op: store.Op(c.Op), Text: text})
	}
	for _, word := range wordsOf(strings.Fields(q.Search)) {
		ask.Where = append(ask.Where, store.Condition{Field: wordsField, Op: store.Prefix, Text: word})
	}
	if len(ask.Where) > builtin.MaxWhere {
		return ask, &ui.Error{Code: app.CodeRecordQuery, Path: "q", Message: "too many words",
			Hint: "leave words or filters out", Err: builtin.ErrConditions}
	}
	return ask, nil
}

// List implements app.Records.
func (d desk) List(ctx context.Context, q app.RecordQuery) (app.RecordPage, error) {
	spec, err := d.spec(q.Name)
	if err != nil {
		return app.RecordPage{}, err
	}
	ask, err := Query(d.App.RecordLists().Fields(q.Name), q)
	if err != nil {
		return app.RecordPage{}, err
	}
	if !d.seesAll(spec) {
		if d.who.Owner == "" {
			return app.RecordPage{}, nil
		}
		ask.Owner = d.who.Owner
	}
	list, next, err := d.find(ctx, ask)
	if errors.Is(err, store.ErrInvalid) {
		return app.RecordPage{}, &ui.Error{Code: app.CodeRecordQuery, Path: "after", Err: err,
			Message: "this is no query of records", Hint: "send `next` of the page before with the same query"}
	}
	if err != nil {
		return app.RecordPage{}, conversation.StoreError("list records", err)
	}
	page := app.RecordPage{Next: next}
	page.Records, err = d.records(spec, list)
	return page, err
}

// maxFinds is how often the store is asked for one page: it looks at a bounded number of
// records each time.
const maxFinds = 10

// find fills a page. One that many records had to be looked at for, or with much in its
// records, can be short.
func (d desk) find(ctx context.Context, q store.Query) (list []store.Record, next string, err error) {
	limit, size := store.Limit(q.Limit), 0
	for range maxFinds {
		q.Limit = limit - len(list)
		var more []store.Record
		if more, next, err = d.Store.FindRecords(ctx, q); err != nil {
			return nil, "", err
		}
		for _, r := range more {
			list, size = append(list, r), size+len(r.Body)
		}
		if q.After = next; next == "" || len(list) == limit || size >= builtin.MaxBodies {
			break
		}
	}
	return list, next, nil
}

// option is the value of an option that is named by its label.
func option(f ui.Field, text string) string {
	for _, o := range f.Options {
		if strings.EqualFold(o.Text(), text) {
			return o.Value
		}
	}
	return text
}

// Get implements app.Records.
func (d desk) Get(ctx context.Context, name, id string, version uint64) (app.Record, error) {
	spec, err := d.spec(name)
	if err != nil {
		return app.Record{}, err
	}
	r, err := d.Store.ReadRecord(ctx, name, id, version)
	switch {
	case errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrInvalid) || err == nil && !d.sees(spec, r):
		return app.Record{}, missing()
	case err != nil:
		return app.Record{}, conversation.StoreError("read a record", err)
	}
	return d.record(spec, r)
}

// maxVersions is the most versions listed at once.
const maxVersions = 100

// Versions implements app.Records.
func (d desk) Versions(ctx context.Context, name, id string, before uint64) ([]app.Record, error) {
	if _, err := d.Get(ctx, name, id, 0); err != nil {
		return nil, err
	}
	list, err := d.Store.RecordVersions(ctx, name, id, before, maxVersions)
	if err != nil {
		return nil, conversation.StoreError("list the versions of a record", err)
	}
	spec, _ := d.App.RecordLists().Spec(name)
	return d.records(spec, list)
}

// Put implements app.Records.
func (d desk) Put(ctx context.Context, r app.Record) (app.Record, error) {
	spec, err := d.spec(r.Name)
	if err != nil {
		return r, err
	}
	now := store.Time(d.Now())
	kept := store.Record{Name: r.Name, ID: r.ID, Version: r.Version + 1, Owner: d.who.Owner, Created: now, At: now,
		Author: d.who.Name, Body: r.Values.AppendJSON(nil), Terms: terms(d.App, r.Name, r.Values)}
	if kept.Author == "" {
		kept.Author = d.who.Owner
	}
	if d.who.All {
		kept.Owner, kept.Author = conversation.Owner(r.Owner), r.Author
	}
	if r.Version > 0 {
		old, err := d.Store.ReadRecord(ctx, r.Name, r.ID, 0)
		switch {
		case errors.Is(err, store.ErrNotFound) || err == nil && !d.sees(spec, old):
			return r, missing()
		case err != nil:
			return r, conversation.StoreError("read a record", err)
		}
		was, err := d.record(spec, old)
		if err != nil {
			return r, err
		}
		decides := d.App.RecordLists().Decides(r.Name, was.Values, r.Values) != ""
		if !was.Writable || decides && !d.decides(spec, old.Owner) {
			return r, denied()
		}
		kept.Owner, kept.Created = old.Owner, old.Created
	} else if d.App.RecordLists().Decides(r.Name, ui.Value{}, r.Values) != "" && !d.decides(spec, kept.Owner) {
		return r, denied()
	} else if kept.ID == "" {
		kept.ID = newID()
	}
	switch err := d.Store.PutRecord(ctx, kept); {
	case errors.Is(err, store.ErrVersion):
		return r, changed()
	case errors.Is(err, store.ErrInvalid):
		return r, &ui.Error{Code: app.CodeRecordQuery, Message: "this record cannot be saved", Err: err}
	case err != nil:
		return r, conversation.StoreError("save a record", err)
	}
	d.saved(r.Name)
	return d.record(spec, kept)
}

// Delete implements app.Records.
func (d desk) Delete(ctx context.Context, name, id string, version uint64) error {
	r, err := d.Get(ctx, name, id, 0)
	if err != nil {
		return err
	}
	if !r.Writable {
		return denied()
	}
	switch err := d.Store.DropRecord(ctx, name, id, cmp.Or(version, r.Version)); {
	case errors.Is(err, store.ErrVersion):
		return changed()
	case errors.Is(err, store.ErrNotFound):
		return missing()
	case err != nil:
		return conversation.StoreError("delete a record", err)
	}
	d.saved(name)
	return nil
}

func (b *Book) saved(name string) {
	if b.Saved != nil {
		b.Saved(name)
	}
}

// Stale is the error of ops that save a version of a record that does not follow the
// newest one; nil if there are none. A record that cannot be read counts as unchanged:
// saving it finds out.
func Stale(ctx context.Context, s store.Records, ops ui.Ops) error {
	for _, op := range ops {
		c, ok := op.(*ui.Commit)
		if !ok || c.Record.Version < 2 {
			continue
		}
		switch newest, err := s.ReadRecord(ctx, c.Form, c.Record.ID, 0); {
		case errors.Is(err, store.ErrNotFound):
			return missing()
		case err == nil && newest.Version != c.Record.Version-1:
			return changed()
		}
	}
	return nil
}

// Unsaved is the error of ops whose records the store refused with store.ErrVersion.
func Unsaved(ctx context.Context, s store.Records, ops ui.Ops) error {
	return cmp.Or(Stale(ctx, s, ops), error(changed()))
}

// changed is the error of a change to a version that is not the newest one.
func changed() *ui.Error {
	return &ui.Error{Code: app.CodeRecordChanged, Message: "somebody saved this record in the meantime",
		Hint: "read the newest version and change that"}
}

func missing() *ui.Error {
	return &ui.Error{Code: app.CodeNoRecord, Message: "there is no such record", Hint: "it may be deleted"}
}

func denied() *ui.Error {
	return &ui.Error{Code: app.CodeRecordDenied, Message: "this record is not yours to change",
		Hint: "it takes a role that the application lists under write, or under decide"}
}

// newID returns a random id.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// ViewerOf is a principal as a Viewer.
func ViewerOf(principal string) Viewer {
	who := Viewer{Owner: conversation.Owner(principal)}
	if who.Owner != principal {
		who.Name = principal
	}
	return who
}
