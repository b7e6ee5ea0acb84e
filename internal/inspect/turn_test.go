package inspect_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/inspect"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// story is a message that a model answers, one that a rule answers, a submit with a fault and
// one without.
func story(t *testing.T) *world {
	w := newWorld(t, opens)
	w.Submit(limntest.Say("hello there"))
	w.Submit(limntest.Press(w.Open("form:customer"), "main/buttons/submit", limntest.Input("phone", "0123456789")))
	w.Submit(limntest.Press(w.Open("form:customer"), "main/buttons/submit", limntest.Input("company", "Acme Tyres")))
	w.Submit(limntest.Say("We have 4 risks."))
	return w
}

func TestTimeline(t *testing.T) {
	t.Parallel()
	w := story(t)
	rows, err := inspect.Timeline(w.dump(conversation.Span{}), 0)
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, want := range []string{
		"1 message hello there done  1 attempts 120+7 [{form:customer opened}]",
		"2 action limn.submit on form:customer#e=1 asked FIELD_REQUIRED 0 attempts 0+0 [{form:customer updated}]",
		"3 action limn.submit on form:customer#e=1 done  0 attempts 0+0 [{form:customer locked}]",
		"4 message We have 4 risks. done  0 attempts 0+0 [{table:risks opened}]",
	} {
		r := rows[i]
		got := fmt.Sprintf("%d %s %s %s %s %d attempts %d+%d %v", r.N, r.Event, r.Summary, r.Outcome, r.Code, r.Attempts,
			r.In, r.Out, r.Changes)
		if got != want || r.At.IsZero() || r.Total == 0 {
			t.Errorf("row %d is\n%s, want\n%s\n%+v", i, got, want, r)
		}
	}
	if rows, err = inspect.Timeline(w.dump(conversation.Span{From: 3}), 3); err != nil || len(rows) != 2 || rows[0].N != 3 {
		t.Errorf("from turn 3: %+v %v", rows, err)
	}
}

// A message that a model answered: what was asked and answered, what changed, and what
// each client shows.
func TestTurnOfAModel(t *testing.T) {
	t.Parallel()
	turn := story(t).turn(1)
	if len(turn.Runs) != 1 {
		t.Fatalf("runs: %+v", turn.Runs)
	}
	run := turn.Runs[0]
	if run.Prompt == nil || !strings.HasPrefix(run.Prompt.System, "You sell things.") ||
		!strings.Contains(run.Prompt.Messages[0].Text, "hello there") || len(run.Attempts) != 1 {
		t.Errorf("asked: %+v", run)
	}
	if a := run.Answer; a == nil || a.Text != "Here." || !strings.Contains(string(*a.Directives), "ui.show_form") {
		t.Errorf("answered: %+v", run.Answer)
	}
	if d := turn.Decision; d == nil || d.Action != "chat" || !strings.Contains(d.Why, ": ") {
		t.Errorf("decided: %+v", turn.Decision)
	}
	if !slices.ContainsFunc(turn.Diff, func(d inspect.Difference) bool {
		return d.Path == "/surfaces" && d.Op == inspect.Added
	}) {
		t.Errorf("changed: %+v", turn.Diff)
	}
	var names []string
	for _, d := range turn.Renderings {
		names = append(names, d.Target+" "+d.Same)
		if d.Count == 0 || len(d.Messages) != d.Count || !strings.Contains(d.Screen, "Company") {
			t.Errorf("%s: %d messages, screen\n%s", d.Target, d.Count, d.Screen)
		}
	}
	if got := strings.Join(names, ", "); got != "v0.8 same, v0.9 same, v1.0 same" {
		t.Errorf("drawings: %s", got)
	}
	if !strings.Contains(turn.HTML, "Company") || len(turn.Found) > 0 || turn.Problems > 0 || len(turn.Cut) > 0 {
		t.Errorf("%v %v\n%s", turn.Found, turn.Cut, turn.HTML)
	}
}

// A model whose first answer could not be used: what it was asked then, and about which answer.
func TestTurnWithARepair(t *testing.T) {
	t.Parallel()
	broken := `{"assistant_text":"Here.","directives":[{"type":"ui.show_form","payload":{"name":"nobody"}}]}`
	w := newWorld(t, func(ctx context.Context, r llm.Request) (llm.Reply, error) {
		if len(r.Messages) == 1 {
			return limntest.Reply(broken), nil
		}
		return opens(ctx, r)
	})
	w.Submit(limntest.Say("hello there"))
	run := w.turn(1).Runs[0]
	if len(run.Attempts) != 2 || !run.Attempts[1].Repair || len(run.Repairs) != 1 || run.Repairs[0].Attempt != 1 {
		t.Fatalf("%+v", run)
	}
	said := run.Repairs[0].Messages
	if len(said) != 2 || said[0].Role != llm.RoleAssistant || said[0].Text != broken || said[1].Role != llm.RoleUser ||
		!strings.Contains(said[1].Text, "Your answer could not be used: "+string(run.Attempts[0].Code)) {
		t.Errorf("%+v", said)
	}
	if a := run.Answer; a == nil || a.Text != "Here." {
		t.Errorf("answered: %+v", run.Answer)
	}
	hidden := limntest.Must(w.env.NewFile(w.dump(conversation.Span{}), &inspect.Redactor{Key: []byte("k")}))
	if b := limntest.Must(json.Marshal(hidden)); strings.Contains(string(b), "nobody") ||
		strings.Contains(string(b), "Your answer could not be used") {
		t.Errorf("the report: %s", b)
	}
}

// A submit with a fault: the problem is named, and the screen says it.
func TestTurnWithAProblem(t *testing.T) {
	t.Parallel()
	w := story(t)
	turn := w.turn(2)
	if len(turn.Found) != 1 || turn.Found[0].Code != ui.CodeFieldRequired || turn.Found[0].Path != "/draft/company" {
		t.Errorf("found: %+v", turn.Found)
	}
	paths := map[string]string{}
	for _, d := range turn.Diff {
		paths[d.Path] = d.Op
	}
	if paths["/seq"] != inspect.Replaced || paths["/surfaces/0/draft/phone"] != inspect.Replaced ||
		paths["/surfaces/0/errors"] != inspect.Added {
		t.Errorf("changed: %v", paths)
	}
	if !strings.Contains(turn.Renderings[1].Screen, "is required") {
		t.Errorf("the user sees\n%s", turn.Renderings[1].Screen)
	}
	if _, err := w.env.Turn(w.dump(conversation.Span{}), 9); !errors.Is(err, inspect.ErrNoTurn) {
		t.Errorf("turn 9 of 4: %v", err)
	}
}

// Nothing that opens something or names who sent it is in a turn.
func TestTurnHidesSecrets(t *testing.T) {
	t.Parallel()
	w := story(t)
	d := w.dump(conversation.Span{})
	secrets := []string{w.State().Surfaces[0].Nonce, d.Owner, "margaret"}
	for n := uint64(1); n <= d.Seq; n++ {
		b := limntest.Must(json.Marshal(w.turn(n)))
		for _, secret := range secrets {
			if strings.Contains(string(b), secret) {
				t.Errorf("turn %d has %q: %s", n, secret, b)
			}
		}
		if n == 1 && !strings.Contains(string(b), `"nonce":"(hidden)"`) {
			t.Errorf("the nonce is not hidden but gone: %s", b)
		}
	}
}

// crowd is a conversation of a user with a guest, who type into one form, and an operator.
func crowd(t *testing.T) *world {
	w := worldOf(t, opens, declaration+"extensions: [data-sync/1]\noperators: [everyone]\n")
	ctx := t.Context()
	w.Submit(limntest.Say("hello there"))
	_, token, err := w.Service.Share(ctx, w.ID, w.Principal, conversation.Write, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	limntest.Must(w.Service.Join(ctx, w.ID, token, "al"))
	guest := *w.Talk
	guest.Principal = "al"
	guest.Submit(limntest.Press(w.Open("form:customer"), "main/buttons/submit", limntest.Input("phone", "0123456789")))
	w.Submit(limntest.Press(w.Open("form:customer"), "main/buttons/submit", limntest.Input("phone", "012345")))
	desk := *w.Talk
	desk.Principal = "edith"
	for _, do := range []string{builtin.OperatorAttend, builtin.OperatorSay} {
		desk.Submit(limntest.Must(ingress.OperatorEvent(do, "Edith from sales", "One moment.", ingress.Limits{})))
	}
	w.Submit(limntest.Say("Thank you."))
	return w
}

// people are the names and ids of all in a crowd, as JSON strings of their own or within texts.
func people() (list []string) {
	for _, name := range []string{"margaret", "al", "edith"} {
		list = append(list, `"`+name+`"`, conversation.Owner(name))
	}
	return append(list, "Edith from sales")
}

// No turn names those who took part in it, or in turns before it.
func TestTurnHidesPeople(t *testing.T) {
	t.Parallel()
	w := crowd(t)
	last := string(limntest.Must(ui.Encode(w.State())))
	for _, secret := range people() {
		if secret != `"edith"` && !strings.Contains(last, secret) {
			t.Errorf("the state has no %q: %s", secret, last)
		}
	}
	for n := uint64(1); n <= w.State().Seq; n++ {
		b := limntest.Must(json.Marshal(w.turn(n)))
		for _, secret := range people() {
			if strings.Contains(string(b), secret) {
				t.Errorf("turn %d has %q: %s", n, secret, b)
			}
		}
	}
}

// A turn far from the beginning is derived from the snapshot before it, and is the same as
// from the beginning; without its event its message is still known.
func TestTurnFromASnapshot(t *testing.T) {
	t.Parallel()
	w := newWorld(t, limntest.Says("Yes."))
	for i := range conversation.SnapshotEvery + 6 {
		w.Submit(limntest.Say(fmt.Sprintf("message number %d", i)))
	}
	n := uint64(conversation.SnapshotEvery + 4)
	part := w.dump(conversation.Span{From: n, To: n})
	if part.Floor == 0 || part.Seq != n || len(part.Events) != 1 {
		t.Fatalf("the part begins at %d, ends at %d and has %d events", part.Floor, part.Seq, len(part.Events))
	}
	whole := limntest.Must(w.env.Turn(w.dump(conversation.Span{}), n))
	short := limntest.Must(w.env.Turn(part, n))
	if a, b := limntest.Must(json.Marshal(whole)), limntest.Must(json.Marshal(short)); string(a) != string(b) {
		t.Errorf("from the beginning\n%s\nfrom the snapshot\n%s", a, b)
	}
	if _, err := w.store.Forget(context.Background(), w.State().Transcript[0].At.AddDate(1, 0, 0), 0); err != nil {
		t.Fatal(err)
	}
	late := w.turn(n)
	if late.Sent != nil || late.Summary != "message number 67" || late.Decision == nil || late.Runs[0].Answer != nil {
		t.Errorf("after its event was forgotten: %+v", late)
	}
}

// Of a log whose beginning was trimmed what is left can be inspected.
func TestTrimmedLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t, limntest.Says("Yes."))
	for range conversation.SnapshotEvery + 6 {
		w.Submit(limntest.Say("hello"))
	}
	floor, err := w.store.Trim(context.Background(), w.ID, conversation.SnapshotEvery)
	if err != nil || floor == 0 {
		t.Fatalf("trimmed up to %d, %v", floor, err)
	}
	d := w.dump(conversation.Span{})
	rows, err := inspect.Timeline(d, 0)
	if err != nil || d.Floor < floor || len(rows) == 0 || rows[0].N != d.Floor+1 || rows[len(rows)-1].N != d.Seq {
		t.Errorf("floor %d, rows %+v, %v", d.Floor, rows, err)
	}
	if turn := w.turn(d.Floor + 1); turn.N != d.Floor+1 || len(turn.Diff) == 0 {
		t.Errorf("%+v", turn)
	}
	if _, err := w.env.Turn(w.dump(conversation.Span{From: 2, To: 2}), 2); !errors.Is(err, inspect.ErrNoTurn) {
		t.Errorf("a turn that was trimmed: %v", err)
	}
	if _, err := w.env.NewFile(d, nil); err != nil {
		t.Error(err)
	}
}

// Turns that were committed under wider limits of the application are shown under narrower ones.
func TestTurnUnderNarrowerLimits(t *testing.T) {
	t.Parallel()
	w := story(t)
	w.env.App = limntest.Must(app.Load("shop.yaml", []byte(declaration+"limits: {text_size: 8}\n")))
	w.turn(4)
}
