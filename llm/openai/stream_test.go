package openai_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/openai"
)

// Streams as servers send them that differ from the published form.
var streams = map[string]struct {
	contentType, body string
	breaks            bool // the connection, after body
	want              llm.Reply
	pieces            []string
}{
	"usage so far in every chunk": {body: `data: {"choices":[{"delta":{"content":"one "}}],"usage":{"prompt_tokens":5,"completion_tokens":1}}

data: {"choices":[{"delta":{"content":"two"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":2}}}

data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":2}}}

`, want: llm.Reply{Text: "one two", Finish: llm.FinishStop, Usage: llm.Usage{In: 5, CachedIn: 2, Out: 3}}, pieces: []string{"one ", "two"}},
	"a byte order mark": {body: "\uFEFFdata: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n",
		want: llm.Reply{Text: "hi", Finish: llm.FinishStop}, pieces: []string{"hi"}},
	"another choice between": {body: `data: {"choices":[{"index":1,"delta":{"content":"B"},"finish_reason":"length"}]}

data: {"choices":[{"index":0,"delta":{"content":"A"},"finish_reason":"stop"}]}

`, want: llm.Reply{Text: "A", Finish: llm.FinishStop}, pieces: []string{"A"}},
	"broken after the answer": {breaks: true, body: "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n",
		want: llm.Reply{Text: "hi", Finish: llm.FinishStop}, pieces: []string{"hi"}},
	"a whole answer instead": {contentType: "application/json; charset=utf-8", body: `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`,
		want: llm.Reply{Text: "hi", Finish: llm.FinishStop, Usage: llm.Usage{In: 3, Out: 1}}},
}

func TestOddStreams(t *testing.T) {
	t.Parallel()
	for name, tt := range streams {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				if tt.contentType != "" {
					w.Header().Set("Content-Type", tt.contentType)
				}
				_, _ = io.WriteString(w, tt.body)
				if tt.breaks {
					w.(http.Flusher).Flush()
					panic(http.ErrAbortHandler)
				}
			}))
			defer s.Close()
			m, err := openai.New(openai.Config{URL: s.URL, Model: "fake", Retries: -1, Capabilities: &generic})
			if err != nil {
				t.Fatal(err)
			}
			var pieces []string
			r := hello()
			r.Stream, r.OnText = true, func(p string) { pieces = append(pieces, p) }
			reply, err := m.Ask(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			reply.Sent = llm.Sent{}
			if diff := cmp.Diff(tt.want, reply) + cmp.Diff(tt.pieces, pieces); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
