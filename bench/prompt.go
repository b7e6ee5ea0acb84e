package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// prompting measures the cost of a run beside the model, in processor time on one core:
// the work never waits, and other programs on the machine affect it less so.
func prompting(count int) []figure {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	a, err := desk.App()
	must(err)
	small := agent.Input{State: talk(a, 1, 20), Text: "And now?"}
	large := agent.Input{State: talk(a, 10, 200), Text: "And now?"}
	cfg := agent.Config{Instructions: a.Config().Instructions, Registry: a.Registry()}
	m := &instant{answer: tasks[1].answer}
	run := func(in agent.Input) func() {
		return func() {
			r, err := agent.Directives(context.Background(), m, cfg, in)
			must(err)
			if len(r.Attempts) != 1 || len(r.Warnings) > 0 {
				panic("the run took more than one answer")
			}
		}
	}
	talker := &instant{answer: "ok"}
	build := func() { // a chat with the description of the directives: next to nothing is done beside building
		_, _, err := agent.Chat(context.Background(), talker,
			agent.Config{Instructions: cfg.Instructions + a.Registry().Prompt()}, large)
		must(err)
	}
	bare := func() { _, err := m.Ask(context.Background(), llm.Request{}); must(err) }
	plain := func() { _, err := json.Marshal(large.State); must(err) }
	t := processor(count, run(small), bare, run(large), build, plain)
	typical, dense := envelopes4KB()
	maps := func(text string) func() { return func() { var v any; must(json.Unmarshal([]byte(text), &v)) } }
	reads := processor(count, reading(a, typical), reading(a, dense), maps(typical), maps(dense))
	return []figure{
		{Name: "ladder_overhead_us", Value: t[0] - t[1], Unit: "µs",
			Others: map[string]float64{"of which the envelope": processor(count, reading(a, m.answer))[0],
				"10 surfaces, 200 entries": t[2] - t[1]}},
		{Name: "read_4kb_us", Value: max(reads[0], reads[1]), Unit: "µs", Must: 50,
			Others: map[string]float64{"mostly text": reads[0], "mostly rows": reads[1],
				"encoding/json to maps, text": reads[2], "encoding/json to maps, rows": reads[3]}},
		{Name: "prompt_build_us", Value: t[3], Unit: "µs", Must: 200,
			Others: map[string]float64{"tokens": float64(talker.asked.Tokens), "tokens by o200k": counted(talker.asked),
				"encoding/json writes the state": t[4]}},
	}
}

// processor is the median processor time of each function in microseconds,
// collecting its garbage included.
func processor(count int, fns ...func()) []float64 {
	return inTurns(count, func(fn func()) float64 {
		n, before := 0, ownCPU()
		for ownCPU()-before < 200*time.Millisecond {
			for range 100 {
				fn()
			}
			n += 100
		}
		return float64((ownCPU() - before).Nanoseconds()) / 1e3 / float64(n)
	}, fns...)
}

// instant is a model that answers at once and always the same.
type instant struct {
	answer string
	asked  llm.Request
}

func (m *instant) Ask(_ context.Context, r llm.Request) (llm.Reply, error) {
	m.asked = r
	return llm.Reply{Text: m.answer}, nil
}

// talk is a conversation with so many open forms of 14 fields, some of which hold
// values or errors, and so many entries of 200 characters.
func talk(a *app.App, surfaces, entries int) *ui.State {
	s, _ := next(a, ui.NewState("bench"), carryOut(a, ui.NewState("bench"), tasks[1].answer))
	form := s.Surfaces[0]
	s.Surfaces = nil
	for i := range surfaces {
		sf := *form
		sf.Name = ui.Name(fmt.Sprint("form:customer", i))
		sf.Errors = []ui.FieldError{{Path: "/draft/email", Code: ui.CodeFieldRequired,
			Text: "Email must be an email address."}}
		s.Surfaces = append(s.Surfaces, &sf)
	}
	for i := range entries {
		s.Transcript = append(s.Transcript, &ui.Entry{Seq: uint64(i / 2),
			Role: []ui.Role{ui.RoleUser, ui.RoleAssistant}[i%2], Text: strings.Repeat("Words of a message. ", 10)})
	}
	return s
}

// counted is a request in tokens of o200k.
func counted(r llm.Request) float64 {
	text := r.System
	for _, m := range r.Messages {
		text += "\n" + m.Text
	}
	return counter()(text)
}

func reading(a *app.App, answer string) func() {
	return func() {
		env, err := a.Registry().Read(answer)
		if err != nil || len(env.Warnings) > 0 {
			panic(fmt.Sprint(err, env.Warnings))
		}
	}
}

// envelopes4KB are two of 4 KB: one of a talkative model, and one of rows.
func envelopes4KB() (typical, dense string) {
	say := func(n int) string {
		return `{"assistant_text":"` + strings.Repeat("I wrote down what you told me. ", n)
	}
	_, filled, _ := strings.Cut(tasks[2].answer, `","directives":`)
	row := `{"id":null,"cells":[{"field":"risk","value":"The supplier of the housing may be late by several ` +
		`weeks"},{"field":"owner","value":"Ada"},{"field":"impact","value":"High"}]},`
	typical = say(115) + `","directives":` + filled
	dense = say(20) +
		`","directives":[{"type":"ui.show_table","payload":{"name":"risks","title":"Risks","min_rows":3,"rows":[` +
		strings.TrimSuffix(strings.Repeat(row, 21), ",") + `]}}]}`
	if min(len(typical), len(dense)) < 4<<10 {
		panic(fmt.Sprint("less than 4 KB: ", len(typical), ", ", len(dense)))
	}
	return typical, dense
}
