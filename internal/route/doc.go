// Package route decides the effect of a message: a table, a process map, one clarifying
// question, or chat.
//
// In: the message, the memory of the conversation ([ui.Router]), the app's preferences and
// the time ([Decide]). Out: a [Decision], and the memory afterwards ([Next]).
//
//	verbal (open surfaces are submitted or canceled in words)
//	→ control (orders about the tools) → gates → opt-outs → guardrails
//	→ answer to the pending question → chat-only shapes → triggers → chat
//
// docs/decide.md has the rules, one by one. The sentences that they know are token patterns
// in rules/*.txt (pattern.go); Go code does what needs a state or a number. Where no rule
// fires and no gate is closed, a small model may be asked: [ModelPrompt], [ParseModel], and
// [Admit], which lets its answer pass the gates of the moment it came.
//
// Invariants:
//   - No clock, randomness or map order: equal input gives equal bytes.
//   - No tool opens through a closed gate; no question is asked while one is pending.
//   - A rationale is the stable id of a rule with counts, never text of the user.
//   - Work is linear in the message, of which 64 KB are read (pasted lines to the end).
//     Users' guardrails (RE2) are the only regular expressions.
//
// Callers: turn, execute (the same rules for directives), modelrun, gateway, eval.
package route
