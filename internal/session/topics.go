package session

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/records"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// This file keeps views current that show topics and records. A topic is a conversation
// of the application: its newest value is the one it has committed.
//
//	publish, save ─▶ Bus ─▶ viewers.changed ─▶ due ─▶ catchUp: one event of data, if anything is new
//	a stream begins, a page is read ─────────────────────▶ catchUp
//
// Every other turn of a conversation also brings its views up to date in its frame.

// CodeTopic is a topic that no view shows.
const CodeTopic ui.Code = "TOPIC_UNKNOWN"

// topicOwner owns the conversations of topics; no principal has that id.
const topicOwner = "limn-topics"

func recordsID(name string) string { return "records:" + name }

// isSource reports the id of a topic or of records: ids of conversations have no colon.
func isSource(id string) bool { return strings.Contains(id, ":") }

// Publish implements app.Live.
func (l Live) Publish(ctx context.Context, topic string, value any) error {
	body, err := encodeData(value)
	if err != nil {
		return err
	}
	v, err := ingress.DecodeValue(body, ingress.Limits{})
	if err != nil {
		return err
	}
	return l.PublishOnce(ctx, topic, "", v)
}

// PublishOnce makes a value the newest one of a topic, once for each key; "" is no key.
func (l Live) PublishOnce(ctx context.Context, topic, key string, v ui.Value) error {
	s := l.svc
	if !slices.Contains(s.cfg.App.Views().Topics(), topic) {
		return &ui.Error{Code: CodeTopic, Path: "name", Message: "no view shows a topic of that name",
			Hint: "declare it under topics of a view"}
	}
	e := ingress.DataEvent(topic, v)
	err := l.submit(ctx, turn.TopicID(topic), key, e)
	if ui.CodeOf(err) != conversation.CodeNotFound {
		return err
	}
	_ = s.cfg.Store.Create(ctx, store.Conversation{ID: turn.TopicID(topic), Log: s.ids.Hex(8), Owner: topicOwner,
		Created: s.cfg.Now().UTC()}) // one that another process made will do; else submit has the error
	return l.submit(ctx, turn.TopicID(topic), key, e)
}

// topic returns the newest value of a topic, if it has one.
func (s *Service) topic(ctx context.Context, name string) (ui.Value, bool) {
	c, done, err := s.open(ctx, turn.TopicID(name))
	if err != nil {
		if ui.CodeOf(err) != conversation.CodeNotFound {
			s.cfg.Log.Warn("a topic cannot be read", "topic", name, "err", logs.Quiet(err))
		}
		return ui.Value{}, false
	}
	defer done()
	if err := c.log.Fresh(ctx); err != nil {
		return ui.Value{}, false
	}
	return c.head().Committed.Get(name)
}

// newer returns commits of the topics and records that the open views of a state show and
// it does not have yet, with the records that the frame f saves; f may be nil.
func (c *mailbox) newer(ctx context.Context, s *ui.State, e *ui.Event, f *ui.Frame) (ops ui.Ops) {
	seen := map[string]bool{}
	add := func(name string, v ui.Value, ok bool) {
		if was, _ := s.Committed.Get(name); ok && !seen[name] && !was.Equal(v) {
			ops = append(ops, &ui.Commit{Form: name, Values: v})
		}
		seen[name] = true
	}
	for _, v := range c.svc.cfg.App.Views().Open(s) {
		for _, topic := range v.Topics {
			value, ok := c.svc.topic(ctx, topic)
			add(topic, value, ok)
		}
		for _, name := range slices.Sorted(maps.Keys(v.Records)) {
			rows, ok := c.rows(ctx, s, v.Records[name], e, f)
			add(name, rows, ok)
		}
	}
	return ops
}

// shownRecords is how many records a view shows that does not say.
const shownRecords = 20

// rows are the records of a query as the owner of the conversation may see them. A process
// that has not met the owner does not know the owner's roles: the view then stays as it is.
func (c *mailbox) rows(ctx context.Context, s *ui.State, q app.RecordQuery, e *ui.Event, f *ui.Frame) (ui.Value, bool) {
	who := c.viewer.Load()
	if who == nil {
		return ui.Value{}, false
	}
	if q.Limit == 0 {
		q.Limit = shownRecords
	}
	page, err := c.svc.records.For(*who).List(ctx, q)
	if err != nil {
		c.svc.cfg.Log.Warn("the records of a view cannot be read", "records", q.Name, "err", logs.Quiet(err))
		return ui.Value{}, false
	}
	list := page.Records
	if f != nil && q.Sort == "" && q.Desc && q.Search == "" && len(q.Where) == 0 {
		list = withSaved(c.svc.cfg.App, c.info.ID, q, list, e, f)
	}
	return c.svc.in(s).env.App.RecordLists().Rows(q.Name, list), true
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

// catchUp commits newer topics and records for the open views of a conversation. The caller
// has the turn.
func (c *mailbox) catchUp(ctx context.Context) {
	s := c.head()
	if s.Ended || len(c.newer(ctx, s, nil, nil)) == 0 {
		return
	}
	e := &ui.Event{Kind: ui.EventData, Data: ui.Map()}
	if _, _, err := c.newTurn(e, "").do(context.WithoutCancel(ctx)); err != nil {
		c.svc.cfg.Log.Warn("a view is not brought up to date", "conversation", c.info.ID, "err", logs.Quiet(err))
	}
}

// catchUpNow is catchUp unless a turn runs, which does the same.
func (c *mailbox) catchUpNow(ctx context.Context) (done bool) {
	if len(c.svc.cfg.App.Views().Open(c.head())) == 0 {
		return true
	}
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
		c.catchUp(ctx)
		return true
	default:
		return false
	}
}

// viewers knows which conversations have streams on this node, and the topics and records
// of their open views.
type viewers struct {
	svc  *Service
	wake chan struct{} // capacity 1

	mu      sync.Mutex // guards what follows
	watched map[string]*watched
	due     map[string]bool // conversations to look at; each once, so it is bounded by watched
}

type watched struct {
	streams int
	shows   []string // the ids of its topics and records
	every   time.Duration
	read    time.Time
}

const (
	catchUpEvery = 100 * time.Millisecond // frames of one conversation because of topics and records are so far apart
	catchUpsMost = 8                      // conversations that are brought up to date at once
)

// watch follows the topics and records that views show, until the service closes.
func (v *viewers) watch() {
	defer v.svc.work.Done()
	a := v.svc.cfg.App
	var ids []string
	for _, name := range a.Views().Topics() {
		ids = append(ids, turn.TopicID(name))
	}
	for _, name := range a.Views().Records() {
		ids = append(ids, recordsID(name))
	}
	for _, id := range ids {
		defer v.svc.Watch(id, func() { v.changed(id) })()
	}
	for v.svc.work.Pause(v.wake, time.Second) {
		began := time.Now()
		v.round(began)
		if !v.svc.work.Pause(nil, catchUpEvery-time.Since(began)) {
			return
		}
	}
}

// round brings the conversations that are due up to date.
func (v *viewers) round(now time.Time) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, catchUpsMost)
	for _, id := range v.take(now) {
		slots <- struct{}{}
		wg.Go(func() { // round waits for it
			defer func() { <-slots }()
			v.look(id)
		})
	}
	wg.Wait()
}

// take empties due, with the views whose time has come.
func (v *viewers) take(now time.Time) (ids []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for id, w := range v.watched {
		if v.due[id] || w.every > 0 && now.Sub(w.read) >= w.every {
			ids, w.read = append(ids, id), now
		}
	}
	clear(v.due)
	return ids
}

func (v *viewers) look(id string) {
	ctx := v.svc.work.Stop
	c, done, err := v.svc.open(ctx, id)
	if err != nil {
		return // gone, or the store fails: the next change, or the next reading, looks again
	}
	defer done()
	if err := c.log.Fresh(ctx); err != nil {
		return
	}
	if !c.catchUpNow(ctx) {
		v.set(id) // the turn may have read before this change
	}
	v.shown(id, c.head())
}

func (v *viewers) set(id string) {
	v.mu.Lock()
	v.due[id] = true
	v.mu.Unlock()
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// changed makes the conversations due that show a source. It does not block.
func (v *viewers) changed(source string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for id, w := range v.watched {
		if slices.Contains(w.shows, source) {
			v.due[id] = true
		}
	}
	if len(v.due) > 0 {
		select {
		case v.wake <- struct{}{}:
		default:
		}
	}
}

// enter counts a stream of a conversation in, until leave. Its views are looked at: they
// may be old.
func (v *viewers) enter(id string) (leave func()) {
	v.mu.Lock()
	w := v.watched[id]
	if w == nil {
		w = &watched{}
		v.watched[id] = w
	}
	w.streams++
	v.mu.Unlock()
	v.set(id)
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if w.streams--; w.streams == 0 {
			delete(v.watched, id)
			delete(v.due, id)
		}
	}
}

// shown notes the topics and records of the open views of a conversation.
func (v *viewers) shown(id string, s *ui.State) {
	var shows []string
	var every time.Duration
	for _, view := range v.svc.cfg.App.Views().Open(s) {
		for _, name := range view.Topics {
			shows = append(shows, turn.TopicID(name))
		}
		for _, q := range view.Records {
			shows = append(shows, recordsID(q.Name))
		}
		if view.Refresh > 0 && (every == 0 || view.Refresh < every) {
			every = view.Refresh
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if w := v.watched[id]; w != nil {
		w.shows, w.every = shows, every
	}
}

// tellSaved lets every node know that a record of that name was saved or deleted.
func tellSaved(cfg Config, name string) {
	if slices.Contains(cfg.App.Views().Records(), name) {
		cfg.Bus.Notify(recordsID(name), 0)
	}
}
