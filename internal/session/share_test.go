package session_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/share"
	"github.com/limn-ui/limn/ui"
)

// join makes a link and lets a principal in by it.
func (w *world) join(access conversation.Access, until time.Time, principal string) (link conversation.Link) {
	w.Helper()
	link, token, err := w.svc.Share(context.Background(), w.id, "p", access, until)
	if err != nil {
		w.Fatal(err)
	}
	if _, err := w.svc.Join(context.Background(), w.id, token, principal); err != nil {
		w.Fatal(err)
	}
	return link
}

// readsAs checks how far a principal may read.
func (w *world) readsAs(svc *session.Service, principal string, want ui.Code) {
	w.Helper()
	if _, err := svc.Head(context.Background(), w.id, principal); ui.CodeOf(err) != want {
		w.Errorf("%s reads: %v, want %q", principal, err, want)
	}
}

// TestShareExpires: a link counts until its time, for those who opened it as well, and makes
// room for others then. A better link counts beside a worse one.
func TestShareExpires(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t))
		w.join(conversation.Read, time.Time{}, "guest")
		w.join(conversation.Write, time.Now().Add(time.Hour), "guest")
		for range share.MaxLinks - 2 {
			w.join(conversation.Read, time.Now().Add(time.Minute), "another")
		}
		if _, _, err := w.svc.Share(t.Context(), w.id, "p", conversation.Read, time.Time{}); err == nil {
			t.Error("one too many was made")
		}
		post := func(principal string) ui.Code {
			_, err := w.svc.Submit(t.Context(), w.id, principal, say("hello"), wait)
			return ui.CodeOf(err)
		}
		if code := post("guest"); code != "" {
			t.Errorf("writing: %s", code)
		}
		time.Sleep(time.Hour)
		w.readsAs(w.svc, "another", conversation.CodeNotFound)
		w.readsAs(w.svc, "guest", "")
		if code := post("guest"); code != conversation.CodeReadOnly {
			t.Errorf("writing later: %s", code)
		}
		w.join(conversation.Read, time.Time{}, "another")
		if kept, err := w.store.Shares(t.Context(), w.id, ""); err != nil || len(kept) != 4 {
			t.Errorf("the store keeps %d, %v", len(kept), err)
		}
		time.Sleep(share.LinkTime)
		w.readsAs(w.svc, "guest", conversation.CodeNotFound)
		if links, err := w.svc.Links(t.Context(), w.id, "p"); err != nil || len(links) > 0 {
			t.Errorf("%v, %v", links, err)
		}
	})
}

// TestShareOutlasts: a link that counts longer than the one that was opened before counts for
// who opens it, when the other has ended or is revoked; what they may do meanwhile stays.
func TestShareOutlasts(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t))
		in := func(d time.Duration) time.Time { return time.Now().Add(d) }
		w.join(conversation.Write, in(time.Hour), "guest")
		first := w.join(conversation.Read, in(time.Hour), "another")
		_, token, err := w.svc.Share(t.Context(), w.id, "p", conversation.Read, in(48*time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		for who, want := range map[string]conversation.Access{"guest": conversation.Write, "another": conversation.Read} {
			for range 2 { // again it changes nothing
				if got, err := w.svc.Join(t.Context(), w.id, token, who); got != want || err != nil {
					t.Errorf("%s joins: %q, %v", who, got, err)
				}
			}
		}
		for i := range share.MaxGuests - 2 { // a link that as many opened as may stays open to them
			if _, err := w.svc.Join(t.Context(), w.id, token, fmt.Sprint("guest", i)); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := w.svc.Join(t.Context(), w.id, token, "guest"); got != conversation.Write || err != nil {
			t.Errorf("guest joins: %q, %v", got, err)
		}
		if err := w.svc.Revoke(t.Context(), w.id, "p", first.ID); err != nil {
			t.Fatal(err)
		}
		w.readsAs(w.svc, "another", "")
		time.Sleep(2 * time.Hour)
		if got, err := w.svc.Access(t.Context(), w.id, "guest"); got != conversation.Read || err != nil {
			t.Errorf("after the first link: %q, %v", got, err)
		}
		if links, err := w.svc.Links(t.Context(), w.id, "p"); err != nil || len(links) != 1 || links[0].Opened != share.MaxGuests {
			t.Errorf("%+v, %v", links, err)
		}
	})
}

// TestShareTrace: a trace says who acted, if it was not the owner.
func TestShareTrace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t), phrases)
	anonymous := conversation.Anonymous("a token")
	var want []string
	for principal, by := range map[string]string{anonymous: "guest", "eve": conversation.Owner("eve"), "p": ""} {
		if principal != "p" {
			w.join(conversation.Write, time.Time{}, principal)
		}
		if _, err := w.svc.Submit(t.Context(), w.id, principal, say("hello"), wait); err != nil {
			t.Fatal(err)
		}
		want = append(want, by)
	}
	var got []string
	for _, turn := range w.traces() {
		got = append(got, turn.By)
	}
	equal(t, "who acted", want, got)
}

// TestShareNodes: what one node revokes counts on another at once, and of several devices that
// open one link one is let in.
func TestShareNodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t))
	other := w.start()
	link := w.join(conversation.Read, time.Time{}, "guest")
	w.readsAs(other, "guest", "")
	if err := other.Revoke(t.Context(), w.id, "p", link.ID); err != nil {
		t.Fatal(err)
	}
	w.readsAs(w.svc, "guest", conversation.CodeNotFound)

	_, token, err := w.svc.Share(t.Context(), w.id, "p", conversation.Own, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	var in atomic.Int32
	var wg sync.WaitGroup
	for i, svc := range []*session.Service{w.svc, other, w.svc, other} {
		wg.Go(func() {
			if _, err := svc.Join(context.Background(), w.id, token, conversation.Anonymous(string(rune('a'+i)))); err == nil {
				in.Add(1)
			}
		})
	}
	wg.Wait()
	if in.Load() != 1 {
		t.Errorf("%d devices were let in", in.Load())
	}
}
