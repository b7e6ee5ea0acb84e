package endpoint

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/sendonce"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// The shapes in which servers refuse; the sentences are ours.
var refusals = []struct {
	from, body string
	status     int
	code       ui.Code
	path       string
	says       string
}{
	{"OpenAI", `{"error":{"message":"not with this model","type":"invalid_request_error","param":"temperature","code":"unsupported_parameter"}}`, 400, llm.CodeUnsupported, "/temperature", "not with this model"},
	{"OpenAI, by its words", `{"error":{"message":"Unrecognized request argument supplied: top_k","param":null}}`, 400, llm.CodeUnsupported, "/top_k", "top_k"},
	{"OpenRouter", `{"error":{"code":404,"message":"nobody takes this combination","metadata":{"raw":"upstream words"}}}`, 404, llm.CodeUnsupported, "", "upstream words"},
	{"Gemini", `[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"seed\": Cannot find field.","status":"INVALID_ARGUMENT"}}]`, 400, llm.CodeUnsupported, "/seed", "seed"},
	{"Gemini, wrong key", `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`, 400, llm.CodeAuth, "", ""},
	{"Ollama", `{"error":"no such model"}`, 404, llm.CodeUnsupported, "", "no such model"},
	{"vLLM", `{"object":"error","message":"too long","type":"BadRequestError","param":null,"code":400}`, 400, llm.CodeUnsupported, "", "too long"},
	{"FastAPI", `{"detail":[{"type":"extra_forbidden","loc":["body","top_k"],"msg":"not permitted"}]}`, 422, llm.CodeUnsupported, "/top_k", "not permitted"},
	{"FastAPI, a sentence", `{"detail":"Not Found"}`, 404, llm.CodeUnsupported, "", "Not Found"},
	{"llama.cpp, loading", `{"error":{"code":503,"message":"loading","type":"unavailable_error"}}`, 503, llm.CodeUnavailable, "", "loading"},
	{"Anthropic", `{"type":"error","error":{"type":"invalid_request_error","message":"top_a: Extra inputs are not permitted"}}`, 400, llm.CodeUnsupported, "/top_a", "top_a"},
	{"Anthropic, overloaded", `{"type":"error","error":{"type":"overloaded_error","message":"busy"}}`, 529, llm.CodeUnavailable, "", "busy"},
	{"OpenAI, too long", `{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, 400, llm.CodeTooLong, "/messages", "8192"},
	{"vLLM, too long", `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000","type":"BadRequestError","param":null,"code":400}`, 400, llm.CodeTooLong, "", "4096"},
	{"llama.cpp, too long", `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, 400, llm.CodeTooLong, "", "context"},
	{"Anthropic, too long", `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, 400, llm.CodeTooLong, "", "210000"},
	{"Gemini, too long", `[{"error":{"code":400,"message":"The input token count (40000) exceeds the maximum number of tokens allowed (32768).","status":"INVALID_ARGUMENT"}}]`, 400, llm.CodeTooLong, "", "32768"},
	{"Azure, a policy", `{"error":{"message":"the prompt triggered the policy","type":null,"param":"prompt","code":"content_filter","status":400}}`, 400, llm.CodeRefused, "/prompt", "policy"},
	{"OpenAI, a policy", `{"error":{"message":"against the usage policy","type":"invalid_request_error","code":"invalid_prompt"}}`, 400, llm.CodeRefused, "", "usage"},
	{"OpenAI, another policy", `{"error":{"message":"rejected","code":"content_policy_violation"}}`, 400, llm.CodeRefused, "", "rejected"},
	{"a gateway, a policy", `{"error":{"message":"rejected","code":"content_policy_violation"}}`, 403, llm.CodeRefused, "", "rejected"},
	{"OpenAI, no balance", `{"error":{"message":"content","type":"insufficient_quota","code":"content_filter"}}`, 403, llm.CodeAuth, "", ""},
	{"a page", `<html>Bad Gateway</html>`, 502, llm.CodeUnavailable, "", ""},
	{"a path that is none", `{"error":{"message":"x","param":"/etc/passwd\n"}}`, 400, llm.CodeUnsupported, "", "x"},
	{"types all wrong", `{"error":{"message":{},"param":7,"code":[]}}`, 400, llm.CodeUnsupported, "", ""},
	{"a sentence", "Client sent an HTTP request to an HTTPS server.\n", 400, llm.CodeUnsupported, "", "HTTPS server."},
	{"a long text", strings.Repeat("x ", 600), 400, llm.CodeUnsupported, "", ""},
	{"nothing", `null`, 400, llm.CodeUnsupported, "", ""},
}

func TestRefusalsAreRead(t *testing.T) {
	t.Parallel()
	e := open(t, nil, nil)
	for _, tt := range refusals {
		f := e.refused(&http.Response{StatusCode: tt.status}, []byte(tt.body))
		said := ""
		if f.err.Err != nil {
			said = f.err.Err.Error()
		}
		if f.err.Code != tt.code || f.err.Path != tt.path || !strings.Contains(said, tt.says) ||
			tt.says == "" && said != "" {
			t.Errorf("%s: %v at %q says %q; want %s at %q", tt.from, f.err, f.err.Path, said, tt.code, tt.path)
		}
	}
}

// TestServersThatRepeatTheKey: wherever a refusal can hold it.
func TestServersThatRepeatTheKey(t *testing.T) {
	t.Parallel()
	const secret = "AIzaVerySecret0123456789" // could be the name of a parameter
	e := open(t, nil, func(c *Config) { c.Key = secret })
	for _, body := range []string{
		`{"error":{"message":"key ` + secret + `","param":"` + secret + `","code":"` + secret + `"}}`,
		`{"error":{"message":"Unknown name \"` + secret + `\"","metadata":{"raw":"Bearer ` + secret + `"}}}`,
		`{"detail":[{"msg":"` + secret + `","loc":["header","` + secret + `"]}]}`,
		`{"error":"` + strings.Repeat("x", 290) + secret + `"}`,
	} {
		for _, status := range []int{400, 401, 404, 408, 413, 422, 429, 500, 503} {
			f := e.refused(&http.Response{StatusCode: status, Header: http.Header{"Location": {secret}}}, []byte(body))
			if all := fmt.Sprintf("%+v %#v %v", f.err, f.err, f.err.Err); strings.Contains(all, secret[:12]) {
				t.Errorf("%d: %v at %s: %v", status, f.err, f.err.Path, f.err.Err)
			}
		}
		if in := e.InBand([]byte(body)); strings.Contains(fmt.Sprintf("%+v %#v %v", in, in, in.Err), secret[:12]) {
			t.Errorf("in band: %v: %v", in, in.Err)
		}
	}
}

func TestErrorsInsideAnswers(t *testing.T) {
	t.Parallel()
	e := open(t, nil, nil)
	for body, want := range map[string]ui.Code{
		`{"error":{"code":429,"message":"x"}}`:                                   llm.CodeRateLimited,
		`{"error":{"code":"404","message":"x"}}`:                                 llm.CodeUnsupported,
		`{"error":{"message":"x","code":"content_filter"}}`:                      llm.CodeRefused,
		`{"error":{"message":"x"}}`:                                              llm.CodeUnavailable,
		`{"type":"error","error":{"type":"overloaded_error","message":"x"}}`:     llm.CodeUnavailable,
		`{"type":"error","error":{"type":"rate_limit_error","message":"x"}}`:     llm.CodeRateLimited,
		`{"type":"error","error":{"type":"authentication_error","message":"x"}}`: llm.CodeAuth,
		`{"error":{"code":200,"message":"x"}}`:                                   llm.CodeUnavailable,
	} {
		if err := e.InBand([]byte(body)); err.Code != want {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}

// TestWordsOfServersAreFitForALog: no number that nobody said, nothing that a
// terminal obeys, and a remedy.
func TestWordsOfServersAreFitForALog(t *testing.T) {
	t.Parallel()
	e := open(t, nil, nil)
	if err := e.InBand([]byte(`{"error":"not loaded"}`)); strings.Contains(err.Message, "HTTP") {
		t.Error(err)
	}
	if err := e.InBand([]byte(`{"error":{"code":503,"message":"x"}}`)); !strings.Contains(err.Message, "HTTP 503") {
		t.Error(err)
	}
	if s := e.short("a\u202eb\u2028c\x1bd é"); s != "a b c d é" {
		t.Errorf("%q", s)
	}
	for status := 300; status < 600; status++ {
		if f := e.refused(&http.Response{StatusCode: status}, nil); f.err.Hint == "" {
			t.Errorf("%d: no hint for %v", status, f.err)
		}
	}
	adapter := ui.Errorf(llm.CodeReplyInvalid, "/choices", "no choice") // as an adapter finds it in an answer
	for _, err := range []error{e.Fault(t.Context(), adapter), e.Fault(t.Context(), errors.New("x")),
		e.Fault(t.Context(), context.DeadlineExceeded), e.broke(errors.New("x")), errTooLarge} {
		if err.(*ui.Error).Hint == "" {
			t.Errorf("no hint for %v", err)
		}
	}
}

// TestLogsSayWhy: what may stand in a log tells a cut cable from a wrong
// certificate, and never what the server said.
func TestLogsSayWhy(t *testing.T) {
	t.Parallel()
	e := open(t, nil, nil)
	to := func(host string) http.Header { return http.Header{"Location": {host}} }
	for want, err := range map[string]*ui.Error{
		"the model server failed (HTTP 500)":                                       e.refused(&http.Response{StatusCode: 500}, []byte(`{"error":"words"}`)).err,
		"the model server refuses the key or the account (HTTP 401)":               e.refused(&http.Response{StatusCode: 401}, []byte(`{"error":"words"}`)).err,
		"the model server failed":                                                  e.InBand([]byte(`{"error":"words"}`)),
		"the model server redirects to 10.0.0.1 (HTTP 307), which is not followed": e.refused(&http.Response{StatusCode: 307, Header: to("http://10.0.0.1/words")}, nil).err,
		"the model server answers with text/html, not with JSON":                   e.unreadable(http.Header{"Content-Type": {"text/html"}}),
		"the model server's certificate is not for the name model.example":         e.unreached(t.Context(), &url.Error{Op: "Post", URL: "words", Err: x509.HostnameError{Certificate: new(x509.Certificate), Host: "words"}}).err,
		"the model server cannot be reached: connection refused":                   e.unreached(t.Context(), undialed(t, os.NewSyscallError("words", syscall.ECONNREFUSED))).err,
		"the model server cannot be reached: no such host":                         e.unreached(t.Context(), undialed(t, &net.DNSError{Name: "words", Err: "words", IsNotFound: true})).err,
		"the model server cannot be reached":                                       e.unreached(t.Context(), undialed(t, errors.New("words"))).err,
		"the connection to the model server broke before its answer":               e.unreached(t.Context(), errors.New("words")).err,
		"the model server's answer is above the size limit":                        errTooLarge,
		"no choice": e.Fault(t.Context(), ui.Errorf(llm.CodeReplyInvalid, "/choices", "no choice")).(*ui.Error),
		"the model server's answer cannot be read": e.Fault(t.Context(), errors.New("words")).(*ui.Error),
	} {
		if got := logs.Quiet(err); got != string(err.Code)+": "+want {
			t.Errorf("%q, want %q", got, want)
		}
		if strings.HasSuffix(err.Error(), ": ") {
			t.Errorf("%q", err)
		}
	}
}

func FuzzRefusal(f *testing.F) {
	for _, r := range refusals {
		f.Add(r.status, []byte(r.body), "3")
	}
	e, err := New(Config{URL: "https://x", Model: "m", Key: secret}, bearer)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, status int, body []byte, after string) {
		res := &http.Response{StatusCode: status, Header: http.Header{"Retry-After": {after}, "Location": {after}}}
		got := e.refused(res, append(body, secret...))
		hidden(t, got.err)
		if got.err.Code == "" || got.err.Err != nil && len(got.err.Err.Error()) > 310 || len(got.err.Path) > 65 {
			t.Errorf("%+v", got.err)
		}
		if wait, again := got.pause(0); again && (wait < 0 || wait > 10*time.Second) {
			t.Errorf("waits %v", wait)
		}
		if in := e.InBand(body); in.Code == "" {
			t.Errorf("in band: %+v", in)
		}
	})
}

// undialed is the error of a request that met err when its connection was made.
func undialed(t *testing.T, err error) error {
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://model.example", strings.NewReader("{}"))
	base := server(func(*http.Request) (*http.Response, error) { return nil, &net.OpError{Op: "dial", Err: err} })
	_, err = sendonce.Transport{Base: base}.RoundTrip(req)
	return &url.Error{Op: "Post", URL: "words", Err: err}
}
