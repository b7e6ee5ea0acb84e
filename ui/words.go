package ui

import (
	"maps"
	"strings"
)

// Words are the texts Limn itself shows to users, each under a key. An app can
// replace any of them; {label}, {min}, {max}, {n} and {list} are filled in, and
// about pasted text {raw} and {form}, and {guess} and {other} readings of it; about
// a tool that did not open {other} ("the table") and {own} ("a table").
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
	"upload.send":       "Send file",
	"upload.remove":     "Remove",
	"upload.limit":      "Files can be up to {max}.",
	"upload.large":      "{label} is too large. Files can be up to {max}.",
	"upload.empty":      "{label} is empty. Choose another file.",
	"upload.invalid":    "{label} is not a valid {form} file.",
	"upload.quota":      "{label} is not stored: there is no room left for your files.",
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
	"surface.undo":      "Canceled. What was filled in is kept for now.",
	"surface.undone":    "It is back, as you left it.",
	"surface.held":      "What it held:\n{list}",
	"surface.again":     "To have it back, press or send “{label}”.",
	"surface.failed":    "What could not be shown",
	"surface.gone":      "This is no longer offered.",
	"chat.ended":        "This conversation has ended.",
	"button.submit":     "Submit",
	"button.cancel":     "Cancel",
	"button.regenerate": "Regenerate",
	"button.undo":       "Undo",
	"table.add":         "Add row",
	"table.remove":      "Remove",
	"table.restore":     "Undo remove",
	"table.up":          "Move up",
	"table.down":        "Move down",
	"table.previous":    "Previous rows",
	"table.next":        "Next rows",
	"table.page":        "Rows {min}–{max} of {n}",
	"steps.add":         "Add step",
	"steps.step":        "Step {n}",
	"picture.words":     "As text",
	"picture.desc":      "{n} steps, {max} connections.",
	"picture.none":      "Nothing to draw yet.",
	"picture.other":     "Other",
	"picture.many":      "Too much for a picture; here it is as text.",
	"edge.approval":     "approval",
	"edge.parallel":     "parallel",
	"edge.conditional":  "conditional",
	"choice.none":       "–",

	"paste.title":           "Paste or import rows",
	"paste.title.map":       "Paste a description",
	"paste.box":             "Rows to add",
	"paste.box.map":         "The process in words, as a list or with arrows",
	"paste.help":            "From a spreadsheet, a document or a mail. You see what was read before anything is added.",
	"paste.read":            "Read",
	"paste.import":          "Import a file",
	"paste.import.help":     "CSV, TSV, plain text or XLSX (first sheet).",
	"paste.found":           "{n} rows were read from {form}.",
	"paste.found.one":       "One row was read from {form}.",
	"paste.found.map":       "{n} steps were read.",
	"paste.found.map.one":   "One step was read.",
	"paste.found.edges":     "{n} connections were read.",
	"paste.found.edges.one": "One connection was read.",
	"paste.form.markdown":   "a Markdown table",
	"paste.form.tabs":       "cells with tabs between them",
	"paste.form.csv":        "comma or semicolon separated values",
	"paste.form.bullets":    "a list",
	"paste.form.dashes":     "lines with dashes",
	"paste.form.parens":     "lines with parentheses",
	"paste.form.colons":     "lines with colons",
	"paste.form.inline":     "an enumeration",
	"paste.form.lines":      "plain lines",
	"paste.intro":           "Not taken as rows: {list}",
	"paste.intro.map":       "Not taken as steps: {list}",
	"paste.column":          "Column {n}",
	"paste.samples":         "Such as {list}",
	"paste.which":           "Which column is each? “–” leaves it out.",
	"paste.waits":           "Text that was pasted is not added yet. Add it, or choose not to.",
	"paste.over":            "{n} are too many: there is room for {max}. Shorten the text, or remove some below.",
	"paste.over.one":        "There is no room for one more. Remove some below first.",
	"paste.apply":           "Add these {n} rows",
	"paste.apply.one":       "Add this row",
	"paste.apply.map":       "Add these {n} steps",
	"paste.apply.map.one":   "Add this step",
	"paste.drop":            "Do not add them",
	"paste.opened":          "I have opened {label} for your list. Please look at what was read before you add it.",
	"paste.into":            "Your list fits {label}, which is open. Please look at what was read before you add it.",
	"paste.empty":           "Paste something first.",
	"paste.none":            "No rows were found in it.",
	"paste.none.map":        "No steps were found in it. Write them as a list, with arrows (Review -> Approve), or as “First …, then …”.",
	"paste.look":            "Please look at what was read before you add it.",
	"paste.changed":         "The text is not the one that was read. This is what it holds now.",
	"paste.columns":         "{n} columns are more than can be read; {max} are the most.",
	"paste.large":           "This is more text than one table can hold. Add it in parts.",
	"paste.unreadable":      "{label} could not be read: {list}",
	"paste.twice":           "Two columns would be {label}. Leave one of them out.",
	"paste.nothing":         "Say of at least one column what it is.",
	"paste.added":           "{n} rows added",
	"paste.added.one":       "One row added",
	"paste.added.map":       "{n} steps added",
	"paste.added.map.one":   "One step added",
	"paste.linked":          "{n} connections added",
	"paste.linked.one":      "one connection added",
	"paste.check":           "{n} cells to check",
	"paste.check.one":       "one cell to check",
	"paste.left":            "left out: {list}",
	"paste.dropped":         "Nothing was added.",
	"paste.was":             "It was: {raw}",
	"paste.misfit":          "{label} does not fit: {raw}",
	"paste.extra":           "{label} had more cells than there are columns: {list}",
	"paste.date":            "{label}: {raw} is read as {guess}; it could also be {other}.",
	"paste.header":          "No column is called {raw}; it is read as {label}.",
	"paste.header.none":     "No column is called {raw}; it is left out.",

	"edges.label":         "Connections",
	"edges.help":          "Which step leads to which. Moving a step does not change them.",
	"edges.from":          "From",
	"edges.to":            "To",
	"edges.kind":          "Kind",
	"edges.conditional":   "Only sometimes",
	"edges.open":          "{label}: choose a step that is filled in.",
	"edge.sequence":       "sequence",
	"edge.guess.parallel": "{label} is taken to follow {other}; the two could also run side by side.",
	"edge.guess.back":     "{label} is taken to follow {other}; the process could also go back from there.",

	"upload.open":        "Choose a file",
	"tags.help":          "Separate with commas.",
	"required.mark":      "required",
	"turn.failed":        "That did not work. Your work is kept; please try again.",
	"ui.failed":          "The form could not be drawn. You can ask to regenerate it.",
	"chat.default":       "I am here. Tell me what you would like to record.",
	"model.form":         "I opened {label} from your words alone.",
	"offer.table":        "the table",
	"offer.map":          "the process map",
	"offer.title":        "Open {other}?",
	"offer.beside":       "Open it beside {label}",
	"offer.finish":       "Finish {label} first",
	"offer.another":      "Open another one",
	"offer.go_on":        "Go on with {label}",
	"offer.open":         "Open it",
	"offer.once":         "Open it this once",
	"offer.allow":        "Open it again from now on",
	"offer.no":           "No, thanks",
	"offer.kept":         "All right. Nothing was opened.",
	"offer.finishing":    "All right. {label} is as you left it.",
	"offer.again":        "Ask again?",
	"offer.retry":        "Try again",
	"tool.opened.table":  "I have opened a table for that.",
	"tool.opened.map":    "I have opened a process map for that.",
	"tool.opened.form":   "Here is the form.",
	"tool.resumed":       "It is still open, as you left it.",
	"gate.open":          "You still have {label} open. Open {other} beside it, or finish {label} first?",
	"gate.same":          "{label} is open already. Go on with it, or open another one beside it?",
	"gate.cancel_streak": "You closed the last two, so I have not opened {own} this time. Open it after all?",
	"gate.opt_out_all":   "You asked me not to open tables and process maps, so I have not opened {own}.",
	"gate.opt_out_tool":  "You asked me not to open {own}, so I have not.",
	"guardrail.suppress": "Your rule says not to open {own} for this, so I have not.",
	"control.opt_out":    "All right. I will not open that any more; tell me when you want it back.",
	"control.opt_in":     "All right, it is available again.",
	"control.cancel":     "Closed. Nothing was submitted.",
	"control.decline":    "All right.",
	"control.prefer":     "All right, I will use {label} where either would do.",
	"control.rule_yes":   "All right, I will keep to that.",
	"control.rule_no":    "All right, no such rule.",
	"control.rule_full":  "There are {max} rules already. Remove one, then tell me again.",
	"optout.confirm":     "Shall I not open {label} any more?",
	"rule.confirm":       "Shall I keep this as a rule: {list}?",
	"rule.force":         "always open {label} when you mention “{list}”",
	"rule.suppress":      "never open {label} when you mention “{list}”",
	"tool.table":         "a table",
	"tool.map":           "a process map",
	"tool.any":           "a table or a process map",
	"clarify.count":      "How many {label} are we capturing?",
	"clarify.map":        "Want to map the steps now?",

	// The phases of a tool, and what its checks say.
	"phase.step":     "{n} · {label}",
	"phase.now":      "▸ {label} (now)",
	"phase.capture":  "Capture",
	"phase.check":    "Check",
	"phase.confirm":  "Confirm",
	"button.check":   "Check",
	"button.accept":  "Accept as it is",
	"button.fewer":   "Submit {n}",
	"button.edit":    "Keep editing",
	"check.ask":      "Can you complete this: {list}?",
	"check.choose":   "It is still not complete: {list}. Correct it, accept it as it is, or cancel?",
	"check.required": "{label} is missing in {list}",
	"check.number":   "{label} is no number in {list}",
	"check.email":    "{label} is no email address in {list}",
	"check.url":      "{label} is no web address in {list}",
	"check.date":     "{label} is no date in {list}",
	"check.option":   "{label} is none of its options in {list}",
	"check.end":      "{label} is no step in {list}",
	"check.cell":     "{label} does not fit in {list}",
	"check.few.row":  "{min} more needed ({n} of {max} rows)",
	"check.few.step": "{min} more needed ({n} of {max} steps)",
	"check.more":     "{list}; and {n} more",
	"place.row":      "row {n}",
	"place.rows":     "rows {list}",
	"place.step":     "step {n}",
	"place.steps":    "steps {list}",
	"place.edge":     "connection {n}",
	"place.edges":    "connections {list}",
	"list.and":       "{list} and {n}",
	"list.more":      "{list} and {n} more",
	"warn.same":      "These look the same: {list}.",
	"warn.key":       "{label} is the same in {list}.",
	"warn.loop":      "The order contradicts itself: {list}.",
	"warn.few":       "{min} expected, {n} filled in: submit these?",
	"tool.ready":     "Complete: {list} Is this right? Then submit it.",
	"tool.captured":  "Captured {list}",
	"tool.lost":      "What was open could not be restored, so I have closed it. Tell me when you want it again.",
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
	out := make([]byte, 0, len(s)+64)
	for i := 0; i < len(s); i++ {
		if value, size, ok := named(s[i:], pairs); ok {
			out = append(out, value...)
			i += size - 1
		} else {
			out = append(out, s[i])
		}
	}
	return string(out)
}

// named returns the value of the "{name}" that s begins with, and its length.
func named(s string, pairs []string) (value string, size int, ok bool) {
	if s[0] != '{' {
		return "", 0, false
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if rest, ok := strings.CutPrefix(s[1:], pairs[i]); ok && strings.HasPrefix(rest, "}") {
			return pairs[i+1], len(pairs[i]) + 2, true
		}
	}
	return "", 0, false
}
