package session_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// wanted is something a client wants, and all answers it got.
type wanted struct {
	same    string // what tells repeats of it from others: its key, or what it says; "": nothing does
	event   *ui.Event
	answers []session.Receipt // that say how it ended
	acked   bool
}

// drill drives one conversation on one or more hosts, next to a reference.
type drill struct {
	*rapid.T
	w     *world
	kinds drillKind
	steps *atomic.Int64
	hosts []*host
	boots int

	sends sync.WaitGroup

	mu     sync.Mutex // guards what follows
	wishes []*wanted
	events map[ui.EventID]*ui.Event // all that were recorded
	calls  map[ui.EventID]int       // of the handler
	ref    oracle
}

// drillKind is a variant of the schedule.
type drillKind struct {
	hosts      int
	effect     bool // a submit runs a handler
	idempotent bool // which may be called again
}

func (k drillKind) String() string {
	return fmt.Sprintf("hosts %d, handler %v, idempotent %v", k.hosts, k.effect, k.idempotent)
}

// TestTortureModel: whatever clients do, and whatever crashes, fails or is cut
// off, in whatever order, every frame is what the reference says, every answer
// is that of its frame, nothing is done twice and nothing that was acknowledged
// is lost. In long form it takes LIMN_TORTURE_STEPS steps, else 100,000.
func TestTortureModel(t *testing.T) {
	t.Parallel()
	kinds := []drillKind{{1, false, false}, {1, true, true}, {1, true, false}, {2, false, false}, {2, true, false},
		{3, true, true}, {3, true, false}}
	var steps atomic.Int64
	want := int64(1)
	if os.Getenv("LIMN_TORTURE") != "" {
		want = 100_000
	}
	for round := 0; steps.Load() < want && !t.Failed(); round++ {
		for _, k := range kinds {
			t.Run(fmt.Sprintf("%v, round %d", k, round), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					rapid.Check(timeless{t}, func(rt *rapid.T) { newDrill(rt, k, &steps).run() })
				})
			})
		}
	}
	t.Logf("%d steps", steps.Load())
}

// timeless hides Deadline, which a bubble does not have.
type timeless struct{ rapid.TB }

func newDrill(rt *rapid.T, k drillKind, steps *atomic.Int64) *drill {
	m := &drill{T: rt, kinds: k, steps: steps, events: map[ui.EventID]*ui.Event{}, calls: map[ui.EventID]int{}}
	m.ref = oracle{facts: facts{failed: "-"}, at: []facts{{failed: "-"}}, committed: map[string]int{}, effect: k.effect,
		called: func(id ui.EventID) int { return m.calls[id] }}
	var opts []func(*app.Config)
	if k.effect {
		opts = append(opts, handled(k.idempotent, m.handle))
	}
	slow := limntest.Model(func(ctx context.Context, _ llm.Request) (llm.Reply, error) {
		select {
		case <-time.After(2 * time.Second):
			return llm.Reply{Text: envelope("Here.", showForm), Finish: llm.FinishStop}, nil
		case <-ctx.Done():
			return llm.Reply{}, ctx.Err()
		}
	})
	m.w = newWorld(rt, declared(rt, opts...), phrases,
		func(c *session.Config) { c.Model, c.Targets = slow, c.Targets[:1] },
		bounded(quota.Runs{Principal: -1, Node: -1}))
	if err := m.w.svc.Close(ended); err != nil {
		rt.Fatal(err)
	}
	for range k.hosts {
		m.hosts = append(m.hosts, &host{})
		m.boot(len(m.hosts) - 1)
	}
	return m
}

// boot starts a process in a host's place. What still runs of the one before
// cannot reach the store any more.
func (m *drill) boot(i int) {
	h := m.hosts[i]
	if h.port != nil {
		h.port.gone.Store(true)
		h.port.set(true)
		h.port.resume(h.port.held)
		if err := h.svc.Close(ended); err != nil {
			m.Fatal(err)
		}
	}
	h.port = newPort(m.w.store, m)
	cfg := m.w.cfg
	cfg.Store, cfg.Bus = h.port, localbus.New() // no wake-ups between processes
	if m.kinds.hosts > 1 {
		m.boots++
		cfg.Node = fmt.Sprintf("n%d", m.boots)
	}
	cfg.Now = func() time.Time { return time.Now().Add(time.Duration(h.clock.Load())) }
	svc, err := session.New(cfg)
	if err != nil {
		m.Fatal(err)
	}
	m.Cleanup(func() { _ = svc.Close(ended) })
	h.svc = svc
}

// handle is the app's handler: it takes a while, and counts.
func (m *drill) handle(ctx context.Context, c app.Call) (app.Result, error) {
	v, _ := c.Values.Get("company")
	m.mu.Lock()
	m.calls[ui.EventID(c.Key[:len(c.Key)-len("/0")])]++
	m.mu.Unlock()
	time.Sleep(time.Second)
	switch v.Text() {
	case "boom":
		return app.Result{}, errors.New("boom")
	case "taken":
		return app.Result{Errors: []ui.FieldError{{Path: "/draft/company", Code: "FIELD_TAKEN", Text: "Taken."}}}, nil
	}
	return app.Result{}, nil
}

// saw remembers an event that the store has taken.
func (m *drill) saw(r store.Event) {
	e, err := ui.DecodeEvent(r.Body)
	if err != nil {
		m.Errorf("recorded: %v", err)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range m.wishes { // of a refused event the store keeps a hash
		if e.Kind == w.event.Kind && r.Hash == ingress.BodyHash(w.event) {
			e.Text, e.Action, e.Error, e.Surface, e.Preference = w.event.Text, w.event.Action, w.event.Error,
				w.event.Surface, w.event.Preference
		}
	}
	m.events[e.ID] = e
}

func (m *drill) run() {
	acts := map[string]func(*rapid.T){
		"open":      func(rt *rapid.T) { m.wish(rt, m.keyed(rt, say("add a customer")), 1) },
		"ask":       func(rt *rapid.T) { m.wish(rt, m.keyed(rt, say("what is new")), 1) },
		"stop":      func(rt *rapid.T) { m.wish(rt, &ui.Event{Kind: ui.EventCancel}, 1) },
		"submit":    m.submit,
		"cancel":    m.cancel,
		"again":     m.again,
		"reload":    m.reload,
		"time":      func(rt *rapid.T) { time.Sleep(time.Duration(rapid.IntRange(1, 40).Draw(rt, "s")) * time.Second) },
		"crash":     func(rt *rapid.T) { m.boot(m.any(rt)) },
		"partition": m.partition,
		"fault":     m.fault,
		"clock":     m.jump,
		"pause":     m.pause,
		"report":    m.report,
		"regenerate": func(rt *rapid.T) {
			m.wish(rt, m.keyed(rt, &ui.Event{Kind: ui.EventRegenerate, Surface: form}), 1)
		},
	}
	for _, more := range []string{"open", "submit", "again"} { // these are most of what clients do
		acts[more+" too"], acts[more+" also"] = acts[more], acts[more]
	}
	for name, act := range acts {
		acts[name] = func(rt *rapid.T) {
			if slices.Contains([]string{"crash", "partition", "pause", "fault"}, name) {
				m.ref.trouble = true
			}
			act(rt)
			time.Sleep(rapid.SampledFrom([]time.Duration{0, 0, 500 * time.Millisecond, 3 * time.Second}).Draw(rt,
				"then"))
			synctest.Wait()
			m.steps.Add(1)
		}
	}
	acts[""] = func(*rapid.T) { m.check() }
	m.Repeat(acts)
	m.end()
}

func (m *drill) any(rt *rapid.T) int { return rapid.IntRange(0, len(m.hosts)-1).Draw(rt, "host") }

// keyed gives an event a key, or not.
func (m *drill) keyed(rt *rapid.T, e *ui.Event) *ui.Event {
	if rapid.Bool().Draw(rt, "key") {
		e.Key = fmt.Sprintf("k%d", len(m.wishes))
	}
	return e
}

// wish sends something new, some times at once.
func (m *drill) wish(rt *rapid.T, e *ui.Event, times int) {
	w := &wanted{event: e, same: e.Key}
	if e.Action != nil && e.Key == "" {
		w.same = e.Action.Surface + " " + e.Action.Nonce + " " + e.Action.Name + fmt.Sprint(e.Action.Rev) +
			string(jsonx.Append(nil, e.Action.Context))
		for _, other := range m.wishes { // the same click again
			if other.same == w.same {
				w = other
			}
		}
	}
	if !slices.Contains(m.wishes, w) {
		m.mu.Lock()
		m.wishes = append(m.wishes, w)
		m.mu.Unlock()
	}
	m.send(rt, w, times)
}

// send posts a wish and goes on; the answer comes when it comes.
func (m *drill) send(rt *rapid.T, w *wanted, times int) {
	for range times {
		svc, e := m.hosts[m.any(rt)].svc, *w.event
		waitTime := rapid.SampledFrom([]time.Duration{0, 5 * time.Second, wait}).Draw(rt, "wait")
		m.sends.Go(func() {
			rec, err := svc.Submit(context.Background(), m.w.id, "p", &e, waitTime)
			m.got(w, rec, err)
		})
	}
}

func (m *drill) got(w *wanted, rec session.Receipt, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch code := ui.CodeOf(err); {
	case code == conversation.CodeStore, code == recovery.CodeBusy, code == recovery.CodeDraining:
	case err != nil:
		m.Errorf("%s: %v", what(w.event), err)
	case w.event.Kind == ui.EventCancel:
	case rec.Done:
		w.acked, w.answers = true, append(w.answers, rec)
	default:
		w.acked = true
	}
}

// surface is the form as a client is shown it now.
func (m *drill) surface(rt *rapid.T) *ui.Surface {
	h, err := m.hosts[m.any(rt)].svc.Head(context.Background(), m.w.id, "p")
	if err != nil || h.State.Surface(form) == nil {
		rt.Skip()
	}
	return h.State.Surface(form)
}

func (m *drill) submit(rt *rapid.T) {
	sf := m.surface(rt)
	company := rapid.SampledFrom([]string{"", "taken", "boom", "", "", ""}).Draw(rt, "company")
	if rapid.IntRange(0, 2).Draw(rt, "good") > 0 {
		company = fmt.Sprintf("c%d", len(m.wishes))
	}
	e := send(sf, company)
	e.Action.Rev = uint64(max(0, int64(sf.Rev)+rapid.SampledFrom([]int64{0, 0, 0, -1, -2, 1}).Draw(rt, "rev")))
	m.wish(rt, m.keyed(rt, e), rapid.IntRange(1, 5).Draw(rt, "times"))
}

func (m *drill) cancel(rt *rapid.T) {
	sf := m.surface(rt)
	if sf.Status != ui.StatusOpen {
		rt.Skip()
	}
	m.wish(rt, m.keyed(rt, press(sf, "main/buttons/cancel")), 1)
}

// again sends an old wish once more, as a client does that had no answer, or
// does not believe it.
func (m *drill) again(rt *rapid.T) {
	if len(m.wishes) == 0 {
		rt.Skip()
	}
	if w := rapid.SampledFrom(m.wishes).Draw(rt, "wish"); w.same != "" {
		m.send(rt, w, rapid.IntRange(1, 3).Draw(rt, "times"))
	}
}

// reload looks at the form and holds it against the reference at that frame.
func (m *drill) reload(rt *rapid.T) {
	h := m.hosts[m.any(rt)]
	_ = h.svc.Look(context.Background(), m.w.id)
	head, err := h.svc.Head(context.Background(), m.w.id, "p")
	if err != nil {
		return
	}
	m.check()
	m.matches(head.State)
}

func (m *drill) matches(s *ui.State) {
	if int(s.Seq) >= len(m.ref.at) {
		m.Errorf("shown is frame %d of %d", s.Seq, len(m.ref.at)-1)
		return
	}
	want := m.ref.at[s.Seq]
	if got := factsOf(s, want.epoch); got != want {
		m.Errorf("after frame %d the form is %s, want %s\n%s", s.Seq, got, want, m.story())
	}
}

// partition cuts a host off from the store for a while.
func (m *drill) partition(rt *rapid.T) {
	p := m.hosts[m.any(rt)].port
	p.set(true)
	d := time.Duration(rapid.IntRange(1, 40).Draw(rt, "for")) * time.Second
	m.sends.Go(func() {
		time.Sleep(d)
		if !p.gone.Load() {
			p.set(false)
		}
	})
}

// pause stops a host in its tracks for a while: what it was about to ask of the
// store it asks then.
func (m *drill) pause(rt *rapid.T) {
	p := m.hosts[m.any(rt)].port
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held == nil {
		held := make(chan struct{})
		p.held = held
		time.AfterFunc(time.Duration(rapid.IntRange(1, 40).Draw(rt, "for"))*time.Second, func() { p.resume(held) })
	}
}

func (p *port) resume(held chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held == held && held != nil {
		close(held)
		p.held = nil
	}
}

// report is a renderer that cannot draw the form as it was shown to it.
func (m *drill) report(rt *rapid.T) {
	sf := m.surface(rt)
	m.wish(rt, m.keyed(rt, &ui.Event{Kind: ui.EventError,
		Error: &ui.ErrorEvent{Code: "X", Surface: sf.WireID(), Message: "cannot"}}), 1)
}

// jump sets the clock of a host forth or back, or right again.
func (m *drill) jump(rt *rapid.T) {
	off := rapid.SampledFrom([]time.Duration{0, time.Hour, -time.Hour}).Draw(rt, "off")
	m.hosts[m.any(rt)].clock.Store(int64(off))
}

// story tells the log beside what the reference made of it.
func (m *drill) story() string {
	var b strings.Builder
	for i, f := range m.w.frames() {
		fmt.Fprintf(&b, "%d %s %s: %s %s\n   ops %s\n", f.Seq, m.events[f.Event].Kind, what(m.events[f.Event]),
			f.Outcome.Kind, f.Outcome.Code, encoded(m, f.Ops))
		if i+1 < len(m.ref.at) {
			fmt.Fprintf(&b, "   %s\n", m.ref.at[i+1])
		}
	}
	return b.String()
}

// fault makes some operations of a host fail, before or after they worked.
func (m *drill) fault(rt *rapid.T) {
	p := m.hosts[m.any(rt)].port
	p.mu.Lock()
	defer p.mu.Unlock()
	p.op = rapid.SampledFrom([]string{"append", "record", "note", "notes", "start", "open", "frames", "acquire",
		"release", "orphans"}).Draw(rt, "op")
	p.fails, p.after = rapid.IntRange(1, 4).Draw(rt, "times"), rapid.Bool().Draw(rt, "after")
}

// check reads the frames that came since, past every process, and holds them
// against the reference; then every answer against its frame.
func (m *drill) check() {
	m.Helper()
	synctest.Wait() // nothing is half done
	frames := m.w.frames()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range frames[len(m.ref.at)-1:] {
		e := m.events[f.Event]
		if e == nil {
			m.Fatalf("frame %d answers an event that was never recorded", f.Seq)
		}
		if err := m.ref.take(e, f); err != nil {
			m.Fatal(err)
		}
	}
	for company, n := range m.ref.committed {
		if n > 1 && company[0] == 'c' { // a name that only one wish has
			m.Errorf("%q is committed %d times", company, n)
		}
	}
	for _, w := range m.wishes {
		for _, rec := range w.answers {
			switch {
			case rec != w.answers[0] && w.same != "":
				m.Errorf("%s: first %+v, then %+v", what(w.event), w.answers[0], rec)
			case rec.Seq == 0 || rec.Seq > uint64(len(frames)) || frames[rec.Seq-1].Event != rec.Event ||
				frames[rec.Seq-1].Outcome != rec.Outcome:
				m.Errorf("%s: %+v is not what its frame says", what(w.event), rec)
			}
		}
	}
	for id, n := range m.calls {
		if n > 1 && !m.kinds.idempotent {
			m.Errorf("the handler was called %d times for %s", n, id)
		}
	}
}

// end brings everything to rest and asks for every answer once more.
func (m *drill) end() {
	for _, h := range m.hosts {
		h.port.set(false)
		h.port.resume(h.port.held)
		_ = h.svc.Look(context.Background(), m.w.id)
	}
	m.sends.Wait()
	time.Sleep(5 * time.Minute)
	synctest.Wait()
	if n := m.w.pending(); n != 0 {
		m.Errorf("%d events are not answered", n)
	}
	for _, w := range slices.Clone(m.wishes) {
		if w.same == "" || w.event.Kind == ui.EventCancel {
			continue
		}
		e := *w.event
		rec, err := m.hosts[0].svc.Submit(context.Background(), m.w.id, "p", &e, wait)
		if m.got(w, rec, err); err != nil || !rec.Done {
			m.Errorf("%s: at the end %+v, %v", what(w.event), rec, err)
		}
	}
	m.check()
	effects := map[string]ui.EventID{} // of one wish, under one key
	for _, w := range m.wishes {
		for _, rec := range w.answers {
			if other, ok := effects[w.same]; ok && w.same != "" && other != rec.Event {
				m.Errorf("%s is the events %s and %s", what(w.event), other, rec.Event)
			}
			effects[w.same] = rec.Event
			if m.kinds.effect && w.event.Action != nil && w.event.Action.Name == builtin.ActionSubmit &&
				rec.Outcome.Kind == ui.OutcomeDone && m.calls[rec.Event] == 0 {
				m.Errorf("%s is done and its handler was not called", what(w.event))
			}
		}
	}
	for _, id := range m.once() {
		m.Errorf("two events say the same: %s", what(m.events[id]))
	}
	first := ""
	for i, h := range m.hosts {
		for _, when := range []string{"in memory", "after a restart"} {
			_ = h.svc.Look(context.Background(), m.w.id)
			head, err := h.svc.Head(context.Background(), m.w.id, "p")
			if err != nil {
				m.Fatal(err)
			}
			m.matches(head.State)
			if first == "" {
				first = encoded(m, head.State)
			}
			equal(m, fmt.Sprintf("state of host %d %s", i, when), first, encoded(m, head.State))
			m.boot(i)
		}
	}
}

// once lists events that stand in the log though one with the same key does.
func (m *drill) once() (twice []ui.EventID) {
	seen := map[string]bool{}
	for id, e := range m.events {
		key := e.Key
		if e.Kind == ui.EventAction && key == "" {
			key = e.Action.Surface + " " + e.Action.Nonce + " " + e.Action.Name + fmt.Sprint(e.Action.Rev) +
				string(jsonx.Append(nil, e.Action.Context))
		}
		if key == "" {
			continue
		}
		if seen[key] {
			twice = append(twice, id)
		}
		seen[key] = true
	}
	return twice
}
