// Command orders has a model look orders up, and cancel them once the customer
// has left a reason.
package main

import (
	"context"
	"log"
	"os"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/openai"
	"github.com/limn-ui/limn/ui"
)

const byID = `{"type": "object", "required": ["id"], "additionalProperties": false,
	"properties": {"id": {"type": "string", "pattern": "^[A-Z][0-9]+$"}}}`

var orders = map[string]string{"A17": `{"status": "shipped", "carrier": "Post"}`, "B2": `{"status": "open"}`}

func find(_ context.Context, c app.ToolCall) (string, error) {
	order, ok := orders[c.Arguments.At("id").Text()]
	if !ok {
		return "", ui.Errorf("ORDER_UNKNOWN", "", "there is no such order") // the model reads this
	}
	return order, nil
}

func cancel(_ context.Context, c app.ToolCall) (string, error) {
	log.Printf("cancel %s, once for %s", c.Arguments.At("id").Text(), c.Key)
	return "canceled", nil
}

func server(model llm.Model) (*limn.Server, error) {
	a, err := app.New(app.Config{
		Name: "orders",
		Forms: []app.Form{{Name: "reason", Title: "Why?", Fields: []ui.Field{
			{Name: "why", Label: "Why do you cancel?", Type: ui.TypeText, Required: true}}}},
		ModelTools: []app.ModelTool{
			{Name: "find_order", Description: "Looks an order up by its id.", Schema: byID, Func: find,
				Idempotent: true},
			{Name: "cancel_order", Description: "Cancels an open order.", Schema: byID, Func: cancel,
				After: []string{"reason"}},
		},
		Messages: []app.MessageRoute{
			{Phrases: []string{"order", "orders"}, Run: app.RunHybrid}, // tools, then words and forms
		},
	})
	if err != nil {
		return nil, err
	}
	return limn.New(limn.Config{App: a, Model: model})
}

func main() {
	able := llm.Generic() // the model understands tools, among others
	model, err := openai.New(openai.Config{URL: os.Getenv("LIMN_MODEL_URL"), Model: os.Getenv("LIMN_MODEL"),
		Key: os.Getenv("LIMN_MODEL_KEY"), Capabilities: &able})
	if err != nil {
		log.Fatal(err)
	}
	srv, err := server(model)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(srv.Run(context.Background(), "localhost:8080"))
}
