package live

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/work"
	"github.com/limn-ui/limn/ui"
)

// RecordsID is the topic of the bus that announces saved and deleted records of a name.
func RecordsID(name string) string { return "records:" + name }

// IsSource reports the id of a topic or of records: ids of conversations have no colon.
func IsSource(id string) bool { return strings.Contains(id, ":") }

// Saved lets every node know that a record of that name was saved or deleted.
func Saved(a *app.App, b bus.Bus, name string) {
	if slices.Contains(a.Views().Records(), name) {
		b.Notify(RecordsID(name), 0)
	}
}

// Config is the configuration of Streams.
type Config struct {
	App  *app.App
	Work *work.Group
	Log  *slog.Logger
	// Watch calls wake after each change of a source, until cancel. wake does not block.
	Watch func(source string, wake func()) (cancel func())
	// CatchUp brings the views of a conversation up to date, and returns its state; nil for
	// one that cannot be read. After ErrBusy it is called again soon, after other errors later.
	CatchUp func(ctx context.Context, id string) (*ui.State, error)
}

// ErrBusy says that a turn runs, which may have read the sources before they changed.
var ErrBusy = errors.New("a turn runs")

// Streams knows which conversations have streams on this node, and the topics and records
// of their open views.
type Streams struct {
	Config
	wake chan struct{} // capacity 1

	mu      sync.Mutex // guards what follows
	watched map[string]*watched
	due     map[string]bool // conversations to look at; each once, so it is bounded by watched
}

type watched struct {
	streams int
	seq     uint64   // of the newest state that was looked at
	shows   []string // the ids of its topics and records
	every   time.Duration
	read    time.Time
	pause   time.Duration // from read to the next try after a failure; 0: it did not fail
}

const (
	catchUpEvery = 100 * time.Millisecond // frames of one conversation because of topics and records are so far apart
	catchUpsMost = 8                      // conversations that are brought up to date at once

	firstPause = time.Second // before a catch-up that failed is tried again; then twice as long each time
	lastPause  = time.Minute
)

// New returns Streams without any. Run must run.
func New(cfg Config) *Streams {
	return &Streams{Config: cfg, wake: make(chan struct{}, 1), watched: map[string]*watched{}, due: map[string]bool{}}
}

// Run follows the topics and records that views show, until the work ends.
func (v *Streams) Run() {
	a := v.App
	var ids []string
	for _, name := range a.Views().Topics() {
		ids = append(ids, ingress.TopicID(name))
	}
	for _, name := range a.Views().Records() {
		ids = append(ids, RecordsID(name))
	}
	for _, id := range ids {
		defer v.Watch(id, func() { v.changed(id) })()
	}
	for v.Work.Pause(v.wake, time.Second) {
		began := time.Now()
		v.round(began)
		if !v.Work.Pause(nil, catchUpEvery-time.Since(began)) {
			return
		}
	}
}

// round brings the conversations that are due up to date.
func (v *Streams) round(now time.Time) {
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
func (v *Streams) take(now time.Time) (ids []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for id, w := range v.watched {
		since := now.Sub(w.read)
		if v.due[id] || w.every > 0 && since >= w.every || w.pause > 0 && since >= w.pause {
			ids, w.read = append(ids, id), now
		}
	}
	clear(v.due)
	return ids
}

// look brings a conversation up to date. Code of the application decides who reads which records: it may panic.
func (v *Streams) look(id string) {
	defer func() {
		if p := recover(); p != nil {
			v.Log.Error("panic in a view", "conversation", id, "panic", logs.QuietPanic(p),
				"stack", string(debug.Stack()))
		}
	}()
	s, err := v.CatchUp(v.Work.Stop, id)
	v.looked(id, err)
	if s != nil {
		v.Shown(id, s)
	}
}

// looked notes whether a conversation was brought up to date.
func (v *Streams) looked(id string, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	w := v.watched[id]
	switch {
	case w == nil:
	case err == nil:
		w.pause = 0
	case errors.Is(err, ErrBusy):
		v.dueLocked(id)
	default:
		w.pause = min(max(firstPause, 2*w.pause), lastPause)
	}
}

func (v *Streams) set(id string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.dueLocked(id)
}

func (v *Streams) dueLocked(id string) {
	v.due[id] = true
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// changed makes the conversations due that show a source. It does not block.
func (v *Streams) changed(source string) {
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

// Enter counts a stream of a conversation in, until leave. Its views are looked at: they
// may be old. Without Streams, and for what views show, there is nothing to count.
func (v *Streams) Enter(id string) (leave func()) {
	if v == nil || IsSource(id) {
		return func() {}
	}
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

// Shown notes the topics and records of the open views of a conversation.
func (v *Streams) Shown(id string, s *ui.State) {
	var shows []string
	var every time.Duration
	for _, view := range v.App.Views().Open(s) {
		for _, name := range view.Topics {
			shows = append(shows, ingress.TopicID(name))
		}
		for _, q := range view.Records {
			shows = append(shows, RecordsID(q.Name))
		}
		if view.Refresh > 0 && (every == 0 || view.Refresh < every) {
			every = view.Refresh
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if w := v.watched[id]; w != nil && s.Seq >= w.seq { // states may come in another order
		added := slices.ContainsFunc(shows, func(source string) bool { return !slices.Contains(w.shows, source) })
		w.seq, w.shows, w.every = s.Seq, shows, every
		if added { // it may have changed since the view read it
			v.dueLocked(id)
		}
	}
}
