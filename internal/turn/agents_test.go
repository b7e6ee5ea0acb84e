package turn_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/foreign/page"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// desk is the environment of a gateway of two agents.
func desk(t *testing.T, file string) turn.Env {
	t.Helper()
	e := env(t)
	var err error
	if e.Agents, err = gateway.Load("gateway.yaml", []byte(file)); err != nil {
		t.Fatal(err)
	}
	return e
}

const twoAgents = `
agents:
  - {name: weather, title: Weather, url: "http://127.0.0.1:1/"}
  - {name: bank, title: Bank, url: "http://127.0.0.1:2/"}
routes: [{prefix: "@bank", to: bank}, {pattern: both, to: [weather, bank]}]
fallback: weather
`

// sunny is an answer of the weather with a button, and with words.
func sunny(words string) agent.Said {
	said := agent.Said{Agent: "weather", Title: "Weather", Version: "v0.9", Text: words}
	for _, m := range []string{
		`{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}`,
		`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[{"id":"root","component":"Button","child":"t",` +
			`"action":{"event":{"name":"go","context":{"city":{"path":"/city"}}}}},{"id":"t","component":"Text","text":"Go"}]}}`,
		`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/city","value":"Oslo"}}`} {
		said.Messages = append(said.Messages, json.RawMessage(m))
	}
	return said
}

// TestMessageGoesToAgents: a message leads to a run that names its agents, and to what they are asked.
func TestMessageGoesToAgents(t *testing.T) {
	t.Parallel()
	e := desk(t, twoAgents)
	for text, want := range map[string]turn.Ask{
		"sun?":          {Run: "agent:weather", Prompt: "sun?"},
		"@bank balance": {Run: "agent:bank", Prompt: "balance"},
		"both of you":   {Run: "agent:weather,bank", Prompt: "both of you"},
	} {
		p := turn.Decide(e, e.App.NewState("c"), turn.Received{Event: message(1, text)})
		if !p.Leaves() || p.Ask.Run != want.Run || p.Ask.Prompt != want.Prompt || len(p.Ops) > 0 {
			t.Errorf("%q: %+v", text, p)
		}
	}
	p := turn.Decide(desk(t, strings.Replace(twoAgents, `{prefix: "@bank", to: bank}`, "{choose: [weather, bank]}", 1)),
		e.App.NewState("c"), turn.Received{Event: message(1, "sun?")})
	if p.Ask.Run != "choose:weather,bank" {
		t.Errorf("a model chooses: %+v", p.Ask)
	}
	nobody := desk(t, strings.Replace(twoAgents, "fallback: weather\n", "", 1))
	s := step(t, nobody, e.App.NewState("c"), turn.Received{Event: message(1, "sun?")}).After
	if last := s.Transcript[len(s.Transcript)-1]; !strings.HasPrefix(last.Text, "Nobody here answers that.") {
		t.Errorf("no route: %+v", last)
	}
	alone := step(t, e, e.App.NewState("c"), turn.Received{Event: message(1, "@bank")})
	ends(t, "a prefix alone", alone.Frame.Outcome, ui.OutcomeAsked, "")
	equal(t, "a prefix alone: the user reads", "What would you like to ask Bank?", alone.Frame.Text)
}

// TestAgentsReplied: the frame has what the agents said and show, and says what of it does not count.
func TestAgentsReplied(t *testing.T) {
	t.Parallel()
	e := desk(t, twoAgents)
	failed := func(code ui.Code, why agent.Reason) agent.Said {
		return agent.Said{Agent: "bank", Title: "Bank", Code: code, Reason: why}
	}
	for name, c := range map[string]struct {
		said     []agent.Said
		warnings []ui.Error
		lines    []string // that are said, each with its speaker
		code     ui.Code
		shown    bool
		last     string // that answered
	}{
		"words and a surface": {said: []agent.Said{sunny("Sunny.")}, lines: []string{"Weather: Sunny."}, shown: true,
			last: "weather"},
		"a surface alone": {said: []agent.Said{sunny("")}, shown: true, last: "weather"},
		"nothing":         {said: []agent.Said{{Agent: "bank", Title: "Bank"}}, lines: []string{": Bank had nothing to say."}},
		"a part does not count": {said: []agent.Said{sunny("Sunny.")},
			warnings: []ui.Error{{Code: gateway.CodeMessage, Path: "/agents/weather/x", Message: "no [root](x)"}},
			lines: []string{"Weather: Sunny.",
				": Something that Weather sent cannot be shown, and was left out. The reason: no (root)(x)"},
			code: gateway.CodeMessage, shown: true, last: "weather"},
		"a warning about another": {said: []agent.Said{sunny("Sunny.")},
			warnings: []ui.Error{{Code: gateway.CodeMessage, Path: "/agents/weather2/x", Message: "no root"}},
			lines:    []string{"Weather: Sunny."}, shown: true, last: "weather"},
		"one is away": {said: []agent.Said{sunny("Sunny."), failed(gateway.CodeAway, "")},
			lines: []string{"Weather: Sunny.", ": Bank does not answer at the moment. Please try again later."},
			code:  gateway.CodeAway, shown: true, last: "weather"},
		"one refuses": {said: []agent.Said{failed(gateway.CodeAway, "No."), sunny("")},
			lines: []string{": Bank could not do that: No."}, code: gateway.CodeAway, shown: true, last: "weather"},
	} {
		got := step(t, e, e.App.NewState("c"), turn.Replied{Event: message(1, "both of you"),
			Reply: &agent.Reply{Agents: c.said, Warnings: c.warnings}, Run: "agent:weather,bank"})
		var lines []string
		for _, l := range got.After.Transcript {
			if l.Role == ui.RoleAssistant {
				lines = append(lines, l.By+": "+l.Text)
			}
		}
		sf := got.After.Surface("weather:main")
		if strings.Join(lines, "\n") != strings.Join(c.lines, "\n") || got.Frame.Outcome.Code != c.code ||
			(sf != nil && gateway.Owner(sf) == "weather") != c.shown || got.After.Router.Agent != c.last {
			t.Errorf("%s: %q, %+v, surface %v, last %q", name, lines, got.Frame.Outcome, sf != nil, got.After.Router.Agent)
		}
	}
}

// TestClickGoesToTheOwner: a click leads to a run of the agent whose surface it is on, with what that knows and no
// more; one that does not count leads to nobody.
func TestClickGoesToTheOwner(t *testing.T) {
	t.Parallel()
	e := desk(t, twoAgents)
	s := step(t, e, e.App.NewState("c"), turn.Replied{Event: message(1, "sun?"), Run: "agent:weather",
		Reply: &agent.Reply{Agents: []agent.Said{sunny("")}}}).After
	sf := s.Surface("weather:main")
	click := func(change func(*ui.ActionEvent)) *ui.Event {
		a := &ui.ActionEvent{Surface: sf.WireID(), Nonce: sf.Nonce, Rev: sf.Rev, Name: "go", Component: "root",
			Timestamp: "2026-11-20T12:00:00Z", Context: jsonx.OfObject(jsonx.Member{Key: "city", Value: jsonx.Of("Rome")},
				jsonx.Member{Key: "secret", Value: jsonx.Of("x")})}
		change(a)
		return &ui.Event{V: ui.Version, ID: "click", Kind: ui.EventAction, At: noon, Action: a}
	}
	p := turn.Decide(e, s, turn.Received{Event: click(func(*ui.ActionEvent) {})})
	const want = `{"version":"v0.9","action":{"name":"go","surfaceId":"main","sourceComponentId":"root",` +
		`"timestamp":"2026-11-20T12:00:00Z","context":{"city":"Rome"}}}`
	if p.Ask.Run != "agent:weather" || p.Ask.Prompt != want {
		t.Errorf("the owner is asked by %q:\n%s\nwant\n%s", p.Ask.Run, p.Ask.Prompt, want)
	}
	gone := desk(t, `{agents: [{name: bank, url: "http://127.0.0.1:2/"}], fallback: bank}`)
	for name, c := range map[string]struct {
		env    turn.Env
		change func(*ui.ActionEvent)
		code   ui.Code
	}{
		"another nonce":     {e, func(a *ui.ActionEvent) { a.Nonce = strings.Repeat("0", 32) }, ingress.CodeForbidden},
		"another component": {e, func(a *ui.ActionEvent) { a.Component = "t" }, ingress.CodeForbidden},
		"another action":    {e, func(a *ui.ActionEvent) { a.Name = "delete" }, ingress.CodeForbidden},
		"another surface":   {e, func(a *ui.ActionEvent) { a.Surface = "bank:main#e=1" }, ingress.CodeStale},
		"the agent is gone": {gone, func(*ui.ActionEvent) {}, gateway.CodeGone},
	} {
		p := turn.Decide(c.env, s, turn.Received{Event: click(c.change)})
		if p.Leaves() || p.Outcome.Code != c.code {
			t.Errorf("%s: run %q, %+v, want %s", name, p.Ask.Run, p.Outcome, c.code)
		}
	}
	report := &ui.Event{V: ui.Version, ID: "r", Kind: ui.EventError, At: noon,
		Error: &ui.ErrorEvent{Code: "VALIDATION_FAILED", Surface: sf.WireID(), Path: "/x", Message: "odd"}}
	if p := turn.Decide(e, s, turn.Received{Event: report}); p.Ask.Run != "agent:weather" ||
		!strings.Contains(p.Ask.Prompt, `"surfaceId":"main"`) {
		t.Errorf("a report of an error: %+v", p.Ask)
	}
}

// asking is an answer of the weather with an input that must be filled in, and a button.
func asking() agent.Said {
	said := agent.Said{Agent: "weather", Title: "Weather", Version: "v0.9"}
	for _, m := range []string{
		`{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}`,
		`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
			`{"id":"root","component":"Column","children":["city","b"]},` +
			`{"id":"city","component":"TextField","label":"City","value":{"path":"/city"}},` +
			`{"id":"b","component":"Button","child":"t","checks":[{"condition":{"call":"required","args":{"value":{"path":"/city"}}},` +
			`"message":"Name a city."}],"action":{"event":{"name":"go","context":{"city":{"path":"/city"}}}}},` +
			`{"id":"t","component":"Text","text":"Go"}]}}`,
		`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/city","value":"Oslo"}}`} {
		said.Messages = append(said.Messages, json.RawMessage(m))
	}
	return said
}

// TestPageIsPressed: a page posts values and a button of an agent's surface; the agent gets its action with these values.
// What its checks refuse goes to nobody, and the values stay.
func TestPageIsPressed(t *testing.T) {
	t.Parallel()
	e := desk(t, twoAgents)
	s := step(t, e, e.App.NewState("c"), turn.Replied{Event: message(1, "sun?"), Run: "agent:weather",
		Reply: &agent.Reply{Agents: []agent.Said{asking()}}}).After
	sf := s.Surface("weather:main")
	post := func(city string, change func(*ui.ActionEvent)) *ui.Event {
		click := press(t, page.Of(sf), "Go", input("/draft/city", city))
		click.Action.Form = true
		change(click.Action)
		return click
	}
	nothing := func(*ui.ActionEvent) {}
	rome := post("Rome", nothing)
	p := turn.Decide(e, s, turn.Received{Event: rome})
	if p.Ask.Run != "agent:weather" || !p.Ask.Follows || !strings.Contains(p.Ask.Prompt, `"name":"go"`) ||
		!strings.Contains(p.Ask.Prompt, `"city":"Rome"`) {
		t.Errorf("the owner is asked %+v, %+v", p.Ask, p.Outcome)
	}
	kept, err := turn.Apply(e, s, rome, p, true)
	if err != nil {
		t.Fatal(err)
	}
	city, _ := page.Of(kept.After.Surface("weather:main")).Get("/draft/city")
	equal(t, "what is kept", "Rome", city.Text())

	p = turn.Decide(e, s, turn.Received{Event: post("", nothing)})
	ends(t, "a check", p.Outcome, ui.OutcomeAsked, "")
	equal(t, "the user reads", "Please check: Name a city.", p.Outcome.Message)
	if p.Leaves() || !has[*ui.Update](p.Ops) {
		t.Errorf("a check: %+v", p)
	}
	gone := desk(t, `{agents: [{name: bank, url: "http://127.0.0.1:2/"}], fallback: bank}`)
	for name, c := range map[string]struct {
		env   turn.Env
		click *ui.Event
		code  ui.Code
	}{
		"another nonce":     {e, post("Rome", func(a *ui.ActionEvent) { a.Nonce = strings.Repeat("0", 32) }), ingress.CodeForbidden},
		"another component": {e, post("Rome", func(a *ui.ActionEvent) { a.Component = "x" }), ingress.CodeForbidden},
		"the agent is gone": {gone, post("Rome", nothing), gateway.CodeGone},
	} {
		p := turn.Decide(c.env, s, turn.Received{Event: c.click})
		ends(t, name, p.Outcome, ui.OutcomeRefused, c.code)
		if p.Leaves() {
			t.Errorf("%s: asks %+v", name, p.Ask)
		}
	}
}

// TestPageOfWordsIsNotPressed: a surface that a page shows as its words has no buttons and no inputs there: nothing that is
// posted to it counts.
func TestPageOfWordsIsNotPressed(t *testing.T) {
	t.Parallel()
	e, said := desk(t, twoAgents), asking()
	said.Messages = append(said.Messages,
		json.RawMessage(`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/rows","value":[`+strings.Repeat("0,", 4000)+`0]}}`),
		json.RawMessage(`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[{"id":"root","component":"Column","children":["city","b","rows"]},`+
			`{"id":"rows","component":"List","children":{"componentId":"t","path":"/rows"}}]}}`))
	few := step(t, e, e.App.NewState("c"), turn.Replied{Event: message(1, "sun?"), Run: "agent:weather",
		Reply: &agent.Reply{Agents: []agent.Said{asking()}}}).After
	s := step(t, e, e.App.NewState("c"), turn.Replied{Event: message(1, "sun?"), Run: "agent:weather",
		Reply: &agent.Reply{Agents: []agent.Said{said}}}).After
	sf := s.Surface("weather:main")
	if page.Of(sf) != sf {
		t.Fatal("a page shows the surface whole")
	}
	click := press(t, page.Of(few.Surface("weather:main")), "Go", input("/draft/city", "Rome"))
	click.Action.Form = true
	click.Action.Nonce, click.Action.Rev = sf.Nonce, sf.Rev
	p := turn.Decide(e, s, turn.Received{Event: click})
	ends(t, "a press", p.Outcome, ui.OutcomeRefused, ingress.CodeForbidden)
	if p.Leaves() || has[*ui.Update](p.Ops) {
		t.Errorf("a press: %+v", p)
	}
}

// TestAgentShows: a part of an answer is shown before the answer ends, without words; what is no answer is refused.
func TestAgentShows(t *testing.T) {
	t.Parallel()
	e := desk(t, twoAgents)
	raw, err := json.Marshal(sunny("Sunny."))
	if err != nil {
		t.Fatal(err)
	}
	part := &ui.Event{V: ui.Version, ID: "s", Kind: gateway.KindPartial, At: noon, Text: string(raw)}
	got := step(t, e, e.App.NewState("c"), turn.Received{Event: part})
	ends(t, "a part", got.Frame.Outcome, ui.OutcomeDone, "")
	equal(t, "the surface", ui.StatusOpen, status(got.After, "weather:main"))
	equal(t, "the user reads", "", got.Frame.Text)
	part.Text = "{"
	p := turn.Decide(e, e.App.NewState("c"), turn.Received{Event: part})
	ends(t, "no answer", p.Outcome, ui.OutcomeRefused, ingress.CodeEnvelope)
}

// TestRetryAsksTheSame: an agent that is asked again gets the words that it was asked first, without the prefix of its
// route.
func TestRetryAsksTheSame(t *testing.T) {
	t.Parallel()
	e := desk(t, twoAgents)
	s := e.App.NewState("c")
	s = step(t, e, s, turn.Replied{Event: message(1, "@bank balance"), Run: "agent:bank",
		Failed: &ui.Error{Code: gateway.CodeAway, Message: "Bank"}}).After
	offer := s.Surfaces[len(s.Surfaces)-1]
	if text, _ := offer.Origin.Params.Get("message"); text.Text() != "balance" {
		t.Errorf("the offer to ask again is about %q", text.Text())
	}
}
