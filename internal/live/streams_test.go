package live

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/work"
	"github.com/limn-ui/limn/ui"
)

// TestStreams: a conversation with a stream is brought up to date when the stream begins,
// after each change of a topic that its open view shows, and as often as the view says;
// again if a turn ran meanwhile, or if it failed; and not after the stream has ended.
func TestStreams(t *testing.T) {
	t.Parallel()
	a, err := app.New(app.Config{Name: "a", Views: []app.View{
		{Name: "sales", Topics: []string{"sales"}, Nodes: ui.Nodes{&ui.Text{Key: "t", Text: "x"}}},
		{Name: "clock", Topics: []string{"clock"}, Refresh: time.Minute,
			Nodes: ui.Nodes{&ui.Text{Key: "t", Text: "x"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	showing := func(id, view string) *ui.State {
		s := a.NewState(id)
		s.Surfaces = []*ui.Surface{{Name: ui.Name("view:" + view), Status: ui.StatusOpen,
			Origin: ui.Origin{Kind: "view", Template: view}}}
		return s
	}
	states := map[string]*ui.State{"c1": showing("c1", "sales"), "c2": showing("c2", "clock")}
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var looked []string
		wakes := map[string]func(){}
		var fault error // of the next catch-up
		w := work.New(nil)
		v := New(Config{App: a, Work: w,
			Watch: func(source string, wake func()) func() { wakes[source] = wake; return func() {} },
			CatchUp: func(_ context.Context, id string) (*ui.State, error) {
				mu.Lock()
				defer mu.Unlock()
				looked = append(looked, id)
				err := fault
				fault = nil
				return states[id], err
			}})
		w.Go(v.Run)
		after := func(what string, want ...string) {
			t.Helper()
			time.Sleep(time.Second) // of the bubble
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			slices.Sort(looked)
			if !slices.Equal(looked, want) {
				t.Errorf("after %s: %s", what, strings.Join(looked, " "))
			}
			looked = nil
		}
		after("nothing")
		leave, leaveToo, end := v.Enter("c1"), v.Enter("c1"), v.Enter("c2")
		after("the streams began", "c1", "c1", "c2", "c2") // once more: they show what was not followed before
		wakes["topic:sales"]()
		after("a change", "c1")
		fails := func(err error) {
			mu.Lock()
			defer mu.Unlock()
			fault = err
		}
		fails(ErrBusy)
		wakes["topic:sales"]()
		after("a change in a turn", "c1", "c1")
		fails(errors.New("the store is away"))
		wakes["topic:sales"]()
		after("a change that could not be read", "c1")
		after("a second", "c1")
		after("another second")
		leave()
		wakes["topic:sales"]()
		after("one of two streams ended", "c1")
		leaveToo()
		wakes["topic:sales"]()
		after("the other ended")
		time.Sleep(time.Minute)
		after("a minute", "c2")
		end()
		time.Sleep(time.Minute)
		after("all ended")
		w.End(context.Background())
	})
}
