package work

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

var errRefused = errors.New("refused")

func TestRefusesAfterEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := New(func() error { return errRefused })
		if err := w.Enter(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { w.End(context.Background()); close(ended) }()
		synctest.Wait()
		if err := w.Enter(); !errors.Is(err, errRefused) {
			t.Errorf("Enter after End began: %v", err)
		}
		if w.Pause(nil, time.Hour) {
			t.Error("a pause goes on after End began")
		}
		select {
		case <-ended:
			t.Error("End does not wait")
		default:
		}
		w.Done()
		<-ended
	})
}
