package deliver

import (
	"context"

	"github.com/limn-ui/limn/ui"
)

// maxRead bounds the bytes that are read at once, beyond the first frame.
const maxRead = 1 << 20

// Items are frames that were read, each as the framing writes it.
type Items struct {
	Items  [][]byte
	Seq    uint64 // of the last one
	Closed bool   // the conversation ended with it, or before
}

// Read returns the next frames of a log after one, and waits for none. The caller has
// checked who reads. The error is that of the log or of the drawing.
func (d *Deliverer) Read(ctx context.Context, r Request, log string, after uint64) (out Items, err error) {
	steps, err := d.cfg.Source.Steps(ctx, r.Conversation, after, page)
	if err != nil {
		return out, err
	}
	v, size := d.view(r, log), 0
	out.Seq = after
	for _, st := range steps {
		if out.Closed = st.Before.Ended; out.Closed || size > maxRead {
			break
		}
		item, err := v.frame(st, 0)
		if err != nil {
			return out, err
		}
		size += len(item)
		out.Items, out.Seq = append(out.Items, item), st.Frame.Seq
		if out.Closed = st.After.Ended; out.Closed {
			break
		}
	}
	if len(steps) == 0 {
		h, err := d.cfg.Source.Head(ctx, r.Conversation, r.Principal)
		out.Closed = err == nil && h.State.Ended && h.State.Seq == after
		return out, err
	}
	return out, nil
}

// Snap returns a whole state, as the framing writes it.
func (d *Deliverer) Snap(r Request, log string, s *ui.State) ([]byte, error) {
	return d.view(r, log).snapshot(s, "")
}
