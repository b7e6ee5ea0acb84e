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

// calling is the op that has clients run a function. It forgets calls whose time is over.
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
	over := func(c ui.Action) bool { return c.Until.Before(e.Now) }
	router.Calls = slices.DeleteFunc(slices.Clone(router.Calls), over)
	if len(router.Calls) >= maxCalls {
		return nil, ui.Errorf(CodeFailed, "", "%d calls wait for their results", maxCalls)
	}
	call.ID, call.Until = "call-"+string(e.Event), e.Now.Add(callTime)
	router.Calls = append(router.Calls, call)
	return &ui.Set{Router: router}, nil
}

// Returned is the op that forgets a call, and the call; ok is false if it is not there or its
// time is over.
func Returned(s *ui.State, id string, now time.Time) (op ui.Op, call ui.Action, ok bool) {
	i := slices.IndexFunc(s.Router.Calls, func(c ui.Action) bool { return c.ID == id })
	if i < 0 || s.Router.Calls[i].Until.Before(now) {
		return nil, call, false
	}
	call = s.Router.Calls[i]
	router := s.Router
	router.Calls = slices.Delete(slices.Clone(router.Calls), i, i+1)
	return &ui.Set{Router: router}, call, true
}
