package endpoint

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

const secret = "sk-very-secret-0123456789"

var bearer = Dialect{Root: "/v1", Path: "/chat",
	Sign: func(h http.Header, k string) { h.Set("Authorization", "Bearer "+k) }}

// server answers without a network.
type server func(*http.Request) (*http.Response, error)

func (s server) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }

func answer(status int, header http.Header, body string) *http.Response {
	h := http.Header{"Content-Type": {"application/json"}}
	maps.Copy(h, header)
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

func open(t *testing.T, s server, edit func(*Config)) *Endpoint {
	t.Helper()
	c := Config{URL: "https://model.example/v1", Model: "m", Key: secret, Transport: s}
	if edit != nil {
		edit(&c)
	}
	e, err := New(c, bearer)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func post(t *testing.T, ctx context.Context, e *Endpoint) (string, error) {
	t.Helper()
	b, err := e.Answer(ctx, map[string]int{"q": 1})
	if err != nil {
		return "", e.Fault(ctx, err)
	}
	return string(b), nil
}

// TestRetriesWait: what is tried again, how often, and how long after.
func TestRetriesWait(t *testing.T) {
	t.Parallel()
	after := func(s string) http.Header { return http.Header{"Retry-After": {s}} }
	for _, tt := range []struct {
		name     string
		status   int
		header   http.Header
		body     string
		tries    int
		min, max time.Duration // of the pauses together
		code     ui.Code
	}{
		{"500", 500, nil, "", 3, 750 * time.Millisecond, 1500 * time.Millisecond, llm.CodeUnavailable},
		{"529", 529, nil, "", 3, 750 * time.Millisecond, 1500 * time.Millisecond, llm.CodeUnavailable},
		{"409", 409, nil, "", 3, 750 * time.Millisecond, 1500 * time.Millisecond, llm.CodeUnavailable},
		{"501", 501, nil, "", 1, 0, 0, llm.CodeUnavailable},
		{"400", 400, nil, "", 1, 0, 0, llm.CodeUnsupported},
		{"404", 404, after("1"), "", 1, 0, 0, llm.CodeUnsupported},
		{"401", 401, nil, "", 1, 0, 0, llm.CodeAuth},
		{"429", 429, nil, "", 3, 750 * time.Millisecond, 1500 * time.Millisecond, llm.CodeRateLimited},
		{"429 after 2 s", 429, after("2"), "", 3, 4 * time.Second, 5 * time.Second, llm.CodeRateLimited},
		{"429 at once", 429, after("0"), "", 3, 0, 0, llm.CodeRateLimited},
		{"503 after milliseconds", 503, http.Header{"Retry-After-Ms": {"40"}, "Retry-After": {"7"}}, "", 3, 80 * time.Millisecond, 100 * time.Millisecond, llm.CodeUnavailable},
		{"429 after an hour", 429, after("3600"), "", 1, 0, 0, llm.CodeRateLimited},
		{"429 after an age", 429, after("1e300"), "", 1, 0, 0, llm.CodeRateLimited},
		{"429 after nonsense", 429, after("soon"), "", 3, 750 * time.Millisecond, 1500 * time.Millisecond, llm.CodeRateLimited},
		{"429 after a date", 429, after("Sat, 01 Jan 2000 00:00:03 GMT"), "", 3, 3 * time.Second, 4 * time.Second, llm.CodeRateLimited}, // the bubble starts at that midnight
		{"429 without money", 429, nil, `{"error":{"code":"insufficient_quota"}}`, 1, 0, 0, llm.CodeAuth},
		{"500 that says no", 500, http.Header{"X-Should-Retry": {"false"}}, "", 1, 0, 0, llm.CodeUnavailable},
		{"redirect", 307, http.Header{"Location": {"https://10.1.2.3/v1?k=" + secret}}, "", 1, 0, 0, llm.CodeUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				e := open(t, func(r *http.Request) (*http.Response, error) {
					tries++
					if b, _ := io.ReadAll(r.Body); string(b) != `{"q":1}` ||
						r.Header.Get("Authorization") != "Bearer "+secret {
						t.Errorf("try %d: body %s, header %v", tries, b, r.Header)
					}
					return answer(tt.status, tt.header, tt.body), nil
				}, nil)
				start := time.Now()
				_, err := post(t, t.Context(), e)
				if took := time.Since(start); ui.CodeOf(err) != tt.code || tries != tt.tries || took < tt.min ||
					took > tt.max {
					t.Errorf("%v after %d tries and %v; want %s, %d, %v to %v", err, tries, took, tt.code, tt.tries,
						tt.min, tt.max)
				}
				hidden(t, err)
			})
		})
	}
}

// TestPauseAboveDeadlineIsNotBegun: the caller hears that the server asked to
// wait, at once, not that time ran out.
func TestPauseAboveDeadlineIsNotBegun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := open(t, func(*http.Request) (*http.Response, error) {
			return answer(429, http.Header{"Retry-After": {"5"}}, ""), nil
		}, nil)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		start := time.Now()
		if _, err := post(t, ctx, e); ui.CodeOf(err) != llm.CodeRateLimited || time.Since(start) != 0 {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := post(t, ctx, e); ui.CodeOf(err) != llm.CodeCanceled || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

func TestSecondTryMayAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		e := open(t, func(*http.Request) (*http.Response, error) {
			if tries++; tries == 1 {
				return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
			}
			return answer(200, nil, "{}"), nil
		}, nil)
		if got, err := post(t, t.Context(), e); got != "{}" || err != nil || tries != 2 {
			t.Errorf("%q %v after %d", got, err, tries)
		}
	})
}

// TestAskedOnce: a server that reads the second request on a connection and closes
// it without an answer may have worked, and be paid, for it.
func TestAskedOnce(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		if asked.Add(1) == 2 {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, "{}")
	}))
	t.Cleanup(s.Close)
	e, err := New(Config{URL: s.URL, Model: "m"}, bearer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := post(t, t.Context(), e); err != nil {
		t.Fatal(err)
	}
	_, err = post(t, t.Context(), e)
	if ui.CodeOf(err) != llm.CodeUnavailable || !strings.Contains(err.Error(), "broke before its answer") ||
		asked.Load() != 2 {
		t.Errorf("%v, asked %d times, want 2", err, asked.Load())
	}
}

// endless is a body without end; torn ends with an error.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

type torn struct{}

func (torn) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	body := func(r io.Reader) server {
		return func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(r)}, nil
		}
	}
	for name, tt := range map[string]struct {
		s    server
		code ui.Code
	}{
		"at the limit":    {body(strings.NewReader(strings.Repeat("x", 1000))), ""},
		"above the limit": {body(strings.NewReader(strings.Repeat("x", 1001))), llm.CodeReplyTooLarge},
		"endless":         {body(endless{}), llm.CodeReplyTooLarge},
		"torn":            {body(io.MultiReader(strings.NewReader("{"), torn{})), llm.CodeUnavailable},
		"endless refusal": {func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 400, Body: io.NopCloser(endless{})}, nil
		}, llm.CodeUnsupported},
		"HTML": {func(*http.Request) (*http.Response, error) {
			return answer(200, http.Header{"Content-Type": {"text/html"}}, "<p>"), nil
		}, llm.CodeReplyInvalid},
		"no type of theirs": {func(*http.Request) (*http.Response, error) {
			return answer(200, http.Header{"Content-Type": {";;"}}, "{}"), nil
		}, llm.CodeReplyInvalid},
		"problem+json": {func(*http.Request) (*http.Response, error) {
			return answer(200, http.Header{"Content-Type": {"application/x+json; charset=utf-8"}}, "{}"), nil
		}, ""},
	} {
		e := open(t, tt.s, func(c *Config) { c.MaxReply = 1000 })
		if _, err := post(t, t.Context(), e); ui.CodeOf(err) != tt.code {
			t.Errorf("%s: %v, want %q", name, err, tt.code)
		}
	}
}

func TestCertificatesThatDoNotFit(t *testing.T) {
	t.Parallel()
	for words, fault := range map[string]error{
		"is not for the name model.example": &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"other.example"}}, Host: "model.example"}},
		"authority":                         &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}},
		"is not valid":                      &tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.Expired}},
	} {
		tries := 0
		e := open(t, func(*http.Request) (*http.Response, error) { tries++; return nil, fault }, nil)
		_, err := post(t, t.Context(), e)
		if ui.CodeOf(err) != llm.CodeUnavailable || !strings.Contains(err.Error(), words) || tries != 1 {
			t.Errorf("%v after %d tries, want %q", err, tries, words)
		}
	}
}

func TestRedirectNamesItsHostAlone(t *testing.T) {
	t.Parallel()
	e := open(t, func(*http.Request) (*http.Response, error) {
		return answer(302, http.Header{"Location": {"http://u:" + secret + "@169.254.169.254/latest?" + secret}}, ""),
			nil
	}, nil)
	_, err := post(t, t.Context(), e)
	var u *ui.Error
	if !errors.As(err, &u) || !strings.Contains(u.Message, "169.254.169.254") || !strings.Contains(u.Hint, "private") {
		t.Errorf("%v", err)
	}
	hidden(t, err)
}

// hidden looks for the key in every way an error can be printed.
func hidden(t *testing.T, err error) {
	t.Helper()
	for e := err; e != nil; e = errors.Unwrap(e) {
		for _, s := range []string{e.Error(), fmt.Sprintf("%+v", e), fmt.Sprintf("%#v", e)} {
			if strings.Contains(s, secret) {
				t.Errorf("the key is in %s", s)
			}
		}
	}
}

func TestNothingPrintsTheKey(t *testing.T) {
	t.Parallel()
	c := Config{URL: "https://u:" + secret + "@10.0.0.1/v1?k=" + secret, Model: "m", Key: secret}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("start", "config", c, "pointer", &c)
	slog.New(slog.NewTextHandler(&log, nil)).Info("start", "config", c)
	e := open(t, nil, nil)
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.ReplaceAll(string(asJSON), c.URL, ""), secret) { // an address that New refuses
		t.Errorf("the key is in %s", asJSON)
	}
	for _, s := range []string{fmt.Sprint(c), fmt.Sprintf("%+v", c), fmt.Sprintf("%#v", &c), log.String(),
		fmt.Sprint(e), fmt.Sprintf("%+v", *e), fmt.Sprintf("%#v", e)} {
		if strings.Contains(s, secret) {
			t.Errorf("the key is in %s", s)
		}
	}
}

func TestKeysFromEnvironmentAndFile(t *testing.T) {
	t.Setenv("LIMN_TEST_KEY", " "+secret+"\n")
	t.Setenv("LIMN_TEST_EMPTY", "")
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for name, tt := range map[string]struct {
		c    Config
		path string // of the error
	}{
		"variable":        {Config{KeyEnv: "LIMN_TEST_KEY"}, ""},
		"file":            {Config{KeyFile: write("key", secret+"\r\n")}, ""},
		"empty variable":  {Config{KeyEnv: "LIMN_TEST_EMPTY"}, "key_env"},
		"no file":         {Config{KeyFile: filepath.Join(dir, "none")}, "key_file"},
		"a folder":        {Config{KeyFile: dir}, "key_file"},
		"an empty file":   {Config{KeyFile: write("empty", "\n")}, "key_file"},
		"a large file":    {Config{KeyFile: write("large", strings.Repeat(secret, 1000))}, "key_file"},
		"two keys":        {Config{KeyFile: write("two", secret+"\n"+secret)}, "key"},
		"given twice":     {Config{Key: secret, KeyEnv: "LIMN_TEST_KEY"}, "key"},
		"a line break":    {Config{Key: secret + "\n"}, "key"},
		"a key in UTF-16": {Config{KeyFile: write("utf16", "\xff\xfes\x00k\x00")}, "key"},
	} {
		got := ""
		tt.c.URL, tt.c.Model = "https://model.example", "m"
		tt.c.Transport = server(func(r *http.Request) (*http.Response, error) {
			got = r.Header.Get("Authorization")
			return answer(200, nil, "{}"), nil
		})
		e, err := New(tt.c, bearer)
		hidden(t, err)
		if tt.path != "" {
			if u, _ := err.(*ui.Error); u == nil || u.Code != llm.CodeConfigInvalid || u.Path != tt.path {
				t.Errorf("%s: %v, want %s", name, err, tt.path)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := post(t, t.Context(), e); err != nil || got != "Bearer "+secret {
			t.Errorf("%s: sent %q, %v", name, got, err)
		}
	}
}

func TestAddressesAndModels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		c    Config
		path string
	}{
		{Config{URL: "http://127.0.0.1:11434", Model: "m"}, ""},
		{Config{URL: "http://[::1]:1/v1", Model: "m"}, ""},
		{Config{URL: "http://localhost/v1", Model: "m"}, ""},
		{Config{URL: "http://10.0.0.5/v1", Model: "m"}, "url"},
		{Config{URL: "http://localhost.evil.example/v1", Model: "m"}, "url"},
		{Config{URL: "http://10.0.0.5/v1", Model: "m", Insecure: true}, ""},
		{Config{URL: "x", Model: "m"}, "url"},
		{Config{URL: "https://", Model: "m"}, "url"},
		{Config{URL: "https://x", Model: "m", Timeout: -1}, "timeout"},
		{Config{URL: "https://x", Model: "m", MaxReply: -1}, "max_reply"},
		{Config{URL: "https://x", Model: "m\x1b[31m"}, "model"},
		{Config{URL: "https://x", Model: "m\nX-Key: 1"}, "model"},
		{Config{URL: "https://x", Model: "m\xff"}, "model"},
		{Config{URL: "https://x", Model: strings.Repeat("m", 257)}, "model"},
	} {
		_, err := New(tt.c, bearer)
		if u, _ := err.(*ui.Error); (u == nil) != (tt.path == "") || u != nil && u.Path != tt.path {
			t.Errorf("%s: %v, want %q", tt.c, err, tt.path)
		} else if u != nil && u.Hint == "" {
			t.Errorf("no hint for %v", u)
		}
	}
}

// TestAddressThatBeginsThePath: an address may end in what the path begins with.
func TestAddressThatBeginsThePath(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://x":               "https://x/r/v1/messages",
		"https://x/":              "https://x/r/v1/messages",
		"https://x/p":             "https://x/p/v1/messages",
		"https://x/p/v1":          "https://x/p/v1/messages",
		"https://x/p/v1/":         "https://x/p/v1/messages",
		"https://x/p/v1/messages": "https://x/p/v1/messages",
		"https://x/p/api-v1":      "https://x/p/api-v1/v1/messages",
		"https://x/p/v":           "https://x/p/v/v1/messages",
	} {
		e, err := New(Config{URL: address, Model: "m"}, Dialect{Root: "/r", Path: "/v1/messages", Start: "/v1"})
		if err != nil || e.address != want {
			t.Errorf("%s: %s, %v, want %s", address, e.address, err, want)
		}
	}
}

func TestCheckName(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"gpt-4o-mini": true, "org/Model-7B:free": true, "модель": true, "my model": true,
		"": false, " ": false, "a\nb": false, "a\x00": false, "a\x7f": false, "a\u0085": false, "a\u2028b": false, "a\u202eb": false, "a\xff": false,
		strings.Repeat("x", 257): false,
	} {
		err := checkName(name)
		if (err == nil) != ok || err != nil &&
			(ui.CodeOf(err) != llm.CodeConfigInvalid || strings.ContainsAny(err.Error(), "\n\x00\x7f")) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
