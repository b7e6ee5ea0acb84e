package client

import (
	"fmt"
	"maps"
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/function"
	"github.com/limn-ui/limn/internal/jsonx"
)

// callTable are the function calls between a renderer and its agent: those that wait
// for an answer of the agent, and the renderer's messages.
type callTable struct {
	last    int                    // number of the last id given
	waiting map[string]waitingCall // by id
	queue   []*a2ui.CallAgent      // asked by clicks, not yet taken
	replies []*a2ui.Reply          // to the agent's calls, not yet taken
}

// waitingCall is a call that the agent was asked.
type waitingCall struct {
	ask *a2ui.CallAgent
	key string // of the surface's answers; "" = the result is not drawn
}

// answer is what became of a call that is drawn.
type answer struct {
	asked bool
	ask   *a2ui.CallAgent
	reply *a2ui.Reply // nil = none yet
}

func (t callTable) clone() callTable {
	t.waiting, t.queue, t.replies = maps.Clone(t.waiting), slices.Clone(t.queue), slices.Clone(t.replies)
	return t
}

// forget drops the calls of a surface that is gone.
func (t *callTable) forget(surface string) {
	maps.DeleteFunc(t.waiting, func(_ string, w waitingCall) bool { return w.ask.SurfaceID == surface })
	t.queue = slices.DeleteFunc(t.queue, func(ask *a2ui.CallAgent) bool { return ask.SurfaceID == surface })
}

// Bounds of the calls.
const (
	maxAnswers = 1000   // that one drawing of a surface has the agent asked
	maxWaiting = 10_000 // that wait for an answer; beyond, the renderer asks no more
)

// remote is a call in a value that only the agent can compute: missing until it
// answered, and missing with a problem when it failed.
func (d *drawing) remote(c a2ui.Call, args []a2ui.Member, sc scope) (a2ui.Data, bool) {
	ask := &a2ui.CallAgent{SurfaceID: d.surface.id, Call: a2ui.Call{Func: c.Func, CatalogID: c.CatalogID}}
	for _, m := range args {
		ask.Call.Args = append(ask.Call.Args, a2ui.Prop{Name: m.Key, Value: a2ui.Literal{Data: m.Value}})
	}
	key := string(jsonx.Append(nil, jsonx.OfArray(dataText(d.at), dataText(sc.path), dataText(c.CatalogID),
		dataText(c.Func), jsonx.OfObject(args...))))
	known := d.surface.answers[key]
	if known == nil {
		known = &answer{ask: ask}
	}
	if d.remotes == nil {
		d.remotes = map[string]*answer{}
	}
	if d.remotes[key] == nil && len(d.remotes) < maxAnswers {
		d.remotes[key] = known
	}
	switch {
	case known.reply == nil:
		d.awaited++
		return a2ui.Data{}, false
	case known.reply.Err != nil:
		d.report(expressionError, fmt.Sprintf("%s: the agent says %s: %s", c.Func, known.reply.Err.Code,
			known.reply.Err.Message))
		return a2ui.Data{}, false
	}
	return known.reply.Value, known.reply.Value.Kind != null
}

// Calls returns the function calls that the renderer sends next: those that
// clicks asked for, then those that the surfaces, as they are, need a value of
// and that were not sent yet. Each is returned once; its answer comes through
// Apply. Of one surface at most 1,000 calls are drawn.
func (c *Client) Calls() (out []*a2ui.CallAgent) {
	out, c.callTable.queue = c.callTable.queue, nil
	for _, id := range c.Surfaces() {
		s := c.surfaces[id]
		if !s.created || !c.rules.Remote {
			continue
		}
		d := c.screen().newDrawing(s, s.data)
		d.child(s.root, scope{}, 0)
		s.answers = d.remotes // answers that are not drawn any more are forgotten
		for _, key := range slices.Sorted(maps.Keys(d.remotes)) {
			a := d.remotes[key]
			if a.asked || len(c.callTable.waiting) >= maxWaiting {
				continue
			}
			a.asked = true
			ask := *a.ask
			ask.Call = c.keep.call(ask.Call)
			_ = c.Ask(&ask) // it gets a new id
			c.callTable.waiting[ask.CallID] = waitingCall{&ask, key}
			out = append(out, &ask)
		}
	}
	return out
}

// Ask notes a call to the agent, so that its answer is known when it comes. A call
// without an id gets one. The error has the code DUPLICATE: a call of that id waits
// already. A renderer has no clock: its host ends a wait with a Reply it makes itself.
func (t *callTable) Ask(ask *a2ui.CallAgent) error {
	if t.waiting[ask.CallID].ask != nil {
		return errorf(duplicateCall, "a call %q waits for its answer", ask.CallID)
	}
	if ask.CallID == "" {
		t.last++
		ask.CallID = fmt.Sprintf("call-%d", t.last)
	}
	if t.waiting == nil {
		t.waiting = map[string]waitingCall{}
	}
	t.waiting[ask.CallID] = waitingCall{ask: ask}
	return nil
}

// Waiting returns the call that an id of Reply.CallID belongs to, nil when none
// of that id waits for its answer.
func (t *callTable) Waiting(callID string) *a2ui.CallAgent { return t.waiting[callID].ask }

// reply takes the agent's answer to a call.
func (c intake) reply(r *a2ui.Reply) *Error {
	if r == nil {
		return errorf(validationError, "no message")
	}
	w, ok := c.callTable.waiting[r.CallID]
	if !ok && c.rules.forgiving {
		return nil
	}
	if !ok {
		return errorf(stateError, "no call %q waits for an answer", r.CallID)
	}
	delete(c.callTable.waiting, r.CallID)
	if s := c.surfaces[w.ask.SurfaceID]; s != nil && s.answers[w.key] != nil {
		s.answers[w.key] = &answer{asked: true, ask: w.ask, reply: &a2ui.Reply{Value: c.keep.data(r.Value), Err: r.Err}}
	}
	return nil
}

// Codes of the errors that a renderer answers calls with.
const (
	// an unknown function, not for the agent to call, not now, or with other arguments
	invalidFunctionCall = "INVALID_FUNCTION_CALL"
	executionError      = "EXECUTION_ERROR" // it failed; the reason is not sent
)

// Run executes a function for the agent and returns the answer, which there
// always is; activated says that a click of the user led here. Apply runs a call
// without one and keeps the answer for Replies.
func (c *Client) Run(m *a2ui.CallRenderer, activated bool) *a2ui.Reply {
	refuse := func(code, format string, args ...any) *a2ui.Reply {
		return &a2ui.Reply{CallID: m.CallID, Err: &a2ui.CallError{Code: code, Message: fmt.Sprintf(format, args...)}}
	}
	var catalog *a2ui.Catalog
	if c.catalogs != nil {
		if catalog = c.screen().supported(m.Call.CatalogID); catalog == nil {
			return refuse(invalidFunctionCall, "Catalog not found: %s", m.Call.CatalogID)
		}
	}
	def, known := c.screen().function(catalog, m.Call.Func)
	switch {
	case !known:
		return refuse(invalidFunctionCall, "Function '%s' is unknown.", m.Call.Func)
	case def == nil || def.Callers == a2ui.RendererOnly:
		return refuse(invalidFunctionCall, "Function '%s' cannot be called by agent (allowedCallers is rendererOnly).",
			m.Call.Func)
	case def.Activation && !activated:
		return refuse(invalidFunctionCall, "Function '%s' requires user activation context to execute.", m.Call.Func)
	case catalog != nil && catalog.Protocol != "" && catalog.Protocol != c.dialect.Protocol():
		return refuse(invalidFunctionCall, "Catalog '%s' is for version %s, not for %s.", catalog.ID, catalog.Protocol,
			c.dialect.Protocol())
	case catalog != nil:
		rules := a2ui.Rules{Dialect: c.dialect, Catalog: catalog, Partial: true}
		if problems := a2ui.Validate(rules, []a2ui.Message{m}); len(problems) > 0 {
			return refuse(invalidFunctionCall, "%s", problems[0].Error())
		}
	}
	d := c.screen().newDrawing(newSurface(""), a2ui.Data{Kind: object})
	var args []a2ui.Member
	for _, p := range m.Call.Args {
		if v, ok := d.deep(p.Value, scope{}, 1); ok {
			args = append(args, a2ui.Member{Key: p.Name, Value: v})
		}
	}
	v, err := c.screen().run(m.Call.Func, args, &function.Call{Rules: c.rules.functions, Index: -1,
		Fill: func(template string) (string, error) { return d.fill(template, scope{}, 1) }})
	if err != nil || len(d.problems) > 0 {
		return refuse(executionError, "An error occurred during function execution.")
	}
	return &a2ui.Reply{CallID: m.CallID, Value: v}
}

func (c intake) callRenderer(m *a2ui.CallRenderer) *Error {
	if m == nil {
		return errorf(validationError, "no message")
	}
	if !c.rules.Remote {
		return errorf(validationError, "this dialect has no calls by the agent")
	}
	if len(c.callTable.replies) >= maxWaiting {
		c.callTable.replies = c.callTable.replies[1:]
	}
	c.callTable.replies = append(c.callTable.replies, c.Run(m, false))
	return nil
}

// Replies returns the answers to the agent's calls since it was last called, the
// last 10,000 of them.
func (t *callTable) Replies() (out []*a2ui.Reply) {
	out, t.replies = t.replies, nil
	return out
}
