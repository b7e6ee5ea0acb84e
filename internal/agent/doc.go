// Package agent is a model run: from the state of a conversation and an event to
// an envelope that can be executed.
//
// In: an llm.Model, a [Config] (the app's instructions and its directive registry)
// and an [Input]. Out: a [Result] with a checked envelope and a record of every
// attempt. [Tools] lets a model call functions of a [Loop] before it answers in
// words, [Hybrid] before it gives an envelope. [Route] asks a small model where a
// message belongs, once and without repair.
//
//	json_schema ──▶ json_object ──▶ prompt_only ──▶ words without UI
//
// A rung that the server refuses (LLM_UNSUPPORTED) is left at once and remembered
// ([LadderCache]); one whose answer cannot be used is left after one repair.
//
// Invariants:
//   - at most [MaxAttempts] requests and Config.Timeout in all, tools included;
//   - a directive runs only from an answer that was accepted as a whole: alone, or
//     marked as meant when asked (doubt); words of a failed run open no surface;
//   - text of people and results of tools reach the model between marks (fence.Text);
//   - garbage never ends a conversation: prose is shown, broken JSON becomes a
//     sentence, with a warning; an outage is an error with a code of package llm.
//
// Callers: modelrun asks, turn reads the replies. The clock is Config.Now.
package agent
