package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/llm"
)

// clerk looks A17 up, and asks for a reason.
type clerk struct{ t *testing.T }

func (c clerk) Ask(_ context.Context, r llm.Request) (llm.Reply, error) {
	last := r.Messages[len(r.Messages)-1]
	switch {
	case len(r.Tools) == 0:
		return llm.Reply{
			Text: `{"assistant_text":"It is on its way.","directives":[{"type":"ui.show_form","payload":{"name":"reason"}}]}`, Finish: llm.FinishStop}, nil
	case last.Role != llm.RoleTool:
		if slices.ContainsFunc(r.Tools, func(t llm.Tool) bool { return t.Name == "cancel_order" }) {
			c.t.Error("offered before there is a reason")
		}
		return llm.Reply{Finish: llm.FinishToolCalls,
			Calls: []llm.Call{{ID: "1", Name: "find_order", Arguments: `{"id":"A17"}`}}}, nil
	case !strings.Contains(last.Text, "shipped"):
		c.t.Errorf("told %q", last.Text)
	}
	return llm.Reply{Text: "On its way.", Finish: llm.FinishStop}, nil
}

// TestOrders asks for an order over HTTP.
func TestOrders(t *testing.T) {
	t.Parallel()
	srv, err := server(clerk{t})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(t.Context())
	post := func(path, token, body string) string {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Prefer", "wait=10")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		rec := httptest.NewRecorder()
		srv.Handler().ServeHTTP(rec, r)
		if rec.Code >= 300 {
			t.Errorf("%s: %d", path, rec.Code)
		}
		return rec.Body.String()
	}
	var made struct{ ID, Token string }
	if err := json.Unmarshal([]byte(post("/v1/conversations", "", "")), &made); err != nil {
		t.Fatal(err)
	}
	if out := post("/v1/conversations/"+made.ID+"/messages", made.Token, `{"text":"where is my order A17?"}`); !strings.Contains(out, `"kind":"done"`) {
		t.Fatal(out)
	}
	head, err := srv.Service().Head(t.Context(), made.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	if head.State.Surface("form:reason") == nil || head.State.Transcript[1].Text != "It is on its way." {
		t.Errorf("%+v", head.State.Transcript)
	}
}
