package work

import (
	"context"
	"log/slog"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/logs"
)

// Health is the last answer of the store to a ping.
type Health struct {
	log *slog.Logger

	right  chan struct{} // to what follows; capacity 1, held while the store is asked
	pinged time.Time     // when the store was asked
	err    error         // its answer
	lost   time.Time     // when it first failed, if err is set
}

// pingTime is how long a store has to answer, and how long that counts.
const pingTime = time.Second

// NewHealth returns a Health that writes changes to log.
func NewHealth(log *slog.Logger) *Health { return &Health{log: log, right: make(chan struct{}, 1)} }

// Check returns the answer of a store to ping, as a conversation.CodeStore. An answer
// counts for a second, however many ask.
func (h *Health) Check(ping func(context.Context) error) error {
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
func (h *Health) note(err error) {
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
