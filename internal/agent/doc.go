// Package agent is a model run: from the state of a conversation and what just
// happened to an envelope that can be executed.
//
// In: an llm.Model, a [Config] (the app's instructions and its directive
// registry) and an [Input]. Out: a [Result] with a checked envelope and a
// record of every attempt. [Tools] lets a model call functions of a [Loop] before
// it answers in words, [Hybrid] before it gives an envelope. [Route] asks a small
// model where a message belongs, once and without repair: no answer is an answer
// too.
//
//	json_schema ──▶ json_object ──▶ prompt_only ──▶ words without UI
//
// A rung the server does not support (LLM_UNSUPPORTED) is left at once, and
// [LadderCache] remembers it; one whose answer cannot be used is left after one
// repair that names the fault. An answer that can be used but lacks what
// Config.Require asks for is repaired once in all.
//
// Invariants:
//   - at most [MaxAttempts] requests, those with tools included, and Config.Timeout
//     in all, the last of it kept back for saying something without a model;
//   - a rung is entered only if the model's capabilities have it;
//   - a directive runs only from an answer that was accepted as a whole; the
//     words at the end of a failed run never come with a surface;
//   - the result of a tool reaches the model between the same marks as text that
//     people wrote; of a failed call the model gets the code;
//   - garbage never ends a conversation: what reads as prose is said, what
//     looks like broken JSON is replaced by a sentence, with a warning;
//   - an outage (no server, no time, no permission) is an error with a code of
//     package llm, so the caller chooses the words for the user;
//   - text that people wrote reaches the model only between the marks of
//     llm.Fence; names and titles of surfaces are cut to one short line.
//
// Callers: session, for events that need a model. The clock is Config.Now.
package agent
