package route

import (
	"maps"
	"strings"
)

// Reasons returns a sentence for every rule, by its id.
func Reasons() map[string]string { return maps.Clone(reasons) }

// Why is the rule that decided, its figures and its sentence.
func (d Decision) Why() string {
	id, figures, _ := strings.Cut(d.Rationale, ":")
	if figures != "" {
		figures = " (" + figures + ")"
	}
	return id + figures + ": " + reasons[id]
}

// reasons has the explanation of every rule, by its id.
var reasons = map[string]string{
	"control.opt_out":   "the user wants this tool no more, or none of them",
	"control.opt_in":    "the user wants the tools again",
	"control.cancel":    "the user dismisses what is open",
	"control.submit":    "the user asks to submit what is open",
	"control.resume":    "the user wants to see the open tool again",
	"control.decline":   "the user dismisses what is open or asked, and may want it no more",
	"control.prefer":    "the user prefers this tool where either would do",
	"control.rule":      "the user states a rule of their own: it is kept once they confirm it",
	"control.rule_yes":  "the user confirms the rule asked about",
	"control.rule_no":   "the user does not want the rule asked about",
	"control.rule_full": "the user has as many rules as there may be",

	"gate.open":          "a tool is open: no other opens and nothing is asked until it is submitted or cancelled",
	"gate.opt_out_all":   "the user has opted out of all tools",
	"gate.cancel_streak": "the user has cancelled twice in a row: this turn is chat",
	"gate.opt_out_tool":  "the user has opted out of the only tool that fits",

	"model.tool":    "the routing model proposes this tool, and no gate is closed",
	"model.clarify": "the routing model proposes to ask",
	"model.chat":    "the routing model sees no tool, or is not sure enough",

	"guardrail.force":    "a rule of the user's own opens this tool",
	"guardrail.suppress": "a rule of the user's own keeps the only tool that fits closed",

	"pending.count":   "the answer to the question is a count of three or more",
	"pending.yes":     "the answer to the question is yes",
	"pending.no":      "the answer to the question is no",
	"pending.unclear": "the message does not answer the question, and a second one is not asked",

	"hard.explicit_request": "the message asks for this tool by name",
	"hard.workflow":         "two or more actions follow one another",
	"hard.pasted":           "the message holds three or more rows or items",
	"hard.list_size":        "the message counts three or more things to be listed",
	"hard.bulk":             "the message speaks of bulk entry, a spreadsheet or pasting a list",
	"hard.workflow_noun":    "the message names an approval process, a pipeline or migration steps",
	"hard.inferred_list":    "the message lists three or more things by name",

	"soft.roles_process": "two or more roles and a process are named, its steps are not",
	"soft.noun_no_count": "things to be listed are named, how many there are is not",
	"soft.process":       "a process is named, its steps are not",

	RationaleForm:   "a form of the application has these words, which count more than a guess",
	"learned.map":   "messages like this one tell a process, though no rule found one",
	"learned.table": "messages like this one hand over records, though no rule found any",

	"chat.learned":            "a rule found something, but messages like this one want an answer in words",
	"chat.hypothetical":       "the message supposes something: nothing is to be captured",
	"chat.invalid_params":     "the table the application declared for this cannot be shown",
	"chat.explain":            "the message asks for an explanation or advice",
	"chat.assistant_produces": "the list is to come from the assistant, not from the user",
	"chat.single_item":        "the message is about a single item",
	"chat.negation":           "the message itself rules the tool out",
	"chat.small_count":        "one or two items are no list",
	"chat.greeting":           "the message greets or thanks",
	"chat.nonlist_number":     "its numbers are no list size: times, money, versions and the like",
	"chat.statement":          "nothing in the message calls for a tool",
}
