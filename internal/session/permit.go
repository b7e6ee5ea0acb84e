package session

import (
	"cmp"
	"context"

	"github.com/limn-ui/limn/app"
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
	refused := c.svc.overStored(t.event.Principal, t.address)
	if refused == nil {
		return nil
	}
	if known, err := c.known(ctx, t.record); known || err != nil {
		return err
	}
	c.svc.cfg.Meter.Series(trace.StoredRefused).Add(1)
	return refused
}

// overStored is nil, or the refusal of one who had too much stored today.
func (s *Service) overStored(principal, address string) error {
	who := s.quotas.stored.Over(principal, address)
	if who == "" {
		return nil
	}
	return &ui.Error{Code: quota.CodeStored, Message: who + " stored as much as one may in a day.",
		Hint: "send it again after midnight UTC"}
}

// paidRecords charges each save of a record to its principal.
type paidRecords struct {
	app.Records
	svc       *Service
	principal string
}

func (p paidRecords) Put(ctx context.Context, r app.Record) (app.Record, error) {
	address := addressOf(ctx)
	if err := p.svc.overStored(p.principal, address); err != nil {
		p.svc.cfg.Meter.Series(trace.StoredRefused).Add(1)
		return r, err
	}
	kept, err := p.Records.Put(ctx, r)
	if err == nil {
		p.svc.quotas.stored.Add(p.principal, address, int64(len(kept.Values.AppendJSON(nil))))
	}
	return kept, err
}
