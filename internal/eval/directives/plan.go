package directives

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// maxWaits is how often a trial is put off because its server asks to wait.
const maxWaits = 8

// Plan says what to measure. App, Scenarios and Models are required.
type Plan struct {
	App       *app.App
	Scenarios []Scenario
	Models    []*Model
	Modes     []Mode        // default: Ladder
	Trials    int           // of each scenario, model and mode; default 1
	Require   bool          // ask once more if no wanted directive comes (agent.Config.Require)
	Timeout   time.Duration // of a trial; default 60 s

	Parallel    int     // trials at a time; default 4
	PerEndpoint int     // of one endpoint; default 2
	MaxCost     float64 // US dollars, results of before included; 0 = no bound
}

func (p Plan) withDefaults() Plan {
	if len(p.Modes) == 0 {
		p.Modes = []Mode{Ladder}
	}
	p.Trials = max(1, p.Trials)
	p.Timeout = cmp.Or(p.Timeout, time.Minute)
	if p.Parallel <= 0 {
		p.Parallel = 4
	}
	if p.PerEndpoint <= 0 {
		p.PerEndpoint = 2
	}
	return p
}

// job is one trial to be made.
type job struct {
	scenario *Scenario
	model    *Model
	mode     Mode
	trial    int
}

// id names a job or the result of one.
type id struct {
	scenario, model string
	mode            Mode
	trial           int
}

func (r Result) id() id { return id{r.Scenario, r.Model, r.Mode, r.Trial} }

// jobs lists all trials, the first of each scenario first: a user who stops early
// has seen everything once. Modes a model does not have are left out.
func (p Plan) jobs() (list []job) {
	for n := 1; n <= p.Trials; n++ {
		for i := range p.Scenarios {
			for _, m := range p.Models {
				for _, mode := range p.Modes {
					if mode.has(m.Capabilities()) {
						list = append(list, job{&p.Scenarios[i], m, mode, n})
					}
				}
			}
		}
	}
	return list
}

// Size is how many trials there are.
func (p Plan) Size() int {
	p = p.withDefaults()
	n := 0
	for _, m := range p.Models {
		for _, mode := range p.Modes {
			if mode.has(m.Capabilities()) {
				n += p.Trials * len(p.Scenarios)
			}
		}
	}
	return n
}

// Hash distinguishes plans whose results must not be mixed: another
// application, other scenarios, models, capabilities, modes or ways to ask. More
// trials are the same plan.
func (p Plan) Hash() string {
	p = p.withDefaults()
	type model struct {
		Name string
		llm.Capabilities
	}
	var models []model
	for _, m := range p.Models {
		models = append(models, model{m.Name, m.Capabilities()})
	}
	b, err := json.Marshal([]any{p.App.Fingerprint(), p.App.Config().Instructions, p.App.Registry().Prompt(),
		p.Scenarios, models, p.Modes, p.Require, p.Timeout})
	if err != nil {
		panic(err) // plain data
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}

// Stop is why trials were not made.
type Stop struct {
	Model string    `json:"model,omitempty"` // "" = all
	Err   *ui.Error `json:"-"`
	Why   string    `json:"why"`
}

// CodeBudget is a run that ended because of Plan.MaxCost.
const CodeBudget ui.Code = "EVAL_BUDGET"

// Run makes the trials that are not in done and hands each result over as it comes, one
// at a time. It returns when all are made, when the context ends, or when report fails.
// A trial that the end of the context has cut off gives no result. stopped lists the
// trials that were not made for another reason: a model whose server refuses every
// request alike, or a budget that is spent.
func (p Plan) Run(ctx context.Context, done []Result, report func(Result) error) (stopped []Stop, err error) {
	p = p.withDefaults()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &running{plan: p, slots: make(chan struct{}, p.Parallel), results: make(chan Result),
		budget: budget{most: p.MaxCost}, dead: map[string]*ui.Error{}, refused: map[string]int{}}
	made := map[id]bool{}
	for _, d := range done {
		made[d.id()] = true
		r.budget.spent += d.Cost
		r.budget.dearest = max(r.budget.dearest, d.Cost)
	}
	left := map[string][]job{} // by endpoint
	for _, j := range p.jobs() {
		if made[id{j.scenario.Name, j.model.Name, j.mode, j.trial}] {
			continue
		}
		left[j.model.endpoint()] = append(left[j.model.endpoint()], j)
	}
	var work sync.WaitGroup // Run waits for it
	for _, jobs := range left {
		q := make(chan job, len(jobs))
		for _, j := range jobs {
			q <- j
		}
		close(q)
		for range p.PerEndpoint {
			work.Go(func() { r.serve(ctx, q) })
		}
	}
	go func() { work.Wait(); close(r.results) }() // ends with the workers
	for res := range r.results {
		if err == nil {
			if err = report(res); err != nil {
				cancel()
			}
		}
	}
	if err == nil {
		err = ctx.Err()
	}
	return r.stops(), err
}

func (m *Model) endpoint() string { return cmp.Or(m.Endpoint, m.Name) }

// running is a Run on its way.
type running struct {
	plan    Plan
	slots   chan struct{}
	results chan Result
	budget  budget

	mu      sync.Mutex // guards what follows
	dead    map[string]*ui.Error
	refused map[string]int // requests of a model, before one was taken
}

// serve works off the trials of one endpoint.
func (r *running) serve(ctx context.Context, queue <-chan job) {
	for j := range queue {
		if ctx.Err() != nil {
			return
		}
		if res, ok := r.make(ctx, j); ok {
			r.results <- res // Run takes all of them
		}
	}
}

// make makes one trial, again if the server asked to wait.
func (r *running) make(ctx context.Context, j job) (Result, bool) {
	for try := 0; ; try++ {
		if j.model.Pace.wait(ctx) != nil || r.given(j.model.Name) {
			return Result{}, false
		}
		select {
		case r.slots <- struct{}{}:
		case <-ctx.Done():
			return Result{}, false
		}
		if !r.budget.take() {
			<-r.slots
			return Result{}, false
		}
		res := r.plan.trial(ctx, j.scenario, j.model, j.mode, j.trial)
		<-r.slots
		r.budget.give(res.Cost)
		limited := res.Code == llm.CodeRateLimited
		j.model.Pace.limited(limited)
		switch {
		case ctx.Err() != nil && !res.OK(): // cut off
			return Result{}, false
		case limited && j.model.Pace != nil && try < maxWaits:
			continue
		}
		counts, again := r.hopes(res, j.model.Pace.silent())
		if again {
			continue
		}
		return res, counts
	}
}

// maxRefused is how often a server may refuse the request itself, or not be
// reached, before it ever takes one: then it takes none.
const maxRefused = 3

// hopes gives a model up whose server refuses every request alike, or cannot be
// reached. A refused key and a server that has never answered are no results:
// they say nothing of the model.
func (r *running) hopes(res Result, silent bool) (counts, again bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case res.Code == llm.CodeAuth, res.Code == llm.CodeConfigInvalid:
	case res.Code == llm.CodeUnsupported, res.Code == llm.CodeUnavailable && silent:
		counts = res.Code == llm.CodeUnsupported
		if r.refused[res.Model]++; r.refused[res.Model] < maxRefused {
			return counts, !counts
		}
	default:
		r.refused[res.Model] = -1 << 30 // never again
		return true, false
	}
	r.dead[res.Model] = res.fault
	return counts, false
}

func (r *running) given(model string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dead[model] != nil
}

func (r *running) stops() (out []Stop) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.plan.Models {
		if e := r.dead[m.Name]; e != nil {
			why := e.Error()
			if e.Hint != "" {
				why += "; " + e.Hint
			}
			out = append(out, Stop{Model: m.Name, Err: e, Why: why})
		}
	}
	if spent, over := r.budget.sum(); over {
		e := ui.Errorf(CodeBudget, "", "the budget of $%g is spent, or the next trial could go beyond it: $%.4f so far",
			r.plan.MaxCost, spent)
		out = append(out, Stop{Err: e, Why: e.Message})
	}
	return out
}

// budget lets no trial start that may go beyond it: each on its way counts as
// much as the dearest so far. The zero budget has no bound.
type budget struct {
	mu      sync.Mutex // guards what follows
	most    float64
	spent   float64
	dearest float64
	busy    int
	over    bool // it has refused one, and refuses all that follow
}

func (b *budget) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = b.over || b.most > 0 && b.spent+float64(b.busy+1)*b.dearest > b.most
	if b.over {
		return false
	}
	b.busy++
	return true
}

func (b *budget) give(cost float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busy--
	b.spent += cost
	b.dearest = max(b.dearest, cost)
}

func (b *budget) sum() (spent float64, over bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent, b.over
}
