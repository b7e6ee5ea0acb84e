package gateway_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/ui"
)

// TestCompleteEndsTheSame: wherever an answer is cut to show its complete surfaces early, the surfaces are the same
// in the end, and no surface is shown that lacks something.
func TestCompleteEndsTheSame(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	c.Agents[1].Version, c.Agents[1].Dialect = c.Agents[0].Version, c.Agents[0].Dialect
	child := `{"version":"v0.9","updateComponents":{"surfaceId":"b","components":[{"id":"%s","component":"Text","text":"%s"}]}}`
	lines := append(surface("a", "One", "1"), surface("b", "Two", "2")[0],
		`{"version":"v0.9","updateComponents":{"surfaceId":"b","components":[{"id":"root","component":"Column","children":["x","y"]}]}}`,
		fmt.Sprintf(child, "x", "X"), surface("a", "One", "3")[2], fmt.Sprintf(child, "y", "Y"),
		`{"version":"v0.9","deleteSurface":{"surfaceId":"a"}}`)
	lines = append(lines, surface("a", "Again", "4")...)
	apply := func(s *ui.State, said gateway.Said) *ui.State {
		ops, warnings := gateway.Ops(s, said, func() string { return "00ff" })
		next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, Ops: ops}, ui.Limits{})
		if err != nil || len(warnings) > 0 {
			t.Fatal(err, warnings)
		}
		return next
	}
	for cuts := 0; cuts < 1<<len(lines); cuts += 29 {
		s := ui.NewState("c")
		in := c.Intake(c.Agent("weather"), s)
		for i, line := range lines {
			in.Take([]byte(line), noon)
			if cuts>>i&1 == 0 {
				continue
			}
			s = apply(s, in.Complete())
			if text := says(s, "weather:b"); text != "" && text != "X\nY" {
				t.Fatalf("cuts %b: half of a surface is shown: %q", cuts, text)
			}
			if in.Pending() != (i == 0 || i >= 3 && i < 7 || i == 9) {
				t.Fatalf("cuts %b: after line %d something waits: %v", cuts, i, in.Pending())
			}
		}
		said, warnings := in.End()
		s = apply(s, said)
		a := s.Surface("weather:a")
		if len(warnings) > 0 || says(s, "weather:b") != "X\nY" || says(s, "weather:a") != "Again" ||
			foreign.Of(a).Data.At("v").Text() != "4" {
			t.Fatalf("cuts %b: %v %q %q", cuts, warnings, says(s, "weather:a"), says(s, "weather:b"))
		}
	}
}

// TestAgentAskedAgainMayCreate: an agent that is asked again after a crash may create the surfaces that were shown
// before it.
func TestAgentAskedAgainMayCreate(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	s, _ := take(t, c, ui.NewState("c"), "weather", surface("main", "Sun", "1")...)
	for _, again := range []bool{true, false} {
		in := c.Intake(c.Agent("weather"), s)
		if again {
			in.MayReplace()
		}
		for _, line := range surface("main", "Rain", "2") {
			in.Take([]byte(line), noon)
		}
		if said, warnings := in.End(); (len(warnings) == 0) != again || again && len(said.Messages) != 4 {
			t.Errorf("again %v: %d messages, %v", again, len(said.Messages), warnings)
		}
	}
}

// TestRefusedCreateKeepsTheSurface: a message that would create an open surface anew, and does not count, leaves it.
func TestRefusedCreateKeepsTheSurface(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	s, _ := take(t, c, ui.NewState("c"), "weather", surface("main", "Sun", "1")...)
	lines := surface("main", "Rain", "2")
	for name, create := range map[string]string{
		"catalog": strings.Replace(lines[0], "basic", "evil", 1),
		"theme":   strings.Replace(lines[0], `"sendDataModel"`, `"theme":{"primaryColor":"none"},"sendDataModel"`, 1),
	} {
		in := c.Intake(c.Agent("weather"), s)
		in.MayReplace()
		in.Take([]byte(create), noon)
		said, warnings := in.End()
		ops, _ := gateway.Ops(s, said, func() string { return "00ff" })
		if len(warnings) != 1 || len(ops) > 0 {
			t.Errorf("%s: %d ops, %v", name, len(ops), warnings)
		}
	}
}

// TestShownDoesNotCountAgain: of an answer that comes once more, the part that an earlier try has shown does not count. All
// counts of a surface once something else is said about it; nothing counts of one that was closed meanwhile.
func TestShownDoesNotCountAgain(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	now := surface("main", "a < b", "1")
	old := []string{`{"beginRendering":{"surfaceId":"main","root":"root"}}`,
		`{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"root","component":{"Text":{"text":{"path":"/v"}}}}]}}`,
		`{"dataModelUpdate":{"surfaceId":"main","contents":[{"key":"v","valueString":"1"}]}}`}
	newer := `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/v","value":"2"}}`
	for name, one := range map[string]struct {
		agent        string
		first, again []string
		closed       bool
		messages     int
	}{
		"the same":         {"weather", now, now, false, 0},
		"more":             {"weather", now, append(now[:3:3], newer), false, 1},
		"something else":   {"weather", now, []string{now[0], now[1], newer, now[2]}, false, 5},
		"another surface":  {"weather", now, append(surface("second", "Sun", "1"), now...), false, 3},
		"created anew":     {"weather", now, append(surface("main", "Sun", "1")[:1:1], now[1:]...), false, 0},
		"from another one": {"weather", now, append([]string{strings.Replace(now[0], `,"sendDataModel":true`, "", 1)}, now[1:]...), false, 4},
		"another order":    {"weather", append(now[:3:3], newer), []string{now[0], now[1], newer, now[2]}, false, 5},
		"a refused one":    {"weather", now, []string{now[0], now[1], strings.Replace(now[2], "/v", "v/~2", 1), now[2]}, false, 0},
		"v0.8":             {"bank", old, old, false, 0},
		"v0.8, other":      {"bank", append(old[:3:3], strings.Replace(old[2], `"1"`, `"2"`, 1)), append(old[:3:3], strings.Replace(old[2], `"1"`, `"3"`, 1)), false, 4},
		"closed, deleted":  {"bank", old, slices.Concat(old[:2], []string{`{"deleteSurface":{"surfaceId":"main"}}`}, old), true, 3},
		"closed":           {"weather", now, append(now[:3:3], newer), true, 0},
		"closed, v0.8":     {"bank", old, append(old[:3:3], strings.Replace(old[2], `"1"`, `"2"`, 1)), true, 0},
	} {
		first := c.Intake(c.Agent(one.agent), ui.NewState("c"))
		for _, line := range one.first {
			first.Take([]byte(line), noon)
		}
		part := first.Complete()
		s, _, faults := gateway.Next(ui.NewState("c"), part, noon, func() string { return "00ff" }, ui.Limits{})
		if len(s.Surfaces) != 1 || len(faults) > 0 {
			t.Fatalf("%s: %d surfaces, %v", name, len(s.Surfaces), faults)
		}
		if one.closed {
			s = ui.NewState("c")
		}
		in := c.Intake(c.Agent(one.agent), s)
		in.After(gateway.Earlier{Asked: true, Shown: []gateway.Said{journaled(t, part)}})
		for _, line := range one.again {
			in.Take([]byte(line), noon)
		}
		if said, warnings := in.End(); len(said.Messages) != one.messages || len(warnings) > 0 != (name == "a refused one") {
			t.Errorf("%s: %q %v", name, said.Messages, warnings)
		}
	}
}
