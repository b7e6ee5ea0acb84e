package deliver

import (
	"errors"

	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/trace"
)

// counts is what one transport counts.
type counts struct {
	open, frames, bytes trace.Series

	cuts map[string]trace.Series // by reason
}

// cutReasons are why we end streams; anything else is an error.
var cutReasons = []struct {
	why  error
	name string
}{{ErrSlow, "slow"}, {ErrDrain, "drain"}, {ErrLife, "age"}, {ErrEnded, "ended"},
	{errRevoked, "ended"}}

// countsOf returns those of a transport. Called with d.mu held.
func (d *Deliverer) countsOf(transport string) *counts {
	if c := d.counts[transport]; c != nil {
		return c
	}
	m := d.cfg.Meter
	c := &counts{m.Series(metric.Streams, transport), m.Series(metric.FramesSent, transport),
		m.Series(metric.BytesSent, transport), map[string]trace.Series{}}
	for _, why := range []string{"slow", "drain", "age", "ended", "error"} {
		c.cuts[why] = m.Series(metric.StreamsCut, transport, why)
	}
	d.counts[transport] = c
	return c
}

// cut counts a stream that we ended.
func (c *counts) cut(why error) {
	if errors.Is(why, errGone) { // its client did
		return
	}
	name := "error"
	for _, r := range cutReasons {
		if errors.Is(why, r.why) {
			name = r.name
		}
	}
	c.cuts[name].Add(1)
}

// resets are the reasons of resets.
type resets map[string]trace.Series

func resetsOf(m trace.Meter) resets {
	out := resets{}
	for _, reason := range []string{"log", "target", "floor", "ahead", "malformed", "client"} {
		out[reason] = m.Series(metric.StreamReset, reason)
	}
	return out
}
