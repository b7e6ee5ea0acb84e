package agui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// TestWords: text that was streamed is completed by its frame and never said twice; one
// that began again is replaced by everything.
func TestWords(t *testing.T) {
	t.Parallel()
	type delta struct {
		try  int
		text string
		from int
	}
	for name, c := range map[string]struct {
		deltas []delta
		frame  string
		want   string
	}{
		"at once":       {nil, "Whole.", "START C(Whole.) END"},
		"streamed":      {[]delta{{1, "Wh", 0}, {1, "Whole", 2}}, "Whole.", "START C(Wh) C(ole) C(.) END"},
		"all of it":     {[]delta{{1, "Whole.", 0}}, "Whole.", "START C(Whole.) END"},
		"another":       {[]delta{{1, "Half", 0}}, "Whole.", "START C(Half) END MESSAGES"},
		"again":         {[]delta{{1, "Who", 0}, {2, "Whole.", 0}}, "Whole.", "START C(Who) END MESSAGES"},
		"with a gap":    {[]delta{{1, "Who", 0}, {1, "Whole.", 5}}, "Whole.", "START C(Who) END MESSAGES"},
		"joins late":    {[]delta{{1, "Whole", 5}}, "Whole.", "START C(Whole.) END"},
		"nothing":       {nil, "", ""},
		"an empty text": {[]delta{{1, "", 0}}, "Whole.", "START C(Whole.) END"},
	} {
		r := &run{drawing: drawing{plain: true}}
		r.Add(t.Context(), conversation.Receipt{Event: "e"}, false)
		var out []byte
		for _, d := range c.deltas {
			out = append(out, r.Delta(conversation.Delta{Event: "e", Try: d.try, Text: d.text}, d.from)...)
			out = append(out, r.Delta(conversation.Delta{Event: "other", Try: d.try, Text: "x" + d.text}, 0)...)
		}
		out = r.words(out, conversation.Step{Frame: &ui.Frame{Event: "e", Text: c.frame}, After: ui.NewState("c")}, true)
		got := strings.NewReplacer("data: ", "", "\n\n", " ", `{"type":"TEXT_MESSAGE_START","messageId":"e","role":"assistant"}`, "START",
			`{"type":"TEXT_MESSAGE_END","messageId":"e"}`, "END", `{"type":"TEXT_MESSAGE_CONTENT","messageId":"e","delta":"`, "C(",
			`"}`, ")", `{"messages":[],"type":"MESSAGES_SNAPSHOT"}`, "MESSAGES").Replace(string(out))
		if got = strings.TrimSpace(got); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// FuzzInput: whatever is posted is the input of a run, or an error with a code.
func FuzzInput(f *testing.F) {
	for _, s := range []string{
		`{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"hi","metadata":{"a2uiClientDataModel":{"version":"v0.9","surfaces":{}}}}]}`,
		`{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":[{"type":"text","text":"hi"}]}],"forwardedProps":{"limn_interrupts":true,"a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":["c"]}}}}`,
		`{"threadId":"t","runId":"r","messages":[],"forwardedProps":{"a2uiAction":{"userAction":{"name":"go","surfaceId":"s","sourceComponentId":"c","timestamp":"2026-01-02T03:04:05Z","context":{}}}}}`,
		`{"threadId":"t","runId":"r","resume":[{"interruptId":"i","status":"resolved","payload":{"a":1}},{"interruptId":"j","status":"cancelled"}]}`,
		`{"threadId":"t","runId":"r","protocolVersion":"1.0","tools":[{"name":"a","description":"b","parameters":{"type":"object","properties":{"c":{"type":"string"}}}}],"messages":[{"role":"tool","toolCallId":"x","content":"y"},{"role":"tool","toolCallId":"z","content":[{"type":"text","text":"y"}],"error":"e"}]}`,
		`{}`, `[`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		in, err := decode(body, ingress.Limits{})
		if err != nil {
			if ui.CodeOf(err) == "" {
				t.Fatalf("no code: %v", err)
			}
			return
		}
		if in.thread == "" || in.run == "" || len(in.resumes) > maxResumes || in.message != nil && in.message.Key == "" ||
			in.results != nil && (in.results.Key == "" || len(in.results.Results.Items) == 0) {
			t.Fatalf("%+v", in)
		}
		for _, r := range in.resumes {
			if e := answer(ui.NewState("c"), nil, r, in.run); e.Key == "" || e.Action == nil {
				t.Fatalf("%+v", e)
			}
		}
	})
}

// TestStartOver: a run that starts over ends the text that it had begun, and has all of it in its frame.
func TestStartOver(t *testing.T) {
	t.Parallel()
	r := &run{drawing: drawing{plain: true}, Events: door.NewEvents(nothingYet{}, "c", "", 0)}
	r.Add(t.Context(), conversation.Receipt{Event: "e"}, false)
	out := r.Delta(conversation.Delta{Event: "e", Try: 1, Text: "Who"}, 0)
	start, last := r.Start(ui.NewState("c"), nil, "")
	if out = append(out, start...); last {
		t.Error("the run is not over")
	}
	out = append(out, r.Delta(conversation.Delta{Event: "e", Try: 1, Text: "Whole"}, 3)...)
	out = r.words(out, conversation.Step{Frame: &ui.Frame{Event: "e", Text: "Whole."}, After: ui.NewState("c")}, true)
	var got []string
	for line := range strings.SplitSeq(string(out), "\n\n") {
		if _, of, ok := strings.Cut(line, `"type":"`); ok {
			kind, _, _ := strings.Cut(of, `"`)
			got = append(got, strings.TrimPrefix(kind, "TEXT_MESSAGE_"))
		}
	}
	if g := strings.Join(got, " "); g != "START CONTENT END MESSAGES_SNAPSHOT STATE_SNAPSHOT START CONTENT END" {
		t.Errorf("%s\n%s", g, out)
	}
}

// nothingYet is a service that has answered nothing.
type nothingYet struct{ door.Service }

func (nothingYet) Receipt(_ context.Context, _, _ string, e ui.EventID) (conversation.Receipt, bool, error) {
	return conversation.Receipt{Event: e}, true, nil
}

// TestUnknownEnd: while it cannot be looked up whether a model replies to an action, its stream ends without the end of
// the run.
func TestUnknownEnd(t *testing.T) {
	t.Parallel()
	r := &run{d: &server{}, drawing: drawing{plain: true}, Events: door.NewEvents(noStore{}, "c", "", 0)}
	s := ui.NewState("c")
	r.Add(t.Context(), conversation.Receipt{Event: "e"}, true)
	out, last := r.Frame(conversation.Step{Before: s, After: s,
		Frame: &ui.Frame{Event: "e", Outcome: ui.Outcome{Kind: ui.OutcomeDone}}}, nil, "")
	started, over := r.Start(s, nil, "")
	if all := string(append(out, started...)); !last || !over || strings.Contains(all, "RUN_FINISHED") {
		t.Errorf("%v, %v: %s", last, over, all)
	}
}

// noStore is a service that cannot look anything up.
type noStore struct{ door.Service }

func (noStore) Receipt(context.Context, string, string, ui.EventID) (conversation.Receipt, bool, error) {
	return conversation.Receipt{}, false, errors.New("no store")
}
