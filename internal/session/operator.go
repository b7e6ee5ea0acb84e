package session

import (
	"context"
	"slices"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// CodeOperatorDenied is a principal who does what only operators may.
const CodeOperatorDenied ui.Code = "OPERATOR_DENIED"

func errNoOperator() error {
	return &ui.Error{Code: CodeOperatorDenied, Message: "only an operator may do this, in conversations of others",
		Hint: "it takes a role that the application lists under operators"}
}

// operates reports whether a principal has a role of the application's operators. It takes
// a name that signed in: whoever has a token is nobody in particular.
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

// Operates reports whether a principal is an operator of the application.
func (d directory) Operates(principal string) bool { return d.svc.operates(principal) }

// FindAll is Find in the conversations of all owners, for an operator.
//
// Errors: those of Find, CodeOperatorDenied.
func (d directory) FindAll(ctx context.Context, principal string,
	q conversation.Listing) (list []conversation.Summary, next string, err error) {
	if !d.svc.operates(principal) {
		return nil, "", errNoOperator()
	}
	return d.find(ctx, q, func(after store.Conversation, limit int) ([]store.Conversation, error) {
		if after.ID == "" {
			after.ID = "g" // ids of conversations are hexadecimal; those of topics and records are above
		}
		list, err := d.svc.cfg.Store.All(ctx, q.Archived, after.ID, limit)
		if err != nil {
			return nil, conversation.StoreError("list all conversations", err)
		}
		return list, nil
	})
}
