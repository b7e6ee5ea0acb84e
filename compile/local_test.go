package compile

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/ui"
)

// TestLocalActions: a button that sends nothing is a function call where the client has the
// function, and else what does the same.
func TestLocalActions(t *testing.T) {
	t.Parallel()
	local := func(key, do, arg, value string) *ui.Button {
		return &ui.Button{Key: key, Label: "Press " + key, Action: ui.Action{Do: do,
			Context: []ui.Context{{Key: arg, Value: ui.String(value)}}}}
	}
	s := ui.NewState("x")
	s.Surfaces = []*ui.Surface{{Name: "main", Epoch: 1, Rev: 1, Guard: 1, Nonce: "n", Status: ui.StatusOpen,
		Root: ui.Nodes{&ui.Column{Key: "main", Children: ui.Nodes{local("open", "open", "url", "https://limn.example/help"),
			local("copy", "copy", "text", "A-17"), local("own", "scrollTo", "where", "end"),
			local("bad", "open", "url", "javascript:alert(1)")}}}}}
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
		b, err := Snapshot(Target{Dialect: d}, s)
		if err != nil {
			t.Fatalf("%s: %v", d, err)
		}
		var out strings.Builder
		for _, m := range b.Messages() {
			line, err := a2ui.AppendMessage(nil, d, m)
			if err != nil || !json.Valid(line) {
				t.Fatalf("%s: %v", d, err)
			}
			out.Write(line)
		}
		got := out.String()
		call := strings.Contains(got, `"functionCall":{`) && strings.Contains(got, "openUrl")
		link := strings.Contains(got, `[Press open](https://limn.example/help)`)
		if calls := d.Features().Calls; call != calls || link == calls {
			t.Errorf("%s: call %v, link %v: %s", d, call, link, got)
		}
		if !strings.Contains(got, "Press copy: A-17") || strings.Contains(got, "scrollTo") || strings.Contains(got, "javascript") {
			t.Errorf("%s: %s", d, got)
		}
		if len(b.Warnings()) != 2 {
			t.Errorf("%s: %v", d, b.Warnings())
		}
	}
}

// TestLinkLabel: the label of a link has each of its brackets escaped once.
func TestLinkLabel(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]string{
		"Help":          "[Help](https://limn.example)",
		"see [a]":       `[see \[a\]](https://limn.example)`,
		"see [a](b)":    `[see \[a\](b)](https://limn.example)`,
		`see \[a]`:      `[see \\\[a\]](https://limn.example)`,
		`see \[a](b) ]`: `[see \\\[a\](b) \]](https://limn.example)`,
	} {
		got := sketch(t, a2ui.V08, &ui.Button{Key: "x", Label: label, Action: ui.Action{Do: "open",
			Context: []ui.Context{{Key: "url", Value: ui.String("https://limn.example")}}}}, ui.Value{}, ui.Value{})
		if text, _ := json.Marshal(want); !strings.Contains(got, string(text)) {
			t.Errorf("%s: %s, want %s", label, got, text)
		}
	}
}
