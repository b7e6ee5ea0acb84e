package deliver_test

import (
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/limntest"
)

// TestGuests: the stream of a guest ends when their link runs out, within a heartbeat, or is
// revoked, at once; the owner's goes on.
func TestGuests(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		join := func(principal string, until time.Time) conversation.Link {
			link, token, err := w.svc.Share(t.Context(), w.id, "p", conversation.Read, until)
			if err == nil {
				_, err = w.svc.Join(t.Context(), w.id, token, principal)
			}
			if err != nil {
				t.Fatal(err)
			}
			return link
		}
		began := time.Now()
		req := w.request("v0.9", deliver.A2UI)
		owner := w.follow(req)
		join("short", began.Add(10*time.Minute))
		long := join("long", began.Add(time.Hour))
		req.Principal = "short"
		short := w.follow(req)
		req.Principal = "long"
		other := w.follow(req)
		<-short.ended
		if life := time.Since(began); life < 10*time.Minute || life > 10*time.Minute+25*time.Second {
			t.Errorf("a stream of 10 minutes ended after %v", life)
		}
		w.say("hello")
		if err := w.svc.Revoke(t.Context(), w.id, "p", long.ID); err != nil {
			t.Fatal(err)
		}
		revoked := time.Now()
		<-other.ended
		if late := time.Since(revoked); late > 0 {
			t.Errorf("a revoked stream ended after %v", late)
		}
		select {
		case err := <-owner.ended:
			t.Errorf("the owner's ended: %v", err)
		default:
		}
		owner.stop()
	})
}
