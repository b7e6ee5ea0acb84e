package web

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// Bounds of the work on uploads in one process.
const (
	intakeBytes   = 16 // bodies in memory, in files of the largest size
	intakeShare   = 4  // of them, one principal's
	parseWait     = 5 * time.Second
	parseTime     = 10 * time.Second
	parsesWaiting = 32
)

// intake bounds the uploads a process works on: the bytes of bodies that are in
// memory, in all and of one principal, and the files that are parsed at once. It is
// the only place that does: whatever looks into an uploaded file runs in parse.
type intake struct {
	most, share int64         // bytes
	parsers     chan struct{} // holds one element a running parser
	waiting     chan struct{} // holds one element a waiting parser
	meter       trace.Meter

	mu   sync.Mutex
	held int64
	by   map[string]int64 // bytes of a principal; no zeros
}

func newIntake(largest int64, m trace.Meter) *intake {
	return &intake{
		most: intakeBytes * largest, share: intakeShare * largest, by: map[string]int64{}, meter: m,
		parsers: make(chan struct{}, max(1, min(2, runtime.GOMAXPROCS(0)/2))),
		waiting: make(chan struct{}, parsesWaiting),
	}
}

// hold reserves n bytes for a body of a principal until release is called. Without
// room it refuses at once: the client comes back after Retry-After.
func (in *intake) hold(who string, n int64) (release func(), err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.held+n > in.most || in.by[who]+n > in.share {
		return nil, in.full("other files are being received")
	}
	in.held += n
	in.by[who] += n
	return sync.OnceFunc(func() {
		in.mu.Lock()
		defer in.mu.Unlock()
		in.held -= n
		if in.by[who] -= n; in.by[who] == 0 {
			delete(in.by, who)
		}
	}), nil
}

// parse runs do when a parser is free. The context of do ends after parseTime; do
// checks it while it reads.
func (in *intake) parse(ctx context.Context, do func(context.Context)) error {
	if err := in.wait(ctx); err != nil {
		return err
	}
	defer func() { <-in.parsers }()
	ctx, cancel := context.WithTimeout(ctx, parseTime)
	defer cancel()
	do(ctx)
	return nil
}

// wait takes a parser, after some time if none is free.
func (in *intake) wait(ctx context.Context) error {
	select {
	case in.parsers <- struct{}{}:
		return nil
	default:
	}
	select {
	case in.waiting <- struct{}{}:
		defer func() { <-in.waiting }()
	default:
		return in.full("other files are being read")
	}
	timer := time.NewTimer(parseWait)
	defer timer.Stop()
	select {
	case in.parsers <- struct{}{}:
		return nil
	case <-timer.C:
		return in.full("other files are being read")
	case <-ctx.Done():
		return &ui.Error{Code: recovery.CodeUploads, Message: "the request ended before its file was read",
			Err: context.Cause(ctx)}
	}
}

func (in *intake) full(message string) error {
	in.meter.Series(metric.RateLimited, "uploads").Add(1)
	return &ui.Error{Code: recovery.CodeUploads, Message: message}
}
