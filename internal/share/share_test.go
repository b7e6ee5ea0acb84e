package share_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ids"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/share"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// begin returns the links of a store with one conversation, c1.
func begin(t *testing.T) share.Links {
	t.Helper()
	st := memory.New()
	if err := st.Create(t.Context(), store.Conversation{ID: "c1", Log: "0123456789abcdef",
		Owner: conversation.Owner("ada"), Created: time.Now()}); err != nil {
		t.Fatal(err)
	}
	return share.Links{Store: st, IDs: ids.Source{Random: rand.Reader, Now: time.Now}}
}

// TestMake: a link counts until a time within bounds, and with one of three rights.
func TestMake(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, now := begin(t), time.Now()
		for _, c := range []struct {
			access conversation.Access
			after  time.Duration
			want   ui.Code
			counts time.Duration
		}{
			{conversation.Read, time.Hour, "", time.Hour},
			{conversation.Write, share.MaxLinkTime, "", share.MaxLinkTime},
			{conversation.Own, 24 * time.Hour, "", share.DeviceLink},
			{conversation.Write, share.MaxLinkTime + time.Second, ingress.CodeEnvelope, 0},
			{conversation.Read, 0, ingress.CodeEnvelope, 0},
			{"admin", time.Hour, ingress.CodeEnvelope, 0},
		} {
			link, token, err := l.Make(t.Context(), "c1", c.access, now.Add(c.after))
			if ui.CodeOf(err) != c.want || (token == "") != (err != nil) || err == nil && link.Expires.Sub(now) != c.counts {
				t.Errorf("%s for %v: %+v, %v", c.access, c.after, link, err)
			}
		}
		link, _, err := l.Make(t.Context(), "c1", conversation.Read, time.Time{})
		if err != nil || link.Expires.Sub(now) != share.LinkTime {
			t.Errorf("without a time: %+v, %v", link, err)
		}
		for n := 4; n < share.MaxLinks; n++ {
			if _, _, err := l.Make(t.Context(), "c1", conversation.Read, time.Time{}); err != nil {
				t.Fatalf("link %d: %v", n, err)
			}
		}
		if _, _, err := l.Make(t.Context(), "c1", conversation.Read, time.Time{}); ui.CodeOf(err) != recovery.CodeQuota {
			t.Errorf("one too many: %v", err)
		}
		time.Sleep(share.DeviceLink) // of the bubble: one has expired
		if _, _, err := l.Make(t.Context(), "c1", conversation.Read, time.Time{}); err != nil {
			t.Errorf("in its place: %v", err)
		}
	})
}

// TestOpen: a link for guests lets MaxGuests in, a link for a device one; each only while it
// is there, and by its own token.
func TestOpen(t *testing.T) {
	t.Parallel()
	l, ctx := begin(t), context.Background()
	open := func(token, who string) error {
		link, err := l.Invitation(ctx, "c1", token)
		if err != nil {
			return err
		}
		return l.Open(ctx, "c1", token, who, link)
	}
	link, token, err := l.Make(ctx, "c1", conversation.Read, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range share.MaxGuests {
		if err := open(token, fmt.Sprint("guest ", n)); err != nil {
			t.Fatalf("guest %d: %v", n, err)
		}
	}
	if err := open(token, "one more"); ui.CodeOf(err) != recovery.CodeQuota {
		t.Errorf("one guest too many: %v", err)
	}
	if list, err := l.List(ctx, "c1"); err != nil || len(list) != 1 || list[0].Opened != share.MaxGuests {
		t.Errorf("links %+v, %v", list, err)
	}
	if err := l.Drop(ctx, "c1", link.ID); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"open a dropped link": open(token, "eve"), "open none": open("guess", "eve"),
		"drop it again": l.Drop(ctx, "c1", link.ID)} {
		if ui.CodeOf(err) != conversation.CodeShareGone {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, token, err = l.Make(ctx, "c1", conversation.Own, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if err := open(token, "phone"); err != nil {
		t.Error(err)
	}
	if err := open(token, "another phone"); ui.CodeOf(err) != conversation.CodeShareGone {
		t.Errorf("a second device: %v", err)
	}
}
