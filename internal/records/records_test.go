package records_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/records"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

const yaml = `
name: crm
forms:
  - name: customer
    fields:
      - {name: company, required: true}
      - {name: size, type: number}
      - {name: stage, type: choice, options: [Lead, Won]}
tables:
  - name: risks
    columns: [{name: risk}, {name: impact}]
records:
  - {name: customer, title: Customers, read: [sales], write: [boss]}
`

func book(t *testing.T) *records.Book {
	t.Helper()
	a, err := app.Load("crm.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	return &records.Book{Store: memory.New(), App: a,
		Now: func() time.Time { now = now.Add(time.Second); return now },
		Roles: func(name string) []string {
			return map[string][]string{"sam": {"sales"}, "bo": {"boss"}}[name]
		}}
}

func as(b *records.Book, name string) app.Records {
	return b.For(records.Viewer{Owner: conversation.Owner(name), Name: name})
}

func customer(company, size, stage string) app.Record {
	v := ui.Map(ui.Pair{Key: "company", Value: ui.String(company)})
	if n, ok := ui.Number(size); ok {
		v, _ = v.With(n, "size")
	}
	v, _ = v.With(ui.String(stage), "stage")
	return app.Record{Name: "customer", Values: v}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// found lists the companies that a query finds.
func found(t *testing.T, r app.Records, query string) string {
	t.Helper()
	params, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	q, err := app.ParseRecordQuery("customer", params)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for {
		page, err := r.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range page.Records {
			v, _ := rec.Values.Get("company")
			out = append(out, v.Text())
		}
		if q.After = page.Next; q.After == "" {
			return strings.Join(out, " ")
		}
	}
}

func TestFind(t *testing.T) {
	b := book(t)
	ann := as(b, "ann")
	for _, r := range []app.Record{customer("Acme Foods", "20", "Lead"), customer("Zeta", "-3.5", "Won"),
		customer("müller", "100", "Lead"), customer("Beta", "", "Won")} {
		must(ann.Put(t.Context(), r))
	}
	for query, want := range map[string]string{
		"":                             "Beta müller Zeta Acme Foods",
		"limit=1":                      "Beta müller Zeta Acme Foods",
		"sort=company":                 "Acme Foods Beta müller Zeta",
		"sort=-size":                   "müller Acme Foods Zeta", // as numbers; Beta has none
		"filter=size:ge:-3.5":          "müller Zeta Acme Foods",
		"filter=size:le:20&sort=saved": "Acme Foods Zeta",
		"filter=size:missing":          "Beta",
		"filter=stage:eq:won":          "Beta Zeta",
		"filter=stage:eq:Lead&q=foo":   "Acme Foods",
		"q=MÜL":                        "müller",
		"q=acme+fo":                    "Acme Foods",
		"q=none":                       "",
	} {
		if got := found(t, ann, query); got != want {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
	for _, query := range []string{"filter=size", "filter=size:like:3", "limit=0", "limit=x", "q=a+b+c+d+e+f",
		"filter=size:eq:1&filter=size:eq:1&filter=size:eq:1"} {
		params, _ := url.ParseQuery(query)
		if _, err := app.ParseRecordQuery("customer", params); ui.CodeOf(err) != app.CodeRecordQuery {
			t.Errorf("%s: %v", query, err)
		}
	}
	if _, err := ann.List(t.Context(), app.RecordQuery{Name: "customer",
		Where: []app.RecordCondition{{Field: "company", Op: "eq", Text: "\x00"}}}); err != nil {
		t.Errorf("a text of a field of text that is none: %v", err)
	}
	for query, path := range map[string]string{"sort=color": "sort", "after=x": "after", "filter=color:eq:": "filter",
		"filter=size:ge:many": "filter"} {
		q, err := app.ParseRecordQuery("customer", limntest.Must(url.ParseQuery(query)))
		if err == nil {
			_, err = ann.List(t.Context(), q)
		}
		if e, ok := errors.AsType[*ui.Error](err); !ok || e.Code != app.CodeRecordQuery || e.Path != path || e.Hint == "" {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// A principal sees its own records; the roles of the declaration those of others, too.
// TestFindMarks: combining marks are in words, and do not begin them.
func TestFindMarks(t *testing.T) {
	ann := as(book(t), "ann")
	for _, company := range []string{"हिन्दी भाषा", "दही हाथ नमक", "❤\ufe0fAcme"} {
		must(ann.Put(t.Context(), customer(company, "", "Lead")))
	}
	for query, want := range map[string]string{"हिन्दी": "हिन्दी भाषा", "हाथ दही नमक": "दही हाथ नमक",
		"acme": "❤\ufe0fAcme", "❤\ufe0f acme": "❤\ufe0fAcme"} {
		if got := found(t, ann, "q="+url.QueryEscape(query)); got != want {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
}

func TestRoles(t *testing.T) {
	b, ctx := book(t), t.Context()
	ann := as(b, "ann")
	r := must(ann.Put(ctx, customer("Acme", "1", "Lead")))
	if r.Version != 1 || !r.Writable || r.Author != "ann" {
		t.Fatalf("%+v", r)
	}
	for name, may := range map[string]string{"ann": "see change", "eve": "", "sam": "see", "bo": "see change"} {
		who, got := as(b, name), ""
		if _, err := who.Get(ctx, "customer", r.ID, 0); err == nil {
			got = "see"
		} else if ui.CodeOf(err) != app.CodeNoRecord {
			t.Error(name, err)
		}
		if listed := found(t, who, ""); (listed == "Acme") != (got == "see") {
			t.Errorf("%s lists %q and gets %q", name, listed, got)
		}
		next, err := who.Put(ctx, r)
		if err == nil {
			got += " change"
			r = next
		} else if code := ui.CodeOf(err); code != app.CodeNoRecord && code != app.CodeRecordDenied {
			t.Error(name, err)
		}
		if got != may {
			t.Errorf("%s may %q, want %q", name, got, may)
		}
	}
	if r.Version != 3 || r.Owner != conversation.Owner("ann") {
		t.Errorf("%+v", r)
	}
	if err := as(b, "sam").Delete(ctx, "customer", r.ID, 0); ui.CodeOf(err) != app.CodeRecordDenied {
		t.Error(err)
	}
	if _, err := as(b, "ann").Get(ctx, "nothing", "x", 0); ui.CodeOf(err) != app.CodeNoRecord {
		t.Error(err)
	}
}

// TestDecide: who made a record does not decide about it, and cannot change it once it is
// decided; who has the role does, their own only if the application says so.
func TestDecide(t *testing.T) {
	t.Parallel()
	for own, want := range map[string]string{"": "ann: ask; bo: ask decide change", "own: true": "ann: ask; bo: ask decide change own"} {
		b := book(t)
		b.App = must(app.Load("crm.yaml", []byte(strings.ReplaceAll(yaml, "write: [boss]",
			"decide: {fields: [stage], roles: [boss], "+own+"}"))))
		got, ctx := "", t.Context()
		try := func(what string, r app.Record, who app.Records, stage string) app.Record {
			r.Values, _ = r.Values.With(ui.String(stage), "stage")
			next, err := who.Put(ctx, r)
			if code := ui.CodeOf(err); err != nil && code != app.CodeRecordDenied {
				t.Error(err)
			} else if err == nil {
				got += " " + what
				return next
			}
			return r
		}
		ann, bo := as(b, "ann"), as(b, "bo")
		got += "ann:"
		try("new", customer("Acme", "1", ""), ann, "Won")
		r := try("ask", customer("Acme", "1", ""), ann, "")
		try("decide", r, ann, "Won")
		got += "; bo:"
		mine := try("ask", customer("Bo", "1", ""), bo, "")
		r = try("decide", must(bo.Get(ctx, "customer", r.ID, 0)), bo, "Won")
		try("undo", r, ann, "")
		try("again", r, ann, "Won")
		if err := ann.Delete(ctx, "customer", r.ID, 0); ui.CodeOf(err) != app.CodeRecordDenied {
			t.Errorf("a decided record is deleted by its owner: %v", err)
		}
		if seen := must(ann.Get(ctx, "customer", r.ID, 0)); seen.Writable {
			t.Error("a decided record is its owner's to change")
		}
		try("change", r, bo, "Lead")
		try("own", mine, bo, "Won")
		if got != want {
			t.Errorf("%q: %s, want %s", own, got, want)
		}
	}
}

// between is a store in which something happens before a record is dropped.
type between struct {
	store.Records
	do func()
}

func (s between) DropRecord(ctx context.Context, name, id string, version uint64) error {
	s.do()
	return s.Records.DropRecord(ctx, name, id, version)
}

// TestDecidedMeanwhile: an owner deletes no record that is decided while they do.
func TestDecidedMeanwhile(t *testing.T) {
	t.Parallel()
	b, ctx := book(t), t.Context()
	b.App = must(app.Load("crm.yaml", []byte(strings.ReplaceAll(yaml, "write: [boss]",
		"decide: {fields: [stage], roles: [boss]}"))))
	ann := as(b, "ann")
	r := must(ann.Put(ctx, customer("Acme", "1", "")))
	st := b.Store
	b.Store = between{st, func() {
		b.Store = st
		r.Values = customer("Acme", "1", "Won").Values
		must(as(b, "bo").Put(ctx, r))
	}}
	if err := ann.Delete(ctx, "customer", r.ID, 0); ui.CodeOf(err) != app.CodeRecordChanged {
		t.Errorf("deleted: %v", err)
	}
	if got := must(ann.Get(ctx, "customer", r.ID, 0)); got.Version != 2 {
		t.Errorf("version %d", got.Version)
	}
}

// TestLargeRecords: pages and lists of versions end once they have 8 MiB.
func TestLargeRecords(t *testing.T) {
	b, ctx := book(t), t.Context()
	ann := as(b, "ann")
	large := customer(strings.Repeat("x", 3<<20), "1", "Lead")
	for range 5 {
		r := must(ann.Put(ctx, large))
		r.Values = large.Values
		must(ann.Put(ctx, r))
	}
	page := must(ann.List(ctx, app.RecordQuery{Name: "customer", Limit: 200}))
	if len(page.Records) != 3 || page.Next == "" {
		t.Errorf("%d records, next %q", len(page.Records), page.Next)
	}
	rest := must(ann.List(ctx, app.RecordQuery{Name: "customer", Limit: 200, After: page.Next}))
	if len(rest.Records) != 2 || rest.Next != "" {
		t.Errorf("then %d records, next %q", len(rest.Records), rest.Next)
	}
}

func TestVersions(t *testing.T) {
	b, ctx := book(t), t.Context()
	ann := as(b, "ann")
	first := must(ann.Put(ctx, customer("Acme", "1", "Lead")))
	second := first
	second.Values = customer("Acme & Sons", "2", "Won").Values
	second = must(ann.Put(ctx, second))
	if _, err := ann.Put(ctx, first); ui.CodeOf(err) != app.CodeRecordChanged {
		t.Errorf("a change of an old version: %v", err)
	}
	list := must(ann.Versions(ctx, "customer", first.ID, 0))
	if len(list) != 2 || list[0].Version != 2 || !list[1].Values.Equal(first.Values) {
		t.Errorf("%+v", list)
	}
	if got := found(t, ann, "q=acme") + found(t, ann, "filter=size:eq:1"); got != "Acme & Sons" {
		t.Errorf("found %q: only the newest version counts", got)
	}
	if err := ann.Delete(ctx, "customer", first.ID, 1); ui.CodeOf(err) != app.CodeRecordChanged {
		t.Error(err)
	}
	if err := ann.Delete(ctx, "customer", first.ID, 2); err != nil {
		t.Error(err)
	}
	if _, err := ann.Get(ctx, "customer", first.ID, 1); ui.CodeOf(err) != app.CodeNoRecord {
		t.Errorf("a version of a deleted record: %v", err)
	}
}

// No text of an export is a formula, and everything is in it.
func TestExport(t *testing.T) {
	b, ctx := book(t), t.Context()
	ann := as(b, "ann")
	for i := range 201 { // more than a page
		must(ann.Put(ctx, customer(fmt.Sprintf("C%03d", i), "-1", "Lead")))
	}
	must(ann.Put(ctx, customer(`=HYPERLINK("http://evil")`, "-5", "Won")))
	q := app.RecordQuery{Name: "customer", Sort: "company"}
	export := func(format string) string {
		t.Helper()
		var out bytes.Buffer
		pages := 0
		if err := records.Export(ctx, &out, format, b.App, ann, q, func() error { pages++; return nil }); err != nil {
			t.Fatal(err)
		}
		if pages != 3 { // the last has what was saved lately
			t.Errorf("%d pages", pages)
		}
		return out.String()
	}
	csv := export("csv")
	if lines := strings.Split(strings.TrimSpace(csv), "\n"); len(lines) != 203 ||
		lines[0] != "id,version,saved,author,company,size,stage" ||
		!strings.HasSuffix(lines[1], `,ann,"'=HYPERLINK(""http://evil"")",-5,Won`) {
		t.Errorf("%d lines: %s", len(lines), lines[:2])
	}
	if js := export("json"); strings.Count(js, `"version":1`) != 202 || !strings.HasPrefix(js, "[\n{") {
		t.Errorf("%.200s", js)
	}
	if s := sheet(t, export("xlsx")); strings.Contains(s, "<f>") || !strings.Contains(s, `preserve">=HYPERLINK(&#34;http`) ||
		!strings.Contains(s, "<v>-5</v>") {
		t.Errorf("%.400s", s)
	}
	stop := fmt.Errorf("enough")
	if err := records.Export(ctx, io.Discard, "csv", b.App, ann, q, func() error { return stop }); err != stop {
		t.Error(err)
	}
	if err := records.Export(ctx, io.Discard, "pdf", b.App, ann, q, nil); ui.CodeOf(err) != app.CodeRecordQuery {
		t.Error(err)
	}
}

// TestExportMeanwhile: a record that is saved while an export runs is in it once, unless it
// does not fit.
func TestExportMeanwhile(t *testing.T) {
	for _, q := range []app.RecordQuery{{Desc: true}, {}, {Sort: "company"}, {Sort: "size", Desc: true}} {
		b, ctx := book(t), t.Context()
		ann := as(b, "ann")
		var first, last app.Record
		for i := range 250 {
			r := must(ann.Put(ctx, customer(fmt.Sprintf("C%03d", i), fmt.Sprint(i), "Lead")))
			if last = r; i == 0 {
				first = r
			}
		}
		pages := 0
		pace := func() error {
			if pages++; pages == 2 {
				first.Values = customer("Z", "1000", "Lead").Values // goes to the other end
				last.Values = customer("A", "-1", "Lead").Values
				must(ann.Put(ctx, first))
				must(ann.Put(ctx, last))
				must(ann.Put(ctx, customer("M", "", "Lead")))
			}
			return nil
		}
		var out bytes.Buffer
		q.Name = "customer"
		if err := records.Export(ctx, &out, "csv", b.App, ann, q, pace); err != nil {
			t.Fatal(err)
		}
		want := 251
		if q.Sort == "size" {
			want--
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")[1:]
		for i, line := range lines {
			lines[i], _, _ = strings.Cut(line, ",")
		}
		slices.Sort(lines)
		if n := len(slices.Compact(slices.Clone(lines))); n != want || len(lines) != want {
			t.Errorf("%+v: %d records in %d lines, want %d", q, n, len(lines), want)
		}
	}
}

// sheet is the XML of the one sheet of a workbook.
func sheet(t *testing.T, file string) string {
	t.Helper()
	z := must(zip.NewReader(strings.NewReader(file), int64(len(file))))
	return string(must(io.ReadAll(must(z.Open("xl/worksheets/sheet1.xml")))))
}

// Dates, times and yes or no are cells of these types in a workbook, and texts that look like them are texts.
func TestExportTyped(t *testing.T) {
	b := book(t)
	b.App = must(app.Load("visits.yaml", []byte(`name: visits
forms:
  - name: visit
    fields: [{name: day, type: date}, {name: at, type: time}, {name: paid, type: boolean}, {name: open, type: boolean}, {name: word}]
records: [{name: visit}]
`)))
	r := app.Record{Name: "visit", Values: ui.Map(
		ui.Pair{Key: "day", Value: ui.String("2026-03-09")}, ui.Pair{Key: "at", Value: ui.String("18:00")},
		ui.Pair{Key: "paid", Value: ui.Bool(true)}, ui.Pair{Key: "open", Value: ui.Bool(false)},
		ui.Pair{Key: "word", Value: ui.String("2026-03-09")})}
	must(as(b, "ann").Put(t.Context(), r))
	var out bytes.Buffer
	if err := records.Export(t.Context(), &out, "xlsx", b.App, as(b, "ann"), app.RecordQuery{Name: "visit"},
		func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	const want = `<c s="1"><v>46090</v></c><c s="3"><v>0.75</v></c><c t="b"><v>1</v></c><c t="b"><v>0</v></c>` +
		`<c t="inlineStr"><is><t xml:space="preserve">2026-03-09</t></is></c></row>`
	if s := sheet(t, out.String()); !strings.Contains(s, want) {
		t.Errorf("%s, want %s", s, want)
	}
}

// A text that is too long for a cell of a workbook is cut at a character, and says so: a
// spreadsheet refuses the file else.
func TestExportLongText(t *testing.T) {
	b := book(t)
	for name, tt := range map[string]struct {
		text string
		cut  bool
	}{"fits": {strings.Repeat("ä", 32_767), false}, "long": {strings.Repeat("ä", 32_768), true},
		"fits, of pairs": {strings.Repeat("😀", 16_383), false}, "long, of pairs": {"x" + strings.Repeat("😀", 16_383) + "x", true}} {
		r := must(as(b, "ann").Put(t.Context(), customer(tt.text, "1", "Lead")))
		var out bytes.Buffer
		if err := records.Export(t.Context(), &out, "xlsx", b.App, as(b, "ann"), app.RecordQuery{Name: "customer"},
			func() error { return nil }); err != nil {
			t.Fatal(err)
		}
		first := string([]rune(tt.text)[:3])
		_, got, _ := strings.Cut(sheet(t, out.String()), ">"+first)
		got, _, _ = strings.Cut(first+got, "</t>")
		n := len(utf16.Encode([]rune(got)))
		if cut := strings.HasSuffix(got, "have it.)"); cut != tt.cut || !cut && got != tt.text || n > 32_767 || cut && n < 32_760 ||
			!utf8.ValidString(got) {
			t.Errorf("%s: %d characters, cut %v", name, n, cut)
		}
		if err := as(b, "ann").Delete(t.Context(), "customer", r.ID, 1); err != nil {
			t.Fatal(err)
		}
	}
}

// What a frame saves follows from its commits.
func TestOf(t *testing.T) {
	b := book(t)
	e := &ui.Event{ID: "e1", Principal: "p-1", User: "ann"}
	rows := ui.Map(ui.Pair{Key: "risks", Value: ui.Rows(ui.Record{ID: "a", Cells: ui.Map(
		ui.Pair{Key: "risk", Value: ui.String("Fire")})})})
	f := &ui.Frame{At: time.Unix(0, 0), Ops: ui.Ops{&ui.Say{}, &ui.Commit{Form: "x"},
		&ui.Commit{Form: "risks", Values: rows, Record: ui.RecordRef{ID: "e1", Version: 1}},
		&ui.Commit{Form: "customer", Values: customer("A", "", "Won").Values,
			Record: ui.RecordRef{ID: "r", Version: 3, Owner: "p-2"}}}}
	list := records.Of(b.App, "c1", e, f)
	if len(list) != 2 || list[0].Owner != "p-1" || list[1].Owner != "p-2" || list[1].Author != "ann" ||
		list[1].Version != 3 || list[0].Terms[0].Text != "fire" {
		t.Errorf("%+v", list)
	}
	for _, r := range list {
		if err := r.Validate(); err != nil {
			t.Error(err)
		}
	}
}
