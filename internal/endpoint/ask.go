package endpoint

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// ErrIncomplete is a stream that ends before its answer does.
var ErrIncomplete = ui.Errorf(llm.CodeReplyInvalid, "", "the model server's answer ends in the middle")

// Ask is llm.Model.Ask of every dialect: it prepares the request, gives exchange
// the time of Config.Timeout, and gives each error a code.
func (e *Endpoint) Ask(ctx context.Context, r llm.Request,
	exchange func(context.Context, llm.Request) (llm.Reply, error)) (llm.Reply, error) {
	r, warnings, err := llm.Prepare(r, e.Entry.Capabilities, e.strict)
	if err != nil {
		return llm.Reply{Warnings: warnings}, err
	}
	ctx, cancel := context.WithTimeout(ctx, e.Timeout)
	defer cancel()
	reply, err := exchange(ctx, r)
	switch {
	case ui.CodeOf(err) == llm.CodeRequestBroken: // nothing was sent
		reply = llm.Reply{}
	case err != nil:
		reply, err = llm.Reply{}, e.Fault(ctx, err)
	}
	reply.Warnings = warnings
	reply.Sent = llm.Sent{Stream: r.Stream, ParallelTools: r.ParallelTools, Params: r.Params}
	return reply, err
}

// Declared is the entry that decides about the model, for the caller to keep.
func (e *Endpoint) Declared() llm.Entry {
	entry := e.Entry
	entry.Keys = slices.Clone(entry.Keys)
	return entry
}

// Calls collects the calls that a model made. The zero Calls is empty.
type Calls struct {
	List []llm.Call
	ids  map[string]bool
}

// Add appends a call. One without a name is no call; an id that is missing or
// there twice is replaced, and no arguments are {}.
func (l *Calls) Add(c llm.Call) {
	if c.Name = strings.TrimSpace(c.Name); c.Name == "" {
		return
	}
	for n := len(l.List) + 1; c.ID == "" || l.ids[c.ID]; n++ {
		c.ID = "call_" + strconv.Itoa(n)
	}
	if l.ids == nil {
		l.ids = map[string]bool{}
	}
	l.ids[c.ID] = true
	if c.Arguments = strings.TrimSpace(c.Arguments); c.Arguments == "" || c.Arguments == "null" {
		c.Arguments = "{}"
	}
	l.List = append(l.List, c)
}
