package logs_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/logs"
)

func TestRequestID(t *testing.T) {
	t.Parallel()
	const id, span = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	for _, c := range []struct{ parent, sent, want string }{
		{"00-" + id + "-" + span + "-01", "", id},
		{"00-" + id + "-" + span + "-01", "from-the-proxy", id},
		{"cc-" + id + "-" + span + "-01-what-comes-later", "", id},
		{"", "0193c1f0-7a5e.Proxy_1", "0193c1f0-7a5e.Proxy_1"},
		{"", strings.Repeat("a", 64), strings.Repeat("a", 64)},
		// made
		{"", "", ""},
		{"", "short", ""},
		{"", strings.Repeat("a", 65), ""},
		{"", "two words", ""},
		{"", "line\nbreak", ""},
		{"00-" + id + "-" + span + "-01-more", "", ""},
		{"ff-" + id + "-" + span + "-01", "", ""},
		{"00-" + strings.ToUpper(id) + "-" + span + "-01", "", ""},
		{"00-" + strings.Repeat("0", 32) + "-" + span + "-01", "", ""},
		{"00-" + id + "-" + strings.Repeat("0", 16) + "-01", "", ""},
		{"00-" + id + "-" + span, "", ""},
	} {
		got := logs.RequestID(c.parent, c.sent)
		if c.want != "" && got != c.want || c.want == "" && (len(got) != 32 || got == id || got == c.sent) {
			t.Errorf("%q %q: %q", c.parent, c.sent, got)
		}
	}
}

func TestHandler(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	log := slog.New(logs.Handler(logs.Handler(slog.NewJSONHandler(&b, nil))))
	ctx := logs.WithRequest(t.Context(), "0193c1f0")
	log.InfoContext(logs.WithRequest(ctx, ""), "one")
	log.With("a", 1).WarnContext(ctx, "two")
	log.Info("three")
	lines := strings.Split(b.String(), "\n")
	for i, want := range []bool{true, true, false} {
		if got := strings.Count(lines[i], `"request_id":"0193c1f0"`); got > 1 || got == 1 != want {
			t.Errorf("%s", lines[i])
		}
	}
}

func FuzzRequestID(f *testing.F) {
	f.Add("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "x")
	f.Fuzz(func(t *testing.T, parent, sent string) {
		if id := logs.RequestID(parent, sent); len(id) < 8 || len(id) > 64 || strings.ContainsAny(id, " \n\"\x00") {
			t.Errorf("%q", id)
		}
	})
}
