// Package limntest is the kit of the tests: the parts that more than one package needs
// to start a server or a service, to talk to it, and to let it fail. Only tests import
// it. A test of package session, or of one that session imports, uses it from the
// external package (session_test), as the kit itself imports session.
//
// In: a service or a server that the test has made. Out: handles that fail the
// test, at the caller's line, when something goes wrong that the test is not about.
//
//	client.go   Serve, Client, Answer   a program or browser at a server, over HTTP
//	stream.go   Stream, Event           Server-Sent Events, one at a time
//	listener.go Listener                a listener and its dialer in memory, for bubbles
//	talk.go     Talk, Press, Say        a conversation of a service, without HTTP
//	model.go    Model, Says, Envelope   models and their answers
//	sign.go     Sign, Saved             a form filled in by an A2UI client, and how often it saved
//	store.go    Store                   a memory store whose operations fail or wait
//	test.go     TB, Bubble, Must, Buffer
//
// A test over HTTP:
//
//	srv := limntest.Must(limn.New(limn.Config{App: a, Model: limntest.Says("Hello.")}))
//	c := limntest.Serve(t, srv).Create()
//	c.Say("hello")
//	if e := c.Open("/v1/-/stream").Must(); e.ID == "" {
//		t.Error("no cursor")
//	}
//
// A test of a service:
//
//	talk := limntest.NewTalk(t, svc, "ann")
//	talk.Submit(limntest.Say("add a customer"))
//	talk.Submit(limntest.Press(talk.Open("form:customer"), "main/buttons/submit"))
//
// The kits of the ports (store/storetest, bus/bustest, internal/llmtest) and the servers of
// others (internal/natstest, internal/pgtest) are separate packages: they require
// modules that few tests need.
package limntest
