package validate

import (
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// remoteRules checks function calls between agent and client, and their results.
type remoteRules struct{ *run }

// remoteCall checks a function call that the agent sends to the client: it has
// an id, names its catalog, and the function is one that agents may call.
func (r remoteRules) remoteCall(m *wire.CallRenderer) {
	defer r.noExtra(m.Extra)
	if !r.Features.Remote {
		r.add(wire.EnvelopeInvalid, "", "this version has no function calls from the agent")
		return
	}
	r.literal(m.CallID)
	if m.CallID == "" {
		r.at("functionCallId", wire.CallFunction, "", "a call needs an id")
	}
	r.push("callFunction")
	defer r.pop()
	if m.Call.CatalogID == "" {
		r.at("catalogId", wire.CallFunction, "", "a call from the agent names its catalog")
	}
	r.inAction = true // it is not drawn, and the user's consent is the client's matter
	defer func() { r.inAction = false }()
	fn := r.calls().call(&m.Call, "", 1)
	if fn != nil && fn.Callers == wire.RendererOnly {
		r.add(wire.CallFunction, "", "agents may not call %s", fn.Name)
	}
}

// reply checks the result of a function call.
func (r remoteRules) reply(m *wire.Reply) {
	defer r.noExtra(m.Extra)
	if !r.Features.Remote {
		r.add(wire.EnvelopeInvalid, "", "this version has no results of function calls")
		return
	}
	r.literal(m.CallID)
	if m.CallID == "" {
		r.at("functionCallId", wire.CallReply, "", "a result needs the id of its call")
	}
	if m.Err != nil {
		r.literal(m.Err.Code)
		r.literal(m.Err.Message)
		if m.Value.Kind != jsonx.Null {
			r.add(wire.CallReply, "", "a result has a value or an error, not both")
		}
		return
	}
	if problem := r.plainData(m.Value, r.Limits.DataDepth); problem != "" {
		r.at("value", wire.CallReply, "", "%s", problem)
	}
}
