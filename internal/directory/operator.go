package directory

import (
	"context"
	"log/slog"
	"runtime/debug"
	"slices"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/logs"
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

// Operates reports whether a principal has a role of the application's operators. An operator
// has signed in with a name: a principal known only by a token is never an operator.
func (d Directory) Operates(principal string) bool {
	roles := d.App.Config().Operators
	if principal == "" || conversation.IsOwner(principal) || len(roles) == 0 {
		return false
	}
	if slices.Contains(roles, app.Everyone) {
		return true
	}
	return d.Roles != nil &&
		slices.ContainsFunc(d.Roles(principal), func(r string) bool { return slices.Contains(roles, r) })
}

// ForOperators reports an event of an operator; to dismiss one is the owner's.
func ForOperators(e *ui.Event) bool {
	do, _ := e.Data.Get("do")
	return e.Kind == ui.EventOperator && do.Text() != builtin.OperatorDismiss
}

// Needed returns the access that an event needs.
func Needed(e *ui.Event) conversation.Access {
	switch {
	case ForOperators(e):
		return conversation.Read
	case e.Kind == ui.EventEnd, e.Kind == ui.EventOperator:
		return conversation.Own
	}
	return conversation.Write
}

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

// owners is the topic of the bus that wakes operators after changes in the conversations of
// all owners.
const owners = "everybody"

// Changes returns a channel with room for one wake-up, sent when the list of FindAll may be
// another, and a function that ends that. As with a Bus, a wake-up is a hint.
//
// Errors: CodeOperatorDenied.
func (d Directory) Changes(principal string) (wake <-chan struct{}, cancel func(), err error) {
	if !d.Operates(principal) {
		return nil, nil, ErrNoOperator()
	}
	wake, cancel = d.Bus.Subscribe(owners)
	return wake, cancel, nil
}

// WakeOperators wakes them if the list of conversations shows something else after a step.
func (d Directory) WakeOperators(st conversation.Step) {
	n := len(st.After.Transcript)
	said := n > 0 && st.After.Transcript[n-1].Seq == st.Frame.Seq
	if len(d.App.Config().Operators) > 0 &&
		(said || st.After.Operator != st.Before.Operator || st.After.Ended != st.Before.Ended) {
		d.Bus.Notify(owners, 0)
	}
}

// Guarded is a function of the application that says which roles a name has, where one that panics says none: it is
// called for streams as well, where a panic would end the process.
func Guarded(roles func(name string) []string, log *slog.Logger) func(name string) []string {
	if roles == nil {
		return nil
	}
	return func(name string) (list []string) {
		defer func() {
			if p := recover(); p != nil {
				log.Error("panic in Roles", "panic", logs.QuietPanic(p), "stack", string(debug.Stack()))
			}
		}()
		return roles(name)
	}
}
