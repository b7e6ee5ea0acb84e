package live

import (
	"context"
	"log/slog"
	"maps"
	"slices"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/records"
	"github.com/limn-ui/limn/ui"
)

// Source reads what views show beside the data of their conversation: topics and records.
type Source struct {
	App     *app.App
	Records *records.Book
	Log     *slog.Logger
	// Topic returns the newest value of a topic, if it has one.
	Topic func(ctx context.Context, name string) (v ui.Value, ok bool, err error)
}

// Reader is a conversation whose views are brought up to date.
type Reader struct {
	ID     string
	Viewer *records.Viewer  // the owner, as who they were here last; nil: not yet
	Lists  *app.RecordLists // in the language of the conversation
}

// Newer returns commits of the topics and records that the open views of a state show and
// it does not have yet, with the records that the frame f saves; f may be nil. The error says
// that not all could be read.
func (src Source) Newer(ctx context.Context, r Reader, s *ui.State, e *ui.Event, f *ui.Frame) (ops ui.Ops,
	failed error) {
	seen := map[string]bool{}
	add := func(name string, v ui.Value, ok bool, err error) {
		if err != nil {
			src.Log.Warn("a source of a view cannot be read", "conversation", r.ID, "source", name, "err",
				logs.Quiet(err))
			failed = err
		}
		if was, _ := s.Committed.Get(name); ok && !seen[name] && !was.Equal(v) {
			ops = append(ops, &ui.Commit{Form: name, Values: v})
		}
		seen[name] = true
	}
	for _, v := range src.App.Views().Open(s) {
		for _, topic := range v.Topics {
			value, ok, err := src.Topic(ctx, topic)
			add(topic, value, ok, err)
		}
		for _, name := range slices.Sorted(maps.Keys(v.Records)) {
			rows, ok, err := src.rows(ctx, r, v.Records[name], e, f)
			add(name, rows, ok, err)
		}
	}
	return ops, failed
}

// shownRecords is how many records a view shows that does not say.
const shownRecords = 20

// rows are the records of a query as the owner of the conversation may see them. A process
// that has not met the owner does not know the owner's roles: the view then stays as it is.
func (src Source) rows(ctx context.Context, r Reader, q app.RecordQuery, e *ui.Event, f *ui.Frame) (v ui.Value,
	ok bool, err error) {
	if r.Viewer == nil {
		return v, false, nil
	}
	if q.Limit == 0 {
		q.Limit = shownRecords
	}
	page, err := src.Records.For(*r.Viewer).List(ctx, q)
	if err != nil {
		return v, false, err
	}
	list := page.Records
	if f != nil && q.Sort == "" && q.Desc && q.Search == "" && len(q.Where) == 0 {
		list = withSaved(src.App, r.ID, q, list, e, f)
	}
	return r.Lists.Rows(q.Name, list), true, nil
}

// withSaved is a page, the newest first, with the records of a frame that is not stored yet.
func withSaved(a *app.App, id string, q app.RecordQuery, list []app.Record, e *ui.Event, f *ui.Frame) []app.Record {
	for _, r := range records.Of(a, id, e, f) {
		if r.Name != q.Name {
			continue
		}
		saved := app.Record{Name: r.Name, ID: r.ID, At: r.At}
		if saved.Values.UnmarshalJSON(r.Body) != nil {
			continue
		}
		list = slices.DeleteFunc(slices.Clone(list), func(x app.Record) bool { return x.ID == r.ID })
		list = slices.Insert(list, 0, saved)
	}
	return list[:min(len(list), q.Limit)]
}
