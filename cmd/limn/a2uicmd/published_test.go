package a2uicmd

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/official"
)

// command runs a command on an input and returns what it prints.
func command(run func(term.Terminal) error, in string) (out, errors string, err error) {
	var o, e bytes.Buffer
	err = run(term.Terminal{In: strings.NewReader(in), Out: &o, Err: &e, Env: func(string) string { return "" }})
	return o.String(), e.String(), err
}

// published are the examples of the specification, or the test is skipped.
func published(t *testing.T) []official.Example {
	t.Helper()
	list, err := official.Examples()
	if err != nil {
		t.Skipf("%v; A2UI_CONFORMANCE_DIR names the folder of the cases of 2026-10", err)
	}
	return list
}

// translated is an example in another version.
func translated(t *testing.T, file, to string) (stream, losses string) {
	t.Helper()
	stream, losses, err := command(Translate{File: file, From: autoVersion, To: to}.Run, "")
	if err != nil || stream == "" {
		t.Fatalf("limn translate --to %s: %v\n%s", to, err, losses)
	}
	return stream, losses
}

// TestPublishedExamples: limn validate finds nothing to say about a published
// example, and limn translate makes of it, in every version and every spelling of
// v1.0, a stream about which it, limn validate, and the published schemas find
// nothing to say either.
func TestPublishedExamples(t *testing.T) {
	t.Parallel()
	for _, example := range published(t) {
		t.Run(example.Name(), func(t *testing.T) {
			t.Parallel()
			check := Validate{Files: []string{example.File}, Version: autoVersion, Profile: "spec", Max: 20}
			if out, said, err := command(check.Run, ""); err != nil {
				t.Fatalf("limn validate: %v\n%s%s", err, out, said)
			}
			for _, to := range strings.Split(Versions(), ",") {
				stream, _ := translated(t, example.File, to)
				check := Validate{Version: to, Profile: "spec", Max: 20}
				if out, said, err := command(check.Run, stream); err != nil {
					t.Errorf("limn translate --to %s | limn validate: %v\n%s%s", to, err, out, said)
				}
				schema, err := example.Schema(to)
				if err != nil {
					t.Fatal(err)
				}
				for line := range strings.Lines(stream) {
					if err := schema.Check([]byte(line)); err != nil {
						t.Errorf("the schema of %s: %.600s\n%s", to, err.Error(), line)
					}
				}
			}
		})
	}
}

// TestPublishedExamplesInWebCore gives what limn translate makes of the published
// examples to the parsers of the official renderers, which speak v0.8 and v0.9:
// they take every message without a word and end with the data that our renderer
// has.
func TestPublishedExamplesInWebCore(t *testing.T) {
	t.Parallel()
	examples := published(t)
	node, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat(filepath.Join("..", "..", "..", "web", "node_modules", "@a2ui", "web_core"))
	}
	switch {
	case err == nil:
	case os.Getenv("LIMN_REQUIRE") == "1":
		t.Fatalf("Node.js and the official packages are needed; run make web: %v", err)
	default:
		t.Skipf("Node.js and the official packages are needed; run make web: %v", err)
	}
	var script bytes.Buffer
	models := 0
	for _, example := range examples {
		for _, to := range []a2ui.Dialect{a2ui.V08, a2ui.V09} {
			stream, _ := translated(t, example.File, to.String())
			screen := client.New(to, client.LikeWebCore)
			fmt.Fprintf(&script, "{\"open\":%q,\"name\":%q}\n", to, example.Name()+" in "+to.String())
			for line := range strings.Lines(stream) {
				if err := screen.Feed([]byte(line)); err != nil {
					t.Errorf("%s in %s: %v", example.Name(), to, err)
				}
				fmt.Fprintf(&script, "{\"feed\":%s}\n", strings.TrimSpace(line))
			}
			data := a2ui.Data{Kind: a2ui.DataObject}
			for _, id := range screen.Surfaces() {
				model, _ := screen.Data(id)
				data.Members = append(data.Members, a2ui.Member{Key: id, Value: model})
			}
			fmt.Fprintf(&script, "{\"model\":%s}\n", a2ui.AppendData(nil, data))
			models++
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, filepath.Join("testdata", "webcore.mjs"))
	cmd.Stdin = &script
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	if want := fmt.Sprintf("done: %d models\n", models); string(out) != want {
		t.Errorf("the parsers complain (want only %q):\n%.8000s", want, out)
	}
}
