package endpoint

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

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
	{"a page", `<html>Bad Gateway</html>`, 502, llm.CodeUnavailable, "", ""},
	{"a path that is none", `{"error":{"message":"x","param":"/etc/passwd\n"}}`, 400, llm.CodeUnsupported, "", "x"},
	{"types all wrong", `{"error":{"message":{},"param":7,"code":[]}}`, 400, llm.CodeUnsupported, "", ""},
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
		if f.err.Code != tt.code || f.err.Path != tt.path || !strings.Contains(said, tt.says) || tt.says == "" && said != "" {
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
