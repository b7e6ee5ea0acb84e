package limn

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

var hello = limntest.Must(app.New(app.Config{Name: "hello",
	Forms: []app.Form{{Name: "guest", Fields: []ui.Field{{Name: "name", Type: ui.TypeText}}}}}))

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for want, cfg := range map[string]Config{
		"Config.App is required": {},
		`unknown drawing "v7"`:   {App: hello, Targets: []string{"v7"}},
		`names "html" twice`:     {App: hello, Targets: []string{"html", "html"}},
		`Config.Base "desk"`:     {App: hello, Base: "desk"},
		`Config.Base "ftp://x"`:  {App: hello, Base: "ftp://x"},
		`Config.Base "http://x?`: {App: hello, Base: "http://x?y"},
	} {
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestRunBusyPort: the error names the address and says why.
func TestRunBusyPort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	srv := limntest.Must(New(Config{App: hello}))
	defer srv.Close(t.Context())
	err = srv.Run(t.Context(), l.Addr().String())
	if !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), l.Addr().String()) {
		t.Errorf("error %v", err)
	}
}

// TestServeFails: a listener that breaks ends Serve with its error.
func TestServeFails(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	srv := limntest.Must(New(Config{App: hello}))
	if err := srv.Serve(t.Context(), l); !errors.Is(err, net.ErrClosed) {
		t.Errorf("error %v", err)
	}
}

// TestServerLimits: a client that sends its headers or body drop by drop is cut
// off, and what net/http complains about goes to the log.
func TestServerLimits(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	srv := limntest.Must(New(Config{App: hello, Log: slog.New(slog.NewTextHandler(&log, nil))}))
	defer srv.Close(t.Context())
	h := srv.server()
	if h.ReadHeaderTimeout <= 0 || h.ReadTimeout < h.ReadHeaderTimeout || h.WriteTimeout <= 0 || h.IdleTimeout <= 0 ||
		h.MaxHeaderBytes <= 0 {
		t.Errorf("a limit is missing: %+v", h)
	}
	h.ErrorLog.Print("a complaint")
	if !strings.Contains(log.String(), "a complaint") || !strings.Contains(log.String(), "level=WARN") {
		t.Errorf("log %q", log.String())
	}
}

// TestRunDrains: when ctx ends, streams end, a post that waits is answered, the
// running turn is finished and saved, and Serve returns nil.
func TestRunDrains(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	st, model := memory.New(), limntest.NewGate()
	srv := limntest.Must(New(Config{App: hello, Store: st, Model: model}))
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ctx, l) }()

	c := limntest.NewClient(t, "http://"+l.Addr().String()).Create()
	stream := c.Open("/v1/-/stream")
	if _, err := io.ReadFull(stream.In, make([]byte, len("retry:"))); err != nil {
		t.Fatal(err)
	}
	posted := make(chan string, 1)
	go func() {
		a, err := c.Try("POST", "/v1/-/messages", `{"text":"anything new?"}`, "Prefer", "wait=60")
		if err != nil {
			t.Error(err)
		}
		posted <- a.Text
	}()
	<-model.Asked
	stop()
	if b := <-posted; !strings.Contains(b, `"cursor"`) {
		t.Errorf("the waiting post: %s", b)
	}
	if rest, err := io.ReadAll(stream.In); err != nil || !bytes.HasSuffix(rest, []byte("\n\n")) {
		t.Errorf("the stream ends with %v after %q", err, rest)
	}
	model.Answer <- "At last."
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
	if _, err := net.DialTimeout("tcp", l.Addr().String(), time.Second); err == nil {
		t.Error("the port is still open")
	}

	again := limntest.Must(New(Config{App: hello, Store: st}))
	defer again.Close(t.Context())
	h, err := again.Service().Head(t.Context(), c.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(h.State.Transcript); n != 2 || h.State.Transcript[1].Text != "At last." {
		t.Errorf("transcript %+v", h.State.Transcript)
	}
}
