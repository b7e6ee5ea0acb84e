package turn_test

import (
	"testing"

	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// TestWellFormed: an event counts as one that can be sent only with all that its kind needs.
func TestWellFormed(t *testing.T) {
	t.Parallel()
	bad, tool := ingress.CodeEnvelope, "canvas"
	for name, c := range map[string]struct {
		e    ui.Event
		code ui.Code
	}{
		"a message":             {ui.Event{Kind: ui.EventMessage}, ""},
		"a stop":                {ui.Event{Kind: ui.EventCancel}, ""},
		"an end":                {ui.Event{Kind: ui.EventEnd}, ""},
		"a record":              {ui.Event{Kind: ui.EventRecord}, ""},
		"a click":               {ui.Event{Kind: ui.EventAction, Action: &ui.ActionEvent{}}, ""},
		"a click on nothing":    {ui.Event{Kind: ui.EventAction}, bad},
		"a report":              {ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{}}, ""},
		"a report of nothing":   {ui.Event{Kind: ui.EventError}, bad},
		"regenerate":            {ui.Event{Kind: ui.EventRegenerate, Surface: customer}, ""},
		"regenerate nothing":    {ui.Event{Kind: ui.EventRegenerate}, bad},
		"results":               {ui.Event{Kind: ui.EventReply, Results: jsonx.Value{Kind: jsonx.Array}}, ""},
		"a reply of the server": {ui.Event{Kind: ui.EventReply, Text: "sum it up"}, bad},
		"open":                  {ui.Event{Kind: ingress.KindOpen, Text: "{}"}, ""},
		"leave":                 {ui.Event{Kind: ingress.KindOpen, Surface: customer}, ""},
		"open and leave":        {ui.Event{Kind: ingress.KindOpen, Text: "{}", Surface: customer}, bad},
		"open nothing":          {ui.Event{Kind: ingress.KindOpen}, bad},
		"drafts":                {ui.Event{Kind: ui.EventDraft, Model: jsonx.OfObject()}, ""},
		"no drafts":             {ui.Event{Kind: ui.EventDraft}, bad},
		"writes":                {ui.Event{Kind: ui.EventShared, Shared: &ui.SharedEvent{}}, ""},
		"no writes":             {ui.Event{Kind: ui.EventShared}, bad},
		"data":                  {ui.Event{Kind: ui.EventData, Data: ui.Map()}, ""},
		"data of no name":       {ui.Event{Kind: ui.EventData, Data: ui.String("x")}, bad},
		"an operator":           {ui.Event{Kind: ui.EventOperator, Data: ui.Map()}, ""},
		"an operator's nothing": {ui.Event{Kind: ui.EventOperator}, bad},
		"a preference":          {ui.Event{Kind: ui.EventPreference, Preference: &ui.Preference{Language: "de"}}, ""},
		"no preference":         {ui.Event{Kind: ui.EventPreference}, bad},
		"two preferences":       {ui.Event{Kind: ui.EventPreference, Preference: &ui.Preference{Language: "de", DropRule: "r"}}, "PREFERENCE_INVALID"},
		"an unknown tool":       {ui.Event{Kind: ui.EventPreference, Preference: &ui.Preference{Preferred: &tool}}, "PREFERENCE_INVALID"},
		"a deadline":            {ui.Event{Kind: ui.EventExpire}, bad},
		"a webhook's answer":    {ui.Event{Kind: ui.EventAnswer, Answer: &ui.AnswerEvent{}}, bad},
		"no kind":               {ui.Event{}, bad},
	} {
		if err := turn.WellFormed(&c.e); ui.CodeOf(err) != c.code || (err == nil) != (c.code == "") {
			t.Errorf("%s: %v, want %q", name, err, c.code)
		}
	}
}
