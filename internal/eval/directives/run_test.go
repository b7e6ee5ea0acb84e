package directives

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// answering is a model that answers, or fails, as a function says.
type answering func(ctx context.Context, n int64) (llm.Reply, error)

type counted struct {
	n   atomic.Int64
	ask answering
}

func (c *counted) Ask(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	return c.ask(ctx, c.n.Add(1))
}

func said(text string) (llm.Reply, error) {
	return llm.Reply{Text: `{"assistant_text":"` + text + `","directives":[]}`, Usage: llm.Usage{In: 1, Out: 1}}, nil
}

func chat(t *testing.T) (*app.App, []Scenario) {
	a, list := demo(t)
	for _, sc := range list {
		if sc.Name == "chat-greeting" {
			return a, []Scenario{sc}
		}
	}
	t.Fatal("no greeting")
	return nil, nil
}

// TestResume: whatever was written is not asked again, whatever was cut off is.
func TestResume(t *testing.T) {
	t.Parallel()
	a, list := chat(t)
	m := &counted{ask: func(context.Context, int64) (llm.Reply, error) { return said("hi") }}
	p := Plan{App: a, Scenarios: list, Models: []*Model{{Name: "m", Model: m}}, Trials: 20}
	file := filepath.Join(t.TempDir(), "state.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	rec, err := Open(file, p.Hash())
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	_, err = p.Run(ctx, rec.Results, func(r Result) error {
		if made++; made == 5 {
			cancel()
		}
		return rec.Add(r)
	})
	if !errors.Is(err, context.Canceled) || made < 5 || made == 20 {
		t.Fatalf("%d trials, %v", made, err)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// As a kill or a full disk leaves it: the last line is half there.
	if err := os.WriteFile(file, data[:len(data)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	asked := m.n.Load()
	if rec, err = Open(file, p.Hash()); err != nil {
		t.Fatal(err)
	}
	if len(rec.Results) != made-1 {
		t.Fatalf("%d results are kept of %d", len(rec.Results), made)
	}
	results := rec.Results
	if _, err = p.Run(t.Context(), rec.Results,
		func(r Result) error { results = append(results, r); return rec.Add(r) }); err != nil {
		t.Fatal(err)
	}
	rec.Close()
	if n := m.n.Load() - asked; n != int64(20-(made-1)) {
		t.Errorf("%d requests for the rest, want %d", n, 20-(made-1))
	}
	if r := Score(p, results, nil); r.Total.OK != 20 || r.Total.N != 20 {
		t.Errorf("%+v", r.Total)
	}
	rec, err = Open(file, p.Hash())
	if err != nil || len(rec.Results) != 20 {
		t.Fatalf("the file holds %d, %v", len(rec.Results), err)
	}
	rec.Close()
	more := p
	more.Trials = 25
	if rec, err = Open(file, more.Hash()); err != nil {
		t.Errorf("more trials are refused: %v", err)
	} else {
		rec.Close()
	}
	for name, change := range map[string]func(*Plan){
		"scenario": func(p *Plan) { sc := p.Scenarios[0]; sc.User += "!"; p.Scenarios = []Scenario{sc} },
		"model":    func(p *Plan) { p.Models = []*Model{{Name: "n", Model: m}} },
		"mode":     func(p *Plan) { p.Modes = []Mode{PromptOnly} },
		"require":  func(p *Plan) { p.Require = true },
	} {
		other := p
		change(&other)
		if _, err := Open(file, other.Hash()); ui.CodeOf(err) != CodeOther {
			t.Errorf("another %s: %v", name, err)
		}
	}
}

func TestRecordRefuses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		in   string
		code ui.Code
		at   string
	}{
		"a text":        {"hello\n", CodeRecord, ":1"},
		"half a text":   {"hello", CodeRecord, ":1"},
		"version":       {`{"v":2,"plan":"h"}` + "\n", CodeRecord, ":1"},
		"a broken line": {`{"v":1,"plan":"h"}` + "\n{}\n{\n{}\n", CodeRecord, ":3"},
	} {
		file := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(file, []byte(tt.in), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(file, "h")
		var e *ui.Error
		if !errors.As(err, &e) || e.Code != tt.code || !strings.HasSuffix(e.Path, tt.at) || e.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
		if after, _ := os.ReadFile(file); string(after) != tt.in {
			t.Errorf("%s: the file was changed to %q", name, after)
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"v":1,"plan":"h"}` + "\n" +
		`{"scenario":"a","model":"m","mode":"ladder","trial":1,"stages":{"directives":true}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := decodeRecord("f", data, "h")
		if err != nil && ui.CodeOf(err) == "" {
			t.Errorf("no code: %v", err)
		}
		seen := map[id]bool{}
		for _, r := range list {
			if seen[r.id()] {
				t.Errorf("twice: %+v", r.id())
			}
			seen[r.id()] = true
		}
	})
}

// TestBudget: no trial starts that may go beyond it.
func TestBudget(t *testing.T) {
	t.Parallel()
	a, list := chat(t)
	m := &counted{ask: func(context.Context, int64) (llm.Reply, error) { return said("hi") }}
	p := Plan{App: a, Scenarios: list, Models: []*Model{
		{Name: "m", Model: m, Price: llm.Price{In: 500_000, Out: 500_000}}}, Trials: 50, MaxCost: 5, PerEndpoint: 1}
	var results []Result
	stopped, err := p.Run(t.Context(), nil, func(r Result) error { results = append(results, r); return nil })
	if err != nil || len(results) != 5 || len(stopped) != 1 || stopped[0].Err.Code != CodeBudget {
		t.Errorf("%d trials of $1 with $5; %+v, %v", len(results), stopped, err)
	}
	// What was spent before counts.
	stopped, _ = p.Run(t.Context(), results, func(Result) error { t.Error("one more"); return nil })
	if len(stopped) != 1 {
		t.Errorf("%+v", stopped)
	}
}

// TestHopeless: a refused key ends the trials of its model, and only of it.
func TestHopeless(t *testing.T) {
	t.Parallel()
	a, list := chat(t)
	bad := &counted{ask: func(context.Context, int64) (llm.Reply, error) {
		return llm.Reply{}, &ui.Error{Code: llm.CodeAuth, Message: "no"}
	}}
	good := &counted{ask: func(context.Context, int64) (llm.Reply, error) { return said("hi") }}
	p := Plan{App: a, Scenarios: list, Models: []*Model{{Name: "bad", Model: bad}, {Name: "good", Model: good}},
		Trials: 10, PerEndpoint: 1}
	n := 0
	stopped, err := p.Run(t.Context(), nil, func(r Result) error {
		if n++; r.Model != "good" {
			t.Errorf("%+v", r)
		}
		return nil
	})
	if err != nil || n != 10 || bad.n.Load() != 1 || len(stopped) != 1 || stopped[0].Model != "bad" ||
		stopped[0].Err.Code != llm.CodeAuth {
		t.Errorf("%d results, %d asked in vain, %+v, %v", n, bad.n.Load(), stopped, err)
	}
}

// TestRefused: a server that takes no request at all is given up soon, one that
// refuses some is not.
func TestRefused(t *testing.T) {
	t.Parallel()
	a, list := chat(t)
	refuse := func(after int64) answering {
		return func(_ context.Context, n int64) (llm.Reply, error) {
			if n <= after {
				return said("hi")
			}
			return llm.Reply{}, &ui.Error{Code: llm.CodeUnsupported, Path: "/model", Message: "no"}
		}
	}
	for after, want := range map[int64]int{0: maxRefused, 1: 10} {
		p := Plan{App: a, Scenarios: list, Models: []*Model{{Name: "m", Model: &counted{ask: refuse(after)}}},
			Trials: 10, PerEndpoint: 1}
		n := 0
		stopped, err := p.Run(t.Context(), nil, func(Result) error { n++; return nil })
		if err != nil || n != want || (len(stopped) == 1) != (after == 0) {
			t.Errorf("%d results, want %d; %+v, %v", n, want, stopped, err)
		}
	}
}

// TestUnreached: of a server that never answers nothing is said of its model: it
// is given up after a few tries, and the trials are made once it is there.
func TestUnreached(t *testing.T) {
	t.Parallel()
	a, list := chat(t)
	down := true
	pace := &Pace{}
	via := pace.Watch(roundTrip(func(*http.Request) (*http.Response, error) {
		if down {
			return nil, errors.New("connection refused")
		}
		return &http.Response{StatusCode: 500, Body: http.NoBody}, nil
	}))
	m := &counted{ask: func(ctx context.Context, _ int64) (llm.Reply, error) {
		r, _ := http.NewRequestWithContext(ctx, "POST", "http://a.test", nil)
		if res, err := via.RoundTrip(r); err == nil {
			res.Body.Close()
		}
		return llm.Reply{}, &ui.Error{Code: llm.CodeUnavailable, Message: "no"}
	}}
	p := Plan{App: a, Scenarios: list, Models: []*Model{{Name: "m", Model: m, Pace: pace}}, Trials: 10, PerEndpoint: 1}
	n := 0
	count := func(Result) error { n++; return nil }
	stopped, err := p.Run(t.Context(), nil, count)
	if err != nil || n != 0 || m.n.Load() != maxRefused || len(stopped) != 1 ||
		stopped[0].Err.Code != llm.CodeUnavailable {
		t.Errorf("%d results, %d asked, %+v, %v", n, m.n.Load(), stopped, err)
	}
	down = false // it answers, badly: that is a result
	if stopped, err = p.Run(t.Context(), nil, count); err != nil || n != 10 || len(stopped) != 0 {
		t.Errorf("%d results, %+v, %v", n, stopped, err)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestAnswerIsTheModels: what is kept of a trial that failed is what the model
// said, not what was shown in its place.
func TestAnswerIsTheModels(t *testing.T) {
	t.Parallel()
	a, list := chat(t)
	const half = `{"assistant_text": "Good mor`
	m := &counted{ask: func(context.Context, int64) (llm.Reply, error) {
		return llm.Reply{Text: half, Finish: llm.FinishLength}, nil
	}}
	if _, err := (Plan{App: a, Scenarios: list, Models: []*Model{{Name: "m", Model: m}}}).Run(t.Context(), nil,
		func(r Result) error {
			if r.Code != llm.CodeTruncated || r.Answer != half {
				t.Errorf("%s: %q", r.Code, r.Answer)
			}
			return nil
		}); err != nil {
		t.Error(err)
	}
}

// TestParallel: never more trials at a time than allowed, in all and of one
// endpoint.
func TestParallel(t *testing.T) {
	t.Parallel()
	a, list := chat(t)
	synctest.Test(t, func(t *testing.T) {
		var all, most, mostOne atomic.Int64
		model := func() *Model {
			var one atomic.Int64
			return &Model{Model: &counted{ask: func(context.Context, int64) (llm.Reply, error) {
				most.Store(max(most.Load(), all.Add(1)))
				mostOne.Store(max(mostOne.Load(), one.Add(1)))
				time.Sleep(time.Second) // of the bubble
				all.Add(-1)
				one.Add(-1)
				return said("hi")
			}}}
		}
		x, y, z := model(), model(), model()
		x.Name, y.Name, z.Name = "x", "y", "z"
		p := Plan{App: a, Scenarios: list, Models: []*Model{x, y, z}, Trials: 12, Parallel: 5, PerEndpoint: 2}
		began := time.Now()
		if _, err := p.Run(t.Context(), nil, func(Result) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if most.Load() != 5 || mostOne.Load() != 2 {
			t.Errorf("%d at a time, %d of one endpoint, want 5 and 2", most.Load(), mostOne.Load())
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

// TestPace: an endpoint that asks to wait is not asked before, and a trial that
// met a limit is made again.
func TestPace(t *testing.T) {
	t.Parallel()
	a, list := chat(t)
	synctest.Test(t, func(t *testing.T) {
		pace := &Pace{}
		next := pace.Watch(roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {"30"}}, Body: http.NoBody}, nil
		}))
		began := time.Now()
		m := &counted{ask: func(_ context.Context, n int64) (llm.Reply, error) {
			if n == 1 {
				next.RoundTrip(&http.Request{})
				return llm.Reply{}, &ui.Error{Code: llm.CodeRateLimited, Message: "wait"}
			}
			if waited := time.Since(began); waited < 30*time.Second {
				t.Errorf("asked again after %s", waited)
			}
			return said("hi")
		}}
		p := Plan{App: a, Scenarios: list, Models: []*Model{{Name: "m", Model: m, Pace: pace}}, Trials: 3,
			PerEndpoint: 1}
		n := 0
		if _, err := p.Run(t.Context(), nil, func(r Result) error {
			if n++; !r.OK() {
				t.Errorf("%+v", r)
			}
			return nil
		}); err != nil || n != 3 || m.n.Load() != 4 {
			t.Errorf("%d results of %d requests, %v", n, m.n.Load(), err)
		}
	})
}

// TestPaceGivesUp: an endpoint that never answers ends a trial after a while.
func TestPaceGivesUp(t *testing.T) {
	t.Parallel()
	a, list := chat(t)
	synctest.Test(t, func(t *testing.T) {
		m := &counted{ask: func(context.Context, int64) (llm.Reply, error) {
			return llm.Reply{}, &ui.Error{Code: llm.CodeRateLimited, Message: "wait"}
		}}
		p := Plan{App: a, Scenarios: list, Models: []*Model{{Name: "m", Model: m, Pace: &Pace{}}}}
		var got []Result
		if _, err := p.Run(t.Context(), nil, func(r Result) error { got = append(got, r); return nil }); err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 || got[0].Code != llm.CodeRateLimited || m.n.Load() != maxWaits+1 {
			t.Errorf("%d requests, %+v", m.n.Load(), got)
		}
	})
}

// TestTaken: what the last stage is for.
func TestTaken(t *testing.T) {
	t.Parallel()
	a, _ := demo(t)
	p := Plan{App: a}
	before := a.NewState("x")
	f, _ := a.Form("character")
	after, fr, err := frame(a, before, ui.Ops{a.OpenForm(f, ui.Value{}).Op(strings.Repeat("0", 32))})
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := p.draw(before, after, fr)
	if err != nil || taken(drawn, after) != nil {
		t.Fatalf("%v, %v", err, taken(drawn, after))
	}
	for name, tt := range map[string]struct {
		spoil func(*drawing)
		code  ui.Code
	}{
		"no components": {func(d *drawing) { d.update = d.update[:1] }, ""},
		"twice":         {func(d *drawing) { d.anew = append(d.anew, d.anew...) }, "A2UI_S2C_BEGIN_SURFACE_DUPLICATE"},
		"other text": {func(d *drawing) {
			d.first, d.update = nil, nil
			for _, m := range d.anew {
				if c, ok := m.(*a2ui.UpdateComponents); ok {
					twin := *c
					twin.Components = append([]a2ui.Component(nil), c.Components...)
					for i, one := range twin.Components {
						if one.Type == "Text" {
							one.Props = append([]a2ui.Prop(nil), one.Props...)
							for k := range one.Props {
								if one.Props[k].Name == "text" {
									one.Props[k].Value = a2ui.String("other")
								}
							}
							twin.Components[i] = one
						}
					}
					m = &twin
				}
				d.update = append(d.update, m)
			}
		}, CodeDrawings},
	} {
		again, err := p.draw(before, after, fr)
		if err != nil {
			t.Fatal(err)
		}
		tt.spoil(&again[1])
		if err := taken(again, after); err == nil || tt.code != "" && ui.CodeOf(err) != tt.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}
