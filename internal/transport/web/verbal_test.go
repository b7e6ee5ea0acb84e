package web_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
)

// TestVerbalDataModel: words submit the data model that comes with them, once for a key.
func TestVerbalDataModel(t *testing.T) {
	t.Parallel()
	c := jsonClient{guests(t, func(cfg *app.Config) { cfg.SendDataModel = true })}
	say := func(name string) limntest.Answer {
		return c.Do("POST", "/v1/conversations/"+c.ID+"/messages", `{"text":"Okay, submit the form.","metadata":{`+
			`"a2uiClientDataModel":{"version":"v0.9","surfaces":{"form:guest#e=1":{"draft":{"name":"`+name+`"}}}}}}`,
			"Content-Type", "application/json", "Idempotency-Key", "k1", "Prefer", "wait=5")
	}
	first := say("Ada")
	if !strings.Contains(first.Text, `"kind":"done"`) {
		t.Fatal(first.Text)
	}
	if again := say("Ada"); again.Text != first.Text {
		t.Errorf("a retry: %s, the first time %s", again.Text, first.Text)
	}
	s := c.State()
	if v, _ := s.Committed.Get("guest", "name"); v.Text() != "Ada" {
		t.Errorf("committed: %v", s.Committed)
	}
	said := s.Transcript[len(s.Transcript)-1].Text
	if !strings.HasPrefix(said, "Saved. Thank you.\n\nThis is what was sent:\n") || !strings.Contains(said, "name: Ada") {
		t.Errorf("said %q", said)
	}
}
