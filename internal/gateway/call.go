package gateway

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Bounds of the functions that agents have clients run.
const (
	maxCalls  = 32              // without a result, in a conversation
	maxCallID = 64              // bytes
	callTime  = 3 * time.Minute // from the event that is answered
)

// callFault is the reason not to pass a call on to clients, "" for none. The validator checks that the catalog
// has the function.
func callFault(m *a2ui.CallRenderer) string {
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	if m.CallID == "" || len(m.CallID) > maxCallID || strings.ContainsFunc(m.CallID, odd) {
		return "the id of a call has 1 to 64 bytes of printable ASCII without space"
	}
	for _, p := range m.Call.Args {
		if _, ok := foreign.Datum(p.Value); !ok {
			return "the argument " + p.Name + " is no value"
		}
	}
	return ""
}

// Calls has clients run the functions that an agent calls. The name of a call is the agent, which alone gets the
// result. Its arguments are one text of JSON, without a key. Its id has the frame, since an agent may use an id again
// once it has the result. A call with the id of one that still waits is that call, said twice.
func Calls(s *ui.State, said Said, at time.Time) (ops ui.Ops, warnings []*ui.Error) {
	d, err := a2ui.ParseDialect(said.Version)
	if err != nil || !d.Features().Remote {
		return nil, nil
	}
	router := s.Router
	router.Calls = slices.Clone(router.Calls)
	had := len(router.Calls)
	drop := func(code ui.Code, why string) {
		warnings = append(warnings, &ui.Error{Code: code, Path: "/agents/" + said.Agent, Message: why})
	}
	for _, m := range read(d, said) {
		call, ok := m.(*a2ui.CallRenderer)
		if !ok {
			continue
		}
		next := ui.Action{Name: builtin.RunAgent + said.Agent, Do: call.Call.Func, Until: at.Add(callTime),
			ID: strings.Join([]string{said.Agent, said.Version, strconv.FormatUint(s.Seq+1, 10), call.CallID}, "/")}
		if len(call.Call.Args) > 0 {
			args, _ := foreign.Datum(a2ui.Object(call.Call.Args))
			next.Context = []ui.Context{{Value: ui.String(string(jsonx.Append(nil, args)))}}
		}
		waits := slices.IndexFunc(router.Calls, func(c ui.Action) bool {
			return c.Name == next.Name && callID(c) == call.CallID && !c.Until.Before(at)
		})
		switch {
		case waits >= 0 && sameCall(router.Calls[waits], next):
		case waits >= 0:
			drop(CodeMessage, "the id of a call that waits for its result")
		case len(router.Calls) >= maxCalls:
			drop(CodeLimit, fmt.Sprintf("more than %d calls that wait for their results", maxCalls))
		default:
			router.Calls = append(router.Calls, next)
		}
	}
	if len(router.Calls) == had {
		return nil, warnings
	}
	return ui.Ops{&ui.Set{Router: router}}, warnings
}

func sameCall(a, b ui.Action) bool {
	return a.Do == b.Do && slices.EqualFunc(a.Context, b.Context, func(x, y ui.Context) bool {
		return x.Key == y.Key && x.Value.Equal(y.Value)
	})
}

// callID is the id that an agent gave to a call.
func callID(call ui.Action) string {
	if id := strings.SplitN(call.ID, "/", 4); len(id) == 4 {
		return id[3]
	}
	return ""
}

// Returned is what an answer has for the client that called a function of the agent: the value as JSON, or the
// reason why it has no value.
func Returned(said Said) (value string, err error) {
	d, err := a2ui.ParseDialect(said.Version)
	if err != nil || said.Returned == nil {
		return "", &ui.Error{Code: CodeMessage, Message: "the agent has returned nothing", Err: err}
	}
	m, err := a2ui.DecodeMessageAs(d, said.Returned)
	reply, ok := m.(*a2ui.Reply)
	switch {
	case err != nil || !ok:
		return "", &ui.Error{Code: CodeMessage, Message: "the agent has returned nothing", Err: err}
	case reply.Err != nil:
		return "", &ui.Error{Code: CodeMessage, Message: excerpt.Head(reply.Err.Code+": "+reply.Err.Message, 300)}
	}
	return string(jsonx.Append(nil, reply.Value)), nil
}

// Result is the message for the agent of a call about the event of its result: a value, or an error with code and
// message. ok is false for a call of no agent, and for one that is gone, or speaks a version without calls by now.
func (c *Config) Result(call ui.Action, e *ui.Event) (agent string, message []byte, ok bool) {
	agent, ok = strings.CutPrefix(call.Name, builtin.RunAgent)
	id := callID(call)
	if !ok || id == "" || c == nil {
		return "", nil, false
	}
	a := c.Agent(agent)
	if a == nil || !a.Dialect.Features().Remote {
		return "", nil, false
	}
	data, err := foreign.Sent(e)
	if err != nil {
		return "", nil, false
	}
	out := &a2ui.Reply{CallID: id}
	if failed, there := data.Get("error"); there {
		out.Err = &a2ui.CallError{Code: failed.At("code").Text(), Message: failed.At("message").Text()}
	} else {
		out.Value = data.At("value")
	}
	message, err = a2ui.AppendClient(nil, a.Dialect, out)
	return agent, message, err == nil
}
