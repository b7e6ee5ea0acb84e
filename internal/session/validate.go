package session

import (
	"context"

	"github.com/limn-ui/limn/internal/capture"
)

// validator is one check of what the user sends (decision logic §10).
type validator struct {
	name string
	run  func(capture.Submission) []capture.Warning
}

// validators in the order of their findings.
var validators = []validator{
	{capture.MissingRequired, capture.MissingRequiredFields},
	{capture.Duplicates, capture.DuplicateEntries},
	{capture.Contradictions, capture.ContradictorySequences},
	{capture.Coverage, capture.LowCoverage},
}

// validate runs all validators at once and joins what they find in their fixed
// order. One that panics or is late finds nothing and hides no other.
func (s *Service) validate(sub capture.Submission) []capture.Warning {
	return s.validateWith(validators, sub)
}

func (s *Service) validateWith(list []validator, sub capture.Submission) []capture.Warning {
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.CheckTime)
	defer cancel()
	found := make([]chan []capture.Warning, len(list))
	for i, v := range list {
		found[i] = make(chan []capture.Warning, 1)
		s.work.Go(func() { // Close waits for it: validators end, each is linear in the rows
			found[i] <- s.guardedCheck(v, sub)
		})
	}
	var out []capture.Warning
	for i, v := range list {
		select {
		case w := <-found[i]:
			out = append(out, w...)
			continue
		case <-ctx.Done():
		}
		select {
		case w := <-found[i]: // in time, and only looked at after it
			out = append(out, w...)
		default:
			s.cfg.Log.Warn("validator is late", "validator", v.name)
		}
	}
	return out
}

func (s *Service) guardedCheck(v validator, sub capture.Submission) (out []capture.Warning) {
	defer func() {
		if p := recover(); p != nil { // what it panicked with may hold what the user wrote
			s.cfg.Log.Error("validator panicked", "validator", v.name)
			out = nil
		}
	}()
	return v.run(sub)
}
