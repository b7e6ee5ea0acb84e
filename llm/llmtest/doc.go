// Package llmtest is a strict fake of an OpenAI-compatible server, for tests of
// whatever asks models. It listens on the loopback interface, so that tests
// cross a real HTTP connection.
//
// Strict means: a parameter it does not know is answered with 400 and the
// parameter's name, a request that breaks an invariant of package llm's policy
// fails the test at once, and every request is recorded. What it answers is a
// list of [Step]s: one per accepted request, the last one for all that follow.
package llmtest
