package agent

import (
	"context"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/route"
	"github.com/limn-ui/limn/ui"
)

// RouteName is the name of the JSON Schema sent with a question of routing.
const RouteName = "limn_route"

// Route asks a small model what a message leads to, once: no repair, no second
// rung, for whatever is wrong with the answer the message goes to chat (facts
// Of the state the model sees names of tools only. The error has a code
// of package llm, or route.CodeModel.
func Route(ctx context.Context, m llm.Model, c Config, s ui.Router, text string) (route.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.withDefaults().Timeout)
	defer cancel()
	c.History = -1
	r := start(ctx, m, c, join(llm.FenceNotice, route.ModelPrompt(s)), Input{Text: text})
	switch can := capabilities(m); {
	case can.JSONSchema:
		r.req.Format = &llm.Format{Name: RouteName, Schema: []byte(route.ModelSchema())}
	case can.JSONObject:
		r.req.Format = &llm.Format{Name: RouteName}
	}
	reply, err := m.Ask(ctx, r.req)
	if err != nil {
		return route.Answer{}, r.coded(err)
	}
	if cut := reply.Check(); cut != nil {
		return route.Answer{}, cut
	}
	return route.ParseModel([]byte(reply.Text))
}
