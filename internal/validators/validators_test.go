package validators

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/work"
)

// TestValidators: they run at once, their findings stand in the order of the
// list, and one that panics or is late hides no other and is named alone.
func TestValidators(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		check := Runner{Time: 2 * time.Second, Work: work.New(nil), Log: slog.New(slog.NewTextHandler(&log, nil))}
		finds := func(name string, after time.Duration) capture.Validator {
			return capture.Validator{Name: name, Check: func(capture.Submission) []capture.Warning {
				time.Sleep(after)
				return []capture.Warning{{Check: name}}
			}}
		}
		list := []capture.Validator{finds("a", time.Second),
			{Name: "bad", Check: func(capture.Submission) []capture.Warning { panic("secret") }},
			finds("late", 3*time.Second), finds("b", 0), finds("c", 1900*time.Millisecond)}
		began := time.Now()
		var got []string
		for _, w := range check.Run(list, capture.Submission{}) {
			got = append(got, w.Check)
		}
		if took := time.Since(began); strings.Join(got, " ") != "a b c" || took != 2*time.Second {
			t.Errorf("%v after %v", got, took)
		}
		if s := log.String(); strings.Contains(s, "secret") || strings.Count(s, "validator=bad") != 1 ||
			strings.Count(s, "validator=late") != 1 || strings.Count(s, "\n") != 2 {
			t.Errorf("log: %s", s)
		}
		check.Work.End(context.Background()) // waits for the late one
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("closed after %v", took)
		}
	})
}
