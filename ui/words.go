package ui

import (
	"maps"
	"strings"
)

// Words are the texts Limn itself shows to users, each under a key. An app can
// replace any of them; {label}, {min}, {max} and {n} are filled in.
type Words map[string]string

var defaultWords = Words{
	"field.required":    "{label} is required.",
	"field.number":      "{label} must be a number.",
	"field.email":       "{label} must be an email address.",
	"field.url":         "{label} must be a web address (http or https).",
	"field.date":        "{label} must be a date such as 2026-11-20.",
	"field.time":        "{label} must be a time such as 09:30.",
	"field.datetime":    "{label} must be a date and time such as 2026-11-20T09:30.",
	"field.option":      "{label}: choose one of the options.",
	"field.pattern":     "{label} does not have the expected form.",
	"field.min":         "{label} must be at least {min}.",
	"field.max":         "{label} must be at most {max}.",
	"field.short":       "{label} needs at least {min} characters.",
	"field.long":        "{label} can have at most {max} characters.",
	"field.few":         "{label}: choose at least {min}.",
	"field.many":        "{label}: choose at most {max}.",
	"field.upload":      "{label}: upload the file again.",
	"field.accept":      "{label} takes files of type {list}.",
	"upload.send":       "Upload",
	"upload.close":      "You can close this tab if you came from another one.",
	"upload.back":       "Back to the conversation",
	"upload.done":       "{label} is uploaded.",
	"rows.few":          "{label} needs at least {min} rows; {n} are filled in.",
	"rows.many":         "{label} can have at most {max} rows; {n} are filled in.",
	"row.label":         "{label}, row {n}",
	"submit.done":       "Saved. Thank you.",
	"submit.fix":        "Please check: {list}",
	"surface.locked":    "Answered",
	"surface.expired":   "This has expired.",
	"surface.changed":   "Something changed in the meantime. Nothing you typed is lost; please check and send it again.",
	"surface.canceled":  "Canceled.",
	"button.submit":     "Submit",
	"button.cancel":     "Cancel",
	"button.regenerate": "Regenerate",
	"table.add":         "Add row",
	"table.remove":      "Remove",
	"table.up":          "Move up",
	"table.down":        "Move down",
	"table.previous":    "Previous rows",
	"table.next":        "Next rows",
	"table.page":        "Rows {min}–{max} of {n}",
	"steps.add":         "Add step",
	"steps.step":        "Step {n}",
	"picture.words":     "As text",
	"picture.none":      "Nothing to draw yet.",
	"picture.many":      "Too much for a picture; here it is as text.",
	"edge.approval":     "approval",
	"edge.parallel":     "parallel",
	"edge.conditional":  "conditional",
	"choice.none":       "–",
	"upload.open":       "Choose a file",
	"tags.help":         "Separate with commas.",
	"required.mark":     "required",
	"turn.failed":       "That did not work. Your work is kept; please try again.",
	"ui.failed":         "The form could not be drawn. You can ask to regenerate it.",
	"chat.default":      "I am here. Tell me what you would like to record.",
	"tool.opened.table": "I have opened a table for that.",
	"tool.opened.map":   "I have opened a process map for that.",
	"tool.opened.form":  "Here is the form.",
	"tool.resumed":      "It is still open, as you left it.",
	"control.opt_out":   "All right. I will not open that any more; tell me when you want it back.",
	"control.opt_in":    "All right, it is available again.",
	"control.cancel":    "Closed. Nothing was submitted.",
	"clarify.count":     "How many {label} are we capturing?",
	"clarify.map":       "Want to map the steps now?",

	// The phases of a tool, and what its checks say.
	"phase.step":     "{n} · {label}",
	"phase.now":      "▸ {label} (now)",
	"phase.capture":  "Capture",
	"phase.check":    "Check",
	"phase.confirm":  "Confirm",
	"button.check":   "Check",
	"button.accept":  "Accept as it is",
	"check.ask":      "Can you complete this: {list}?",
	"check.choose":   "It is still not complete: {list}. Correct it, accept it as it is, or cancel?",
	"check.required": "{label} is missing in {list}",
	"check.number":   "{label} is no number in {list}",
	"check.email":    "{label} is no email address in {list}",
	"check.url":      "{label} is no web address in {list}",
	"check.date":     "{label} is no date in {list}",
	"check.option":   "{label} is none of its options in {list}",
	"check.cell":     "{label} does not fit in {list}",
	"check.few.row":  "{min} more needed ({n} of {max} rows)",
	"check.few.step": "{min} more needed ({n} of {max} steps)",
	"check.more":     "{list}; and {n} more",
	"place.row":      "row {n}",
	"place.rows":     "rows {list}",
	"place.step":     "step {n}",
	"place.steps":    "steps {list}",
	"place.edge":     "arrow {n}",
	"place.edges":    "arrows {list}",
	"list.and":       "{list} and {n}",
	"list.more":      "{list} and {n} more",
	"warn.same":      "These look the same: {list}.",
	"warn.key":       "{label} is the same in {list}.",
	"warn.loop":      "The order contradicts itself: {list}.",
	"warn.few":       "You spoke of {min}; {n} are filled in.",
	"tool.ready":     "Complete: {list} Is this right? Then submit it.",
	"tool.captured":  "Captured {list}",
	"tool.accepted":  "Recorded as it is, though not complete: {list}",
	"sum.rows":       "{n} {label}.",
	"sum.of":         "{n} rows of {label}.",
	"sum.steps":      "{n} steps.",
	"sum.column":     "{label}: {list}.",
	"sum.filled":     "{n} filled in",
	"sum.owners":     "Owners: {n}.",
	"sum.approvals":  "Approvals: {n}.",
}

// DefaultWords returns a copy of the built-in texts.
func DefaultWords() Words { return maps.Clone(defaultWords) }

// Say returns the text under key, from w or else the built-in one, with the
// pairs name, value filled in. A key nobody declared is returned as it is.
func (w Words) Say(key string, pairs ...string) string {
	s, ok := w[key]
	if !ok {
		if s, ok = defaultWords[key]; !ok {
			return key
		}
	}
	if !strings.Contains(s, "{") {
		return s
	}
	pairs = append([]string(nil), pairs[:len(pairs)&^1]...)
	for i := 0; i < len(pairs); i += 2 {
		pairs[i] = "{" + pairs[i] + "}"
	}
	return strings.NewReplacer(pairs...).Replace(s)
}
