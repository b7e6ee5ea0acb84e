package compile

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// script is what testdata/webcore.mjs reads.
type script struct {
	bytes.Buffer
	models int
}

func (s *script) line(key, value string) { fmt.Fprintf(s, "{%q:%s}\n", key, value) }

func (s *script) open(d a2ui.Dialect, name string) {
	fmt.Fprintf(s, "{\"open\":%q,\"name\":%q}\n", d, name)
}

func (s *script) feed(tb tester, d a2ui.Dialect, msgs []a2ui.Message) {
	tb.Helper()
	for _, m := range msgs {
		s.line("feed", strings.TrimSpace(encode(tb, d, m)))
	}
}

// expect wants the data that our own client has after the same messages.
func (s *script) expect(c *client.Client) {
	want := a2ui.Data{Kind: kindObject}
	for _, id := range c.Surfaces() {
		data, _ := c.Data(id)
		if data.Kind != kindObject {
			data = a2ui.Data{Kind: kindObject}
		}
		want.Members = append(want.Members, a2ui.Member{Key: id, Value: data})
	}
	s.models++
	s.line("model", string(jsonx.Append(nil, want)))
}

// trace is one conversation: a client that follows every update, and after each
// frame one that starts with the snapshot.
func trace(d a2ui.Dialect, seed int) *rapid.Generator[*script] {
	return rapid.Custom(func(rt *rapid.T) *script {
		s := &script{}
		name := fmt.Sprintf("%s, seed %d", d, seed)
		s.open(d, name)
		w := newWorld(rt, target(d))
		w.typed = func(surface, path, text string) {
			value, _ := json.Marshal([]string{surface, path, text})
			s.line("type", string(value))
		}
		var starts script
		for i := range rapid.IntRange(4, 12).Draw(rt, "frames") {
			w.typing(rt)
			msgs, err := w.try(w.randomOps(rt)...)
			if err != nil {
				continue
			}
			s.feed(rt, d, msgs)
			s.expect(w.client)
			batches, err := Snapshot(w.target, w.state)
			if err != nil {
				rt.Fatal(err)
			}
			starts.open(d, fmt.Sprintf("%s, snapshot %d", name, i))
			starts.feed(rt, d, batches.Messages())
			starts.expect(w.fresh())
		}
		s.Write(starts.Bytes())
		s.models += starts.models
		return s
	})
}

// TestOfficialParsers gives what this package sends to the parsers of the
// official renderers: they must take every message without a word, and end with
// the data we think they have. It needs Node.js and "make web".
func TestOfficialParsers(t *testing.T) {
	t.Parallel()
	node := officialNode(t)
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	all := &script{}
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09} { // that is what it parses
		for _, s := range []*script{everythingOnce(t, d), comesBack(t, d)} {
			all.Write(s.Bytes())
			all.models += s.models
		}
		for seed := range rounds {
			s := trace(d, seed).Example(seed)
			all.Write(s.Bytes())
			all.models += s.models
		}
	}
	out := runNode(t, node, all.Bytes())
	if want := fmt.Sprintf("done: %d models\n", all.models); out != want {
		if len(out) > 8000 {
			out = out[:8000] + "…"
		}
		t.Errorf("the parsers complain (want only %q):\n%s", want, out)
	}
}

// everythingOnce opens, errs, locks and expires a surface with every node.
func everythingOnce(t *testing.T, d a2ui.Dialect) *script {
	s := &script{}
	s.open(d, d.String()+", everything")
	w := newWorld(t, target(d))
	for _, op := range []ui.Op{
		openOp("all", everything(), everythingDraft(), everythingState("x")),
		&ui.Errors{Surface: "all", Errors: []ui.FieldError{{Path: "/draft/name", Text: "Wrong."}, {Path: "/draft/goods/r1/item", Text: "Wrong."}}},
		&ui.Lock{Surface: "all"}, &ui.Expire{Surface: "all"}, &ui.Reset{Surface: "all", Nonce: "n2"}, &ui.Close{Surface: "all"},
	} {
		s.feed(t, d, w.apply(op))
		s.expect(w.client)
	}
	return s
}

// comesBack takes a section away with its input and brings it back without: for
// a moment a client has the old section, whose input has no data any more.
func comesBack(t *testing.T, d a2ui.Dialect) *script {
	s := &script{}
	s.open(d, d.String()+", comes back")
	w := newWorld(t, target(d))
	tree := func(section ...ui.Node) *ui.Column {
		root := &ui.Column{Key: "main", Children: ui.Nodes{&ui.Text{Key: "t", Text: "t"}}}
		for _, n := range section {
			root.Children = append(root.Children, &ui.Section{Key: "s", Title: "S", Children: ui.Nodes{n}})
		}
		return root
	}
	for _, op := range []ui.Op{
		openOp("s", tree(input(ui.Field{Name: "mail", Type: ui.TypeEmail})), ui.Value{}, ui.Value{}),
		&ui.Update{Surface: "s", Root: ui.Nodes{tree()}},
		&ui.Update{Surface: "s", Root: ui.Nodes{tree(&ui.Text{Key: "x", Text: "x"})}},
		&ui.Update{Surface: "s", Root: ui.Nodes{tree(input(ui.Field{Name: "mail", Type: ui.TypeEmail}))}},
		&ui.Update{Surface: "s", Root: ui.Nodes{tree(input(ui.Field{Name: "site", Type: ui.TypeURL}))}},
	} {
		s.feed(t, d, w.apply(op))
		s.expect(w.client)
	}
	return s
}

// officialNode finds Node.js and the official packages, or skips.
func officialNode(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat(filepath.Join("..", "web", "node_modules", "@a2ui", "web_core"))
	}
	switch {
	case err == nil:
	case os.Getenv("LIMN_REQUIRE") == "1":
		t.Fatalf("Node.js and the official packages are needed; run make web: %v", err)
	default:
		t.Skipf("Node.js and the official packages are needed; run make web: %v", err)
	}
	return node
}

func runNode(t *testing.T, node string, in []byte) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, filepath.Join("testdata", "webcore.mjs"))
	cmd.Stdin = bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, stderr.String())
	}
	return string(out)
}

// TestOfficialParsersCatch proves that the script sees what it should: a
// component with a property nobody knows, and data that are not as expected.
func TestOfficialParsersCatch(t *testing.T) {
	t.Parallel()
	node := officialNode(t)
	s := &script{}
	s.open(a2ui.V09, "bad")
	begin, _ := json.Marshal(map[string]any{"version": "v0.9",
		"createSurface": map[string]any{"surfaceId": "s", "catalogId": a2ui.CatalogID(a2ui.V09)}})
	s.line("feed", string(begin))
	s.line("feed", `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"a","colour":"red"}]}}`)
	s.line("feed", `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Card","child":"nobody"}]}}`)
	s.line("model", `{"s":{"a":1}}`)
	s.open(a2ui.V08, "worse")
	s.line("feed", `{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"a","component":{"Column":{"children":{"explicitList":["b"]}}}}]}}`)
	out := runNode(t, node, s.Bytes())
	for _, want := range []string{"colour", "the data are", "missing: nobody", "worse: message 1"} {
		if !strings.Contains(out, want) {
			t.Errorf("nothing says %q:\n%s", want, out)
		}
	}
}
