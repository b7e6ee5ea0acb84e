package session

import (
	"cmp"
	"context"

	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

type addressKey struct{}

// FromAddress returns a context for Submit and Take that says which network an
// event comes from, so that model runs and stored bytes can be counted by it.
func FromAddress(ctx context.Context, network string) context.Context {
	return context.WithValue(ctx, addressKey{}, network)
}

func addressOf(ctx context.Context) string {
	network, _ := ctx.Value(addressKey{}).(string)
	return network
}

// permitRun admits the model run of a new event before it is recorded. A repeat of an
// event that is known gets its first answer instead, and needs no run.
func (m *modelRun) permitRun(ctx context.Context) (*quota.Permit, error) {
	p, err := m.t.c.svc.runs.Admit(m.t.event.Principal, m.t.address)
	if err == nil {
		return p, nil
	}
	if known, lookup := m.t.c.known(ctx, m.t.record); lookup != nil || !known {
		return nil, cmp.Or(lookup, err)
	}
	return nil, nil
}

// permitStored refuses an event whose principal or address had too much stored today. A
// repeat of an event that is known gets its first answer instead.
func permitStored(ctx context.Context, t *Turn) error {
	c := t.c
	who := c.svc.stored.Over(t.event.Principal, t.address)
	if who == "" {
		return nil
	}
	if known, err := c.known(ctx, t.record); known || err != nil {
		return err
	}
	c.svc.cfg.Meter.Series(trace.StoredRefused).Add(1)
	return &ui.Error{Code: quota.CodeStored, Message: who + " stored as much as one may in a day.",
		Hint: "send it again after midnight UTC"}
}
