// Package route decides the effect of a message: a table, a process map, one clarifying
// question, or chat. Decide is one pure function over the message, the memory of the
// conversation (ui.Router), the app's preferences and the time; Next returns the memory
// afterwards.
//
// The order of precedence is the order of the lines in decide (decide.go):
//
//	verbal (open surfaces are submitted or canceled in words)
//	→ control (rules in words, opt-out, re-enable, cancel, decline, resume, prefer)
//	→ gates (a tool is open, everything opted out, two cancels in a row)
//	→ opt-out per tool → guardrails → answer to the pending question
//	→ chat-only shapes → hard triggers → soft triggers → chat
//
// Confidence is the confidence that a tool should open, not that the action is
// right: ≥ 0.75 tool, 0.45 to 0.74 clarify, below chat. A closed gate caps it
// at 0.44. The figure of each rule is in the table in trigger.go. A
// rationale is the id of the rule that decided, with counts: control.*, gate.*,
// guardrail.*, pending.*, hard.*, soft.*, chat.*, model.*. The ids are stable;
// reason.go says each in a sentence.
//
// Where no rule fires and no gate is closed, Decision.Open says that a small
// model may be asked: ModelPrompt and ModelSchema ask it, ParseModel reads its
// answer, Admit lets it pass the gates of the moment it came.
//
// A wish that lasts and names a topic ("Never show tables for stakeholder
// lists") is a guardrail: ControlRule asks, a yes keeps it (wish.go, rule.go).
// Without a topic it is an opt-out. "No, and don't ask again" declines: the
// tool closes without counting as a cancel, and one question offers an opt-out.
//
// The sentences that the rules know are token patterns in rules/*.txt; pattern.go
// says how they are written, match.go matches them. The Go files ask them in order
// and do what needs a state or a number: decide.go the order · control.go, wish.go
// orders about the tools · guardrail.go, rule.go users' rules · answer.go the reply
// to a question · verbal.go what submits or cancels an open surface, by the rules of
// verbal/*.txt · shape.go the forms of chat · trigger.go what opens or asks · count.go,
// list.go counts and lists · abroad.go languages other than English · template.go,
// payload.go parameters · model.go a model's answer · next.go the memory.
//
// testdata/rules holds sentences for each rule, half of them near misses.
//
// Invariants: no clock, randomness or map order, so equal input gives equal
// bytes; no user text in Rationale; never a tool through a closed gate; never a
// clarifying question while one is pending; linear in the message, of which
// 64 KB are read (pasted lines to the end), and 400 tokens for orders about the
// tools. The hot path has no regular expression, except users' guardrails (RE2).
//
// Deviations from the seed (requirements/decision-logic.md), all from
// facts/decisions-and-capture.md §2: precedence, confidences, the counter of
// cancels, pending with tool and subject. Choice columns carry "options". A
// table asks for no more rows than ui.Limits has, however many the message states.
//
// Called by: turn (each message), execute (the same rules for directives), gateway.
package route
