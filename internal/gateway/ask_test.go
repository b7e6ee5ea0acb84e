package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/ui"
)

// TestLines: an agent reads the end of the transcript as its file says: all, or what it
// answered and its answers, or nothing.
func TestLines(t *testing.T) {
	t.Parallel()
	s := ui.NewState("c1")
	say := func(seq uint64, by, text string) {
		role := ui.RoleUser
		if by != "" {
			role = ui.RoleAssistant
		}
		s.Transcript = append(s.Transcript, &ui.Entry{Seq: seq, Role: role, By: by, Text: text})
	}
	for n := range uint64(50) { // of which 40 lines are sent
		say(100+n, "", fmt.Sprint("old ", n))
		say(100+n, "Weather", "dry")
	}
	say(200, "", "rain?")
	say(200, "Weather", "yes")
	say(201, "", "balance?")
	say(201, "Bank", "12")
	say(202, "", "both?") // two agents in turn
	say(202, "Bank", "13")
	say(202, "Weather", "no")
	say(203, "", "and now?")
	for setting, want := range map[string]struct {
		lines int
		end   string
	}{
		"all":  {40, "rain? yes balance? 12 both? 13 no and now?"},
		"own":  {40, "rain? yes both? no"},
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
