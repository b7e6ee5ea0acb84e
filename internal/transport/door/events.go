package door

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/ui"
)

// Events are the events of one request, in their order, and how far their client has read the
// conversation. The answer to the last one, or to the model's reply to it, ends the request.
type Events struct {
	Conversation string
	Who          string
	After        uint64 // the client has the frames up to here

	service Service
	ids     []ui.EventID
	last    conversation.Receipt // of the last event
	asks    asks
}

// asks says whether a model replies to an event after its frame.
type asks int

const (
	unsure asks = iota // known once the event has its frame
	never
	asked
)

// NewEvents begins without events, for a client that has the frames up to one.
func NewEvents(s Service, id, who string, after uint64) Events {
	return Events{Conversation: id, Who: who, After: after, service: s}
}

// Add adds an event by its receipt. One that was sent before has its frames once more. acts
// says that it may be an action.
func (e *Events) Add(ctx context.Context, rec conversation.Receipt, acts bool) {
	e.ids, e.last, e.asks = append(e.ids, rec.Event), rec, never
	if acts {
		e.asks = unsure
	}
	if rec.Event == "" { // it has no frame
		return
	}
	if rec.Done && rec.Seq <= e.After {
		e.After = rec.Seq - 1
	}
	e.After = began(ctx, e.service, e.Conversation, rec.Event, e.After)
}

// Any reports whether there are events.
func (e *Events) Any() bool { return len(e.ids) > 0 }

// Last is the last event.
func (e *Events) Last() ui.EventID { return e.ids[len(e.ids)-1] }

// Owns reports whether a frame of an event answers one of these, or is a model's reply to one.
func (e *Events) Owns(event ui.EventID) bool {
	return slices.ContainsFunc(e.ids, func(own ui.EventID) bool {
		return event == own || event == conversation.ReplyTo(own)
	})
}

// Ends reports whether nothing of the request follows a frame. After an error it may be that no other frame comes: a
// stream then ends without the end of the request, for its client to come back.
func (e *Events) Ends(f *ui.Frame) (bool, error) {
	switch last := e.Last(); {
	case f.Event == conversation.ReplyTo(last):
		return true, nil
	case f.Event != last:
		return false, nil
	case f.Outcome.Kind != ui.OutcomeDone:
		return true, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookTime) // streams outlive their requests
	defer cancel()
	var err error
	if e.asks == unsure {
		_, err = e.reply(ctx)
	}
	return e.asks == never, err
}

// lookTime bounds how long a stream may look for a receipt.
const lookTime = 10 * time.Second

// reply looks for the receipt of a model's reply to the last event, which has its frame.
func (e *Events) reply(ctx context.Context) (conversation.Receipt, error) {
	rec, known, err := e.service.Receipt(ctx, e.Conversation, e.Who, conversation.ReplyTo(e.Last()))
	switch {
	case known:
		e.asks = asked
	case err == nil:
		e.asks = never
	}
	return rec, err
}

// Over returns the receipt that ends the request, if there is one by now.
func (e *Events) Over(ctx context.Context) (rec conversation.Receipt, over bool, err error) {
	if !e.last.Done {
		rec, known, err := e.service.Receipt(ctx, e.Conversation, e.Who, e.Last())
		if err != nil || !known {
			return rec, false, err
		}
		e.last = rec
	}
	rec = e.last
	if !rec.Done || rec.Outcome.Kind != ui.OutcomeDone || e.asks == never {
		return rec, rec.Done, nil
	}
	reply, err := e.reply(ctx)
	if err != nil {
		return reply, false, err
	}
	if e.asks == asked {
		reply.Seq = max(reply.Seq, rec.Seq)
		return reply, reply.Done, nil
	}
	return rec, true, nil
}

// Reached is Over for a client that is shown a state: the receipt counts if its frame is in it.
func (e *Events) Reached(s *ui.State) (rec conversation.Receipt, over bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	rec, over, err = e.Over(ctx)
	return rec, over && rec.Seq <= s.Seq, err
}

// maxShown bounds the frames in which those of an event are looked for.
const maxShown = 64

// began returns the frame before the first one of an event, among the last ones up to a frame,
// else that one: an agent may show something before the frame that answers the event.
func began(ctx context.Context, s Service, id string, event ui.EventID, upTo uint64) uint64 {
	if upTo == 0 {
		return upTo
	}
	last, err := s.Steps(ctx, id, upTo-1, 1)
	if err != nil || len(last) == 0 || last[0].Frame.Event < event { // the ids of events are in the order of time
		return upTo
	}
	steps, err := s.Steps(ctx, id, upTo-min(upTo, maxShown), maxShown)
	if err != nil {
		return upTo
	}
	for _, st := range steps {
		if st.Frame.Seq <= upTo && strings.HasPrefix(string(st.Frame.Event), string(event)+".") {
			return st.Frame.Seq - 1
		}
	}
	return upTo
}
