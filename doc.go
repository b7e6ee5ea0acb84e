// Package limn is the server side of agent user interfaces.
//
// An Event comes in; one turn decides, asks a model for Directives only when it
// must, turns them into Ops on the conversation's State, commits one Frame, and
// every client gets that Frame in its own language: A2UI v0.8 or v0.9, or HTML.
//
//	a, err := app.Load("desk.yaml", data)
//	srv, err := limn.New(limn.Config{App: a})
//	err = srv.Run(ctx, "127.0.0.1:8080")
//
// [New] wires an application ([app.App]) to ports: a store, a bus, a model. The
// defaults keep everything in memory and answer with rules and a scripted model;
// cmd/limn shows how the other adapters are plugged in. [Server.Handler] mounts
// the whole of it in a program of your own.
package limn
