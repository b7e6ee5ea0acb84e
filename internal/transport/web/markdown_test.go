package web_test

import (
	"context"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/llm"
)

// markdownModel is a model that answers with Markdown, and with what would run if it
// were HTML.
type markdownModel struct{}

func (markdownModel) Ask(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{
		Text: `{"assistant_text":"**Here** it is:\n\n- one\n- [two](javascript:alert(1))\n- <img src=x onerror=alert(1)>","directives":[]}`, Finish: llm.FinishStop}, nil
}

// TestMarkdown: Markdown of an answer is rendered in the page and in frames; what
// the user wrote is not, and nothing of either becomes an element of its own.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	c := start(t, func(c *limn.Config) { c.Model = markdownModel{} }).program()
	c.say("**mine** <img src=x onerror=alert(2)>")
	const want = `<p><strong>Here</strong> it is:</p><ul><li>one</li><li>two</li><li>&lt;img src=x onerror=alert(1)&gt;</li></ul>`
	page := string(c.do("GET", "/c/-", "").body)
	if !strings.Contains(page, want) || !strings.Contains(page, `>**mine** &lt;img src=x onerror=alert(2)&gt;<span class="limn-acts">`) ||
		strings.Contains(page, "<img src=x") {
		t.Errorf("page: %s", page)
	}
	s := c.open("/v1/-/stream")
	data := strings.Join(s.must().data, "")
	if !strings.Contains(data, `"html":"`) || strings.Count(data, `"html":`) != 1 ||
		!strings.Contains(data, `"text":"**Here** it is`) {
		t.Errorf("snapshot: %s", data)
	}
}
