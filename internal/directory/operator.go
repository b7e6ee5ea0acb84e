package directory

import (
	"context"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// CodeOperatorDenied is a principal who does what only operators may.
const CodeOperatorDenied ui.Code = "OPERATOR_DENIED"

// ErrNoOperator refuses what only operators may do.
func ErrNoOperator() error {
	return &ui.Error{Code: CodeOperatorDenied, Message: "only an operator may do this, in conversations of others",
		Hint: "it takes a role that the application lists under operators"}
}

// Operates reports whether a principal is an operator of the application.
func (d Directory) Operates(principal string) bool { return d.Operator(principal) }

// FindAll is Find in the conversations of all owners, for an operator.
//
// Errors: those of Find, CodeOperatorDenied.
func (d Directory) FindAll(ctx context.Context, principal string,
	q conversation.Listing) (list []conversation.Summary, next string, err error) {
	if !d.Operates(principal) {
		return nil, "", ErrNoOperator()
	}
	return d.find(ctx, q, func(after store.Conversation, limit int) ([]store.Conversation, error) {
		if after.ID == "" {
			after.ID = "g" // ids of conversations are hexadecimal; those of topics and records are above
		}
		list, err := d.Store.All(ctx, q.Archived, after.ID, limit)
		if err != nil {
			return nil, conversation.StoreError("list all conversations", err)
		}
		return list, nil
	})
}
