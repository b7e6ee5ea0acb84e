// Package ws carries a stream over a WebSocket, and takes events on it.
//
// In: a request for a WebSocket, the deliver.Sub it opened with the framing
// Framing, and a function that takes the client's messages in order and answers
// each. Out: each chunk and each answer as one text message. It knows no protocol
// version.
//
//	deliver ─▶ Sub.Serve ─▶ text messages, a ping for a heartbeat
//	client  ─▶ text messages ─▶ Take, one at a time ─▶ answers ─▶ text messages
//	           └─ at most inFlight that wait for Take or for their answer ─┘
//
// The code of a close determines the client's next step:
//
//	1000  the conversation has ended and the client has all of it: stay away
//	1002  a message broke the protocol; 1003 it was binary; 1009 it was too big
//	1011  the server failed: come back with the cursor
//	1012  the server stops, or the connection has lasted long enough: come back
//	      with the cursor after the time in the reason, {"retry":milliseconds}
//	1013  the client was too slow: come back with the cursor
//
// A peer that does not answer a ping within writeTime, or that does not take a
// message in that time, is cut off without a word.
//
// Caller: internal/transport/web.
package ws
