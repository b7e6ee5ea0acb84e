// Package llmtest holds strict fakes of servers that run models, for tests of
// whatever asks models and for evaluations without a model. They listen on the
// loopback interface, so that tests use a real HTTP connection.
//
// Strict means: a parameter it does not know is answered with 400 and the
// parameter's name, a request that breaks an invariant of package llm's policy
// fails the test at once, and every request is recorded. A server speaks one
// [Dialect]. Its answers are
//
//   - a list of [Step]s, one per accepted request, the last one for all that
//     follow ([New]);
//   - or the answers of [Options.Answer], spoiled by one [Quirk]: the simulators of
//     what real servers are known to do ([Quirks], [Start]).
package llmtest
