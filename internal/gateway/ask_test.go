package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/ui"
)

// TestTranscriptSetting: an agent reads the end of the transcript as its file says: all, or what it
// answered and its answers, or nothing.
func TestTranscriptSetting(t *testing.T) {
	t.Parallel()
	s := ui.NewState("c1")
	say := func(role ui.Role, text string, agents ...string) {
		s.Transcript = append(s.Transcript, &ui.Entry{Role: role, By: "Weather", Agents: agents, Text: text})
	}
	for n := range 50 { // of which 40 lines are sent
		say(ui.RoleUser, fmt.Sprint("old ", n), "weather")
		say(ui.RoleAssistant, "dry", "weather")
	}
	say(ui.RoleUser, "rain?", "weather")
	say(ui.RoleAssistant, "yes", "weather")
	say(ui.RoleUser, "balance?", "bank")
	say(ui.RoleAssistant, "12", "bank")
	say(ui.RoleUser, "both?", "bank", "weather") // two agents in turn
	say(ui.RoleAssistant, "13", "bank")
	say(ui.RoleAssistant, "no", "weather")
	say(ui.RoleUser, "a map", "weather") // it answered with a surface alone
	say(ui.RoleUser, "and now?")
	say(ui.RoleAssistant, "An operator with the title of an agent says this.")
	for setting, want := range map[string]struct {
		lines int
		end   string
	}{
		"all":  {40, "rain? yes balance? 12 both? 13 no a map and now? An operator with the title of an agent says this."},
		"own":  {40, "rain? yes both? no a map"},
		"none": {0, ""},
	} {
		c := load(t, "agents:\n  - {name: weather, title: Weather, url: \"http://127.0.0.1:1/\", transcript: "+setting+"}\n"+
			"fallback: weather\n")
		q, err := c.Ask("weather", s, "e1", gateway.Prompt{})
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, l := range q.Transcript {
			words = append(words, l.Text)
		}
		if got := strings.Join(words, " "); len(words) != want.lines || !strings.HasSuffix(got, want.end) {
			t.Errorf("%s: %d lines, %s", setting, len(words), got)
		}
	}
}
