package limn_test

import (
	"context"
	"fmt"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// A webhook inside the operator's own network has to be allowed.
func ExampleWebhooks() {
	allow, err := limn.AllowTargets("10.1.0.0/16", "hooks.internal")
	if err != nil {
		panic(err)
	}
	post := limn.Webhooks(limn.WebhookConfig{Allow: allow, Timeout: 5 * time.Second})
	_, err = post(context.Background(), app.Webhook{URL: "http://192.168.0.1/"}, "key", []byte("{}"))
	fmt.Println(err != nil)
	// Output: true
}

// An operator replaces the sentence and the action of a code.
func ExampleDefaultRecovery() {
	table := limn.DefaultRecovery().With(limn.RecoveryEntry{Code: "DEMO_CLOSED", Status: 503, Do: limn.Soft,
		Title: "We are closed today."})
	fmt.Println(table.For("DEMO_CLOSED").Title)
	// Output: We are closed today.
}

// bridge reaches the tools of a program of its own in place of MCP servers.
type bridge struct{}

func (bridge) Tool(context.Context, string, string) (string, []byte, bool, error) {
	return "Adds two numbers.", []byte(`{"type":"object"}`), true, nil
}

func (bridge) Call(_ context.Context, _, tool, _ string, _ []byte, max int) (string, error) {
	if tool != "add" {
		return "", &ui.Error{Code: limn.CodeToolAway, Message: "no such tool"}
	}
	if max < 1 {
		return "", limn.TooLarge(max)
	}
	return "3", nil
}

var _ limn.MCP = bridge{}
