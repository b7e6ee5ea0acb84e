package web_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/store/memory"
)

// TestModelRuns: a principal has four answers running at most; the fifth message is
// refused with a sentence and a time, and nothing of it is kept.
func TestModelRuns(t *testing.T) {
	t.Parallel()
	st := memory.New()
	c := start(t, func(c *limn.Config) { c.Store, c.Model = st, thinking{} }).program()
	const path = "/v1/-/messages"
	for range 4 {
		if a := c.do("POST", path, `{"text":"hello"}`); a.StatusCode != 202 {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
	}
	a := c.do("POST", path, `{"text":"hello"}`)
	p := a.problem(t)
	if p.Status != 429 || p.Code != "HTTP_MODEL_RUNS" ||
		!strings.Contains(string(a.body), "You have 4 answers running. Wait for one to finish.") ||
		a.Header.Get("Retry-After") == "" {
		t.Errorf("the fifth: %+v, Retry-After %q", p, a.Header.Get("Retry-After"))
	}
	head, err := st.Open(t.Context(), c.ID)
	if err != nil || len(head.Pending) != 4 {
		t.Errorf("%d recorded, %v", len(head.Pending), err)
	}
	if a := c.do("POST", "/v1/-/cancel", ""); a.StatusCode != 204 { // else closing waits for the model
		t.Errorf("cancel: %d %s", a.StatusCode, a.body)
	}
}
