package webhook_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/transport/webhook"
	"github.com/limn-ui/limn/ui"
)

// local may call this machine, where the receivers of these tests are.
var local = func() webhook.Config {
	allow, err := webhook.ParseAllowed(webhook.Loopback...)
	if err != nil {
		panic(err)
	}
	return webhook.Config{Allow: allow}
}()

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// TestSigned: a receiver that uses the library of the standard accepts the
// call, and only with the right secret and an unchanged body.
func TestSigned(t *testing.T) {
	t.Parallel()
	coded := "whsec_" + base64.StdEncoding.EncodeToString([]byte("twenty-four bytes secret"))
	for name, tt := range map[string]struct {
		secret, receiver string
		ok               bool
	}{
		"whsec":          {coded, coded, true},
		"plain":          {"a plain secret", base64.StdEncoding.EncodeToString([]byte("a plain secret")), true},
		"another secret": {coded, base64.StdEncoding.EncodeToString([]byte("not it")), false},
	} {
		wh, err := webhooks.NewWebhook(tt.receiver)
		if err != nil {
			t.Fatal(err)
		}
		var verified, tampered error
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			verified, tampered = wh.Verify(body, r.Header), wh.Verify(append(body, ' '), r.Header)
			for key, want := range map[string]string{"Content-Type": "application/json", "Idempotency-Key": "event/0",
				"Webhook-Id": "event/0"} {
				if got := r.Header.Get(key); got != want {
					t.Errorf("%s: %s is %q, want %q", name, key, got, want)
				}
			}
			if r.Method != http.MethodPost {
				t.Errorf("%s: method %s", name, r.Method)
			}
			io.WriteString(w, `{"text":"done"}`)
		})
		got, err := webhook.New(local).Post(t.Context(), app.Webhook{URL: url, Secret: tt.secret}, "event/0",
			[]byte(`{"a":1}`))
		if err != nil || string(got) != `{"text":"done"}` {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if (verified == nil) != tt.ok || tampered == nil {
			t.Errorf("%s: verified %v, tampered %v", name, verified, tampered)
		}
	}
}

func TestUnsignedAndUnusable(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if r.Header.Get("Webhook-Signature") != "" {
			t.Error("a signature without a secret")
		}
	})
	c := webhook.New(local)
	if got, err := c.Post(t.Context(), app.Webhook{URL: url}, "k", nil); err != nil || len(got) != 0 {
		t.Errorf("%q, %v", got, err)
	}
	for _, h := range []app.Webhook{{URL: url, Secret: "whsec_!"}, {URL: "://"}, {URL: "file:///etc/passwd"}, {}} {
		if _, err := c.Post(t.Context(), h, "k", nil); err == nil || strings.Contains(err.Error(), "whsec_!") {
			t.Errorf("%+v: %v", h, err)
		}
	}
	if n := calls.Load(); n != 1 {
		t.Errorf("%d calls went out, want 1", n)
	}
}

// TestAnswers: what is no 2xx answer within the limit is an error.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	var elsewhere atomic.Int32
	other := serve(t, func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		want   string // in the error; "" = none
	}{
		"200": {func(w http.ResponseWriter, _ *http.Request) {}, ""},
		"204": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, ""},
		"302": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other, http.StatusFound) }, "answered 302"},
		"307": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other, http.StatusTemporaryRedirect) }, "answered 307"},
		"400": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(400) }, "answered 400"},
		"500": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, "answered 500"},
		"max": {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, strings.Repeat("x", limit)) }, ""},
		"max+1": {func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, strings.Repeat("x", limit+1))
		}, fmt.Sprintf("above %d bytes", limit)},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10")
			io.WriteString(w, "x")
		}, "EFFECT_UNKNOWN"},
		"hung up": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EFFECT_UNKNOWN"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := webhook.New(local).Post(t.Context(), app.Webhook{URL: serve(t, tt.answer), Secret: "s"}, "k",
				[]byte("{}"))
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
	t.Cleanup(func() {
		if elsewhere.Load() != 0 {
			t.Error("a redirect was followed")
		}
	})
}

// A receiver that never answers costs at most the timeout, or the caller's deadline.
func TestSilentReceiverCostsOneTimeout(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	t.Cleanup(func() { close(release) })
	c := webhook.New(webhook.Config{Timeout: 50 * time.Millisecond, Allow: local.Allow})
	var timeout interface{ Timeout() bool }
	if _, err := c.Post(t.Context(), app.Webhook{URL: url}, "k", nil); !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("error %v, want a timeout", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := webhook.New(local).Post(ctx, app.Webhook{URL: url}, "k", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want canceled", err)
	}
}

// TestCalledOnce: the receiver does the work of the second call on a connection and
// closes it without an answer.
func TestCalledOnce(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*httptest.Server){
		"h1": (*httptest.Server).Start,
		"h2": func(s *httptest.Server) { s.EnableHTTP2 = true; s.StartTLS() },
	} {
		var calls atomic.Int32
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if want := map[string]int{"h1": 1, "h2": 2}[name]; r.ProtoMajor != want {
				t.Errorf("%s: %s", name, r.Proto)
			}
			if calls.Add(1) == 2 {
				panic(http.ErrAbortHandler)
			}
		}))
		start(s)
		t.Cleanup(s.Close)
		c := webhook.New(webhook.Config{Allow: local.Allow, Transport: s.Client().Transport})
		if _, err := c.Post(t.Context(), app.Webhook{URL: s.URL}, "e/0", []byte("{}")); err != nil {
			t.Fatal(err)
		}
		_, err := c.Post(t.Context(), app.Webhook{URL: s.URL}, "e/1", []byte("{}"))
		if ui.CodeOf(err) != "EFFECT_UNKNOWN" || calls.Load() != 2 {
			t.Errorf("%s: %v after %d calls, want EFFECT_UNKNOWN after 2", name, err, calls.Load())
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + l.Addr().String()
	l.Close()
	if _, err := webhook.New(local).Post(t.Context(), app.Webhook{URL: closed}, "e/2", []byte("{}")); err == nil ||
		ui.CodeOf(err) != "" {
		t.Errorf("%v, want a call that was not sent to have no code", err)
	}
}

func ExampleClient_Post() {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wh, _ := webhooks.NewWebhook(base64.StdEncoding.EncodeToString([]byte("secret")))
		body, _ := io.ReadAll(r.Body)
		fmt.Println(r.Header.Get("webhook-id"), wh.Verify(body, r.Header))
		io.WriteString(w, `{"text":"Done."}`)
	}))
	defer receiver.Close()
	allow, err := webhook.ParseAllowed("127.0.0.1") // it is not public
	if err != nil {
		panic(err)
	}
	answer, err := webhook.New(webhook.Config{Allow: allow}).Post(context.Background(),
		app.Webhook{URL: receiver.URL, Secret: "secret"}, "event/0", []byte(`{"action":"sync"}`))
	fmt.Println(string(answer), err)
	// Output:
	// event/0 <nil>
	// {"text":"Done."} <nil>
}
