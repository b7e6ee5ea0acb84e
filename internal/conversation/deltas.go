package conversation

import (
	"cmp"
	"slices"
	"sync"

	"github.com/limn-ui/limn/ui"
)

// Delta is the text of a model run in this process so far. Streams that are open
// show it; it is stored nowhere, and the frame of the event has the whole text, or
// another.
type Delta struct {
	Event ui.EventID
	Try   int // grows where the answer begins again
	Text  string
}

// maxDelta bounds the bytes of an answer that are streamed before its frame.
const maxDelta = 32 << 10

// Deltas holds the streamed text of all model runs of this process, and the
// functions that wake their readers. The zero value is ready. Safe for concurrent
// use; it never calls out with its lock held but for wake, which must not block.
type Deltas struct {
	mu          sync.Mutex
	texts       map[string]map[ui.EventID]*streamed // by conversation
	subscribers map[string][]*func()                // by conversation
}

// streamed is the text of one run.
type streamed struct {
	try     int
	text    []byte
	tooLong bool // more came than is streamed
}

// List returns the runs of a conversation that have text now, in the order of their
// events.
func (d *Deltas) List(id string) []Delta {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []Delta
	for event, run := range d.texts[id] {
		if len(run.text) > 0 {
			out = append(out, Delta{event, run.try, string(run.text)})
		}
	}
	slices.SortFunc(out, func(a, b Delta) int { return cmp.Compare(a.Event, b.Event) })
	return out
}

// Subscribe calls wake whenever a run of a conversation has more text, from any
// goroutine, until cancel. wake must not block, nor call d.
func (d *Deltas) Subscribe(id string, wake func()) (cancel func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.subscribers == nil {
		d.subscribers = map[string][]*func(){}
	}
	d.subscribers[id] = append(d.subscribers[id], &wake)
	return sync.OnceFunc(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		left := slices.DeleteFunc(d.subscribers[id], func(w *func()) bool { return w == &wake })
		if d.subscribers[id] = left; len(left) == 0 {
			delete(d.subscribers, id)
		}
	})
}

// Subscribed reports whether a stream shows the deltas of a conversation.
func (d *Deltas) Subscribed(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.subscribers[id]) > 0
}

// Writer returns the function that takes the pieces of a run's answer.
func (d *Deltas) Writer(id string, event ui.EventID) func(try int, piece string) {
	return func(try int, piece string) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.texts == nil {
			d.texts = map[string]map[ui.EventID]*streamed{}
		}
		if d.texts[id] == nil {
			d.texts[id] = map[ui.EventID]*streamed{}
		}
		run := d.texts[id][event]
		if run == nil {
			run = &streamed{}
			d.texts[id][event] = run
		}
		if try != run.try {
			run.try, run.text, run.tooLong = try, nil, false
		}
		if run.tooLong = run.tooLong || len(run.text)+len(piece) > maxDelta; run.tooLong {
			return // the frame has it
		}
		run.text = append(run.text, piece...)
		for _, wake := range d.subscribers[id] {
			(*wake)()
		}
	}
}

// End forgets the text of a run and returns it. It is called before the frame is
// committed: no delta comes after the frame.
func (d *Deltas) End(id string, event ui.EventID) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	run := d.texts[id][event]
	if run == nil {
		return ""
	}
	delete(d.texts[id], event)
	if len(d.texts[id]) == 0 {
		delete(d.texts, id)
	}
	return string(run.text)
}
