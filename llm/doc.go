// Package llm is one request to one model.
//
// In: a [Request] in neutral words. Out: a [Reply], or an error with a code of
// this package. The port is [Model]; adapters are below: openai, anthropic, and
// scripted (no model, for demos and tests). internal/llmtest is a strict fake server.
//
// [Capabilities] describe a model and its server: settings of the application in a
// [Table] of entries by provider and model, before the built-in
// ones ([Known]). A model without an entry gets words and max_tokens
// ([PromptOnly]). The request policy is here once, in [Prepare], because
// "compatible" servers differ; adapters send only what Prepare returns:
//
//   - structured output excludes tools and streaming, and sends
//     parallel_tool_calls:false where the provider has that key;
//   - tools exclude streaming, and are called one after the other unless the
//     request asks for parallel calls;
//   - keys the provider does not declare are dropped with a warning, or refused
//     in strict mode; no free parameter can override the typed fields;
//   - no more tokens are asked for than the model writes, and a request above its
//     context is not sent.
//
// Text written by users goes to a model between marks it cannot forge (internal/fence).
//
// Callers: agent; cmd/limn and embedders build the adapters.
package llm
