package agent_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/limn-ui/limn/internal/agent"
)

// Answers written after the reader was finished: none of them runs, on no rung,
// though the model repeats itself word for word when it is asked.
func TestUnseenAnswersDoNotRun(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"unsafe", "quoted", "consent"} {
		archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		ran, protocol, requests := 0, 0, 0
		for _, f := range archive.Files {
			m := says(strings.TrimSuffix(string(f.Data), "\n"))
			r, err := agent.Directives(t.Context(), m, agent.Config{Registry: registry(t)},
				agent.Input{Text: "add a customer"})
			if err != nil {
				t.Fatal(err)
			}
			if requests += len(m.asked); len(r.Envelope.Directives) > 0 {
				ran++
				t.Errorf("%s %s runs: %s", name, f.Name, f.Data)
			}
			if text := r.Envelope.Text; strings.Contains(text, "directives") || strings.Contains(text, "ui.") {
				protocol++
				t.Errorf("%s %s shows %q", name, f.Name, text)
			}
		}
		t.Logf("%-8s %d of %d ran, %d showed protocol, %.1f requests each", name, ran, len(archive.Files), protocol,
			float64(requests)/float64(len(archive.Files)))
	}
}
