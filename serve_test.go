package limn

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

func hello(t *testing.T) *app.App {
	t.Helper()
	a, err := app.New(app.Config{Name: "hello",
		Forms: []app.Form{{Name: "guest", Fields: []ui.Field{{Name: "name", Type: ui.TypeText}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	a := hello(t)
	for want, cfg := range map[string]Config{
		"Config.App is required": {},
		`unknown drawing "v7"`:   {App: a, Targets: []string{"v7"}},
		`names "html" twice`:     {App: a, Targets: []string{"html", "html"}},
		`Config.Base "desk"`:     {App: a, Base: "desk"},
		`Config.Base "ftp://x"`:  {App: a, Base: "ftp://x"},
		`Config.Base "http://x?`: {App: a, Base: "http://x?y"},
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
	srv, err := New(Config{App: hello(t)})
	if err != nil {
		t.Fatal(err)
	}
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
	srv, err := New(Config{App: hello(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Serve(t.Context(), l); !errors.Is(err, net.ErrClosed) {
		t.Errorf("error %v", err)
	}
}

// TestServerLimits: a client that sends its headers or body drop by drop is cut
// off, and what net/http complains about goes to the log.
func TestServerLimits(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	srv, err := New(Config{App: hello(t), Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
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

// slowModel answers when it is let go.
type slowModel struct{ asked, leave chan struct{} }

func (m slowModel) Ask(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	close(m.asked)
	select {
	case <-m.leave:
		return llm.Reply{Text: "At last.", Finish: llm.FinishStop}, nil
	case <-ctx.Done():
		return llm.Reply{}, ctx.Err()
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
	st, model := memory.New(), slowModel{make(chan struct{}), make(chan struct{})}
	srv, err := New(Config{App: hello(t), Store: st, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ctx, l) }()

	base := "http://" + l.Addr().String() + "/v1/conversations"
	var made struct{ ID, Token string }
	if err := json.Unmarshal(call(t, made.Token, "POST", base, ""), &made); err != nil {
		t.Fatal(err)
	}
	stream := open(t, made.Token, "GET", base+"/"+made.ID+"/stream", "")
	defer stream.Close()
	if _, err := io.ReadFull(stream, make([]byte, len("retry:"))); err != nil {
		t.Fatal(err)
	}
	posted := make(chan []byte, 1)
	go func() {
		posted <- call(t, made.Token, "POST", base+"/"+made.ID+"/messages", `{"text":"anything new?"}`)
	}()
	<-model.asked
	stop()
	if b := <-posted; !strings.Contains(string(b), `"cursor"`) {
		t.Errorf("the waiting post: %s", b)
	}
	if rest, err := io.ReadAll(stream); err != nil || !bytes.HasSuffix(rest, []byte("\n\n")) {
		t.Errorf("the stream ends with %v after %q", err, rest)
	}
	close(model.leave)
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
	if _, err := net.DialTimeout("tcp", l.Addr().String(), time.Second); err == nil {
		t.Error("the port is still open")
	}

	again, err := New(Config{App: hello(t), Store: st})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close(t.Context())
	h, err := again.Service().Head(t.Context(), made.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(h.State.Transcript); n != 2 || h.State.Transcript[1].Text != "At last." {
		t.Errorf("transcript %+v", h.State.Transcript)
	}
}

// call sends a request that waits as long as it may and returns the whole answer.
func call(t *testing.T, token, method, url, body string) []byte {
	in := open(t, token, method, url, body)
	defer in.Close()
	b, err := io.ReadAll(in)
	if err != nil {
		t.Error(err)
	}
	return b
}

// open sends a request and returns the body of its answer; it may be called
// from any goroutine.
func open(t *testing.T, token, method, url, body string) io.ReadCloser {
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return http.NoBody
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Prefer", "wait=60")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return http.NoBody
	}
	return resp.Body
}
