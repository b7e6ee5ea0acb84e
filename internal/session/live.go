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
func topic(ctx context.Context, s *Service, name string) (v ui.Value, ok bool, err error) {
	c, done, err := s.open(ctx, ingress.TopicID(name))
	if err == nil {
		defer done()
		err = c.log.Fresh(ctx)
	}
	switch {
	case isGone(err): // it has none
		err = nil
	case err == nil:
		v, ok = c.head().Committed.Get(name)
	}
	return v, ok, err
}

// newer returns commits of the topics and records that open views show, as far as they are newer than in a state. The
// error says that not all could be read.
func (c *mailbox) newer(ctx context.Context, s *ui.State, e *ui.Event, f *ui.Frame) (ui.Ops, error) {
	if c.svc.viewers == nil {
		return nil, nil
	}
	source := live.Source{App: c.svc.cfg.App, Records: c.svc.records, Log: c.svc.cfg.Log,
		Topic: func(ctx context.Context, name string) (ui.Value, bool, error) { return topic(ctx, c.svc, name) }}
	return source.Newer(ctx, live.Reader{ID: c.info.ID, Viewer: c.viewer.Load(),
		Lists: c.svc.in(s).env.App.RecordLists()}, s, e, f)
}

// catchUpNow commits newer topics and records for the open views of a conversation. The error is live.ErrBusy if a
// turn runs, which does the same.
func (c *mailbox) catchUpNow(ctx context.Context) error {
	if s := c.head(); s.Ended || len(c.svc.cfg.App.Views().Open(s)) == 0 {
		return nil
	}
	release, ok := c.tryTurn()
	if !ok {
		return live.ErrBusy
	}
	defer release()
	if ops, err := c.newer(ctx, c.head(), nil, nil); len(ops) == 0 {
		return err
	}
	t := c.newTurn(&ui.Event{Kind: ui.EventData, Data: ui.Map()}, "")
	if _, _, err := t.do(context.WithoutCancel(ctx)); err != nil {
		c.svc.cfg.Log.Warn("a view is not brought up to date", "conversation", c.info.ID, "err", logs.Quiet(err))
		return err
	}
	return t.retry.unread
}

// catchUp brings the views of a conversation up to date, see live.Config.
func catchUp(ctx context.Context, s *Service, id string) (*ui.State, error) {
	c, release, err := s.open(ctx, id)
	if err != nil {
		return nil, err
	}
	defer release()
	if err = c.log.Fresh(ctx); err == nil {
		err = c.catchUpNow(ctx)
	}
	return c.head(), err
}

// poll makes up for lost hints of the bus.
func poll(s *Service) {
	for s.work.Pause(nil, s.cfg.Poll/2+rand.N(s.cfg.Poll/2)) {
		if err := conversation.WakeBehind(s.work.Stop, s.Followers, s.cfg.Store); err != nil {
			s.cfg.Log.Warn("poll", "err", logs.Quiet(err))
		}
	}
}
