package directives

import (
	"cmp"
	"math"
	"slices"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Report has the results of a Plan.
type Report struct {
	V         int       `json:"v"`    // 1
	Plan      string    `json:"plan"` // Plan.Hash
	App       string    `json:"app"`
	Trials    int       `json:"trials"` // of each scenario, model and mode
	Want      int       `json:"want"`   // trials in all
	Total     Row       `json:"total"`
	Models    []Row     `json:"models"`    // each model in each mode, in the order of the plan
	Kinds     []Row     `json:"kinds"`     // each kind of scenario, over all models
	Scenarios []Row     `json:"scenarios"` // each scenario with each model in each mode
	Failures  []Failure `json:"failures"`  // why trials failed, the commonest first
	Attempts  []Class   `json:"attempts"`  // what single requests came to, the commonest first
	Stopped   []Stop    `json:"stopped,omitempty"`
}

// Row sums up trials. Its Times are of usable and unusable answers alike.
type Row struct {
	About
	N        int             `json:"n"`
	OK       int             `json:"ok"`    // every stage held
	First    int             `json:"first"` // and every request was usable
	Stages   map[Stage]Share `json:"stages"`
	Low      float64         `json:"low"` // 95 % confidence of OK/N (Wilson), from 0 to 1
	High     float64         `json:"high"`
	Attempts int             `json:"attempts"`
	Times
	Usage     Tokens  `json:"usage"`
	Estimated int     `json:"estimated"`          // trials of which the server did not count the tokens
	Cost      float64 `json:"cost"`               // US dollars
	Unpriced  bool    `json:"unpriced,omitempty"` // Cost leaves out models of which no price is known
	Drawn     []Drawn `json:"drawn,omitempty"`    // sums over the trials that are OK; Most is the most of one
}

// Times are how long trials took, in milliseconds.
type Times struct {
	P50 float64 `json:"p50_ms"`
	P95 float64 `json:"p95_ms"`
	Max float64 `json:"max_ms"`

	ms []float64 // sorted
}

// About names the trials that a Row sums up; an empty field covers all values.
type About struct {
	Model    string `json:"model,omitempty"`
	Mode     Mode   `json:"mode,omitempty"`
	Scenario string `json:"scenario,omitempty"`
	Kind     string `json:"kind,omitempty"`
}

// Tokens are what requests and answers took.
type Tokens struct {
	In       int64 `json:"in"`
	CachedIn int64 `json:"cached_in"` // of In
	Out      int64 `json:"out"`
}

// Share counts the successes among the trials that got that far.
type Share struct {
	Right int `json:"right"`
	Of    int `json:"of"`
}

// Rate is OK of N, from 0 to 1; 0 of nothing.
func (r Row) Rate() float64 {
	if r.N == 0 {
		return 0
	}
	return float64(r.OK) / float64(r.N)
}

// Failure is one way in which trials of a model failed.
type Failure struct {
	Model  string  `json:"model"`
	Mode   Mode    `json:"mode"`
	Stage  Stage   `json:"stage"`
	Code   ui.Code `json:"code"`
	N      int     `json:"n"`
	Sample Result  `json:"sample"` // the first of them
}

// Class is what single requests of a model came to; Code "" is a usable answer.
type Class struct {
	Model string  `json:"model"`
	Rung  string  `json:"rung"` // of the ladder: how the request asked
	Code  ui.Code `json:"code"`
	N     int     `json:"n"`
}

// Score sums up the results of a plan. Results the plan does not have are
// passed over; the order of results does not matter.
func Score(p Plan, results []Result, stopped []Stop) Report {
	p = p.withDefaults()
	jobs := p.jobs()
	r := Report{V: 1, Plan: p.Hash(), App: p.App.Config().Name, Trials: p.Trials, Want: len(jobs), Stopped: stopped}
	made := map[id]Result{}
	for _, res := range results {
		if _, twice := made[res.id()]; !twice {
			made[res.id()] = res
		}
	}
	total, models, kinds, scenarios := newTable(), newTable(), newTable(), newTable()
	failures, classes := map[failureKey]*Failure{}, map[Class]int{}
	for _, j := range jobs {
		res, ok := made[id{j.scenario.Name, j.model.Name, j.mode, j.trial}]
		if !ok {
			continue
		}
		priced := j.model.Price != (llm.Price{})
		total.add(About{}, res, priced)
		models.add(About{Model: res.Model, Mode: res.Mode}, res, priced)
		kinds.add(About{Kind: cmp.Or(j.scenario.Kind, "other")}, res, priced)
		scenarios.add(About{Scenario: res.Scenario, Model: res.Model, Mode: res.Mode}, res, priced)
		if res.Failed != "" {
			key := failureKey{res.Model, res.Mode, res.Failed, res.Code}
			if failures[key] == nil {
				failures[key] = &Failure{Model: res.Model, Mode: res.Mode, Stage: res.Failed, Code: res.Code,
					Sample: res}
			}
			failures[key].N++
		}
		for _, a := range res.Attempts {
			classes[Class{Model: res.Model, Rung: string(a.Mode), Code: a.Code}]++
		}
	}
	if r.Total = (Row{Stages: map[Stage]Share{}}); len(total.rows) > 0 {
		r.Total = total.finished()[0]
	}
	r.Models, r.Kinds, r.Scenarios = models.finished(), kinds.finished(), scenarios.finished()
	r.Failures, r.Attempts = []Failure{}, []Class{}
	for _, f := range failures {
		r.Failures = append(r.Failures, *f)
	}
	slices.SortFunc(r.Failures, func(a, b Failure) int {
		return cmp.Or(b.N-a.N, cmp.Compare(a.Model, b.Model), cmp.Compare(a.Mode, b.Mode),
			cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Code, b.Code))
	})
	for c, n := range classes {
		c.N = n
		r.Attempts = append(r.Attempts, c)
	}
	slices.SortFunc(r.Attempts, func(a, b Class) int {
		return cmp.Or(b.N-a.N, cmp.Compare(a.Model, b.Model), cmp.Compare(a.Rung, b.Rung), cmp.Compare(a.Code, b.Code))
	})
	return r
}

// failureKey groups failures.
type failureKey struct {
	model string
	mode  Mode
	stage Stage
	code  ui.Code
}

// table collects rows in the order in which they come up.
type table struct {
	rows []*Row
	at   map[About]*Row
}

func (t *table) add(about About, res Result, priced bool) {
	r := t.at[about]
	if r == nil {
		r = &Row{About: about, Stages: map[Stage]Share{}}
		t.rows = append(t.rows, r)
		t.at[about] = r
	}
	r.N++
	if res.OK() {
		r.OK++
		if !slices.ContainsFunc(res.Attempts, func(a agent.Attempt) bool { return a.Code != "" }) {
			r.First++
		}
	}
	for s, held := range res.Stages {
		share := r.Stages[s]
		share.Of++
		if held {
			share.Right++
		}
		r.Stages[s] = share
	}
	u := res.Usage()
	r.Usage = Tokens{r.Usage.In + u.In, r.Usage.CachedIn + u.CachedIn, r.Usage.Out + u.Out}
	r.Attempts += len(res.Attempts)
	r.ms = append(r.ms, res.Ms)
	if res.Estimated {
		r.Estimated++
	}
	r.Cost += res.Cost
	for i, d := range res.Drawn {
		if !res.OK() {
			break
		}
		if i == len(r.Drawn) {
			r.Drawn = append(r.Drawn, Drawn{Target: d.Target})
		}
		r.Drawn[i].Frame.add(d.Frame)
		r.Drawn[i].Screen.add(d.Screen)
		r.Drawn[i].Most = max(r.Drawn[i].Most, d.Most)
	}
	r.Unpriced = r.Unpriced || !priced
}

func newTable() *table { return &table{at: map[About]*Row{}} }

func (t *table) finished() []Row {
	out := make([]Row, len(t.rows))
	for i, r := range t.rows {
		slices.Sort(r.ms)
		r.P50, r.P95, r.Max = percentile(r.ms, 50), percentile(r.ms, 95), percentile(r.ms, 100)
		r.Low, r.High = wilson(r.OK, r.N)
		out[i] = *r
	}
	return out
}

// percentile is the least value that p percent of a sorted list are not above.
func percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(p/100*float64(len(sorted))))-1)]
}

// wilson is the score interval of a share, at 95 %.
func wilson(ok, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	p, m := float64(ok)/float64(n), float64(n)
	center, spread := p+z*z/(2*m), z*math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, (center-spread)/(1+z*z/m)), min(1, (center+spread)/(1+z*z/m))
}
