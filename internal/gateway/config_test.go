package gateway_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/ui"
)

const good = `
title: The desk
agents:
  - {name: weather, title: Weather, url: "http://127.0.0.1:1/"}
  - {name: bank, url: "https://bank.example/a2a", protocol: a2a, version: v0.8, idempotent: true, time: 5s}
routes:
  - {prefix: "@bank", to: bank}
  - {pattern: "(?i)rain", to: [weather, bank]}
fallback: weather
surfaces: {account: bank}
`

func load(t testing.TB, yaml string) *gateway.Config {
	t.Helper()
	c, err := gateway.Load("gateway.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFaultsHaveAPlaceAndAHint(t *testing.T) {
	t.Parallel()
	load(t, good)
	for name, c := range map[string]struct{ from, to, place, says, hint string }{
		"unknown key":    {"title: The desk", "titel: The desk", "gateway.yaml:2", "no key titel here", "title"},
		"no YAML":        {"title: The desk", "title: [", "gateway.yaml:", "", ""},
		"agent":          {"fallback: weather", "fallback: whether", "gateway.yaml:9:11", "no agent", "weather"},
		"route":          {"to: bank}", "to: bnak}", "gateway.yaml:7:", "no agent", "bank"},
		"two kinds":      {`prefix: "@bank"`, `prefix: "@bank", pattern: x`, "gateway.yaml:7:", "one of them", "such as {prefix"},
		"pattern":        {"(?i)rain", "(rain", "gateway.yaml:8:", "pattern", "RE2"},
		"reserved name":  {"name: weather", "name: form", "gateway.yaml:4:", "want [a-z]", "weather"},
		"near a kind":    {"name: weather,", "name: maps, catalog: c.json,", "gateway.yaml:4:", "too like map", ""},
		"two of a name":  {"name: bank", "name: weather", "gateway.yaml:5:", "two agents", "another"},
		"port":           {"http://127.0.0.1:1/", "http://h:99999/", "gateway.yaml:4:", "address", "https"},
		"no host":        {"http://127.0.0.1:1/", "http://:80/", "gateway.yaml:4:", "address", "https"},
		"tool":           {"time: 5s", "tool: ask", "gateway.yaml:5:", "mcp", "remove"},
		"no surface":     {"account: bank", "'': bank", "gateway.yaml:10:", "id of a surface", "account"},
		"address":        {"http://127.0.0.1:1/", "file:///etc/passwd", "gateway.yaml:4:", "address", "https"},
		"password":       {"http://127.0.0.1:1/", "http://a:b@h/", "gateway.yaml:4:", "password", "file"},
		"protocol":       {"protocol: a2a", "protocol: smtp", "gateway.yaml:5:", "smtp", "a2ui, a2a, agui"},
		"version":        {"version: v0.8", "version: v7", "gateway.yaml:5:", "v7", "v0.9"},
		"time":           {"time: 5s", "time: 5h", "gateway.yaml:5:", "1s to", ""},
		"surface":        {"account: bank", "account: banc", "gateway.yaml:10:", "no agent", "bank"},
		"nobody":         {good, "title: x", "gateway.yaml:", "no agent", "declare"},
		"limit":          {"time: 5s", "limits: {bytes: 99999999}", "gateway.yaml:5:", "want 1 to", "1048576"},
		"suggestions":    {"title: The desk", "suggestions: ['']", "gateway.yaml:2:", "suggestion", "Show my orders"},
		"operators":      {"title: The desk", "operators: ['']", "gateway.yaml:2:", "role", "support"},
		"ids":            {"title: The desk", "ids: maybe", "gateway.yaml:2:", "maybe", "prefix, refuse"},
		"transcript":     {"time: 5s", "transcript: some", "gateway.yaml:5:", "some", "own, all, none"},
		"too many to":    {"to: bank}", "to: [bank, bank, bank, bank]}", "gateway.yaml:7:", "1 to 3", "such as"},
		"twice":          {"to: bank}", "to: [bank, bank]}", "gateway.yaml:7:", "twice", "once"},
		"a number":       {"time: 5s", "time: 5", "gateway.yaml:5", "want a time, such as 60s, not 5", ""},
		"no list":        {good, "title: x\nagents: 3", "gateway.yaml:2", "want a list", ""},
		"empty":          {good, "", "gateway.yaml:1", "empty", "agent"},
		"nothing":        {"routes:", "  -\nroutes:", "gateway.yaml:6:", "nothing", "remove"},
		"another part":   {"title: The desk", "url: x", "gateway.yaml:2", "no key url here", "another part"},
		"two documents":  {good, good + "---\ntitle: x\n", "gateway.yaml:12:", "more than one", "---"},
		"neither of two": {`prefix: "@bank", `, "", "gateway.yaml:7:", "one of them", ""},
		"decision":       {`prefix: "@bank"`, `decision: chart`, "gateway.yaml:7:", "chart", "table, map"},
		"one to choose":  {`prefix: "@bank", to: bank`, `choose: bank`, "gateway.yaml:7:", "2 to 100", ""},
		"choose and to":  {`prefix: "@bank"`, `choose: [bank, weather]`, "gateway.yaml:7:", "the model chooses", "remove"},
		"about":          {"name: weather", "name: weather, about: " + strings.Repeat("x", 501), "gateway.yaml:4:", "500", "sentences"},
	} {
		_, err := gateway.Load("gateway.yaml", []byte(strings.Replace(good, c.from, c.to, 1)))
		var e *ui.Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Path, c.place) || !strings.Contains(e.Message, c.says) ||
			!strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s: %+v", name, err)
		}
	}
}

func TestRoute(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	s := ui.NewState("c")
	for text, want := range map[string]string{
		"@bank: pay it":    "bank|pay it",
		"@BANK pay it":     "bank|pay it",
		"@banker pay it":   "weather|@banker pay it",
		"Will it rain?":    "weather,bank|Will it rain?",
		"anything else":    "weather|anything else",
		"  @bank, balance": "bank|balance",
		"@bank\r\npay it":  "bank|pay it",
		"@bank\u00a0pay":   "bank|pay",
		"@bank. Pay it":    "bank|Pay it",
		"@bank?":           "bank|?",
		"@bank-er pay":     "weather|@bank-er pay",
	} {
		to := c.Route(s, text)
		if got := strings.Join(to.Agents, ",") + "|" + to.Prompt; got != want || to.Choose {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	marked := load(t, strings.Replace(good, `prefix: "@bank"`, `prefix: "! "`, 1))
	if to := marked.Route(s, "!pay"); to.Prompt != "pay" || to.Agents[0] != "bank" {
		t.Errorf("a prefix that is no word: %v", to)
	}
	c.Sticky, c.Fallback = true, ""
	if to := c.Route(s, "hello"); to.Agents != nil {
		t.Errorf("nobody is meant, and %v are asked", to.Agents)
	}
	s.Router.Agent = "bank"
	if to := c.Route(s, "hello"); !slices.Equal(to.Agents, []string{"bank"}) {
		t.Errorf("the agent that answered last is not asked, but %v", to.Agents)
	}
}

// TestRouteByDecision: a rule can be for the messages that the router opens a worksheet for, and one for a model.
func TestRouteByDecision(t *testing.T) {
	t.Parallel()
	c := load(t, strings.Replace(good, "routes:", "routes:\n  - {decision: table, to: bank}\n  - {decision: map, to: [bank, weather]}", 1))
	s := ui.NewState("c")
	for text, want := range map[string]string{
		"We have 20 stakeholders across finance, ops, and IT.":        "bank",
		"Map the approval process: request, review, sign, pay, file.": "bank,weather",
		"How are you?": "weather",
	} {
		if to := c.Route(s, text); strings.Join(to.Agents, ",") != want || to.Prompt != text {
			t.Errorf("%q: %+v, want %s", text, to, want)
		}
	}
	if err := c.NeedModel(); err != nil {
		t.Error(err)
	}
	c = load(t, strings.Replace(good, `{prefix: "@bank", to: bank}`, "{choose: [bank, weather]}", 1))
	if to := c.Route(s, "x"); !to.Choose || !slices.Equal(to.Agents, []string{"bank", "weather"}) {
		t.Errorf("a model chooses: %+v", to)
	}
	var e *ui.Error
	if err := c.NeedModel(); !errors.As(err, &e) || !strings.HasPrefix(e.Path, "gateway.yaml:7:") || e.Hint == "" {
		t.Errorf("without a model: %+v", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(good)
	f.Add("agents: [&a {name: a, url: http://h}, *a]")
	f.Fuzz(func(t *testing.T, yaml string) {
		c, err := gateway.Load("g.yaml", []byte(yaml))
		if err == nil && len(c.Agents) == 0 {
			t.Error("a gateway without agents")
		}
	})
}
