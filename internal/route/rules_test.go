package route_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// sentence is one line of testdata/rules: a message, the state it meets, and
// what may come of it, as describe says it.
type sentence struct {
	file, message string
	state         ui.Router
	want          []string
}

// sentences reads testdata/rules, one file a rule. A line is
//
//	{state; state} want / or this :: message
//
// half of the lines of a file are near misses. In messages \n is a line break.
// want is the action, for tools with the tool and the stated count ("table 12",
// "map 3", "table", "clarify map", "chat"), then the control ("+opt_out:table").
func readSentences(t testing.TB) (out []sentence) {
	files, err := filepath.Glob("testdata/rules/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no rules: %v", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			want, message, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " :: ")
			if !ok {
				t.Fatalf("%s: no \" :: \" in %q", file, line)
			}
			s := sentence{file: strings.TrimSuffix(filepath.Base(file), ".txt"),
				message: strings.ReplaceAll(message, `\n`, "\n")}
			s.message = strings.ReplaceAll(s.message, `\t`, "\t")
			if rest, ok := strings.CutPrefix(want, "{"); ok {
				var state string
				state, want, _ = strings.Cut(rest, "} ")
				for _, word := range strings.Split(state, "; ") {
					stateWord(t, &s.state, word)
				}
			}
			s.want = strings.Split(want, " / ")
			out = append(out, s)
		}
	}
	return out
}

// stateWord adds "open table", "pending map", "force map PATTERN" to a state.
func stateWord(t testing.TB, s *ui.Router, word string) {
	kind, rest, _ := strings.Cut(word, " ")
	name, pattern, _ := strings.Cut(rest, " ")
	tool := map[string]string{"table": ui.ToolTable, "map": ui.ToolMap}[name]
	switch kind {
	case "open":
		*s = route.Next(decide(map[string]string{"table": "We have 3 risks.", "map": "a -> b"}[name], ui.Router{}), *s,
			route.Prefs{}, noon)
	case "pending":
		s.Pending = &ui.Pending{Tool: tool}
		sub, pattern, _ := strings.Cut(pattern, " ")
		of := map[string]string{"table": ui.ToolTable, "map": ui.ToolMap}[sub]
		switch name {
		case "rule":
			s.Pending = &ui.Pending{Tool: of,
				Rule: &ui.Guardrail{Pattern: pattern, Action: route.ForceTool, Tool: of, Enabled: true}}
		case "optout":
			s.Pending = &ui.Pending{Tool: of, OptOut: true}
		}
	case "prefer":
		s.Preferred = tool
	case "once":
		s.OptOut.Once = []string{tool}
	case "rules":
		for n, _ := strconv.Atoi(name); len(s.Guardrails) < n; {
			s.Guardrails = append(s.Guardrails,
				ui.Guardrail{ID: "g" + strconv.Itoa(len(s.Guardrails)+1), Pattern: "nothing", Action: route.ForceTool,
					Tool: ui.ToolMap})
		}
	case "completed", "canceled":
		s.LastTool, s.LastStatus = ui.ToolTable, kind
	case "cancels":
		s.LastTool, s.LastStatus = ui.ToolTable, ui.StatusCanceled
		s.Cancels, _ = strconv.Atoi(name)
	case "out":
		if s.OptOut.All = name == "all"; tool != "" {
			s.OptOut.Tools = append(s.OptOut.Tools, tool)
		}
	case "force", "suppress":
		s.Guardrails = append(s.Guardrails, ui.Guardrail{ID: "g" + strconv.Itoa(len(s.Guardrails)+1), Pattern: pattern,
			Action: kind + "_tool", Tool: tool, Enabled: true})
	default:
		t.Fatalf("no state %q", word)
	}
}

// describe says a decision as testdata/rules does.
func describe(d route.Decision) string {
	out := "chat"
	switch {
	case d.Action == route.ActionTool && d.Params.Table != nil:
		if out = "table"; d.Params.Table.Stated > 0 {
			out += " " + strconv.Itoa(d.Params.Table.MinRows)
		}
	case d.Action == route.ActionTool:
		if out = "map"; d.Params.Map.Stated > 0 {
			out += " " + strconv.Itoa(d.Params.Map.MinSteps)
		}
	case d.Action == route.ActionClarify && d.Candidate == ui.ToolMap:
		out = "clarify map"
	case d.Action == route.ActionClarify:
		out = "clarify table"
	}
	if d.Control != "" {
		out += " +" + string(d.Control)
	}
	if d.OptOut != "" {
		out += ":" + map[string]string{ui.ToolTable: "table", ui.ToolMap: "map"}[d.OptOut]
	}
	return out
}

// TestRules decides every sentence of testdata/rules.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, s := range readSentences(t) {
		d := decide(s.message, s.state)
		if got := describe(d); !slices.Contains(s.want, got) {
			t.Errorf("%s: %q: %s (%s), want %s", s.file, s.message, got, d.Rationale, strings.Join(s.want, " / "))
		}
	}
}
