package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/limn-ui/limn/ui"
)

// audit reads the log of one conversation as it grows and counts what is in it.
type audit struct {
	tr        *torture
	tk        *talk
	state     *ui.State // all frames so far, applied
	committed map[string]int
	said      map[string]int
	events    map[ui.EventID]uint64
}

func (a *audit) start(tr *torture, tk *talk) {
	*a = audit{tr: tr, tk: tk, state: ui.NewState(tk.id), committed: map[string]int{}, said: map[string]int{},
		events: map[ui.EventID]uint64{}}
}

// read takes the frames that came since. One goroutine reads at a time.
func (a *audit) read(ctx context.Context) error {
	for {
		status, body, err := a.tr.do(ctx, "GET", a.tk.token,
			fmt.Sprintf("/v1/conversations/%s/frames?after=%d", a.tk.id, a.state.Seq), "", nil)
		if err != nil || status != 200 {
			return fmt.Errorf("GET frames: %d %.200s %v", status, body, err)
		}
		var page struct{ Frames []json.RawMessage }
		if err := json.Unmarshal(body, &page); err != nil {
			return err
		}
		if len(page.Frames) == 0 {
			return nil
		}
		for _, raw := range page.Frames {
			f, err := ui.DecodeFrame(raw)
			if err != nil {
				return err
			}
			if err := a.take(f); err != nil {
				return err
			}
		}
	}
}

func (a *audit) take(f *ui.Frame) error {
	next, _, err := ui.Apply(a.state, f, a.tr.app.Config().Limits)
	if err != nil {
		return fmt.Errorf("the log of %s does not apply: %w", a.tk.id, err)
	}
	a.state = next
	if at, twice := a.events[f.Event]; twice {
		a.tr.fault("event %s has the frames %d and %d", f.Event, at, f.Seq)
	}
	a.events[f.Event] = f.Seq
	for _, op := range f.Ops {
		switch op := op.(type) {
		case *ui.Commit:
			ref, _ := op.Values.Get("ref")
			a.committed[ref.Text()]++
		case *ui.Say:
			if op.Role == ui.RoleUser {
				a.said[lastWord(op.Text)]++
			}
		}
	}
	return nil
}

// end compares the log, the state, the calls and the promises, with the nodes up
// and at rest.
func (a *audit) end() (sums sums) {
	t := a.tr.t
	ctx, cancel := context.WithTimeout(context.Background(), tryTime)
	defer cancel()
	for _, w := range a.tk.wishes {
		if w.final == nil || w.once {
			continue
		}
		again := a.tr.settle(a.tk, w)
		if again == nil || *again != *w.final {
			a.tr.fault("%s %s was answered %+v, and at the end %+v", w.kind, w.ref, *w.final, again)
		}
	}
	now, err := a.quiet(ctx)
	if err != nil {
		a.tr.fault("%v", err)
		return sums
	}
	replayed := *a.state
	replayed.Router = ui.Router{}
	if got, want := encode(t, now), encode(t, replayed); got != want {
		a.tr.fault("the log of %s, replayed, is\n%s\nthe state is\n%s", a.tk.id, want, got)
	}
	for _, w := range a.tk.wishes {
		a.wish(w, &sums)
	}
	return sums
}

// quiet reads on until everything that was put off is done and told, and returns
// the state then.
func (a *audit) quiet(ctx context.Context) (*ui.State, error) {
	for {
		if err := a.read(ctx); err != nil {
			return nil, err
		}
		waiting := 0
		for _, w := range a.tk.wishes {
			if w.kind == "later" && w.final != nil && w.final.status == 200 && w.final.Outcome.Kind == ui.OutcomeDone &&
				a.events[ui.EventID(w.final.Event+"/0.answer")] == 0 {
				waiting++
			}
		}
		now, err := a.tr.state(ctx, a.tk)
		if err != nil || waiting == 0 && now.Seq == a.state.Seq {
			return now, err
		}
		if rest(ctx, 200*time.Millisecond); ctx.Err() != nil {
			return nil, fmt.Errorf("%d calls of %s that were put off are not made", waiting, a.tk.id)
		}
	}
}

// sums is what became of wishes.
type sums struct{ wishes, acked, done, refused, failed, unknown int }

func (s *sums) add(o sums) {
	s.wishes, s.acked, s.done = s.wishes+o.wishes, s.acked+o.acked, s.done+o.done
	s.refused, s.failed, s.unknown = s.refused+o.refused, s.failed+o.failed, s.unknown+o.unknown
}

// wish holds one wish against the log and the calls.
func (a *audit) wish(w *wish, sums *sums) {
	sums.wishes++
	if w.acked {
		sums.acked++
	}
	if w.final != nil && w.final.status == 200 {
		if a.events[ui.EventID(w.final.Event)] != w.final.Seq {
			a.tr.fault("%s %s was answered in frame %d, the log has its event in %d", w.kind, w.ref, w.final.Seq,
				a.events[ui.EventID(w.final.Event)])
		}
	}
	switch w.kind {
	case "say", "open":
		if n := a.said[w.ref]; n > 1 || w.acked && n != 1 {
			a.tr.fault("message %s (acknowledged: %v) stands %d times in the log", w.ref, w.acked, n)
		}
		return
	case "cancel":
		return
	}
	a.tr.outside.mu.Lock()
	keys, calls := len(a.tr.outside.calls[w.ref]), 0
	for _, n := range a.tr.outside.calls[w.ref] {
		calls += n
	}
	a.tr.outside.mu.Unlock()
	committed, wantCommits, wantKeys, mayCall := a.committed[w.ref], 0, 0, false
	switch {
	case w.final == nil:
		return // reported already
	case w.final.status != 200:
		sums.refused++
	case w.final.Outcome.Kind == ui.OutcomeDone:
		sums.done++
		wantCommits = 1
		if w.kind != "plain" {
			wantKeys = 1
		}
	case w.final.Outcome.Code == "EFFECT_UNKNOWN":
		sums.unknown++
		mayCall = true
	default:
		sums.failed++
		if mayCall = w.final.Outcome.Code == "TURN_POISON"; !mayCall {
			a.tr.fault("%s %s came to %+v", w.kind, w.ref, w.final.Outcome)
		}
	}
	if committed != wantCommits {
		a.tr.fault("%s %s is committed %d times; its answer is %+v", w.kind, w.ref, committed, *w.final)
	}
	if keys != wantKeys && !(mayCall && keys == 1) || w.kind == "once" && calls > 1 {
		a.tr.fault("%s %s was called %d times under %d keys; its answer is %+v", w.kind, w.ref, calls, keys, *w.final)
	}
}

// audited reads all logs as they stand; nodes that die meanwhile are asked again.
func (tr *torture) audited() {
	tr.mu.Lock()
	talks := tr.talks
	tr.mu.Unlock()
	for _, tk := range talks {
		ctx, cancel := context.WithTimeout(context.Background(), tryTime)
		err := tk.audit.read(ctx)
		for ; err != nil && ctx.Err() == nil; err = tk.audit.read(ctx) {
			rest(ctx, 50*time.Millisecond)
		}
		cancel()
		if err != nil {
			tr.fault("%v", err)
		}
	}
}
