package session

import (
	"github.com/limn-ui/limn/internal/directory"
	"github.com/limn-ui/limn/internal/turn"
)

// everybody is the topic of the bus that wakes operators after changes in the conversations of
// all owners.
const everybody = "everybody"

// listedAnew reports a step after which the list of conversations shows something else.
func listedAnew(step turn.Step) bool {
	n := len(step.After.Transcript)
	return n > 0 && step.After.Transcript[n-1].Seq == step.Frame.Seq || step.After.Operator != step.Before.Operator ||
		step.After.Ended != step.Before.Ended
}

// Changes returns a channel with room for one wake-up, sent when the list of FindAll may be
// another, and a function that ends that. As with a Bus, a wake-up is a hint.
//
// Errors: directory.CodeOperatorDenied.
func (s *Service) Changes(principal string) (wake <-chan struct{}, cancel func(), err error) {
	if !s.Operates(principal) {
		return nil, nil, directory.ErrNoOperator()
	}
	wake, cancel = s.cfg.Bus.Subscribe(everybody)
	return wake, cancel, nil
}
