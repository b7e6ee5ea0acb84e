package turn_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// TestEvents: the telemetry of a step says what routing decided and what happened to worksheets and opt-outs.
func TestEvents(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	s := e.App.NewState("c")
	say := func(text string) turn.Input { return turn.Received{Event: message(int(s.Seq)+1, text)} }
	fill := func(label string, list ...string) turn.Input {
		return turn.Received{Event: press(t, s.Surface(risks), label, titles(list...))}
	}
	for i, c := range []struct {
		in   func() turn.Input
		want string
	}{
		{func() turn.Input { return say("hello") }, "router_decision chat"},
		{func() turn.Input { return say("We have some risks.") }, "router_decision clarify"},
		{func() turn.Input { return say("4") }, "router_decision tool request_data_table; tool_opened request_data_table"},
		{func() turn.Input { return say("where were we?") }, "router_decision tool request_data_table; tool_opened request_data_table resumed"},
		{func() turn.Input { return fill("Check", "Fire", "?") }, ""},
		{func() turn.Input { return fill("Check", "Fire", "?") }, ""},
		{func() turn.Input { return fill("Accept as it is", "Fire", "?") }, "tool_submitted request_data_table accepted"},
		{func() turn.Input { return say("We have 3 risks.") }, "router_decision tool request_data_table; tool_opened request_data_table"},
		{func() turn.Input { return fill("Check", "Fire", "Flood", "Theft") }, ""},
		{func() turn.Input { return fill("Submit", "Fire", "Flood", "Theft") }, "tool_submitted request_data_table"},
		{func() turn.Input { return say("We have 3 risks.") }, "router_decision tool request_data_table; tool_opened request_data_table"},
		{func() turn.Input { return say("cancel it") }, "router_decision chat; tool_canceled request_data_table"},
		{func() turn.Input { return say("Never show me tables again.") }, "router_decision chat; user_opt_out_changed 1"},
		{func() turn.Input {
			return turn.Received{Event: prefers(ui.Preference{OptOut: &ui.OptOut{All: true, Expires: noon.Add(time.Hour)}})}
		}, "user_opt_out_changed all"},
	} {
		in := c.in()
		p := turn.Decide(e, s, in)
		got := step(t, e, s, in)
		var list []string
		for _, one := range turn.Events(got, p) {
			words := []string{string(one.Name), one.Action, one.Tool}
			if one.Tools > 0 {
				words = append(words, string(rune('0'+one.Tools)))
			}
			for word, is := range map[string]bool{"resumed": one.Resumed, "accepted": one.Accepted, "all": one.AllTools} {
				if is {
					words = append(words, word)
				}
			}
			list = append(list, strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " "))
		}
		equal(t, string(rune('a'+i)), c.want, strings.Join(list, "; "))
		s = got.After
	}
}

// TestRecoveries: the trace names each reaction to a failure, and of one without a surface that the turn failed.
func TestRecoveries(t *testing.T) {
	t.Parallel()
	reset := &ui.Frame{Ops: ui.Ops{&ui.Reset{Surface: customer}, &ui.Close{Surface: guest}},
		Changes: []ui.Change{{Surface: customer, Kind: ui.ChangedReset}, {Surface: guest, Kind: ui.ChangedClosed}}}
	failed := &ui.Frame{Outcome: ui.Outcome{Kind: ui.OutcomeFailed, Code: "X", Surface: customer}}
	for name, c := range map[string]struct {
		kind   ui.EventKind
		frame  *ui.Frame
		failed []compile.Failure
		want   []string
	}{
		"nothing":             {ui.EventMessage, &ui.Frame{}, nil, nil},
		"it closed a surface": {ui.EventMessage, reset, nil, nil},
		"a client reports":    {ui.EventError, reset, nil, []string{"epoch_reset form:customer A2UI_C2S_CLIENT_ERROR", "deleteSurface form:guest A2UI_C2S_CLIENT_ERROR"}},
		"a rebuild":           {ui.EventError, &ui.Frame{Rebuild: &ui.Rebuild{}}, nil, []string{"rebuild  A2UI_C2S_CLIENT_ERROR"}},
		"does not render":     {ui.EventMessage, reset, fails(guest, undrawn), []string{"deleteSurface form:guest COMPILE_NODE_UNKNOWN"}},
		"and stays":           {ui.EventMessage, reset, fails(risks, undrawn), []string{"soft_fail table:risks COMPILE_NODE_UNKNOWN"}},
		"the turn failed":     {ui.EventMessage, failed, nil, []string{"soft_fail form:customer X"}},
	} {
		var list []string
		for _, r := range turn.Recoveries(c.kind, c.frame, c.failed) {
			list = append(list, r.Do+" "+string(r.Surface)+" "+string(r.Reason))
		}
		equal(t, name, c.want, list)
	}
}
