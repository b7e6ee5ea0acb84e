package webhook_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/transport/webhook"
)

// What an endpoint says about trying again reaches who tries again.
func TestStatusError(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		status int
		after  string
		wait   time.Duration
		final  bool
	}{
		{503, "120", 2 * time.Minute, false},
		{429, noon.Add(time.Hour).Format(http.TimeFormat), time.Hour, false},
		{503, noon.Add(-time.Hour).Format(http.TimeFormat), 0, false},
		{503, "-5", 0, false},
		{503, "soon", 0, false},
		{503, "99999999999", 0, false}, // no int of a second count: no wish
		{410, "", 0, true},
		{500, "", 0, false},
	} {
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", c.after)
			w.WriteHeader(c.status)
		})
		cfg := local
		cfg.Now = func() time.Time { return noon }
		_, err := webhook.New(cfg).Post(t.Context(), app.Webhook{URL: url}, "k", nil)
		var e *webhook.StatusError
		if !errors.As(err, &e) || e.StatusCode() != c.status || e.Final() != c.final ||
			e.RetryAfter() != c.wait && c.after != "99999999999" {
			t.Errorf("%+v: %v %+v", c, err, e)
		}
	}
	var f interface{ Final() bool }
	if err := fmt.Errorf("call: %w", webhook.ErrTarget); !errors.As(err, &f) || !f.Final() {
		t.Error("an address that is not allowed is tried again")
	}
}
