// Package route decides what a message leads to: a table, a process map, one
// clarifying question, or chat. Decide is one pure function over the message,
// what the conversation remembers (ui.Router), the app's preferences and the
// time; Next is what the conversation remembers afterwards.
//
// The order of precedence is the order of the lines in decide (decide.go):
//
//	control (opt-out, re-enable, cancel, resume)
//	→ gates (a tool is open, everything opted out, two cancels in a row)
//	→ opt-out per tool → guardrails → answer to the pending question
//	→ chat-only shapes → hard triggers → soft triggers → chat
//
// Confidence is the confidence that a tool should open, not that the action is
// right: ≥ 0.75 tool, 0.45 to 0.74 clarify, below chat. A closed gate caps it
// at 0.44. The figure of each rule stands in the table in trigger.go.
//
// Invariants: no clock, randomness or map order, so equal input gives equal
// bytes; no user text in Rationale; never a tool through a closed gate; never a
// clarifying question while one is pending; linear in the message. The hot path
// has no regular expression, except users' guardrails (RE2).
//
// Deviations from the seed (requirements/decision-logic.md), all from
// facts/decisions-and-capture.md §2: precedence, confidences, the counter of
// cancels, pending with tool and subject. Choice columns carry "options".
//
// Called by: session (each message), agent (the same gates for directives).
package route
