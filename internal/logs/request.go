package logs

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"regexp"
	"strings"
)

type requestKey struct{}

// WithRequest returns a context whose log lines and traces carry the id of a
// request; "" leaves ctx as it is.
func WithRequest(ctx context.Context, id string) context.Context {
	if id == "" {
		return ctx
	}
	return context.WithValue(ctx, requestKey{}, id)
}

// RequestOf returns the id of the request that ctx belongs to, or "".
func RequestOf(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

type doorKey struct{}

// WithDoor returns a context of a request that came by a door: web, or another protocol.
func WithDoor(ctx context.Context, door string) context.Context {
	return context.WithValue(ctx, doorKey{}, door)
}

// DoorOf returns the door of the request that ctx belongs to, or "".
func DoorOf(ctx context.Context) string {
	door, _ := ctx.Value(doorKey{}).(string)
	return door
}

// RequestID names a request: by the trace id of its traceparent header (W3C
// Trace Context §3.2), else by its X-Request-Id, else by 16 random bytes. What
// does not look like one is not taken over, since it ends in logs.
func RequestID(parent, requestID string) string {
	if id, ok := traceID(parent); ok {
		return id
	}
	if plainID.MatchString(requestID) {
		return requestID
	}
	var b [16]byte
	rand.Read(b[:]) //nolint:errcheck // never fails, crypto/rand
	return hex.EncodeToString(b[:])
}

// traceparent is version-trace-span-flags; a later version than 00 may go on after that.
var traceparent = regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$`)

func traceID(s string) (string, bool) {
	m := traceparent.FindStringSubmatch(s)
	if m == nil || len(s) > 256 || m[1] == "ff" || m[1] == "00" && m[4] != "" {
		return "", false
	}
	return m[2], strings.Trim(m[2], "0") != "" && strings.Trim(m[3], "0") != ""
}

// plainID is an id that may be logged.
var plainID = regexp.MustCompile(`^[\w.-]{8,64}$`)

// Handler adds the id of the request to every line that is logged with its
// context, as request_id.
func Handler(h slog.Handler) slog.Handler {
	if _, ok := h.(logHandler); ok {
		return h
	}
	return logHandler{h}
}

type logHandler struct{ slog.Handler }

func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	if id := RequestOf(ctx); id != "" {
		r.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, r)
}

func (h logHandler) WithAttrs(a []slog.Attr) slog.Handler { return logHandler{h.Handler.WithAttrs(a)} }
func (h logHandler) WithGroup(name string) slog.Handler   { return logHandler{h.Handler.WithGroup(name)} }
