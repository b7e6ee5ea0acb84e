package door

import (
	"context"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// maxShown bounds the frames in which those of an event are looked for.
const maxShown = 64

// Began returns the frame before the first one of an event, among the last ones up to a frame, else that one: an agent
// may show something before the frame that answers the event.
func Began(ctx context.Context, s Service, id string, event ui.EventID, upTo uint64) uint64 {
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
