package session

import (
	"context"
	"math/rand/v2"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/live"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/ui"
)

// Live returns what writes data of the application that views show.
func (s *Service) Live() live.Writer {
	return live.Writer{App: s.cfg.App, Store: s.cfg.Store, IDs: s.ids,
		Submit: func(ctx context.Context, id string, e *ui.Event) (ui.Outcome, error) {
			rec, err := s.Submit(ctx, id, "", e, s.cfg.Timeout)
			return rec.Outcome, err
		}}
}

// topic returns the newest value of a topic, if it has one.
func topic(ctx context.Context, s *Service, name string) (ui.Value, bool) {
	c, done, err := s.open(ctx, ingress.TopicID(name))
	if err == nil {
		defer done()
		err = c.log.Fresh(ctx)
	}
	if err != nil {
		if !isGone(err) {
			s.cfg.Log.Warn("a topic cannot be read", "topic", name, "err", logs.Quiet(err))
		}
		return ui.Value{}, false
	}
	return c.head().Committed.Get(name)
}

// newer returns commits of the topics and records that open views show, as far as they are newer than in a state.
func (c *mailbox) newer(ctx context.Context, s *ui.State, e *ui.Event, f *ui.Frame) ui.Ops {
	if c.svc.viewers == nil {
		return nil
	}
	source := live.Source{App: c.svc.cfg.App, Records: c.svc.records, Log: c.svc.cfg.Log,
		Topic: func(ctx context.Context, name string) (ui.Value, bool) { return topic(ctx, c.svc, name) }}
	return source.Newer(ctx, live.Reader{ID: c.info.ID, Viewer: c.viewer.Load(),
		Lists: c.svc.in(s).env.App.RecordLists()}, s, e, f)
}

// catchUp commits newer topics and records for the open views of a conversation. The caller
// has the turn.
func (c *mailbox) catchUp(ctx context.Context) {
	s := c.head()
	if s.Ended || len(c.newer(ctx, s, nil, nil)) == 0 {
		return
	}
	e := &ui.Event{Kind: ui.EventData, Data: ui.Map()}
	if _, _, err := c.newTurn(e, "").do(context.WithoutCancel(ctx)); err != nil {
		c.svc.cfg.Log.Warn("a view is not brought up to date", "conversation", c.info.ID, "err", logs.Quiet(err))
	}
}

// catchUpNow is catchUp if no turn runs, which does the same. done reports that nothing is left to do.
func (c *mailbox) catchUpNow(ctx context.Context) (done bool) {
	if len(c.svc.cfg.App.Views().Open(c.head())) == 0 {
		return true
	}
	release, ok := c.tryTurn()
	if ok {
		defer release()
		c.catchUp(ctx)
	}
	return ok
}

// catchUp brings the views of a conversation up to date, see live.Config.
func catchUp(ctx context.Context, s *Service, id string) (*ui.State, bool) {
	c, release, err := s.open(ctx, id)
	if err != nil {
		return nil, false
	}
	defer release()
	if err := c.log.Fresh(ctx); err != nil {
		return nil, false
	}
	done := c.catchUpNow(ctx)
	return c.head(), done
}

// poll makes up for lost hints of the bus.
func poll(s *Service) {
	for s.work.Pause(nil, s.cfg.Poll/2+rand.N(s.cfg.Poll/2)) {
		if err := conversation.WakeBehind(s.work.Stop, s.Followers, s.cfg.Store); err != nil {
			s.cfg.Log.Warn("poll", "err", logs.Quiet(err))
		}
	}
}
