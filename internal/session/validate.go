package session

import (
	"context"
	"log/slog"
	"time"

	"github.com/limn-ui/limn/internal/capture"
)

// checker runs validators at once.
type checker struct {
	time time.Duration // for all of them together
	work *work
	log  *slog.Logger
}

// run runs all validators at once and joins their findings in the order of the list.
// One that panics or is late finds nothing and hides no other.
func (c checker) run(list []capture.Validator, sub capture.Submission) []capture.Warning {
	ctx, cancel := context.WithTimeout(context.Background(), c.time)
	defer cancel()
	found := make([]chan []capture.Warning, len(list))
	for i, v := range list {
		found[i] = make(chan []capture.Warning, 1)
		c.work.Go(func() { // Close waits for it: validators end, each is linear in the rows
			found[i] <- v.Find(sub, func() { // the panic's value may hold the user's text
				c.log.Error("validator panicked", "validator", v.Name)
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
			c.log.Warn("validator is late", "validator", v.Name)
		}
	}
	return out
}
