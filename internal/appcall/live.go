package appcall

import (
	"context"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// others is an app.Live without the conversation whose turn waits for the handler.
type others struct {
	app.Live
	own string
}

// Patch implements app.Live.
func (o others) Patch(ctx context.Context, conversation, key string, values any) error {
	if err := o.check(conversation); err != nil {
		return err
	}
	return o.Live.Patch(ctx, conversation, key, values)
}

// Set implements app.Live.
func (o others) Set(ctx context.Context, conversation, key, name string, value any) error {
	if err := o.check(conversation); err != nil {
		return err
	}
	return o.Live.Set(ctx, conversation, key, name, value)
}

func (o others) check(conversation string) error {
	if conversation != o.own {
		return nil
	}
	return &ui.Error{Code: recovery.CodeBusy, Message: "this conversation waits for the handler that writes to it",
		Hint: "return a ui.Commit in Result.Ops: it is in the frame of this turn"}
}
