package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// TestRefusedIsSmall: of an event that is refused its body is not stored. Its repeats
// get the first answer all the same, and another body under its key is refused.
func TestRefusedIsSmall(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t))
		late := send(w.open(form), "Acme")
		late.Action.Surface = ui.WireID("form:other", 1)
		w.submit(send(w.open(form), "Acme"))
		click := func(company string) *ui.Event {
			e := send(w.state().Surface(form), company)
			e.Action.Surface = late.Action.Surface
			return keyed(e, "k")
		}
		long := strings.Repeat("x", 100<<10)
		first := w.submit(click(long))
		w.outcome(first, ui.OutcomeRefused, "A2UI_C2S_SURFACE_STALE")
		w.crash()
		equal(t, "again", first, w.submit(click(long)))
		if _, err := w.svc.Submit(t.Context(), w.id, "p", click("other"), wait); ui.CodeOf(err) != recovery.CodeKeyReused {
			t.Errorf("another body: %v", err)
		}
		bytes := 0
		if err := w.store.Export(t.Context(), func(all store.Dump) error {
			for _, r := range all.Events {
				bytes += len(r.Body)
			}
			for _, f := range append(all.Frames, all.Traces...) {
				bytes += len(f.Body)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if bytes > 10<<10 {
			t.Errorf("%d bytes are stored", bytes)
		}
	})
}

// TestStoredADay: who has had as much stored as one may in a day is refused before
// anything is recorded, until the next day; others are not, nor are repeats.
func TestStoredADay(t *testing.T) {
	for _, tt := range []struct {
		limit quota.Daily
		says  string
		other bool // another principal of the same address may send
	}{
		{quota.Daily{Principal: 8 << 10}, "You have stored as much as one may in a day.", true},
		{quota.Daily{Address: 8 << 10}, "Your network has stored as much as one may in a day.", false},
	} {
		t.Run(tt.says, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				w := newWorld(t, declared(t), model(limntest.Says(envelope("Hm."))),
					func(c *session.Config) { c.Stored = tt.limit })
				ctx := quota.FromAddress(t.Context(), "192.0.2.1/32")
				post := func(key string) (session.Receipt, error) {
					return w.svc.Submit(ctx, w.id, "p", keyed(say(strings.Repeat("x", 1<<10)), key), wait)
				}
				first, err := post("first")
				if err != nil {
					t.Fatal(err)
				}
				var refused error
				for range 8 {
					if _, err := post(""); err != nil {
						refused = err
						break
					}
				}
				if ui.CodeOf(refused) != quota.CodeStored {
					t.Fatalf("8 KiB and more: %v", refused)
				}
				equal(t, "says", tt.says, refused.(*ui.Error).Message)
				n := len(w.frames())
				if again, err := post("first"); err != nil || again != first {
					t.Errorf("a repeat: %+v, %v; want %+v", again, err, first)
				}
				if _, err := post("new"); ui.CodeOf(err) != quota.CodeStored {
					t.Errorf("a new one: %v", err)
				}
				equal(t, "frames", n, len(w.frames()))
				id, err := w.svc.Create(t.Context(), "q")
				if err != nil {
					t.Fatal(err)
				}
				if _, err := w.svc.Submit(ctx, id, "q", say("hello"), wait); (err == nil) != tt.other {
					t.Errorf("another principal: %v", err)
				}
				time.Sleep(24 * time.Hour)
				if _, err := post("new"); err != nil {
					t.Errorf("the next day: %v", err)
				}
			})
		})
	}
}

// TestSavedRecordsCount: what is saved beside a conversation counts for the day, too.
func TestSavedRecordsCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t), func(c *session.Config) { c.Stored = quota.Daily{Principal: 4 << 10} })
	put := func(who string) error {
		_, err := w.svc.Records(who).Put(t.Context(), app.Record{Name: "customer",
			Values: ui.Map(ui.Pair{Key: "company", Value: ui.String(strings.Repeat("x", 3<<10))})})
		return err
	}
	for range 2 {
		if err := put("p"); err != nil {
			t.Fatal(err)
		}
	}
	if err := put("p"); ui.CodeOf(err) != quota.CodeStored {
		t.Errorf("6 KiB and more: %v", err)
	}
	if err := put("q"); err != nil {
		t.Errorf("another principal: %v", err)
	}
}
