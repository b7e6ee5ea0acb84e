package directives

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Stage is one thing that can go wrong.
type Stage string

// The stages of a trial, in their order. See the package comment.
const (
	StageDirectives Stage = "directives"
	StageExecute    Stage = "execute"
	StageScreen     Stage = "screen"
	StageCompile    Stage = "compile"
	StageMessages   Stage = "messages"
)

// Stages lists them in order.
func Stages() []Stage {
	return []Stage{StageDirectives, StageExecute, StageScreen, StageCompile, StageMessages}
}

// Result is what came of one trial.
type Result struct {
	Scenario  string          `json:"scenario"`
	Model     string          `json:"model"`
	Mode      Mode            `json:"mode"`
	Trial     int             `json:"trial"`              // from 1
	Stages    map[Stage]bool  `json:"stages"`             // what held and what did not; absent = not reached
	Failed    Stage           `json:"failed,omitempty"`   // the first that did not hold
	Code      ui.Code         `json:"code,omitempty"`     // why
	Detail    string          `json:"detail,omitempty"`   // in words
	Answer    string          `json:"answer,omitempty"`   // of a failed trial, at most 2,000 bytes
	Attempts  []agent.Attempt `json:"attempts,omitempty"` // the requests, the adapter's own retries aside
	Ms        float64         `json:"ms"`                 // of the run for directives
	Estimated bool            `json:"estimated,omitempty"`
	Cost      float64         `json:"cost,omitempty"` // US dollars; 0 also where no price is known

	Drawn []Drawn `json:"drawn,omitempty"`

	fault *ui.Error // of the stage that failed, if this program made the trial
}

// OK reports a trial in which every stage held.
func (r Result) OK() bool { return r.Failed == "" && len(r.Stages) == len(Stages()) }

// Usage sums the tokens of all attempts.
func (r Result) Usage() (u llm.Usage) {
	for _, a := range r.Attempts {
		u.In, u.CachedIn, u.Out = u.In+a.Usage.In, u.CachedIn+a.Usage.CachedIn, u.Out+a.Usage.Out
	}
	return u
}

// maxAnswer bounds Result.Answer, in bytes.
const maxAnswer = 2000

// stage notes whether a stage held.
func (r *Result) stage(s Stage, err error) bool {
	r.Stages[s] = err == nil
	if err == nil || r.Failed != "" {
		return err == nil
	}
	r.Failed, r.Code, r.Detail = s, "EVAL_FAILED", err.Error()
	if coded, ok := errors.AsType[*ui.Error](err); ok {
		r.Code, r.fault = coded.Code, coded
	}
	r.Detail = excerpt.Of(r.Detail, 400)
	return false
}

// epoch is the time of every trial: drawings are the same each time.
var epoch = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

func envOf(a *app.App) execute.Env {
	n := 0
	return execute.Env{App: a, Now: epoch, Nonce: func() string { n++; return fmt.Sprintf("%032x", n) }}
}

// before is the state a scenario starts from.
func (sc *Scenario) before(a *app.App) (*ui.State, error) {
	var ops ui.Ops
	for _, line := range sc.Said {
		role, text := ui.RoleUser, line.User
		if text == "" {
			role, text = ui.RoleAssistant, line.Assistant
		}
		ops = append(ops, &ui.Say{Role: role, Text: text})
	}
	s, err := applied(a, a.NewState("eval"), ops)
	if err != nil {
		return nil, err
	}
	opened, warnings := execute.Run(envOf(a), s, checked(a, sc.Given))
	if len(warnings) > 0 {
		return nil, warnings[0]
	}
	if s, err = applied(a, s, opened); err != nil {
		return nil, err
	}
	ops = nil
	for _, name := range slices.Sorted(maps.Keys(sc.Typed)) {
		d := &ui.Draft{Surface: name}
		for _, key := range slices.Sorted(maps.Keys(sc.Typed[name])) {
			v, err := ui.ValueOf(sc.Typed[name][key].Value)
			if err != nil {
				return nil, err
			}
			d.Values = append(d.Values, ui.Leaf{Path: ui.Path("/draft/" + key), Value: v})
		}
		ops = append(ops, d)
	}
	return applied(a, s, ops)
}

// checked puts directives of a file through the registry, as an answer's are.
func checked(a *app.App, list []Saying) []directive.Directive {
	out := directivesOf(list)
	for i, d := range out {
		if good, _, err := a.Registry().Check(d); err == nil {
			out[i] = good
		}
	}
	return out
}

func applied(a *app.App, s *ui.State, ops ui.Ops) (*ui.State, error) {
	next, _, err := frame(a, s, ops)
	return next, err
}

func frame(a *app.App, s *ui.State, ops ui.Ops) (*ui.State, *ui.Frame, error) {
	f := &ui.Frame{V: ui.Version, Seq: s.Seq + 1, At: epoch, Ops: ops}
	next, changes, err := ui.Apply(s, f, a.Config().Limits)
	f.Changes = changes
	return next, f, err
}

// trial runs a scenario once.
func (p *Plan) trial(ctx context.Context, sc *Scenario, m *Model, mode Mode, n int) Result {
	r := Result{Scenario: sc.Name, Model: m.Name, Mode: mode, Trial: n, Stages: map[Stage]bool{}}
	before, err := sc.before(p.App)
	if err != nil { // Load has tried it
		r.stage(StageDirectives, err)
		return r
	}
	cfg := agent.Config{Registry: p.App.Registry(), Instructions: p.App.Config().Instructions,
		Words: p.App.Config().Words, Timeout: p.Timeout}
	if p.Require {
		for _, w := range sc.Want {
			cfg.Require = append(cfg.Require, w.Type)
		}
	}
	asked := &meter{model: m.Model, caps: mode.narrow(m.Capabilities())}
	began := time.Now()
	in := agent.Input{State: before, Text: sc.User, Event: sc.Event}
	res, found, err := sc.run(withScenario(ctx, sc), asked, cfg, in)
	r.Ms = float64(time.Since(began).Microseconds()) / 1000
	r.Attempts, r.Estimated = res.Attempts, asked.estimated
	r.Cost = m.Price.Of(r.Usage())
	p.judge(&r, sc, before, res, found.Calls, err)
	if r.Failed != "" {
		r.Answer = excerpt.Of(asked.said, maxAnswer)
	}
	return r
}

// run asks the model in the scenario's kind of run.
func (sc *Scenario) run(ctx context.Context, m llm.Model, c agent.Config, in agent.Input) (res agent.Result,
	found agent.Found, err error) {
	results := map[string]string{}
	loop := agent.Loop{Call: func(_ context.Context, tool string, _ []byte) (string, error) {
		return results[tool], nil
	}}
	for _, t := range sc.Tools {
		results[t.Name] = t.Result
		loop.Tools = append(loop.Tools, agent.Tool{Name: t.Name, Description: t.Description, Arguments: t.args})
	}
	switch sc.Run {
	case app.RunTools:
		_, res, found, err = agent.Tools(ctx, m, c, loop, in)
	case app.RunHybrid:
		res, found, err = agent.Hybrid(ctx, m, c, loop, in)
	default:
		res, err = agent.Directives(ctx, m, c, in)
	}
	return res, found, err
}

// judge goes through the stages.
func (p *Plan) judge(r *Result, sc *Scenario, before *ui.State, res agent.Result,
	calls []agent.Called, err error) {
	if last := len(res.Attempts) - 1; err == nil && last >= 0 && res.Attempts[last].Code != "" {
		// Words in the place of an answer: the turn goes on, the trial has failed.
		code := res.Attempts[last].Code
		err = ui.Errorf(code, "", "no usable answer in %d attempts", last+1)
	}
	if err != nil {
		r.stage(StageDirectives, err)
		return
	}
	r.stage(StageDirectives, sc.said(res.Envelope, calls))
	ops, dropped := execute.Run(envOf(p.App), before, res.Envelope.Directives)
	after, f, err := frame(p.App, before, ops)
	if err == nil && len(dropped) > 0 {
		r.stage(StageExecute, dropped[0])
	} else if !r.stage(StageExecute, err) {
		return
	}
	r.stage(StageScreen, sc.shown(after))
	drawn, err := p.draw(before, after, f)
	if r.stage(StageCompile, err) {
		r.stage(StageMessages, taken(drawn, after))
		r.Drawn = countDrawn(drawn)
	}
}

// Drawn counts the messages to a client of one version of A2UI.
type Drawn struct {
	Target string `json:"target"`
	Frame  Size   `json:"frame"`  // the changes by the answer
	Screen Size   `json:"screen"` // all of it afterwards
	Most   int    `json:"most"`   // components of one surface of the screen
}

// Size counts messages, their bytes as JSON, and their components.
type Size struct {
	Messages   int `json:"messages"`
	Bytes      int `json:"bytes"`
	Components int `json:"components"`
}

func (s *Size) add(t Size) {
	s.Messages, s.Bytes, s.Components = s.Messages+t.Messages, s.Bytes+t.Bytes, s.Components+t.Components
}

func countDrawn(drawn []drawing) (out []Drawn) {
	for _, w := range drawn {
		d := Drawn{Target: w.target.Dialect.String()}
		for _, m := range w.update {
			d.Frame.add(sizeOf(w.target.Dialect, m))
		}
		for _, m := range w.anew {
			n := sizeOf(w.target.Dialect, m)
			d.Screen.add(n)
			d.Most = max(d.Most, n.Components) // one message has all components of a surface
		}
		out = append(out, d)
	}
	return out
}

func sizeOf(d a2ui.Dialect, m a2ui.Message) Size {
	b, _ := a2ui.AppendMessage(nil, d, m) // what cannot be written has failed in StageMessages
	s := Size{Messages: 1, Bytes: len(b)}
	if u, ok := m.(*a2ui.UpdateComponents); ok {
		s.Components = len(u.Components)
	}
	return s
}

// drawing is the messages to a client of one version.
type drawing struct {
	target              compile.Target
	first, update, anew []a2ui.Message // before; what changed; all of it, after
}

// draw compiles for every version.
func (p *Plan) draw(before, after *ui.State, f *ui.Frame) (out []drawing, err error) {
	rules := &compile.Rules{Allowed: p.App.Allowed, Words: p.App.Config().Words,
		Base: "https://limn.test", Until: func() int64 { return epoch.Unix() + 86400 }}
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
		w := drawing{target: compile.Target{Dialect: d, Rules: rules}}
		first, e1 := compile.Snapshot(w.target, before)
		update, e2 := compile.Update(w.target, before, after, f)
		anew, e3 := compile.Snapshot(w.target, after)
		if err := errors.Join(e1, e2, e3); err != nil {
			return nil, fmt.Errorf("%s: %w", d, err)
		}
		w.first, w.update, w.anew = first.Messages(), update.Messages(), anew.Messages()
		out = append(out, w)
	}
	return out, nil
}

// taken holds drawings against the validator and a client.
func taken(drawn []drawing, after *ui.State) error {
	for _, w := range drawn {
		d := w.target.Dialect
		bad := func(code ui.Code, format string, args ...any) error {
			return ui.Errorf(code, "", "%s: %s", d, fmt.Sprintf(format, args...))
		}
		rules := a2ui.Rules{Dialect: d, Profile: a2ui.Safe}
		known := a2ui.NewValidator(rules)
		problems := slices.Concat(known.Check(w.first), known.Check(w.update), a2ui.Validate(rules, w.anew))
		if len(problems) > 0 {
			return bad(ui.Code(problems[0].Code), "%s", problems[0].Error())
		}
		follows, fresh := client.New(d, client.Strict), client.New(d, client.Strict)
		failed := append(follows.ApplyAll(slices.Concat(w.first, w.update)), fresh.ApplyAll(w.anew)...)
		if len(failed) > 0 {
			return bad(ui.Code(failed[0].Code), "a client refuses a message: %s", failed[0].Message)
		}
		for _, sf := range after.Surfaces {
			if id := sf.WireID(); follows.DetailedHash(id) != fresh.DetailedHash(id) {
				return bad(CodeDrawings, "after the update %s shows other things than drawn anew", id)
			}
		}
	}
	return nil
}

// meter is a model of one trial: it shows no more of its capabilities than a
// mode uses, and counts tokens where the server does not.
type meter struct {
	model     llm.Model
	caps      llm.Capabilities
	said      string // the last answer; a run asks one request after the other
	estimated bool   // some tokens
}

// Capabilities implements llm.Capable.
func (m *meter) Capabilities() llm.Capabilities { return m.caps }

// Ask implements llm.Model.
func (m *meter) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	reply, err := m.model.Ask(ctx, r)
	m.said = reply.Text
	for _, c := range reply.Calls {
		m.said = strings.TrimSpace(m.said + "\n" + c.Name + "(" + excerpt.Of(c.Arguments, maxAnswer) + ")")
	}
	if err == nil && reply.Usage == (llm.Usage{}) {
		n := llm.Tokens(r.System)
		for _, msg := range r.Messages {
			n += llm.Tokens(msg.Text)
		}
		if r.Format != nil {
			n += llm.Tokens(r.Format.Schema)
		}
		reply.Usage = llm.Usage{In: int64(n), Out: int64(llm.Tokens(reply.Text))}
		m.estimated = true
	}
	return reply, err
}
