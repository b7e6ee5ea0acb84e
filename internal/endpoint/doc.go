// Package endpoint is the HTTP side of a server that holds models. The adapters below
// llm share it, so that one fault has one code in every dialect.
//
// In: a [Config]. Out: an [Endpoint], which sends what an adapter has put into words of
// its dialect and hands back an answer, whole or event by event. It signs requests, so
// that nothing above it ever holds the key; it waits and tries again; it bounds how much
// is read; and it turns every failure into an error with a code of package llm.
//
//	address      https; http only to this machine, or with Config.Insecure
//	redirects    never followed: the key and the prompt stay with the host they were meant for
//	retries      at most two: no connection, 408, 409, 425, 429, 5xx. Half a second, then a
//	             second, less up to a half at random; Retry-After is honoured and lengthened
//	             by up to a quarter. A pause above 8 s, or one that would end after the
//	             deadline, is not begun: the caller gets the error at once
//	answers      JSON or an event stream, at most Config.MaxReply bytes after decompression
//	words        at most 300 bytes of a server's message, without the key; none of a refused key
//
// Invariants: nothing is read from the environment but the variable that
// Config.KeyEnv names, and the proxies and certificates that net/http looks for
// there; no way of printing a Config or an Endpoint shows the key.
//
// Callers: llm/openai, llm/anthropic and transport/upstream.
package endpoint
