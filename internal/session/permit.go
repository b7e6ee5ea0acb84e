package session

import (
	"cmp"
	"context"

	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/ui"
)

// permitRun admits the model run of a new event before it is recorded. A repeat of an
// event that is known gets its first answer instead, and needs no run.
func (m *modelRun) permitRun(ctx context.Context) (*quota.Permit, error) {
	p, err := m.t.c.svc.quotas.runs.Admit(m.t.event.Principal, m.t.address)
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
	if t.event.Kind == ui.EventData { // the application's own, and frames are trimmed
		return nil
	}
	refused := c.svc.quotas.stored.Refuse(t.event.Principal, t.address)
	if refused == nil {
		return nil
	}
	if known, err := c.known(ctx, t.record); known || err != nil {
		return err
	}
	c.svc.cfg.Meter.Series(metric.StoredRefused).Add(1)
	return refused
}
