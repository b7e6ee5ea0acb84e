// Package mcp is the door for hosts of the Model Context Protocol: a server by Streamable
// HTTP, in its versions with a handshake and in 2026-07-28, which has none.
//
// In: JSON-RPC. Out: tools that open the surfaces of the application and act on them, each
// open surface as a resource (a2ui://…), questions for forms (elicitation), and the HTML
// drawing as an MCP App (ui://…).
//
//	tools/call ─ decode ─▶ event ─ Host.Take ─▶ frames ─ reply ─▶ text, and surfaces as they are now
//
// Invariants: nothing of a session is kept here. Its id lists the abilities of the client, the
// state of an answer names the form that it is for, and the conversation is the sender's own, by
// name: so any node can answer, also after a crash. A click, and an answer to a question,
// counts once; declined and put off are different. A fault is answered as JSON-RPC says.
//
// Deviations: there are no batches; a subscription to one resource is that to all of the
// conversation; a session cannot be deleted. ADR 67 says why the SDK is the judge and not the
// server.
//
// Caller: package limn mounts it in internal/transport/web.
package mcp
