package deliver

import (
	"errors"

	"github.com/limn-ui/limn/trace"
)

// counts is what one transport counts.
type counts struct {
	open, frames, bytes                  trace.Series
	slow, drained, aged, ended, mistaken trace.Series
}

// countsOf returns those of a transport. Called with d.mu held.
func (d *Deliverer) countsOf(transport string) *counts {
	if c := d.counts[transport]; c != nil {
		return c
	}
	m := d.cfg.Meter
	cut := func(why string) trace.Series { return m.Series(trace.StreamsCut, transport, why) }
	c := &counts{m.Series(trace.Streams, transport), m.Series(trace.FramesSent, transport),
		m.Series(trace.BytesSent, transport),
		cut("slow"), cut("drain"), cut("age"), cut("ended"), cut("error")}
	d.counts[transport] = c
	return c
}

// cut counts a stream that we ended.
func (c *counts) cut(why error) {
	switch {
	case errors.Is(why, errGone): // its client did
	case errors.Is(why, ErrSlow):
		c.slow.Add(1)
	case errors.Is(why, ErrDrain):
		c.drained.Add(1)
	case errors.Is(why, ErrLife):
		c.aged.Add(1)
	case errors.Is(why, ErrEnded):
		c.ended.Add(1)
	default:
		c.mistaken.Add(1)
	}
}

// resets are the reasons of resets.
type resets map[string]trace.Series

func resetsOf(m trace.Meter) resets {
	out := resets{}
	for _, reason := range []string{"log", "target", "floor", "ahead", "malformed", "client"} {
		out[reason] = m.Series(trace.StreamReset, reason)
	}
	return out
}
