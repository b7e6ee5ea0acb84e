package web

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// TestIntakeBytes: bodies in memory are bounded for a principal and for all, and
// what is released is free again.
func TestIntakeBytes(t *testing.T) {
	t.Parallel()
	in := newIntake(100, trace.NoMeter())
	var release []func()
	for who := range 4 {
		name := string(rune('a' + who))
		for range 4 {
			r, err := in.hold(name, 100)
			if err != nil {
				t.Fatal(err)
			}
			release = append(release, r)
		}
		if _, err := in.hold(name, 1); ui.CodeOf(err) != recovery.CodeUploads {
			t.Errorf("a principal holds more than its share: %v", err)
		}
	}
	if _, err := in.hold("e", 1); ui.CodeOf(err) != recovery.CodeUploads {
		t.Errorf("all hold more than there is: %v", err)
	}
	for _, r := range release {
		r()
		r() // a second call changes nothing
	}
	if in.held != 0 || len(in.by) != 0 {
		t.Errorf("%d bytes of %d principals are still held", in.held, len(in.by))
	}
}

// TestIntakeParsers: few files are parsed at once, few wait for it and not for long,
// and a parser has a deadline.
func TestIntakeParsers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := newIntake(100, trace.NoMeter())
		results := make(chan error, 100)
		var running atomic.Int32
		most := make(chan int32, cap(in.parsers)+parsesWaiting)
		for range cap(in.parsers) + parsesWaiting {
			go func() { // ends with its parser, or when it has waited for long enough
				results <- in.parse(t.Context(), func(ctx context.Context) {
					most <- running.Add(1)
					<-ctx.Done()
					running.Add(-1)
				})
			}()
		}
		synctest.Wait()
		if err := in.parse(t.Context(), func(context.Context) {}); ui.CodeOf(err) != recovery.CodeUploads {
			t.Errorf("one more than may wait: %v", err)
		}
		began := time.Now()
		refused := 0
		for range cap(in.parsers) + parsesWaiting {
			if err := <-results; ui.CodeOf(err) == recovery.CodeUploads {
				refused++
			} else if err != nil {
				t.Error(err)
			}
		}
		close(most)
		atOnce := int32(0)
		for n := range most {
			atOnce = max(atOnce, n)
		}
		if refused != parsesWaiting || int(atOnce) != cap(in.parsers) || time.Since(began) != parseTime {
			t.Errorf("%d were refused, %d ran at once, for %v", refused, atOnce, time.Since(began))
		}
		if err := in.parse(t.Context(), func(context.Context) {}); err != nil {
			t.Errorf("when all is over: %v", err)
		}
	})
}
