// Package limntest is the kit of the tests: the parts that more than one package needs to
// start a server or a service, to talk to it, and to let it fail.
//
// In: a service or a server that the test has made. Out: handles that fail the test, at the
// caller's line, when something goes wrong that the test is not about.
//
//	Serve, Client, Answer, Stream   a program or browser at a server, over HTTP
//	Listener                        a listener and its dialer in memory, for bubbles
//	Talk, Press, Say                a conversation of a service, without HTTP
//	Model, Says, Envelope           models and their answers
//	Sign, Saved                     a form filled in by an A2UI client; how often it saved
//	Store                           a memory store whose operations fail or wait
//
// The kits of the ports (store/storetest, bus/bustest, internal/llmtest) and the servers of
// others (internal/natstest, internal/pgtest) are separate packages: they require modules
// that few tests need.
//
// Callers: tests only. A test of package session, or of one that session imports, uses it
// from the external package (session_test), as the kit itself imports session.
package limntest
