package html_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/ui"
)

// TestLocalActions: a link is one without script too, a text that is copied is there to read,
// and what a browser has no function for is not drawn.
func TestLocalActions(t *testing.T) {
	t.Parallel()
	button := func(key, do, arg, value string) *ui.Button {
		return &ui.Button{Key: key, Label: "Press <" + key, Action: ui.Action{Do: do,
			Context: []ui.Context{{Key: arg, Value: ui.String(value)}}}}
	}
	s := ui.NewState("x")
	s.Surfaces = []*ui.Surface{{Name: "main", Epoch: 1, Rev: 1, Guard: 1, Nonce: "n", Status: ui.StatusOpen,
		Root: ui.Nodes{&ui.Column{Key: "main", Children: ui.Nodes{button("open", "open", "url", `https://limn.example/"x`),
			button("copy", "copy", "text", "<A-17>"), button("own", "scrollTo", "where", "end"),
			button("bad", "open", "url", "javascript:alert(1)")}}}}}
	got := string(html.AppendSnapshot(nil, s, html.Options{}))
	for _, want := range []string{`rel="noopener noreferrer" href="https://limn.example/&#34;x">Press &lt;open</a>`,
		`data-limn-copy>Press &lt;copy</button> <code>&lt;A-17&gt;</code>`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Contains(got, "scrollTo") || strings.Contains(got, "javascript") || strings.Contains(got, "<A-17>") {
		t.Errorf("%s", got)
	}
}
