package turn_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// withFunctions declares actions that clients may call, and one that takes the results of functions of clients.
func withFunctions(c *app.Config) {
	handler := func(context.Context, app.Call) (app.Result, error) { panic("a decision calls nothing") }
	c.Actions = append(c.Actions, app.Action{Name: "greet", Callers: "any", Reply: "Hello.", Show: "customer"},
		app.Action{Name: "price", Callers: "client", Handler: handler,
			Context: []app.ContextKey{{Key: "n", Type: ui.TypeNumber}}},
		app.Action{Name: "later", Callers: "client", Reply: "Now.", After: []string{"customer"}},
		app.Action{Name: "private", Reply: "No."}, app.Action{Name: "located", Handler: handler})
}

// calling is the call of a function by a client that has the surface.
func calling(sf *ui.Surface, name string, args ...ui.Pair) *ui.Event {
	return &ui.Event{V: ui.Version, ID: "call", Kind: ui.EventAction, At: noon, Data: ui.Map(args...),
		Action: &ui.ActionEvent{Surface: sf.WireID(), Name: name, Call: "c1", Version: "v1.0", Context: jsonx.OfObject()}}
}

// TestFunction: a client calls a function that the application declares for it, with arguments of the declared types,
// and on a surface that is there. Any other call is refused and says where it is wrong.
func TestFunction(t *testing.T) {
	t.Parallel()
	e := env(t, withFunctions)
	s := after(t, e, "add a customer")
	sf := s.Surface(customer)
	old := *sf
	old.Epoch = 7
	n := func(v ui.Value) ui.Pair { return ui.Pair{Key: "n", Value: v} }
	odd := calling(sf, "price")
	odd.Data, odd.Action.Context = ui.Value{}, limntest.Must(a2ui.ParseData([]byte(`{"n":{"A":1}}`)))
	for name, c := range map[string]struct {
		event *ui.Event
		code  ui.Code
		path  ui.Path
	}{
		"unknown":            {calling(sf, "dance"), ingress.CodeFunction, "/callFunction/call"},
		"not for clients":    {calling(sf, "private"), ingress.CodeFunction, "/callFunction/call"},
		"not now":            {calling(sf, "later"), ingress.CodeCall, ""},
		"another epoch":      {calling(&old, "greet"), ingress.CodeCall, "/surfaceId"},
		"no surface":         {calling(&ui.Surface{Name: guest, Epoch: 1}, "greet"), ingress.CodeCall, "/surfaceId"},
		"no argument of it":  {calling(sf, "price", ui.Pair{Key: "m", Value: ui.Int(1)}), ingress.CodeCall, "/callFunction/args/m"},
		"no data of an app":  {odd, ingress.CodeCall, "/callFunction/args/n"},
		"an argument's type": {calling(sf, "price", n(ui.String("many"))), ingress.CodeCall, "/callFunction/args/n"},
	} {
		p := turn.Decide(e, s, turn.Received{Event: c.event})
		ends(t, name, p.Outcome, ui.OutcomeRefused, c.code)
		if c.path != "" {
			equal(t, name+": where", c.path, p.Outcome.Path)
		}
		if p.Leaves() || len(p.Ops) > 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}

	p := turn.Decide(e, s, turn.Received{Event: calling(sf, "price", n(ui.Int(3)))})
	if p.Call.Effect == nil || p.Call.Effect.Action.Name != "price" {
		t.Fatalf("a handler: %+v", p)
	}
	equal(t, "its arguments", `{"n":3}`, string(p.Call.Effect.Values.AppendJSON(nil)))

	got := step(t, e, e.App.NewState("c"), turn.Received{Event: message(1, "add a customer")})
	got = step(t, e, got.After, turn.Received{Event: calling(got.After.Surface(customer), "greet")})
	ends(t, "a fixed answer", got.Frame.Outcome, ui.OutcomeDone, "")
	equal(t, "its value", `"Hello."`, got.Frame.Outcome.Value)
	equal(t, "the user reads", "", got.Frame.Text)
}

// TestFunctionReturns: the client gets the value of the handler's result, unless it is too large; a click gets none.
func TestFunctionReturns(t *testing.T) {
	t.Parallel()
	e := env(t, withFunctions)
	s := after(t, e, "add a customer")
	call := calling(s.Surface(customer), "price", ui.Pair{Key: "n", Value: ui.Int(3)})
	for name, c := range map[string]struct {
		called turn.Called
		kind   ui.OutcomeKind
		code   ui.Code
		value  string
	}{
		"a value":   {turn.Called{Result: app.Result{Value: ui.Int(30)}}, "done", "", "30"},
		"no value":  {turn.Called{}, "done", "", "null"},
		"too large": {turn.Called{Result: app.Result{Value: ui.String(strings.Repeat("x", 64<<10))}}, "failed", ingress.CodeTooLarge, ""},
		"a failure": {turn.Called{Failed: &ui.Error{Code: execute.CodeFailed}}, "failed", execute.CodeFailed, ""},
	} {
		got := finish(t, e, s, call, c.called)
		ends(t, name, got.Frame.Outcome, c.kind, c.code)
		equal(t, name, c.value, got.Frame.Outcome.Value)
	}
	got := finish(t, e, s, submit(s, "Ada"), turn.Called{Result: app.Result{Value: ui.Int(30)}})
	equal(t, "a click", "", got.Frame.Outcome.Value)
}

// result is what a client sends about a call that it was asked to make, so many seconds after noon.
func result(id string, seconds int, data ...ui.Pair) *ui.Event {
	return &ui.Event{V: ui.Version, ID: "result", Kind: ui.EventAction, Data: ui.Map(data...),
		At: noon.Add(time.Duration(seconds) * time.Second), Action: &ui.ActionEvent{Call: id, Returns: true,
			Version: "v1.0", Context: jsonx.OfObject()}}
}

// TestReturned: the result of a call goes to the action that waits for it, once and in time. A call that nobody
// answered ends in an error of the same action.
func TestReturned(t *testing.T) {
	t.Parallel()
	e := env(t, withFunctions)
	s := after(t, e, "add a customer")
	waits := func(action string) *ui.State { // for a call
		got := finish(t, e, s, submit(s, "Ada"), turn.Called{Result: app.Result{Call: &ui.Action{Do: "getPosition",
			Name: action}}})
		if n := len(got.After.Router.Calls); n != 1 {
			t.Fatalf("%d calls wait for %s: %+v", n, action, got.Frame)
		}
		return got.After
	}
	value, failure := ui.Pair{Key: "value", Value: ui.Int(1)}, ui.Pair{Key: "error", Value: ui.String("no")}

	located := waits("located")
	id := located.Router.Calls[0].ID
	p := turn.Decide(e, located, turn.Received{Event: result(id, 1, value)})
	if p.Call.Effect == nil || p.Call.Effect.Action.Name != "located" {
		t.Fatalf("the result calls %+v", p)
	}
	equal(t, "its values", `{"value":1}`, string(p.Call.Effect.Values.AppendJSON(nil)))
	taken := finish(t, e, located, result(id, 1, value), turn.Called{Result: app.Result{Text: "Found."}})
	equal(t, "the user reads", "Found.", taken.Frame.Text)

	expired := result(id, 600, failure)
	expired.Action.Version = "" // the server's own
	if p := turn.Decide(e, located, turn.Received{Event: expired}); p.Call.Effect == nil || p.Nothing(expired) {
		t.Errorf("nobody answered in time: %+v", p)
	}
	if p := turn.Decide(e, taken.After, turn.Received{Event: expired}); !p.Nothing(expired) {
		t.Errorf("a deadline of what is over makes a frame: %+v", p)
	}
	odd := result(id, 1)
	odd.Data, odd.Action.Context = ui.Value{}, limntest.Must(a2ui.ParseData([]byte(`{"value":{"A":1}}`)))
	for name, c := range map[string]struct {
		s     *ui.State
		event *ui.Event
		kind  ui.OutcomeKind
		code  ui.Code
		reads string
	}{
		"twice":              {taken.After, result(id, 2, value), "refused", ingress.CodeResult, ""},
		"too late":           {located, result(id, 61, value), "refused", ingress.CodeResult, ""},
		"of another call":    {located, result("call-x", 1, value), "refused", ingress.CodeResult, ""},
		"no data of an app":  {located, odd, "refused", ingress.CodeEnvelope, ""},
		"for a fixed answer": {waits("greet"), result(id, 1, value), "done", "", "Hello."},
		"an error for it":    {waits("greet"), result(id, 1, failure), "failed", execute.CodeFailed, "That did not work. What you typed is kept; please try again."},
	} {
		got := step(t, e, c.s, turn.Received{Event: c.event})
		ends(t, name, got.Frame.Outcome, c.kind, c.code)
		equal(t, name+": the user reads", c.reads, got.Frame.Text)
		if c.kind != ui.OutcomeRefused && len(got.After.Router.Calls) > 0 {
			t.Errorf("%s: the call waits still", name)
		}
	}
	e.App = env(t).App // a release without the action
	got := step(t, e, located, turn.Received{Event: result(id, 1, value)})
	ends(t, "an action that is gone", got.Frame.Outcome, ui.OutcomeDone, "")
	equal(t, "calls that wait", 0, len(got.After.Router.Calls))
}

// TestFunctionOfAgent: a call on the surface of an agent goes to that agent alone, and its reply is the value.
func TestFunctionOfAgent(t *testing.T) {
	t.Parallel()
	e := desk(t, strings.Replace(twoAgents, "title: Weather", "title: Weather, version: v1.0", 1))
	s := modern(t, e, sunny(""))
	sf := s.Surface("weather:main")
	if sf == nil {
		t.Fatal("no surface of the agent")
	}
	call := calling(sf, "forecast", ui.Pair{Key: "days", Value: ui.Int(2)})
	p := turn.Decide(e, s, turn.Received{Event: call})
	if p.Ask.Run != "agent:weather" || !p.Ask.Returns || !strings.Contains(p.Ask.Prompt, `"forecast"`) ||
		!strings.Contains(p.Ask.Prompt, `"days":2`) {
		t.Errorf("the call goes to %+v, %+v", p.Ask, p.Outcome)
	}
	for name, c := range map[string]struct {
		returned string
		kind     ui.OutcomeKind
		code     ui.Code
		value    string
	}{
		"a value":   {`{"version":"v1.0","agentFunctionResponse":{"functionCallId":"c1","value":[1,2]}}`, "done", "", `[1,2]`},
		"an error":  {`{"version":"v1.0","error":{"functionCallId":"c1","code":"X","message":"no"}}`, "failed", gateway.CodeMessage, ""},
		"no result": {"", "failed", gateway.CodeMessage, ""},
	} {
		said := agent.Said{Agent: "weather", Title: "Weather", Version: "v1.0"}
		if c.returned != "" {
			said.Returned = []byte(c.returned)
		}
		got := step(t, e, s, turn.Replied{Event: call, Run: p.Ask.Run, Reply: &agent.Reply{Agents: []agent.Said{said}}})
		ends(t, name, got.Frame.Outcome, c.kind, c.code)
		equal(t, name, c.value, got.Frame.Outcome.Value)
	}

	old := desk(t, twoAgents)
	shows := step(t, old, old.App.NewState("c"), turn.Replied{Event: message(1, "sun?"), Run: "agent:weather",
		Reply: &agent.Reply{Agents: []agent.Said{sunny("")}}}).After
	p = turn.Decide(old, shows, turn.Received{Event: calling(shows.Surface("weather:main"), "forecast")})
	ends(t, "a version without calls", p.Outcome, ui.OutcomeRefused, ingress.CodeFunction)
	bank := desk(t, `{agents: [{name: bank, url: "http://127.0.0.1:2/"}], fallback: bank}`)
	p = turn.Decide(bank, s, turn.Received{Event: call})
	ends(t, "an agent that is gone", p.Outcome, ui.OutcomeRefused, ingress.CodeCall)
}

// modern is the state after an answer of an agent that speaks A2UI v1.0.
func modern(tb testing.TB, e turn.Env, said agent.Said) *ui.State {
	tb.Helper()
	said.Version = "v1.0"
	for i, m := range said.Messages {
		text := strings.ReplaceAll(string(m), `"v0.9"`, `"v1.0"`)
		said.Messages[i] = []byte(strings.ReplaceAll(text, "v0_9", "v1_0"))
	}
	return step(tb, e, e.App.NewState("c"), turn.Replied{Event: message(1, "sun?"), Run: "agent:weather",
		Reply: &agent.Reply{Agents: []agent.Said{said}}}).After
}

// TestAgentAsksAClient: a function that an agent has clients call returns its result to that agent.
func TestAgentAsksAClient(t *testing.T) {
	t.Parallel()
	e := desk(t, strings.Replace(twoAgents, "title: Weather", "title: Weather, version: v1.0", 1))
	said := sunny("")
	said.Messages = append(said.Messages, []byte(`{"version":"v1.0","callRendererFunction":{"functionCallId":"7",`+
		`"callFunction":{"@call":"getPosition","args":{},"catalogId":"x"}}}`))
	s := modern(t, e, said)
	if len(s.Router.Calls) != 1 {
		t.Fatalf("no call waits: %+v", s.Router)
	}
	for name, c := range map[string]struct {
		data ui.Pair
		want string
	}{
		"a value": {ui.Pair{Key: "value", Value: ui.String("Oslo")}, `"value":"Oslo"`},
		"an error": {ui.Pair{Key: "error", Value: ui.Map(ui.Pair{Key: "code", Value: ui.String("NO")},
			ui.Pair{Key: "message", Value: ui.String("not now")})}, `"code":"NO","message":"not now"`},
	} {
		p := turn.Decide(e, s, turn.Received{Event: result(s.Router.Calls[0].ID, 1, c.data)})
		if p.Ask.Run != "agent:weather" || !p.Ask.Follows || !strings.Contains(p.Ask.Prompt, c.want) ||
			!strings.Contains(p.Ask.Prompt, `"functionCallId":"7"`) {
			t.Errorf("%s: %+v", name, p.Ask)
		}
	}
}
