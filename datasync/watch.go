package datasync

import (
	"time"

	"github.com/limn-ui/limn/ui"
)

// Mode says when changes at a path are sent.
type Mode int

// The modes of a Watch.
const (
	Never Mode = iota
	OnAction
	OnChanged
)

// Watch is a rule for a path and all below it.
type Watch struct {
	Path  string
	Mode  Mode
	Quiet time.Duration // of OnChanged: how long nothing may have changed before it is sent
}

// waits is how many times Quiet a change waits at most while others follow.
const waits = 5

const maxWatches = 1000

// Watches decides which changes are sent when. Of several rules the one with the longest
// path counts; without a rule nothing is sent.
type Watches struct {
	rules   []Watch
	since   []time.Time // the first change that waits, by rule; zero: none waits
	changed []time.Time // the last one
}

// Set replaces all rules. Changes that wait under a rule with the same path go on waiting.
func (w *Watches) Set(rules []Watch) error {
	if len(rules) > maxWatches {
		return ui.Errorf(CodeLimit, "", "more than %d rules", maxWatches)
	}
	next := Watches{since: make([]time.Time, len(rules)), changed: make([]time.Time, len(rules))}
	for i, rule := range rules {
		if _, err := split(rule.Path); err != nil || rule.Quiet < 0 {
			return ui.Errorf(CodePath, rule.Path, "a rule's path is no JSON Pointer, or its time is below 0")
		}
		if rule.Path == "" {
			rule.Path = "/"
		}
		next.rules = append(next.rules, rule)
		for j, old := range w.rules {
			if old.Path == rule.Path {
				next.since[i], next.changed[i] = w.since[j], w.changed[j]
			}
		}
	}
	*w = next
	return nil
}

// rule is the index of the rule for a path, or -1.
func (w *Watches) rule(path string) int {
	found := -1
	for i, r := range w.rules {
		if (r.Path == path || below(path, r.Path)) && (found < 0 || len(r.Path) >= len(w.rules[found].Path)) {
			found = i
		}
	}
	return found
}

// Changed notes an edit.
func (w *Watches) Changed(path string, now time.Time) {
	i := w.rule(path)
	if i < 0 || w.rules[i].Mode != OnChanged {
		return
	}
	if w.since[i].IsZero() {
		w.since[i] = now
	}
	w.changed[i] = now
}

// Next is when Due has something to send; false: nothing waits.
func (w *Watches) Next() (at time.Time, ok bool) {
	for i := range w.rules {
		if t := w.due(i); !t.IsZero() && (!ok || t.Before(at)) {
			at, ok = t, true
		}
	}
	return at, ok
}

func (w *Watches) due(i int) time.Time {
	if w.since[i].IsZero() {
		return time.Time{}
	}
	quiet := w.rules[i].Quiet
	at, last := w.changed[i].Add(quiet), w.since[i].Add(waits*quiet)
	if last.Before(at) {
		return last
	}
	return at
}

// Due returns which paths are to be sent now, for Replica.Flush; nil if there are none.
// Their rules wait for the next change.
func (w *Watches) Due(now time.Time) (send func(path string) bool) {
	due := map[int]bool{}
	for i := range w.rules {
		if t := w.due(i); !t.IsZero() && !t.After(now) {
			due[i] = true
			w.since[i], w.changed[i] = time.Time{}, time.Time{}
		}
	}
	if len(due) == 0 {
		return nil
	}
	return func(path string) bool { return due[w.rule(path)] }
}

// Action returns which paths are sent before an action of the user, or a message: all
// that have a rule. Nothing waits after it.
func (w *Watches) Action() (send func(path string) bool) {
	clear(w.since)
	clear(w.changed)
	return func(path string) bool {
		i := w.rule(path)
		return i >= 0 && w.rules[i].Mode != Never
	}
}
