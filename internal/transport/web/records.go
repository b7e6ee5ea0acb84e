package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/records"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// recordAPI answers the addresses of records, and their pages.
type recordAPI struct{ *host }

// lists are the records in the language that a request prefers.
func (s *recordAPI) lists(r *http.Request) *app.RecordLists {
	return s.cfg.Service.App().In(s.language(r)).RecordLists()
}

// recordName is one of the names of records, as the API lists them.
type recordName struct {
	Name   string   `json:"name"`
	Title  string   `json:"title"`
	Fields []string `json:"fields"`
}

// names lists what records there are.
func (s *recordAPI) names(w http.ResponseWriter, r *http.Request, _ string) error {
	list := []recordName{}
	for _, spec := range s.lists(r).Specs() {
		n := recordName{spec.Name, spec.Title, []string{}}
		for _, f := range s.lists(r).Fields(spec.Name) {
			n.Fields = append(n.Fields, f.Name)
		}
		list = append(list, n)
	}
	return writeJSON(w, http.StatusOK, map[string]any{"records": list})
}

func recordQuery(r *http.Request) (app.RecordQuery, error) {
	query, err := queryOf(r)
	if err != nil {
		return app.RecordQuery{}, err
	}
	return app.ParseRecordQuery(r.PathValue("name"), query)
}

// list answers one page, or with a format all of them as a file.
func (s *recordAPI) list(w http.ResponseWriter, r *http.Request, who string) error {
	if r.URL.Query().Has("format") {
		return s.export(w, r, who)
	}
	q, err := recordQuery(r)
	if err != nil {
		return err
	}
	page, err := s.cfg.Service.Records(who).List(r.Context(), q)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, recordPage{jsonOf(page.Records), page.Next})
}

type recordPage struct {
	Records []records.JSON `json:"records"`
	Next    string         `json:"next,omitempty"`
}

func jsonOf(list []app.Record) []records.JSON {
	out := make([]records.JSON, len(list))
	for i, r := range list {
		out[i] = records.JSONOf(r)
	}
	return out
}

// version reads a version from the query; 0 if it has none.
func version(r *http.Request, key string) (uint64, error) {
	text := r.URL.Query().Get(key)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, &ui.Error{Code: app.CodeRecordQuery, Path: key, Message: "this is no version",
			Hint: "want a number from 1"}
	}
	return n, nil
}

func (s *recordAPI) get(w http.ResponseWriter, r *http.Request, who string) error {
	v, err := version(r, "version")
	if err != nil {
		return err
	}
	rec, err := s.cfg.Service.Records(who).Get(r.Context(), r.PathValue("name"), r.PathValue("id"), v)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, records.JSONOf(rec))
}

func (s *recordAPI) versions(w http.ResponseWriter, r *http.Request, who string) error {
	before, err := version(r, "before")
	if err != nil {
		return err
	}
	list, err := s.cfg.Service.Records(who).Versions(r.Context(), r.PathValue("name"), r.PathValue("id"), before)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, versionPage{jsonOf(list), older(list)})
}

type versionPage struct {
	Versions []records.JSON `json:"versions"`
	Next     uint64         `json:"next,omitempty"` // for before
}

// older returns the version before which the list goes on; 0: it ends here.
func older(list []app.Record) uint64 {
	if len(list) == 0 || list[len(list)-1].Version == 1 {
		return 0
	}
	return list[len(list)-1].Version
}

// put saves a record: a new one by POST, the next version by PUT. The values are
// checked as a form checks them.
func (s *recordAPI) put(w http.ResponseWriter, r *http.Request, who string) error {
	var in struct {
		Version uint64   `json:"version"`
		Values  ui.Value `json:"values"`
	}
	if err := wantJSON(r); err != nil {
		return err
	}
	err := readMembers(r, &in, `send {"values":{…}}, and with PUT the version that was read, such as "version":1`)
	if err != nil {
		return err
	}
	if r.Method == http.MethodPut && in.Version == 0 {
		return &ui.Error{Code: ingress.CodeEnvelope, Path: "/version",
			Message: "the version that was read is missing"}
	}
	if err := s.checked(r, r.PathValue("name"), &in.Values); err != nil {
		return err
	}
	if err := s.charge(who, startWeight); err != nil {
		return err
	}
	rec, err := s.putOnce(r, who, app.Record{Name: r.PathValue("name"), ID: r.PathValue("id"), Version: in.Version,
		Values: in.Values})
	if err != nil {
		return err
	}
	status := http.StatusOK
	if in.Version == 0 {
		status = http.StatusCreated
		w.Header().Set("Location", s.at("/v1/records/"+url.PathEscape(rec.Name)+"/"+url.PathEscape(rec.ID)))
	}
	return writeJSON(w, status, records.JSONOf(rec))
}

// checked holds values to the form that they are for.
func (s *recordAPI) checked(r *http.Request, name string, values *ui.Value) error {
	f, ok := s.cfg.Service.App().Form(name)
	if !ok {
		return &ui.Error{Code: app.CodeRecordDenied, Path: "/name", Message: "only records of forms are saved here",
			Hint: "the rows of a table or map are saved by submitting it"}
	}
	if values.Kind() != ui.MapValue {
		return &ui.Error{Code: ingress.CodeEnvelope, Path: "/values", Message: "the values of the form are missing",
			Hint: `send {"values":{…}} with all values of the record: what is left out is empty then`}
	}
	w := s.saidTo(r).words
	for _, p := range values.Pairs() {
		field := fieldOf(f, p.Key)
		if field == nil {
			return &ui.Error{Code: ingress.CodeEnvelope, Path: "/values/" + p.Key,
				Message: "the form has no such field", Hint: "its fields are " + strings.Join(namesOf(f), ", ")}
		}
		if want := kindOf(field.Type); p.Value.Kind() != ui.NullValue && !slices.Contains(want, p.Value.Kind()) {
			return &ui.Error{Code: app.CodeRecordInvalid, Path: "/values/" + p.Key,
				Message: "a field of the type " + string(field.Type) + " does not take this kind of value",
				Hint:    "booleans are true or false, choices and tags are lists of texts, all else is a text or a number"}
		}
		if _, e := field.Check(p.Value, field.Title(), w); e != nil && e.Code != ui.CodeFieldRequired {
			return &ui.Error{Code: app.CodeRecordInvalid, Path: "/values/" + p.Key, Message: e.Text}
		}
	}
	o := s.cfg.Service.App().OpenForm(f, *values)
	sf := &ui.Surface{Name: o.Surface, Root: o.Root, Draft: o.Draft}
	out, errs := ui.CheckSurface(sf, w)
	if len(errs) > 0 {
		return &ui.Error{Code: app.CodeRecordInvalid, Path: "/values/" + errs[0].Path.Last(),
			Message: errs[0].Text}
	}
	*values = out
	return nil
}

func namesOf(f app.Form) (names []string) {
	for _, field := range f.Fields {
		names = append(names, field.Name)
	}
	return names
}

func fieldOf(f app.Form, name string) *ui.Field {
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			return &f.Fields[i]
		}
	}
	return nil
}

// kindOf lists the kinds of values that a type of field takes, besides null.
func kindOf(t ui.FieldType) []ui.ValueKind {
	switch t {
	case ui.TypeBoolean:
		return []ui.ValueKind{ui.BoolValue}
	case ui.TypeChoices, ui.TypeTags:
		return []ui.ValueKind{ui.StringsValue}
	}
	return []ui.ValueKind{ui.StringValue, ui.NumberValue}
}

// putOnce saves a record. A request that is sent again under its Idempotency-Key gets the record that the first one
// saved: its id comes from the key, and a version is the same if its values are.
func (s *recordAPI) putOnce(r *http.Request, who string, rec app.Record) (app.Record, error) {
	key, err := keyOf(r)
	if err != nil {
		return rec, err
	}
	if key != "" && rec.Version == 0 {
		rec.ID = namedID(who, "record "+rec.Name+" "+key)
	}
	records := s.cfg.Service.Records(who)
	saved, err := records.Put(s.addressed(r), rec)
	if key == "" || ui.CodeOf(err) != app.CodeRecordChanged {
		return saved, err
	}
	before, lost := records.Get(r.Context(), rec.Name, rec.ID, rec.Version+1)
	switch {
	case lost != nil:
		return saved, err
	case before.Values.Equal(rec.Values):
		return before, nil
	case rec.Version == 0:
		return saved, &ui.Error{Code: recovery.CodeKeyReused, Path: "Idempotency-Key",
			Message: "this Idempotency-Key was used with other values", Hint: keyHint}
	}
	return saved, err
}

func (s *recordAPI) remove(w http.ResponseWriter, r *http.Request, who string) error {
	v, err := version(r, "version")
	if err != nil {
		return err
	}
	if err := s.cfg.Service.Records(who).Delete(r.Context(), r.PathValue("name"), r.PathValue("id"), v); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// export answers a file. An error after its beginning breaks the connection off, so
// that a partial file is not taken for a whole one.
func (s *recordAPI) export(w http.ResponseWriter, r *http.Request, who string) error {
	q, err := recordQuery(r)
	if err != nil {
		return err
	}
	format := r.URL.Query().Get("format")
	out := &fileWriter{ResponseWriter: w, kind: records.Formats[format], name: q.Name + "." + format}
	err = records.Export(r.Context(), out, format, s.cfg.Service.App(), s.cfg.Service.Records(who), q,
		func() error { return s.charge(who, 1) })
	if err != nil && out.begun {
		panic(http.ErrAbortHandler)
	}
	return err
}

// fileWriter sends the head of a file with its first bytes.
type fileWriter struct {
	http.ResponseWriter
	kind, name string
	begun      bool
}

func (w *fileWriter) Write(b []byte) (int, error) {
	if !w.begun {
		w.begun = true
		w.Header().Set("Content-Type", w.kind)
		w.Header().Set("Content-Disposition", `attachment; filename="`+w.name+`"`)
		w.Header().Set("Cache-Control", "no-store")
	}
	return w.ResponseWriter.Write(b)
}

// recordsPage is the page of the records of one name.
type recordsPage struct {
	head
	Names               []recordLink
	Name, Here          string
	Search, Sort, Query string
	Fields              []ui.Field // that a filter can compare
	Ops                 []recordOp
	Filters             []recordFilter
	Typed               recordTyped
	Wrong               []string // sentences on the parts of the query that cannot be read
	recordRows
}

type recordRows struct {
	Columns     []recordColumn
	Rows        []recordRow
	Next, First string
	None        string // why there are no rows
}

type recordLink struct {
	Title, At string
	Current   bool
}

// Home is the address of the conversation.
func (p recordsPage) Home() string { return p.at("/") }

// Exports are the addresses of the whole list as a file.
func (p recordsPage) Exports() (list []recordLink) {
	for _, format := range []string{"csv", "xlsx", "json"} {
		list = append(list, recordLink{Title: strings.ToUpper(format),
			At: p.at("/v1/records/" + url.PathEscape(p.Name) + "?format=" + format + "&" + p.Query)})
	}
	return list
}

// recordOp is a comparison of a filter, recordFilter one that counts, with the address of
// the list without it.
// recordTyped is one that cannot be read, as it was typed.
type (
	recordOp     struct{ Op, Text string }
	recordTyped  struct{ Field, Op, Value string }
	recordFilter struct{ Param, Text, Without string }
)

type recordColumn struct{ Title, At, Order string }

type recordRow struct {
	At    string
	Cells []string
}

// page shows a list, of the first name if the address has none.
func (s *recordAPI) page(w http.ResponseWriter, r *http.Request) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	said := s.saidTo(r)
	specs := s.lists(r).Specs()
	p := recordsPage{head: head{site: said, Title: said.Word("records.title")},
		recordRows: recordRows{None: said.Word("records.nothing")}}
	name, list := r.PathValue("name"), app.RecordPage{}
	if name == "" && len(specs) > 0 {
		name = specs[0].Name
	}
	query, err := queryOf(r)
	if err != nil {
		return err
	}
	var q app.RecordQuery
	if name != "" {
		q, p.Typed, p.Wrong = pageQuery(query, name, s.lists(r).Fields(name), said.words)
		list, err = s.cfg.Service.Records(who).List(r.Context(), q)
		if ui.CodeOf(err) == app.CodeRecordQuery && q.After != "" { // of another query
			p.Wrong, q.After = append(p.Wrong, unread(said.words, q.After, err)), ""
			list, err = s.cfg.Service.Records(who).List(r.Context(), q)
		}
	}
	if err != nil {
		return err
	}
	p.Name, p.Here, p.Search = q.Name, s.recordsAt(q.Name), query.Get("q")
	for _, spec := range specs {
		p.Names = append(p.Names, recordLink{spec.Title, s.recordsAt(spec.Name), spec.Name == q.Name})
	}
	lists := s.lists(r)
	spec, _ := lists.Spec(q.Name)
	if q.Name != "" {
		if p.Title, p.None = spec.Title, ""; len(list.Records) == 0 {
			p.None = lists.Empty(spec, q, list)
		}
		for _, rec := range list.Records {
			p.Rows = append(p.Rows, recordRow{s.recordsAt(rec.Name) + "/" + url.PathEscape(rec.ID),
				lists.Cells(spec, rec)})
		}
		p.Columns, p.Fields = s.columns(lists, spec, q), lists.Fields(q.Name)
		p.Ops, p.Filters = said.filters(q, p.Here, p.Fields)
		p.Sort = q.Values().Get("sort")
		again := q
		if again.After = ""; q.After != "" {
			p.First = p.Here + "?" + again.Values().Encode()
		}
		p.Query = again.Values().Encode()
		if list.Next != "" {
			again.After = list.Next
			p.Next = p.Here + "?" + again.Values().Encode()
		}
	}
	status := http.StatusOK
	if len(p.Wrong) > 0 {
		status = http.StatusBadRequest
	}
	return writePage(w, status, "records", p)
}

// pageQuery is the query of the page, whose form adds a filter as field, op and value; numbers
// and dates as the words have them. What cannot be read is left out, and said.
func pageQuery(query url.Values, name string, fields []ui.Field, w ui.Words) (q app.RecordQuery, typed recordTyped,
	wrong []string) {
	values := url.Values{}
	q, _ = app.ParseRecordQuery(name, values)
	reads := func(key, text string) error {
		with := maps.Clone(values)
		with[key] = append(slices.Clone(values[key]), text)
		next, err := app.ParseRecordQuery(name, with)
		if err == nil {
			_, err = records.Query(fields, next)
		}
		if err == nil {
			q, values = next, with
		}
		return err
	}
	for _, key := range []string{"q", "sort", "limit", "after", "filter"} {
		for i, text := range query[key] {
			if i > 0 && key != "filter" {
				continue
			}
			if err := reads(key, text); err != nil {
				wrong = append(wrong, unread(w, text, err))
			}
		}
	}
	t := recordTyped{query.Get("field"), query.Get("op"), query.Get("value")}
	if t.Value == "" && (t.Field == "" || t.Op != "missing") {
		return q, typed, wrong
	}
	if t.Field == "" {
		return q, t, append(wrong, w.Say("records.nofield", "raw", t.Value))
	}
	at := slices.IndexFunc(fields, func(f ui.Field) bool { return f.Name == t.Field })
	value := t.Value
	if at >= 0 {
		value = fields[at].Canonical(w, value)
	}
	err := reads("filter", t.Field+":"+t.Op+":"+value)
	if err == nil {
		return q, typed, wrong
	}
	said := unread(w, t.Value, err)
	if _, ok := ui.Number(value); !ok && at >= 0 && !errors.Is(err, builtin.ErrConditions) &&
		(fields[at].Type == ui.TypeNumber || fields[at].Type == ui.TypeSlider) {
		said = w.Say("field.number", "label", fields[at].Title()) + " " + said
	}
	return q, t, append(wrong, said)
}

// unread says that a part of a query was left out, and why.
func unread(w ui.Words, text string, err error) string {
	text = excerpt.Of(text, 40)
	if errors.Is(err, builtin.ErrConditions) {
		return w.Say("records.many", "raw", text, "max", strconv.Itoa(builtin.MaxFilters), "n",
			strconv.Itoa(builtin.MaxSearchWords))
	}
	return w.Say("records.wrong", "raw", text)
}

// filters are the comparisons that a filter can make, and the filters of a query.
func (s *site) filters(q app.RecordQuery, here string, fields []ui.Field) (ops []recordOp, list []recordFilter) {
	for _, op := range app.RecordOps() {
		ops = append(ops, recordOp{op, s.Word("records.op." + op)})
	}
	for i, c := range q.Where {
		label, text := c.Field, c.Text
		for _, f := range fields {
			if f.Name == c.Field {
				label, text = cmp.Or(f.Label, f.Name), f.Shown(s.words, ui.String(c.Text))
			}
		}
		without := q
		without.After, without.Where = "", slices.Delete(slices.Clone(q.Where), i, i+1)
		list = append(list, recordFilter{c.Field + ":" + c.Op + ":" + c.Text,
			strings.TrimSpace(label + " " + s.Word("records.op."+c.Op) + " " + text),
			here + "?" + without.Values().Encode()})
	}
	return ops, list
}

// columns are the headings of a list; the address of each sorts by it.
func (s *recordAPI) columns(lists *app.RecordLists, spec app.RecordSpec, q app.RecordQuery) []recordColumn {
	names := lists.SortFields(spec)
	var out []recordColumn
	for i, title := range lists.Columns(spec) {
		c := recordColumn{Title: title}
		if by := q; i < len(names) {
			if q.Sort == names[i] {
				c.Order = "ascending"
				if q.Desc {
					c.Order = "descending"
				}
			}
			by.After, by.Sort, by.Desc = "", names[i], q.Sort == names[i] && !q.Desc
			if names[i] == "" {
				by.Desc = q.Sort != "" || !q.Desc
			}
			c.At = s.recordsAt(spec.Name) + "?" + by.Values().Encode()
		}
		out = append(out, c)
	}
	return out
}

func (s *recordAPI) recordsAt(name string) string {
	if name == "" {
		return s.at("/records")
	}
	return s.at("/records/" + url.PathEscape(name))
}

// recordPageOf is the page of one record.
type recordPageOf struct {
	head
	At, Back string
	Key      string // of the page: a button pressed twice opens the form once
	Record   app.Record
	Values   []recordValue
	Saved    string
	Versions []recordVersion
	Newest   uint64 // of Versions
	Older    string // the address of the versions before; "": there are none
}

type recordValue struct{ Label, Text string }

type recordVersion struct {
	At, Saved string
	Current   bool
}

// one shows a record and its versions.
func (s *recordAPI) one(w http.ResponseWriter, r *http.Request, who string) error {
	v, err := version(r, "version")
	if err != nil {
		return err
	}
	before, err := version(r, "before")
	if err != nil {
		return err
	}
	all, name, id := s.cfg.Service.Records(who), r.PathValue("name"), r.PathValue("id")
	rec, err := all.Get(r.Context(), name, id, v)
	if err != nil {
		return err
	}
	list, err := all.Versions(r.Context(), name, id, before)
	if err != nil {
		return err
	}
	lists := s.lists(r)
	spec, _ := lists.Spec(name)
	said := s.saidTo(r)
	p := recordPageOf{head: head{site: said, Title: spec.Title}, At: s.recordsAt(name) + "/" + url.PathEscape(id),
		Back: s.recordsAt(name), Key: rand.Text(), Record: rec, Saved: said.saved(rec)}
	for _, line := range lists.Lines(rec) {
		p.Values = append(p.Values, recordValue{line[0], line[1]})
	}
	at := func(version, before uint64) string {
		query := url.Values{"version": {strconv.FormatUint(version, 10)}}
		if before > 0 {
			query.Set("before", strconv.FormatUint(before, 10))
		}
		return p.At + "?" + query.Encode()
	}
	for _, old := range list {
		p.Newest = max(p.Newest, old.Version)
		p.Versions = append(p.Versions, recordVersion{at(old.Version, before), said.saved(old),
			old.Version == rec.Version})
	}
	if next := older(list); next > 0 {
		p.Older = at(rec.Version, next)
	}
	return writePage(w, http.StatusOK, "record", p)
}

// saved says when a version was saved, and by whom if that user had signed in.
func (s *site) saved(r app.Record) string {
	if r.Author == "" || conversation.IsOwner(r.Author) {
		return s.Word("records.at", "at", s.date(r.At))
	}
	return s.Word("records.by", "at", s.date(r.At), "label", r.Author)
}

// edit opens the form of a record in the newest conversation of the principal, or in a
// new one if that has ended.
func (s *recordAPI) edit(w http.ResponseWriter, r *http.Request, who string) error {
	if err := parseForm(r); err != nil {
		return err
	}
	all, name, id := s.cfg.Service.Records(who), r.PathValue("name"), r.PathValue("id")
	if _, err := all.Get(r.Context(), name, id, 0); err != nil {
		return err
	}
	in, err := s.editedIn(w, r, who)
	if err != nil {
		return err
	}
	e := &ui.Event{Kind: ui.EventRecord,
		Data: ui.Map(ui.Pair{Key: "name", Value: ui.String(name)}, ui.Pair{Key: "id", Value: ui.String(id)})}
	e.Key = formKey(r.PostForm.Get(fieldKey), name+"\x00"+id)
	r.SetPathValue("id", in)
	rec, err := s.submit(w, r, who, e, waitAction)
	if err != nil {
		return err
	}
	if rec.Outcome.Kind == ui.OutcomeRefused {
		s.refused(w, r, rec)
		return nil
	}
	anchor, err := s.anchor(r, in, rec)
	if err != nil {
		return err
	}
	return s.redirect(w, r, in, anchor)
}

// editedIn is the conversation in which a record is edited: the one of the page, else the
// sender's newest, else a new one.
func (s *recordAPI) editedIn(w http.ResponseWriter, r *http.Request, who string) (string, error) {
	if id := r.PostForm.Get(builtin.FieldConversation); id != "" {
		h, err := s.cfg.Service.Head(r.Context(), id, who)
		if err != nil || !h.State.Ended {
			return id, err
		}
	}
	list, _, err := s.cfg.Service.Conversations(r.Context(), who, "", 1)
	if err != nil {
		return "", err
	}
	if len(list) > 0 && !list[0].Ended {
		return list[0].ID, nil
	}
	made, err := s.create(w, r)
	return made.ID, err
}

// deletePage deletes a record by a button of its page.
func (s *recordAPI) deletePage(w http.ResponseWriter, r *http.Request, who string) error {
	if err := parseForm(r); err != nil {
		return err
	}
	name := r.PathValue("name")
	v, _ := strconv.ParseUint(r.Form.Get("version"), 10, 63)
	err := s.cfg.Service.Records(who).Delete(context.WithoutCancel(r.Context()), name, r.PathValue("id"), v)
	var coded *ui.Error
	if err != nil && !(errors.As(err, &coded) && coded.Code == app.CodeNoRecord) {
		return err
	}
	http.Redirect(w, r, s.recordsAt(name), http.StatusSeeOther)
	return nil
}
