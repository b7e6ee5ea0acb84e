package modelrun_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/fence"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/modelrun"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// model is a model of one function that counts its questions.
type model struct {
	asked int
	f     func(llm.Request) (llm.Reply, error)
}

func (m *model) Ask(_ context.Context, r llm.Request) (llm.Reply, error) {
	m.asked++
	return m.f(r)
}

func answers(text string) *model {
	return &model{f: func(llm.Request) (llm.Reply, error) { return llm.Reply{Text: text, Finish: llm.FinishStop}, nil }}
}

// calls is a model that calls the tool "order" once and then quotes its result.
func calls() *model {
	return &model{f: func(r llm.Request) (llm.Reply, error) {
		last := r.Messages[len(r.Messages)-1]
		if last.Role == llm.RoleTool {
			return llm.Reply{Text: "It says " + fence.Last(last.Text), Finish: llm.FinishStop}, nil
		}
		call := llm.Call{ID: "1", Name: "order", Arguments: "{}"}
		return llm.Reply{Finish: llm.FinishToolCalls, Calls: []llm.Call{call}}, nil
	}}
}

// bench is a conversation with one recorded event, and what runs of it share.
type bench struct {
	t     *testing.T
	store store.Store
	cfg   modelrun.Config
	trace turntrace.Turn
	spent int64
	cause error // of the run's context
}

func newBench(t *testing.T, m llm.Model, tools ...app.ModelTool) *bench {
	t.Helper()
	a, err := app.New(app.Config{Name: "t", ModelTools: tools})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, store: memory.New()}
	if err := b.store.Create(t.Context(), store.Conversation{ID: "c", Log: "0123456789abcdef", Owner: "p"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Record(t.Context(), "c", store.Event{ID: "e", Hash: "h", Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	b.cfg = modelrun.Config{App: a, Recovery: recovery.Default(), Fit: func(s string) string { return s }, Model: m, Router: m,
		Timeout: time.Minute, AskTime: time.Minute, RouteTime: time.Minute, Deltas: &conversation.Deltas{},
		Writer: func() string { return "w" }, Stop: context.Background(), Now: time.Now, Meter: trace.NoMeter(),
		Log: slog.New(slog.DiscardHandler)}
	b.cfg.Agents, _ = m.(modelrun.Agents)
	return b
}

// run is a new start of the event's run, as after a crash.
func (b *bench) run(mode string) *modelrun.Run {
	state := b.cfg.App.NewState("c")
	return &modelrun.Run{Config: &b.cfg, Conversation: "c", Mode: mode, Trace: &b.trace,
		Event:   &ui.Event{V: ui.Version, ID: "e", Kind: ui.EventMessage, Text: "where is my order"},
		Journal: journal.Journal{Store: b.store, Conversation: "c", Event: "e"},
		State:   func() *ui.State { return state },
		Cancel:  func(cause error) { b.cause = cause },
		Spend:   func(n int64) { b.spent += n }}
}

func (b *bench) ask(mode string) (*agent.Reply, *ui.Error) {
	b.t.Helper()
	return b.run(mode).Ask(b.cfg.Stop, "where is my order", b.notes())
}

func (b *bench) notes() []journal.Note {
	b.t.Helper()
	notes, err := journal.Journal{Store: b.store, Conversation: "c", Event: "e"}.Notes(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return notes
}

func (b *bench) kinds() (kinds []string) {
	for _, n := range b.notes() {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

func TestReplyIsAskedForOnce(t *testing.T) {
	t.Parallel()
	m := answers("On its way.")
	b := newBench(t, m)
	for range 2 {
		reply, failed := b.ask(app.RunChat)
		if failed != nil || reply.Text != "On its way." {
			t.Fatalf("%+v, %v", reply, failed)
		}
	}
	if m.asked != 1 || b.spent == 0 {
		t.Errorf("asked %d times, spent %d tokens", m.asked, b.spent)
	}
	if want := []turntrace.Run{{For: "reply", Journal: true}}; cmp.Diff(want, b.trace.LLM[1:]) != "" {
		t.Errorf("trace %+v", b.trace.LLM)
	}
}

func TestRouteIsAskedForOnce(t *testing.T) {
	t.Parallel()
	m := answers("no answer of a routing model")
	b := newBench(t, m)
	for range 2 {
		if a := b.run("").Route(t.Context()); a != nil {
			t.Errorf("%+v, want nil: the message is chat", a)
		}
	}
	if diff := cmp.Diff([]string{journal.KindRoute}, b.kinds()); m.asked != 1 || diff != "" {
		t.Errorf("asked %d times, journal (-want +got):\n%s", m.asked, diff)
	}
}

func TestFailedRunLeavesNoReply(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		f    func(llm.Request) (llm.Reply, error)
		code ui.Code
	}{
		"panic": {func(llm.Request) (llm.Reply, error) { panic("boom") }, agent.CodeTurnFailed},
		"error": {func(llm.Request) (llm.Reply, error) {
			return llm.Reply{}, &ui.Error{Code: llm.CodeCanceled, Message: "no"}
		}, llm.CodeCanceled},
	} {
		b := newBench(t, &model{f: c.f})
		if _, failed := b.ask(app.RunChat); failed == nil || failed.Code != c.code {
			t.Errorf("%s: %v, want %s", name, failed, c.code)
		}
		if notes := b.notes(); len(notes) > 0 {
			t.Errorf("%s: journal %+v", name, notes)
		}
	}
}

func TestCanceledRunAsksNothing(t *testing.T) {
	t.Parallel()
	m := answers("too late")
	b := newBench(t, m)
	if err := b.run("").Journal.Write(t.Context(), 0, journal.Note{Kind: journal.KindCancel}); err != nil {
		t.Fatal(err)
	}
	if _, failed := b.ask(app.RunChat); failed == nil || failed.Code != agent.CodeTurnCanceled || m.asked > 0 {
		t.Errorf("%v after %d questions", failed, m.asked)
	}
}

// A call is in the journal before it is made. A run that starts again calls only a
// tool that is declared idempotent, and plays back what has a result.
func TestToolIsCalledOnce(t *testing.T) {
	t.Parallel()
	cut := errors.New("the process dies")
	for _, c := range []struct {
		name       string
		idempotent bool
		readOnly   bool
		dies       bool // in the first call
		calls      int
		text       string
	}{
		{"result in the journal", false, false, false, 1, "It says shipped"},
		{"cut off", false, false, true, 1, "We do not know"},
		{"cut off, idempotent", true, false, true, 2, "It says shipped"},
		{"cut off, it reads only", false, true, true, 2, "It says shipped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			called, keys := 0, map[string]bool{}
			var b *bench
			stop, end := context.WithCancel(t.Context())
			b = newBench(t, calls(), app.ModelTool{Name: "order", Description: "Finds it.", Idempotent: c.idempotent, ReadOnly: c.readOnly,
				Func: func(_ context.Context, call app.ToolCall) (string, error) {
					called, keys[call.Key] = called+1, true
					if diff := cmp.Diff([]string{journal.KindAsked, journal.KindIntent}, b.kinds()); diff != "" {
						t.Errorf("journal when the tool is called (-want +got):\n%s", diff)
					}
					if c.dies && called == 1 {
						end()
						return "", cut
					}
					return "shipped", nil
				}})
			if b.cfg.Stop = stop; c.dies {
				if _, failed := b.ask(app.RunTools); failed == nil {
					t.Fatal("the run did not fail")
				}
				b.cfg.Stop = t.Context()
			}
			for range 2 {
				reply, failed := b.ask(app.RunTools)
				if failed != nil || len(reply.Text) < len(c.text) || reply.Text[:len(c.text)] != c.text {
					t.Fatalf("%+v, %v, want %q", reply, failed, c.text)
				}
			}
			if called != c.calls || len(keys) != 1 {
				t.Errorf("called %d times under %v, want %d under one key", called, keys, c.calls)
			}
		})
	}
}

// A run whose event another node has notes no result of the call that it was in. That node knows that the call was begun.
func TestLostEventNotesNoResult(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	called := 0
	b := newBench(t, calls(), app.ModelTool{Name: "order", Description: "Makes it.",
		Func: func(ctx context.Context, _ app.ToolCall) (string, error) {
			called++
			cancel(journal.ErrTaken)
			<-ctx.Done()
			return "", ctx.Err()
		}})
	if _, failed := b.run(app.RunTools).Ask(ctx, "where is my order", nil); failed == nil {
		t.Error("the run did not fail")
	}
	if diff := cmp.Diff([]string{journal.KindAsked, journal.KindIntent}, b.kinds()); diff != "" {
		t.Errorf("journal (-want +got):\n%s", diff)
	}
	reply, failed := b.ask(app.RunTools)
	if failed != nil || !strings.HasPrefix(reply.Text, "We do not know") || called != 1 {
		t.Errorf("%+v, %v after %d calls", reply, failed, called)
	}
}

// A run that fails after a tool was carried out does not fail with the model's code, for
// which the user is offered another try: that would call the tool under another key.
func TestFailureAfterATool(t *testing.T) {
	t.Parallel()
	away := func() (llm.Reply, error) { return llm.Reply{}, &ui.Error{Code: llm.CodeUnavailable} }
	for name, c := range map[string]struct {
		result string
		fault  error
		fails  func() (llm.Reply, error) // the request with the result
		code   ui.Code
	}{
		"carried out":            {"made", nil, away, agent.CodeEffectUnknown},
		"carried out, at length": {strings.Repeat("x", 40<<10), nil, away, agent.CodeEffectUnknown},
		"carried out, a panic":   {"made", nil, func() (llm.Reply, error) { panic("boom") }, agent.CodeEffectUnknown},
		"not carried out":        {"", ui.Errorf("ORDER_UNKNOWN", "", "there is no such order"), away, llm.CodeUnavailable},
	} {
		m := calls()
		first := m.f
		m.f = func(r llm.Request) (llm.Reply, error) {
			if r.Messages[len(r.Messages)-1].Role == llm.RoleTool {
				return c.fails()
			}
			return first(r)
		}
		b := newBench(t, m, app.ModelTool{Name: "order", Description: "Makes it.",
			Func: func(context.Context, app.ToolCall) (string, error) { return c.result, c.fault }})
		for _, start := range []string{"first", "another"} { // which finds the call in the journal
			if _, failed := b.ask(app.RunTools); failed == nil || failed.Code != c.code {
				t.Errorf("%s, %s start: %v, want %s", name, start, failed, c.code)
			}
		}
	}
}

// reader is an MCP server whose tool reads only, as it says.
type reader struct{ modelrun.MCP }

func (reader) Tool(context.Context, string, string) (string, []byte, bool, error) {
	return "Finds it.", []byte(`{"type":"object"}`), true, nil
}

func (reader) Call(context.Context, string, string, string, []byte, int) (string, error) {
	return "shipped", nil
}

// A run that fails after tools that read only can be tried again: it fails with the model's code. A tool that the
// process does not know may have changed something.
func TestFailureAfterReading(t *testing.T) {
	t.Parallel()
	found := func(context.Context, app.ToolCall) (string, error) { return "shipped", nil }
	other := app.ModelTool{Name: "other", Description: "Finds another.", ReadOnly: true, Func: found}
	for name, tool := range map[string]app.ModelTool{
		"func": {Name: "order", Description: "Finds it.", ReadOnly: true, Func: found},
		"mcp":  {Name: "order", MCP: &app.MCPTool{Server: "shop", Tool: "find"}},
	} {
		m := calls()
		first := m.f
		m.f = func(r llm.Request) (llm.Reply, error) {
			if r.Messages[len(r.Messages)-1].Role == llm.RoleTool {
				return llm.Reply{}, &ui.Error{Code: llm.CodeUnavailable}
			}
			return first(r)
		}
		b := newBench(t, m, tool, other)
		b.cfg.MCP = reader{}
		for _, start := range []string{"first", "another"} { // which finds the call in the journal
			if _, failed := b.ask(app.RunTools); failed == nil || failed.Code != llm.CodeUnavailable {
				t.Errorf("%s, %s start: %v", name, start, failed)
			}
		}
		b.cfg.App = newBench(t, m, other).cfg.App
		if _, failed := b.ask(app.RunTools); failed == nil || failed.Code != agent.CodeEffectUnknown {
			t.Errorf("%s, without the tool: %v", name, failed)
		}
	}
}

// A tool that reads only leaves nothing unknown, also if it gives no answer twice.
func TestReadingWithoutAnswer(t *testing.T) {
	t.Parallel()
	called := 0
	b := newBench(t, calls(), app.ModelTool{Name: "order", Description: "Finds it.", ReadOnly: true,
		Func: func(context.Context, app.ToolCall) (string, error) {
			called++
			return "", ui.Errorf(agent.CodeEffectUnknown, "", "the connection broke")
		}})
	reply, failed := b.ask(app.RunTools)
	if failed != nil || called != 2 || reply.Text != "It says the tool did not answer" {
		t.Errorf("%+v, %v after %d calls", reply, failed, called)
	}
}

// Another try sees the newest state, but one that goes on from answers of the first saw no more than that one.
func TestSaw(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]uint64{app.RunChat: 2, app.RunTools: 1} {
		m := calls()
		first := m.f
		m.f = func(r llm.Request) (llm.Reply, error) {
			if mode == app.RunChat || r.Messages[len(r.Messages)-1].Role == llm.RoleTool {
				return llm.Reply{}, &ui.Error{Code: llm.CodeUnavailable}
			}
			return first(r)
		}
		b := newBench(t, m, app.ModelTool{Name: "order", Description: "Finds it.",
			Func: func(context.Context, app.ToolCall) (string, error) { return "shipped", nil }})
		run, seq := b.run(mode), uint64(0)
		for range 2 {
			seq++
			state := &ui.State{Seq: seq}
			run.State = func() *ui.State { return state }
			if _, failed := run.Ask(b.cfg.Stop, "where is my order", b.notes()); failed == nil {
				t.Fatal("no failure")
			}
		}
		if run.Saw == nil || run.Saw.Seq != want {
			t.Errorf("%s: saw %v, want frame %d", mode, run.Saw, want)
		}
	}
}

// Answers that the journal has, and requests that fail, cost no tokens again.
func TestReplayedAnswerCostsNothing(t *testing.T) {
	t.Parallel()
	m := calls()
	first := m.f
	m.f = func(r llm.Request) (llm.Reply, error) {
		if r.Messages[len(r.Messages)-1].Role == llm.RoleTool {
			return llm.Reply{}, &ui.Error{Code: llm.CodeUnavailable}
		}
		return first(r)
	}
	b := newBench(t, m, app.ModelTool{Name: "order", Description: "Finds it.",
		Func: func(context.Context, app.ToolCall) (string, error) { return "shipped", nil }})
	b.ask(app.RunTools)
	spent := b.spent
	b.ask(app.RunTools)
	if m.asked != 3 || spent == 0 || b.spent != spent {
		t.Errorf("asked %d times, spent %d tokens, then %d", m.asked, spent, b.spent)
	}
}

// A journal that another node writes ends the run: that node has the event.
func TestJournalOfAnotherNodeEndsTheRun(t *testing.T) {
	t.Parallel()
	m := calls()
	b := newBench(t, m, app.ModelTool{Name: "order", Description: "Finds it.",
		Func: func(context.Context, app.ToolCall) (string, error) { return "shipped", nil }})
	j := b.run("").Journal
	if err := j.Write(t.Context(), 0, journal.Note{Kind: journal.KindAsked, Asked: &journal.Asked{Text: "other"}}); err != nil {
		t.Fatal(err)
	}
	if _, failed := b.run(app.RunTools).Ask(t.Context(), "where is my order", nil); failed != nil {
		t.Logf("failed with %v", failed)
	}
	if !errors.Is(b.cause, journal.ErrTaken) {
		t.Errorf("the run ends with %v, want ErrTaken", b.cause)
	}
}

// A call of a tool of the client ends the run, in any mode: its reply has the call and what
// other tools brought, and a run that starts again has the same one and asks nothing.
func TestClientToolEndsTheRun(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"", app.RunChat, app.RunTools, app.RunHybrid} {
		m := &model{f: func(r llm.Request) (llm.Reply, error) {
			name := "order"
			if r.Messages[len(r.Messages)-1].Role == llm.RoleTool {
				name = "ask"
			}
			return llm.Reply{Text: "A moment.", Finish: llm.FinishToolCalls,
				Calls: []llm.Call{{ID: "1", Name: name, Arguments: "{}"}}}, nil
		}}
		b := newBench(t, m, app.ModelTool{Name: "order", Description: "Finds it.",
			Func: func(context.Context, app.ToolCall) (string, error) { return "shipped", nil }})
		tools, err := jsonx.Parse([]byte(`[{"name":"ask","description":"Asks."},{"name":"order","description":"Not this one."}]`),
			jsonx.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		want := []agent.ClientCall{{Tool: "ask", Arguments: "{}"}}
		for range 2 {
			r := b.run(mode)
			r.Event.Tools = tools
			reply, failed := r.Ask(t.Context(), "where is my order", b.notes())
			if failed != nil || reply.Text != "A moment." || !strings.Contains(string(reply.Found.AppendJSON(nil)), "shipped") ||
				cmp.Diff(want, reply.Calls) != "" {
				t.Fatalf("%q: %+v, %v", mode, reply, failed)
			}
		}
		if m.asked != 2 {
			t.Errorf("%q: asked %d times", mode, m.asked)
		}
	}
}
