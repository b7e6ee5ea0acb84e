package gateway_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/ui"
)

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

const basic = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"

// surface is the lines that create a surface which says text and holds value.
func surface(id, text, value string) []string {
	return []string{
		fmt.Sprintf(`{"version":"v0.9","createSurface":{"surfaceId":%q,"catalogId":%q,"sendDataModel":true}}`, id, basic),
		fmt.Sprintf(`{"version":"v0.9","updateComponents":{"surfaceId":%q,"components":[`+
			`{"id":"root","component":"Column","children":["t"]},{"id":"t","component":"Text","text":%q}]}}`, id, text),
		fmt.Sprintf(`{"version":"v0.9","updateDataModel":{"surfaceId":%q,"path":"/v","value":%q}}`, id, value),
	}
}

// journaled is an answer as it comes back from a journal.
func journaled(t testing.TB, said gateway.Said) (out gateway.Said) {
	t.Helper()
	b, err := json.Marshal(said)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// take gives lines of an agent to its intake, and applies what counts. A journal has the same ops.
func take(t testing.TB, c *gateway.Config, s *ui.State, agent string, lines ...string) (*ui.State, []*ui.Error) {
	t.Helper()
	in := c.Intake(c.Agent(agent), s)
	for _, line := range lines {
		in.Take([]byte(line), noon)
	}
	said, warnings := in.End()
	nonce := func() string { return "00ff" }
	ops, more := gateway.Ops(s, said, nonce)
	again, _ := gateway.Ops(s, journaled(t, said), nonce)
	a, err := json.Marshal(ops)
	if b, _ := json.Marshal(again); err != nil || string(a) != string(b) {
		t.Fatalf("%v\n%s\nfrom a journal:\n%s", err, a, b)
	}
	next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, Ops: ops}, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return next, append(warnings, more...)
}

func says(s *ui.State, n ui.Name) string {
	if sf := s.Surface(n); sf != nil {
		return foreign.Of(sf).Text
	}
	return ""
}

// TestMessagesAreKeptAsTheyCame: the lines of an agent that are one message of its version are kept as they came, others are written
// again; both mean the same after a crash.
func TestMessagesAreKeptAsTheyCame(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	a := c.Agent("weather")
	lines := surface("main", "<b>Sun</b>", "1")
	odd := ` {"updateDataModel": {"value":"\ud83d\ude00", "path":"\/v", "surfaceId":"main"}, "version":"` + a.Version + `"} `
	list := `[{"version":"` + a.Version + `","deleteSurface":{"surfaceId":"main"}},` + strings.Join(lines, ",") + `]`
	in := c.Intake(a, ui.NewState("c"))
	for _, line := range append(lines, odd, list) {
		in.Take([]byte(line), noon)
	}
	said, warnings := in.End()
	if len(warnings) > 0 || len(said.Messages) != 8 {
		t.Fatalf("%v %q", warnings, said.Messages)
	}
	if string(said.Messages[3]) != odd || strings.Contains(string(said.Messages[0]), list) {
		t.Errorf("kept %q", said.Messages)
	}
	s, _ := take(t, c, ui.NewState("c"), "weather", append(lines, odd)...)
	if got := foreign.Of(s.Surface("weather:main")).Data.At("v").Text(); got != "😀" {
		t.Errorf("the value is %q", got)
	}
}

// TestOwnership: a surface belongs to who created it, as the op that opens it says; nobody else
// changes it, and ids do not collide.
func TestOwnership(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	c.Agents[1].Version, c.Agents[1].Dialect = c.Agents[0].Version, c.Agents[0].Dialect
	s, warnings := take(t, c, ui.NewState("c"), "weather", surface("main", "Sun", "1")...)
	if len(warnings) > 0 || gateway.Owner(s.Surface("weather:main")) != "weather" || says(s, "weather:main") != "Sun" {
		t.Fatalf("%v %q", warnings, says(s, "weather:main"))
	}
	s, warnings = take(t, c, s, "bank", surface("main", "Money", "2")...)
	if len(warnings) > 0 || says(s, "weather:main") != "Sun" || says(s, "bank:main") != "Money" {
		t.Errorf("%v %q %q", warnings, says(s, "weather:main"), says(s, "bank:main"))
	}
	for name, line := range map[string]string{
		"change":       strings.Replace(surface("weather:main", "x", "x")[1], "x", "Spoof", 1),
		"data":         surface("weather:main", "x", "x")[2],
		"delete":       `{"version":"v0.9","deleteSurface":{"surfaceId":"weather:main"}}`,
		"wire id":      `{"version":"v0.9","deleteSurface":{"surfaceId":"weather:main#e=1"}}`,
		"as a form":    strings.ReplaceAll(surface("form:customer", "x", "x")[1], "x", "Spoof"),
		"assigned":     surface("account", "x", "x")[0],
		"nothing such": `{"version":"v0.9","deleteSurface":{"surfaceId":"none"}}`,
	} {
		agent := "bank"
		if name == "assigned" {
			agent = "weather"
		}
		next, warnings := take(t, c, s, agent, line)
		if len(warnings) == 0 || says(next, "weather:main") != "Sun" || len(next.Surfaces) != 2 {
			t.Errorf("%s: %v, %d surfaces, %q", name, warnings, len(next.Surfaces), says(next, "weather:main"))
		}
	}
	c.IDs = "refuse"
	if _, warnings = take(t, c, s, "bank", `{"version":"v0.9","deleteSurface":{"surfaceId":"main"}}`); len(warnings) > 0 {
		t.Errorf("its own surface: %v", warnings)
	}
	s, _ = take(t, c, ui.NewState("c"), "weather", surface("main", "Sun", "1")...)
	if s, warnings = take(t, c, s, "bank", surface("main", "Money", "2")...); len(warnings) == 0 ||
		warnings[0].Code != gateway.CodeForeign || s.Surface("bank:main") != nil {
		t.Errorf("a collision: %v", warnings)
	}
}

// TestBadMessageCostsOnlyItself: a message that does not count is lost, or its surface, and no other.
func TestBadMessageCostsOnlyItself(t *testing.T) {
	t.Parallel()
	more := func(n int) (out []string) {
		for i := range n {
			out = append(out, surface(fmt.Sprintf("s%d", i), "x", "x")...)
		}
		return out
	}
	bad := func(n int) (out []string) {
		for i := range n {
			out = append(out, strings.Replace(surface(fmt.Sprintf("s%d", i), "x", "x")[0], "basic", "evil", 1))
		}
		return out
	}
	ok := surface("main", "Sun", "1")
	for name, c := range map[string]struct {
		lines    []string
		surfaces int
		code     ui.Code // of the first warning
	}{
		"fine":                  {ok, 1, ""},
		"healed":                {[]string{ok[0], strings.Replace(ok[1], "]}}", ",]}}", 1), strings.ReplaceAll(ok[2], `"`, "”")}, 1, ""},
		"client message":        {append([]string{`{"version":"v0.9","action":{"name":"x","surfaceId":"main","sourceComponentId":"a","timestamp":"2026-01-01T00:00:00Z","context":{}}}`}, ok...), 1, gateway.CodeMessage},
		"client in a list":      {[]string{`[` + ok[0] + `,{"version":"v0.9","error":{"code":"X","surfaceId":"main","message":"m"}}]`}, 0, gateway.CodeMessage},
		"infinite":              {[]string{ok[0], ok[1], strings.Replace(ok[2], `"1"`, `{"a":[1e999]}`, 1)}, 1, gateway.CodeMessage},
		"a large number":        {[]string{ok[0], ok[1], strings.Replace(ok[2], `"1"`, `{"a":[1e300,-0.1e-300]}`, 1)}, 1, ""},
		"no JSON":               {append([]string{"<html>"}, ok...), 1, gateway.CodeMessage},
		"other version":         {append([]string{`{"version":"v1.0","deleteSurface":{"surfaceId":"main"}}`}, ok...), 1, gateway.CodeMessage},
		"other catalog":         {[]string{strings.Replace(ok[0], "basic", "evil", 1), ok[1]}, 0, gateway.CodeMessage},
		"component":             {append(ok, strings.Replace(ok[1], `"Column"`, `"Script"`, 1)), 1, gateway.CodeMessage},
		"no root":               {[]string{ok[0], strings.Replace(ok[1], `"id":"root"`, `"id":"r"`, 1)}, 0, gateway.CodeMessage},
		"one is broken":         {append(surface("bad", "x", "x")[:1], ok...), 1, gateway.CodeMessage},
		"too many":              {more(10_000), 8, gateway.CodeLimit},
		"bad ones have no room": {append(bad(10), ok...), 1, gateway.CodeMessage},
		"a huge one":            {[]string{ok[0], ok[1], strings.Replace(ok[2], `"1"`, `"`+strings.Repeat("x", 2<<20)+`"`, 1)}, 1, gateway.CodeLimit},
		"function call":         {append([]string{`{"version":"v1.0","callRendererFunction":{"functionCallId":"1","callFunction":{"call":"openUrl","args":{},"catalogId":"x"}}}`}, ok...), 1, gateway.CodeMessage},
		"a watch":               {append([]string{`{"version":"v0.9","watchDataModel":{"surfaceId":"main","configurations":[]}}`}, ok...), 1, gateway.CodeMessage},
		"script address":        {[]string{ok[0], strings.Replace(ok[1], `{"id":"t","component":"Text","text":"Sun"}`, `{"id":"t","component":"Image","url":"javascript:alert(1)"}`, 1)}, 1, ""},
	} {
		g := load(t, good)
		s, warnings := take(t, g, ui.NewState("c"), "weather", c.lines...)
		code := ui.Code("")
		if len(warnings) > 0 {
			code = warnings[0].Code
		}
		if name == "a watch" && !strings.Contains(fmt.Sprint(warnings), "with sendDataModel") {
			t.Errorf("an agent that watches is told %v", warnings)
		}
		if len(s.Surfaces) != c.surfaces || code != c.code || len(warnings) > 20 {
			t.Errorf("%s: %d surfaces, %v", name, len(s.Surfaces), warnings)
		}
	}
}

// TestUnsendable: what clients cannot read, or send back, does not count, however it comes. A surface that an agent
// creates once more stays then.
func TestUnsendable(t *testing.T) {
	t.Parallel()
	g := load(t, "agents: [{name: a, url: 'http://127.0.0.1:1/', version: v0.9}, {name: b, url: 'http://127.0.0.1:1/', protocol: agui, version: v1.0}]")
	press := func(id, name, key string) string {
		return fmt.Sprintf(`[{"id":"root","component":"Column","children":[%q]},{"id":%[1]q,"component":"Button","child":"l",`+
			`"action":{"event":{"name":%q,"context":{%q:1}}}},{"id":"l","component":"Text","text":"Go"}]`, id, name, key)
	}
	long := strings.Repeat("x", 1025)
	for name, c := range map[string]struct{ components, data, want string }{
		"fine":        {press("go", "go", "k"), `{"n":1}`, ""},
		"a number":    {press("go", "go", "k"), `{"n":[1e999]}`, "a number"},
		"an id":       {press(long, "go", "k"), `{}`, "the id"},
		"a control":   {press("g\to", "go", "k"), `{}`, "the id"},
		"an action":   {press("go", long, "k"), `{}`, "the action"},
		"a key of it": {press("go", "go", long), `{}`, "the action"},
	} {
		inline := func(components, data string) string {
			return fmt.Sprintf(`{"version":"v1.0","createSurface":{"surfaceId":"main","catalogId":%q,"components":%s,"dataModel":%s}}`,
				a2ui.CatalogID(a2ui.V10), components, data)
		}
		for agent, lines := range map[string][]string{
			"a": {surface("main", "x", "x")[0], `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":` + c.components + `}}`,
				`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/","value":` + c.data + `}}`},
			"b": {inline(c.components, c.data)},
		} {
			s, warnings := take(t, g, ui.NewState("c"), agent, lines...)
			if (len(warnings) == 0) != (c.want == "") || len(warnings) > 0 && !strings.Contains(warnings[0].Message, c.want) {
				t.Errorf("%s of %s: %v", name, agent, warnings)
			}
			if agent == "b" && len(s.Surfaces) == 0 == (c.want == "") {
				t.Errorf("%s of %s: %d surfaces", name, agent, len(s.Surfaces))
			}
		}
		s, warnings := take(t, g, ui.NewState("c"), "b", inline(press("go", "go", "k"), `{}`))
		in := g.Intake(g.Agent("b"), s)
		in.MayReplace()
		in.Take([]byte(inline(c.components, c.data)), noon)
		said, more := in.End()
		if len(s.Surfaces) != 1 || len(warnings) > 0 || len(more) == 0 != (c.want == "") || len(said.Messages) > 0 != (c.want == "") {
			t.Errorf("%s: created once more: %d messages, %v %v", name, len(said.Messages), warnings, more)
		}
	}
}

// TestToolsCallNoFunctions: an agent whose tools cannot take the result of a function calls none.
func TestToolsCallNoFunctions(t *testing.T) {
	t.Parallel()
	for protocol, refused := range map[string]bool{"a2ui": false, "mcp": true} {
		g := load(t, "agents: [{name: a, url: 'http://127.0.0.1:1/', version: v1.0, protocol: "+protocol+"}]")
		in := g.Intake(g.Agent("a"), ui.NewState("c"))
		in.Take([]byte(`{"version":"v1.0","callRendererFunction":{"functionCallId":"c1","callFunction":{"call":"getPosition","args":{},"catalogId":"x"}}}`), noon)
		_, warnings := in.End()
		if got := strings.Contains(fmt.Sprint(warnings), "tools of mcp"); got != refused || refused && warnings[0].Code != gateway.CodeMessage {
			t.Errorf("%s: %v", protocol, warnings)
		}
	}
}

// TestMessagesAboveTheRateAreLeftOut: messages above the rate of an agent are left out, and later ones count again.
func TestMessagesAboveTheRateAreLeftOut(t *testing.T) {
	t.Parallel()
	g := load(t, good)
	a := g.Agent("weather")
	a.Limits.Rate = 3
	in := g.Intake(a, ui.NewState("c"))
	lines := append(surface("main", "Sun", "1"), surface("main", "Sun", "2")[2])
	for i, line := range lines {
		in.Take([]byte(line), noon.Add(time.Duration(i)*time.Millisecond))
	}
	in.Take([]byte(lines[3]), noon.Add(time.Second))
	said, warnings := in.End()
	if len(said.Messages) != 4 || len(warnings) != 1 || warnings[0].Code != gateway.CodeLimit {
		t.Errorf("%d messages, %v", len(said.Messages), warnings)
	}
}

// TestWarningsAreSaidOnce: what is wrong again and again leaves room for what else is wrong.
func TestWarningsAreSaidOnce(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	a := c.Agent("weather")
	in := c.Intake(a, ui.NewState("c"))
	in.Text(strings.Repeat("x", a.Limits.Text))
	for range 100 {
		in.Text("more")
	}
	in.Take([]byte("<html>"), noon)
	if _, warnings := in.End(); len(warnings) != 2 || warnings[1].Code != gateway.CodeMessage {
		t.Errorf("%d warnings: %v", len(warnings), warnings)
	}
}

// TestIdentity: who a surface is from is said by the gateway, whatever the agent says.
func TestIdentity(t *testing.T) {
	t.Parallel()
	g := load(t, good)
	lines := surface("main", "Sun", "1")
	lines[0] = strings.Replace(lines[0], `"sendDataModel":true`,
		`"theme":{"primaryColor":"#112233","agentDisplayName":"Your Bank","iconUrl":"https://bank.example/i.png"}`, 1)
	s, warnings := take(t, g, ui.NewState("c"), "weather", lines...)
	one, err := foreign.Read(foreign.Of(s.Surface("weather:main")))
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	if got := one.Theme; got.At("agentDisplayName").Text() != "Weather" || got.At("iconUrl").Text() != "" ||
		got.At("primaryColor").Text() != "#112233" {
		t.Errorf("theme %+v", got)
	}
}

// FuzzStripping: no byte of what is on a surface of one agent is in what another one is sent: not of its
// words, its data, what the user typed there, its ids, or what was said with it.
func FuzzStripping(f *testing.F) {
	f.Add("main", "balance", "4711", false, "go")
	f.Add("x\u2028", "", "typed", true, "@bank")
	f.Fuzz(func(t *testing.T, id, text, value string, reply bool, asked string) {
		const secret = "S3CRET"
		g := load(t, good)
		g.Agents[1].Version, g.Agents[1].Dialect = g.Agents[0].Version, g.Agents[0].Dialect
		if strings.Contains(asked, secret) {
			return
		}
		s, _ := take(t, g, ui.NewState("c"), "bank", surface(id+secret, text+secret, value+secret)...)
		s, _ = take(t, g, s, "weather", surface("main", "Sun", "MINE")...)
		for _, sf := range s.Surfaces { // typed by the user
			if n := foreign.Of(sf); gateway.Owner(sf) == "bank" {
				one, err := foreign.Read(n)
				if err != nil {
					t.Fatal(err)
				}
				n.Model = one.Model()
			}
		}
		s.Transcript = []*ui.Entry{{Role: ui.RoleUser, Agents: []string{"bank"}, Text: "my number is " + secret},
			{Role: ui.RoleAssistant, By: "Weather", Agents: []string{"bank"}, Text: value + secret},
			{Role: ui.RoleUser, Agents: []string{"weather"}, Text: "rain?"},
			{Role: ui.RoleAssistant, By: "Weather", Agents: []string{"weather"}, Text: "No."}}
		prompt := gateway.Prompt{Text: asked}
		if reply {
			var ok bool // the bank hands a click on its surface over
			click := gateway.Prompt{Client: []byte(`{"version":"v0.9","action":"` + secret + `"}`)}
			if prompt, ok = click.After(gateway.Said{To: "weather", Prompt: asked}); !ok && asked != "" {
				t.Fatal("not handed over")
			}
			if !ok {
				prompt = gateway.Prompt{Text: "x"}
			}
		}
		q, err := g.Ask("weather", s, "e", prompt)
		if err != nil {
			t.Fatal(err)
		}
		body := string(q.Body())
		if !json.Valid([]byte(body)) {
			t.Errorf("no JSON: %s", body)
		}
		if strings.Contains(body, secret) {
			t.Errorf("the other agent is sent %s", body)
		}
		if !strings.Contains(body, "MINE") || !strings.Contains(body, "rain?") {
			t.Errorf("it lacks its own: %s", body)
		}
	})
}

// TestHandOverLimit: words that are handed over are words of the agent.
func TestHandOverLimit(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	a := c.Agent("weather")
	in := c.Intake(a, ui.NewState("c"))
	in.HandOver("bank", strings.Repeat("x", a.Limits.Text+1))
	said, warnings := in.End()
	if said.To != "bank" || len(said.Prompt) != a.Limits.Text || len(warnings) != 1 || warnings[0].Code != gateway.CodeLimit {
		t.Errorf("%s gets %d bytes: %v", said.To, len(said.Prompt), warnings)
	}
}

// TestTooLargeTogether: components that no client reads in one message are refused, and the surface stays as it was.
func TestTooLargeTogether(t *testing.T) {
	t.Parallel()
	g := load(t, "agents: [{name: a, url: 'http://127.0.0.1:1/', version: v0.9}]")
	s, warnings := take(t, g, ui.NewState("c"), "a", surface("main", "before", "x")...)
	if len(warnings) > 0 {
		t.Fatal(warnings)
	}
	var lines []string
	for i := range 2 {
		var list []string
		for k := range 10 {
			list = append(list, fmt.Sprintf(`{"id":"t%d%d","component":"Text","text":%q}`, i, k, strings.Repeat("x", 30_000)))
		}
		lines = append(lines, `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[`+strings.Join(list, ",")+`]}}`)
	}
	s, warnings = take(t, g, s, "a", lines...)
	if len(warnings) != 1 || !strings.Contains(warnings[0].Message, "the limit is 524288") {
		t.Errorf("%v", warnings)
	}
	if got := says(s, gateway.Name("a", "main")); got != "before" {
		t.Errorf("it says %.40q", got)
	}
	s, warnings = take(t, g, s, "a", `{"version":"v0.9","deleteSurface":{"surfaceId":"main"}}`)
	if len(warnings) > 0 || len(s.Surfaces) > 0 && s.Surfaces[0].Status == ui.StatusOpen {
		t.Errorf("the agent deletes it: %v", warnings)
	}
}

// TestOneWarningForASurface: what follows the refused message that would create a surface is left out without a word. A
// later one may still create it.
func TestOneWarningForASurface(t *testing.T) {
	t.Parallel()
	c := load(t, strings.Replace(good, `127.0.0.1:1/"}`, `127.0.0.1:1/", limits: {surfaces: 1}}`, 1))
	other := surface("other", "Rain", "2")
	for name, one := range map[string]struct {
		lines    []string
		says     string
		surfaces int
	}{
		"limit":   {append(surface("main", "Sun", "1"), other...), "more than 1 surfaces", 1},
		"owner":   {surface("account", "Sun", "1"), "belongs to the agent bank", 0},
		"catalog": {append([]string{strings.Replace(other[0], "basic", "evil", 1)}, other[1:]...), "BEGIN_CATALOG", 0},
		"room again": {slices.Concat(surface("main", "Sun", "1"), other,
			[]string{`{"version":"v0.9","deleteSurface":{"surfaceId":"main"}}`}, other), "more than 1 surfaces", 1},
	} {
		s, warnings := take(t, c, ui.NewState("c"), "weather", one.lines...)
		if len(warnings) != 1 || !strings.Contains(warnings[0].Message, one.says) || len(s.Surfaces) != one.surfaces {
			t.Errorf("%s: %d surfaces, %v", name, len(s.Surfaces), warnings)
		}
	}
}

// TestNestedData: data of v0.8 that nest maps are written as one update for each map that holds maps, all in their places.
func TestNestedData(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	in := c.Intake(c.Agent("bank"), ui.NewState("c"))
	for _, line := range []string{
		`{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"root","component":{"Text":{"text":{"path":"/list/0/name/first"}}}}]}}`,
		`{"dataModelUpdate":{"surfaceId":"main","path":"/","contents":[{"key":"old","valueString":"x"}]}}`,
		`{"dataModelUpdate":{"surfaceId":"main","path":"/","contents":[{"key":"list","valueMap":[` +
			`{"key":"0","valueMap":[{"key":"name","valueMap":[{"key":"first","valueString":"Ada"}]},{"key":"n","valueNumber":1}]},` +
			`{"key":"1","valueMap":[{"key":"n","valueNumber":2}]},{"key":"end","valueBoolean":true}]},{"key":"t","valueString":"T"}]}}`,
		`{"beginRendering":{"surfaceId":"main","root":"root"}}`,
	} {
		in.Take([]byte(line), noon)
	}
	said, warnings := in.End()
	s, _, more := gateway.Next(ui.NewState("c"), said, noon, func() string { return "00ff" }, ui.Limits{})
	if len(warnings)+len(more) > 0 || len(s.Surfaces) != 1 {
		t.Fatalf("%v %v %q", warnings, more, said.Messages)
	}
	data := string(a2ui.AppendData(nil, foreign.Of(s.Surface("bank:main")).Data))
	if data != `{"list":{"0":{"name":{"first":"Ada"},"n":1},"1":{"n":2},"end":true},"t":"T"}` {
		t.Errorf("data %s of %q", data, said.Messages)
	}
	for _, raw := range said.Messages {
		if _, err := a2ui.DecodeMessageAs(a2ui.V08, raw); err != nil || strings.Count(string(raw), "valueMap") > 1 && strings.Contains(string(raw), `"valueMap":[{"key":"0","valueMap"`) {
			t.Errorf("%v: %s", err, raw)
		}
	}
}

// TestUnknownProperties: a property that the catalog does not have is left out of its component, and is a warning that the
// user is not bothered with. The rest counts. A wrong value of a known one does not.
func TestUnknownProperties(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	old := func(components string) []string {
		return []string{`{"surfaceUpdate":{"surfaceId":"main","components":[` + components + `]}}`, `{"beginRendering":{"surfaceId":"main","root":"root"}}`}
	}
	for name, one := range map[string]struct {
		agent    string
		lines    []string
		left     []string // the warnings
		code     ui.Code
		surfaces int
	}{
		"v0.8": {"bank", old(`{"id":"root","component":{"Column":{"children":{"explicitList":["a","b","c"]}}}},` +
			`{"id":"a","component":{"DateTimeInput":{"label":{"literalString":"When"},"value":{"path":"/d"}}}},` +
			`{"id":"b","component":{"DateTimeInput":{"label":{"literalString":"And"},"value":{"path":"/d"}}}},` +
			`{"id":"c","component":{"TextField":{"label":{"literalString":"Size"},"type":"number","text":{"path":"/t"}}}}`),
			[]string{"DateTimeInput has no property label", `TextField has no property "type"`}, gateway.CodeProperty, 1},
		"v0.9": {"weather", []string{surface("main", "Sun", "1")[0], `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
			`{"id":"root","component":"Text","text":"Sun","size":3}]}}`}, []string{`Text has no property "size"`}, gateway.CodeProperty, 1},
		"v0.8, bound": {"bank", old(`{"id":"root","component":{"TextField":{"label":{"literalString":"City"},"value":{"path":"/c"}}}}`),
			[]string{"has no property", "no components"}, gateway.CodeMessage, 0},
		"v0.9, bound": {"weather", []string{surface("main", "Sun", "1")[0], `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
			`{"id":"root","component":"TextField","label":"City","text":{"path":"/c"}}]}}`}, []string{`text`, "root"}, gateway.CodeMessage, 0},
		"a wrong value": {"weather", []string{surface("main", "Sun", "1")[0], `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
			`{"id":"root","component":"Text","text":"Sun","variant":3}]}}`}, []string{"variant", "root"}, gateway.CodeMessage, 0},
	} {
		s, warnings := take(t, c, ui.NewState("c"), one.agent, one.lines...)
		if len(warnings) != len(one.left) || len(s.Surfaces) != one.surfaces {
			t.Errorf("%s: %d surfaces, %v", name, len(s.Surfaces), warnings)
			continue
		}
		for i, w := range warnings {
			if w.Code != one.code || !strings.Contains(w.Error(), one.left[i]) {
				t.Errorf("%s: %v", name, w)
			}
		}
	}
}

// TestManyUnknownProperties: notes about properties leave room for the warnings that users read.
func TestManyUnknownProperties(t *testing.T) {
	t.Parallel()
	var odd []string
	for i := range 30 {
		odd = append(odd, fmt.Sprintf(`"p%d":1`, i))
	}
	_, warnings := take(t, load(t, good), ui.NewState("c"), "weather", surface("main", "Sun", "1")[0],
		`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[{"id":"root","component":"Text","text":"Sun",`+strings.Join(odd, ",")+`}]}}`,
		surface("account", "Sun", "1")[0])
	if len(warnings) != 9 || warnings[8].Code != gateway.CodeForeign {
		t.Errorf("%v", warnings)
	}
}

// TestNestedDataIsBounded: nested data of v0.8 that become more messages, or more bytes, than an answer may have do not
// count at all.
func TestNestedDataIsBounded(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	for name, one := range map[string]struct {
		key, items int
		refused    bool
	}{"few": {10, 100, false}, "many": {10, 600, true}, "long paths": {60_000, 100, true}} {
		var items []string
		for i := range one.items {
			items = append(items, fmt.Sprintf(`{"key":"%d","valueMap":[{"key":"a","valueMap":[]}]}`, i))
		}
		in := c.Intake(c.Agent("bank"), ui.NewState("c"))
		for _, line := range []string{
			`{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"root","component":{"Text":{"text":{"literalString":"x"}}}}]}}`,
			`{"dataModelUpdate":{"surfaceId":"main","path":"/","contents":[{"key":"` + strings.Repeat("k", one.key) + `","valueMap":[` + strings.Join(items, ",") + `]}]}}`,
			`{"beginRendering":{"surfaceId":"main","root":"root"}}`,
		} {
			in.Take([]byte(line), noon)
		}
		said, warnings := in.End()
		if refused := len(warnings) == 1 && warnings[0].Code == gateway.CodeLimit; refused != one.refused ||
			len(warnings) > 1 || refused != (len(said.Messages) == 2) {
			t.Errorf("%s: %d messages, %v", name, len(said.Messages), warnings)
		}
	}
}

// TestLineOfAnotherKind: a line that has no message says which there are, before the type of what it has.
func TestLineOfAnotherKind(t *testing.T) {
	t.Parallel()
	c := load(t, strings.Replace(good, "routes:", "  - {name: newest, url: 'http://127.0.0.1:1/', version: v1.0}\nroutes:", 1))
	for _, one := range []struct{ agent, line, says string }{
		{"weather", `{"foo":1}`, "want a line that begins with text or handover, or a message of A2UI v0.9 (createSurface, updateComponents, " +
			"updateDataModel, deleteSurface), not one with foo"},
		{"weather", `{"version":"v0.9","error":"x","code":2}`, "not one with code, error"},
		{"weather", `{"version":"v0.9","text":"hi"}`, "begins with text"},
		{"bank", `{"foo":{}}`, "want a message of A2UI v0.8 (beginRendering, surfaceUpdate, dataModelUpdate, deleteSurface), not one with foo"},
		{"weather", `{"version":"v0.9","deleteSurface":1}`, "deleteSurface must be an object"},
		{"weather", `{"version":"v0.9"}`, "says nothing"},
		{"newest", `{"foo":1}`, "deleteSurface, callRendererFunction, agentFunctionResponse)"},
		{"weather", `[1]`, "not number"},
	} {
		_, warnings := take(t, c, ui.NewState("c"), one.agent, one.line)
		if len(warnings) != 1 || !strings.Contains(warnings[0].Message, one.says) {
			t.Errorf("%s: %v", one.line, warnings)
		}
	}
}
