package turn

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/ui"
)

// unread are the codes of directives that are dropped while an answer is read.
var unread = []ui.Code{directive.CodeUnknownType, directive.CodePayloadInvalid, directive.CodeTooMany,
	directive.CodeJSONInvalid}

// naming are the codes of errors that may quote the name of the part that failed.
var naming = []ui.Code{execute.CodeUnknown, execute.CodePayload, execute.CodeOutdated, execute.CodeNotNow,
	execute.CodeOneAction, directive.CodeUnknownType}

// sayNotDone adds to the plan of a reply the actions that were not done, after the
// model's words: these may say that they were. A worksheet that a gate keeps closed has
// an offer instead, the first time. The outcome is done only if something was done.
func sayNotDone(env Env, p *Plan, offered, didSome bool) {
	first, text := notDone(env, p.Warnings)
	switch {
	case first == nil:
	case offered:
		p.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Code: first.Code, Surface: execute.OfferName}
	default:
		p.Ops = saidAfter(env, p.Ops, text)
		p.Outcome = ui.Outcome{Kind: ui.OutcomeFailed, Code: first.Code, Message: text}
		if didSome {
			p.Outcome.Kind = ui.OutcomeDone
		}
	}
}

// sayNotDoneAfter is sayNotDone for the directives of a handler or an endpoint, which has
// done its own work.
func sayNotDoneAfter(env Env, ops ui.Ops, outcome *ui.Outcome, warnings []*ui.Error) ui.Ops {
	first, text := notDone(env, warnings)
	if first == nil || outcome.Kind != ui.OutcomeDone {
		return ops
	}
	outcome.Code, outcome.Message = first.Code, strings.TrimSpace(outcome.Message+" "+text)
	return saidAfter(env, ops, text)
}

// notDone returns the first warning that something was not done, nil without one, and the
// text that the user reads about all such warnings.
func notDone(env Env, warnings []*ui.Error) (first *ui.Error, text string) {
	var texts []string
	for _, w := range warnings {
		if !errors.Is(w, execute.ErrNotDone) && !slices.Contains(unread, w.Code) {
			continue
		}
		first = cmp.Or(first, w)
		text := env.title(w.Code)
		if name := nameIn(w); name != "" {
			text = env.words().Say("undone", "label", strings.TrimSuffix(text, "."), "list", name)
		}
		if !slices.Contains(texts, text) && len(texts) < maxNotDone {
			texts = append(texts, text)
		}
	}
	return first, strings.Join(texts, " ")
}

// maxNotDone is how many things that were not done the user reads about.
const maxNotDone = 3

// nameIn returns the name that the error quotes, of the part that failed; "" without one.
// The rest of an error is for developers, in English.
func nameIn(w *ui.Error) string {
	if !slices.Contains(naming, w.Code) {
		return ""
	}
	said := w.Message + " " + w.Hint
	quoted, err := strconv.QuotedPrefix(said[max(strings.IndexByte(said, '"'), 0):])
	if err != nil {
		return ""
	}
	name, _ := strconv.Unquote(quoted)
	return name
}

// saidAfter adds a sentence to the last words of the assistant, unless these say already
// that it failed.
func saidAfter(env Env, ops ui.Ops, text string) ui.Ops {
	for i, op := range slices.Backward(ops) {
		said, ok := op.(*ui.Say)
		if !ok || said.Role != ui.RoleAssistant {
			continue
		}
		if said.Text == env.words().Say("turn.failed") {
			return ops
		}
		longer := *said
		longer.Text = excerpt.Head(said.Text, env.textSize()-len(text)-2) + "\n\n" + text
		ops = slices.Clone(ops)
		ops[i] = &longer
		return ops
	}
	return append(ops, assistantSays(text))
}
