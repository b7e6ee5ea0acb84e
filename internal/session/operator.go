package session

import (
	"slices"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/ui"
)

// operates reports whether a principal has a role of the application's operators. An operator
// has signed in with a name: a principal known only by a token is never an operator.
func (s *Service) operates(principal string) bool {
	roles := s.cfg.App.Config().Operators
	if principal == "" || conversation.IsOwner(principal) || len(roles) == 0 {
		return false
	}
	if slices.Contains(roles, app.Everyone) {
		return true
	}
	return s.cfg.Roles != nil &&
		slices.ContainsFunc(s.cfg.Roles(principal), func(r string) bool { return slices.Contains(roles, r) })
}

// operates reports an event of an operator; to dismiss one is the owner's.
func operates(e *ui.Event) bool {
	do, _ := e.Data.Get("do")
	return e.Kind == ui.EventOperator && do.Text() != ui.OperatorDismiss
}
