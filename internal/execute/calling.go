package execute

import (
	"slices"
	"time"

	"github.com/limn-ui/limn/ui"
)

// Bounds of the functions of clients that are called.
const (
	maxCalls = 32 // without a result, in a conversation
	callTime = time.Minute
)

// calling is the op that has clients run a function. A call whose time is over waits until it expires.
func (e Env) calling(s *ui.State, ops ui.Ops, call ui.Action) (ui.Op, *ui.Error) {
	router := s.Router
	for _, op := range ops {
		if set, ok := op.(*ui.Set); ok {
			router = set.Router
		}
	}
	if a, ok := e.App.Action(call.Name); !ok || a.Run != "" {
		return nil, ui.Errorf(CodePayload, "", "the result of %q is for no handler, webhook or reply of the app",
			call.Do)
	}
	if call.Do == "" || slices.ContainsFunc(call.Context, func(c ui.Context) bool { return c.Path != "" }) {
		return nil, ui.Errorf(CodePayload, "", "a call has the name of a function, and values")
	}
	if len(router.Calls) >= maxCalls {
		return nil, ui.Errorf(CodeFailed, "", "%d calls wait for their results", maxCalls)
	}
	call.ID, call.Until = "call-"+string(e.Event), e.Now.Add(callTime)
	router.Calls = append(slices.Clone(router.Calls), call)
	return &ui.Set{Router: router}, nil
}

// IsExpired reports the result of a call without an answer in time: no client sent it, so it has no version.
func IsExpired(e *ui.Event) bool {
	return e.Action != nil && e.Action.Returns && e.Action.Version == ""
}

// Returned is the op that forgets the call which a result is for, and the call; ok is false if it is
// not there or its time is over.
func Returned(s *ui.State, e *ui.Event) (op ui.Op, call ui.Action, ok bool) {
	i := slices.IndexFunc(s.Router.Calls, func(c ui.Action) bool { return c.ID == e.Action.Call })
	if i < 0 || s.Router.Calls[i].Until.Before(e.At) && !IsExpired(e) {
		return nil, call, false
	}
	call = s.Router.Calls[i]
	router := s.Router
	router.Calls = slices.Delete(slices.Clone(router.Calls), i, i+1)
	return &ui.Set{Router: router}, call, true
}
