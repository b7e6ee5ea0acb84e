// Package transport is the part that the framings of a stream share: it brings a
// stream's bytes to a client over HTTP.
//
// In: a request, and the deliver.Sub it opened. Out: the bytes, on a connection
// taken over from net/http where it can be (HTTP/1.1), else through net/http
// (HTTP/2, and writers that cannot be taken over). It knows no framing.
//
// Callers: internal/transport/web.
package transport
