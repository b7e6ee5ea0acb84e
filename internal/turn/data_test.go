package turn_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// withPad declares a view of a topic and of data, with buttons of actions.
func withPad(c *app.Config) {
	c.Actions = append(c.Actions, app.Action{Name: "hello", Reply: "Hello."}, app.Action{Name: "think",
		Run: app.RunDirectives})
	c.Views = append(c.Views, app.View{Name: "pad", Title: "Pad", Phrases: []string{"pad"}, Topics: []string{"sales"},
		Build: func(s *ui.State) ui.Nodes {
			v, _ := s.Committed.Get("totals", "open")
			return ui.Nodes{&ui.Column{Key: "main", Children: ui.Nodes{&ui.Text{Key: "t", Text: "open: " + v.Text()},
				&ui.Button{Key: "hello", Label: "Hello", Action: ui.Action{Name: "hello"}},
				&ui.Button{Key: "think", Label: "Think", Action: ui.Action{Name: "think"}}}}}
		}})
}

// published is data of the application under names.
func published(merge bool, data ...ui.Pair) *ui.Event {
	return &ui.Event{V: ui.Version, ID: "d", Kind: ui.EventData, At: noon, Merge: merge, Data: ui.Map(data...)}
}

// TestData: data of the application go under their names as a whole or not at all, and views show them at once.
func TestData(t *testing.T) {
	t.Parallel()
	totals := func(key, text string) ui.Pair {
		return ui.Pair{Key: "totals", Value: ui.Map(ui.Pair{Key: key, Value: ui.String(text)})}
	}
	other := ui.Pair{Key: "other", Value: ui.Int(1)}
	e := env(t, withPad)
	s := step(t, e, after(t, e, "show the pad"), turn.Received{Event: published(false, totals("open", "1"))}).After
	for name, c := range map[string]struct {
		event *ui.Event
		code  ui.Code
		want  string // what is there
		shows string
		ops   int // of the data
	}{
		"new data":          {published(false, totals("open", "2")), "", `{"totals":{"open":"2"}}`, "open: 2", 1},
		"the same data":     {published(false, totals("open", "1")), "", `{"totals":{"open":"1"}}`, "open: 1", 0},
		"replaced":          {published(false, totals("shut", "9")), "", `{"totals":{"shut":"9"}}`, "open: ", 1},
		"merged":            {published(true, totals("shut", "9")), "", `{"totals":{"open":"1","shut":"9"}}`, "open: 1", 1},
		"another name":      {published(false, other), "", `{"other":1,"totals":{"open":"1"}}`, "open: 1", 1},
		"a form's name":     {published(false, other, ui.Pair{Key: "customer", Value: ui.Int(1)}), app.CodeDataName, `{"totals":{"open":"1"}}`, "open: 1", 0},
		"a topic's name":    {published(false, other, ui.Pair{Key: "sales", Value: ui.Int(1)}), app.CodeDataName, `{"totals":{"open":"1"}}`, "open: 1", 0},
		"no name":           {published(false, other, ui.Pair{Key: "A B", Value: ui.Int(1)}), app.CodeDataName, `{"totals":{"open":"1"}}`, "open: 1", 0},
		"too much":          {published(false, other, totals("open", strings.Repeat("x", 64<<10))), ingress.CodeTooLarge, `{"totals":{"open":"1"}}`, "open: 1", 0},
		"too much in sum":   {published(true, totals("more", strings.Repeat("x", 64<<10-21))), ingress.CodeTooLarge, `{"totals":{"open":"1"}}`, "open: 1", 0},
		"just not too much": {published(false, ui.Pair{Key: "other", Value: ui.String(strings.Repeat("x", 64<<10-2))}), "", "", "open: 1", 1},
	} {
		p := turn.Decide(e, s, turn.Received{Event: c.event})
		equal(t, name+": ops", c.ops, len(p.Ops))
		equal(t, name+": code", c.code, p.Outcome.Code)
		got := step(t, e, s, turn.Received{Event: c.event})
		if c.want != "" {
			equal(t, name, c.want, string(got.After.Committed.AppendJSON(nil)))
		}
		equal(t, name+": the view shows", c.shows, shown(got.After.Surface("view:pad")))
		equal(t, name+": the user reads", "", got.Frame.Text)
	}
}

// TestTopicKeepsItsValue: the conversation of a topic takes the value that no other conversation may write.
func TestTopicKeepsItsValue(t *testing.T) {
	t.Parallel()
	e := env(t, withPad)
	value := published(false, ui.Pair{Key: "sales", Value: ui.Int(1)})
	got := step(t, e, e.App.NewState(ingress.TopicID("sales")), turn.Received{Event: value})
	ends(t, "its own", got.Frame.Outcome, ui.OutcomeDone, "")
	equal(t, "there", `{"sales":1}`, string(got.After.Committed.AppendJSON(nil)))
}

// TestConversationHoldsSoMuchData: data that fit one by one are refused when they are too much together, and
// nothing of them is there.
func TestConversationHoldsSoMuchData(t *testing.T) {
	t.Parallel()
	e := env(t, func(c *app.Config) { c.Limits.Committed = 1000 })
	many := []ui.Pair{{Key: "a", Value: ui.String(strings.Repeat("x", 600))},
		{Key: "b", Value: ui.String(strings.Repeat("x", 600))}}
	got := step(t, e, e.App.NewState("c"), turn.Received{Event: published(false, many...)})
	ends(t, "too much", got.Frame.Outcome, ui.OutcomeRefused, ingress.CodeTooLarge)
	equal(t, "data", 0, len(got.After.Committed.Pairs()))
	got = step(t, e, e.App.NewState("c"), turn.Received{Event: published(false, many[0])})
	ends(t, "one of them", got.Frame.Outcome, ui.OutcomeDone, "")
}

// TestDataLaws: data that are written twice change nothing the second time, and whole data are there as they came.
func TestDataLaws(t *testing.T) {
	t.Parallel()
	e := env(t)
	value := rapid.Custom(func(rt *rapid.T) ui.Value {
		return rapid.SampledFrom([]ui.Value{ui.Int(1), ui.String("x"), ui.Bool(false), ui.Map(),
			ui.Map(ui.Pair{Key: "a", Value: ui.Int(2)}), ui.Map(ui.Pair{Key: "b", Value: ui.String("")})}).Draw(rt, "value")
	})
	rapid.Check(t, func(rt *rapid.T) {
		s := e.App.NewState("c")
		for range rapid.IntRange(1, 5).Draw(rt, "events") {
			name := rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "name")
			event := published(rapid.Bool().Draw(rt, "merge"), ui.Pair{Key: name, Value: value.Draw(rt, "data")})
			s = step(rt, e, s, turn.Received{Event: event}).After
			if v, there := s.Committed.Get(name); !event.Merge && (!there || !v.Equal(event.Data.Pairs()[0].Value)) {
				rt.Fatalf("%s is %v, want %v", name, v, event.Data)
			}
			if p := turn.Decide(e, s, turn.Received{Event: event}); len(p.Ops) > 0 || p.Outcome.Kind != ui.OutcomeDone {
				rt.Fatalf("the second time: %+v", p)
			}
		}
	})
}
