package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/llmtest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// qwen is the endpoint of docs/models.md: it calls one tool at a time, ignores
// json_object and keys it does not know, and refuses seed.
func qwen(w http.ResponseWriter, req *http.Request) {
	var body struct {
		Messages []struct{ Content string }
		Format   struct{ Type string } `json:"response_format"`
		Tools    []any
		Stream   bool
		Seed     *int
		Most     int `json:"max_tokens"`
	}
	_ = json.NewDecoder(req.Body).Decode(&body)
	text, reason, calls := "ok", "stop", `null`
	switch {
	case req.Header.Get("Authorization") == "Bearer wrong":
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":{"message":"Incorrect API key provided: wrong"}}`)
		return
	case body.Seed != nil:
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":{"message":"seed is not supported","param":"seed"}}`)
		return
	case body.Stream:
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w,
			"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"1 2 3\"},\"finish_reason\":\"stop\"}]}\n\n"+
				"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5}}\n\ndata: [DONE]\n\n")
		return
	case body.Tools != nil:
		text, reason = "", "tool_calls"
		calls = `[{"id":"1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Paris\"}"}}]`
	case body.Format.Type == "json_schema":
		text = `{"fruit": "quokka-7"}`
	case body.Format.Type == "json_object":
		text = "Hello!"
	case strings.Contains(body.Messages[0].Content, "to 50"):
		text, reason = "1 2 3 4 5", "length"
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"choices":[{"index":0,"finish_reason":%q,"message":{"role":"assistant","content":%q,"tool_calls":%s}}],"usage":{"prompt_tokens":10,"completion_tokens":5}}`, reason, text, calls)
}

// limn runs the program.
func limnWith(t *testing.T, env map[string]string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(context.Background(), args, term.Terminal{In: strings.NewReader(""), Out: &o, Err: &e,
		Env: func(k string) string { return env[k] }})
	return code, o.String(), e.String()
}

// TestModelsProbe: what is written is read again, and nothing else of the file
// changes; what cannot be found out is not written.
func TestModelsProbe(t *testing.T) {
	t.Parallel()
	h := httptest.NewServer(http.HandlerFunc(qwen))
	defer h.Close()
	host := strings.TrimPrefix(h.URL, "http://")
	file := filepath.Join(t.TempDir(), "caps.yaml")
	own := "# ours\nmodels:\n  - {provider: \"*\", model: big, context: 1000} # keep\n"
	if err := os.WriteFile(file, []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	unchanged := func(what string, code int, out, errs, says string) {
		t.Helper()
		data, err := os.ReadFile(file)
		if err != nil || string(data) != own || code != exitProblem || !strings.Contains(errs, says) ||
			strings.Contains(out+errs, "wrong") {
			t.Errorf("%s: %d %s %s\n%s", what, code, out, errs, data)
		}
	}
	code, out, errs := limnWith(t, map[string]string{"LIMN_MODEL_KEY": "wrong"}, "models", "probe", h.URL, "big",
		"--write", file)
	unchanged("a wrong key", code, out, errs, "LLM_AUTH")
	code, out, errs = limnWith(t, nil, "models", "probe", h.URL+"?x=1", "big", "--write", file)
	unchanged("no address", code, out, errs, "LLM_CONFIG_INVALID at url")
	code, out, errs = limnWith(t, nil, "models", "probe", h.URL, "a\x1b[2Jb", "--write", file)
	unchanged("no name", code, out, errs, "LLM_CONFIG_INVALID at model")

	code, out, errs = limnWith(t, nil, "models", "probe", h.URL, "big", "--write", file)
	data, err := os.ReadFile(file)
	entry := "  - provider: " + host +
		"\n    model: big\n    keys: [max_tokens, stream_options, frequency_penalty, presence_penalty, stop, temperature, top_p]\n    json_schema: true\n" +
		"    json_object: false\n    tools: true\n    parallel_key: true\n    parallel_tools: false\n    streaming: true\n    context: 1000\n"
	entry = strings.Replace(entry, host, `"`+host+`"`, 1) // it begins with a digit
	if want := strings.Replace(own, "models:\n", "models:\n"+entry, 1); err != nil || code != exitOK ||
		string(data) != want || !strings.Contains(out, "written to "+file) {
		t.Errorf("%d %s %s\n%s\nwant\n%s", code, out, errs, data, want)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
	if code, out, errs = limnWith(t, nil, "models", "probe", h.URL, "big", "--write", file); code != exitOK ||
		!strings.Contains(out, "says so already") {
		t.Errorf("again: %d %s %s", code, out, errs)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	var entries llm.Table
	if code, out, errs = limnWith(t, nil, "models", "big", "--provider", host, "--capabilities", file, "--json"); code != exitOK || json.Unmarshal([]byte(out), &entries) != nil ||
		len(entries) != 1 || !entries[0].JSONSchema || entries[0].Context != 1000 || entries[0].Source != file+":3" {
		t.Errorf("%d %s %s", code, out, errs)
	}
}

// TestModelsProbeStops: Ctrl-C, here the end of the context, leaves the file.
func TestModelsProbeStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if n++; n < 4 {
			qwen(w, req)
			return
		}
		_, _ = io.Copy(io.Discard, req.Body) // what sees the client leave reads on
		cancel()
		<-req.Context().Done()
	}))
	defer h.Close()
	file := filepath.Join(t.TempDir(), "caps.yaml")
	var out, errs bytes.Buffer
	code := run(ctx, []string{"models", "probe", h.URL, "big", "--write", file},
		term.Terminal{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(string) string { return "" }})
	if _, err := os.Stat(file); err == nil || code != exitProblem ||
		!strings.Contains(errs.String(), "stopped; 4 requests") || !strings.Contains(errs.String(), "nothing written") {
		t.Errorf("%d %s %s", code, &out, &errs)
	}
}

// TestModelsProbeWritesOrAsksNothing: a file that cannot be written is found out
// before anything is paid for.
func TestModelsProbeWritesOrAsksNothing(t *testing.T) {
	t.Parallel()
	asked := false
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer s.Close()
	for _, file := range []string{filepath.Join(t.TempDir(), "none", "caps.yaml"), t.TempDir()} {
		code, _, errs := limnWith(t, nil, "models", "probe", s.URL, "m", "--write", file)
		if code != 1 || asked || !strings.Contains(errs, "LLM_CONFIG_INVALID at "+file) {
			t.Errorf("%d, asked %v: %s", code, asked, errs)
		}
	}
	code, _, errs := limnWith(t, nil, "models", "probe", "http://127.0.0.1:1", "m")
	if code != 1 || !strings.Contains(errs, "0 tokens in and 0 out") {
		t.Errorf("%d: %s", code, errs)
	}
}

// TestCapabilitiesFlag: what limn serve says of its model at the start, and
// what it then knows of it.
func TestCapabilitiesFlag(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "caps.yaml")
	if err := os.WriteFile(file,
		[]byte("models:\n  - {provider: \"127.0.0.1:*\", model: qwen3*, json_schema: true}\n  - {provider: vllm, model: small, tools: true}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const unknown = " (unknown model: prompt only; run limn models probe)"
	for _, tt := range []struct {
		flags modelFlags
		told  string
		want  llm.Capabilities
	}{
		{modelFlags{Model: "qwen3:8b"}, "by qwen3:8b" + unknown, llm.PromptOnly()},
		{modelFlags{Model: "qwen3:8b", Capabilities: file}, "by qwen3:8b", llm.Capabilities{JSONSchema: true}},
		{modelFlags{Model: "big", Capabilities: file}, "by big" + unknown, llm.PromptOnly()},
		{modelFlags{Model: "small", Provider: "vllm", Capabilities: file}, "by small", llm.Capabilities{Tools: true}},
	} {
		tt.flags.ModelURL = "http://127.0.0.1:9/v1"
		m, told, err := tt.flags.open(func(string) string { return "" })
		if err != nil || told != tt.told {
			t.Errorf("%+v: %q %v", tt.flags, told, err)
			continue
		}
		if diff := cmp.Diff(tt.want, m.(llm.Capable).Capabilities()); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.flags, diff)
		}
	}
	if err := os.WriteFile(file, []byte("models:\n  - {provider: a, model: b, tolos: true}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errs := limnWith(t, map[string]string{"LIMN_MODEL": "m", "LIMN_MODEL_URL": "http://127.0.0.1:9"}, "serve",
		"--model", "m", "--model-url", "http://127.0.0.1:9", "--capabilities", file, "--store", "memory")
	if code != exitProblem || !strings.Contains(errs, file+`:2: unknown key "tolos"`) ||
		!strings.Contains(errs, "did you mean `tools`?") {
		t.Errorf("%d %s", code, errs)
	}
}

// TestStrictModels: what the model's capabilities do not have is left out of requests; with
// --strict, or strict in the file, it is an error, also of the routing model.
func TestStrictModels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		flag bool
		want ui.Code
	}{
		"best effort": {"name: t\n", false, ""},
		"the flag":    {"name: t\n", true, llm.CodeKeyDropped},
		"the file":    {"name: t\nstrict: true\n", false, llm.CodeKeyDropped},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "app.yaml")
			if err := os.WriteFile(file, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			endpoint := llmtest.New(t, llmtest.Step{Text: "ok"})
			flags := modelFlags{Model: "m", ModelURL: endpoint.URL, RouterModel: "r"}
			serve := serveCommand{App: file, Strict: c.flag, modelFlags: flags, logFlags: logFlags{Log: "error"}}
			serve.LeaseTime, serve.Poll, serve.WebhookTime, serve.Retry, serve.Tries = time.Second, time.Second, time.Second, time.Second, 1
			p, err := serve.parts(term.Terminal{Env: func(string) string { return "" }})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range []llm.Model{p.model, p.router} {
				_, err := m.Ask(t.Context(), llm.Request{Params: map[string]any{"seed": 7},
					Messages: []llm.Message{{Role: llm.RoleUser, Text: "hi"}}})
				if code := ui.CodeOf(err); code != c.want {
					t.Errorf("%q: %v, want %q", code, err, c.want)
				}
			}
		})
	}
}
