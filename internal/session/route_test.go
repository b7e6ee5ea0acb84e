package session_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// open is a message that no rule knows.
const open = "The launch is close and everything about it is still a mess."

func router(m llm.Model) func(*session.Config) { return func(c *session.Config) { c.Router = m } }

// TestModelRouting: whatever the small model does, the message is answered
// once, and a tool opens only on a valid answer that is certain enough.
func TestModelRouting(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		model llm.Model
		text  string // of the answer
		tool  string // open afterwards
	}{
		"tool":           {limntest.Says(`{"action":"tool","tool_name":"request_data_table","confidence":0.8,"title":"Vendors","count":5}`), "I’ve opened a table for you. Fill in what you know; I’ll check it with you.", ui.ToolTable},
		"map":            {limntest.Says(`{"action":"tool","tool_name":"request_process_map","confidence":0.9,"title":null,"count":null}`), "I’ve opened a process map for you. Fill in what you know; I’ll check it with you.", ui.ToolMap},
		"clarify":        {limntest.Says(`{"action":"clarify","tool_name":"request_process_map","confidence":0.6}`), "Want to map the steps now?", ""},
		"low confidence": {limntest.Says(`{"action":"tool","tool_name":"request_data_table","confidence":0.44}`), "Chat.", ""},
		"chat":           {limntest.Says(`{"action":"chat","tool_name":null,"confidence":0.1}`), "Chat.", ""},
		"no JSON":        {limntest.Says("Sure, a table!"), "Chat.", ""},
		"fenced":         {limntest.Says("```json\n{\"action\":\"tool\",\"tool_name\":\"request_data_table\",\"confidence\":0.9}\n```"), "Chat.", ""},
		"unknown tool":   {limntest.Says(`{"action":"tool","tool_name":"drop_table","confidence":0.9}`), "Chat.", ""},
		"too certain":    {limntest.Says(`{"action":"tool","tool_name":"request_data_table","confidence":7}`), "Chat.", ""},
		"cut": {limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
			return llm.Reply{Text: `{"action":"tool","tool_name":"request_data_table","confidence":0.9}`, Finish: llm.FinishLength}, nil
		}), "Chat.", ""},
		"error": {limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) { return llm.Reply{}, errors.New("no") }), "Chat.", ""},
		"panic": {limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) { panic("boom") }), "Chat.", ""},
		"slow": {limntest.Model(func(ctx context.Context, _ llm.Request) (llm.Reply, error) {
			<-ctx.Done()
			return llm.Reply{}, ctx.Err()
		}), "Chat.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, declared(t), router(c.model), model(limntest.Says(envelope("Chat."))))
				began := time.Now()
				w.submit(say(open))
				if took := time.Since(began); took > 3*time.Second {
					t.Errorf("answered after %v", took)
				}
				frames := w.frames()
				equal(t, "frames", 1, len(frames))
				equal(t, "text", c.text, frames[0].Text)
				got := ""
				if cp := w.state().Router.Checkpoint; cp != nil {
					got = cp.Tool
				}
				equal(t, "open", c.tool, got)
				equal(t, "user's words", open, w.state().Transcript[0].Text)
			})
		})
	}
}

// TestModelRoutingIsAskedRarely: not where a rule fired, not behind a gate; and
// without a chat model its silence is the fixed answer.
func TestModelRoutingIsAskedRarely(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		asked := 0
		small := limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
			asked++
			return llm.Reply{Text: `{"action":"chat","tool_name":null,"confidence":0}`, Finish: llm.FinishStop}, nil
		})
		w := newWorld(t, declared(t), router(small))
		w.submit(say("hello"))
		w.submit(say("We have 12 stakeholders."))
		w.submit(say(open)) // a tool is open
		w.submit(say("cancel it"))
		w.submit(say("never show me tables or maps again"))
		w.submit(say(open)) // opted out
		equal(t, "asked", 0, asked)
		w.submit(say("turn the tools back on"))
		w.submit(say(open))
		equal(t, "asked", 1, asked)
		frames := w.frames()
		equal(t, "fixed answer", ui.DefaultWords()["chat.default"], frames[len(frames)-1].Text)
	})
}

// TestModelRoutingObeysGatesClosedMeanwhile: a gate that closed while
// the model was asked holds for its answer.
func TestModelRoutingObeysGatesClosedMeanwhile(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		small := limntest.NewGate()
		w := newWorld(t, declared(t), router(small), model(limntest.Says(envelope("Chat."))))
		slow := w.post(say(open))
		<-small.Asked
		w.outcome(w.submit(say("We have 12 stakeholders.")), ui.OutcomeDone, "") // others pass meanwhile
		before := w.state().Router.Checkpoint
		small.Answer <- `{"action":"tool","tool_name":"request_process_map","confidence":0.9}`
		synctest.Wait()
		frames := w.frames()
		equal(t, "frames", 2, len(frames))
		equal(t, "last", slow.Event, frames[1].Event)
		equal(t, "text", "Chat.", frames[1].Text)
		equal(t, "checkpoint", before, w.state().Router.Checkpoint)
	})
}

// TestChatModelSeesWhatOpened: what opens while the routing model is asked is in the chat model's prompt, and the model
// may change it.
func TestChatModelSeesWhatOpened(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		small := limntest.NewGate()
		w := newWorld(t, declared(t, risks), router(small), model(limntest.Says(envelope("Gone.",
			`{"type":"ui.close","payload":{"surface":"table:risks"}}`))))
		w.post(say(open))
		<-small.Asked
		w.outcome(w.submit(say("We have 12 risks.")), ui.OutcomeDone, "")
		w.open(table)
		small.Answer <- `{"action":"chat","tool_name":null,"confidence":0}`
		synctest.Wait()
		frames := w.frames()
		equal(t, "outcome", ui.Outcome{Kind: ui.OutcomeDone}, frames[len(frames)-1].Outcome)
		if sf := w.state().Surface(table); sf != nil && sf.Status == ui.StatusOpen {
			t.Error("the table stays open")
		}
	})
}

// TestModelRoutingIsJournaled: a crash while the chat model thinks does not ask
// the routing model again.
func TestModelRoutingIsJournaled(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		asked := 0
		small := limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
			asked++
			return llm.Reply{Text: `{"action":"chat","tool_name":null,"confidence":0.2}`, Finish: llm.FinishStop}, nil
		})
		g := limntest.NewGate()
		w := newWorld(t, declared(t), router(small), model(g))
		w.post(say(open))
		<-g.Asked
		w.crash()
		w.state() // opens the conversation: what was begun goes on
		<-g.Asked
		g.Answer <- envelope("Chat.")
		synctest.Wait()
		equal(t, "asked", 1, asked)
		frames := w.frames()
		equal(t, "frames", 1, len(frames))
		equal(t, "text", "Chat.", frames[0].Text)
		equal(t, "pending", 0, w.pending())
	})
}
