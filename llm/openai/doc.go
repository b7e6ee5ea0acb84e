// Package openai asks models over the OpenAI chat-completions protocol: the
// service itself and every server that speaks its dialect.
//
// In: [Config] with URL, model and key. Out: a [Model] that sends what
// llm.Prepare lets through and maps every failure to a code of package llm.
//
// Invariants: the SDK's types stay inside; nothing is read from the
// environment; the key appears in no error, also not when the server repeats
// it; an answer above Config.MaxReply is never held in memory; at most two
// retries, with growing pauses, and only for what may pass (no connection,
// 408, 409, 429, 5xx); redirects are not followed, so the key stays with the
// host it was meant for.
//
// Callers: cmd/limn and embedders build it, agent asks it.
package openai
