package limntest

import (
	"context"
	"encoding/json"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Model is a model of one function.
type Model func(ctx context.Context, r llm.Request) (llm.Reply, error)

// Ask implements llm.Model.
func (m Model) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) { return m(ctx, r) }

// Reply is an answer that a model has finished.
func Reply(text string) llm.Reply { return llm.Reply{Text: text, Finish: llm.FinishStop} }

// Says is a model that always answers the same.
func Says(text string) Model {
	return func(context.Context, llm.Request) (llm.Reply, error) { return Reply(text), nil }
}

// Envelope is an answer with directives.
func Envelope(text string, directives ...string) string {
	list := make([]json.RawMessage, len(directives))
	for i, d := range directives {
		list[i] = json.RawMessage(d)
	}
	return string(Must(json.Marshal(map[string]any{"assistant_text": text, "directives": list})))
}

// ShowForm is the directive that opens a form.
func ShowForm(name string) string { return `{"type":"ui.show_form","payload":{"name":"` + name + `"}}` }

// ShowView is the directive that opens a view.
func ShowView(name string) string { return `{"type":"ui.show_view","payload":{"name":"` + name + `"}}` }

// Gate is a model whose answers wait for the test.
type Gate struct {
	Asked  chan struct{} // has one for each question
	Answer chan string   // takes one for each answer
}

// NewGate returns a gate without any calls.
func NewGate() *Gate { return &Gate{make(chan struct{}, 64), make(chan string)} }

// Ask implements llm.Model.
func (g *Gate) Ask(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	g.Asked <- struct{}{}
	select {
	case text := <-g.Answer:
		return Reply(text), nil
	case <-ctx.Done():
		return llm.Reply{}, &ui.Error{Code: llm.CodeCanceled, Err: context.Cause(ctx)}
	}
}
