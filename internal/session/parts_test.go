package session

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/ui"
)

// The parts of a Service work without one.

func TestWorkRefusesAfterClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWork()
		if err := w.enter(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { w.end(context.Background()); close(ended) }()
		synctest.Wait()
		if err := w.enter(); ui.CodeOf(err) != CodeDraining {
			t.Errorf("enter after Close began: %v", err)
		}
		if w.pause(nil, time.Hour) {
			t.Error("a pause goes on after Close began")
		}
		select {
		case <-ended:
			t.Error("Close does not wait")
		default:
		}
		w.Done()
		<-ended
	})
}
