package logs

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
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

// RequestID names a request: by the trace id of its traceparent header (W3C
// Trace Context §3.2), else by its X-Request-Id, else by 16 random bytes. What
// does not look like one is not taken over, since it ends in logs.
func RequestID(traceparent, requestID string) string {
	if id, ok := traceID(traceparent); ok {
		return id
	}
	if plainID(requestID) {
		return requestID
	}
	var b [16]byte
	rand.Read(b[:]) //nolint:errcheck // never fails, crypto/rand
	return hex.EncodeToString(b[:])
}

// traceID reads 00-<32 hex>-<16 hex>-<2 hex>; a later version may go on after that.
func traceID(s string) (string, bool) {
	if len(s) < 55 || len(s) > 256 || s[2] != '-' || s[35] != '-' || s[52] != '-' ||
		!isHex(s[:2]) || !isHex(s[3:35]) || !isHex(s[36:52]) || !isHex(s[53:55]) || s[:2] == "ff" {
		return "", false
	}
	if len(s) > 55 && (s[:2] == "00" || s[55] != '-') {
		return "", false
	}
	id, span := s[3:35], s[36:52]
	return id, strings.Trim(id, "0") != "" && strings.Trim(span, "0") != ""
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// plainID reports 8 to 64 letters, digits, dots, dashes and underscores.
func plainID(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '.' && c != '-' && c != '_' {
			return false
		}
	}
	return len(s) >= 8 && len(s) <= 64
}

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
