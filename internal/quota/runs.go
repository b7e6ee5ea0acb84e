package quota

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// Codes of model runs that are refused.
const (
	CodeRuns     ui.Code = recovery.CodeRuns
	CodeRunsFull ui.Code = recovery.CodeRunsFull
	CodeTokens   ui.Code = recovery.CodeTokens
)

// Runs bounds the model runs of one process. Nothing of it is shared between nodes:
// with n nodes the sum is at most n times as much. Zero is the default, below zero
// there is no limit.
type Runs struct {
	Principal     int   // at once for one principal: 4
	Address       int   // at once from one address: 16
	Node          int   // at once in this process: 64
	Waiting       int   // accepted beyond Node, begun when another run ends: 64
	Tokens        int64 // of one principal in a day (UTC): no limit
	AddressTokens int64 // from one address in a day (UTC): no limit
}

func (r Runs) withDefaults() Runs {
	r.Principal, r.Address = cmp.Or(r.Principal, 4), cmp.Or(r.Address, 16)
	r.Node, r.Waiting = cmp.Or(r.Node, 64), cmp.Or(r.Waiting, 64)
	return r
}

// Counter counts model runs and tokens. Safe for concurrent use.
type Counter struct {
	Runs
	tokens  *Day
	meter   trace.Meter
	running chan struct{} // holds one element a run; nil: no limit

	mu        sync.Mutex // guards what follows
	all       int        // accepted and not ended, waiting ones included
	principal map[string]int
	address   map[string]int
}

// NewCounter returns the count of limits, by a clock.
func NewCounter(r Runs, now func() time.Time, m trace.Meter) *Counter {
	l := &Counter{Runs: r.withDefaults(), tokens: NewDay(Daily{r.Tokens, r.AddressTokens}, now), meter: m,
		principal: map[string]int{}, address: map[string]int{}}
	if l.Node >= 0 {
		l.running = make(chan struct{}, l.Node)
	}
	return l
}

// Permit is the right to one model run.
type Permit struct {
	runs               *Counter
	principal, address string
	handed             bool
	once               sync.Once
}

// Permit counts a run that is about to be recorded, or refuses it.
func (l *Counter) Permit(principal, address string) (*Permit, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	over := func(n, most int) bool { return most >= 0 && n >= most }
	refuse := func(by string, code ui.Code, message, hint string) (*Permit, error) {
		l.meter.Series(metric.RunsRefused, by).Add(1)
		return nil, &ui.Error{Code: code, Message: message, Hint: hint}
	}
	const later = "send it again when one has ended, under the same Idempotency-Key"
	const tomorrow = "more can be asked after midnight UTC; forms and tables work meanwhile"
	switch {
	case over(l.principal[principal], l.Principal):
		return refuse("principal", CodeRuns, answersRunning("You have", l.principal[principal]), later)
	case address != "" && over(l.address[address], l.Address):
		return refuse("address", CodeRuns, answersRunning("Your network has", l.address[address]), later)
	case l.Node >= 0 && l.Waiting >= 0 && l.all >= l.Node+l.Waiting:
		return refuse("node", CodeRunsFull, "too many answers are being written on this server", later)
	}
	if who := l.tokens.Over(principal, address); who != "" {
		return refuse("tokens", CodeTokens, who+" used today's share of the model.", tomorrow)
	}
	return l.take(principal, address), nil
}

func answersRunning(who string, n int) string {
	if n == 1 {
		return who + " 1 answer running. Wait for it to finish."
	}
	return fmt.Sprintf("%s %d answers running. Wait for one to finish.", who, n)
}

// Resume counts a run that was recorded before: it is never refused.
func (l *Counter) Resume(principal string) *Permit {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.take(principal, "")
}

func (l *Counter) take(principal, address string) *Permit {
	l.all++
	l.principal[principal]++
	if address != "" {
		l.address[address]++
	}
	return &Permit{runs: l, principal: principal, address: address}
}

// Hand passes the permit to the goroutine of the run, which releases it.
func (p *Permit) Hand() { p.handed = true }

// Handed reports whether a run has the permit already.
func (p *Permit) Handed() bool { return p.handed }

// Begin waits until the process has room for the run, or ctx ends. It returns what
// gives the room back.
func (p *Permit) Begin(ctx context.Context) (end func()) {
	if p.runs.running == nil {
		return func() {}
	}
	select {
	case p.runs.running <- struct{}{}:
		return func() { <-p.runs.running }
	case <-ctx.Done(): // the run ends at once, with the reason
		return func() {}
	}
}

// Release ends the count of the run. It may be called twice.
func (p *Permit) Release() {
	p.once.Do(func() {
		l := p.runs
		l.mu.Lock()
		defer l.mu.Unlock()
		l.all--
		less(l.principal, p.principal)
		if p.address != "" {
			less(l.address, p.address)
		}
	})
}

func less(m map[string]int, key string) {
	if m[key]--; m[key] == 0 {
		delete(m, key)
	}
}

// Spend counts the tokens of the run's requests.
func (p *Permit) Spend(tokens int64) {
	p.runs.meter.Series(metric.ModelTokens).Add(float64(tokens))
	p.runs.tokens.Add(p.principal, p.address, tokens)
}
