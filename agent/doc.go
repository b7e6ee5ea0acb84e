// Package agent is a model run: from the state of a conversation and what just
// happened to an envelope that can be executed.
//
// In: an llm.Model, a [Config] (the app's instructions and its directive
// registry) and an [Input]. Out: a [Result] with a checked envelope and a
// record of every attempt. [Route] asks a small model where a message belongs,
// once and without repair: no answer is an answer too.
//
//	json_schema ──unsupported──▶ json_object ──unsupported──▶ prompt_only
//	     └───────────── unreadable: one repair, naming the fault ─────┘
//
// Invariants:
//   - at most [MaxAttempts] requests and Config.Timeout in all;
//   - a rung is entered only if the model's capabilities have it, and left for
//     the next one only on LLM_UNSUPPORTED;
//   - garbage never ends a conversation: what reads as prose is said, what
//     looks like broken JSON is replaced by a sentence, with a warning;
//   - an outage (no server, no time, no permission) is an error with a code of
//     package llm, so the caller decides what the user sees;
//   - text that people wrote reaches the model only between the marks of
//     llm.Fence; names and titles of surfaces are cut to one short line.
//
// Callers: session, for events that need a model. The clock is Config.Now.
package agent
