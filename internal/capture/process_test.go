package capture_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// draw writes "Name (owner), …; 0>1 approval, 1>0 if".
func draw(m capture.Map) string {
	var steps, edges []string
	for _, s := range m.Steps {
		text := s.Name
		if s.Owner != "" {
			text += " (" + s.Owner + ")"
		}
		steps = append(steps, text)
	}
	for _, e := range m.Edges {
		text := fmt.Sprintf("%d>%d", e.From, e.To)
		if e.Kind != capture.Sequence {
			text += " " + string(e.Kind)
		}
		if e.Conditional {
			text += " if"
		}
		if e.Guess() {
			text += "?"
		}
		edges = append(edges, text)
	}
	return strings.Join(steps, ", ") + "; " + strings.Join(edges, ", ")
}

func TestProcess(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		// sentences
		{"First finance reviews the invoice, then IT signs off, then CFO approves.", "Review the invoice (finance), Sign off (IT), Approve (CFO); 0>1 approval, 1>2 approval"},
		{"The clerk registers the claim. After that, the adjuster inspects it. Finally, finance pays.", "Register the claim (clerk), Inspect it (adjuster), Pay (finance); 0>1, 1>2"},
		{"Intake, then triage, then repair.", "Intake, Triage, Repair; 0>1, 1>2"},
		{"The request is approved by the manager, then HR files it.", "Approve the request (manager), File it (HR); 0>1"},
		{"The manager must approve the budget and then finance releases the funds.", "Approve the budget (manager), Release the funds (finance); 0>1"},
		{"Collect the documents. Verify identity. Open the account.", "Collect the documents, Verify identity, Open the account; 0>1, 1>2"},
		{"Eerst belt de klant de winkel, daarna pakt de verkoper de doos.", "Belt de winkel (klant), Pakt de doos (verkoper); 0>1"},
		{"Küche: kocht das Essen\nKasse: bucht den Betrag", "Kocht das Essen (Küche), Bucht den Betrag (Kasse); 0>1"},
		{"首先厨师切菜，最后服务员上菜。", "切菜 (厨师), 上菜 (服务员); 0>1"},
		// before and after
		{"Before we ship, QA signs off the build.", "Sign off the build (QA), Ship; 0>1"},
		{"After the customer signs, sales hands over to onboarding.", "Sign (customer), Hand over to onboarding (sales); 0>1"},
		{"Once the invoice is approved, finance pays it.", "Approve the invoice, Pay it (finance); 0>1"},
		{"QA tests the build before ops deploys it.", "Test the build (QA), Deploy it (ops); 0>1"},
		{"Finance pays the invoice after legal checks it.", "Pay the invoice (Finance), Check it (legal); 1>0"},
		{"First sales logs the deal, then finance pays the invoice after legal checks it.", "Log the deal (sales), Pay the invoice (finance), Check it (legal); 0>2, 2>1"},
		// parallel
		{"Legal and finance review in parallel, then the CEO signs.", "Review (Legal), Review (finance), Sign (CEO); 0>1 parallel, 0>2, 1>2"},
		{"Build the release. Meanwhile the docs team writes the notes. Then publish both.", "Build the release, Write the notes (docs team), Publish both; 0>1 parallel, 0>2, 1>2"},
		{"First plan the release. Then build it. Meanwhile the docs team writes the notes. Finally, publish both.",
			"Plan the release, Build it, Write the notes (docs team), Publish both; 0>1 parallel, 0>2 parallel, 1>3, 2>3"},
		{"The docs team writes the notes while QA tests the build.", "Write the notes (docs team), Test the build (QA); 0>1 parallel"},
		// arrows
		{"Draft -> Review -> Publish", "Draft, Review, Publish; 0>1, 1>2"},
		{"Draft → Approval → Publish", "Draft, Approval, Publish; 0>1 approval, 1>2"},
		{"Triage (nurse) => Examine (doctor)", "Triage (nurse), Examine (doctor); 0>1"},
		{"Draft -> Review\nif rejected: Review -> Draft\nReview -> Publish", "Draft, Review, Publish; 0>1, 1>0 if, 1>2"},
		{"Here's the flow: A -> B --> C.", "A, B, C; 0>1, 1>2"},
		{"Draft -> Review -> Ship! Thanks a lot", "Draft, Review, Ship; 0>1, 1>2"},
		{"review -> REVIEW", "Review; 0>0"},
		// lines
		{"- Collect documents\n- Verify identity (clerk)\n- Open account", "Collect documents, Verify identity (clerk), Open account; 0>1, 1>2"},
		{"1. Finance reviews the invoice\n2. IT signs off", "Review the invoice (Finance), Sign off (IT); 0>1 approval"},
		{"Our deployment pipeline: build, test, release.", "Build, Test, Release; 0>1, 1>2"},
		{"The steps are request, review and approve.", "Request, Review, Approve; 0>1, 1>2 approval"},
		// conditions
		{"Support checks the ticket, then tier 2 if they can't fix it, then the vendor.", "Check the ticket (Support), Tier 2, Vendor; 0>1 if, 1>2"},
		// no process
		{"First of all, thank you.", "; "},
		{"See you next week, after the holidays.", "; "},
		{"", "; "},
	} {
		if got := draw(capture.Process(c.text)); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// The router and the reader see the same steps.
func TestProcessAgreesWithRoute(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"First finance reviews the invoice, then IT signs off, then CFO approves.",
		"Draft -> Review -> Publish", "1. Receive it\n2. Pick it\n3. Pack it", "Before we ship, QA signs off the build.",
		"Here is our deployment pipeline: build, test, stage, release.", "Legal and finance review in parallel, then the CEO signs.",
	} {
		d := route.Decide(text, ui.Router{}, route.Prefs{}, time.Time{})
		if d.Tool != ui.ToolMap {
			t.Errorf("%q: %s", text, d.Rationale)
			continue
		}
		var names []string
		for _, s := range capture.Process(text).Steps {
			names = append(names, s.Name)
		}
		if diff := cmp.Diff(d.Params.Map.SeedNodes, names); diff != "" {
			t.Errorf("%q (-route +capture)\n%s", text, diff)
		}
	}
}

func TestMapRows(t *testing.T) {
	t.Parallel()
	steps, edges := capture.Process("Draft -> Review (legal)\nif rejected: Review -> Draft").Rows()
	want := `{"$rows":[{"id":"s1","order":"aaan","cells":{"name":"Draft","outcome":"","owner":""}},{"id":"s2","order":"aabn","cells":{"name":"Review","outcome":"","owner":"legal"}}]}` +
		`{"$rows":[{"id":"e1","order":"aaan","cells":{"from":"s1","kind":"sequence","to":"s2"}},{"id":"e2","order":"aabn","cells":{"conditional":true,"from":"s2","kind":"sequence","to":"s1"}}]}`
	if diff := cmp.Diff(want, string(edges.AppendJSON(steps.AppendJSON(nil)))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func FuzzProcess(f *testing.F) {
	for _, s := range []string{"", "A -> B", "First a reviews, then b signs.", "- a\n- b", "Meanwhile x. Then y.",
		"before a reviews, b signs", "(->)", "-> ->", "\xff -> \x00", "Meanwhile a a a\"", "Bob: \" -> pay"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := capture.Process(s)
		for _, st := range m.Steps {
			if st.Name == "" && st.Raw != "" {
				t.Fatalf("a step without a name in %q: %+v", s, st)
			}
		}
		steps, edges := m.Rows()
		for _, e := range edges.Records() {
			for _, end := range []string{"from", "to"} {
				v, _ := e.Cells.Get(end)
				if _, ok := steps.Record(v.Text()); !ok {
					t.Fatalf("edge to nowhere in %q", s)
				}
			}
		}
		capture.Validate(capture.Submission{Columns: capture.StepColumns(), Rows: steps, Edges: edges})
	})
}

func ExampleProcess() {
	m := capture.Process("First finance reviews the invoice, then IT signs off.")
	for _, s := range m.Steps {
		fmt.Printf("%s: %s\n", s.Owner, s.Name)
	}
	fmt.Println(m.Edges[0].Kind)
	// Output:
	// finance: Review the invoice
	// IT: Sign off
	// approval
}
