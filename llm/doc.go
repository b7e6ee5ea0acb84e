// Package llm is one request to one model.
//
// In: a [Request] in neutral words. Out: a [Reply], or an error with a code of
// this package. The port is [Model]; adapters live below: openai (and every
// server that speaks its dialect), scripted (no model at all, for demos and
// tests). llmtest is a strict fake server for tests of whatever asks models.
//
// What a model and its server understand are [Capabilities]: settings of the
// application in a [Table] of entries by provider and model, before those that
// are built in ([Known]). Nothing is guessed: a model without an entry gets
// words and max_tokens ([PromptOnly]), unless the application declares more.
//
// The request policy is here once, in [Prepare], because servers that call
// themselves compatible are not: one refuses a key it does not know, another
// answers 404 when it finds no model for a combination. Every adapter sends
// only what Prepare returns:
//
//   - structured output excludes tools and streaming, and says
//     parallel_tool_calls:false aloud where the provider has that key;
//   - tools exclude streaming, and are called one after the other unless the
//     request asks for parallel calls;
//   - keys the provider does not declare are dropped with a warning, or refused
//     in strict mode;
//   - no free parameter can override the typed fields;
//   - more tokens than the model writes are not asked for, and a request above
//     its context is not sent.
//
// Text written by users goes to a model between marks it cannot forge ([Fence]).
//
// Callers: agent; cmd/limn and embedders build the adapters.
package llm
