package agui_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
)

// picks is a model that has the client pick a colour, after it has looked one up itself, and
// then says what it was told.
type picks struct{ asked, looked atomic.Int32 }

func (p *picks) Ask(_ context.Context, r llm.Request) (llm.Reply, error) {
	p.asked.Add(1)
	last := r.Messages[len(r.Messages)-1].Text
	switch {
	case strings.Contains(last, "said: green") && strings.Contains(last, "grass"):
		return limntest.Reply(limntest.Envelope("Green it is.")), nil
	case strings.Contains(last, `"result"`):
		return limntest.Reply(limntest.Envelope("Another: " + last)), nil
	case len(r.Tools) == 0:
		return limntest.Reply(limntest.Envelope("No tools.")), nil
	case r.Messages[len(r.Messages)-1].Role != llm.RoleTool:
		return llm.Reply{Finish: llm.FinishToolCalls, Calls: []llm.Call{{ID: "1", Name: "look", Arguments: "{}"}}}, nil
	}
	return llm.Reply{Text: "One moment.", Finish: llm.FinishToolCalls,
		Calls: []llm.Call{{ID: "1", Name: "pick", Arguments: `{"of":["red","green"]}`}, {ID: "2", Name: "blink"}}}, nil
}

const colours = `,"tools":[{"name":"pick","description":"Lets the user pick a colour.","parameters":{"type":"object",
	"properties":{"of":{"type":"array","items":{"type":"string"}}},"required":["of"]}},{"name":"blink","description":"Blinks."},
	{"name":"look","description":"One of the client that the application has, too."}]`

func withPicks(m *picks, st store.Store) func(c *limn.Config) {
	return func(c *limn.Config) {
		c.Model, c.Store = m, st
		c.App = limntest.Must(app.New(app.Config{Name: "colours", ModelTools: []app.ModelTool{{Name: "look",
			Description: "Looks.", Func: func(context.Context, app.ToolCall) (string, error) {
				m.looked.Add(1)
				return "grass", nil
			}}}}))
	}
}

// offer is input with tools.
func offer(thread, run, more string) string {
	return strings.Replace(input(thread, run, more), `,"tools":[]`, colours, 1)
}

// TestTools: a model calls tools of the client, whose results go on with its answer, once: also
// what is sent again, by a server that was started again, and not in another thread.
func TestTools(t *testing.T) {
	t.Parallel()
	m, st := &picks{}, store.Store(memory.New())
	s := start(t, withPicks(m, st))
	ask := offer("t", "1", say("m1", "which colour do you suggest?"))
	const called = "RUN_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END " +
		"TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_END TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_END RUN_FINISHED"
	var ids []string
	for range 2 {
		got := slices.DeleteFunc(s.run(99, ask), func(e event) bool { return e.Type == "STATE_SNAPSHOT" })
		if types(got) != called || said(got) != "One moment." || got[4].ToolCallName != "pick" ||
			string(got[5].Delta) != `"{\"of\":[\"red\",\"green\"]}"` {
			t.Fatalf("%s: %+v", types(got), got)
		}
		ids = []string{got[4].ToolCallID, got[7].ToolCallID}
	}
	reload := s.run(99, offer("t", "2", `,"messages":[]`))
	if all := reload[1].Messages; len(all) != 3 || len(all[2].ToolCalls) != 2 || all[2].ToolCalls[0].ID != ids[0] {
		t.Errorf("while it waits: %+v", all)
	}
	result := func(id, text string) string {
		return fmt.Sprintf(`{"id":"r%s","role":"tool","toolCallId":%q,"content":%q}`, id, id, text)
	}
	results := func(list ...string) string {
		return `,"messages":[{"id":"m1","role":"user","content":"which colour do you suggest?"},` + strings.Join(list, ",") + "]"
	}
	both := results(result(ids[0], "they said: green"), result(ids[1], "done"))
	s.run(99, input("u", "1", say("m1", "hello")))
	for name, body := range map[string]string{
		"a part": input("t", "3", results(result(ids[0], "green"))), "another call": input("t", "3", results(result("x", "green"))),
		"another thread": input("u", "3", both),
	} {
		got := s.run(99, body)
		if end := got[len(got)-1]; end.Type != "RUN_ERROR" || end.Code != "TOOL_UNKNOWN" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	asked := m.asked.Load()
	s = start(t, withPicks(m, st)) // the calls survive
	for _, run := range []string{"4", "4", "5"} {
		got := s.run(99, offer("t", run, both))
		if end := got[len(got)-1]; said(got) != "Green it is." || end.Type != "RUN_FINISHED" {
			t.Errorf("run %s: %+v", run, got)
		}
	}
	if n := m.asked.Load() - asked; n != 2 || m.looked.Load() != 1 { // with tools, and for directives
		t.Errorf("asked %d times, looked %d times", n, m.looked.Load())
	}
	late := s.run(99, offer("t", "6", results(result(ids[0], "they said: red"), result(ids[1], "done"))))
	if end := late[len(late)-1]; end.Type != "RUN_ERROR" || end.Code == "" {
		t.Errorf("another result: %+v", late)
	}
	if again := s.run(99, ask); strings.Contains(types(again), "TOOL_CALL") || said(again) != "One moment." {
		t.Errorf("calls that have results are called again: %+v", again)
	}
}

// TestToolsLeft: who goes on without a result is answered, and the result comes too late.
func TestToolsLeft(t *testing.T) {
	t.Parallel()
	m := &picks{}
	s := start(t, withPicks(m, memory.New()))
	got := s.run(99, offer("t", "1", say("m1", "which colour do you suggest?")))
	id := got[5].ToolCallID
	if next := s.run(99, input("t", "2", say("m2", "never mind the colour"))); said(next) != "No tools." {
		t.Errorf("%+v", next)
	}
	late := s.run(99, input("t", "3", fmt.Sprintf(`,"messages":[{"id":"r","role":"tool","toolCallId":%q,"content":"x"}]`, id)))
	if end := late[len(late)-1]; end.Type != "RUN_ERROR" || end.Code != "TOOL_UNKNOWN" {
		t.Errorf("%+v", late)
	}
}

// TestBadTools: what a client offers and sends back is bounded.
func TestBadTools(t *testing.T) {
	t.Parallel()
	s := start(t)
	tools := func(list string) string {
		return strings.Replace(input("t", "1", say("m1", "hello")), `"tools":[]`, `"tools":[`+list+`]`, 1)
	}
	tool := func(name, parameters string) string {
		return fmt.Sprintf(`{"name":%q,"description":"x","parameters":%s}`, name, parameters)
	}
	result := func(id, content string) string {
		return fmt.Sprintf(`{"role":"tool","toolCallId":%q,"content":%q}`, id, content)
	}
	for name, body := range map[string]string{
		"no name":         tools(`{"description":"x"}`),
		"a bad name":      tools(tool("a b", "{}")),
		"twice":           tools(tool("a", "{}") + "," + tool("a", "{}")),
		"no schema":       tools(tool("a", `{"type":"string"}`)),
		"a broken schema": tools(tool("a", `{"type":"object","properties":7}`)),
		"many":            tools(strings.Repeat(tool("a", "{}")+",", 32) + tool("a", "{}")),
		"large":           tools(tool("a", `{"type":"object","description":"`+strings.Repeat("x", 40000)+`"}`)),
		"no call":         input("t", "1", `,"messages":[`+result("", "x")+`]`),
		"a large result":  input("t", "1", `,"messages":[`+result("x", strings.Repeat("x", 33<<10))+`]`),
		"many results":    input("t", "1", `,"messages":[`+strings.Repeat(result("x", "x")+",", 32)+result("x", "x")+`]`),
	} {
		got := s.run(99, body)
		if end := got[len(got)-1]; end.Type != "RUN_ERROR" || end.Code == "" || end.Message == "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
