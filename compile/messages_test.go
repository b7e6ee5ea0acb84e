package compile

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/official"
	"github.com/limn-ui/limn/ui"
)

// hostile are texts that some format, parser or renderer could take for its own.
var hostile = rapid.SampledFrom([]string{
	"", " ", "a", "root", "c#main:Column", "# h", "## two", "* a\n* b", "1. x", "a\nb\n\n    code", "_u_ **b** ~~s~~ `c`", "| a |\n|---|\n| b |",
	"[l](javascript:alert(1))", "![i](http://x.test/p.png)", "<script>alert(1)</script>", "&lt;&amp;", `{"path":"/draft/name"}`, `["x"]`, `{"call":"openUrl"}`,
	"${/draft/name}", "${openUrl(url:'x')}", `\${x}`, "@path", "@@x", "~1/~0", "a.b[0]", "__proto__", "null", "true", "7e3", "00", "\u2028\u2029", "\u202eabc",
	"e\u0301 ﷽ 👩‍👩‍👧 𝔘", "\ufeffx", "\u200b", `"\/`, strings.Repeat("long ", 400),
})

// spoil puts hostile texts into the nodes below n.
func spoil(rt *rapid.T, n ui.Node) {
	word := func(into *string) {
		if *into != "" && rapid.Bool().Draw(rt, "spoil") {
			*into = hostile.Filter(func(s string) bool { return strings.TrimSpace(s) != "" }).Draw(rt, "text")
		}
	}
	ui.Walk(n, func(_ ui.KeyPath, n ui.Node) bool {
		switch n := n.(type) {
		case *ui.Heading:
			word(&n.Text)
		case *ui.Text:
			word(&n.Text)
		case *ui.Notice:
			word(&n.Text)
		case *ui.Section:
			word(&n.Title)
		case *ui.Stat:
			word(&n.Label)
			word(&n.Value)
			word(&n.Note)
		case *ui.Progress:
			word(&n.Label)
		case *ui.Image:
			word(&n.Alt)
		case *ui.Diagram:
			word(&n.Label)
		case *ui.Chart:
			word(&n.Label)
			word(&n.Labels[0])
			word(&n.Series[0].Name)
		case *ui.Button:
			word(&n.Label)
		case *ui.Tabs:
			for i := range n.Tabs {
				word(&n.Tabs[i].Title)
			}
		}
		if in := ui.InputOf(n); in != nil {
			word(&in.Label)
			word(&in.Help)
			word(&in.Placeholder)
		}
		return true
	})
}

// hostileTree is a random tree with hostile texts, somewhere deep or wide.
func hostileTree(rt *rapid.T) ui.Node {
	root := randomTree(rt).(*ui.Column)
	var inner ui.Node = &ui.Text{Key: "bottom", Text: "bottom"}
	for i := range rapid.IntRange(0, 12).Draw(rt, "deep") {
		inner = &ui.Card{Key: fmt.Sprint("deep", i), Children: ui.Nodes{inner}}
	}
	root.Children = append(ui.Nodes{inner}, root.Children...)
	for i := range rapid.SampledFrom([]int{0, 0, 60}).Draw(rt, "wide") {
		root.Children = append(root.Children, &ui.Text{Key: fmt.Sprint("wide", i), Text: "w"})
	}
	spoil(rt, root)
	return root
}

// published returns the schema of a dialect, or nil when the files are missing.
func published(t *testing.T, d a2ui.Dialect) *official.Schema {
	t.Helper()
	schema, err := official.Server(d.String())
	if errors.Is(err, official.ErrMissing) && os.Getenv("LIMN_REQUIRE") != "1" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestMessagesAreValidOnEveryTarget draws random states for every target: each message passes the
// published schema and the profile Safe, both kinds of client draw it without an
// error, and what they show is the same everywhere unless a target warned.
func TestMessagesAreValidOnEveryTarget(t *testing.T) {
	t.Parallel()
	schemas := map[a2ui.Dialect]*official.Schema{}
	for _, d := range dialects {
		schemas[d] = published(t, d)
	}
	compared := 0
	rapid.Check(t, func(rt *rapid.T) {
		st := stateOf(rt, openOp("main", hostileTree(rt), everythingDraft(),
			everythingState(hostile.Draw(rt, "state"))))
		first, loss := "", 0
		var dump string
		for _, d := range dialects {
			batches, err := Snapshot(target(d), st)
			if err != nil {
				rt.Fatal(err)
			}
			for line := range strings.Lines(encode(rt, d, batches.Messages()...)) {
				if err := schemas[d].Check([]byte(line)); err != nil {
					rt.Fatalf("%s: the published schema: %v\n%.600s", d, err, line)
				}
			}
			w := &world{tb: rt, target: target(d), state: st}
			web := w.fresh()
			strict := client.New(d, client.Strict)
			w.feed(strict, a2ui.NewValidator(a2ui.Rules{Dialect: d, Profile: a2ui.Safe}), batches)
			a, b := strict.ShownHash("main#e=1"), web.ShownHash("main#e=1")
			if a != b {
				rt.Errorf("%s: strict\n%s\nlike web_core\n%s", d, strict.Dump("main#e=1"), web.Dump("main#e=1"))
			}
			switch warned := len(batches.Warnings()); {
			case first == "":
				first, loss, dump = a, warned, strict.Dump("main#e=1")
			case warned == loss && a != first:
				rt.Errorf("%s shows\n%s\n%s shows\n%s", dialects[0], dump, d, strict.Dump("main#e=1"))
			case warned == loss:
				compared++
			}
		}
	})
	if compared == 0 {
		t.Error("no two targets were compared")
	}
}

// stateOf is the state after one frame.
func stateOf(tb tester, ops ...ui.Op) *ui.State {
	tb.Helper()
	f := &ui.Frame{V: ui.Version, Seq: 1, Ops: ops}
	st, _, err := ui.Apply(ui.NewState("conv"), f, ui.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	return st
}

// TestCutAndRebuild: a client that got any part of a snapshot shows the right
// thing once it is given the whole again, as after a reconnect.
func TestCutAndRebuild(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		rapid.Check(t, func(rt *rapid.T) {
			st := stateOf(rt, openOp("main", hostileTree(rt), everythingDraft(), everythingState("x")))
			batches, err := Snapshot(target(d), st)
			if err != nil {
				rt.Fatal(err)
			}
			w := &world{tb: rt, target: target(d), state: st}
			c := client.New(d, client.LikeWebCore)
			msgs := batches.Messages()
			for _, m := range msgs[:rapid.IntRange(0, len(msgs)).Draw(rt, "cut")] {
				if err := c.Apply(m); err != nil {
					rt.Fatal(err)
				}
			}
			for _, m := range append([]a2ui.Message{&a2ui.DeleteSurface{SurfaceID: "main#e=1"}}, msgs...) {
				if err := c.Apply(m); err != nil {
					rt.Fatal(err)
				}
			}
			if got, want := c.ShownHash("main#e=1"), w.fresh().ShownHash("main#e=1"); got != want || got == "" {
				rt.Errorf("after the cut:\n%s", c.Dump("main#e=1"))
			}
		})
	})
}
