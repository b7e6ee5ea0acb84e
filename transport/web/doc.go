// Package web is Limn over HTTP: the API of docs/http.md, the host pages, plain
// HTML forms, uploads and the event streams.
//
// In: requests. Out: calls to session (events) and deliver (drawings), and their
// answers: JSON, application/problem+json, pages, redirects, streams. It knows no
// A2UI version: targets are looked up by name.
//
// Every request passes, in this order: body limit, security headers, the
// cross-origin check, the principal (cookie or bearer token). A conversation
// that belongs to somebody else is not found.
//
// Callers: package limn and cmd/limn mount the Handler.
package web
