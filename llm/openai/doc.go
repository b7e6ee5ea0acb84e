// Package openai asks models over the OpenAI chat-completions protocol: the
// service itself and every server that speaks its dialect.
//
// In: [Config] with URL, model and key. Out: a [Model] that sends what
// llm.Prepare lets through and maps every failure to a code of package llm.
//
// "Compatible" servers differ in the keys they take and in the form of their answers.
// The keys are known per provider and applied only when Config.Provider names one
// ([Providers]); answers are read leniently from all: text as a string or as parts,
// calls with arguments as text or as a value and with or without an id, finish reasons
// in other words, usage or none, an error object under status 200 or inside a stream.
// Of several choices the first counts.
//
// Invariants: addresses, keys, retries, limits and
// codes are those of package endpoint.
//
// Callers: cmd/limn and embedders build it, agent asks it.
package openai
