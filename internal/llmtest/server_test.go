package llmtest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/jsonx"
)

func post(t *testing.T, s *Server, body string) int {
	t.Helper()
	res, err := http.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

func TestServerIsStrict(t *testing.T) {
	t.Parallel()
	s := New(t)
	for body, want := range map[string]int{
		`{"model":"m","messages":[{"role":"user","content":"x"}]}`:             200,
		`{"model":"m","messages":[{"role":"user","content":"x"}],"top_k":1}`:   400,
		`{"model":"m","messages":[]}`:                                          400,
		`{"messages":[{"role":"user","content":"x"}]}`:                         400,
		`{"model":"m","model":"n","messages":[{"role":"user","content":"x"}]}`: 400,
		`no`: 400,
	} {
		if got := post(t, s, body); got != want {
			t.Errorf("%s: %d, want %d", body, got, want)
		}
	}
	if len(s.Requests()) != 6 {
		t.Errorf("%d requests recorded", len(s.Requests()))
	}
}

func TestViolationsAreNamed(t *testing.T) {
	t.Parallel()
	for body, broken := range map[string]bool{
		`{}`: false,
		`{"response_format":{},"parallel_tool_calls":false}`:               false,
		`{"response_format":{}}`:                                           true,
		`{"response_format":{},"parallel_tool_calls":true}`:                true,
		`{"response_format":{},"parallel_tool_calls":false,"tools":[{}]}`:  true,
		`{"response_format":{},"parallel_tool_calls":false,"stream":true}`: true,
		`{"tools":[{}],"stream":true}`:                                     true,
	} {
		v, err := jsonx.Parse([]byte(body), jsonx.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := ViolatesPolicy(v); (got != "") != broken {
			t.Errorf("%s: %q", body, got)
		}
	}
}
