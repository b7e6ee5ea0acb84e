package a2ui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/jsonx"
)

// fataler is a test, or one draw of a property test.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// used fills in every input of a surface, presses every button and returns what
// was sent, one line each; back gives an action the words of the server.
func used(t fataler, c *client.Client, surface string, back func(*a2ui.Action) *a2ui.Action) string {
	t.Helper()
	var b strings.Builder
	view, err := c.Surface(surface)
	if err != nil {
		return ""
	}
	for s := range view.Root.All() {
		if s.Bound == "" {
			continue
		}
		switch s.Role {
		case "textbox":
			err = c.Type(surface, s.Key(), "typed")
		case "checkbox":
			err = c.Tick(surface, s.Key(), true)
		case "choice":
			if len(s.Options) > 0 {
				err = c.Choose(surface, s.Key(), s.Options[0].Value)
			}
		case "slider":
			err = c.Slide(surface, s.Key(), 3)
		case "datetime":
			err = c.SetDate(surface, s.Key(), "2026-05-01")
		}
		if err != nil && !strings.Contains(err.Error(), "times") { // drawn twice: which one?
			fmt.Fprintln(&b, s.Role, s.Text, "refuses")
		}
	}
	view, _ = c.Surface(surface)
	for s := range view.Root.All() {
		if s.Role != "button" || s.Disabled {
			continue
		}
		a, err := c.Click(surface, s.Key())
		if err != nil {
			fmt.Fprintln(&b, "no click")
			continue
		}
		if a.Name == "" {
			fmt.Fprintln(&b, "opened", c.Opened())
			continue
		}
		a.Timestamp = "2026-11-20T10:00:00Z"
		sent := back(&a)
		fmt.Fprintln(&b, sent.Name, sent.Component,
			string(jsonx.AppendCanonical(nil, plainNumbers(lists(sent.Context)))))
	}
	return b.String()
}

// lists reads JSON texts of lists, as renderers of v0.8 do; a Strict client sends
// the text.
func lists(v a2ui.Data) a2ui.Data {
	text := strings.TrimSuffix(v.Text(), "\u200b")
	if list, err := jsonx.Parse([]byte(text), jsonx.Limits{}); err == nil && list.Kind == jsonx.Array {
		return list
	}
	members := slices.Clone(v.Members)
	for i := range members {
		members[i].Value = lists(members[i].Value)
	}
	v.Members = members
	return v
}

// sameUse compares what two renderers send after the same was entered.
func sameUse(t fataler, tr *a2ui.Translator, from, to a2ui.Dialect, a, b *client.Client) (was, is string) {
	t.Helper()
	for _, id := range a.Surfaces() {
		was += used(t, a, id, func(m *a2ui.Action) *a2ui.Action { return m })
		is += used(t, b, id, func(m *a2ui.Action) *a2ui.Action {
			wire, err := a2ui.AppendClient(nil, to, m)
			if err != nil {
				t.Fatal(err)
			}
			_, read, err := a2ui.DecodeClient(wire, a2ui.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			d, back, _ := tr.Client(read)
			if d.Features() != from.Features() {
				t.Fatalf("the server of %s speaks %s, not %s", id, d, from)
			}
			out, ok := back.(*a2ui.Action)
			if !ok {
				t.Fatalf("the action became %#v", back)
			}
			return out
		})
	}
	// guards are for the client's eyes
	return strings.ReplaceAll(was, "\u200b", ""), strings.ReplaceAll(is, "\u200b", "")
}

// TestTranslatedInputReachesServer: on every published example, after filling in all inputs and
// pressing all buttons, the server gets what the original would have sent.
func TestTranslatedInputReachesServer(t *testing.T) {
	t.Parallel()
	sent := 0
	defer func() { t.Log(sent, "actions compared") }()
	for _, from := range allDialects {
		for name, msgs := range examplesOf(t, from) {
			for _, to := range allDialects {
				tr, out, losses := translated(t, from, to, msgs)
				if slices.ContainsFunc(losses, func(l a2ui.Loss) bool { return l.What == "action" }) {
					continue
				}
				a, _ := rendered(from, client.Strict, msgs)
				b, _ := rendered(to, client.Strict, out)
				was, is := sameUse(t, tr, from, to, a, b)
				sent += strings.Count(was, "\n")
				checks := slices.ContainsFunc(losses, func(l a2ui.Loss) bool { return l.What == "check" })
				if was != is && !checks {
					t.Errorf("%s → %s: %s: sent\n%swant\n%s", from, to, name, is, was)
				}
				if !seen(losses) && shownHashes(a) != shownHashes(b) {
					t.Errorf("%s → %s: %s shows something else after it was used\n%s\n%s", from, to, name, dump(a),
						dump(b))
				}
			}
		}
	}
}
