package quota

import (
	"context"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

type addressKey struct{}

// FromAddress returns a context for session.Service that says which network an
// event comes from, so that model runs and stored bytes can be counted by it.
func FromAddress(ctx context.Context, network string) context.Context {
	return context.WithValue(ctx, addressKey{}, network)
}

// AddressOf returns the network of FromAddress, or "".
func AddressOf(ctx context.Context) string {
	network, _ := ctx.Value(addressKey{}).(string)
	return network
}

// Refuse returns the refusal of one who had too much stored today, or nil.
func (d *Day) Refuse(principal, address string) error {
	who := d.Over(principal, address)
	if who == "" {
		return nil
	}
	return &ui.Error{Code: CodeStored, Message: who + " stored as much as one may in a day.",
		Hint: "send it again after midnight UTC"}
}

// Bytes is how many bytes an event and its frame add to the store.
func Bytes(r store.Event, tx store.Commit) int64 {
	n := len(tx.Frame) + len(tx.Answer) + len(tx.Trace) + len(tx.Said)
	if tx.Record != nil {
		n += len(tx.Record.Body)
	} else {
		n += len(r.Body)
	}
	for _, job := range tx.Outbox {
		n += len(job.Body)
	}
	for _, r := range tx.Records {
		n += len(r.Body)
	}
	return int64(n)
}

// Records charges each save of a record to its principal, and to the address of
// FromAddress.
type Records struct {
	app.Records
	Stored    *Day
	Principal string
	Meter     trace.Meter
}

// Put saves a record unless too much was stored today.
func (p Records) Put(ctx context.Context, r app.Record) (app.Record, error) {
	address := AddressOf(ctx)
	if err := p.Stored.Refuse(p.Principal, address); err != nil {
		p.Meter.Series(metric.StoredRefused).Add(1)
		return r, err
	}
	kept, err := p.Records.Put(ctx, r)
	if err == nil {
		p.Stored.Add(p.Principal, address, int64(len(kept.Values.AppendJSON(nil))))
	}
	return kept, err
}
