package gateway_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// TestCarriedToEachVersion: an agent of another version than the one that it had can change a surface that it has
// opened before.
func TestCarriedToEachVersion(t *testing.T) {
	t.Parallel()
	load := func(version string) *gateway.Config {
		c, err := gateway.Load("gateway.yaml", []byte("agents: [{name: a, url: 'http://127.0.0.1:1/', version: "+version+"}]"))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	opened, _ := take(t, load("v0.9"), ui.NewState("c"), "a", surface("main", "First", "1")...)
	text, warnings := take(t, load("v0.8"), opened, "a",
		`{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"t","component":{"Text":{"text":{"literalString":"Second"}}}}]}}`)
	if got := foreign.Of(text.Surface("a:main")).Text; got != "Second" || len(warnings) > 0 {
		t.Errorf("the text is %q, warnings %v", got, warnings)
	}
	for version, change := range map[string]string{
		"v0.8": `{"dataModelUpdate":{"surfaceId":"main","contents":[{"key":"v","valueString":"2"}]}}`,
		"v0.9": `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/v","value":"2"}}`,
		"v1.0": `{"version":"v1.0","updateDataModel":{"surfaceId":"main","path":"/v","value":"2"}}`,
	} {
		s, warnings := take(t, load(version), opened, "a", change)
		n := foreign.Of(s.Surface("a:main"))
		if n == nil || n.Version != version || n.Data.At("v").Text() != "2" || len(warnings) > 0 {
			t.Errorf("%s: %+v, warnings %v", version, n, fmt.Sprint(warnings))
		}
	}
}

// TestHeldWithoutItsSurface: what an answer says about a surface that was closed while the agent answered counts for
// nothing and is no fault, in each version; a surface that the answer creates is there.
func TestHeldWithoutItsSurface(t *testing.T) {
	t.Parallel()
	for version, change := range map[string]string{
		"v0.8": `{"dataModelUpdate":{"surfaceId":"main","contents":[{"key":"v","valueString":"2"}]}}
			{"surfaceUpdate":{"surfaceId":"new","components":[{"id":"r","component":{"Text":{"text":{"literalString":"Hi"}}}}]}}
			{"beginRendering":{"surfaceId":"new","root":"r"}}`,
		"v0.9": `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/v","value":"2"}}` +
			"\n" + strings.Join(surface("new", "Hi", ""), "\n"),
	} {
		c := load(t, "agents: [{name: a, url: 'http://127.0.0.1:1/', version: "+version+"}]")
		before := load(t, "agents: [{name: a, url: 'http://127.0.0.1:1/', version: v0.9}]")
		opened, _ := take(t, before, ui.NewState("c"), "a", surface("main", "First", "1")...)
		in := c.Intake(c.Agent("a"), opened)
		for line := range strings.Lines(change) {
			in.Take([]byte(strings.TrimSpace(line)), noon)
		}
		said, warnings := in.End()
		if len(warnings) > 0 {
			t.Fatal(version, warnings)
		}
		closed, _ := take(t, before, opened, "a", `{"version":"v0.9","deleteSurface":{"surfaceId":"main"}}`)
		held, warnings := c.Held(closed, journaled(t, said))
		after, _, more := gateway.Next(closed, held, noon, func() string { return "00ff" }, ui.Limits{})
		if warnings = append(warnings, more...); len(warnings) > 0 || says(after, "a:new") != "Hi" ||
			after.Surface("a:main") != nil {
			t.Errorf("%s: %d surfaces, warnings %v", version, len(after.Surfaces), warnings)
		}
	}
}

// TestContextOfItsProtocol: what an agent calls the conversation is not sent to it by another protocol, to which it is
// the name of something else: of mcp it is a session.
func TestContextOfItsProtocol(t *testing.T) {
	t.Parallel()
	s := ui.NewState("c")
	asked := func(protocol string) string {
		c, err := gateway.Load("gateway.yaml", []byte("agents: [{name: a, url: 'http://127.0.0.1:1/', protocol: "+protocol+"}]"))
		if err != nil {
			t.Fatal(err)
		}
		q, err := c.Ask("a", s, "e", gateway.Prompt{Text: "hello"})
		if err != nil {
			t.Fatal(err)
		}
		in := c.Intake(c.Agent("a"), s)
		in.Context("of " + protocol)
		said, _ := in.End()
		s, _, _ = gateway.Next(s, journaled(t, said), noon, nil, ui.Limits{})
		return q.Context
	}
	got := []string{asked("mcp"), asked("mcp"), asked("a2a"), asked("a2a"), asked("mcp")}
	if want := []string{"", "of mcp", "", "of a2a", ""}; !slices.Equal(got, want) {
		t.Errorf("asked in %q, want %q", got, want)
	}
}

// TestResultInItsVersion: the result of a call is for an agent that still knows calls.
func TestResultInItsVersion(t *testing.T) {
	t.Parallel()
	call := ui.Action{Name: "agent:a", ID: "a/v1.0/12/c/1"}
	for file, want := range map[string]string{
		"{name: a, url: 'http://127.0.0.1:1/', version: v1.0}": `"functionCallId":"c/1"`,
		"{name: a, url: 'http://127.0.0.1:1/', version: v0.9}": "",
		"{name: b, url: 'http://127.0.0.1:1/', version: v1.0}": "",
	} {
		c, err := gateway.Load("gateway.yaml", []byte("agents: ["+file+"]"))
		if err != nil {
			t.Fatal(err)
		}
		value := jsonx.OfObject(jsonx.Member{Key: "value", Value: jsonx.Of("x")})
		for _, e := range []*ui.Event{{Action: &ui.ActionEvent{Context: value}}, // and one of before it had a context
			{Action: &ui.ActionEvent{Context: jsonx.OfObject()}, Data: ui.Map(ui.Pair{Key: "value", Value: ui.String("x")})}} {
			_, message, ok := c.Result(call, e)
			if ok != (want != "") || !strings.Contains(string(message), want) || ok && !strings.Contains(string(message), `"value":"x"`) {
				t.Errorf("%s: %v %s", file, ok, message)
			}
		}
	}
}
