// Package validators runs the validators of submitted worksheets.
//
// In: a capture.Submission. Out: the findings, in the order of the validators, within a
// time. The validators themselves are in package capture.
package validators

import (
	"context"
	"log/slog"
	"time"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/work"
)

// Runner runs validators at once.
type Runner struct {
	Time time.Duration // for all of them together
	Work *work.Group
	Log  *slog.Logger
}

// Run runs all validators at once and joins their findings in the order of the list.
// One that panics or is late finds nothing and hides no other.
func (c Runner) Run(list []capture.Validator, sub capture.Submission) []capture.Warning {
	ctx, cancel := context.WithTimeout(context.Background(), c.Time)
	defer cancel()
	found := make([]chan []capture.Warning, len(list))
	for i, v := range list {
		found[i] = make(chan []capture.Warning, 1)
		c.Work.Go(func() { // Close waits for it: validators end, each is linear in the rows
			found[i] <- v.Find(sub, func() { // the panic's value may hold the user's text
				c.Log.Error("validator panicked", "validator", v.Name)
			})
		})
	}
	var out []capture.Warning
	for i, v := range list {
		select {
		case w := <-found[i]:
			out = append(out, w...)
			continue
		case <-ctx.Done():
		}
		select {
		case w := <-found[i]: // in time, and only looked at after it
			out = append(out, w...)
		default:
			c.Log.Warn("validator is late", "validator", v.Name)
		}
	}
	return out
}
