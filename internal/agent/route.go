package agent

import (
	"context"

	"github.com/limn-ui/limn/internal/fence"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// RouteName is the name of the JSON Schema sent with a question of routing.
const RouteName = "limn_route"

// Route asks a small model where a message leads. There is no repair: with
// whatever is wrong with the answer the message goes to chat (facts R-06); only
// a server that takes no structured output is asked again without. Of the state
// the model sees names of tools. The error has a code of package llm, or
// route.CodeModel. The result holds the attempts, failed ones too.
func Route(ctx context.Context, m llm.Model, c Config, s ui.Router, text string) (a route.Answer, res Result,
	err error) {
	c = c.withDefaults()
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	r := start(ctx, m, c, join(fence.Notice, route.ModelPrompt(s)), Input{Text: text})
	defer func() { res = r.result }()
	for _, mode := range ladder(capabilities(m)) {
		r.req.Format = mode.format(RouteName, []byte(route.ModelSchema()))
		reply, fault := r.ask(mode, false)
		switch {
		case fault != nil && fault.Code == llm.CodeUnsupported:
			err = fault
			continue
		case fault != nil:
			return a, res, fault
		}
		if cut := reply.Check(); cut != nil {
			return a, res, cut
		}
		a, err = route.ParseModel([]byte(reply.Text))
		return a, res, err
	}
	return a, res, err
}
