package llmtest_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/internal/llmtest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// TestTapePlaysWhatWasRecorded: in both dialects, good and bad, in the order of
// the requests, without a server.
func TestTapePlaysWhatWasRecorded(t *testing.T) {
	t.Parallel()
	for _, d := range []llmtest.Dialect{llmtest.OpenAI, llmtest.Anthropic} {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "tape.jsonl")
			s := llmtest.StartIn(t, llmtest.Options{Dialect: d, Key: secret, Steps: []llmtest.Step{
				{Text: "one"}, {Text: "two"}, {Mode: llmtest.Fail, Status: 400}, {Mode: llmtest.EchoKey},
				{Mode: llmtest.Broken, Text: "half of it"}, {Text: "last " + secret}}})
			run := func(transport http.RoundTripper) []string {
				m := adapter(t, s, d, func(c *endpoint.Config) { c.Transport, c.Retries = transport, -1 })
				var out []string
				for _, kind := range []string{"format", "format", "tools", "stream", "stream", "format"} {
					reply, err := m.Ask(t.Context(), requests()[kind])
					hidden(t, err)
					out = append(out, strings.ReplaceAll(reply.Text, secret, "[scrubbed]")+string(ui.CodeOf(err)))
				}
				return out
			}
			rec, err := llmtest.Record(file, s.Transport())
			if err != nil {
				t.Fatal(err)
			}
			want := run(rec)
			if err := rec.Close(); err != nil {
				t.Fatal(err)
			}
			s.Close()
			noSecret(t, file)
			tape, err := llmtest.Replay(file)
			if err != nil {
				t.Fatal(err)
			}
			if tape.Close() == nil {
				t.Error("a tape that was not played is complete")
			}
			if diff := cmp.Diff(want, run(tape)); diff != "" || want[0] != "one" || want[1] != "two" ||
				want[3] != string(llm.CodeAuth) {
				t.Errorf("%q (-want +got):\n%s", want, diff)
			}
			if err := tape.Close(); err != nil {
				t.Error(err)
			}
			m := adapter(t, s, d, func(c *endpoint.Config) { c.Transport, c.Retries = tape, -1 })
			if _, err := m.Ask(t.Context(), requests()["format"]); err == nil ||
				!strings.Contains(cause(err), "not on the tape") {
				t.Errorf("beyond the tape: %v", err)
			}
		})
	}
}

func cause(err error) string {
	if e, ok := err.(*ui.Error); ok && e.Err != nil {
		return e.Err.Error()
	}
	return ""
}

func noSecret(t *testing.T, file string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{secret, "0123456789", "Bearer", "of-somebody-else"} {
		if strings.Contains(string(b), s) {
			t.Errorf("%s holds %q:\n%s", file, s, b)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v: others can read the tape", info.Mode(), err)
	}
}

// TestTapeAnswersWhatWasAsked: by the body, whatever the order of its members;
// what was asked twice is answered in the order of the recording.
func TestTapeAnswersWhatWasAsked(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tape.jsonl")
	n := 0
	rec, err := llmtest.Record(file, roundTrip(func(*http.Request) (*http.Response, error) {
		n++
		return &http.Response{StatusCode: 200, Body: readCloser(strconv.Itoa(n))}, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	ask := func(tape *llmtest.Tape, path, body string) string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://model.example"+path,
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		res, err := tape.RoundTrip(req)
		if err != nil {
			return err.Error()
		}
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, body := range []string{`{"a":1,"b":2}`, `{"a":2}`, `{"a":1,"b":2}`} {
		ask(rec, "/v1", body)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	tape, err := llmtest.Replay(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ path, body, want string }{
		{"/v1", `{"a":2}`, "2"},
		{"/v1", `{"a":3}`, "not on the tape"},
		{"/v2", `{"a":1,"b":2}`, "not on the tape"},
		{"/v1", `{"b":2,"a":1}`, "1"},
		{"/v1", `{"a":1,"b":2}`, "3"},
		{"/v1", `{"a":1,"b":2}`, "next on it is nothing"},
	} {
		if got := ask(tape, tt.path, tt.body); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: %s, want %s", tt.path, tt.body, got, tt.want)
		}
	}
}

// TestTapeHoldsNoSecret: a key planted wherever a request can hold one, and
// repeated by the server wherever an answer can.
func TestTapeHoldsNoSecret(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tape.jsonl")
	echo := roundTrip(func(req *http.Request) (*http.Response, error) {
		rec := &http.Response{StatusCode: 401,
			Header: http.Header{"Content-Type": {"application/json"}, "Set-Cookie": {"session=" + secret}, "X-Key": {secret},
				"Location":    {"https://u:" + secret + "@x.example/?signature=of-somebody-else"},
				"Retry-After": {secret}}}
		rec.Body = readCloser(`{"error":"key ` + secret + `, or https%3A%2F%2F` + secret + `"}`)
		return rec, nil
	})
	tape, err := llmtest.Record(file, echo)
	if err != nil {
		t.Fatal(err)
	}
	for _, plant := range []func(*http.Request){
		func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+secret) },
		func(r *http.Request) { r.Header.Set("X-Api-Key", secret) },
		func(r *http.Request) { r.Header.Set("X-Goog-Api-Key", secret) },
		func(r *http.Request) { r.Header.Set("Cookie", "session="+secret+"; a=b") },
		func(r *http.Request) { r.URL.RawQuery = "key=" + secret + "&alt=sse" },
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://model.example/v1",
			strings.NewReader(`{"user":"`+secret+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		plant(req)
		res, err := tape.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
	}
	tape.Close()
	noSecret(t, file)
	if _, err := llmtest.Record(file, echo); err == nil {
		t.Error("a tape was recorded over")
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func readCloser(s string) *body { return &body{strings.NewReader(s)} }

type body struct{ *strings.Reader }

func (*body) Close() error { return nil }

func TestTapesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"x":              ":1: ",
		"{}":             ":1: no exchange",
		"{\"colour\":1}": ":1: ",
		`{"method":"POST","url":"u","hash":"h","status":200}` + "\n\n": ":2: ",
		`{"method":"POST","url":"u","hash":"h","status":7}`:            ":1: no exchange",
	} {
		file := filepath.Join(t.TempDir(), "tape.jsonl")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := llmtest.Replay(file); err == nil || !strings.Contains(err.Error(), file+want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := llmtest.Replay("no/such/tape"); err == nil {
		t.Error("a tape that is not there plays")
	}
}
