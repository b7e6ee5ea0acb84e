// Package web is Limn over HTTP: the API of docs/http.md, the pages around the
// surfaces, plain HTML forms, uploads and the event streams.
//
// In: requests. Out: calls to session (events) and deliver (rendered surfaces), and
// their answers: JSON, application/problem+json, pages, redirects, streams. It knows
// no A2UI version: targets are looked up by name.
//
// Every request passes, in this order: security headers, body limit, the host, the
// rate of its address, the cross-origin check, the principal (cookie, bearer token
// or what an embedder says) and their rate. A conversation that belongs to another
// principal is not found. docs/security.md says what each of these is for.
//
// Invariants:
//   - Every error of ours has a code: JSON, or a page for a browser's navigation.
//   - A bad request is refused before its event is durable, except by admission,
//     which is part of the turn.
//   - The default target is the same at every address, so cursors fit.
//   - No page has an inline script or style; everything in it is escaped. Its
//     sentences are ui.Words, its template is in the folder page.
//   - After Drain streams end, waiting posts get 202, and new posts are refused.
//
// server.go has the routes; one type serves each kind: eventAPI, readAPI, streamAPI,
// uploads and host (the pages). They share gate (principal.go) and answers (problem.go).
package web
