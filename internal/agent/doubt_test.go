package agent_test

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

var offered = regexp.MustCompile(`between <(run-\w+)> and`)

// talker says first, and then second with MARK replaced by the mark it is offered.
type talker struct {
	first, second string
	asked         int
	mark          string // offered with the question; "" = none
}

func (m *talker) Ask(_ context.Context, r llm.Request) (llm.Reply, error) {
	if m.asked++; m.asked == 1 {
		return llm.Reply{Text: m.first, Finish: llm.FinishStop}, nil
	}
	said := m.second
	if at := offered.FindStringSubmatch(r.Messages[len(r.Messages)-1].Text); at != nil {
		m.mark = at[1]
		said = strings.ReplaceAll(said, "MARK", m.mark)
	}
	return llm.Reply{Text: said, Finish: llm.FinishStop}, nil
}

const marked = "<MARK>" + good + "</MARK>"

func TestPreambleIsAskedAboutOnceThenRuns(t *testing.T) {
	t.Parallel()
	other := strings.Replace(good, `"customer"`, `"customer","values":{"a":"b"}`, 1)
	other = strings.Replace(other, `,"values":null`, "", 1)
	twice := "Opening it for you:\n" + good
	example := "To open the form a model sends this object. For example:\n\n```json\n" + good + "\n```\n\n"
	for _, tt := range []struct {
		name, first, second string
		runs, offers        bool
	}{
		{"preamble", twice, "Opening it for you:\n" + marked, true, true},
		{"preamble in another language", "Ja, hoor:\n" + good, "Ja, hoor:\n" + marked, true, true},
		{"closing remark", good + "\nAnything else?", "Sure.\n" + marked + "\nAnything else?", true, true},
		{"fence", "Here:\n```json\n" + good + "\n```", "Here:\n```json\n" + marked + "\n```\nDone.", true, true},
		{"fence between the marks", twice, "<MARK>\n```json\n" + good + "\n```\n</MARK>", true, true},
		{"words, then alone", twice, good, true, true},
		{"words, then other words", twice, "Right away:\n" + good, false, true},
		{"words, then plain words", twice, "I only showed it.", false, true},
		{"repeats itself", twice, twice, false, true},
		{"denies twice", "I will not send:\n" + good, "I will not send:\n" + good, false, true},
		{"shows an example twice", example, example, false, true},
		{"marks something else", twice, "Here:\n" + strings.Replace(marked, good, other, 1), false, true},
		{"makes up a mark", twice, "Here:\n<run-00000000>" + good + "</run-00000000>", false, true},
		{"marks it twice", twice, marked + marked, false, true},
		{"quotes the marks", twice, "I would write\n> " + marked, false, true},
		{"calls the marks code", twice, "The answer is `" + marked + "`", false, true},
		{"adds a key that withholds consent", twice,
			"Here:\n" + strings.Replace(marked, "{", `{"dry_run":true,`, 1), false, true},
		{"code sample", "```js\nsend(" + good + ")\n```", "Here:\n" + marked, false, false},
		{"two envelopes", "First:\n" + good + "\nor\n" + good, "Here:\n" + marked, false, false},
		{"documentation", strings.Repeat("This is how the form is opened. ", 10) + good, "Here:\n" + marked, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := &talker{first: tt.first, second: tt.second}
			r, err := agent.Directives(t.Context(), m, agent.Config{Registry: registry(t)},
				agent.Input{Text: "a new customer"})
			if err != nil {
				t.Fatal(err)
			}
			if runs := len(r.Envelope.Directives) == 1; runs != tt.runs || (m.mark != "") != tt.offers || m.asked != 2 {
				t.Errorf("runs %v, offered mark %q, %d requests; want %v, %v, 2\n%+v", runs, m.mark, m.asked,
					tt.runs, tt.offers, r.Envelope)
			}
			if text := r.Envelope.Text; tt.runs && text != "Here." || m.mark != "" && strings.Contains(text, m.mark) {
				t.Errorf("text %q", text)
			}
		})
	}
}

// A model that quotes answers the question about it in its own words; a mark
// runs only the very envelope that was asked about.
func TestUnseenAnswersDoNotRunWithAMarkOfAnotherQuestion(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"unsafe", "quoted", "consent"} {
		archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			said := strings.TrimSpace(string(f.Data))
			m := &talker{first: said, second: "<run-stolen00>" + said + "</run-stolen00>"}
			r, err := agent.Directives(t.Context(), m, agent.Config{Registry: registry(t)},
				agent.Input{Text: "add a customer"})
			if err != nil || len(r.Envelope.Directives) > 0 {
				t.Errorf("%s %s runs: %v, %v", name, f.Name, r.Envelope.Directives, err)
			}
		}
	}
}

// A run that is repeated from its journal offers the same mark, so that recorded
// answers decide as before; another answer or conversation has another one.
func TestMarkBelongsToOneAnswer(t *testing.T) {
	t.Parallel()
	mark := func(id, first string) string {
		m := &talker{first: first, second: "I only showed it."}
		if _, err := agent.Directives(t.Context(), m, agent.Config{Registry: registry(t)},
			agent.Input{State: ui.NewState(id), Text: "a new customer"}); err != nil {
			t.Fatal(err)
		}
		return m.mark
	}
	first := mark("a", "Ja, hoor:\n"+good)
	if again := mark("a", "Ja, hoor:\n"+good); first == "" || again != first {
		t.Errorf("repeated: %q, then %q", first, again)
	}
	if a, b := mark("b", "Ja, hoor:\n"+good), mark("a", "Here:\n"+good); a == first || b == first {
		t.Errorf("the mark %q of another conversation or answer, %q and %q", first, a, b)
	}
}
