package modelrun_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/modelrun"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// agents are a gateway whose agents answer by a function.
type agents struct {
	llm.Model
	asked  []string
	answer func(ctx context.Context, name string, heard func(int, string), show modelrun.Show) gateway.Said
}

func (*agents) Gateway() *gateway.Config {
	return &gateway.Config{Agents: []gateway.Agent{{Name: "a", Title: "A"}, {Name: "b", Title: "B"}}}
}

func (g *agents) AskAgent(ctx context.Context, _ func() *ui.State, name string, _ ui.EventID, _ gateway.Prompt,
	heard func(int, string), show modelrun.Show) (gateway.Said, []*ui.Error, error) {
	g.asked = append(g.asked, name)
	said := g.answer(ctx, name, heard, show)
	said.Agent = name
	return said, nil, nil
}

func speaking(text string) *agents {
	return &agents{answer: func(_ context.Context, name string, heard func(int, string), _ modelrun.Show) gateway.Said {
		heard(0, text+name)
		return gateway.Said{Text: text + name}
	}}
}

// TestHandOversAreSaid: at most three agents answer. One that is not asked after these is a warning.
func TestHandOversAreSaid(t *testing.T) {
	t.Parallel()
	g := &agents{}
	g.answer = func(_ context.Context, name string, _ func(int, string), _ modelrun.Show) gateway.Said {
		return gateway.Said{To: map[string]string{"a": "b", "b": "a"}[name]}
	}
	reply, failed := newBench(t, g).ask(builtin.RunAgent + "a")
	if failed != nil || strings.Join(g.asked, "") != "aba" || len(reply.Warnings) != 1 ||
		reply.Warnings[0].Code != gateway.CodeLimit || !strings.Contains(reply.Warnings[0].Message, "b is not asked") {
		t.Errorf("asked %v: %+v, %v", g.asked, reply, failed)
	}
}

// TestWordsOfSeveralAgents: the words of each agent are a paragraph of the stream, and one that begins again takes back
// its own alone.
func TestWordsOfSeveralAgents(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		b    []string // the tries of b, each with its pieces
		try  int
		want string
	}{
		"one try":              {[]string{"b1,b2"}, 0, "one\n\nb1b2"},
		"another one":          {[]string{"b1", "b2,b3"}, 1, "one\n\nb2b3"},
		"the first is silent":  {[]string{"", "b2"}, 0, "one\n\nb2"},
		"all of it is silence": {[]string{""}, 0, "one"},
	} {
		g := speaking("one")
		first := g.answer
		g.answer = func(ctx context.Context, name string, heard func(int, string), show modelrun.Show) gateway.Said {
			if name == "a" {
				heard(0, "one")
				return gateway.Said{Text: "one"}
			}
			for try, pieces := range c.b {
				for piece := range strings.SplitSeq(pieces, ",") {
					if piece != "" {
						heard(try, piece)
					}
				}
			}
			return first(ctx, "", func(int, string) {}, show)
		}
		b := newBench(t, g)
		if _, failed := b.ask(builtin.RunAgent + "a,b"); failed != nil {
			t.Fatal(failed)
		}
		if list := b.cfg.Deltas.List("c"); len(list) != 1 || list[0].Text != c.want || list[0].Try != c.try {
			t.Errorf("%s: streamed %+v, want %q in try %d", name, list, c.want, c.try)
		}
	}
}

// TestStopKeepsAnswers: the answers of agents that have ended count when the user stops the next one.
func TestStopKeepsAnswers(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancelCause(t.Context())
	g := &agents{}
	g.answer = func(_ context.Context, name string, _ func(int, string), _ modelrun.Show) gateway.Said {
		if name == "b" {
			stop(journal.ErrCanceled)
		}
		return gateway.Said{Text: "from " + name, To: map[string]string{"b": "a"}[name], Messages: []json.RawMessage{json.RawMessage(name)}}
	}
	b := newBench(t, g)
	reply, failed := b.run(builtin.RunAgent+"a,b").Ask(ctx, "where is my order", nil)
	if failed != nil || len(g.asked) != 2 || len(reply.Agents) != 2 {
		t.Fatalf("asked %v: %+v, %v", g.asked, reply, failed)
	}
	first, second := reply.Agents[0], reply.Agents[1]
	if first.Text != "from a" || len(first.Messages) != 1 || first.Code != "" || second.Text != "from b" ||
		second.Messages != nil || second.Code != agent.CodeTurnCanceled {
		t.Errorf("%+v\n%+v", first, second)
	}
}

// TestServerStopsFirst: an answer that the server cuts off is not noted, though the context of the run, which ends after
// that of the server, has not ended yet.
func TestServerStopsFirst(t *testing.T) {
	t.Parallel()
	server, stop := context.WithCancel(t.Context())
	g := &agents{}
	g.answer = func(context.Context, string, func(int, string), modelrun.Show) gateway.Said {
		stop()
		return gateway.Said{}
	}
	b := newBench(t, g)
	b.cfg.Stop = server
	_, _ = b.run(builtin.RunAgent+"a").Ask(t.Context(), "where is my order", nil)
	if got := b.kinds(); !slices.Equal(got, []string{journal.KindIntent}) {
		t.Errorf("the journal has %v", got)
	}
}

// TestLostEventNotesNoAnswer: so is one that is cut off because another node has the event.
func TestLostEventNotesNoAnswer(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	g := &agents{}
	g.answer = func(context.Context, string, func(int, string), modelrun.Show) gateway.Said {
		cancel(journal.ErrTaken)
		return gateway.Said{}
	}
	b := newBench(t, g)
	_, _ = b.run(builtin.RunAgent+"a").Ask(ctx, "where is my order", nil)
	if got := b.kinds(); !slices.Equal(got, []string{journal.KindIntent}) {
		t.Errorf("the journal has %v", got)
	}
}

// forgetful is a store that fails once to note an intent about an agent.
type forgetful struct {
	store.Store
	agent string
}

func (s *forgetful) Note(ctx context.Context, id, event string, step int, body []byte) error {
	if s.agent != "" && bytes.Contains(body, []byte(`"`+builtin.RunAgent+s.agent+`"`)) && bytes.Contains(body, []byte(`"intent"`)) {
		s.agent = ""
		return errors.New("the disk is full")
	}
	return s.Store.Note(ctx, id, event, step, body)
}

// TestJournalFailsBetweenAgents: a run that cannot note the next agent ends, and goes on there when it starts again.
func TestJournalFailsBetweenAgents(t *testing.T) {
	t.Parallel()
	g := speaking("from ")
	b := newBench(t, g)
	b.store = &forgetful{b.store, "b"}
	_, _ = b.ask(builtin.RunAgent + "a,b")
	if ui.CodeOf(b.cause) != "STORE_FAILED" {
		t.Fatalf("the run goes on: it ends with %v", b.cause)
	}
	reply, failed := b.ask(builtin.RunAgent + "a,b")
	if failed != nil || !slices.Equal(g.asked, []string{"a", "b"}) || len(reply.Agents) != 2 {
		t.Errorf("asked %v: %+v, %v", g.asked, reply, failed)
	}
}

// TestPanicOfATool: where a tool panicked is in the log.
func TestPanicOfATool(t *testing.T) {
	t.Parallel()
	b := newBench(t, calls(), app.ModelTool{Name: "order", Description: "Finds it.",
		Func: func(context.Context, app.ToolCall) (string, error) { panic("tool") }})
	var log bytes.Buffer
	b.cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
	if _, failed := b.ask(app.RunTools); failed != nil || !strings.Contains(log.String(), "TestPanicOfATool") {
		t.Errorf("%v, log:\n%s", failed, log.String())
	}
}

// TestPanicWhileShown: a panic in what an agent shows before its end is logged, and costs that alone.
func TestPanicWhileShown(t *testing.T) {
	t.Parallel()
	g := &agents{}
	g.answer = func(_ context.Context, _ string, _ func(int, string), show modelrun.Show) gateway.Said {
		over := make(chan bool)
		go func() {
			_, ok := show(func() gateway.Said { panic("surface") })
			over <- ok
		}()
		return gateway.Said{Text: map[bool]string{false: "Done.", true: "It counts."}[<-over]}
	}
	b := newBench(t, g)
	var log bytes.Buffer
	b.cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
	reply, failed := b.ask(builtin.RunAgent + "a")
	if failed != nil || reply.Agents[0].Text != "Done." || !strings.Contains(log.String(), "panic in what an agent shows") ||
		!strings.Contains(log.String(), "TestPanicWhileShown") {
		t.Errorf("%+v, %v, log:\n%s", reply, failed, cmp.Or(log.String(), "empty"))
	}
}
