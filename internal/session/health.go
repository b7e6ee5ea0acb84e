package session

import (
	"context"
	"log/slog"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/logs"
)

// health is the last answer of the store to a ping.
type health struct {
	log *slog.Logger

	right  chan struct{} // to what follows; capacity 1, held while the store is asked
	pinged time.Time     // when the store was asked
	err    error         // its answer
	lost   time.Time     // when it first failed, if err is set
}

// pingTime is how long a store has to answer, and how long that counts.
const pingTime = time.Second

// Ready reports whether events are taken, for readiness probes: not once the
// service stops (CodeDraining), and not while its store does not answer within a
// second (conversation.CodeStore). An answer of the store counts for a second, however many ask.
func (s *Service) Ready() error {
	if s.work.closing() {
		return errDraining()
	}
	return s.health.check(s.cfg.Store.Ping)
}

func (h *health) check(ping func(context.Context) error) error {
	h.right <- struct{}{} // callers that wait here share the answer
	defer func() { <-h.right }()
	if time.Since(h.pinged) >= pingTime {
		ctx, cancel := context.WithTimeout(context.Background(), pingTime)
		defer cancel()
		h.note(ping(ctx))
		h.pinged = time.Now()
	}
	return h.err
}

// note keeps the answer of the store. A change is logged once: probes ask every few
// seconds for as long as the store is away.
func (h *health) note(err error) {
	was := h.err
	h.err = nil
	if err != nil {
		h.err = conversation.StoreError("ask whether the store is there", err)
	}
	switch {
	case err != nil && was == nil:
		h.lost = time.Now()
		h.log.Error("not ready: the store does not answer", "err", logs.Quiet(h.err))
	case err == nil && was != nil:
		h.log.Warn("ready again: the store answers", "after", time.Since(h.lost).Round(time.Millisecond))
	}
}
