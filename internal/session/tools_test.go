package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/fence"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

const orderSchema = `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false}`

// tooled gives the app model tools, and messages to a run.
func tooled(run string, tools ...app.ModelTool) func(*app.Config) {
	return func(c *app.Config) {
		c.ModelTools = tools
		c.Messages = []app.MessageRoute{{Run: run}}
	}
}

// find is a tool of one function, with an order's id.
func find(f app.ToolFunc) app.ModelTool {
	return app.ModelTool{Name: "find_order", Description: "Finds an order.", Schema: orderSchema, Func: f}
}

func found(text string) app.ToolFunc {
	return func(context.Context, app.ToolCall) (string, error) { return text, nil }
}

// caller is a model that answers, while it may call tools, with a call for each
// of ids that the request does not hold the result of yet; then in words that quote
// the last result, or with an envelope if one is asked for.
func caller(ids ...string) limntest.Model {
	return func(_ context.Context, r llm.Request) (llm.Reply, error) {
		done := 0
		last := ""
		for _, m := range r.Messages {
			if m.Role == llm.RoleTool {
				done++
				last = m.Text
			}
		}
		switch {
		case r.Format != nil:
			return llm.Reply{Text: envelope("Shown.", showForm), Finish: llm.FinishStop}, nil
		case done < len(ids) && len(r.Tools) > 0:
			call := llm.Call{ID: fmt.Sprint("c", done), Name: "find_order",
				Arguments: fmt.Sprintf(`{"id":%q}`, ids[done])}
			return llm.Reply{Finish: llm.FinishToolCalls, Calls: []llm.Call{call}, Usage: llm.Usage{In: 7, Out: 3}}, nil
		}
		return llm.Reply{Text: "It says " + fence.Last(last), Finish: llm.FinishStop}, nil
	}
}

func TestToolInAMessage(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		var calls []app.ToolCall
		a := declared(t, tooled(app.RunTools, find(func(_ context.Context, c app.ToolCall) (string, error) {
			calls = append(calls, c)
			time.Sleep(time.Second)
			return "shipped", nil
		})))
		w := newWorld(t, a, model(caller("A1")))
		rec := w.submit(say("where is A1"))
		w.outcome(rec, ui.OutcomeDone, "")
		equal(t, "text", "It says shipped", w.frames()[0].Text)
		if len(calls) != 1 || calls[0].Key != string(rec.Event)+"/1" || calls[0].Principal != "p" ||
			calls[0].Conversation != w.id || calls[0].Arguments.At("id").Text() != "A1" {
			t.Errorf("calls %+v", calls)
		}
		turn := w.traces()[0]
		equal(t, "mode", turntrace.ModeToolLoop, turn.Mode)
		equal(t, "tools", []turntrace.ToolCall{{Tool: "find_order", By: "func", Ms: 1000, Bytes: 7}}, turn.Tools)
		equal(t, "rounds", 2, turn.Rounds)
		equal(t, "tool loop", 1000.0, turn.Timing.ToolLoop)
		equal(t, "attempts", []turntrace.Attempt{{Format: "tool_loop", In: 7, Out: 3}, {Format: "tool_loop"}},
			turn.LLM[0].Attempts)
	})
}

func TestHybrid(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, tooled(app.RunHybrid, find(found("shipped")))), model(caller("A1", "A2")))
		w.outcome(w.submit(say("where are A1 and A2")), ui.OutcomeDone, "")
		w.open(form)
		equal(t, "text", "Shown.", w.frames()[0].Text)
		turn := w.traces()[0]
		equal(t, "mode", turntrace.ModeHybrid, turn.Mode)
		equal(t, "calls", 2, len(turn.Tools))
		equal(t, "rounds", 3, turn.Rounds)
	})
}

// An action may run tools, too.
func TestToolsOfAnAction(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, tooled(app.RunTools, find(found("shipped"))), func(c *app.Config) {
			c.Messages = nil
			c.Actions[0].Run = app.RunTools
		}), model(limntest.Model(func(ctx context.Context, r llm.Request) (llm.Reply, error) {
			if len(r.Tools) == 0 {
				return limntest.Says(envelope("Here.", showPad))(ctx, r)
			}
			return caller("A1")(ctx, r)
		})))
		w.submit(say("show the pad"))
		w.outcome(w.submit(press(w.open(pad), "main/think")), ui.OutcomeDone, "")
		synctest.Wait()
		frames := w.frames()
		equal(t, "text", "It says shipped", frames[len(frames)-1].Text)
	})
}

// tooLarge is how a client of webhooks says it.
type tooLarge struct{ error }

func (tooLarge) TooLarge() bool { return true }

// TestToolCutOff: a call whose connection breaks is made again only if the tool is
// idempotent, under the same key; if that fails the first is still unknown.
func TestToolCutOff(t *testing.T) {
	t.Parallel()
	cut := &ui.Error{Code: agent.CodeEffectUnknown, Message: "the connection broke"}
	for name, c := range map[string]struct {
		idempotent bool
		second     error
		calls      int
		code       ui.Code
	}{
		"once":                         {false, nil, 1, agent.CodeEffectUnknown},
		"idempotent":                   {true, nil, 2, ""},
		"idempotent, then broken":      {true, errors.New("HTTP 500"), 2, agent.CodeEffectUnknown},
		"idempotent, then unreachable": {true, &ui.Error{Code: agent.CodeToolAway}, 2, agent.CodeEffectUnknown},
		"idempotent, then refused":     {true, &ui.Error{Code: agent.CodeToolFailed}, 2, agent.CodeToolFailed},
	} {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				var keys []string
				tool := find(func(_ context.Context, call app.ToolCall) (string, error) {
					if keys = append(keys, call.Key); len(keys) == 1 {
						return "", cut
					}
					return "found", c.second
				})
				tool.Idempotent = c.idempotent
				w := newWorld(t, declared(t, tooled(app.RunTools, tool)), model(caller("A1")))
				w.submit(say("where is A1"))
				equal(t, "code", c.code, w.traces()[0].Tools[0].Code)
				if len(keys) != c.calls || keys[0] != keys[len(keys)-1] {
					t.Errorf("calls under %q, want %d under one key", keys, c.calls)
				}
			})
		})
	}
}

// What goes wrong with a tool is told to the model, and the conversation goes on.
func TestToolFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tool app.ToolFunc
		told string // in what the model sees
		code ui.Code
	}{
		"error": {func(context.Context, app.ToolCall) (string, error) { return "", errors.New("password hunter2") }, "TOOL_FAILED.\n<user_text>\nthe tool failed", agent.CodeToolFailed},
		"coded": {func(context.Context, app.ToolCall) (string, error) {
			return "", ui.Errorf("ORDER_GONE", "", "no such order")
		}, "ORDER_GONE.\n<user_text>\nno such order", "ORDER_GONE"},
		"panic": {func(context.Context, app.ToolCall) (string, error) { panic("hunter2") }, "TOOL_PANIC", agent.CodeToolPanic},
		"large": {found(strings.Repeat("x", 100<<20)), "TOOL_RESULT_TOO_LARGE.\n<user_text>\nthe result is above 32768 bytes ask for less", agent.CodeToolResult},
		"large, far away": {func(context.Context, app.ToolCall) (string, error) {
			return "", fmt.Errorf("hunter2: %w", tooLarge{errors.New("above a bound")})
		}, "TOOL_RESULT_TOO_LARGE.\n<user_text>\nthe result is above 32768 bytes ask for less", agent.CodeToolResult},
		"deaf": {func(context.Context, app.ToolCall) (string, error) { time.Sleep(time.Minute); return "late", nil }, "EFFECT_UNKNOWN", agent.CodeEffectUnknown},
		"slow": {func(ctx context.Context, _ app.ToolCall) (string, error) { <-ctx.Done(); return "", ctx.Err() }, "EFFECT_UNKNOWN", agent.CodeEffectUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				told := ""
				w := newWorld(t, declared(t, tooled(app.RunTools, find(c.tool))),
					model(limntest.Model(func(ctx context.Context, r llm.Request) (llm.Reply, error) {
						if last := r.Messages[len(r.Messages)-1]; last.Role == llm.RoleTool {
							told = last.Text
						}
						return caller("A1")(ctx, r)
					})))
				rec := w.submit(say("where is A1"))
				text := w.frames()[0].Text
				if !strings.HasPrefix(told, "Error "+c.told) || strings.Contains(told, "hunter2") {
					t.Errorf("told %q", told)
				}
				equal(t, "code", c.code, w.traces()[0].Tools[0].Code)
				if name == "slow" || name == "deaf" {
					w.outcome(rec, ui.OutcomeDone, agent.CodeEffectUnknown)
					if !strings.HasPrefix(text, "We do not know") {
						t.Errorf("%q", text)
					}
				} else {
					w.outcome(rec, ui.OutcomeDone, "")
				}
				w.outcome(w.submit(say("and now")), ui.OutcomeDone, rec.Outcome.Code)
				if name == "deaf" {
					time.Sleep(2 * time.Minute) // until what was left to itself is over
				}
			})
		})
	}
}

func TestCancelTools(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		begun := make(chan struct{})
		w := newWorld(t, declared(t, tooled(app.RunTools,
			find(func(ctx context.Context, _ app.ToolCall) (string, error) {
				close(begun)
				<-ctx.Done()
				return "", ctx.Err()
			}))), model(caller("A1")))
		w.post(say("where is A1"))
		<-begun
		w.outcome(w.submit(&ui.Event{Kind: ui.EventCancel}), ui.OutcomeDone, "")
		synctest.Wait()
		f := w.frames()[0]
		equal(t, "code", agent.CodeTurnCanceled, f.Outcome.Code)
		equal(t, "text", "Stopped.", f.Text)
	})
}

// A tool that is not for now is neither offered nor called.
func TestMaskedTool(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		tool := find(found("shipped"))
		tool.After = []string{"customer"}
		var offered []int
		w := formWorld(t, declared(t, tooled(app.RunTools, tool)),
			model(limntest.Model(func(ctx context.Context, r llm.Request) (llm.Reply, error) {
				offered = append(offered, len(r.Tools))
				return caller("A1")(ctx, r)
			})))
		w.submit(say("where is A1"))
		w.submit(send(w.open(form), "Acme"))
		w.submit(say("where is A1"))
		equal(t, "offered", []int{0, 1, 1}, offered)
	})
}

// A message may be answered by an action.
func TestMessageByAction(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		var calls []app.Call
		w := newWorld(t, declared(t, func(c *app.Config) {
			c.Actions = append(c.Actions, app.Action{Name: "status",
				Handler: func(_ context.Context, call app.Call) (app.Result, error) {
					calls = append(calls, call)
					if len(calls) > 1 {
						return app.Result{}, errors.New("no")
					}
					return app.Result{Text: "All well."}, nil
				}})
			c.Messages = []app.MessageRoute{{Phrases: []string{"how are things"}, Action: "status"},
				{Phrases: []string{"hi there"}, Action: "hello"}}
		}), model(limntest.Says(envelope("By the model."))))
		rec := w.submit(say("So, how are things?"))
		w.outcome(rec, ui.OutcomeDone, "")
		w.outcome(w.submit(say("how are things")), ui.OutcomeFailed, "ACTION_FAILED")
		w.outcome(w.submit(say("hi there")), ui.OutcomeDone, "")
		w.outcome(w.submit(say("something else")), ui.OutcomeDone, "")
		var said []string
		for _, e := range w.state().Transcript {
			said = append(said, e.Text)
		}
		equal(t, "said", []string{"So, how are things?", "All well.", "how are things",
			"That did not work. Please try again.", "hi there", "Hello.", "something else",
			"By the model."}, said)
		text, _ := calls[0].Values.Get("text")
		equal(t, "message", "So, how are things?", text.Text())
		equal(t, "key", string(rec.Event)+"/0", calls[0].Key)
	})
}

// TestTextIsStreamedToListeners: a run is streamed if a client listens: a chat, and the
// answer after tools.
func TestTextIsStreamedToListeners(t *testing.T) {
	t.Parallel()
	for run, want := range map[string]int{app.RunChat: 1, app.RunTools: 3} {
		t.Run(run, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				asked, streamed := 0, 0
				w := newWorld(t, declared(t, tooled(app.RunTools, find(found("shipped"))),
					func(c *app.Config) { c.Messages[0].Run = run }),
					model(limntest.Model(func(ctx context.Context, r llm.Request) (llm.Reply, error) {
						if asked++; r.Stream {
							streamed++
							r.OnText("It says")
						}
						return caller("A1")(ctx, r)
					})))
				heard := 0
				defer w.svc.OnDelta(w.id, func() { heard++ })()
				w.outcome(w.submit(say("where is A1")), ui.OutcomeDone, "")
				equal(t, "asked, streamed, heard", []int{want, 1, 1}, []int{asked, streamed, heard})
				if run == app.RunChat {
					equal(t, "mode", turntrace.ModeChat, w.traces()[0].Mode)
				}
			})
		})
	}
}
