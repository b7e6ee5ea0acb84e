package limn_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/llmtest"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/openai"
	"github.com/limn-ui/limn/store/memory"
)

// TestTraceSaysWhatWasSent: the trace of a turn has what the request to the model said
// after the request policy, not what was wished for.
func TestTraceSaysWhatWasSent(t *testing.T) {
	t.Parallel()
	generic := llm.Generic()
	for name, c := range map[string]struct {
		params map[string]any
		caps   func(*llm.Capabilities)
		want   turntrace.Run
	}{
		"what the server takes": {map[string]any{"temperature": 0.2, "top_p": 0.9, "top_k": 40.0, "seed": 7.0},
			func(c *llm.Capabilities) { c.Keys = []string{"temperature", "top_p", "seed"} },
			turntrace.Run{Parallel: new(bool), Temperature: number(0.2), TopP: number(0.9), Seed: number(7)}},
		"a server without the key": {nil, func(c *llm.Capabilities) { *c = llm.Capabilities{} }, turntrace.Run{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endpoint := llmtest.New(t, llmtest.Step{Text: limntest.Envelope("Hello.")})
			caps := generic
			caps.Streaming = false
			c.caps(&caps)
			m := limntest.Must(openai.New(openai.Config{URL: endpoint.URL, Model: "m", Retries: -1, Capabilities: &caps}))
			st := memory.New()
			srv := limntest.Must(limn.New(limn.Config{App: limntest.Must(app.New(app.Config{Name: "t"})), Store: st, Model: m,
				Params: c.params}))
			client := limntest.NewClient(t, limntest.Serve(t, srv).URL)
			client.Create()
			client.Say("hello there")
			list, err := st.Traces(t.Context(), client.ID, 0, 0)
			if err != nil || len(list) != 1 {
				t.Fatal(list, err)
			}
			turn := limntest.Must(turntrace.DecodeTurn(list[0].Body))
			got := turn.LLM[0]
			got = turntrace.Run{Parallel: got.Parallel, Stream: got.Stream, Temperature: got.Temperature, TopP: got.TopP,
				TopK: got.TopK, Seed: got.Seed}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("the trace differs (-want +got):\n%s", diff)
			}
			if p, sent := endpoint.Requests()[0].Body.Get("parallel_tool_calls"); sent != (got.Parallel != nil) ||
				sent && p.Bool != *got.Parallel {
				t.Errorf("parallel_tool_calls in the request: %v", p)
			}
		})
	}
}

// TestTraceOfRouting: a run of the routing model is recorded like any other, with its tokens.
func TestTraceOfRouting(t *testing.T) {
	t.Parallel()
	endpoint := llmtest.New(t, llmtest.Step{Text: `{"action":"chat","tool_name":null,"confidence":0.1,"title":null,"count":null}`})
	caps := llm.Generic()
	router := limntest.Must(openai.New(openai.Config{URL: endpoint.URL, Model: "small", Retries: -1, Capabilities: &caps}))
	st := memory.New()
	srv := limntest.Must(limn.New(limn.Config{App: limntest.Must(app.New(app.Config{Name: "t"})), Store: st, Router: router}))
	client := limntest.NewClient(t, limntest.Serve(t, srv).URL)
	client.Create()
	client.Say("it rained all day in our village")
	list, err := st.Traces(t.Context(), client.ID, 0, 0)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	turn := limntest.Must(turntrace.DecodeTurn(list[0].Body))
	if len(turn.LLM) == 0 || turn.LLM[0].For != "route" || len(turn.LLM[0].Attempts) != 1 {
		t.Fatalf("the runs are %+v", turn.LLM)
	}
	said := turn.LLM[0].Parallel
	if p, sent := endpoint.Requests()[0].Body.Get("parallel_tool_calls"); !sent || said == nil || *said != p.Bool {
		t.Errorf("parallel_tool_calls: %v in the trace, %v, %t in the request", said, p, sent)
	}
}

// TestTraceOfHybrid: what the requests with tools said stays in the trace of a run whose
// last request has no tools.
func TestTraceOfHybrid(t *testing.T) {
	t.Parallel()
	endpoint := llmtest.New(t, llmtest.Step{Text: "I looked."}, llmtest.Step{Text: limntest.Envelope("Done.")})
	caps := llm.Generic()
	caps.ParallelNeedsTools, caps.JSONSchema, caps.JSONObject, caps.Streaming = true, false, false, false
	m := limntest.Must(openai.New(openai.Config{URL: endpoint.URL, Model: "m", Retries: -1, Capabilities: &caps}))
	look := app.ModelTool{Name: "look", Description: "Looks.", Func: func(context.Context, app.ToolCall) (string, error) {
		return "", nil
	}}
	st := memory.New()
	srv := limntest.Must(limn.New(limn.Config{App: limntest.Must(app.New(app.Config{Name: "t",
		ModelTools: []app.ModelTool{look}, Messages: []app.MessageRoute{{Run: app.RunHybrid}}})), Store: st, Model: m}))
	client := limntest.NewClient(t, limntest.Serve(t, srv).URL)
	client.Create()
	client.Say("hello there")
	list := limntest.Must(st.Traces(t.Context(), client.ID, 0, 0))
	said := limntest.Must(turntrace.DecodeTurn(list[0].Body)).LLM[0].Parallel
	_, last := endpoint.Requests()[1].Body.Get("parallel_tool_calls")
	if p, sent := endpoint.Requests()[0].Body.Get("parallel_tool_calls"); !sent || last || said == nil || *said != p.Bool {
		t.Errorf("parallel_tool_calls: %v in the trace, %v, %t in the first request, %t in the last", said, p, sent, last)
	}
}

func number(f float64) *float64 { return &f }

func TestReservedParams(t *testing.T) {
	t.Parallel()
	_, err := limn.New(limn.Config{App: limntest.Must(app.New(app.Config{Name: "t"})),
		Params: map[string]any{"messages": nil, "temperature": 1.0}})
	if e, ok := err.(*limn.ConfigError); !ok || e.Field != "Params" {
		t.Errorf("%v", err)
	}
}
