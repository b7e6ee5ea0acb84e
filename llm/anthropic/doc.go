// Package anthropic asks Claude models over Anthropic's messages protocol.
//
// In: [Config] with model and key. Out: a [Model] that sends what llm.Prepare
// lets through and maps every failure to a code of package llm, as package
// openai does.
//
// Peculiarities of the protocol:
//
//   - a schema goes into output_config.format; there is no way to ask for just
//     any JSON object, so such a request is made without a format;
//   - parallel calls are decided inside tool_choice, in every request with
//     tools; tool_choice may be given in OpenAI's words or in Anthropic's;
//   - the leading Request.Stable bytes of the system text, all of it by default,
//     are marked for the prompt cache, and tools with them, which come first;
//   - max_tokens is required: where the request leaves it open, 4096 or what
//     the model can write, if that is less;
//   - results of calls are messages of the user, empty texts are not allowed,
//     and the first message is the user's: what Request allows is written so.
//
// Invariants: addresses, keys, retries, limits and codes are those of package
// endpoint.
//
// Callers: cmd/limn and embedders build it, agent asks it.
package anthropic
