// Package web is Limn over HTTP: the API of docs/http.md, the host pages, plain
// HTML forms, uploads and the event streams.
//
// In: requests. Out: calls to session (events) and deliver (drawings), and their
// answers: JSON, application/problem+json, pages, redirects, streams. It knows no
// A2UI version: targets are looked up by name.
//
// Every request passes, in this order: security headers, body limit, the host,
// the rate of its address, the cross-origin check, the principal (cookie, bearer
// token or what an embedder says) and their rate. A conversation that belongs to
// somebody else is not found. docs/security.md says what all of it is for.
//
// Invariants:
//   - Every error of ours has a code: JSON, or a page for a browser's navigation.
//   - What is wrong with a request is found before its event is durable, except
//     by admission, which is part of the turn.
//   - The default drawing is the same at every address, so cursors fit.
//   - No page has a script or style of its own; everything in it is escaped.
//   - After Drain streams end and waits are answered with 202; posts are refused.
//
// server.go is the way in, api.go and read.go the API, page.go, forms.go and
// upload.go the pages, principal.go (who asks, and how much they may) and
// problem.go what all of them share.
//
// Callers: package limn and cmd/limn mount the Handler.
package web
