package quota_test

import (
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

func TestRunsAreRefusedAboveALimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		limit quota.Runs
		code  ui.Code
	}{
		{"principal", quota.Runs{Principal: 2}, quota.CodeRuns},
		{"address", quota.Runs{Principal: -1, Address: 2}, quota.CodeRuns},
		{"node", quota.Runs{Principal: -1, Node: 1, Waiting: 1}, quota.CodeRunsFull},
		{"none", quota.Runs{Principal: -1, Address: -1, Node: -1}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			runs := quota.NewCounter(c.limit, time.Now, trace.NoMeter())
			var last *quota.Permit
			for range 2 {
				p, err := runs.Permit("ann", "192.0.2.1/32")
				if err != nil {
					t.Fatal(err)
				}
				last = p
			}
			if _, err := runs.Permit("ann", "192.0.2.1/32"); ui.CodeOf(err) != c.code {
				t.Errorf("a third run: %v, want code %q", err, c.code)
			}
			last.Release()
			last.Release() // counts once
			if _, err := runs.Permit("ann", "192.0.2.1/32"); err != nil {
				t.Errorf("after a run ended: %v", err)
			}
		})
	}
}

func TestResumedRunIsNeverRefused(t *testing.T) {
	t.Parallel()
	runs := quota.NewCounter(quota.Runs{Principal: 1}, time.Now, trace.NoMeter())
	for range 2 {
		runs.Resume("ann")
	}
	if _, err := runs.Permit("ann", ""); ui.CodeOf(err) != quota.CodeRuns {
		t.Errorf("resumed runs count: %v", err)
	}
}

func TestTokensEndWithTheDay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 23, 59, 0, 0, time.UTC)
	runs := quota.NewCounter(quota.Runs{Tokens: 100}, func() time.Time { return now }, trace.NoMeter())
	p, err := runs.Permit("ann", "")
	if err != nil {
		t.Fatal(err)
	}
	p.Spend(100)
	p.Release()
	if _, err := runs.Permit("ann", ""); ui.CodeOf(err) != quota.CodeTokens {
		t.Errorf("after the share is used: %v", err)
	}
	if _, err := runs.Permit("bob", ""); err != nil {
		t.Errorf("another principal: %v", err)
	}
	now = now.Add(time.Minute)
	if _, err := runs.Permit("ann", ""); err != nil {
		t.Errorf("the next day: %v", err)
	}
}

func TestDayCountsPrincipalAndAddress(t *testing.T) {
	t.Parallel()
	day := quota.NewDay(quota.Daily{Principal: 10, Address: 15}, time.Now)
	day.Add("ann", "192.0.2.1/32", 10)
	day.Add("bob", "192.0.2.1/32", 5)
	day.Add("eve", "", 5)
	for _, c := range []struct{ principal, address, want string }{
		{"ann", "", "You have"},
		{"bob", "192.0.2.1/32", "Your network has"},
		{"bob", "", ""},
		{"eve", "198.51.100.1/32", ""},
	} {
		if got := day.Over(c.principal, c.address); got != c.want {
			t.Errorf("Over(%q, %q) = %q, want %q", c.principal, c.address, got, c.want)
		}
	}
}
