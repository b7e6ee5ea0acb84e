package directives

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/llmtest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/openai"
	"github.com/limn-ui/limn/llm/scripted"
	"github.com/limn-ui/limn/ui"
)

// CodeSimulator is a name that no simulator has.
const CodeSimulator ui.Code = "EVAL_SIMULATOR_UNKNOWN"

// Simulators beside those of llmtest.Quirks, which answer well through a server
// that misbehaves.
const (
	simGood   = "good"   // the good answer of each scenario
	simMute   = "mute"   // words alone, whatever is wanted
	simWrong  = "wrong"  // a valid envelope with another directive than is wanted
	simLost   = "lost"   // a patch of a surface that is not there
	simFlaky  = "flaky"  // every fourth answer is no JSON
	simScript = "script" // the application's own script, as limn serve has it without a model
	simProse  = "prose"  // the good answer inside prose, with a wrong comma, even when asked for the JSON alone
	simDeaf   = "deaf"   // a sentence in front of the good answer, word for word the same when asked
	simPolite = "polite" // a sentence in front of the good answer, until asked once more
)

// SimulatorNames lists all of them.
func SimulatorNames() []string {
	names := []string{simGood, simMute, simWrong, simLost, simFlaky, simScript, simProse, simDeaf, simPolite}
	for _, q := range llmtest.Quirks() {
		names = append(names, string(q))
	}
	return names
}

// headerScenario names the scenario to a simulator; a real server reads the words.
const headerScenario = "Limn-Scenario"

type scenarioKey struct{}

func withScenario(ctx context.Context, sc *Scenario) context.Context {
	return context.WithValue(ctx, scenarioKey{}, sc.Name)
}

type tagged struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t tagged) RoundTrip(r *http.Request) (*http.Response, error) {
	if name, ok := r.Context().Value(scenarioKey{}).(string); ok {
		r.Header.Set(headerScenario, name)
	}
	return t.RoundTripper.RoundTrip(r)
}

// Simulator starts a server on this machine that behaves like a known kind of
// model and knows the good answers of these scenarios; the caller closes it.
// Tokens are those the server says: 11 in, 4 of them cached, and 7 out.
func Simulator(name string, a *app.App, scenarios []Scenario) (m *Model, closer func(), err error) {
	names := SimulatorNames()
	if !slices.Contains(names, name) {
		e := ui.Errorf(CodeSimulator, "", "no simulator is called %.64q", name)
		e.Hint = meant(name, names)
		return nil, nil, e
	}
	if name == simScript {
		s, err := scripted.New(a.Script())
		if err != nil {
			return nil, nil, err
		}
		return &Model{Name: "sim:" + name, Model: s}, func() {}, nil
	}
	o := llmtest.Options{RetryAfter: "0", Drip: 1, Answer: answers(name, scenarios), Call: calls(name, scenarios)}
	if slices.Contains(llmtest.Quirks(), llmtest.Quirk(name)) {
		o.Quirk = llmtest.Quirk(name)
	}
	srv, err := llmtest.Start(o)
	if err != nil {
		return nil, nil, fmt.Errorf("start simulator %s: %w", name, err)
	}
	caps := llm.Generic()
	pace := &Pace{}
	asks, err := openai.New(openai.Config{URL: srv.URL, Model: "sim", Capabilities: &caps,
		Transport: pace.Watch(tagged{srv.Transport()})})
	if err != nil {
		srv.Close()
		return nil, nil, err
	}
	return &Model{Name: "sim:" + name, Model: asks, Pace: pace}, srv.Close, nil
}

var runMark = regexp.MustCompile(`between <(run-\w+)>`)

// marked puts an answer between the marks that a question offers for one that is
// meant. A model that is asked for the JSON alone and can send it needs none.
func marked(r llmtest.Recorded, answer string) string {
	m := runMark.FindSubmatch(r.Raw)
	if m == nil {
		return answer
	}
	return fmt.Sprintf("<%s>%s</%[1]s>", m[1], answer)
}

// calls returns the tool that a simulator calls in a request that offers it: those of the
// good answer, one after the other.
func calls(name string, scenarios []Scenario) func(llmtest.Recorded) (tool, args string) {
	return func(r llmtest.Recorded) (string, string) {
		i := slices.IndexFunc(scenarios, func(sc Scenario) bool { return sc.Name == r.Header.Get(headerScenario) })
		if i < 0 || len(r.Body.At("tools").Items) == 0 || name == simMute {
			return "", ""
		}
		made := 0
		for _, m := range r.Body.At("messages").Items {
			if m.At("role").Text() == "tool" {
				made++
			}
		}
		if good := scenarios[i].Answer.Calls; made < len(good) {
			return good[made].Type, string(jsonx.Append(nil, good[made].Payload))
		}
		return "", ""
	}
}

// answers returns a simulator's answer to each request.
func answers(name string, scenarios []Scenario) func(llmtest.Recorded) string {
	good := map[string]string{}
	for i := range scenarios {
		good[scenarios[i].Name] = scenarios[i].answer()
		if scenarios[i].Run == app.RunTools {
			good[scenarios[i].Name] = scenarios[i].Answer.Text
		}
	}
	var asked atomic.Int64
	return func(r llmtest.Recorded) string {
		answer := good[r.Header.Get(headerScenario)]
		switch name {
		case simMute:
			return `{"assistant_text": "I see.", "directives": []}`
		case simWrong:
			return `{"assistant_text": "Done.", "directives": [{"type": "ui.toast",
				"payload": {"text": "Nothing of that kind"}}]}`
		case simLost:
			return `{"assistant_text": "Done.", "directives": [{"type": "ui.patch",
				"payload": {"surface": "form:nowhere", "ops": [{"do": "set", "path": "/draft/a", "value": "b"}]}}]}`
		case simFlaky:
			if asked.Add(1)%4 == 0 {
				return answer[:len(answer)/2]
			}
		case simProse:
			return "Gladly. Here is what you asked for:\n\n" +
				marked(r, "```json\n"+strings.TrimSuffix(answer, "}")+",}\n```") + "\n"
		case simDeaf:
			return "Ja, hoor:\n" + answer
		case simPolite:
			if !bytes.Contains(r.Raw, []byte("could not be used")) {
				return "Ja, hoor:\n" + answer
			}
		}
		return marked(r, answer)
	}
}
